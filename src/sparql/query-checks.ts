// What a query asks for, by sparqljs's reading of it, and what is refused before Oxigraph plans it: a
// plan for a hundred triple patterns takes a second and a half, one for two hundred half a minute.

import sparqljs from 'sparqljs'
import type { Pattern, PropertyPath, Query, SparqlQuery } from 'sparqljs'

import { prefixes, xsd } from '../rdf/namespaces.js'
import { QueryRefused, UpdateRefused } from './errors.js'

export const limits = {
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
export function readQuery(text: string, endpoint: string): Query {
  const query = parse(text, endpoint)
  if (query.type === 'update') throw new UpdateRefused()
  inspect(query)
  return query
}

function parse(text: string, baseIRI: string): SparqlQuery {
  try {
    return new sparqljs.Parser({ baseIRI }).parse(text)
  } catch (error) {
    throw new QueryRefused(`Malformed query: ${(error as Error).message}`)
  }
}

/** The nodes of the tree are objects of many kinds; what matters of each is asked of all. */
type Node = {
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
    if (nodes > limits.nodes)
      throw new QueryRefused(`A query may have ${limits.nodes} terms and patterns at most.`)
    judge(node)
    // A term has no parts but its datatype; the rows of VALUES are as many as the text can hold.
    const { termType, type } = node as Node
    if (termType === undefined && type !== 'values')
      for (const part of Object.values(node)) open.push(part)
  }
}

function judge(node: Node): void {
  if (node.type === 'service') throw new QueryRefused('SERVICE is not answered here.')
  if (node.type === 'functionCall') judgeFunction(node.function?.value ?? '')
  const group = node.patterns ?? node.where
  // Alternatives are planned each for itself.
  if (group && node.type !== 'union' && patternsIn(group) > limits.patterns)
    throw new QueryRefused(`A group may have ${limits.patterns} triple patterns at most.`)
  if (isPath(node.predicate) && stepsOf(node.predicate) > limits.steps)
    throw new QueryRefused(`A path may have ${limits.steps} steps at most.`)
}

const casts: ReadonlySet<string> = new Set(
  [
    ...['boolean', 'double', 'float', 'decimal', 'integer', 'string', 'dateTime', 'date', 'time'],
    ...['duration', 'yearMonthDuration', 'dayTimeDuration'],
    ...['gYear', 'gYearMonth', 'gMonth', 'gMonthDay', 'gDay'],
  ].map((name) => xsd(name).value),
)

function judgeFunction(name: string): void {
  if (!casts.has(name))
    throw new QueryRefused(
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
