// Runs a reader of a stranger's file in a thread that has limits of memory and time: a parser that
// reads a file as a whole, and in one go, would hold all requests up. spreadsheet-worker.ts and
// document-worker.ts are such readers.

import { stat } from 'node:fs/promises'

import { limitConcurrency, takeSlot } from '../scheduling.js'
import { ThreadError, WorkerThread } from '../worker-thread.js'
import { InvalidError } from '../../errors.js'
import { sourceLimits } from './limits.js'

export type ReadingTask<Request> = {
  /** The module of the reader. */
  readonly reader: URL
  readonly request: Request
  readonly maxBytes: number
  /** What the file is called in messages, such as `workbook`. */
  readonly what: string
  /** What a person can do about a file that is too large. */
  readonly advice: string
}

/** Such a reader needs hundreds of megabytes: one file is read at a time. */
const turns = limitConcurrency(1)

/** What the reader yields. @throws InvalidError */
export async function* readInThread<Request extends { readonly path: string }, Answer>(
  task: ReadingTask<Request>,
): AsyncGenerator<Answer, void> {
  const { reader: module, request, maxBytes, what, advice } = task
  const { size } = await stat(request.path)
  if (size > maxBytes)
    throw new InvalidError(`The ${what} is larger than ${maxBytes / 1024 / 1024} MB. ${advice}`)
  const endTurn = await takeSlot(turns)
  const thread = new WorkerThread<Request, Answer>({
    module,
    heapMb: sourceLimits.threadHeapMb,
    timeoutMs: sourceLimits.threadMs,
  })
  try {
    yield* thread.answers(request)
  } catch (error) {
    throw error instanceof ThreadError ? toSourceError(error, task) : error
  } finally {
    await thread.close()
    endTurn()
  }
}

type Wording = Pick<ReadingTask<never>, 'advice' | 'what'>

function toSourceError(error: ThreadError, { what, advice }: Wording): InvalidError {
  const { code, cause } = error
  if (code === 'out of memory' || code === 'timeout')
    return new InvalidError(`The ${what} is too large to be read. ${advice}`, { cause })
  const reason = cause instanceof Error ? `: ${cause.message}` : '.'
  return new InvalidError(`The ${what} cannot be read${reason}`, { cause })
}
