// The graphs that a query is about: those that everybody may see, or some of them.

import type { Query } from 'sparqljs'

import { QueryError } from './errors.js'
import type { QueryDataset } from './worker-protocol.js'

/**
 * What the protocol says, else what the query says, else all.
 * @throws QueryRefused for a graph that is not one of these
 */
export function resolveDataset(
  said: QueryDataset | undefined,
  query: Query,
  graphs: readonly string[],
): QueryDataset {
  const dataset = said ?? datasetOfQuery(query) ?? { default: graphs, named: graphs }
  for (const name of [...dataset.default, ...dataset.named])
    if (!graphs.includes(name))
      throw new QueryError(`There is no graph <${name}> here; there are ${list(graphs)}.`)
  return dataset
}

function datasetOfQuery({ from }: Query): QueryDataset | undefined {
  if (!from) return undefined
  const valuesOf = (names: typeof from.default | undefined): string[] =>
    (names ?? []).map(({ value }) => value)
  return { default: valuesOf(from.default), named: valuesOf(from.named) }
}

const list = (names: readonly string[]): string => names.map((name) => `<${name}>`).join(' and ')
