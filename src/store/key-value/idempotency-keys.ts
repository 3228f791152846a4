// The keys with which clients say that a request is the same one again (`Idempotency-Key`,
// draft-ietf-httpapi-idempotency-key-header). A key is written in the same atomic write as what was
// asked for, so neither is there without the other. It says nothing of the record but a hash of the
// request.

import { createHash } from 'node:crypto'

import { ConflictError, RequestError } from '../../errors.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from './keys.js'

/** A write that is made once, however often it is asked for. */
export type WriteOnce = {
  /**
   * Whether it was made before. To be called when no commit is pending.
   * @throws RequestError when the key was used for another request
   */
  wasMade(): Promise<boolean>
  /** What is written with it. */
  readonly entries: readonly KeyValueWrite[]
}

export type KeyedRequest = {
  readonly account: string
  readonly key: string
  /** All that the request asks for. */
  readonly content: string
}

/** How long a key is known. */
const lifetimeMs = 24 * 60 * 60 * 1000

/** Keys that are not known any more are removed this often, with the next write that has a key. */
const sweepMs = 60 * 60 * 1000

type StoredKey = { readonly at: number; readonly request: string }

export class IdempotencyKeys {
  readonly #store: Pick<KeyValueStore, 'get' | 'entries'>
  readonly #now: () => number
  /** Those of requests that are being answered. */
  readonly #running = new Set<string>()
  #nextSweep = 0

  /** @param now the time in milliseconds */
  constructor(store: Pick<KeyValueStore, 'get' | 'entries'>, now: () => number = Date.now) {
    this.#store = store
    this.#now = now
  }

  /**
   * Answers a request with a key.
   * @throws ConflictError while another request with the key is being answered
   */
  async answer<Result>(
    { account, key, content }: KeyedRequest,
    make: (once: WriteOnce) => Promise<Result>,
  ): Promise<Result> {
    const entryKey = prefixes.idempotencyKeys + hash(JSON.stringify([account, key]))
    if (this.#running.has(entryKey))
      throw new ConflictError('A request with this Idempotency-Key is being answered.')
    this.#running.add(entryKey)
    try {
      const now = this.#now()
      const request = hash(content)
      return await make({
        wasMade: async () => {
          const stored = parseKey(await this.#store.get(entryKey))
          if (!stored || stored.at + lifetimeMs <= now) return false
          if (stored.request !== request) throw otherRequest()
          return true
        },
        entries: [
          ...(await this.#oldEntries(now)),
          { key: entryKey, value: JSON.stringify({ at: now, request } satisfies StoredKey) },
        ],
      })
    } finally {
      this.#running.delete(entryKey)
    }
  }

  async #oldEntries(now: number): Promise<readonly KeyValueWrite[]> {
    if (now < this.#nextSweep) return []
    this.#nextSweep = now + sweepMs
    const old: KeyValueWrite[] = []
    for await (const [key, value] of this.#store.entries(prefixes.idempotencyKeys))
      if ((parseKey(value)?.at ?? 0) + lifetimeMs <= now) old.push({ key, value: undefined })
    return old
  }
}

/** Those of a process that only reads: the process that writes has them. */
export const noIdempotencyKeys: Pick<IdempotencyKeys, 'answer'> = {
  answer: () => {
    throw new Error('this process only reads')
  },
}

// The cast: what is stored was written above.
export const parseKey = (value: string | undefined): StoredKey | undefined =>
  value === undefined ? undefined : (JSON.parse(value) as StoredKey)

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const otherRequest = (): RequestError =>
  new RequestError(
    'unprocessable',
    'This Idempotency-Key was used for another request. Send a new one.',
  )
