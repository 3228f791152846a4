// Determines the graphs that a query is about: all public graphs, or some of them.

import type { Query } from 'sparqljs'

import { InvalidError } from '../../errors.js'
import type { QueryDataset } from './worker-protocol.js'

/**
 * The dataset of the HTTP request, else that of the query, else all graphs.
 * @throws InvalidError for a graph that is not one of `graphs`
 */
export function resolveDataset(
  requested: QueryDataset | undefined,
  query: Query,
  graphs: readonly string[],
): QueryDataset {
  const dataset = requested ?? datasetOfQuery(query) ?? { default: graphs, named: graphs }
  for (const name of [...dataset.default, ...dataset.named])
    if (!graphs.includes(name))
      throw new InvalidError(`There is no graph <${name}> here; there are ${list(graphs)}.`)
  return dataset
}

/** Whether the default graph of a dataset is made of all graphs. */
export const hasAll = (dataset: QueryDataset, graphs: readonly string[]): boolean =>
  graphs.every((name) => dataset.default.includes(name))

function datasetOfQuery({ from }: Query): QueryDataset | undefined {
  if (!from) return undefined
  const valuesOf = (names: typeof from.default | undefined): string[] =>
    (names ?? []).map(({ value }) => value)
  return { default: valuesOf(from.default), named: valuesOf(from.named) }
}

const list = (names: readonly string[]): string => names.map((name) => `<${name}>`).join(' and ')
