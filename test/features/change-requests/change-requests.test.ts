// The queue of requests for changes, and the limits of how many are accepted.

import { expect } from 'chai'

import {
  type NewChangeRequest,
  openChangeRequests,
} from '../../../src/features/change-requests/change-requests.js'
import { createChangeRequestLimit } from '../../../src/features/change-requests/change-request-limit.js'
import { DiskFullError } from '../../../src/lib/key-value/errors.js'
import { memoryHome } from '../../store/memory-store.js'

const request: NewChangeRequest = {
  kind: 'agents',
  id: 'ann',
  topic: 'remove',
  text: 'Please remove me.',
  answer: '',
}

const day = 24 * 3_600_000
const hour = 3_600_000

const all = ['agents', 'zines'] as const
const range = { first: 0, count: 100 }

describe('the queue of requests for changes', () => {
  it('is on the disk when a request has its number, without anything about the sender', async () => {
    const store = memoryHome()
    const queue = await openChangeRequests(store, () => 0)
    const writes: string[] = []
    const number = await queue.add(request)
    for await (const [key, value] of store.entries('request/')) writes.push(`${key} ${value}`)
    expect(number).to.equal(1)
    expect(writes).to.deep.equal([
      `request/000000000001 ${JSON.stringify({ ...request, at: '1970-01-01T00:00:00.000Z', version: 0, note: '' })}`,
    ])
    queue.close()
  })

  it('numbers requests that arrive at the same time one after another', async () => {
    const queue = await openChangeRequests(memoryHome())
    const numbers = await Promise.all(Array.from({ length: 20 }, () => queue.add(request)))
    expect(numbers).to.deep.equal(Array.from({ length: 20 }, (_, index) => index + 1))
    queue.close()
  })

  it('accepts one of two updates of the same version, and keeps what it wrote', async () => {
    const queue = await openChangeRequests(memoryHome())
    const number = await queue.add(request)
    const update = { version: 0, account: 'editor' }
    const outcomes = await Promise.allSettled([
      queue.update(number, { ...update, note: 'First', outcome: 'done' }),
      queue.update(number, { ...update, note: 'Second', outcome: 'declined' }),
    ])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected'])
    const { note, settled, version } = (await queue.get(number)) ?? {}
    expect([note, settled?.as, version]).to.deep.equal(['First', 'done', 1])
    queue.close()
  })

  it('keeps the outcome when only the note changes', async () => {
    const queue = await openChangeRequests(memoryHome(), () => 0)
    const number = await queue.add(request)
    await queue.update(number, { version: 0, note: '', outcome: 'done', account: 'one' })
    await queue.update(number, { version: 1, note: 'New', account: 'other' })
    const { note, settled } = (await queue.get(number)) ?? {}
    expect(note).to.equal('New')
    expect(settled).to.deep.equal({ as: 'done', at: '1970-01-01T00:00:00.000Z', account: 'one' })
    queue.close()
  })

  it('forgets a settled request after a year, and an open one never', async () => {
    const store = memoryHome()
    let now = 0
    const queue = await openChangeRequests(store, () => now)
    for (let count = 0; count < 3; count += 1) await queue.add(request)
    await queue.update(1, { version: 0, note: '', outcome: 'done', account: 'editor' })
    now = 30 * day
    await queue.update(2, { version: 0, note: '', outcome: 'declined', account: 'editor' })
    queue.close()
    for (const [days, left] of [
      [365, [3, 2, 1]],
      [366, [3, 2]],
      [394, [3, 2]],
      [396, [3]],
      [10_000, [3]],
    ] as const) {
      now = days * day
      const later = await openChangeRequests(store, () => now)
      const { requests } = await later.list(all, range)
      expect(
        requests.map(({ number }) => number),
        `after ${days} days`,
      ).to.deep.equal(left)
      later.close()
    }
  })

  it('opens on a full disk, with the requests that it cannot delete', async () => {
    const store = memoryHome()
    const queue = await openChangeRequests(store, () => 0)
    await queue.add(request)
    await queue.update(1, { version: 0, note: '', outcome: 'done', account: 'editor' })
    queue.close()
    const full = { ...store, write: () => Promise.reject(new DiskFullError('the disk is full')) }
    const later = await openChangeRequests(full, () => 400 * day)
    expect((await later.get(1))?.text).to.equal(request.text)
    later.close()
  })

  it('lists open requests first, the oldest first, and then the others, the newest first', async () => {
    const queue = await openChangeRequests(memoryHome())
    for (let count = 0; count < 6; count += 1)
      await queue.add({ ...request, kind: count === 5 ? 'zines' : 'agents' })
    for (const number of [2, 4])
      await queue.update(number, { version: 0, note: '', outcome: 'done', account: 'editor' })
    const numbers = async (kinds: readonly ('agents' | 'zines')[], part = range) =>
      (await queue.list(kinds, part)).requests.map(({ number }) => number)
    expect(await numbers(all)).to.deep.equal([1, 3, 5, 6, 4, 2])
    expect(await numbers(all, { first: 3, count: 2 })).to.deep.equal([6, 4])
    expect(await numbers(['zines'])).to.deep.equal([6])
    expect([queue.countOpen(all), queue.countOpen(['zines'])]).to.deep.equal([4, 1])
    queue.close()
  })
})

describe('the limit of requests for changes', () => {
  it('is five from a network in an hour', () => {
    let now = 0
    const limit = createChangeRequestLimit(undefined, () => now)
    const answers = Array.from({ length: 6 }, (_, minute) => {
      now = minute * 60_000
      return limit('192.0.2.1')
    })
    expect(answers).to.deep.equal([...Array<undefined>(5).fill(undefined), 3300])
    expect(limit('192.0.2.2')).to.equal(undefined)
    now = hour + 1
    expect(limit('192.0.2.1')).to.equal(undefined)
    expect(limit('192.0.2.1')).to.equal(60)
  })

  it('is a hundred from all networks together', () => {
    let now = 0
    const limit = createChangeRequestLimit(undefined, () => now)
    for (let count = 0; count < 100; count += 1)
      expect(limit(`192.0.2.${count}`), String(count)).to.equal(undefined)
    expect(limit('198.51.100.1')).to.equal(3600)
    now = hour + 1
    expect(limit('198.51.100.1')).to.equal(undefined)
  })

  it('does not count a rejected request of one network for the others', () => {
    const limit = createChangeRequestLimit({ fromNetwork: 1, inAll: 3 }, () => 0)
    const answers = ['a', 'a', 'a', 'a', 'b', 'c', 'd'].map(limit)
    expect(answers.map((seconds) => seconds === undefined)).to.deep.equal([
      true,
      ...[false, false, false],
      ...[true, true],
      false,
    ])
  })
})
