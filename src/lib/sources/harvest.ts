// Gets the records of another catalogue by OAI-PMH, and writes them to a file that readRows reads
// with the type `oai-pmh`. With `from`, only what changed since.

import { open, rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

import { InvalidError } from '../../errors.js'
import { OutgoingRequestError, UnreachableError } from '../outgoing/errors.js'
import { type PublicResponse, requestPublic } from '../outgoing/public-request.js'
import { type HarvestHeader, writeHeader, writeRecord } from './harvest-file.js'
import { sourceLimits } from './limits.js'
import { type XmlAnswer, readXmlAnswer } from './xml-answer.js'
import type { OaiAnswer, XmlRecord } from './marc/xml-records.js'

export type HarvestRequest = {
  /** The base address of the other catalogue's OAI-PMH. */
  readonly url: string
  /** `oai_dc`, or what the other catalogue calls MARCXML: `marcxml`, `marc21`, `marc`. */
  readonly metadataPrefix: string
  readonly set?: string | undefined
  /** Only what changed since: a date, or the responseDate of the harvest before. */
  readonly from?: string | undefined
}

export type HarvestOptions = {
  /**
   * The file that is written; one that is there is replaced. It is removed if the harvest fails.
   */
  readonly path: string
  /** Hosts that may be asked though their addresses are not public. */
  readonly allowedHosts: readonly string[]
  readonly signal?: AbortSignal | undefined
  /**
   * Called after each answer, with the number of records so far and of all if the other side says
   * it.
   */
  readonly onProgress?: ((records: number) => void) | undefined
  readonly limits?: Partial<HarvestLimits> | undefined
}

type HarvestLimits = {
  readonly records: number
  /** Of all answers together, and of one. */
  readonly bytes: number
  readonly answerBytes: number
  /** Of the whole harvest, and of one request. */
  readonly ms: number
  readonly requestMs: number
  /** How often a request is tried, and how long it is waited in between at most. */
  readonly tries: number
  readonly waitMs: number
  /** Before a request is tried for the second time; doubled with each try. */
  readonly firstWaitMs: number
}

const defaultLimits: HarvestLimits = {
  records: sourceLimits.rows,
  bytes: 500 * 1024 * 1024,
  answerBytes: 50 * 1024 * 1024,
  ms: 60 * 60_000,
  requestMs: 120_000,
  tries: 5,
  waitMs: 5 * 60_000,
  firstWaitMs: 1000,
}

export type HarvestSummary = HarvestHeader & {
  readonly records: number
  readonly deleted: number
}

/** @throws InvalidError if the other side cannot be reached, says no, or has too much */
export async function harvest(
  request: HarvestRequest,
  options: HarvestOptions,
): Promise<HarvestSummary> {
  const limits = { ...defaultLimits, ...options.limits }
  const client = createOaiClient(request.url, options, limits)
  const identity = await client.request({ verb: 'Identify' })
  refuseError(identity.answer)
  const { responseDate = '', identity: facts } = identity.answer
  if (!facts.has('protocolVersion') && !facts.has('repositoryName'))
    throw new InvalidError(`${request.url} is no address of OAI-PMH.`)
  const header: HarvestHeader = {
    ...request,
    // What changes while records are sent is sent again the next time.
    responseDate,
    repositoryName: facts.get('repositoryName'),
  }
  const from = formatFrom(request.from, facts.get('granularity'))
  const file = await open(options.path, 'w')
  const counts = { records: 0, deleted: 0 }
  try {
    await file.write(writeHeader(header))
    for await (const records of listRecords(client, { ...request, from })) {
      counts.records += records.length
      counts.deleted += records.filter(isDeleted).length
      if (counts.records > limits.records)
        throw new InvalidError(
          `The other catalogue has more than ${limits.records.toLocaleString('en')} records. Choose one of its sets.`,
        )
      await file.write(records.map(writeRecord).join(''))
      options.onProgress?.(counts.records)
    }
  } catch (error) {
    // Part of a harvest would be taken for the whole.
    await rm(options.path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return { ...header, ...counts }
}

const isDeleted = ({ remarks }: XmlRecord): boolean =>
  remarks.some(({ kind }) => kind === 'deleted')

/** Catalogues that know only days refuse a time. */
function formatFrom(from: string | undefined, granularity = 'YYYY-MM-DD'): string | undefined {
  if (from === undefined) return undefined
  const time = Date.parse(from)
  if (Number.isNaN(time)) throw new InvalidError(`"${from}" is no date.`)
  const iso = new Date(time).toISOString()
  return granularity.length > 10 ? `${iso.slice(0, 19)}Z` : iso.slice(0, 10)
}

type Parameters = Readonly<Record<string, string | undefined>>

async function* listRecords(
  client: OaiClient,
  { metadataPrefix, set, from }: HarvestRequest,
): AsyncGenerator<readonly XmlRecord[]> {
  let parameters: Parameters = { verb: 'ListRecords', metadataPrefix, set, from }
  const tokens = new Set<string>()
  for (;;) {
    const { records, answer } = await client.request(parameters)
    if (answer.error?.code === 'noRecordsMatch') return
    refuseError(answer)
    yield records
    const token = answer.resumptionToken
    if (token === undefined) return
    if (tokens.has(token))
      throw new InvalidError('The other catalogue sends the same records again and again.')
    tokens.add(token)
    parameters = { verb: 'ListRecords', resumptionToken: token }
  }
}

/** What the errors of OAI-PMH mean, for people. */
const errorTexts: ReadonlyMap<string, string> = new Map([
  ['cannotDisseminateFormat', 'The other catalogue does not have its records in this format.'],
  ['noSetHierarchy', 'The other catalogue has no sets.'],
  ['badResumptionToken', 'The other catalogue lost the place in its list. Harvest again.'],
])

function refuseError({ error }: OaiAnswer): void {
  if (!error) return
  const text = errorTexts.get(error.code) ?? 'The other catalogue refuses the request.'
  throw new InvalidError(`${text} It says: ${error.code} ${error.message}`.trim())
}

type OaiClient = { request(parameters: Parameters): Promise<XmlAnswer> }

function createOaiClient(
  base: string,
  { allowedHosts, signal }: HarvestOptions,
  limits: HarvestLimits,
): OaiClient {
  const endsAt = Date.now() + limits.ms
  let bytesLeft = limits.bytes

  async function get(url: string): Promise<PublicResponse> {
    for (let tries = 1; ; tries += 1) {
      if (Date.now() > endsAt) throw new InvalidError('The harvest takes too long.')
      const response = await tryOnce(url, tries === limits.tries)
      if (response && !isBusy(response)) return response
      if (tries === limits.tries)
        throw new InvalidError(
          `The other catalogue is busy (status ${response?.status ?? 0}). Try again later.`,
        )
      const seconds = response?.retryAfter
      const waitMs = seconds === undefined ? limits.firstWaitMs * 2 ** (tries - 1) : seconds * 1000
      if (waitMs > limits.waitMs)
        throw new InvalidError(
          `The other catalogue asks to wait for ${Math.ceil(waitMs / 60_000)} minutes.`,
        )
      await pause(waitMs)
    }
  }

  async function pause(ms: number): Promise<void> {
    try {
      await wait(ms, undefined, { signal })
    } catch (cause) {
      throw new InvalidError('The harvest was stopped.', { cause })
    }
  }

  /** Undefined if there was no answer, and it is tried again. */
  async function tryOnce(url: string, isLast: boolean): Promise<PublicResponse | undefined> {
    try {
      const maxBytes = Math.min(limits.answerBytes, bytesLeft)
      return await requestPublic(url, {
        allowedHosts,
        maxBytes,
        timeoutMs: limits.requestMs,
        signal,
        headers: { accept: 'text/xml, application/xml' },
      })
    } catch (error) {
      if (error instanceof UnreachableError && !isLast) return undefined
      if (error instanceof OutgoingRequestError)
        throw new InvalidError(error.text, { cause: error })
      throw error
    }
  }

  return {
    async request(parameters) {
      const { status, body } = await get(addressOf(base, parameters))
      bytesLeft -= body.length
      if (status !== 200)
        throw new InvalidError(`The other catalogue answers with status ${status}.`)
      return parseAnswer(body)
    },
  }
}

const isBusy = ({ status }: PublicResponse): boolean =>
  status === 429 || status === 502 || status === 503 || status === 504

function addressOf(base: string, parameters: Parameters): string {
  if (!URL.canParse(base)) throw new InvalidError(`"${base}" is no web address.`)
  const url = new URL(base)
  url.hash = ''
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') url.searchParams.set(name, value)
  return url.href
}

async function parseAnswer(body: Buffer): Promise<XmlAnswer> {
  const response = await readXmlAnswer(body)
  const { answer } = response
  if (answer.responseDate === undefined && answer.error === undefined)
    throw new InvalidError('The answer of the other catalogue is no OAI-PMH.')
  return response
}
