// The SPARQL endpoint (SPARQL 1.1 Protocol, 2.1) and the published examples (docs/sparql.md, "The
// endpoint"). Queries are read and run by request/sparql-query.ts.

import { type RdfContext, serializeRdf } from '../../formats/rdf/documents.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { UpdateNotAllowedError } from '../../sparql/errors.js'
import { graphFormats, tableFormats } from '../../sparql/result-formats.js'
import { descriptionOf, descriptionPrefixes } from '../../sparql/service-description.js'
import type { WorkerPool, PoolSettings } from '../../sparql/worker-pool.js'
import type { Handler, RequestContext } from '../context.js'
import type { Endpoint } from '../endpoint.js'
import { readText } from '../request/body.js'
import { isFormatName, negotiate, tryNegotiate } from '../request/content-negotiation.js'
import {
  type SparqlRequest,
  hasQuery,
  parseEncodedQuery,
  parseParameters,
  parseUrlQuery,
  runQuery,
} from '../request/sparql-query.js'
import { queryParam } from '../request/url.js'

const formType = 'application/x-www-form-urlencoded'
const queryType = 'application/sparql-query'

/** The SPARQL endpoint, if there are workers for it, and the endpoint of the examples. */
export const sparqlEndpoints = (
  pool: WorkerPool,
  settings: PoolSettings,
  examples: readonly Quad[],
  page: Handler,
): Endpoint[] => {
  const { base } = settings
  const rdfContext = { base, prefixes: { ...prefixesUnder(base), ...descriptionPrefixes } }
  return [
    ...(settings.workers > 0 ? [sparqlEndpoint(pool, settings, rdfContext, page)] : []),
    {
      path: '/.well-known/sparql-examples',
      name: 'SPARQL Examples',
      description: 'Example queries with descriptions.',
      formats: graphFormats,
      methods: { GET: (ctx) => sendGraph(ctx, examples, rdfContext) },
    },
  ]
}

function sparqlEndpoint(
  pool: WorkerPool,
  settings: PoolSettings,
  rdfContext: RdfContext,
  htmlHandler: Handler,
): Endpoint {
  const description = descriptionOf(settings)
  return {
    path: '/sparql',
    name: 'SPARQL',
    description: 'Answers SPARQL 1.1 queries about all public data of the catalogue.',
    formats: [...tableFormats, ...graphFormats],
    formatName: toFormatName,
    consumes: [formType, queryType],
    anonymousWrite: true,
    htmlHandler,
    methods: {
      async GET(ctx) {
        if (hasQuery(ctx)) await sendResult(ctx, pool, parseUrlQuery(ctx))
        else sendGraph(ctx, description, rdfContext)
      },
      async POST(ctx) {
        if (ctx.is('application/sparql-update')) throw new UpdateNotAllowedError()
        if (ctx.is(queryType)) {
          const query = await readText(ctx, queryType)
          const parameters = parseParameters(ctx.querystring)
          await sendResult(ctx, pool, { query, parameters })
        } else await sendResult(ctx, pool, parseEncodedQuery(await readText(ctx, formType)))
      },
    },
  }
}

/** The names that SPARQLWrapper (Python) sends, besides ours. */
const formatAliases: ReadonlyMap<string, string> = new Map([
  ['n3', 'turtle'],
  ['rdf', 'rdfxml'],
  ['rdf+xml', 'rdfxml'],
  ['rdf xml', 'rdfxml'],
  ['json-ld', 'jsonld'],
])

// Clients of other endpoints send names of their own, with an Accept header that says the same.
function toFormatName(value: string): string {
  const name = formatAliases.get(value) ?? value
  const isOffered = [...tableFormats, ...graphFormats].some((format) => format.name === name)
  return isOffered || isFormatName(name) ? name : ''
}

async function sendResult(
  ctx: RequestContext,
  pool: WorkerPool,
  request: SparqlRequest,
): Promise<void> {
  const formatName = toFormatName(
    request.parameters.get('format') ?? new URLSearchParams(ctx.querystring).get('format') ?? '',
  )
  const { type, bytes } = await runQuery(ctx, pool, request, {
    table: tryNegotiate(ctx, tableFormats, formatName),
    graph: tryNegotiate(ctx, graphFormats, formatName),
  })
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = type
  ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function sendGraph(ctx: RequestContext, quads: readonly Quad[], rdfContext: RdfContext): void {
  const format = negotiate(ctx, graphFormats, toFormatName(queryParam(ctx, 'format')))
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = format.type
  ctx.body = serializeRdf(format, quads, rdfContext)
}
