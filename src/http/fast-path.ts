// What is done before Koa: GET requests without credentials, cookies and conditions are answered
// from the response cache, and plain ones for JSON by their endpoints' `answerPlainly`. Koa and the
// middleware cost more than the JSON of a record. All others go to Koa.

import type { IncomingMessage, ServerResponse } from 'node:http'

import { json } from '../formats/common-formats.js'
import type { Format } from '../formats/serializer.js'
import { type RequestAddress, isSimplePath, isSimpleQuery } from './address.js'
import type { Answer } from './context.js'
import { type Endpoint, formatsOf } from './endpoint.js'
import {
  type OnRequestDone,
  type RequestInfo,
  maxLoggedLength,
  onResponseClose,
  parameterNames,
  requestId,
} from './middleware/access-log.js'
import { codingOf } from './middleware/compression.js'
import { exposedHeaders } from './middleware/cors.js'
import { headersOfAll } from './middleware/error-responses.js'
import { isOrigin } from './middleware/host-check.js'
import {
  type CachedResponse,
  type ResponseCache,
  isCacheable,
} from './middleware/response-cache.js'
import { originOfMessage } from './origin.js'
import { compress, tagOfCoding } from './response/content-coding.js'
import { linkHeadersOf } from './response/link-headers.js'

type FastPathOptions = {
  readonly cache: ResponseCache
  /** Those that answer plainly; none where the headers of an answer depend on more. */
  readonly endpoints: readonly Endpoint[]
  readonly onRequestDone: OnRequestDone
  /** Whether forwarding headers are trusted. */
  readonly isProxied: boolean
}

/** An endpoint that answers plainly. */
type PlainEndpoint = {
  readonly route: string
  readonly offered: readonly Format[]
  readonly answerPlainly: NonNullable<Endpoint['answerPlainly']>
}

/** What is known of a request whose answer is being made. */
type PlainRead = {
  readonly request: IncomingMessage
  readonly endpoint: PlainEndpoint
  readonly address: RequestAddress
}

export class FastPath {
  readonly #options: FastPathOptions
  readonly #paths: ReadonlySet<string>
  readonly #plainEndpoints: ReadonlyMap<string, PlainEndpoint>

