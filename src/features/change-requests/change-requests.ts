// Requests for changes, which visitors make without an account: a queue for editors. They are in
// the key-value store and nowhere else. How many somebody may make, and the forms:
// the pages beside this file.

import { message } from '../../message.js'
import { ConflictError, NotFoundError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import type { ForgottenIdentifier } from '../../catalogue/writes/redaction.js'
import {
  type TextRemoval,
  createIdentifierRemoval,
  createTextRemoval,
} from '../../model/text-removal.js'
import { limitConcurrency } from '../../lib/scheduling.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { lastChangeRequestKey, prefixes } from '../../store/key-value/keys.js'

/** The resources whose records visitors can ask to change. */
export const changeRequestKinds = ['agents', 'zines'] as const satisfies readonly ResourceName[]

export type ChangeRequestKind = (typeof changeRequestKinds)[number]

export const changeRequestTopics = ['correct', 'hide', 'remove', 'other'] as const

/** What a visitor asks for. */
type ChangeRequestTopic = (typeof changeRequestTopics)[number]

/** What a visitor sends. Nothing else is known of them: the address is not stored. */
export type NewChangeRequest = {
  readonly kind: ChangeRequestKind
  /** The identifier of the record, which may be deleted since. */
  readonly id: string
  readonly topic: ChangeRequestTopic
  readonly text: string
  /** How the visitor wants to be answered; empty if not at all. */
  readonly answer: string
}

export type ChangeRequest = NewChangeRequest & {
  /** Counted from 1. No number is used again. */
  readonly number: number
  readonly at: string
  /** How often editors changed it, so that one does not overwrite what another did. */
  readonly version: number
  /** What editors wrote for each other. */
  readonly note: string
  /** What became of it; undefined while it is open. */
  readonly settled?: {
    readonly as: ChangeRequestOutcome
    readonly at: string
    readonly account: string
  }
}

export const changeRequestOutcomes = ['done', 'declined'] as const

type ChangeRequestOutcome = (typeof changeRequestOutcomes)[number]

type ChangeRequestUpdate = {
  /** The version that the editor saw. */
  readonly version: number
  readonly note: string
  /** The new outcome; `open` opens it again, undefined leaves it as it is. */
  readonly outcome?: ChangeRequestOutcome | 'open' | undefined
  readonly account: string
}

export type ChangeRequests = {
  /**
   * Adds a request, which is on the disk when the promise resolves.
   * @returns its number
   * @throws DiskFullError, DiskFailedError
   */
  add(request: NewChangeRequest): Promise<number>
  get(number: number): Promise<ChangeRequest | undefined>
  /**
   * Some of the requests about these kinds of records: open ones first, the oldest first; then the
   * others, the newest first.
   */
  list(
    kinds: readonly ChangeRequestKind[],
    range: { readonly first: number; readonly count: number },
  ): Promise<{ readonly total: number; readonly requests: readonly ChangeRequest[] }>
  /** The number of open requests about these kinds of records. */
  countOpen(kinds: readonly ChangeRequestKind[]): number
  /**
   * @throws NotFoundError, ConflictError, DiskFullError, DiskFailedError
   */
  update(number: number, update: ChangeRequestUpdate): Promise<void>
  /**
   * Deletes a settled request.
   * @throws NotFoundError, ConflictError if it is open
   */
  remove(number: number): Promise<void>
  /** Removes a redacted value from all requests, which get another version where they have it. */
  forget(value: string): Promise<void>
  /**
   * Removes an identifier that is forgotten from all requests. Those about its record are about the
   * one that stays; without one, they are deleted.
   */
  forgetIdentifier(identifier: ForgottenIdentifier): Promise<void>
  /** Ends the daily deletion of old requests. */
  close(): void
}

type Listed = { readonly kind: ChangeRequestKind; readonly settledAt: string | undefined }

/**
 * Opens the queue, and deletes requests that were settled a year ago: now, and once a day.
 * @param now the time in milliseconds
 */
export async function openChangeRequests(
  store: KeyValueStore,
  now: () => number = Date.now,
): Promise<ChangeRequests> {
  /** All requests by number, in the order of the numbers, without their texts. */
  const listed = new Map<number, Listed>()
  for await (const [key, value] of store.entries(prefixes.changeRequests)) {
    const request = parseChangeRequest(key, value)
    listed.set(request.number, toListed(request))
  }
  let last = Number((await store.get(lastChangeRequestKey)) ?? 0)
  /** Changes of requests read and write. */
  const oneAfterAnother = limitConcurrency(1)

  async function get(number: number): Promise<ChangeRequest | undefined> {
    const key = keyOf(number)
    const value = listed.has(number) ? await store.get(key) : undefined
    return value === undefined ? undefined : parseChangeRequest(key, value)
  }

  async function requireRequest(number: number): Promise<ChangeRequest> {
    const request = await get(number)
    if (!request) throw new NotFoundError()
    return request
  }

  async function remove(numbers: readonly number[]): Promise<void> {
    await store.write(numbers.map((number) => ({ key: keyOf(number), value: undefined })))
    for (const number of numbers) listed.delete(number)
  }

  async function removeOld(): Promise<void> {
    const before = new Date(now() - maxSettledMs).toISOString()
    const old = [...listed].filter(
      ([, { settledAt }]) => settledAt !== undefined && settledAt < before,
    )
    await remove(old.map(([number]) => number))
  }

  const numbersOf = (kinds: readonly ChangeRequestKind[], isOpen: boolean): readonly number[] =>
    [...listed]
      .filter(
        ([, { kind, settledAt }]) => kinds.includes(kind) && (settledAt === undefined) === isOpen,
      )
      .map(([number]) => number)

  // The store itself reports a disk that failed. On a full disk the next deletion may succeed.
  const removeOldIfPossible = (): Promise<void> => oneAfterAnother(removeOld).catch(() => undefined)

  await removeOldIfPossible()
  const timer = setInterval(() => void removeOldIfPossible(), dayMs).unref()

  return {
    async add(request) {
      last += 1
      const number = last
      const at = new Date(now()).toISOString()
      const added = { ...request, number, at, version: 0, note: '' }
      await store.write([toEntry(added), { key: lastChangeRequestKey, value: String(number) }])
      listed.set(number, toListed(added))
      return number
    },
    get,
    async list(kinds, { first, count }) {
      const numbers = [...numbersOf(kinds, true), ...numbersOf(kinds, false).toReversed()]
      const requests = await Promise.all(numbers.slice(first, first + count).map(get))
      return {
        total: numbers.length,
        requests: requests.filter((request) => request !== undefined),
      }
    },
    countOpen: (kinds) => numbersOf(kinds, true).length,
    update: (number, { version, note, outcome, account }) =>
      oneAfterAnother(async () => {
        const { settled, ...request } = await requireRequest(number)
        if (request.version !== version) throw changedMeanwhile()
        const at = new Date(now()).toISOString()
        const next = outcome === undefined ? settled : settlement({ outcome, at, account })
        const updated = { ...request, version: version + 1, note, ...(next && { settled: next }) }
        await store.write([toEntry(updated)])
        listed.set(number, toListed(updated))
      }),
    remove: (number) =>
      oneAfterAnother(async () => {
        const { settled } = await requireRequest(number)
        if (!settled) throw changedMeanwhile()
        await remove([number])
      }),
    forget: (value) =>
      oneAfterAnother(async () => {
        const removal = createTextRemoval(value)
        for (const number of listed.keys()) {
          const request = await get(number)
          if (request && textsOf(request).some(removal.isIn))
            await store.write([toEntry(withoutText(request, removal))])
        }
      }),
    forgetIdentifier: ({ reference: { target, id }, into }) =>
      oneAfterAnother(async () => {
        const removal = createIdentifierRemoval(id)
        for (const number of listed.keys()) {
          const request = await get(number)
          if (!request) continue
          const isAbout = request.kind === target && request.id === id
          if (isAbout && into === undefined) await remove([number])
          else if (isAbout || textsOf(request).some(removal.isIn))
            await store.write([
              toEntry({
                ...withoutText(request, removal),
                id: isAbout ? (into ?? '') : request.id,
              }),
            ])
        }
      }),
    close: () => clearInterval(timer),
  }
}

const textsOf = ({ text, answer, note }: ChangeRequest): readonly string[] => [text, answer, note]

const withoutText = (request: ChangeRequest, { removeFrom }: TextRemoval): ChangeRequest => ({
  ...request,
  version: request.version + 1,
  text: removeFrom(request.text),
  answer: removeFrom(request.answer),
  note: removeFrom(request.note),
})

const settlement = ({
  outcome,
  at,
  account,
}: {
  readonly outcome: ChangeRequestOutcome | 'open'
  readonly at: string
  readonly account: string
}): ChangeRequest['settled'] => (outcome === 'open' ? undefined : { as: outcome, at, account })

const fail = (): never => {
  throw new Error('requests for changes are in the process that writes')
}

/** Requests are forwarded to the writing process; a process that only reads has none. */
export const noChangeRequests: ChangeRequests = {
  add: fail,
  get: () => Promise.resolve(undefined),
  list: () => Promise.resolve({ total: 0, requests: [] }),
  countOpen: () => 0,
  update: fail,
  remove: fail,
  forget: () => Promise.resolve(),
  forgetIdentifier: () => Promise.resolve(),
  close: () => undefined,
}

const dayMs = 24 * 3_600_000

/** How long a request is kept after it was settled. */
const maxSettledMs = 365 * dayMs

/** So many digits that the keys sort like the numbers. */
const keyOf = (number: number): string =>
  `${prefixes.changeRequests}${String(number).padStart(12, '0')}`

function toEntry({ number, ...stored }: ChangeRequest): KeyValueWrite {
  return { key: keyOf(number), value: JSON.stringify(stored) }
}

/** Reads what `toEntry` wrote. */
export function parseChangeRequest(key: string, value: string): ChangeRequest {
  // A cast: it is what toEntry wrote.
  const stored = JSON.parse(value) as Omit<ChangeRequest, 'number'>
  return { ...stored, number: Number(key.slice(prefixes.changeRequests.length)) }
}

const toListed = ({ kind, settled }: ChangeRequest): Listed => ({ kind, settledAt: settled?.at })

/** Whether a stored request has all its parts. */
export const isChangeRequest = (request: ChangeRequest): boolean =>
  request.number > 0 &&
  changeRequestKinds.includes(request.kind) &&
  changeRequestTopics.includes(request.topic) &&
  [request.id, request.text, request.answer, request.at, request.note].every(
    (text) => typeof text === 'string',
  )

/** Somebody else changed the request, or it is open where only a settled one will do. */
const changedMeanwhile = (): ConflictError =>
  new ConflictError(
    message('Nothing is saved yet: somebody else changed this request meanwhile. Look again.'),
  )
