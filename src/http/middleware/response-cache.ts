// Caches responses that are the same for everybody, with their headers and compressed as they were
// sent, and sends them again as long as they are current. Requests with cookies or conditions
// always go to the endpoint. What can be answered at once is sent here too, past Koa.

import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Middleware } from 'koa'

import { createAskedKeys, createCache } from '../../lib/cache.js'
import type { AnswerAtOnce, ReadyAnswer, RequestState } from '../context.js'
import { hasOneHost, originOfMessage } from '../origin.js'
import type { Authenticate } from '../request/authentication.js'
import { acceptedLanguage } from '../language.js'
import type { Throttle } from '../request/throttle.js'
import { acceptedCoding, compress, tagOfCoding } from '../response/content-coding.js'
import {
  type OnRequestDone,
  type RequestInfo,
  maxLoggedLength,
  onResponseClose,
  parameterNames,
  requestId,
  requestInfo,
} from './access-log.js'
import { compressResponse, isContent, maxPlainBytes } from './compression.js'
import { exposedHeaders } from './cors.js'
import { headersOfAll } from './error-responses.js'
import { isOrigin } from './host-check.js'

type CachedResponse = {
  readonly info: RequestInfo
  /** Names and values in turn: all headers but those of the first request alone. */
  readonly headers: readonly string[]
  readonly vary: string
  readonly body: string | Buffer
}

export type ResponseCacheOptions = {
  readonly authenticate: Authenticate
  readonly throttle: Throttle
  readonly onRequestDone: OnRequestDone
  /** Whether forwarding headers are trusted. */
  readonly isProxied: boolean
  /** Whether requests without an account are throttled. */
  readonly throttlesAnonymous: boolean
  /** Without it, all that is not cached goes to its endpoint. */
  readonly answerAtOnce?: AnswerAtOnce | undefined
}

/** The size of the cache in bytes: about 5,000 records or 1,000 pages of lists. */
const maxBytes = 32 * 1024 * 1024

/** How much the keys may weigh that are remembered, in bytes. */
const maxAskedWeight = 1024 * 1024

/** What a response weighs besides its body, in bytes: its headers, mostly. */
const overheadBytes = 3000