  constructor(options: FastPathOptions) {
    const { endpoints } = options
    this.#options = options
    this.#paths = new Set(endpoints.map(({ path }) => path))
    this.#plainEndpoints = new Map(
      endpoints.flatMap((endpoint) => {
        const { path: route, answerPlainly } = endpoint
        const offered = formatsOf(endpoint)
        return answerPlainly ? [[route, { route, offered, answerPlainly }]] : []
      }),
    )
  }

  /**
   * Answers a request before Koa does any work for it.
   * @param answerByKoa called where Koa has to answer after all, if it was not said at once
   * @returns undefined where nothing is done, and Koa has to answer
   */
  tryAnswer(
    request: IncomingMessage,
    response: ServerResponse,
    answerByKoa: () => Promise<void>,
  ): Promise<void> | undefined {
    const { cache } = this.#options
    if (request.headers.authorization !== undefined || !isCacheable(request)) return undefined
    const cached = cache.responses.get(cache.keyOf(request))
    if (cached) {
      this.#send(request, response, cached)
      return done
    }
    const read = this.#plainRead(request)
    const answer = read?.endpoint.answerPlainly(read.address)
    if (!read || !answer) return undefined
    if (answer instanceof Promise) return this.#sendLater(read, response, answer, answerByKoa)
    return this.#finish(read, answer, (sent) => this.#send(request, response, sent))
  }

  /** A request that is for JSON and for an endpoint that answers plainly. */
  #plainRead(request: IncomingMessage): PlainRead | undefined {
    const { url = '', headers } = request
    const { accept = '*/*', origin: sender } = headers
    if (sender !== undefined || !simpleAccepts.has(accept)) return undefined
    const origin = originOfMessage(request, this.#options.isProxied)
    const address = { origin, ...splitAddress(url) }
    const endpoint = this.#endpointAt(address)
    return endpoint && isOrigin(origin) ? { request, endpoint, address } : undefined
  }

  #endpointAt({ path, querystring }: RequestAddress): PlainEndpoint | undefined {
    if (!isSimplePath(path) || !isSimpleQuery(querystring)) return undefined
    // Some endpoints have a path that looks like that of a record.
    const route = this.#paths.has(path) ? path : path.replace(lastSegment, '/:id/')
    return this.#plainEndpoints.get(route)
  }

  #send(request: IncomingMessage, response: ServerResponse, sent: CachedResponse): void {
    const { onRequestDone } = this.#options
    const id = requestId(request)
    onResponseClose(request, response, { id, onRequestDone, getInfo: () => sent.info })
    write(response, id, sent)
  }

  /** Sends an answer when it is there. The access log has the time from now on. */
  async #sendLater(
    read: PlainRead,
    response: ServerResponse,
    answer: Promise<Answer>,
    answerByKoa: () => Promise<void>,
  ): Promise<void> {
    const { request, endpoint } = read
    const { onRequestDone } = this.#options
    const id = requestId(request)
    const getInfo = (): RequestInfo => infoOf(request, endpoint)
    const forget = onResponseClose(request, response, { id, onRequestDone, getInfo })
    const ready = await answer.catch(forget)
    if (ready) await this.#finish(read, ready, (sent) => write(response, id, sent))
    else await answerByKoa()
  }

  /** Sends what the endpoint and the middleware would send, and adds it to the cache. */
  async #finish(
    { request, endpoint, address }: PlainRead,
    { headers, links, etag, body, isCurrent }: Answer,
    send: (sent: CachedResponse) => void,
  ): Promise<void> {
    const { cache } = this.#options
    const coding = codingOf(request, body)
    const packed = coding ? await compress(body, coding) : body
    const answerHeaders = [
      ...Object.entries(headers),
      ...linkHeadersOf(links, { ...address, format: json, offered: endpoint.offered }),
      ['ETag', coding ? tagOfCoding(etag, coding) : etag],
      ...(coding ? [['Content-Encoding', coding]] : []),
      ['Content-Length', String(Buffer.byteLength(packed))],
    ]
    const sent = {
      info: infoOf(request, endpoint),
      headers: [...commonHeaders, ...answerHeaders.flat()],
      vary: variesBy,
      body: packed,
    }
    send(sent)
    cache.responses.set(cache.keyOf(request), sent, isCurrent)
  }
}

const done = Promise.resolve()

/** The values of Accept with which everybody gets JSON where it is the default. */
const simpleAccepts = new Set(['*/*', '', 'application/json'])

const lastSegment = /\/[^/]+\/$/

const variesBy = 'Accept, Accept-Encoding'

/**
 * The headers that middleware sets for a request from no other origin, where all origins may read
 * responses.
 */
const commonHeaders = Object.entries({
  ...headersOfAll,
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
  Vary: variesBy,
}).flat()

function write(response: ServerResponse, id: string, { headers, body }: CachedResponse): void {
  response.writeHead(200, [...headers, 'X-Request-Id', id])
  response.end(body)
}

/** What the access log has of a request. */
function infoOf({ url = '' }: IncomingMessage, { route }: PlainEndpoint): RequestInfo {
  const { path, querystring } = splitAddress(url)
  return {
    method: 'GET',
    path: path.slice(0, maxLoggedLength),
    query: parameterNames(querystring),
    route,
    account: undefined,
  }
}

function splitAddress(url: string): Pick<RequestAddress, 'path' | 'querystring'> {
  const end = url.indexOf('?')
  return end < 0
    ? { path: url, querystring: '' }
    : { path: url.slice(0, end), querystring: url.slice(end + 1) }
}
