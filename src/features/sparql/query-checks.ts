// Parses a public query, and rejects it before Oxigraph plans it if that would take too long: a
// plan for 100 triple patterns takes 1.5 seconds, one for 200 half a minute. precheck.ts has
// checked the text, query-parser.ts parses it.

import type { Pattern, PropertyPath, Query } from 'sparqljs'

import { InvalidError } from '../../errors.js'
import { prefixes, xsd } from '../../rdf/namespaces.js'
import { noService } from './error-messages.js'
import { noUpdates } from './errors.js'
import { parseQuery } from './query-parser.js'
import { type QueryNode, isPath, nodesOf } from './query-tree.js'

const queryLimits = {
  /**
   * Triple patterns in one group and the groups joined to it. Each step of a path counts as one.
   */
  patterns: 50,
  /** Steps in one path. */
  steps: 50,
  /** All terms, expressions and patterns, except the rows of VALUES. */
  nodes: 1_000,
}

/**
 * @param endpoint the IRI against which relative IRIs are resolved
 * @throws InvalidError, QueryParserError, ForbiddenError
 */
export function parsePublicQuery(text: string, endpoint: string): Query {
  const query = parseQuery(text, endpoint)
  if (query.type === 'update') throw noUpdates()
  inspect(query)
  return query
}

function inspect(query: Query): void {
  let nodes = 0
  for (const node of nodesOf(query)) {
    nodes += 1
    if (nodes > queryLimits.nodes)
      throw new InvalidError(`A query may have ${queryLimits.nodes} terms and patterns at most.`)
    checkNode(node)
  }
}

function checkNode(node: QueryNode): void {
  if (node.type === 'service') throw new InvalidError(noService)
  if (node.type === 'functionCall') checkFunction(node.function?.value ?? '')
  const group = node.patterns ?? node.where
  // The alternatives of a UNION are planned separately.
  if (group && node.type !== 'union' && countPatterns(group) > queryLimits.patterns)
    throw new InvalidError(`A group may have ${queryLimits.patterns} triple patterns at most.`)
  if (isPath(node.predicate) && countSteps(node.predicate) > queryLimits.steps)
    throw new InvalidError(`A path may have ${queryLimits.steps} steps at most.`)
}

const casts: ReadonlySet<string> = new Set(
  [
    'boolean',
    'double',
    'float',
    'decimal',
    'integer',
    'string',
    'dateTime',
    'date',
    'time',
    'duration',
    'yearMonthDuration',
    'dayTimeDuration',
    'gYear',
    'gYearMonth',
    'gMonth',
    'gMonthDay',
    'gDay',
  ].map((name) => xsd(name).value),
)

function checkFunction(name: string): void {
  if (!casts.has(name))
    throw new InvalidError(
      `There is no function <${name}> here; besides SPARQL's own there are the casts of ${prefixes.xsd}.`,
    )
}

/**
 * The number of triple patterns that are planned together: of a group and the groups joined to it.
 */
function countPatterns(group: readonly Pattern[]): number {
  let count = 0
  const open = [...group]
  for (let pattern = open.pop(); pattern; pattern = open.pop()) {
    if (pattern.type === 'group' || pattern.type === 'graph') open.push(...pattern.patterns)
    if (pattern.type !== 'bgp') continue
    for (const { predicate } of pattern.triples)
      count += isPath(predicate) ? Math.max(1, countSteps(predicate)) : 1
  }
  return count
}

function countSteps(path: PropertyPath): number {
  let steps = 0
  const open: object[] = [path]
  for (let part = open.pop(); part; part = open.pop())
    if ('items' in part) open.push(...(part.items as object[]))
    else steps += 1
  return steps
}
