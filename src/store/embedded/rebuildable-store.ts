// What the embedded store has in memory: Oxigraph, and another in its place once it is worn out.

import { createYielder } from '../../scheduling.js'
import { abandonStore, freeQuad, createOxigraph } from './oxigraph-instance.js'
import type { StoreCommit } from '../store.js'
import { type GarbageLimit, createGarbageCounter } from './garbage-counter.js'

export type InMemoryStore = {
  /** The answer to a query, as TSV. */
  query(sparql: string): string
  /** Without a pause, so that nobody sees a record half changed. */
  apply(commit: StoreCommit): void
  /** Loads N-Quads that were judged when they were written: a third less time. */
  load(nquads: string): void
  /** Lets go of a filling that is under way. */
  close(): Promise<void>
}

type RebuildOptions = {
  /** How many quads there are. */
  readonly size: () => number
  readonly most?: GarbageLimit | undefined
  /** Told that a filling came to nothing: the store goes on as it is, and is filled later. */
  readonly failed?: ((error: unknown) => void) | undefined
}

const nquads = { format: 'application/n-quads' }

/**
 * An empty one.
 * @param everything all that it has to hold, in pieces of N-Quads: what was applied before the first piece
 * is asked for, and perhaps what is applied later
 */
export function openInMemoryStore(
  everything: () => AsyncIterable<string>,
  { size, most, failed = () => undefined }: RebuildOptions,
): InMemoryStore {
  let engine = newEngine()
  let wear = createGarbageCounter(size, most)
  /** What was applied since a filling began. */
  let since: StoreCommit[] | undefined
  let filling: Promise<void> | undefined
  let isClosed = false

  function apply(commit: StoreCommit): void {
    engine.apply(commit)
    since?.push(commit)
    if (!wear.add(commit) || filling || isClosed) return
    filling = fill()
      .catch(failed)
      .finally(() => {
        since = undefined
        filling = undefined
        wear = createGarbageCounter(size, most)
      })
  }

  /** Fills another, a piece at a time, and has it caught up with this one. */
  async function fill(): Promise<void> {
    const late: StoreCommit[] = (since = [])
    const other = newEngine()
    const maybePause = createYielder()
    for await (const piece of everything()) {
      if (isClosed) return
      other.load(piece)
      await maybePause()
    }
    // What a piece had already is the same for being applied again, since all that came later is too.
    for (const commit of late) {
      other.apply(commit)
      await maybePause()
    }
    engine.forget()
    engine = other
  }

  return {
    query: (sparql) => engine.query(sparql),
    apply,
    load(text) {
      engine.load(text)
      since?.push({ removed: '', added: text })
    },
    async close() {
      isClosed = true
      await filling
    },
  }
}

function newEngine() {
  const { Store, parse } = createOxigraph()
  const store = new Store()
  const load = (text: string): void =>
    store.load(text, { ...nquads, lenient: true, no_transaction: true })
  return {
    query: (sparql: string) => store.query(sparql, { results_format: 'tsv' }) as string,
    load,
    apply({ removed, added }: StoreCommit): void {
      for (const quad of parse(removed, nquads)) {
        store.delete(quad)
        freeQuad(quad)
      }
      load(added)
    },
    forget: () => abandonStore(store),
  }
}
