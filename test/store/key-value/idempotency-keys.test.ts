// Tests the keys of repeated requests while one is being answered. What is left of them over HTTP:
// test/features/records/repeated-requests.test.ts.

import { Readable } from 'node:stream'

import { expect } from 'chai'

import { ConflictError } from '../../../src/errors.js'
import type { Entry } from '../../../src/lib/key-value/key-value-store.js'
import { IdempotencyKeys } from '../../../src/store/key-value/idempotency-keys.js'

const asynchronous = (entries: readonly Entry[]): AsyncIterable<Entry> => Readable.from(entries)

describe('a key of a request that is being answered', () => {
  const request = { account: 'editor', key: 'a', content: 'x' }
  const nothingStored = {
    get: () => Promise.resolve(undefined),
    entries: () => asynchronous([]),
  }

  it('refuses the same request until the answer is there', async () => {
    const keys = new IdempotencyKeys(nothingStored)
    let resolve: (answer: string) => void = () => undefined
    const promise = new Promise<string>((settle) => (resolve = settle))
    const first = keys.answer(request, () => promise)
    const failure = await keys.answer(request, () => promise).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(ConflictError)
    expect(
      await keys.answer({ ...request, account: 'admin' }, () => Promise.resolve('other')),
    ).to.equal('other')
    resolve('answer')
    expect(await first).to.equal('answer')
    expect(await keys.answer(request, () => Promise.resolve('again'))).to.equal('again')
  })

  it('lets the request be made again after it failed', async () => {
    const keys = new IdempotencyKeys(nothingStored)
    await keys.answer(request, () => Promise.reject(new Error('failed'))).catch(() => undefined)
    expect(await keys.answer(request, () => Promise.resolve('done'))).to.equal('done')
  })
})

describe('keys of requests', () => {
  it('are removed with the next one, once they are not known any more', async () => {
    const day = 24 * 60 * 60 * 1000
    let now = 0
    const stored = new Map<string, string>()
    const keys = new IdempotencyKeys(
      {
        get: (key) => Promise.resolve(stored.get(key)),
        entries: () => asynchronous([...stored]),
      },
      () => now,
    )
    for (const key of ['first', 'second', 'third']) {
      await keys.answer({ account: 'editor', key, content: key }, ({ entries }) => {
        for (const entry of entries)
          if (entry.value === undefined) stored.delete(entry.key)
          else stored.set(entry.key, entry.value)
        return Promise.resolve()
      })
      now += day / 2
    }
    expect(stored.size).to.equal(2)
  })
})
