// The store as a process sees it that only reads: what the writer put into the engine, and nothing kept
// here, so that whatever was acknowledged anywhere is seen at once.

import { filterByGraph, readNQuads } from '../../rdf/nquads.js'
import type { NamedNode, Quad } from '../../rdf/terms.js'
import { writeNQuads } from '../../rdf/terms.js'
import type { SparqlClient } from './sparql-client.js'
import { TornReadError, createRecordLog } from './record-log.js'
import { WriteRejectedError, StoreUnavailableError } from '../errors.js'
import { longestIdentifier, asStoreUnavailable } from './remote-store.js'
import type { Store } from '../store.js'

/** How many records are asked for at once, of all that there are. */
const atOnce = 100

export function createReadOnlyStore(endpoint: SparqlClient, records: NamedNode): Store {
  const entries = createRecordLog(records)
  let vocabularies = ''

  async function entriesOf(keys: readonly string[]): Promise<Map<string, string>> {
    for (let tries = 1; ; tries += 1)
      try {
        return entries.read(await endpoint.select(entries.ask(keys)), keys)
      } catch (error) {
        if (!(error instanceof TornReadError)) throw error
        if (tries === 10)
          throw new StoreUnavailableError('a write came to no end', { cause: error })
        await new Promise((resolve) => setTimeout(resolve, 20 * tries))
      }
  }

  return {
    select: (query) =>
      asStoreUnavailable(async () => {
        // Nothing is told of a store that is being filled.
        const [rows, state] = await Promise.all([
          endpoint.select(query),
          endpoint.select(entries.askState),
        ])
        if (entries.readState(state).commit === undefined)
          throw new StoreUnavailableError('the store holds no catalogue yet')
        return rows
      }),
    commit: () => Promise.reject(new WriteRejectedError('this process only reads')),
    settlePending: () => Promise.resolve(),
    isShared: true,
    readRecords: (keys) =>
      asStoreUnavailable(async () => {
        const quads = new Map<string, Quad[]>()
        for (let start = 0; start < keys.length; start += atOnce)
          for (const [key, nquads] of await entriesOf(keys.slice(start, start + atOnce)))
            quads.set(key, readNQuads(nquads))
        return quads
      }),
    longestIdentifier,
    loadTransient(quads) {
      vocabularies = writeNQuads(quads)
      return Promise.resolve()
    },
    async *dump(graphs) {
      yield filterByGraph(vocabularies, graphs)
      const keys = await asStoreUnavailable(async () =>
        entries.readKeys(await endpoint.select(entries.askKeys)),
      )
      for (let start = 0; start < keys.length; start += atOnce) {
        const found = await asStoreUnavailable(() => entriesOf(keys.slice(start, start + atOnce)))
        yield filterByGraph([...found.values()].join(''), graphs)
      }
    },
    // Whoever made a commit is another process.
    subscribe: () => () => undefined,
    size: () => 0,
    close: () => Promise.resolve(),
  }
}
