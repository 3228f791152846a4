// Generates the SPARQL that defines a list: a SELECT with filters, search and order, and its
// counts. The catalogue's record indexes answer lists as these queries would.

import { type Place, placeIri } from '../model/places.js'
import type { CountedValue, Field, Filter, IndexedValue, Resource } from '../model/resources.js'
import type {
  DerivedFilter,
  DerivedReference,
  DerivedSpan,
} from '../model/declarations/field-declaration.js'
import { dcterms, foaf, gn, rdf, xsd } from '../rdf/namespaces.js'
import { type Sparql, lines, rows, sparql, variable } from '../rdf/sparql-template.js'
import type { TextQuery } from './text-query.js'
import { type Literal, type NamedNode, integer, stringLiteral, typedLiteral } from '../rdf/terms.js'

export type ListSpec = {
  readonly resource: Resource
  readonly filters: readonly FilterCondition[]
  /** The search terms in lower case. Each must occur in at least one searchable field. */
  readonly terms: readonly string[]
  /** A search with `q`, which only the index in memory answers. */
  readonly text?: TextQuery | undefined
  /** Further conditions on its values, and on the records that refer to it. */
  readonly conditions?: readonly ListCondition[] | undefined
  /** Which times of a field the records have; undefined for any. */
  readonly times?: TimeCondition | undefined
  readonly order: readonly { readonly field: Field; readonly descending: boolean }[]
}

export type FilterCondition = { readonly filter: Filter; readonly term: NamedNode | Literal }

export type ListCondition =
  /** It has one of these values. */
  | {
      readonly kind: 'any'
      readonly filter: CountedValue
      readonly terms: readonly (NamedNode | Literal)[]
    }
  /** All the years of one of its dates are in this range. */
  | {
      readonly kind: 'years'
      readonly filter: DerivedSpan
      readonly from: number | undefined
      readonly to: number | undefined
    }
  /** One of its places is this one, or in it. */
  | {
      readonly kind: 'within'
      readonly filter: DerivedReference
      readonly place: Place
      readonly includes: (iri: string) => boolean
    }
  | { readonly kind: 'unset'; readonly filter: IndexedValue; readonly isUnset: boolean }
  /** One of its values contains all these parts, which are in lower case. */
  | { readonly kind: 'containing'; readonly filter: Field; readonly parts: readonly string[] }
  /** A record of another resource names it in a field, and matches all these filters. */
  | {
      readonly kind: 'named'
      readonly resource: Resource
      readonly by: Field
      readonly filters: readonly FilterCondition[]
      /** What the naming record names in another field has to match these filters. */
      readonly through?: ThroughCondition
      readonly isNamed: boolean
    }
  /** It has no other values than these. */
  | {
      readonly kind: 'only'
      readonly filter: Filter
      readonly terms: readonly (NamedNode | Literal)[]
      readonly isOnly: boolean
    }
  /** It names a record of another resource whose text is one of these, in lower case. */
  | {
      readonly kind: 'naming'
      readonly by: Field
      readonly text: Field
      readonly texts: readonly string[]
      readonly isNaming: boolean
    }
  /** It names, in one of these fields, a record of another resource that does not exist. */
  | {
      readonly kind: 'dangling'
      readonly fields: readonly Field[]
      readonly target: Resource
      readonly isDangling: boolean
    }
  /**
   * A record of another resource names it and has this value, and none that names it has another.
   */
  | {
      readonly kind: 'only-named'
      readonly resource: Resource
      readonly by: Field
      readonly filter: Field
      readonly term: NamedNode | Literal
    }

export type ThroughCondition = {
  readonly by: Field
  readonly resource: Resource
  readonly filters: readonly FilterCondition[]
}

/** The values of the records that name those of a list, or of what these name in turn. */
export type NamedFacet = {
  readonly resource: Resource
  /** The field that names a record of the list. */
  readonly by: Field
  readonly filter: Field
  /** Where the value is one of a record that `filter` names: a field of that. */
  readonly further?: { readonly resource: Resource; readonly filter: Field }
}

