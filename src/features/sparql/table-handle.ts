// The thread with the table of public quads as the main thread sees it: it is loaded, gets every
// commit, and is connected with the threads that run queries. table-thread.ts is the other side.

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'

import { iri } from '../../rdf/terms.js'
import { createYielder } from '../../lib/scheduling.js'
import type { QuadChange } from '../../store/commit-listeners.js'
import { partsInGraphs } from '../../store/commit-parts.js'
import type { Store } from '../../store/store.js'
import { createCommitQueue } from './commit-queue.js'
import type { TableConfig, ToTable } from './table-protocol.js'

export type TableHandle = {
  /**
   * Resolves when the table has all quads.
   * @throws Error when the thread ended, and the errors of the store's dump
   */
  readonly ready: Promise<void>
  /** A port for a thread that runs queries (quad-source.ts). */
  connect(): MessagePort
  /** Passes on what was committed so far. @returns the number of the last commit */
  flush(): number
  end(): Promise<void>
}

/**
 * @param onExit called once, when the thread ended for any reason
 * @param maxRemoved how many quads may be removed before the table is made again, unless by their
 * number
 */
export function startTableThread(
  store: Pick<Store, 'dump' | 'size' | 'listeners'>,
  graphs: readonly string[],
  onExit: (reason: Error) => void,
  maxRemoved?: number,
): TableHandle {
  const thread = new Worker(new URL('./table-thread.js', import.meta.url), {
    workerData: { size: store.size(), maxRemoved } satisfies TableConfig,
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  let onLoaded: { resolve: () => void; reject: (error: Error) => void } | undefined
  let failure: Error | undefined
  /** The commits made while the table is loaded; undefined afterwards. */
  let commitsDuringLoad: QuadChange[] | undefined = []
  let lastCommit = 0
  let largeCommits = 0
  const commitQueue = createCommitQueue((commit) => {
    lastCommit += 1
    post({ kind: 'change', ...commit, number: lastCommit })
  })

  const publicGraphs = graphs.map(iri)
  const stopListening = store.listeners.add('public quads', {
    async onCommit(commit) {
      const parts = await partsInGraphs(commit, publicGraphs)
      if (commitsDuringLoad) commitsDuringLoad.push(...parts)
      else if (parts.length === 1) parts.forEach(commitQueue.add)
      else await postParts(parts)
    },
  })

  /** Copying a large commit for the thread takes long, so it is done in steps. */
  async function postParts(parts: readonly QuadChange[]): Promise<void> {
    commitQueue.flush()
    const id = (largeCommits += 1)
    const maybeYield = createYielder()
    for (const part of parts) {
      post({ kind: 'part', id, ...part })
      await maybeYield()
    }
    lastCommit += 1
    post({ kind: 'complete', id, number: lastCommit })
  }

  thread.on('message', () => onLoaded?.resolve())
  thread.on('error', exit)
  thread.on('exit', () => exit(new Error('the thread with the public quads ended')))

  function exit(reason: Error): void {
    if (failure) return
    failure = reason
    stopListening()
    commitQueue.close()
    onLoaded?.reject(reason)
    void thread.terminate()
    onExit(reason)
  }

  const post = (message: ToTable, transferred: readonly MessagePort[] = []): void =>
    thread.postMessage(message, transferred)

  // One chunk at a time, so that neither thread holds all of it as text.
  async function load(): Promise<void> {
    for await (const nquads of store.dump(publicGraphs)) {
      if (failure) throw failure
      await new Promise<void>((resolve, reject) => {
        onLoaded = { resolve, reject }
        post({ kind: 'load', nquads })
      })
    }
    const maybeYield = createYielder()
    while (!failure && commitsDuringLoad?.length) {
      commitsDuringLoad.splice(0, 10).forEach(commitQueue.add)
      await maybeYield()
    }
    if (failure) throw failure
    commitsDuringLoad = undefined
  }

  return {
    ready: load(),
    connect() {
      const { port1, port2 } = new MessageChannel()
      post({ kind: 'connect', port: port1 }, [port1])
      return port2
    },
    flush() {
      commitQueue.flush()
      return lastCommit
    },
    async end() {
      exit(new Error('the thread with the public quads was ended'))
      await thread.terminate()
    },
  }
}
