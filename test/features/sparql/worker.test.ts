// One worker thread and the table of public quads, with a test between them that decides when each message arrives.

import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'

import { expect } from 'chai'

import { InvalidError } from '../../../src/errors.js'
import { TableHandle } from '../../../src/features/sparql/table-handle.js'
import type { QuadMessage, QuadRequest } from '../../../src/features/sparql/table-protocol.js'
import { type AnsweredQuery, WorkerHandle } from '../../../src/features/sparql/worker-handle.js'
import type { QueryRequest } from '../../../src/features/sparql/worker-protocol.js'
import { type QuadChange, createCommitListeners } from '../../../src/store/commit-listeners.js'

const graph = 'https://zines.example/graphs/public'
const quadOf = (name: string, value: string) => `<s:${name}> <p:title> "${value}" <${graph}> .\n`

const queryOf = (query: string): QueryRequest => ({
  query,
  dataset: undefined,
  table: { name: 'csv', type: 'text/csv' },
  graph: undefined,
})

/** A table with these quads. */
async function openTable(nquads: string) {
  const listeners = createCommitListeners()
  const table = new TableHandle(
    {
      size: () => 1,
      // eslint-disable-next-line @typescript-eslint/require-await
      async *dump() {
        yield nquads
      },
      listeners,
    },
    [graph],
    () => undefined,
  )
  await table.ready
  const commit = (...transient: QuadChange[]) => listeners.tell({ records: [], transient })
  return { table, commit }
}

/** A worker that gets its quads by this port, when it is ready. */
async function openWorker(port: MessagePort) {
  const worker = new WorkerHandle(
    {
      endpoint: 'https://zines.example/sparql',
      graphs: [graph],
      limits: { rows: 100, bytes: 100_000 },
      replica: { port, patterns: [] },
      memory: 512 * 1024 * 1024,
    },
    {
      onExit: () => undefined,
      onStale: () => undefined,
      onSearch: () => Promise.reject(new InvalidError('There is no index of words.')),
    },
  )
  await worker.ready
  return worker
}

const textOf = ({ result: { bytes } }: AnsweredQuery): string => new TextDecoder().decode(bytes)

/** @returns a function that gives the messages of a port, one at a time */
function inboxOf<Message>(port: MessagePort): () => Promise<Message> {
  const messages: Message[] = []
  let onMessage = (): void => undefined
  port.on('message', (message: Message) => {
    messages.push(message)
    onMessage()
  })
  return async () => {
    for (;;) {
      const message = messages.shift()
      if (message !== undefined) return message
      await new Promise<void>((resolve) => (onMessage = resolve))
    }
  }
}

/** Stops this thread for a millisecond. */
const pause = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)

describe('a SPARQL worker', () => {
  it('sees a whole commit or nothing of it, while its query waits to be run', async () => {
    const { table, commit } = await openTable(quadOf('a', 'old') + quadOf('b', 'old'))
    const toTable = table.connect()
    const { port1: toWorker, port2 } = new MessageChannel()
    const worker = await openWorker(port2)
    const answerOfTable = inboxOf<QuadMessage>(toTable)
    const requestOfWorker = inboxOf<QuadRequest>(toWorker)
    const ask = (message: QuadRequest): void => toTable.postMessage(message)
    const tell = (message: QuadMessage): void => toWorker.postMessage(message)

    /** The changes that the table tells after this commit. */
    async function changesUntil(after: number): Promise<QuadMessage[]> {
      ask({ kind: 'get', patterns: [], after })
      const changes: QuadMessage[] = []
      for (;;) {
        const message = await answerOfTable()
        if (message.kind === 'complete') return changes
        changes.push(message)
      }
    }

    /** Returns when the worker has handled all that it was told, as it has nothing to load. */
    function waitForWorker(): void {
      tell({ kind: 'quads', nquads: new Uint8Array(), quads: 0 })
      while (!receiveMessageOnPort(toWorker)) pause()
    }

    try {
      let changes: QuadMessage[] | undefined
      let onWaiting = (): void => undefined
      const isWaiting = new Promise<void>((resolve) => (onWaiting = resolve))
      const result = worker.runQuery(queryOf('SELECT ?o { ?s <p:title> ?o } ORDER BY ?o'), 0, {
        onLoading: () => undefined,
        onLoaded() {
          if (changes) {
            // The beginning of the commit is there before the query may run.
            changes.splice(0, 1).forEach(tell)
            waitForWorker()
            onWaiting()
          }
          return true
        },
      })
      while (!changes) {
        const request = await requestOfWorker()
        ask(request)
        const answer = await answerOfTable()
        if (request.kind === 'next' && answer.kind === 'complete') {
          await commit(
            { removed: quadOf('a', 'old') + quadOf('b', 'old'), added: '' },
            { removed: '', added: quadOf('a', 'new') + quadOf('b', 'new') },
          )
          changes = await changesUntil(table.flush())
        }
        tell(answer)
      }
      await isWaiting
      // Twice, since the permission to run comes by another port.
      waitForWorker()
      waitForWorker()
      // Whatever else is told of the commit comes too late.
      changes.forEach(tell)
      expect(textOf(await result)).to.equal('o\r\nnew\r\nnew\r\n')
    } finally {
      await Promise.all([worker.end(), table.end()])
    }
  })

  it('charges no query with the start of Oxigraph', async () => {
    const { table } = await openTable(quadOf('a', 'old'))
    const worker = await openWorker(table.connect())
    const eventsOf = async (query: string): Promise<string[]> => {
      const events: string[] = []
      await worker.runQuery(queryOf(query), 0, {
        onLoading: () => events.push('loading'),
        onLoaded: () => events.push('loaded') > 0,
      })
      return events
    }
    try {
      expect(worker.loadSeconds()).to.equal(0)
      expect(await eventsOf('SELECT (1 AS ?o) {}')).to.deep.equal(['loading', 'loaded'])
      expect(worker.loadSeconds()).to.be.above(0)
      expect(await eventsOf('SELECT (1 AS ?o) {}')).to.deep.equal([])
      const loaded = worker.loadSeconds()
      expect(await eventsOf('SELECT * { ?s <p:title> ?o }')).to.deep.equal(['loading', 'loaded'])
      expect(worker.loadSeconds()).to.be.above(loaded)
    } finally {
      await Promise.all([worker.end(), table.end()])
    }
  })

  it('runs the next query, where the client of the first one has gone meanwhile', async () => {
    const { table } = await openTable(quadOf('a', 'old'))
    const worker = await openWorker(table.connect())
    const run = (isWanted: boolean) =>
      worker.runQuery(queryOf('SELECT ?o { ?s <p:title> ?o }'), 0, {
        onLoading: () => undefined,
        onLoaded: () => isWanted,
      })
    try {
      const error = await run(false).catch((reason: unknown) => reason)
      expect(error).to.be.instanceOf(InvalidError)
      expect(textOf(await run(true))).to.equal('o\r\nold\r\n')
    } finally {
      await Promise.all([worker.end(), table.end()])
    }
  })
})
