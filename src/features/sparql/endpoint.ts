// The SPARQL endpoint (SPARQL 1.1 Protocol, 2.1) and the published examples
// (docs/reference/sparql.md, "The endpoint"). Queries are read and run by sparql-query.ts.

import { InvalidError } from '../../errors.js'
import { html } from '../../formats/common-formats.js'
import { type RdfContext, serializeRdf } from '../../formats/rdf/documents.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { DocumentThread } from '../../rdf/documents/document-thread.js'
import type { Quad } from '../../rdf/terms.js'
import { noUpdates } from './errors.js'
import { graphFormats, jsonLdResult, ntriplesResult, tableFormats } from './result-formats.js'
import { descriptionOf, descriptionPrefixes } from './service-description.js'
import type { QueryRunner, PoolSettings } from './worker-pool.js'
import type { SparqlPages } from './sparql.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { readText } from '../../http/request/body.js'
import {
  isFormatName,
  isIndifferent,
  negotiate,
  tryNegotiate,
} from '../../http/request/content-negotiation.js'
import {
  type SparqlRequest,
  graphResponses,
  hasQuery,
  parseEncodedQuery,
  isExplained,
  runQuery,
} from './sparql-query.js'
import { formatOfForm } from '../../http/request/json-ld-form.js'
import { parseParameters, queryParam } from '../../http/request/url.js'
import { contentType, sendJson } from '../../http/response/conditional.js'

const formType = 'application/x-www-form-urlencoded'
const queryType = 'application/sparql-query'

/** Frames JSON-LD. */
export type Frames = Pick<DocumentThread, 'frame'>

/** The most characters of a frame, and the most bytes of a result that is framed. */
const maxFrameLength = 64 * 1024
const maxFramedBytes = 1024 * 1024

/** The SPARQL endpoint, if there are workers for it, and the endpoint of the examples. */
export const sparqlEndpoints = (
  pool: QueryRunner,
  settings: PoolSettings,
  examples: readonly Quad[],
  { pages, frames }: { readonly pages: SparqlPages; readonly frames: Frames },
): Endpoint[] => {
  const { base } = settings
  const rdfContext = { base, prefixes: { ...prefixesUnder(base), ...descriptionPrefixes } }
  return [
    ...(settings.workers > 0
      ? [sparqlEndpoint(pool, frames, { settings, rdfContext, pages })]
      : []),
    {
      path: '/.well-known/sparql-examples',
      name: 'SPARQL Examples',
      description: 'Example queries with descriptions.',
      formats: graphFormats,
      methods: { GET: (ctx) => sendGraph(ctx, examples, rdfContext) },
    },
  ]
}

type EndpointParts = {
  readonly settings: PoolSettings
  readonly rdfContext: RdfContext
  readonly pages: SparqlPages
}

function sparqlEndpoint(
  pool: QueryRunner,
  frames: Frames,
  { settings, rdfContext, pages }: EndpointParts,
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
    htmlHandler: pages.linked,
    methods: {
      async GET(ctx) {
        if (hasQuery(ctx.querystring))
          await sendResult(ctx, pool, frames, parseEncodedQuery(ctx.querystring))
        else {
          ctx.state.offered = graphResponses
          sendGraph(ctx, description, rdfContext)
        }
      },
      async POST(ctx) {
        if (ctx.is('application/sparql-update')) throw noUpdates()
        if (ctx.is(queryType)) {
          const query = await readText(ctx, queryType)
          const parameters = parseParameters(ctx.querystring)
          await sendResult(ctx, pool, frames, { query, parameters })
          return
        }
        const form = await readText(ctx, formType)
        // The form of the page asks for a page.
        if (new URLSearchParams(form).get('format') === html.name) await pages.sent(ctx, form)
        else await sendResult(ctx, pool, frames, parseEncodedQuery(form))
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
export function toFormatName(value: string): string {
  const name = formatAliases.get(value) ?? value
  const isOffered = [...tableFormats, ...graphFormats].some((format) => format.name === name)
  return isOffered || isFormatName(name) ? name : ''
}

/** Answers a query in the format that the client asks for. */
export async function sendResult(
  ctx: RequestContext,
  pool: QueryRunner,
  frames: Frames,
  request: SparqlRequest,
): Promise<void> {
  const formatName = toFormatName(
    request.parameters.get('format') ?? new URLSearchParams(ctx.querystring).get('format') ?? '',
  )
  if (isExplained(request.parameters)) {
    const { type, bytes, plan } = await runQuery(ctx, pool, request, anyFormats)
    ctx.set('Cache-Control', 'no-cache')
    sendJson(ctx, { ...plan, result: { type, bytes: bytes.length } })
    return
  }
  const frame = request.parameters.get('frame')
  if (frame !== null) {
    await sendFramed(ctx, pool, frames, { request, frame, formatName })
    return
  }
  const table = tryNegotiate(ctx, tableFormats, formatName)
  const graph = tryNegotiate(ctx, graphFormats, formatName)
  const { type, bytes } = await runQuery(ctx, pool, request, { table, graph })
  ctx.state.format = [table, graph].find((format) => format?.type === type) ?? ctx.state.format
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = type
  ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Those of a query whose result nobody gets. */
const anyFormats = { table: tableFormats[0], graph: ntriplesResult }

type FramedRequest = {
  readonly request: SparqlRequest
  /** As JSON. */
  readonly frame: string
  readonly formatName: string
}

/**
 * Sends a graph as JSON-LD in the form that a frame gives it.
 * @throws InvalidError, InvalidError, TooLargeError, UnavailableError, and what `runQuery`
 * throws
 */
async function sendFramed(
  ctx: RequestContext,
  pool: QueryRunner,
  frames: Frames,
  { request, frame, formatName }: FramedRequest,
): Promise<void> {
  const isAny = formatName === '' && isIndifferent(ctx)
  if (!isAny && !tryNegotiate(ctx, [jsonLdResult], formatName))
    throw new InvalidError('A frame is for JSON-LD: ask for application/ld+json.')
  if (frame.length > maxFrameLength) throw new InvalidError('The frame is longer than 64 KiB.')
  // JSON-LD of the store has types as properties, which no frame finds.
  const result = await runQuery(ctx, pool, request, { table: undefined, graph: ntriplesResult })
  if (result.bytes.length > maxFramedBytes)
    throw new InvalidError('The result is larger than 1 MiB, which is too large to be framed.')
  const framed = await frames.frame(new TextDecoder().decode(result.bytes), frame)
  ctx.set('Cache-Control', 'no-cache')
  ctx.state.format = formatOfForm('framed')
  // No other format is framed.
  ctx.state.offered = [ctx.state.format]
  ctx.type = contentType(ctx.state.format)
  ctx.body = framed
}

function sendGraph(ctx: RequestContext, quads: readonly Quad[], rdfContext: RdfContext): void {
  const format = negotiate(ctx, graphFormats, toFormatName(queryParam(ctx, 'format')))
  ctx.state.format = format
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = format.type
  ctx.body = serializeRdf(format, quads, rdfContext)
}
