// The thread that foreign queries are read and run in. What they break is this thread, and the pool
// puts another in its place.

import { parentPort, workerData } from 'node:worker_threads'

import { PoolBusyError, ResultFormatError, QueryError, UpdateNotAllowedError } from './errors.js'
import { limitWasmMemory } from './wasm-memory-limit.js'
import type { FromWorker, WorkerConfig, ToWorker } from './worker-protocol.js'
import { lowerThreadPriority } from './thread-priority.js'

// The cast: it was given by the pool.
const start = workerData as WorkerConfig

lowerThreadPriority()
// Before Oxigraph is loaded, which compiles it.
limitWasmMemory(start.memory)
const { openReplica } = await import('./replica.js')
const { engine } = start
const replica = engine ? undefined : openReplica(start)
const forward =
  engine && (await import('./remote-executor.js')).createRemoteExecutor({ ...start, engine })

parentPort?.on('message', (message: ToWorker) => void obey(message))

async function obey(message: ToWorker): Promise<void> {
  try {
    if (message.kind === 'load') {
      replica?.load(message.nquads)
      tell({ kind: 'loaded' })
    }
    if (message.kind === 'change') replica?.change(message.removed, message.added)
    if (message.kind === 'ask') {
      const given = await (forward ?? replica?.answer)?.(message.question)
      if (!given) return
      // Its bytes are handed over, not copied. The cast: they are in no memory that is shared.
      tell({ kind: 'answered', answer: given }, [given.bytes.buffer as ArrayBuffer])
    }
  } catch (error) {
    tell(message.kind === 'ask' ? failureOf(error as Error) : broken(error as Error))
  }
}

function failureOf(error: Error): FromWorker {
  const why = error.message
  if (error instanceof UpdateNotAllowedError) return { kind: 'refused', because: 'update', why }
  if (error instanceof ResultFormatError) return { kind: 'refused', because: 'form', why }
  if (error instanceof PoolBusyError) return { kind: 'refused', because: 'busy', why }
  if (error instanceof QueryError) return { kind: 'refused', because: 'query', why }
  return broken(error)
}

const broken = ({ message: why }: Error): FromWorker => ({ kind: 'broken', why })

function tell(message: FromWorker, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved)
}
