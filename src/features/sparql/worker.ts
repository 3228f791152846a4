// The thread in which public queries are parsed and run. A query may break this thread only;
// worker-pool.ts then replaces it.

import { parentPort, workerData } from 'node:worker_threads'

import { InvalidError, RequestError } from '../../errors.js'
import { QueryParserError } from './errors.js'
import { type PhaseTimer, createPhaseTimer } from './phase-timer.js'
import { QuadSource } from './quad-source.js'
import { lowerThreadPriority } from './thread-priority.js'
import { limitWasmMemory } from './wasm-memory-limit.js'
import type {
  FromWorker,
  QueryResult,
  ReplicaConfig,
  ToWorker,
  WorkerConfig,
} from './worker-protocol.js'
import type { WordSearch } from './word-search-protocol.js'

// The cast: worker-handle.ts gives it.
const config = workerData as WorkerConfig

type QueryMessage = ToWorker & { readonly kind: 'query' }
type FoundMessage = ToWorker & { readonly kind: 'found' }
type RunQuery = (message: QueryMessage, timer: PhaseTimer) => Promise<QueryResult>

lowerThreadPriority()
// Before Oxigraph is imported, which compiles it.
limitWasmMemory(config.memory)
const runQuery = config.replica ? await openReplica(config.replica) : await openEngine()
send({ kind: 'ready' })

/** Told whether the query for which something was loaded is still wanted. */
let onAnswer: ((isWanted: boolean) => void) | undefined
/** Told what searches found. */
let onFound: ((found: FoundMessage) => void) | undefined

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'query') void handle(message)
  else if (message.kind === 'found') onFound?.(message)
  else onAnswer?.(message.isWanted)
})

/**
 * Oxigraph is started with the first query, since there may be none for long. Neither this time nor
 * that in which quads are loaded counts as time of the query.
 */
async function openReplica(settings: ReplicaConfig): Promise<RunQuery> {
  const fill = (): Promise<FilledReplica> => fillReplica(settings)
  let filled = settings.patterns.length > 0 ? await load(fill) : undefined
  return async ({ request, after }, timer) => {
    if (!filled) {
      filled = await timer.during('load', load(fill))
      await requireWanted()
    }
    const { replica, source } = filled
    let visible = after
    const query = await replica.prepare(request, async (searches) => {
      const found = await timer.during('search', findWords(searches))
      visible = found.after
      return found.records
    })
    const provide = (): Promise<void> => source.provide(query.patterns, visible)
    if (source.isMissing(query.patterns)) {
      await timer.during('load', load(provide))
      await requireWanted()
    } else await provide()
    send({ kind: 'runs', patterns: query.patterns })
    timer.begin('run')
    return query.run()
  }
}

/** @throws InvalidError when they cannot be answered; the main thread knows why */
async function findWords(searches: readonly WordSearch[]) {
  send({ kind: 'search', searches })
  const { records, after } = await new Promise<FoundMessage>((resolve) => (onFound = resolve))
  if (!records) throw new InvalidError('The searches of the query cannot be answered.')
  return { records, after }
}

async function load<Loaded>(work: () => Promise<Loaded>): Promise<Loaded> {
  send({ kind: 'loading' })
  const loaded = await work()
  send({ kind: 'loaded' })
  return loaded
}

/**
 * To be called when something was loaded for a query.
 * @throws InvalidError when that took longer than the client waits
 */
async function requireWanted(): Promise<void> {
  const isWanted = await new Promise<boolean>((resolve) => (onAnswer = resolve))
  if (!isWanted) throw new InvalidError('The client is gone.')
}

type FilledReplica = Awaited<ReturnType<typeof fillReplica>>

async function fillReplica({ port, patterns, maxRemoved }: ReplicaConfig) {
  const { Replica } = await import('./replica.js')
  const replica = new Replica(config)
  const events = {
    onStale: (patterns: ReplicaConfig['patterns']) => send({ kind: 'stale', patterns }),
    onError: (error: Error) => send(broken(error)),
  }
  const source = new QuadSource(port, replica, events, maxRemoved)
  await source.provide(patterns, 0)
  return { replica, source }
}

async function openEngine(): Promise<RunQuery> {
  const { engine } = config
  if (!engine) throw new Error('a worker needs a replica or a remote store')
  const { RemoteExecutor } = await import('./remote-executor.js')
  const executor = new RemoteExecutor({ ...config, engine })
  return ({ request }, timer) =>
    executor.run(request, async (searches) => {
      const { records } = await timer.during('search', findWords(searches))
      timer.begin('run')
      return records
    })
}

async function handle(message: QueryMessage): Promise<void> {
  try {
    const timer = createPhaseTimer()
    const result = await runQuery(message, timer)
    // The bytes are transferred, not copied. The cast: their memory is not shared.
    send({ kind: 'result', result, phases: timer.phases() }, [result.bytes.buffer as ArrayBuffer])
  } catch (error) {
    send(toMessage(error as Error))
  }
}

function toMessage(error: Error): FromWorker {
  const { message } = error
  if (error instanceof QueryParserError) return { kind: 'rejected', why: 'parser', message }
  if (error instanceof RequestError) return { kind: 'rejected', why: error.refusal, message }
  return broken(error)
}

function broken({ message }: Error): FromWorker {
  return { kind: 'broken', message }
}

function send(message: FromWorker, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred)
}