/**
 * What is counted of the records of a list: their values that a filter takes, or values of others.
 */
export type Counted = CountedValue | NamedFacet

/** The times from one on and before another, each with six decimals and a `Z`. */
export type TimeCondition = {
  readonly field: Field
  readonly since: string | undefined
  readonly before: string | undefined
}

/**
 * Where a page begins: the first of the terms that a record is sorted by, the last of which divides
 * (`ListPosition` of the catalogue). Undefined stands for no value.
 */
export type PositionTerms = readonly (NamedNode | Literal | undefined)[]

/** The records of one page in order, as `?s`. Equal keys are ordered by identifier. */
export function selectPage(
  listing: ListSpec,
  graph: NamedNode,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Sparql {
  return lines(selectAll(listing, graph), sparql`${rows('LIMIT', limit)} ${rows('OFFSET', offset)}`)
}

/** All records of the list, as `?s`, in the same order. */
export const selectAll = (listing: ListSpec, graph: NamedNode): Sparql =>
  selectOrdered(listing, graph)

/**
 * The records of a page that begins at a position, or with the list, as `?s` with the terms that
 * they are sorted by as `?key0`, `?key1`, …
 */
export function selectPageFrom(
  listing: ListSpec,
  graph: NamedNode,
  { limit, start }: { readonly limit: number; readonly start: PositionTerms | undefined },
): Sparql {
  const keys = listing.order.map((_, index) => variable('key', index))
  const filter = start && sparql`    FILTER(${followsCondition(listing.order, start)})`
  return lines(selectOrdered(listing, graph, keys, filter), rows('LIMIT', limit))
}

/** A part of the list, as `?s` with the terms that it is sorted by as `?key0`, `?key1`, … */
export function selectSortedPart(
  listing: ListSpec,
  graph: NamedNode,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Sparql {
  const keys = listing.order.map((_, index) => variable('key', index))
  return lines(
    selectOrdered(listing, graph, keys),
    sparql`${rows('LIMIT', limit)} ${rows('OFFSET', offset)}`,
  )
}

/** All records of the list that a filter lets through, in order, as `?s` with these variables. */
function selectOrdered(
  listing: ListSpec,
  graph: NamedNode,
  variables: readonly Sparql[] = [],
  filter = sparql``,
): Sparql {
  const keys = listing.order.map(({ field, descending }, index) => {
    const key = variable('key', index)
    const direction = descending ? sparql`DESC(${key})` : sparql`ASC(${key})`
    // Records without a value come last in both directions.
    return field.nonEmpty ? direction : sparql`ASC(!BOUND(${key})) ${direction}`
  })
  return lines(
    sparql`SELECT ${[sparql`?s`, ...variables]} WHERE {`,
    sparql`  GRAPH ${graph} {`,
    membershipPatterns(listing),
    ...listing.order.map(({ field }, index) => orderPattern(field, index)),
    filter,
    sparql`  }`,
    sparql`}`,
    sparql`ORDER BY ${keys} ?id ?s`,
  )
}

/** Whether a record follows after a position, as `ORDER BY` sorts. */
function followsCondition(order: ListSpec['order'], terms: PositionTerms): Sparql {
  const [first, ...others] = terms
    .map((term, index) => ({ term, ...sortKey(order, index) }))
    .reverse()
  if (!first) throw new Error('the position has no value')
  return others.reduce((follows, { term, key, descending, unset }) => {
    if (!term) return sparql`(!BOUND(${key}) && ${follows})`
    const isLater = descending ? sparql`${key} < ${term}` : sparql`${key} > ${term}`
    return sparql`(${unset}${isLater} || (${key} = ${term} && ${follows}))`
  }, dividingCondition(first))
}

function dividingCondition({
  term,
  key,
  descending,
  unset,
}: SortKey & { term: PositionTerms[number] }) {
  if (!term) return sparql`!BOUND(${key})`
  return descending ? sparql`(${unset}${key} < ${term})` : sparql`(${unset}${key} >= ${term})`
}

type SortKey = {
  /** The variable. */
  readonly key: Sparql
  readonly descending: boolean
  /** The beginning of a condition that lets those without a value through, if there can be any. */
  readonly unset: Sparql
}

/** The identifier comes after all fields. */
function sortKey(order: ListSpec['order'], index: number): SortKey {
  const step = order[index]
  if (!step) return { key: sparql`?id`, descending: false, unset: sparql`` }
  const key = variable('key', index)
  const unset = step.field.nonEmpty ? sparql`` : sparql`!BOUND(${key}) || `
  return { key, descending: step.descending, unset }
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

/** The number of records for each value, as `?value0` and `?count`. */
export const selectFacetCounts = (listing: ListSpec, counted: Counted, graph: NamedNode): Sparql =>
  selectCounts(listing, [counted], graph)

/** The number of records for each pair of values, as `?value0`, `?value1` and `?count`. */
export const selectCrossCounts = (
  listing: ListSpec,
  counted: readonly [rows: Counted, columns: Counted],
  graph: NamedNode,
): Sparql => selectCounts(listing, counted, graph)

function selectCounts(listing: ListSpec, counted: readonly Counted[], graph: NamedNode): Sparql {
  const values = counted.map((_, index) => variable('value', index))
  return lines(
    sparql`SELECT ${values} (COUNT(DISTINCT ?s) AS ?count) WHERE {`,
    sparql`  GRAPH ${graph} {`,
    membershipPatterns(listing),
    ...counted.map(countedPattern),
    sparql`  }`,
    sparql`}`,
    sparql`GROUP BY ${values}`,
  )
}

/** The patterns that give `?value0`, `?value1` and so on. */
function countedPattern(counted: Counted, index: number): Sparql {
  const value = variable('value', index)
  if ('by' in counted) {
    const { by, filter, further } = counted
    const [naming, other] = [variable('naming', index), variable('other', index)]
    const named = sparql`    ${naming} ${pathTo(by)} ?s .`
    return further
      ? sparql`${named} ${naming} ${pathTo(filter)} ${other} . ${other} ${pathTo(further.filter)} ${value} .`
      : sparql`${named} ${naming} ${pathTo(filter)} ${value} .`
  }
  if (!('prefixes' in counted)) return sparql`    ?s ${pathTo(counted)} ${value} .`
  const [whole, length, suffix] = [
    variable('whole', index),
    variable('length', index),
    variable('suffix', index),
  ]
  const prefixes = counted.prefixes.map(
    (one) => sparql`(${integer(one.length)} ${stringLiteral(one.suffix)})`,
  )
  return lines(
    sparql`    ?s ${pathTo(counted)} ${whole} .`,
    sparql`    VALUES (${length} ${suffix}) { ${prefixes} }`,
    sparql`    BIND(CONCAT(SUBSTR(STR(${whole}), 1, ${length}), ${suffix}) AS ${value})`,
  )
}

/** The patterns that a record of the list matches. */
const membershipPatterns = ({
  resource,
  filters,
  terms,
  times,
  conditions = [],
}: ListSpec): Sparql =>
  lines(
    sparql`    ?s ${rdf('type')} ${resource.class} ; ${dcterms('identifier')} ?id .`,
    ...filters.map(filterPattern),
    ...conditions.map(conditionPattern),
    times ? timePattern(times) : sparql``,
    ...terms.map((term) => searchPattern(resource, term)),
  )

type AnyCondition = {
  readonly filter: CountedValue
  readonly term: FilterCondition['term']
}

// EXISTS: a record with several matching values is in the list once.
const filterPattern = ({ filter, term }: AnyCondition): Sparql =>
  'prefixes' in filter
    ? sparql`    FILTER EXISTS { ?s ${pathTo(filter)} ?filtered . FILTER(${term} IN (${prefixesOf(filter)})) }`
    : sparql`    ?s ${pathTo(filter)} ${term} .`

function conditionPattern(condition: ListCondition): Sparql {
  switch (condition.kind) {
    case 'any': {
      if (condition.terms.length === 0) return sparql`    FILTER(false)`
      const alternatives = condition.terms.map((term, index) => {
        const one = filterPattern({ filter: condition.filter, term })
        return index === 0 ? sparql`{ ${one} }` : sparql`UNION { ${one} }`
      })
      return sparql`    FILTER EXISTS { ?s ${dcterms('identifier')} ?id . ${alternatives} }`
    }
    case 'years': {
      const { filter, from, to } = condition
      const conditions = [
        ...(from === undefined
          ? []
          : [sparql`FILTER(!${isOpenStart} && ${firstYear} >= ${integer(from)})`]),
        ...(to === undefined
          ? []
          : [sparql`FILTER(!${isOpenEnd} && ${lastYear} <= ${integer(to)})`]),
      ]
      return sparql`    FILTER EXISTS { ?s ${pathTo(filter)} ?dated . ${conditions} }`
    }
    case 'within':
      return sparql`    FILTER EXISTS { ${withinPattern(condition)} }`
    case 'unset':
      return condition.isUnset
        ? sparql`    FILTER NOT EXISTS { ?s ${pathTo(condition.filter)} ?any }`
        : sparql`    FILTER EXISTS { ?s ${pathTo(condition.filter)} ?any }`
    case 'containing': {
      const parts = condition.parts.map(
        (part) => sparql`FILTER(CONTAINS(LCASE(?contained), ${stringLiteral(part)}))`,
      )
      return sparql`    FILTER EXISTS { ?s ${pathTo(condition.filter)} ?contained . ${parts} }`
    }
    case 'named': {
      const { by, filters, through, isNamed } = condition
      const patterns = [
        ...filters.map(({ filter, term }) => sparql`?naming ${pathTo(filter)} ${term} .`),
        ...(through ? [sparql`?naming ${pathTo(through.by)} ?through .`] : []),
        ...(through?.filters ?? []).map(
          ({ filter, term }) => sparql`?through ${pathTo(filter)} ${term} .`,
        ),
      ]
      const named = sparql`{ ?naming ${pathTo(by)} ?s . ${patterns} }`
      return existing(isNamed, named)
    }
    case 'only': {
      const { filter, terms, isOnly } = condition
      const other = sparql`{ ?s ${pathTo(filter)} ?other . FILTER(?other NOT IN (${commas(terms)})) }`
      return existing(!isOnly, other)
    }
    case 'naming': {
      const { by, text, texts, isNaming } = condition
      const found = sparql`FILTER(LCASE(?name) IN (${commas(texts.map((one) => stringLiteral(one)))}))`
      const naming = sparql`{ ?s ${pathTo(by)} ?agent . ?agent ${pathTo(text)} ?name . ${found} }`
      return existing(isNaming, naming)
    }
    case 'dangling': {
      const { fields, target, isDangling } = condition
      const named = fields.map((field, index) =>
        index === 0
          ? sparql`{ ?s ${pathTo(field)} ?gone }`
          : sparql`UNION { ?s ${pathTo(field)} ?gone }`,
      )
      const missing = sparql`FILTER NOT EXISTS { ?gone ${rdf('type')} ${target.class} }`
      return existing(isDangling, sparql`{ ${named} ${missing} }`)
    }
    case 'only-named': {
      const { by, filter, term } = condition
      const value = sparql`?naming ${pathTo(by)} ?s ; ${pathTo(filter)}`
      return lines(
        sparql`    FILTER EXISTS { ${value} ${term} }`,
        sparql`    FILTER NOT EXISTS { ${value} ?named . FILTER(?named != ${term}) }`,
      )
    }
  }
}

/**
 * The year that begins a date in EDTF, as a number.
 * Compared as numbers: Virtuoso finds nothing where it compares results of REPLACE as texts.
 */
const yearIn = (date: Sparql, digit: '0' | '9'): Sparql =>
  sparql`${xsd('integer')}(REPLACE(REPLACE(SUBSTR(REPLACE(${date}, "^[^-0-9X]+", ""), 1, 5), "[^0-9X]$", ""), "X", ${stringLiteral(digit)}))`

// Dates of spans and sets are divided by `/`, `,` and `..`. An open end has no digits, of which
// Virtuoso makes 0.
const isOpenStart = sparql`REGEX(STR(?dated), "^[^0-9X]*[/.]")`
const isOpenEnd = sparql`REGEX(STR(?dated), "[/.][^0-9X]*$")`
const firstYear = yearIn(sparql`REPLACE(STR(?dated), "[/,.].*$", "")`, '0')
const lastYear = yearIn(sparql`REPLACE(STR(?dated), "^.*[/,.]", "")`, '9')

// By the level, since engines differ in property paths. Places are in the graph of vocabularies.
function withinPattern({ filter, place }: WithinCondition): Sparql {
  const located = pathTo(filter)
  const own = sparql`?s ${located} ${placeIri(place.geoname_id)} .`
  if (place.level === 'city') return own
  const isIn =
    place.level === 'country'
      ? sparql`?located ${gn('countryCode')} ${stringLiteral(place.country_code)} .`
      : sparql`?located ${gn('parentFeature')} ${placeIri(place.geoname_id)} .`
  return sparql`{ ${own} } UNION { ?s ${located} ?located . GRAPH ?graph { ${isIn} } }`
}

type WithinCondition = Extract<ListCondition, { kind: 'within' }>
const existing = (isExisting: boolean, pattern: Sparql): Sparql =>
  isExisting ? sparql`    FILTER EXISTS ${pattern}` : sparql`    FILTER NOT EXISTS ${pattern}`

/** Terms with commas between. */
const commas = (terms: readonly (NamedNode | Literal)[]): readonly Sparql[] =>
  terms.map((term, index) => (index === 0 ? sparql`${term}` : sparql`, ${term}`))

function timePattern({ field, since, before }: TimeCondition): Sparql {
  const conditions = [
    ...(since === undefined ? [] : [sparql`FILTER(?time >= ${dateTime(since)})`]),
    ...(before === undefined ? [] : [sparql`FILTER(?time < ${dateTime(before)})`]),
  ]
  return sparql`    ${fieldPattern(field, sparql`?timed`, sparql`?time`)} ${conditions}`
}

// Compared as times, not as text: engines drop zeros at the end.
const dateTime = (time: string): Literal => typedLiteral(time, xsd('dateTime'))

/** What the filter takes for `?filtered`, with commas between. */
const prefixesOf = ({ prefixes }: DerivedFilter): readonly Sparql[] =>
  prefixes.map(({ length, suffix }, index) => {
    const prefix = sparql`CONCAT(SUBSTR(STR(?filtered), 1, ${integer(length)}), ${stringLiteral(suffix)})`
    return index === 0 ? prefix : sparql`, ${prefix}`
  })

function orderPattern(field: Field, index: number): Sparql {
  const key = variable('key', index)
  const pattern = fieldPattern(field, variable('record', index), key)
  return field.nonEmpty ? sparql`    ${pattern}` : sparql`    OPTIONAL { ${pattern} }`
}

/** @param record the variable of the record, where the field is on its node */
const fieldPattern = (field: Field, record: Sparql, value: Sparql): Sparql =>
  field.onRecordNode
    ? sparql`${record} ${foaf('primaryTopic')} ?s ; ${pathTo(field)} ${value} .`
    : sparql`?s ${pathTo(field)} ${value} .`

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
