// Which SPARQL queries may wait for a worker, and which of them is next.

import { expect } from 'chai'

import { RequestError, UnavailableError } from '../../../src/errors.js'
import { QueryQueue } from '../../../src/features/sparql/query-queue.js'
import type { QueryResult } from '../../../src/features/sparql/worker-protocol.js'

const result: QueryResult = { type: 'text/csv', bytes: new Uint8Array() }

function openQueue() {
  const queue = new QueryQueue(30, () => false)
  const rejected: string[] = []
  /** Adds a query. @throws as the queue does */
  const add = (client: string): void => {
    const request = { query: '', dataset: undefined, table: undefined, graph: undefined }
    queue.add(request, { client, signal: new AbortController().signal }).catch((error: unknown) => {
      if (error instanceof UnavailableError) rejected.push(client)
    })
  }
  const addMany = (clients: readonly string[], count: number): void => {
    for (let number = 0; number < count; number += 1) clients.forEach(add)
  }
  return { queue, rejected, add, addMany }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${index}`)

describe('the queue of SPARQL queries', () => {
  it('takes 100 queries of a client, and no more', () => {
    const { add, addMany } = openQueue()
    addMany(['one'], 100)
    expect(() => add('one')).to.throw(RequestError, /100 queries under way/)
    add('other')
  })

  it('serves clients in turn, however many queries each has', () => {
    const { queue, add, addMany } = openQueue()
    addMany(['many'], 20)
    add('one')
    add('two')
    const served = []
    for (let turn = 0; turn < 4; turn += 1) {
      const job = queue.takeNext(new Set(), true)
      served.push(job?.client)
      job?.resolve(result)
    }
    expect(served).to.deep.equal(['many', 'one', 'two', 'many'])
  })

  it('never has more than 400 queries, and takes those of new clients instead of the last of others', async () => {
    const { queue, rejected, add, addMany } = openQueue()
    addMany(names(8), 50)
    add('new')
    add('new')
    await Promise.resolve()
    expect(rejected).to.deep.equal(['c7', 'c6'])
    let waiting = 0
    while (queue.takeNext(new Set(), true)) waiting += 1
    expect(waiting).to.equal(400)
  })

  it('rejects a query where its client has as many waiting as any', () => {
    const { add, addMany } = openQueue()
    addMany(names(400), 1)
    expect(() => add('c0')).to.throw(UnavailableError, /Too many queries are waiting/)
    expect(() => add('new')).to.throw(UnavailableError, /Too many queries are waiting/)
  })
})
