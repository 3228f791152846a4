// The graphs that a query is about: those that everybody may see, or some of them.

import type { Query } from 'sparqljs'

import { QueryRefused } from './errors.js'
import type { Dataset } from './worker-protocol.js'

/**
 * What the protocol says, else what the query says, else all.
 * @throws QueryRefused for a graph that is not one of these
 */
export function datasetOf(
  said: Dataset | undefined,
  query: Query,
  graphs: readonly string[],
): Dataset {
  const dataset = said ?? saidBy(query) ?? { default: graphs, named: graphs }
  for (const name of [...dataset.default, ...dataset.named])
    if (!graphs.includes(name))
      throw new QueryRefused(`There is no graph <${name}> here; there are ${list(graphs)}.`)
  return dataset
}

function saidBy({ from }: Query): Dataset | undefined {
  if (!from) return undefined
  const valuesOf = (names: typeof from.default | undefined): string[] =>
    (names ?? []).map(({ value }) => value)
  return { default: valuesOf(from.default), named: valuesOf(from.named) }
}

const list = (names: readonly string[]): string => names.map((name) => `<${name}>`).join(' and ')
