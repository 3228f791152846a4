// A client for a SPARQL 1.1 endpoint over HTTP. Its errors tell whether a request was executed,
// rejected or has an unknown result. It uses what every engine supports and works around limits of
// Virtuoso.

import { StoreUnavailableError } from '../errors.js'
import type { SelectRow } from '../store.js'
import { type Authorization, type Credentials, authorizationFor } from './http-auth.js'
import { RemoteError } from './remote-error.js'
import { parseRows } from './sparql-json-results.js'

export type SparqlClientConfig = {
  readonly query: string
  readonly update: string
  readonly credentials: Credentials | undefined
  /** The time limit for a response, in seconds. */
  readonly timeout: number
}

export type SparqlClient = {
  /**
   * The result of a query as the engine writes it.
   * @param accept the media type
   * @throws RemoteError
   */
  fetchResult(query: string, accept: string, maxBytes: number): Promise<string>
  /**
   * All rows, in batches if needed.
   * @throws RemoteError
   */
  select(query: string): Promise<readonly SelectRow[]>
  /**
   * One update operation.
   * @param extraSeconds are added to the time limit
   * @throws RemoteError
   */
  update(operation: string, extraSeconds?: number): Promise<void>
}

export function createSparqlClient({
  query,
  update,
  credentials,
  timeout,
}: SparqlClientConfig): SparqlClient {
  /** The authorization that each address asked for last. */
  const authorizations = new Map<string, Authorization>()

  async function post(
    address: string,
    { type, body, accept, seconds, maxBytes = Infinity }: SparqlPost,
  ): Promise<SparqlHttpResponse> {
    const { pathname, search } = new URL(address)
    const send = async (): Promise<SparqlHttpResponse> => {
      const authorization = authorizations.get(address)?.('POST', pathname + search)
      const headers = {
        'content-type': type,
        accept,
        ...(authorization === undefined ? {} : { authorization }),
      }
      return sendPost(address, { seconds, maxBytes, body, headers })
    }
    let response = await send()
    // A challenge is answered once per request; the nonce of an earlier challenge may have expired.
    const challenge = response.headers.get('www-authenticate')
    if (response.status === 401 && credentials && challenge !== null) {
      const authorization = authorizationFor(challenge, credentials)
      if (authorization) {
        authorizations.set(address, authorization)
        response = await send()
      }
    }
    if (response.status < 200 || response.status > 299) throw errorFor(address, response)
    return response
  }

  async function fetchResult(text: string, accept: string, maxBytes?: number): Promise<string> {
    const { headers, body } = await post(query, {
      type: 'application/x-www-form-urlencoded; charset=UTF-8',
      // Virtuoso takes a NUL character in a string for the end of the query.
      body: new URLSearchParams({ query: text.replaceAll('\0', '\\u0000') }).toString(),
      accept,
      seconds: timeout,
      maxBytes,
    })
    for (const name of partialResultHeaders)
      if (headers.has(name))
        throw new RemoteError(
          'partial',
          `the result is incomplete: ${name}: ${headers.get(name) ?? ''}`,
        )
    return body
  }

  async function fetchRows(text: string): Promise<SelectRow[]> {
    const body = await fetchResult(text, 'application/sparql-results+json')
    try {
      return parseRows(body)
    } catch (cause) {
      if (!(cause instanceof RemoteError)) throw cause
      throw new RemoteError('no response', `${query}: ${cause.message}`, { cause })
    }
  }

  /** The rows in batches, by a query around it: that one Virtuoso sorts to any depth. */
  async function selectInBatches(text: string): Promise<SelectRow[]> {
    const rows: SelectRow[] = []
    for (;;) {
      const batch = await fetchRows(wrapQuery(text, `LIMIT ${batchSize} OFFSET ${rows.length}`))
      rows.push(...batch)
      if (batch.length < batchSize) return rows
    }
  }

  async function select(text: string): Promise<SelectRow[]> {
    try {
      return await fetchRows(text)
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      if (error.failure === 'partial') return selectInBatches(text)
      const [, inner = '', slice = ''] = /^([^]*)\n(LIMIT \d+ OFFSET \d+)$/.exec(text) ?? []
      // SR353: Virtuoso sorts at most 10,000 rows for a LIMIT of the query itself.
      if (error.failure === 'rejected' && error.message.includes('SR353') && slice !== '')
        return fetchRows(wrapQuery(inner, slice))
      throw error
    }
  }

  return {
    fetchResult,
    async select(text) {
      try {
        return await select(text)
      } catch (error) {
        // The server may close a kept-alive connection just when it is used again.
        const isUnanswered = error instanceof RemoteError && error.failure === 'no response'
        if (isUnanswered && error.cause instanceof TypeError) return select(text)
        throw error
      }
    },
    async update(operation, extraSeconds = 0) {
      await post(update, {
        type: 'application/sparql-update; charset=UTF-8',
        body: operation,
        accept: '*/*',
        seconds: timeout + extraSeconds,
      })
    },
  }
}

/**
 * Headers of Virtuoso: there are more rows than its limit, or the query exceeded its time limit.
 */
const partialResultHeaders = ['x-sparql-maxrows', 'x-sql-state']

/** The number of rows that every engine returns at a time. */
const batchSize = 5000

const wrapQuery = (query: string, slice: string): string =>
  `SELECT * WHERE { {\n${query}\n} }\n${slice}`

type SparqlPost = Readonly<Record<'type' | 'body' | 'accept', string>> & {
  readonly seconds: number
  readonly maxBytes?: number | undefined
}

type SparqlHttpResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

type PostOptions = {
  readonly seconds: number
  readonly maxBytes: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

async function sendPost(
  address: string,
  { seconds, maxBytes, body, headers }: PostOptions,
): Promise<SparqlHttpResponse> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(seconds * 1000),
    })
    const { status, headers: responseHeaders } = response
    return { status, headers: responseHeaders, body: await readBody(response, maxBytes) }
  } catch (cause) {
    if (cause instanceof RemoteError) throw cause
    const why = `${address}: ${reasonOf(cause)}`
    const isConnected = !notConnectedCodes.has(codeOf(cause))
    throw new RemoteError(isConnected ? 'no response' : 'unreachable', why, { cause })
  }
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length
    // Leaving the loop cancels the rest of the response.
    if (length > maxBytes) throw new RemoteError('too large', '')
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

// A proxy answers these for the engine. Whether the engine received the request is unknown.
const gatewayStatuses = new Set([502, 503, 504])

function errorFor(address: string, { status, body }: SparqlHttpResponse): RemoteError {
  const why = `${address} answers ${status}: ${body.trim().slice(0, 500)}`
  return gatewayStatuses.has(status)
    ? new RemoteError('no response', why)
    : new RemoteError('rejected', why, { responseText: body })
}

/** The codes of errors that happen before anything is sent. */
const notConnectedCodes: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // A host name with several addresses fails once for each.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  return (error as NodeJS.ErrnoException).code ?? codeOf(first ?? error.cause)
}

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause ? ` (${reasonOf(error.cause)})` : ''}`
    : String(error)

/** Reports a failed request in the way that the catalogue knows. @throws StoreUnavailableError */
export async function asStoreUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    throw new StoreUnavailableError(error.message, { cause: error })
  }
}
