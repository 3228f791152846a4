// What a SPARQL worker asks the table of public quads for (src/features/sparql/quad-source.ts).

import { MessageChannel } from 'node:worker_threads'

import { expect } from 'chai'

import type { QuadPattern } from '../../../src/features/sparql/quad-patterns.js'
import { QuadSource } from '../../../src/features/sparql/quad-source.js'
import type { QuadMessage, QuadRequest } from '../../../src/features/sparql/table-protocol.js'

/** A source, and a table without quads that knows no terms of these patterns. */
function openSource(isEmpty: (pattern: QuadPattern) => boolean, maxRemoved?: number) {
  const { port1, port2 } = new MessageChannel()
  const asked: (readonly QuadPattern[])[] = []
  const stale: (readonly QuadPattern[])[] = []
  const send = (message: QuadMessage): void => port2.postMessage(message)
  port2.on('message', (request: QuadRequest) => {
    if (request.kind !== 'get') return
    asked.push(request.patterns)
    send({ kind: 'complete', empty: request.patterns.filter(isEmpty) })
  })
  const target = { load: () => undefined, change: () => undefined }
  const events = {
    onStale: (patterns: readonly QuadPattern[]) => stale.push([...patterns]),
    onError: (error: Error) => {
      throw error
    },
  }
  const source = new QuadSource(port1, target, events, maxRemoved)
  return { source, asked, stale, send, close: () => port2.close() }
}

const subjects = (start: number, count: number): QuadPattern[] =>
  Array.from({ length: count }, (_, index) => ({ subject: `<s${start + index}>` }))

describe('the source of the quads of a worker', () => {
  it('asks once for each pattern', async () => {
    const { source, asked, close } = openSource(() => false)
    expect(source.isMissing([{ predicate: '<p>' }])).to.equal(true)
    await source.provide([{ predicate: '<p>' }], 0)
    expect(source.isMissing([{ predicate: '<p>' }])).to.equal(false)
    await source.provide([{ predicate: '<p>', object: '<o>' }, { subject: '<s>' }], 0)
    expect(asked).to.deep.equal([[{ predicate: '<p>' }], [{ subject: '<s>' }]])
    close()
  })

  it('wants a new worker with the predicates that have quads, where there are too many patterns', async () => {
    const { source, stale, close } = openSource(({ predicate }) => predicate === '<none>')
    await source.provide([{ predicate: '<p>' }, { predicate: '<none>' }, ...subjects(0, 9_000)], 0)
    await source.provide(subjects(9_000, 9_000), 0)
    expect(stale).to.deep.equal([])
    await source.provide(subjects(18_000, 9_000), 0)
    await source.provide(subjects(27_000, 9_000), 0)
    expect(stale).to.deep.equal([[{ predicate: '<p>' }]])
    close()
  })

  it('wants a new worker with the same patterns, where many quads were removed', async () => {
    const { source, stale, send, close } = openSource(() => false, 1)
    await source.provide([{ subject: '<s>' }], 0)
    const removed = ['<s> <p> "1" <g> .\n', '<s> <p> "2" <g> .\n']
    send({ kind: 'change', parts: removed.map((nquads) => ({ removed: nquads, added: '' })) })
    await source.provide([], 0)
    expect(stale).to.deep.equal([[{ subject: '<s>' }]])
    close()
  })
})
