// What a list is: one generated SELECT, with its filters, search and order, and its COUNT.

import type { Field, Filter, Resource } from '../model/resources.js'
import type { DerivedFilter } from '../model/declarations/field-declaration.js'
import { dcterms, foaf, rdf } from '../rdf/namespaces.js'
import { type Sparql, lines, rows, sparql, variable } from '../rdf/sparql-template.js'
import { type Literal, type NamedNode, integer, stringLiteral } from '../rdf/terms.js'

export type ListSpec = {
  readonly resource: Resource
  readonly filters: readonly FilterCondition[]
  /** In small letters; every one has to occur in one of the resource's searched fields. */
  readonly terms: readonly string[]
  readonly order: readonly { readonly field: Field; readonly descending: boolean }[]
}

export type FilterCondition = { readonly filter: Filter; readonly term: NamedNode | Literal }

/** The things of one page, as `?s`, in order; the identifier decides where all else is the same. */
export function selectPage(
  listing: ListSpec,
  graph: NamedNode,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Sparql {
  return lines(selectAll(listing, graph), sparql`${rows('LIMIT', limit)} ${rows('OFFSET', offset)}`)
}

/** All things of the list, as `?s`, in the same order. */
export function selectAll(listing: ListSpec, graph: NamedNode): Sparql {
  const keys = listing.order.map(({ field, descending }, index) => {
    const key = variable('key', index)
    const direction = descending ? sparql`DESC(${key})` : sparql`ASC(${key})`
    // Records without the value come last, whatever the direction.
    return field.nonEmpty ? direction : sparql`ASC(!BOUND(${key})) ${direction}`
  })
  return lines(
    sparql`SELECT ?s WHERE {`,
    sparql`  GRAPH ${graph} {`,
    membershipPatterns(listing),
    ...listing.order.map(({ field }, index) => orderPattern(field, index)),
    sparql`  }`,
    sparql`}`,
    sparql`ORDER BY ${keys} ?id ?s`,
  )
}

/** The number of things in the whole list, as `?count`. */
export const selectCount = (listing: ListSpec, graph: NamedNode): Sparql =>
  lines(
    sparql`SELECT (COUNT(?s) AS ?count) WHERE {`,
    sparql`  GRAPH ${graph} {`,
    membershipPatterns(listing),
    sparql`  }`,
    sparql`}`,
  )

/** How many things of the list have each value that the filter takes, as `?value` and `?count`. */
export const selectFacetCounts = (listing: ListSpec, filter: Filter, graph: NamedNode): Sparql =>
  lines(
    sparql`SELECT ?value (COUNT(DISTINCT ?s) AS ?count) WHERE {`,
    sparql`  GRAPH ${graph} {`,
    membershipPatterns(listing),
    'prefixes' in filter
      ? lines(
          sparql`    ?s ${pathTo(filter)} ?whole .`,
          sparql`    VALUES (?length ?suffix) { ${filter.prefixes.map(({ length, suffix }) => sparql`(${integer(length)} ${stringLiteral(suffix)})`)} }`,
          sparql`    BIND(CONCAT(SUBSTR(STR(?whole), 1, ?length), ?suffix) AS ?value)`,
        )
      : sparql`    ?s ${pathTo(filter)} ?value .`,
    sparql`  }`,
    sparql`}`,
    sparql`GROUP BY ?value`,
  )

/** What makes a thing a member of the list. */
const membershipPatterns = ({ resource, filters, terms }: ListSpec): Sparql =>
  lines(
    sparql`    ?s ${rdf('type')} ${resource.class} ; ${dcterms('identifier')} ?id .`,
    ...filters.map(filterPattern),
    ...terms.map((term) => searchPattern(resource, term)),
  )

// A thing of which several values begin alike is in the list once.
const filterPattern = ({ filter, term }: FilterCondition): Sparql =>
  'prefixes' in filter
    ? sparql`    FILTER EXISTS { ?s ${pathTo(filter)} ?filtered . FILTER(${term} IN (${prefixesOf(filter)})) }`
    : sparql`    ?s ${pathTo(filter)} ${term} .`

/** What the filter takes for `?filtered`, with commas between. */
const prefixesOf = ({ prefixes }: DerivedFilter): readonly Sparql[] =>
  prefixes.map(({ length, suffix }, index) => {
    const prefix = sparql`CONCAT(SUBSTR(STR(?filtered), 1, ${integer(length)}), ${stringLiteral(suffix)})`
    return index === 0 ? prefix : sparql`, ${prefix}`
  })

function orderPattern(field: Field, index: number): Sparql {
  const key = variable('key', index)
  const pattern = field.onRecordNode
    ? sparql`${variable('record', index)} ${foaf('primaryTopic')} ?s ; ${pathTo(field)} ${key} .`
    : sparql`?s ${pathTo(field)} ${key} .`
  return field.nonEmpty ? sparql`    ${pattern}` : sparql`    OPTIONAL { ${pattern} }`
}

function searchPattern(resource: Resource, term: string): Sparql {
  const fields = resource.fields.filter((field) => field.searchable)
  const patterns = fields.map((field, index) =>
    index === 0
      ? sparql`{ ?s ${pathTo(field)} ?text }`
      : sparql`UNION { ?s ${pathTo(field)} ?text }`,
  )
  return lines(
    sparql`    FILTER EXISTS {`,
    sparql`      ${patterns}`,
    sparql`      FILTER(CONTAINS(LCASE(?text), ${stringLiteral(term)}))`,
    sparql`    }`,
  )
}

// Two steps lead through a node of the thing's own; written out, since engines differ in their paths.
function pathTo({ path }: { readonly path: readonly NamedNode[] }): Sparql {
  const [first, second] = path
  if (!first) throw new Error('a field has a property')
  return second ? sparql`${first} ?part . ?part ${second}` : sparql`${first}`
}
