// What a query asks for, by sparqljs's reading of it, and what is refused before Oxigraph plans it: a
// plan for a hundred triple patterns takes a second and a half, one for two hundred half a minute.

import sparqljs from 'sparqljs'
import type { Pattern, PropertyPath, Query, SparqlQuery } from 'sparqljs'

import { prefixes, xsd } from '../rdf/namespaces.js'
import { QueryError, UpdateNotAllowedError } from './errors.js'

export const queryLimits = {
  /** In one group, with the groups that are joined to it; each step of a path is one. */
  patterns: 50,
  /** In one path. */
  steps: 50,
  /** Terms, expressions and patterns in all, but for the rows of VALUES. */
  nodes: 1_000,
}

/**
 * @param endpoint what relative IRIs are resolved against
 * @throws QueryRefused, UpdateRefused
 */
export function parsePublicQuery(text: string, endpoint: string): Query {
  const query = parse(text, endpoint)
  if (query.type === 'update') throw new UpdateNotAllowedError()
  inspect(query)
  return query
}

function parse(text: string, baseIRI: string): SparqlQuery {
  try {
    return new sparqljs.Parser({ baseIRI }).parse(text)
  } catch (error) {
    throw new QueryError(`Malformed query: ${(error as Error).message}`)
  }
}

/** The nodes of the tree are objects of many kinds; what matters of each is asked of all. */
type QueryNode = {
  readonly type?: string
  readonly termType?: string
  readonly function?: { readonly value: string }
  readonly predicate?: object
  readonly patterns?: readonly Pattern[]
  readonly where?: readonly Pattern[]
  readonly values?: unknown
}

// Not by recursion: some trees are as deep as the query is long.
function inspect(query: Query): void {
  const open: unknown[] = [{ ...query, values: undefined, prefixes: undefined }]
  let nodes = 0
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null) continue
    if (Array.isArray(node)) {
      for (const one of node as unknown[]) open.push(one)
      continue
    }
    nodes += 1
    if (nodes > queryLimits.nodes)
      throw new QueryError(`A query may have ${queryLimits.nodes} terms and patterns at most.`)
    checkNode(node)
    // A term has no parts but its datatype; the rows of VALUES are as many as the text can hold.
    const { termType, type } = node as QueryNode
    if (termType === undefined && type !== 'values')
      for (const part of Object.values(node)) open.push(part)
  }
}

function checkNode(node: QueryNode): void {
  if (node.type === 'service') throw new QueryError('SERVICE is not answered here.')
  if (node.type === 'functionCall') checkFunction(node.function?.value ?? '')
  const group = node.patterns ?? node.where
  // Alternatives are planned each for itself.
  if (group && node.type !== 'union' && patternsIn(group) > queryLimits.patterns)
    throw new QueryError(`A group may have ${queryLimits.patterns} triple patterns at most.`)
  if (isPath(node.predicate) && stepsOf(node.predicate) > queryLimits.steps)
    throw new QueryError(`A path may have ${queryLimits.steps} steps at most.`)
}

const casts: ReadonlySet<string> = new Set(
  [
    ...['boolean', 'double', 'float', 'decimal', 'integer', 'string', 'dateTime', 'date', 'time'],
    ...['duration', 'yearMonthDuration', 'dayTimeDuration'],
    ...['gYear', 'gYearMonth', 'gMonth', 'gMonthDay', 'gDay'],
  ].map((name) => xsd(name).value),
)

function checkFunction(name: string): void {
  if (!casts.has(name))
    throw new QueryError(
      `There is no function <${name}> here; besides SPARQL's own there are the casts of ${prefixes.xsd}.`,
    )
}

/** The triple patterns that are planned as one: those of a group and of the groups joined to it. */
function patternsIn(group: readonly Pattern[]): number {
  let count = 0
  const open = [...group]
  for (let pattern = open.pop(); pattern; pattern = open.pop()) {
    if (pattern.type === 'group' || pattern.type === 'graph') open.push(...pattern.patterns)
    if (pattern.type !== 'bgp') continue
    for (const { predicate } of pattern.triples)
      count += isPath(predicate) ? Math.max(1, stepsOf(predicate)) : 1
  }
  return count
}

const isPath = (predicate: object | undefined): predicate is PropertyPath =>
  predicate !== undefined && 'type' in predicate && predicate.type === 'path'

function stepsOf(path: PropertyPath): number {
  let steps = 0
  const open: object[] = [path]
  for (let part = open.pop(); part; part = open.pop())
    if ('items' in part) open.push(...(part.items as object[]))
    else steps += 1
  return steps
}
