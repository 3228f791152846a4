// SPARQL over HTTP (SPARQL 1.1 Protocol, 2.1): a query in, by one of three ways, and its answer out.
// What a query may ask is none of its business.

import { graphFormats, tableFormats } from '../../sparql/result-formats.js'
import { QueryError, UpdateNotAllowedError } from '../../sparql/errors.js'
import { descriptionOf, descriptionPrefixes } from '../../sparql/service-description.js'
import type { QueryResult, QueryDataset, QueryRequest } from '../../sparql/worker-protocol.js'
import type { Pool, PoolSettings } from '../../sparql/worker-pool.js'
import { serializeRdf } from '../../formats/rdf/documents.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { readText } from '../request/body.js'
import type { RequestContext, Endpoint, Handler } from '../endpoint.js'
import { tryNegotiate, negotiate } from '../request/content-negotiation.js'
import { httpErrors } from '../response/http-errors.js'

const form = 'application/x-www-form-urlencoded'
const direct = 'application/sparql-query'

/** The endpoint, unless it is switched off, and the examples of what can be asked there. */
export const sparqlEndpoints = (
  pool: Pool,
  settings: PoolSettings,
  examples: readonly Quad[],
  page: Handler,
): Endpoint[] => [
  ...(settings.workers > 0 ? [sparqlEndpoint(pool, settings, page)] : []),
  {
    path: '/.well-known/sparql-examples',
    name: 'SPARQL Examples',
    description: 'Queries to start from, each with what it asks.',
    formats: graphFormats,
    methods: {
      GET(ctx) {
        sendGraph(ctx, examples, settings.base)
      },
    },
  },
]

function sparqlEndpoint(pool: Pool, settings: PoolSettings, htmlHandler: Handler): Endpoint {
  const description = descriptionOf(settings)
  return {
    path: '/sparql',
    name: 'SPARQL',
    description:
      'Answers SPARQL 1.1 queries about everything that the catalogue shows to everybody.',
    formats: [...tableFormats, ...graphFormats],
    consumes: [form, direct],
    anonymousWrite: true,
    htmlHandler,
    methods: {
      async GET(ctx) {
        if (hasQuery(ctx)) await answer(ctx, pool, parseUrlQuery(ctx))
        else sendGraph(ctx, description, settings.base)
      },
      async POST(ctx) {
        if (ctx.is('application/sparql-update')) throw new UpdateNotAllowedError()
        if (ctx.is(direct)) {
          const query = await readText(ctx, direct)
          await answer(ctx, pool, { query, parameters: parametersIn(ctx.querystring) })
        } else {
          const parameters = parametersIn(await readText(ctx, form))
          await answer(ctx, pool, { query: queryIn(parameters), parameters })
        }
      },
    },
  }
}

/** A query with what was said beside it. */
export type SparqlRequest = { readonly query: string; readonly parameters: URLSearchParams }

/** Whether the address asks something. @throws Refused 400 */
export function hasQuery(ctx: RequestContext): boolean {
  const parameters = parametersIn(ctx.querystring)
  return parameters.has('query') || parameters.has('update')
}

/** What the address asks. @throws Refused 400, UpdateRefused, QueryRefused */
export function parseUrlQuery(ctx: RequestContext): SparqlRequest {
  const parameters = parametersIn(ctx.querystring)
  return { query: queryIn(parameters), parameters }
}

/** Has a query answered in one of these formats. @throws what the pool throws */
export function runQuery(
  ctx: RequestContext,
  pool: Pool,
  { query, parameters }: SparqlRequest,
  formats: Pick<QueryRequest, 'table' | 'graph'>,
): Promise<QueryResult> {
  if (query.trim() === '') throw new QueryError('The query is empty.')
  const { account } = ctx.state
  const gone = new AbortController()
  ctx.res.once('close', () => gone.abort())
  // Whoever left while the body was being read is not told of again.
  if (ctx.res.destroyed) gone.abort()
  return pool.ask(
    { query, dataset: datasetIn(parameters), ...formats },
    { client: account ? `account ${account.name}` : ctx.ip, gone: gone.signal },
  )
}

async function answer(ctx: RequestContext, pool: Pool, asked: SparqlRequest): Promise<void> {
  const named =
    asked.parameters.get('format') ?? new URLSearchParams(ctx.querystring).get('format') ?? ''
  const { type, bytes } = await runQuery(ctx, pool, asked, {
    table: tryNegotiate(ctx, tableFormats, named),
    graph: tryNegotiate(ctx, graphFormats, named),
  })
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = type
  ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function sendGraph(ctx: RequestContext, quads: readonly Quad[], base: string): void {
  const format = negotiate(ctx, graphFormats)
  const prefixes = { ...prefixesUnder(base), ...descriptionPrefixes }
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = format.type
  ctx.body = serializeRdf(format, quads, { base, prefixes })
}

/** @throws Refused 400 for what is not UTF-8: U+FFFD in its place would ask for something else */
function parametersIn(encoded: string): URLSearchParams {
  try {
    decodeURIComponent(encoded)
  } catch {
    throw httpErrors.badRequest('The parameters are not percent-encoded UTF-8.')
  }
  return new URLSearchParams(encoded)
}

/** @throws UpdateRefused, QueryRefused unless there is one query */
function queryIn(parameters: URLSearchParams): string {
  if (parameters.has('update')) throw new UpdateNotAllowedError()
  const [query, ...more] = parameters.getAll('query')
  if (query === undefined) throw new QueryError('The parameter query is missing.')
  if (more.length > 0) throw new QueryError('The parameter query may be given once.')
  return query
}

function datasetIn(parameters: URLSearchParams): QueryDataset | undefined {
  const [unnamed, named] = [
    parameters.getAll('default-graph-uri'),
    parameters.getAll('named-graph-uri'),
  ]
  return unnamed.length + named.length > 0 ? { default: unnamed, named } : undefined
}