export function createResponseCache({
  authenticate,
  throttle,
  onRequestDone,
  isProxied,
  throttlesAnonymous,
  answerAtOnce,
}: ResponseCacheOptions) {
  const responses = createCache<CachedResponse>(maxBytes, ({ body }) => body.length + overheadBytes)

  // Crawlers ask for most pages no second time.
  const wasAsked = createAskedKeys(maxAskedWeight)

  /** All that a response depends on, except the account. */
  const cacheKey = (request: IncomingMessage): string => {
    const { accept = '', origin = '', 'accept-encoding': acceptEncoding } = request.headers
    const coding = acceptedCoding(acceptEncoding) ?? ''
    // Pages are kept in each language. Few other clients send languages, so that their answers are
    // rarely kept twice.
    const parts = [acceptedLanguage(request), originOfMessage(request, isProxied), accept, origin]
    // Neither a header nor an address has a line break.
    return [coding, request.url, ...parts].join('\n')
  }

  /**
   * Answers a request without credentials from the cache, before Koa does any work for it.
   * @param answerByEndpoint called where Koa has to answer after all, if it was not said at once
   * @returns undefined where nothing is done, and Koa has to answer
   */
  function tryServe(
    request: IncomingMessage,
    response: ServerResponse,
    answerByEndpoint: () => Promise<void>,
  ): Promise<void> | undefined {
    const isAnonymous = request.headers.authorization === undefined
    if (throttlesAnonymous || !isAnonymous || !isCacheable(request)) return undefined
    const cached = responses.get(cacheKey(request))
    if (cached) {
      send(request, response, cached)
      return done
    }
    const answer = tryToAnswer(request)
    if (answer instanceof Promise) return sendLater(request, response, answer, answerByEndpoint)
    return answer && sendAnswer(request, answer, (sent) => send(request, response, sent))
  }

  function send(request: IncomingMessage, response: ServerResponse, sent: CachedResponse): void {
    const id = requestId(request)
    onResponseClose(request, response, { id, onRequestDone, getInfo: () => sent.info })
    write(response, id, sent)
  }

  function write(response: ServerResponse, id: string, { headers, body }: CachedResponse): void {
    response.writeHead(200, [...headers, 'X-Request-Id', id])
    response.end(body)
  }

  /** Sends an answer when it is there. The access log has the time from now on. */
  async function sendLater(
    request: IncomingMessage,
    response: ServerResponse,
    answer: Promise<ReadyAnswer>,
    answerByEndpoint: () => Promise<void>,
  ): Promise<void> {
    const id = requestId(request)
    let info: RequestInfo | undefined
    const getInfo = (): RequestInfo => info ?? infoOf(request, undefined)
    const forget = onResponseClose(request, response, { id, onRequestDone, getInfo })
    const ready = await answer.catch(forget)
    if (!ready) return answerByEndpoint()
    return sendAnswer(request, ready, (sent) => {
      ;({ info } = sent)
      write(response, id, sent)
    })
  }

  function tryToAnswer(request: IncomingMessage): ReturnType<AnswerAtOnce> {
    const { accept = '*/*', origin: sender } = request.headers
    if (!answerAtOnce || sender !== undefined || !simpleAccepts.has(accept)) return undefined
    const origin = originOfMessage(request, isProxied)
    return isOrigin(origin) ? answerAtOnce(request.url ?? '', origin) : undefined
  }

  /** Sends what the endpoint and the middleware would send. */
  async function sendAnswer(
    request: IncomingMessage,
    { route, headers, etag, body, isCurrent }: ReadyAnswer,
    sendNow: (sent: CachedResponse) => void,
  ): Promise<void> {
    const info = infoOf(request, route)
    function finish(own: readonly string[], content: string | Buffer): void {
      const all = [...commonHeaders, ...headers, ...own]
      const sent = { info, headers: all, vary: variesBy, body: content }
      sendNow(sent)
      const key = cacheKey(request)
      if (wasAsked(key)) responses.set(key, sent, isCurrent)
    }

    const length = Buffer.byteLength(body)
    const coding =
      length > maxPlainBytes ? acceptedCoding(request.headers['accept-encoding']) : undefined
    if (!coding) {
      finish(['ETag', etag, 'Content-Length', String(length)], body)
      return
    }
    const packed = await compress(body, coding)
    const coded = ['ETag', tagOfCoding(etag, coding), 'Content-Encoding', coding]
    finish([...coded, 'Content-Length', String(packed.length)], packed)
  }

  /** Answers all other requests from the cache, and fills it. */
  const middleware: Middleware<RequestState> = async (ctx, next) => {
    if (!isCacheable(ctx.req)) {
      await next()
      return
    }
    const key = cacheKey(ctx.req)
    const cached = responses.get(key)
    if (cached) {
      ctx.state.route = cached.info.route
      // Also for the 401 or 429 that the next two lines may throw.
      ctx.set('Vary', cached.vary)
      ctx.state.account = await authenticate(ctx)
      throttle(ctx)
      // Sent past Koa, which would compute the headers of the body again.
      ctx.respond = false
      ctx.res.writeHead(200, [...cached.headers])
      ctx.res.end(cached.body)
      return
    }
    await next()
    const { isCurrent } = ctx.state
    if (!isCurrent || ctx.status !== 200 || !isContent(ctx.body)) return
    await compressResponse(ctx)
    const response = {
      info: { ...requestInfo(ctx), account: undefined },
      headers: headersOf(ctx.res),
      vary: ctx.response.get('Vary'),
      body: ctx.body,
    }
    responses.set(key, response, isCurrent)
  }

  return { tryServe, middleware }
}

const done = Promise.resolve()

/** The values of Accept with which everybody gets JSON where it is the default. */
const simpleAccepts = new Set(['*/*', '', 'application/json'])

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

/**
 * Cookies and conditions make a response one client's own. Requests with two hosts are rejected
 * later.
 */
const isCacheable = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.cookie === undefined &&
  request.headers['if-none-match'] === undefined &&
  hasOneHost(request)

/** What the access log has of a request that is answered past Koa. */
function infoOf({ url = '' }: IncomingMessage, route: string | undefined): RequestInfo {
  const [path = '', querystring = ''] = url.split('?', 2)
  return {
    method: 'GET',
    path: path.slice(0, maxLoggedLength),
    query: parameterNames(querystring),
    route,
    account: undefined,
  }
}

/**
 * The headers that differ for each request, in lower case: its identifier and its throttle's state.
 */
const isOfOneRequest = (name: string): boolean =>
  name === 'x-request-id' || name.startsWith('x-ratelimit-')

const headersOf = (response: ServerResponse): readonly string[] =>
  Object.entries(response.getHeaders()).flatMap(([name, value = '']) =>
    isOfOneRequest(name) ? [] : [name, [value].flat().join(', ')],
  )
