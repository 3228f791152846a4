// The thread in which public queries are parsed and run. A query may break this thread only;
// worker-pool.ts then replaces it.

import { parentPort, workerData } from 'node:worker_threads'

import { PoolBusyError, ResultFormatError, QueryError, UpdateNotAllowedError } from './errors.js'
import { lowerThreadPriority } from './thread-priority.js'
import { limitWasmMemory } from './wasm-memory-limit.js'
import type { FromWorker, WorkerConfig, ToWorker } from './worker-protocol.js'

// The cast: worker-handle.ts gives it.
const config = workerData as WorkerConfig

lowerThreadPriority()
// Before Oxigraph is imported, which compiles it.
limitWasmMemory(config.memory)
const { loadReplica } = await import('./replica.js')
const { engine } = config
const replica = engine ? undefined : loadReplica(config)
const runRemotely =
  engine && (await import('./remote-executor.js')).createRemoteExecutor({ ...config, engine })

/** The parts of a large commit that came so far. */
const parts: { readonly removed: string; readonly added: string }[] = []

parentPort?.on('message', (message: ToWorker) => void handle(message))

async function handle(message: ToWorker): Promise<void> {
  try {
    if (message.kind === 'load') {
      replica?.load(message.nquads)
      send({ kind: 'loaded' })
    }
    if (message.kind === 'change') replica?.change(message.removed, message.added)
    if (message.kind === 'part') parts.push(message)
    if (message.kind === 'complete')
      for (const { removed, added } of parts.splice(0)) replica?.change(removed, added)
    if (message.kind === 'query') {
      const result = await (runRemotely ?? replica?.runQuery)?.(message.request)
      if (!result) return
      // The bytes are transferred, not copied. The cast: their memory is not shared.
      send({ kind: 'result', result }, [result.bytes.buffer as ArrayBuffer])
    }
  } catch (error) {
    send(message.kind === 'query' ? toMessage(error as Error) : broken(error as Error))
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

const broken = ({ message }: Error): FromWorker => ({ kind: 'broken', message })

function send(message: FromWorker, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred)
}
