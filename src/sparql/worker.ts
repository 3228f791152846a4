// The thread in which public queries are parsed and run. A query may break this thread only;
// worker-pool.ts then replaces it.

import { parentPort, workerData } from 'node:worker_threads'

import { PoolBusyError, ResultFormatError, QueryError, UpdateNotAllowedError } from './errors.js'
import { connectQuadSource } from './quad-source.js'
import { lowerThreadPriority } from './thread-priority.js'
import { limitWasmMemory } from './wasm-memory-limit.js'
import type {
  FromWorker,
  QueryResult,
  ReplicaConfig,
  ToWorker,
  WorkerConfig,
} from './worker-protocol.js'

// The cast: worker-handle.ts gives it.
const config = workerData as WorkerConfig

type QueryMessage = ToWorker & { readonly kind: 'query' }
type RunQuery = (message: QueryMessage) => Promise<QueryResult>

lowerThreadPriority()
// Before Oxigraph is imported, which compiles it.
limitWasmMemory(config.memory)
const runQuery = config.replica ? await openReplica(config.replica) : await openEngine()
send({ kind: 'ready' })

/** Told whether the query whose quads are loaded is still wanted. */
let onAnswer: ((isWanted: boolean) => void) | undefined

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'query') void handle(message)
  else onAnswer?.(message.isWanted)
})

/** What the first query needs is loaded with it, since there may be none for long. */
async function openReplica(settings: ReplicaConfig): Promise<RunQuery> {
  let filled: Promise<FilledReplica> | undefined
  const fill = (): Promise<FilledReplica> => (filled ??= fillReplica(settings))
  if (settings.patterns.length > 0) await fill()
  return async ({ request, after }) => {
    const { replica, provide } = await fill()
    const query = replica.prepare(request)
    const isLoaded = await provide(query.patterns, after)
    // Loading may have taken longer than the client waits.
    if (isLoaded && !(await isStillWanted())) throw new QueryError('The client is gone.')
    return query.run()
  }
}

const isStillWanted = (): Promise<boolean> => new Promise((resolve) => (onAnswer = resolve))

type FilledReplica = Awaited<ReturnType<typeof fillReplica>>

async function fillReplica({ port, patterns, maxRemoved }: ReplicaConfig) {
  const { createReplica } = await import('./replica.js')
  const replica = createReplica(config)
  const events = {
    onStale: (wanted: ReplicaConfig['patterns']) => send({ kind: 'stale', patterns: wanted }),
    onError: (error: Error) => send(broken(error)),
  }
  const source = connectQuadSource(port, replica, events, maxRemoved)

  /** @returns whether quads had to be loaded */
  async function provide(wanted: ReplicaConfig['patterns'], after: number): Promise<boolean> {
    const isLoading = source.isMissing(wanted)
    if (isLoading) send({ kind: 'loading' })
    await source.provide(wanted, after)
    if (isLoading) send({ kind: 'loaded' })
    return isLoading
  }

  await provide(patterns, 0)
  return { replica, provide }
}

async function openEngine(): Promise<RunQuery> {
  const { engine } = config
  if (!engine) throw new Error('a worker needs a replica or a remote store')
  const { createRemoteExecutor } = await import('./remote-executor.js')
  const run = createRemoteExecutor({ ...config, engine })
  return ({ request }) => run(request)
}

async function handle(message: QueryMessage): Promise<void> {
  try {
    const result = await runQuery(message)
    // The bytes are transferred, not copied. The cast: their memory is not shared.
    send({ kind: 'result', result }, [result.bytes.buffer as ArrayBuffer])
  } catch (error) {
    send(toMessage(error as Error))
  }
}

function toMessage(error: Error): FromWorker {
  const { message } = error
  if (error instanceof UpdateNotAllowedError) return { kind: 'rejected', error: 'update', message }
  if (error instanceof ResultFormatError) return { kind: 'rejected', error: 'format', message }
  if (error instanceof PoolBusyError) return { kind: 'rejected', error: 'busy', message }
  if (error instanceof QueryError) return { kind: 'rejected', error: 'query', message }
  return broken(error)
}

function broken({ message }: Error): FromWorker {
  return { kind: 'broken', message }
}

function send(message: FromWorker, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred)
}
