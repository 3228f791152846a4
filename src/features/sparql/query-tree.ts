// Goes through the syntax tree of a parsed query.

import type { Pattern, PropertyPath, Query } from 'sparqljs'

/** The members that are looked at, of any kind of node in the syntax tree. */
export type QueryNode = {
  readonly type?: string
  readonly termType?: string
  /** Of a term. */
  readonly value?: string
  readonly function?: { readonly value: string }
  readonly predicate?: object
  readonly patterns?: readonly Pattern[]
  readonly where?: readonly Pattern[]
}

/**
 * All nodes of the tree, each before its parts, except the prefixes and the rows of VALUES, which
 * are limited by the length of the text.
 */
export function* nodesOf(query: Query): Generator<QueryNode> {
  // Without recursion, since some trees are as deep as the query is long.
  const remaining: unknown[] = [{ ...query, values: undefined, prefixes: undefined }]
  while (remaining.length > 0) {
    const node = remaining.pop()
    if (typeof node !== 'object' || node === null) continue
    if (Array.isArray(node)) {
      for (const child of node as unknown[]) remaining.push(child)
      continue
    }
    yield node
    // A term has no parts except its datatype.
    const { termType, type } = node as QueryNode
    if (termType === undefined && type !== 'values')
      for (const part of Object.values(node)) remaining.push(part)
  }
}

export const isPath = (part: object | undefined): part is PropertyPath =>
  part !== undefined && 'type' in part && part.type === 'path'
