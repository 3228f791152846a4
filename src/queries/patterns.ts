// The patterns that generated queries of lists are made of: paths to the values of fields, and
// filters by a value.

import type { DerivedFilter } from '../model/declarations/field-declaration.js'
import type { CountedValue, Filter } from '../model/resources.js'
import { type Sparql, sparql } from '../rdf/sparql-template.js'
import { type Literal, type NamedNode, integer, stringLiteral } from '../rdf/terms.js'

export type FilterCondition = { readonly filter: Filter; readonly term: NamedNode | Literal }

type ValueCondition = { readonly filter: CountedValue; readonly term: FilterCondition['term'] }

// EXISTS: a record with several matching values is in the list once.
export const filterPattern = ({ filter, term }: ValueCondition): Sparql =>
  'prefixes' in filter
    ? sparql`    FILTER EXISTS { ?s ${pathTo(filter)} ?filtered . FILTER(${term} IN (${prefixesOf(filter)})) }`
    : sparql`    ?s ${pathTo(filter)} ${term} .`

/** What the filter takes for `?filtered`, with commas between. */
const prefixesOf = ({ prefixes }: DerivedFilter): readonly Sparql[] =>
  prefixes.map(({ length, suffix }, index) => {
    const prefix = sparql`CONCAT(SUBSTR(STR(?filtered), 1, ${integer(length)}), ${stringLiteral(suffix)})`
    return index === 0 ? prefix : sparql`, ${prefix}`
  })

/** A path of two steps is written as two patterns, because engines differ in property paths. */
export function pathTo({ path }: { readonly path: readonly NamedNode[] }): Sparql {
  const [first, second] = path
  if (!first) throw new Error('the field has no property')
  return second ? sparql`${first} ?part . ?part ${second}` : sparql`${first}`
}

/** The patterns as alternatives of a group. */
export const unionOf = (patterns: readonly Sparql[]): readonly Sparql[] =>
  patterns.map((pattern, index) =>
    index === 0 ? sparql`{ ${pattern} }` : sparql`UNION { ${pattern} }`,
  )
