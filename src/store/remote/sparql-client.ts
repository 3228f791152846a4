// A SPARQL 1.1 endpoint over HTTP: one query or one update at a time, and the truth about what became
// of it. It keeps to what every engine takes, and knows the ways of some of them.

import type { Row } from '../store.js'
import { type Authorization, type Credentials, answerTo } from './http-auth.js'
import { Unreadable, rowsOf } from './sparql-json-results.js'

export type Address = {
  readonly query: string
  readonly update: string
  readonly credentials: Credentials | undefined
  /** How long an answer may take, in seconds. */
  readonly timeout: number
}

/** The request never reached the engine. */
export class Unreached extends Error {}

/** The engine answered that it does not do it. */
export class Refused extends Error {
  constructor(
    message: string,
    /** What the engine itself said, if anything. */
    readonly said = '',
  ) {
    super(message)
  }
}

/** No answer came, or half of one: what the engine did, or may still do, is not known. */
export class Unanswered extends Error {}

/** The answer is longer than it may be. */
export class TooLong extends Error {}

export type Endpoint = {
  /**
   * The answer in a format, as the engine writes it.
   * @param most the bytes that it may have
   * @throws Unreached, Refused, Unanswered, TooLong
   */
  answer(query: string, format: string, most: number): Promise<string>
  /** All rows, however many they are. @throws Unreached, Refused, Unanswered */
  select(query: string): Promise<readonly Row[]>
  /**
   * One update operation.
   * @param patience how much longer than otherwise it may take
   * @throws Unreached, Refused, Unanswered
   */
  update(operation: string, patience?: number): Promise<void>
}

export function openEndpoint({ query, update, credentials, timeout }: Address): Endpoint {
  /** What each address asked for when it was asked last. */
  const authorizations = new Map<string, Authorization>()

  async function post(
    address: string,
    { type, body, accept, seconds, most = Infinity }: Post,
  ): Promise<Answer> {
    const { pathname, search } = new URL(address)
    const send = async (): Promise<Answer> => {
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
      const authorization = answerTo(challenge, credentials)
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
        throw new Partial(`only a part was given: ${name}: ${headers.get(name) ?? ''}`)
    return body
  }

  async function ask(text: string): Promise<Row[]> {
    const body = await answer(text, 'application/sparql-results+json')
    try {
      return rowsOf(body)
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      throw new Unanswered(`${query}: ${cause.message}`, { cause })
    }
  }

  /** Again in pieces that are small enough; in a query around it, which Virtuoso sorts to any depth. */
  async function inPieces(text: string): Promise<Row[]> {
    const rows: Row[] = []
    for (;;) {
      const some = await ask(around(text, `LIMIT ${piece} OFFSET ${rows.length}`))
      rows.push(...some)
      if (some.length < piece) return rows
    }
  }

  async function select(text: string): Promise<Row[]> {
    try {
      return await ask(text)
    } catch (error) {
      if (error instanceof Partial) return inPieces(text)
      const [, inner = '', slice = ''] = /^([^]*)\n(LIMIT \d+ OFFSET \d+)$/.exec(text) ?? []
      // Virtuoso sorts no more than 10,000 rows for a LIMIT of the query itself.
      if (error instanceof Refused && error.message.includes('SR353') && slice !== '')
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
        if (error instanceof Unanswered && error.cause instanceof TypeError) return select(text)
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
export class Partial extends Refused {}

/** Virtuoso's: more rows than it gives at a time, or more time than it takes for one query. */
const partial = ['x-sparql-maxrows', 'x-sql-state']

/** How many rows every engine gives at a time. */
const piece = 5000

const around = (query: string, slice: string): string =>
  `SELECT * WHERE { {\n${query}\n} }\n${slice}`

type Post = Readonly<Record<'type' | 'body' | 'accept', string>> & {
  readonly seconds: number
  readonly most?: number | undefined
}

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string }

type Exchange = {
  readonly seconds: number
  readonly most: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

async function exchange(
  address: string,
  { seconds, most, body, headers }: Exchange,
): Promise<Answer> {
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
    if (cause instanceof TooLong) throw cause
    const why = `${address}: ${reasonOf(cause)}`
    throw unreached.has(codeOf(cause))
      ? new Unreached(why, { cause })
      : new Unanswered(why, { cause })
  }
}

async function textOf(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length
    // To leave the loop is to let go of the rest.
    if (length > most) throw new TooLong()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

// What stands between us and the engine answers for it; whether the engine itself has been asked is
// not known.
const betweenUs = new Set([502, 503, 504])

function refusalOf(address: string, { status, body }: Answer): Refused | Unanswered {
  const why = `${address} answers ${status}: ${body.trim().slice(0, 500)}`
  return betweenUs.has(status) ? new Unanswered(why) : new Refused(why, body)
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
