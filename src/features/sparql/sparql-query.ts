// Reads a SPARQL query from a request (SPARQL 1.1 Protocol, 2.1) and runs it in the worker pool.
// What a query may contain is checked by sparql/.

import { InvalidError } from '../../errors.js'
import { html } from '../../formats/common-formats.js'
import type { Format } from '../../formats/serializer.js'
import { networkOf } from '../../lib/network.js'
import { noUpdates } from './errors.js'
import { graphFormats, tableFormats } from './result-formats.js'
import type { QueryRunner } from './worker-pool.js'
import type { QueryDataset, QueryRequest, QueryResult } from './worker-protocol.js'
import type { RequestContext } from '../../http/context.js'
import { parseParameters } from '../../http/request/url.js'

/** A query with the parameters that were sent with it. */
export type SparqlRequest = { readonly query: string; readonly parameters: URLSearchParams }

/** Whether URL-encoded parameters contain a query or an update. @throws HttpError 400 */
export function hasQuery(encoded: string): boolean {
  const parameters = parseParameters(encoded)
  return parameters.has('query') || parameters.has('update')
}

/**
 * The query among URL-encoded parameters.
 * @throws HttpError 400, ForbiddenError, InvalidError unless there is exactly one query
 */
export function parseEncodedQuery(encoded: string): SparqlRequest {
  const parameters = parseParameters(encoded)
  if (parameters.has('update')) throw noUpdates()
  const [query, ...more] = parameters.getAll('query')
  if (query === undefined) throw new InvalidError('The parameter query is missing.')
  if (more.length > 0) throw new InvalidError('The parameter query may be given once.')
  return { query, parameters }
}

/**
 * Runs a query, and cancels it when the client disconnects.
 * @param formats the formats for tables and graphs; undefined for what the client does not accept
 * @throws the errors of features/sparql/errors.ts
 */
export async function runQuery(
  ctx: RequestContext,
  pool: QueryRunner,
  { query, parameters }: SparqlRequest,
  formats: Pick<QueryRequest, 'table' | 'graph'>,
): Promise<QueryResult> {
  if (query.trim() === '') throw new InvalidError('The query is empty.')
  const { account } = ctx.state
  const disconnected = new AbortController()
  ctx.res.once('close', () => disconnected.abort())
  // There is no event for a client that left while the body was read.
  if (ctx.res.destroyed) disconnected.abort()
  const result = await pool.ask(
    {
      query,
      dataset: datasetOf(parameters),
      isExplained: isExplained(parameters),
      ...formats,
    },
    {
      client: account ? `account ${account.name}` : networkOf(ctx.ip),
      signal: disconnected.signal,
    },
  )
  const isTable = tableFormats.some(({ type }) => type === result.type)
  ctx.state.offered = isTable ? tableResponses : graphResponses
  return result
}

/** Whether the parameters ask for the plan of the query instead of its result. */
export const isExplained = (parameters: URLSearchParams): boolean => parameters.has('explain')

/** The formats in which a table can be read, and those for a graph. */
const tableResponses: readonly Format[] = [...tableFormats, html]
export const graphResponses: readonly Format[] = [...graphFormats, html]

function datasetOf(parameters: URLSearchParams): QueryDataset | undefined {
  // A form sends an empty one where nothing was entered.
  const isNamed = (graph: string): boolean => graph !== ''
  const defaultGraphs = parameters.getAll('default-graph-uri').filter(isNamed)
  const namedGraphs = parameters.getAll('named-graph-uri').filter(isNamed)
  const isGiven = defaultGraphs.length + namedGraphs.length > 0
  return isGiven ? { default: defaultGraphs, named: namedGraphs } : undefined
}
