// The embedded store's Oxigraph in memory, which is filled when it is needed, and rebuilt in the
// background when it holds too much garbage. garbage-counter.ts says when that is.

import { toDeleteData } from '../../rdf/nquads.js'
import { createYielder } from '../../scheduling.js'
import type { StoreCommit } from '../store.js'
import { type GarbageLimit, createGarbageCounter } from './garbage-counter.js'
import { abandonStore, createOxigraph } from './oxigraph-instance.js'

export type InMemoryStore = {
  /** The result of a query as TSV. @throws Error before it is filled */
  query(sparql: string): string
  /**
   * Fills it with all quads, in steps between which other work runs. Does nothing when it is filled.
   * @throws the errors of Oxigraph and of reading the quads; it may be tried again
   */
  fill(): Promise<void>
  /** Applies a commit synchronously, so that no query sees half of it. */
  apply(commit: StoreCommit): void
  /** Loads N-Quads that were validated when they were written, which saves a third of the time. */
  load(nquads: string): void
  /** Ends a rebuild that is running. */
  close(): Promise<void>
}

type RebuildOptions = {
  /** The number of quads. */
  readonly size: () => number
  /** Whether it stays empty until `fill`. Otherwise the caller loads all quads. */
  readonly isFilledLater?: boolean | undefined
  readonly garbageLimit?: GarbageLimit | undefined
  /** Called when a rebuild failed. The old store stays in use, and is rebuilt later. */
  readonly onError?: ((error: unknown) => void) | undefined
}

const nquads = { format: 'application/n-quads' }

/**
 * Opens an empty store.
 * @param allQuads everything that the store has to hold, as chunks of N-Quads. What was applied before
 * the first chunk is requested must be in it; what is applied later may be in it.
 */
export function openInMemoryStore(
  allQuads: () => AsyncIterable<string>,
  { size, isFilledLater = false, garbageLimit, onError = () => undefined }: RebuildOptions,
): InMemoryStore {
  let current = isFilledLater ? undefined : createInstance()
  let garbage = createGarbageCounter(size, garbageLimit)
  let commitsDuringRebuild: StoreCommit[] | undefined
  let rebuilding: Promise<void> | undefined
  let isClosed = false

  function apply(commit: StoreCommit): void {
    current?.apply(commit)
    commitsDuringRebuild?.push(commit)
    if (!current || !garbage.add(commit) || rebuilding || isClosed) return
    startRebuild().catch(onError)
  }

  function startRebuild(): Promise<void> {
    rebuilding = rebuild().finally(() => {
      commitsDuringRebuild = undefined
      rebuilding = undefined
      garbage = createGarbageCounter(size, garbageLimit)
    })
    return rebuilding
  }

  /**
   * Fills another instance in small steps, applies the later commits to it, and replaces this one.
   */
  async function rebuild(): Promise<void> {
    const laterCommits: StoreCommit[] = (commitsDuringRebuild = [])
    const next = createInstance()
    const maybeYield = createYielder()
    for await (const chunk of allQuads()) {
      if (isClosed) return
      next.load(chunk)
      await maybeYield()
    }
    // A chunk may hold a later commit already. Applying all later commits again gives the same
    // result.
    for (const commit of laterCommits) {
      next.apply(commit)
      await maybeYield()
    }
    current?.abandon()
    current = next
  }

  return {
    query(sparql) {
      if (!current) throw new Error('the store is not filled')
      return current.query(sparql)
    },
    async fill() {
      if (!current) await (rebuilding ?? startRebuild())
    },
    apply,
    load(text) {
      current?.load(text)
      commitsDuringRebuild?.push({ removed: '', added: text })
    },
    async close() {
      isClosed = true
      // Who started it was told of a failure.
      await rebuilding?.catch(() => undefined)
    },
  }
}

function createInstance() {
  const { Store } = createOxigraph()
  const store = new Store()
  const load = (text: string): void =>
    store.load(text, { ...nquads, lenient: true, no_transaction: true })
  return {
    query: (sparql: string) => store.query(sparql, { results_format: 'tsv' }) as string,
    load,
    apply({ removed, added }: StoreCommit): void {
      // Deleting quads as objects takes four times as long, and leaves an object for each term, which
      // the garbage collector has to finalize: half a second for ten thousand records.
      if (removed !== '') store.update(toDeleteData(removed))
      load(added)
    },
    abandon: () => abandonStore(store),
  }
}
