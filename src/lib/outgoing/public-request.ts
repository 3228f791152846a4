// Requests to addresses that people typed: only http and https, only to public addresses, with
// limits of size and time. The address is checked when the connection is made, so that a name
// cannot lead elsewhere later; and again at each redirection.

import { lookup } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type LookupFunction, isIP } from 'node:net'

import { message } from '../../message.js'
import { OutgoingRequestError, UnreachableError } from './errors.js'
import { isPublicAddress } from './public-address.js'

export type PublicRequestOptions = {
  /**
   * Names of hosts that may be asked wherever they are, such as `localhost` or `koha.example:8080`.
   */
  readonly allowedHosts: readonly string[]
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a POST; without it the request is a GET. */
  readonly body?: string
  /**
   * Whether the answer leads to where the request goes next; otherwise such an answer is returned.
   */
  readonly followsRedirects?: boolean
  /** Whether an answer with more than `maxBytes` is cut off there; otherwise it is an error. */
  readonly cutsBody?: boolean
}

export type PublicResponse = {
  readonly status: number
  /** In seconds; undefined if the header is missing. */
  readonly retryAfter: number | undefined
  readonly contentType: string
  readonly body: Buffer
}

const maxRedirects = 5

/**
 * @throws UnreachableError if there is no answer
 * @throws OutgoingRequestError if the address is not allowed, or the answer too large
 */
export async function requestPublic(
  url: string,
  options: PublicRequestOptions,
): Promise<PublicResponse> {
  let target = parseUrl(url)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const timeout = AbortSignal.timeout(options.timeoutMs)
    const response = await request(target, options, timeout)
    const { location } = response.headers
    const status = response.statusCode ?? 0
    const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined
    if (!isRedirect || options.followsRedirects === false)
      return {
        status,
        retryAfter: readRetryAfter(response.headers['retry-after']),
        contentType: response.headers['content-type'] ?? '',
        body: await readBody(response, target, options, timeout),
      }
    response.destroy()
    target = parseUrl(location, target)
  }
  throw new OutgoingRequestError(message('{host} redirects too often.', { host: url }))
}

function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) throw new OutgoingRequestError(`"${text}" is no web address.`)
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutgoingRequestError(`${url.href} is no address of http or https.`)
  if (url.username !== '' || url.password !== '')
    throw new OutgoingRequestError('The address must not contain a password.')
  return url
}

/**
 * Checks an address without asking anybody. Where a name leads is checked when it is connected to.
 * @throws OutgoingRequestError if no request could be made to it
 */
export function checkPublicUrl(url: string, allowedHosts: readonly string[]): URL {
  const parsed = parseUrl(url)
  checkHost(parsed, allowedHosts)
  return parsed
}

/**
 * @returns whether the host may be anywhere
 * @throws OutgoingRequestError for the number of a private address
 */
function checkHost(url: URL, allowedHosts: readonly string[]): boolean {
  const isAllowed = allowedHosts.some((host) =>
    [url.host, url.hostname].includes(host.trim().toLowerCase()),
  )
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A number needs no lookup.
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) throw privateAddress(url.host)
  return isAllowed
}

function request(
  url: URL,
  options: PublicRequestOptions,
  timeout: AbortSignal,
): Promise<IncomingMessage> {
  const isAllowed = checkHost(url, options.allowedHosts)
  const { signal, body, headers = {} } = options
  const requestOptions: RequestOptions = {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'user-agent': 'zine-catalogue',
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
    // A connection that is kept would not be checked again.
    agent: false,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(isAllowed ? {} : { lookup: lookupPublic(url.host) }),
  }
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp
    const sent = open(url, requestOptions, resolve)
    sent.on('error', (error) => reject(asRequestError(error, url, { signal, timeout })))
    sent.end(body)
  })
}

const privateAddress = (host: string): OutgoingRequestError =>
  new OutgoingRequestError(
    message('{host} is not a public address. Only the person who runs the service can allow it.', {
      host,
    }),
  )

/** Finds the addresses of a name, and fails if one of them is not public. */
const lookupPublic =
  (host: string): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      // With an error there are none, whatever the type says.
      const [first] = error ? [] : addresses
      if (error || !first) callback(error ?? new Error('it has no address'), '', 0)
      else if (!addresses.every(({ address }) => isPublicAddress(address)))
        callback(privateAddress(host), '', 0)
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })

type EndOfRequest = Pick<PublicRequestOptions, 'signal'> & { readonly timeout: AbortSignal }

function asRequestError(error: Error, url: URL, { signal, timeout }: EndOfRequest): Error {
  if (error instanceof OutgoingRequestError) return error
  if (signal?.aborted)
    return new OutgoingRequestError(message('The request was stopped.'), { cause: error })
  // What is left of a response says only that it ended.
  const { host } = url
  const text = timeout.aborted
    ? message('{host} cannot be reached: it does not answer in time', { host })
    : message('{host} cannot be reached: {reason}', { host, reason: error.message })
  return new UnreachableError(text, { cause: error })
}

async function readBody(
  response: IncomingMessage,
  url: URL,
  { maxBytes, signal, cutsBody }: PublicRequestOptions,
  timeout: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes && cutsBody) break
      if (size > maxBytes)
        throw new OutgoingRequestError(
          message('{host} answers with too much at once.', { host: url.host }),
        )
      chunks.push(chunk)
    }
  } catch (error) {
    throw asRequestError(error as Error, url, { signal, timeout })
  }
  return Buffer.concat(chunks)
}

/** Seconds, or a date. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header.trim())) return Number(header)
  const time = Date.parse(header)
  return Number.isNaN(time) ? undefined : Math.max(0, (time - Date.now()) / 1000)
}
