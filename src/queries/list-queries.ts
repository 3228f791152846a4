// Generates the SPARQL that defines a list: a SELECT with filters, search and order, and its
// counts. The catalogue's record indexes answer lists as these queries would.

import type { CountedValue, Field, Resource, SortField } from '../model/resources.js'
import { dcterms, foaf, rdf, xsd } from '../rdf/namespaces.js'
import { type Sparql, lines, rows, sparql, variable } from '../rdf/sparql-template.js'
import { type Literal, type NamedNode, integer, stringLiteral, typedLiteral } from '../rdf/terms.js'
import type { ListCondition } from './conditions.js'
import { type FilterCondition, filterPattern, pathTo, unionOf } from './patterns.js'
import type { TextQuery } from './text-query.js'

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
  readonly order: readonly { readonly field: SortField; readonly descending: boolean }[]
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
    (prefix) => sparql`(${integer(prefix.length)} ${stringLiteral(prefix.suffix)})`,
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

const conditionPattern = ({ isMet, pattern }: ListCondition): Sparql =>
  isMet
    ? sparql`    FILTER EXISTS { ${pattern()} }`
    : sparql`    FILTER NOT EXISTS { ${pattern()} }`

function timePattern({ field, since, before }: TimeCondition): Sparql {
  const conditions = [
    ...(since === undefined ? [] : [sparql`FILTER(?time >= ${dateTime(since)})`]),
    ...(before === undefined ? [] : [sparql`FILTER(?time < ${dateTime(before)})`]),
  ]
  return sparql`    ${fieldPattern(field, sparql`?timed`, sparql`?time`)} ${conditions}`
}

// Compared as times, not as text: engines drop zeros at the end.
const dateTime = (time: string): Literal => typedLiteral(time, xsd('dateTime'))

function orderPattern(field: SortField, index: number): Sparql {
  const key = variable('key', index)
  const pattern = fieldPattern(field, variable('record', index), key)
  return field.nonEmpty ? sparql`    ${pattern}` : sparql`    OPTIONAL { ${pattern} }`
}

/** @param record the variable of the record, where the field is on its node */
const fieldPattern = (field: SortField, record: Sparql, value: Sparql): Sparql =>
  field.onRecordNode
    ? sparql`${record} ${foaf('primaryTopic')} ?s ; ${pathTo(field)} ${value} .`
    : sparql`?s ${pathTo(field)} ${value} .`

function searchPattern(resource: Resource, term: string): Sparql {
  const fields = resource.fields.filter((field) => field.searchable)
  const patterns = unionOf(fields.map((field) => sparql`?s ${pathTo(field)} ?text`))
  return lines(
    sparql`    FILTER EXISTS {`,
    sparql`      ${patterns}`,
    sparql`      FILTER(CONTAINS(LCASE(?text), ${stringLiteral(term)}))`,
    sparql`    }`,
  )
}
