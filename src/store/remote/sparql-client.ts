// A SPARQL 1.1 endpoint over HTTP: one query or one update at a time, and the truth about what became
// of it. It keeps to what every engine takes, and knows the ways of some of them.

import type { SelectRow } from '../store.js'
import { type Authorization, type Credentials, authorizationFor } from './http-auth.js'
import { InvalidResultsError, parseRows } from './sparql-json-results.js'

export type SparqlClientConfig = {
  readonly query: string
  readonly update: string
  readonly credentials: Credentials | undefined
  /** How long an answer may take, in seconds. */
  readonly timeout: number
}

/** The request never reached the engine. */
export class ConnectionError extends Error {}

/** The engine answered that it does not do it. */
export class RequestRejectedError extends Error {
  constructor(
    message: string,
    /** What the engine itself said, if anything. */
    readonly said = '',
  ) {
    super(message)
  }
}

/** No answer came, or half of one: what the engine did, or may still do, is not known. */
export class NoResponseError extends Error {}

/** The answer is longer than it may be. */
export class ResponseTooLargeError extends Error {}

export type SparqlClient = {
  /**
   * The answer in a format, as the engine writes it.
   * @param most the bytes that it may have
   * @throws Unreached, Refused, Unanswered, TooLong
   */
  answer(query: string, format: string, most: number): Promise<string>
  /** All rows, however many they are. @throws Unreached, Refused, Unanswered */
  select(query: string): Promise<readonly SelectRow[]>
  /**
   * One update operation.
   * @param patience how much longer than otherwise it may take
   * @throws Unreached, Refused, Unanswered
   */
  update(operation: string, patience?: number): Promise<void>
}

export function createSparqlClient({
  query,
  update,
  credentials,
  timeout,
}: SparqlClientConfig): SparqlClient {
  /** What each address asked for when it was asked last. */
  const authorizations = new Map<string, Authorization>()

  async function post(
    address: string,
    { type, body, accept, seconds, most = Infinity }: SparqlPost,
  ): Promise<SparqlHttpResponse> {
    const { pathname, search } = new URL(address)
    const send = async (): Promise<SparqlHttpResponse> => {
      const authorization = authorizations.get(address)?.('POST', pathname + search)
      const headers = {
        'content-type': type,
        accept,
        ...(authorization === undefined ? {} : { authorization }),
      }
      return exchange(address, { seconds, most, body, headers })
    }
    let answer = await send()
    // A challenge is answered once; the nonce of the last one may have had its time.
    const challenge = answer.headers.get('www-authenticate')
    if (answer.status === 401 && credentials && challenge !== null) {
      const authorization = authorizationFor(challenge, credentials)
      if (authorization) {
        authorizations.set(address, authorization)
        answer = await send()
      }
    }
    if (answer.status < 200 || answer.status > 299) throw refusalOf(address, answer)
    return answer
  }

  async function answer(text: string, accept: string, most?: number): Promise<string> {
    const { headers, body } = await post(query, {
      type: 'application/x-www-form-urlencoded; charset=UTF-8',
      // Where a string holds a NUL as it is, Virtuoso sees the end of the query.
      body: new URLSearchParams({ query: text.replaceAll('\0', '\\u0000') }).toString(),
      accept,
      seconds: timeout,
      most,
    })
    for (const name of partial)
      if (headers.has(name))
        throw new PartialResultError(`only a part was given: ${name}: ${headers.get(name) ?? ''}`)
    return body
  }

  async function ask(text: string): Promise<SelectRow[]> {
    const body = await answer(text, 'application/sparql-results+json')
    try {
      return parseRows(body)
    } catch (cause) {
      if (!(cause instanceof InvalidResultsError)) throw cause
      throw new NoResponseError(`${query}: ${cause.message}`, { cause })
    }
  }

  /** Again in pieces that are small enough; in a query around it, which Virtuoso sorts to any depth. */
  async function inPieces(text: string): Promise<SelectRow[]> {
    const rows: SelectRow[] = []
    for (;;) {
      const some = await ask(around(text, `LIMIT ${piece} OFFSET ${rows.length}`))
      rows.push(...some)
      if (some.length < piece) return rows
    }
  }

  async function select(text: string): Promise<SelectRow[]> {
    try {
      return await ask(text)
    } catch (error) {
      if (error instanceof PartialResultError) return inPieces(text)
      const [, inner = '', slice = ''] = /^([^]*)\n(LIMIT \d+ OFFSET \d+)$/.exec(text) ?? []
      // Virtuoso sorts no more than 10,000 rows for a LIMIT of the query itself.
      if (error instanceof RequestRejectedError && error.message.includes('SR353') && slice !== '')
        return ask(around(inner, slice))
      throw error
    }
  }

  return {
    answer,
    async select(text) {
      try {
        return await select(text)
      } catch (error) {
        // A connection that was kept open may be closed just when it is used again.
        if (error instanceof NoResponseError && error.cause instanceof TypeError)
          return select(text)
        throw error
      }
    },
    async update(operation, patience = 0) {
      await post(update, {
        type: 'application/sparql-update; charset=UTF-8',
        body: operation,
        accept: '*/*',
        seconds: timeout + patience,
      })
    },
  }
}

/** The engine gave some of the rows, and said so in a header. */
export class PartialResultError extends RequestRejectedError {}

/** Virtuoso's: more rows than it gives at a time, or more time than it takes for one query. */
const partial = ['x-sparql-maxrows', 'x-sql-state']

/** How many rows every engine gives at a time. */
const piece = 5000

const around = (query: string, slice: string): string =>
  `SELECT * WHERE { {\n${query}\n} }\n${slice}`

type SparqlPost = Readonly<Record<'type' | 'body' | 'accept', string>> & {
  readonly seconds: number
  readonly most?: number | undefined
}

type SparqlHttpResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

type HttpExchange = {
  readonly seconds: number
  readonly most: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

async function exchange(
  address: string,
  { seconds, most, body, headers }: HttpExchange,
): Promise<SparqlHttpResponse> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(seconds * 1000),
    })
    const { status, headers: answered } = response
    return { status, headers: answered, body: await textOf(response, most) }
  } catch (cause) {
    if (cause instanceof ResponseTooLargeError) throw cause
    const why = `${address}: ${reasonOf(cause)}`
    throw unreached.has(codeOf(cause))
      ? new ConnectionError(why, { cause })
      : new NoResponseError(why, { cause })
  }
}

async function textOf(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length
    // To leave the loop is to let go of the rest.
    if (length > most) throw new ResponseTooLargeError()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

// What stands between us and the engine answers for it; whether the engine itself has been asked is
// not known.
const gatewayStatuses = new Set([502, 503, 504])

function refusalOf(
  address: string,
  { status, body }: SparqlHttpResponse,
): RequestRejectedError | NoResponseError {
  const why = `${address} answers ${status}: ${body.trim().slice(0, 500)}`
  return gatewayStatuses.has(status)
    ? new NoResponseError(why)
    : new RequestRejectedError(why, body)
}

/** The codes of what fails before anything is sent. */
const unreached: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // A name with several addresses fails once for each.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  return (error as NodeJS.ErrnoException).code ?? codeOf(first ?? error.cause)
}

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause ? ` (${reasonOf(error.cause)})` : ''}`
    : String(error)
