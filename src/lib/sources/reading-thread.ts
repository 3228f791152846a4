// Runs a reader of a stranger's file in a thread that has limits of memory and time: a parser that
// reads a file as a whole, and in one go, would hold all requests up. spreadsheet-worker.ts and
// document-worker.ts are such readers.

import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'

import { InvalidError } from '../../errors.js'
import { limitConcurrency } from '../scheduling.js'
import { sourceLimits } from './limits.js'

/** What a thread sends. It waits for a message before it sends more rows. */
type ThreadMessage =
  | { readonly kind: 'end' }
  /** The message is for people. */
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: string }

export type ThreadTask = {
  readonly worker: URL
  /** What the thread gets as its `workerData`. */
  readonly request: { readonly path: string }
  readonly maxBytes: number
  /** What the file is called in messages, such as `workbook`. */
  readonly what: string
  /** What a person can do about a file that is too large. */
  readonly advice: string
}

/** Such a reader needs hundreds of megabytes: one file is read at a time. */
const turns = limitConcurrency(1)

/** Waits until no other file is read. @returns what ends the turn */
const takeTurn = (): Promise<() => void> =>
  new Promise((begin) => void turns(() => new Promise<void>(begin)))

/**
 * The messages of the thread, but for `end` and `error`.
 * @throws InvalidError
 */
export async function* readInThread<Message extends ThreadMessage>(
  task: ThreadTask,
): AsyncGenerator<Message> {
  const { request, maxBytes, what, advice } = task
  const { size } = await stat(request.path)
  if (size > maxBytes)
    throw new InvalidError(`The ${what} is larger than ${maxBytes / 1024 / 1024} MB. ${advice}`)
  const endTurn = await takeTurn()
  try {
    yield* runThread<Message>(task)
  } finally {
    endTurn()
  }
}

async function* runThread<Message extends ThreadMessage>({
  worker: url,
  request,
  what,
  advice,
}: ThreadTask): AsyncGenerator<Message> {
  const tooLarge = `The ${what} is too large to be read. ${advice}`
  const unreadable = `The ${what} cannot be read`
  const worker = new Worker(url, {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: sourceLimits.threadHeapMb },
  })
  const messages: (Message | Extract<ThreadMessage, { kind: 'error' | 'end' }>)[] = []
  let failure: Error | undefined
  let onChange = (): void => undefined
  const fail = (error: Error): void => {
    failure ??= error
    onChange()
  }
  const timer = setTimeout(() => fail(new InvalidError(tooLarge)), sourceLimits.threadMs)
  worker.on('message', (message: Message) => {
    messages.push(message)
    onChange()
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new InvalidError(tooLarge)
        : new InvalidError(`${unreadable}: ${error.message}`, { cause: error }),
    ),
  )
  worker.on('exit', () => fail(new InvalidError(`${unreadable}.`)))
  try {
    for (;;) {
      const message = messages.shift()
      if (message?.kind === 'error' && 'message' in message) throw new InvalidError(message.message)
      if (message?.kind === 'end') return
      if (message) {
        yield message as Message // Neither of the two above.
        if (message.kind === 'rows') worker.postMessage('next')
        // The time that is spent by the reader of the rows does not count.
        timer.refresh()
      } else if (failure) throw failure
      else await new Promise<void>((resolve) => (onChange = resolve))
    }
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
