// The store of a process that only reads. It reads what the writing process put into the remote
// store and keeps nothing, so every acknowledged write is visible at once. remote-store.ts writes.

import { filterByGraph, readNQuads } from '../../rdf/nquads.js'
import { type NamedNode, type Quad, writeNQuads } from '../../rdf/terms.js'
import { StoreUnavailableError, WriteRejectedError } from '../errors.js'
import type { Store } from '../store.js'
import { TornReadError, createRecordLog } from './record-log.js'
import { maxEncodedBytes } from './remote-store.js'
import { type SparqlClient, asStoreUnavailable } from './sparql-client.js'

/** The number of records that one query reads. */
const batchSize = 100

const maxAttempts = 10

/** @param records the graph of the record log */
export function createReadOnlyStore(client: SparqlClient, records: NamedNode): Store {
  const log = createRecordLog(records)
  let vocabularies = ''

  /** The N-Quads of records by their keys. @throws StoreUnavailableError */
  async function readBatch(keys: readonly string[]): Promise<Map<string, string>> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return log.parseRecords(await client.select(log.recordsQuery(keys)), keys)
      } catch (error) {
        if (!(error instanceof TornReadError)) throw error
        if (attempt === maxAttempts)
          throw new StoreUnavailableError('a write to the remote store does not end', {
            cause: error,
          })
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt))
      }
  }

  return {
    select: (query) =>
      asStoreUnavailable(async () => {
        // A store that is being filled would answer with a part of the records.
        const [rows, state] = await Promise.all([
          client.select(query),
          client.select(log.stateQuery),
        ])
        if (log.parseState(state).commit === undefined)
          throw new StoreUnavailableError('the remote store holds no catalogue yet')
        return rows
      }),
    commit: () => Promise.reject(new WriteRejectedError('this process only reads')),
    settlePending: () => Promise.resolve(),
    isShared: true,
    readRecords: (keys) =>
      asStoreUnavailable(async () => {
        const records = new Map<string, Quad[]>()
        for (let start = 0; start < keys.length; start += batchSize)
          for (const [key, nquads] of await readBatch(keys.slice(start, start + batchSize)))
            records.set(key, readNQuads(nquads))
        return records
      }),
    maxIdentifierBytes: maxEncodedBytes,
    loadTransient(quads) {
      vocabularies = writeNQuads(quads)
      return Promise.resolve()
    },
    // The writing process adds them.
    addTransient: () => Promise.resolve(),
    async *dump(graphs) {
      yield filterByGraph(vocabularies, graphs)
      const keys = log.parseKeys(await asStoreUnavailable(() => client.select(log.keysQuery)))
      for (let start = 0; start < keys.length; start += batchSize) {
        const batch = keys.slice(start, start + batchSize)
        const found = await asStoreUnavailable(() => readBatch(batch))
        yield filterByGraph([...found.values()].join(''), graphs)
      }
    },
    // Commits are made in another process.
    subscribe: () => () => undefined,
    size: () => 0,
    close: () => Promise.resolve(),
  }
}
