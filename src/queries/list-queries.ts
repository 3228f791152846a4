// Generates the SPARQL that defines a list: a SELECT with filters, search and order, and its
// counts. The catalogue's record indexes answer lists as these queries would.

import type { Field, Filter, Resource } from '../model/resources.js'
import type { DerivedFilter } from '../model/declarations/field-declaration.js'
import { dcterms, foaf, rdf } from '../rdf/namespaces.js'
import { type Sparql, lines, rows, sparql, variable } from '../rdf/sparql-template.js'
import { type Literal, type NamedNode, integer, stringLiteral } from '../rdf/terms.js'

export type ListSpec = {
  readonly resource: Resource
  readonly filters: readonly FilterCondition[]
  /** The search terms in lower case. Each must occur in at least one searchable field. */
  readonly terms: readonly string[]
  readonly order: readonly { readonly field: Field; readonly descending: boolean }[]
}

export type FilterCondition = { readonly filter: Filter; readonly term: NamedNode | Literal }

/** The records of one page in order, as `?s`. Equal keys are ordered by identifier. */
export function selectPage(
  listing: ListSpec,
  graph: NamedNode,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Sparql {
  return lines(selectAll(listing, graph), sparql`${rows('LIMIT', limit)} ${rows('OFFSET', offset)}`)
}

/** All records of the list, as `?s`, in the same order. */
export function selectAll(listing: ListSpec, graph: NamedNode): Sparql {
  const keys = listing.order.map(({ field, descending }, index) => {
    const key = variable('key', index)
    const direction = descending ? sparql`DESC(${key})` : sparql`ASC(${key})`
    // Records without a value come last in both directions.
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

/** The number of records in the list, as `?count`. */
export const selectCount = (listing: ListSpec, graph: NamedNode): Sparql =>
  lines(
    sparql`SELECT (COUNT(?s) AS ?count) WHERE {`,
    sparql`  GRAPH ${graph} {`,
    membershipPatterns(listing),
    sparql`  }`,
    sparql`}`,
  )

/** The number of records for each value of the filter, as `?value` and `?count`. */
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

/** The patterns that a record of the list matches. */
const membershipPatterns = ({ resource, filters, terms }: ListSpec): Sparql =>
  lines(
    sparql`    ?s ${rdf('type')} ${resource.class} ; ${dcterms('identifier')} ?id .`,
    ...filters.map(filterPattern),
    ...terms.map((term) => searchPattern(resource, term)),
  )

// EXISTS: a record with several matching values is in the list once.
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

// A path of two steps is written as two patterns, because engines differ in property paths.
function pathTo({ path }: { readonly path: readonly NamedNode[] }): Sparql {
  const [first, second] = path
  if (!first) throw new Error('the field has no property')
  return second ? sparql`${first} ?part . ?part ${second}` : sparql`${first}`
}
