// The IRIs of a query. sparqljs reads them to find out which quads are needed, and Oxigraph reads
// the text itself. This file is about those that the two read differently.

import type { Query, SparqlQuery } from 'sparqljs'

import { hasWord } from './lexer.js'
import { nodesOf } from './query-tree.js'

/**
 * Removes what sparqljs leaves of the escapes in local names, as in `:a\/b`. No IRI has a
 * backslash.
 */
export function unescapeIris(query: SparqlQuery): void {
  const remaining: unknown[] = [query]
  while (remaining.length > 0) {
    const node = remaining.pop()
    if (typeof node !== 'object' || node === null) continue
    if (isIri(node)) node.value = node.value.replaceAll('\\', '')
    else for (const part of Object.values(node)) remaining.push(part)
  }
}

const isIri = (node: object): node is { value: string } =>
  'termType' in node && node.termType === 'NamedNode'

/**
 * Whether the IRIs of a query are certain. sparqljs only joins a relative IRI to its base: it
 * leaves segments of dots as they are, and takes a base without a path, or with a fragment, for
 * another one.
 * @param endpoint the IRI against which relative IRIs are resolved; it has a path and no fragment
 */
export function hasCertainIris(text: string, query: Query, endpoint: string): boolean {
  if (hasWord(text, 'BASE')) return false
  const { origin } = new URL(endpoint)
  for (const { termType, value = '' } of nodesOf(query))
    if (termType === 'NamedNode' && value.startsWith(origin))
      if (unresolvedPath.test(value.slice(origin.length))) return false
  return true
}

/** Has an empty segment, or one of dots only. */
const unresolvedPath = /\/(?:\/|\.\.?(?:[/?#]|$))/
