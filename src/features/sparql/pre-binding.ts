// Binds variables of a query before it runs: each value is a term that stands in the syntax tree in
// place of its variable, never a text within the text of the query (SHACL, "Pre-binding of
// variables in SPARQL").

import type { Literal, NamedNode } from '@rdfjs/types'
import type { Query } from 'sparqljs'

import { InvalidError } from '../../errors.js'
import { parsePublicQuery } from './query-checks.js'
import { writeQuery } from './query-parser.js'

export type ParameterValue = Literal | NamedNode

/** By the names of variables. */
export type ParameterValues = ReadonlyMap<string, ParameterValue>

/**
 * The text of a query with its values.
 * @param endpoint the IRI against which relative IRIs are resolved
 * @throws InvalidError for a query that cannot be read, or that binds a parameter itself
 */
export function bindParameters(text: string, values: ParameterValues, endpoint: string): string {
  if (values.size === 0) return text
  const query = parsePublicQuery(text, endpoint)
  return writeQuery(substitute(query, values) as Query)
}

/** The names of the variables of a query. */
export function variablesOf(query: Query): ReadonlySet<string> {
  const names = new Set<string>()
  const collect = (node: unknown): void => {
    if (isVariable(node)) names.add(node.value)
    else if (typeof node === 'object' && node !== null) Object.values(node).forEach(collect)
  }
  collect(query)
  return names
}

type Variable = { readonly termType: 'Variable'; readonly value: string }

const isVariable = (node: unknown): node is Variable =>
  typeof node === 'object' && node !== null && 'termType' in node && node.termType === 'Variable'

/** A copy of a syntax tree with values in place of variables. It is at most 1,000 nodes deep. */
function substitute(node: unknown, values: ParameterValues): unknown {
  if (isVariable(node)) return values.get(node.value) ?? node
  if (Array.isArray(node)) return node.map((part) => substitute(part, values))
  if (typeof node !== 'object' || node === null || 'termType' in node) return node
  const { type, variable } = node as { readonly type?: string; readonly variable?: unknown }
  if (type === 'values') {
    for (const row of (node as { readonly values: readonly object[] }).values)
      for (const name of Object.keys(row)) refuseIfBound(name.slice(1), values)
    return node
  }
  if (isVariable(variable)) refuseIfBound(variable.value, values)
  return Object.fromEntries(
    Object.entries(node).map(([name, part]) => {
      if (name === 'prefixes' || name === 'variable') return [name, part]
      if (name === 'variables' && Array.isArray(part))
        return [name, part.map((selected) => substituteSelected(selected, values, node))]
      // A group or an order by a value is one of all solutions.
      if ((name === 'group' || name === 'order') && Array.isArray(part)) {
        const left = part.filter(
          ({ expression }) => !(isVariable(expression) && values.has(expression.value)),
        )
        return [name, left.length > 0 ? substitute(left, values) : undefined]
      }
      return [name, substitute(part, values)]
    }),
  )
}

/** What SELECT names: a value has the name of its variable there. */
function substituteSelected(selected: unknown, values: ParameterValues, query: object): unknown {
  const isSelect = 'queryType' in query && query.queryType === 'SELECT'
  if (!isVariable(selected) || !isSelect) return substitute(selected, values)
  const expression = values.get(selected.value)
  return expression ? { expression, variable: selected } : selected
}

function refuseIfBound(name: string, values: ParameterValues): void {
  if (values.has(name))
    throw new InvalidError(`?${name} is a parameter, so the query cannot give it a value itself.`)
}
