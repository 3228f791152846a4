// One worker, as the main thread sees it: filled with a replica of what everybody may see, kept up to
// date, asked one question at a time, and ended.

import { Worker } from 'node:worker_threads'

import { iri } from '../rdf/terms.js'
import { openBacklog } from '../store/embedded/commit-queue.js'
import type { Commit, Store } from '../store/store.js'
import { type MostRemoved, openWear } from '../store/embedded/garbage-counter.js'
import { Busy, FormRefused, QueryRefused, UpdateRefused } from './errors.js'
import type { Answer, FromWorker, Question, Start, ToWorker } from './worker-protocol.js'

/** The worker was ended, or broke, before it answered. */
export class SeatLost extends Error {}

export type Seat = {
  /** Kept once the replica is whole. @throws SeatLost, and what the store's dump does */
  readonly ready: Promise<void>
  /** @throws QueryRefused, UpdateRefused, FormRefused; SeatLost */
  ask(question: Question): Promise<Answer>
  end(): Promise<void>
}

type Waiting = { readonly done: (answer?: Answer) => void; readonly failed: (error: Error) => void }

type Told = {
  /** Once, that the worker ended, whether by `end` or by itself. */
  readonly lost: (why: Error) => void
  /** Once, that another would be better by now: a replica keeps in memory what is removed from it. */
  readonly worn: () => void
  readonly most?: MostRemoved | undefined
}

export function openSeat(store: Store, start: Start, { lost, worn, most }: Told): Seat {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: start,
    // What is outside of WebAssembly: the tree of the query and the text of the answer.
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  let waiting: Waiting | undefined
  let failure: SeatLost | undefined
  /** What was committed while the replica was being filled; undefined once it is. */
  let late: Commit[] | undefined = []
  const backlog = openBacklog((commit) => post({ kind: 'change', ...commit }))

  const graphs = start.graphs.map(iri)
  const wear = openWear(() => store.size(), most)
  let isWorn = false
  // Who asks elsewhere holds nothing.
  const unwatch = start.engine ? () => false : store.watch(graphs, follow)

  function follow(commit: Commit): void {
    if (late) late.push(commit)
    else backlog.add(commit)
    // One that is still being filled is nobody's yet.
    if (!wear.add(commit) || late || isWorn) return
    isWorn = true
    worn()
  }

  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'loaded') waiting?.done()
    if (message.kind === 'answered') waiting?.done(message.answer)
    if (message.kind === 'refused') waiting?.failed(refusals[message.because](message.why))
    if (message.kind === 'broken') lose(new SeatLost(message.why))
  })
  worker.on('error', (error) => lose(new SeatLost(error.message, { cause: error })))
  worker.on('exit', () => lose(new SeatLost('the worker ended')))

  function lose(why: SeatLost): void {
    if (failure) return
    failure = why
    unwatch()
    backlog.close()
    waiting?.failed(why)
    void worker.terminate()
    lost(why)
  }

  const post = (message: ToWorker): void => worker.postMessage(message)

  async function tell(message: ToWorker): Promise<Answer | undefined> {
    if (failure) throw failure
    try {
      return await new Promise<Answer | undefined>((done, failed) => {
        waiting = { done, failed }
        post(message)
      })
    } finally {
      waiting = undefined
    }
  }

  // A piece at a time, so that neither side has the whole of it in its hands.
  async function fill(): Promise<void> {
    if (start.engine) return
    for await (const nquads of store.dump(graphs)) await tell({ kind: 'load', nquads })
    if (failure) throw failure
    late?.forEach(backlog.add)
    late = undefined
  }

  return {
    ready: fill(),
    async ask(question) {
      backlog.flush()
      const answer = await tell({ kind: 'ask', question })
      if (!answer) throw new SeatLost('the worker gave no answer')
      return answer
    },
    async end() {
      lose(new SeatLost('the worker was ended'))
      await worker.terminate()
    },
  }
}

/** How long to wait before asking an engine again that did not answer, in seconds. */
const pause = 5

const refusals = {
  query: (why: string) => new QueryRefused(why),
  update: () => new UpdateRefused(),
  form: (why: string) => new FormRefused(why),
  busy: (why: string) => new Busy(why, pause),
} as const
