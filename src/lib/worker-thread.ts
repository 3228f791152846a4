// Runs work in a thread with limits of memory and time: work that would hold the event loop up, or
// that the input of a stranger can make endless. Both sides are here: `WorkerThread` asks, and
// `answerRequests` answers in the module that the thread runs.

import { Worker, parentPort } from 'node:worker_threads'

import { limitConcurrency, takeSlot } from './scheduling.js'

/** `failed`: the thread threw an error, which is the cause. `ended`: nothing answers any more. */
export type ThreadErrorCode = 'busy' | 'ended' | 'failed' | 'out of memory' | 'timeout'

/** Why a request to a thread has no answer. */
export class ThreadError extends Error {
  constructor(
    readonly code: ThreadErrorCode,
    options?: ErrorOptions,
  ) {
    super(`No answer of the thread: ${code}`, options)
  }
}

export type WorkerThreadOptions = {
  /** The module that the thread runs, and what it gets as its `workerData`. */
  readonly module: URL
  readonly data?: unknown
  readonly heapMb: number
  /** How long each answer may take, in milliseconds. */
  readonly timeoutMs: number
  /** How many requests may wait, with the one that is answered. */
  readonly maxRequests?: number
  /** How long the thread is kept when there is nothing to do; for ever unless given. */
  readonly keepIdleMs?: number
}

type ToThread<Request> = { readonly request: Request } | 'next'

type FromThread<Answer> = IteratorResult<Answer, void> | { readonly error: Error }

type PendingAnswer<Answer> = {
  readonly resolve: (message: FromThread<Answer>) => void
  readonly reject: (error: ThreadError) => void
}

/**
 * Has one request answered at a time; the others wait in order of arrival. The thread is started
 * with the first request. When it takes too long or ends, the next request starts another one.
 */
export class WorkerThread<Request, Answer> {
  readonly #options: WorkerThreadOptions
  readonly #turns = limitConcurrency(1)
  #worker: Worker | undefined
  #pending: PendingAnswer<Answer> | undefined
  #requests = 0
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: WorkerThreadOptions) {
    this.#options = options
  }

  /**
   * The answers to a request. The thread makes the next one when it is asked for, and the next
   * request begins when no more is asked for.
   * @throws ThreadError
   */
  async *answers(request: Request): AsyncGenerator<Answer, void> {
    const { maxRequests = Infinity, keepIdleMs } = this.#options
    if (this.#requests >= maxRequests) throw new ThreadError('busy')
    this.#requests += 1
    const endTurn = await takeSlot(this.#turns)
    clearTimeout(this.#idleTimer)
    try {
      let result = await this.#ask({ request })
      while (!result.done) {
        yield result.value
        result = await this.#ask('next')
      }
    } finally {
      this.#requests -= 1
      if (keepIdleMs !== undefined)
        this.#idleTimer = setTimeout(() => void this.#end('ended'), keepIdleMs).unref()
      endTurn()
    }
  }

  /** The first answer to a request. @throws ThreadError */
  async answer(request: Request): Promise<Answer> {
    for await (const answer of this.answers(request)) return answer
    throw new ThreadError('ended')
  }

  /** Ends the thread for good. Requests that wait fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    await this.#end('ended')
  }

  async #ask(message: ToThread<Request>): Promise<IteratorResult<Answer, void>> {
    if (this.#isClosed) throw new ThreadError('ended')
    const worker = (this.#worker ??= this.#start())
    // The thread keeps no process from ending; this timer does while an answer is waited for.
    const timer = setTimeout(() => void this.#end('timeout'), this.#options.timeoutMs)
    try {
      const answer = await new Promise<FromThread<Answer>>((resolve, reject) => {
        this.#pending = { resolve, reject }
        worker.postMessage(message)
      })
      if ('error' in answer) throw new ThreadError('failed', { cause: answer.error })
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  #start(): Worker {
    const { module, data, heapMb } = this.#options
    const worker = new Worker(module, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    const end = (code: ThreadErrorCode, cause?: Error): void => {
      if (this.#worker === worker) void this.#end(code, cause)
    }
    worker.unref()
    worker.on('message', (answer: FromThread<Answer>) => {
      // What a thread that took too long sent at last answers no later request.
      if (this.#worker === worker) this.#pending?.resolve(answer)
    })
    worker.on('error', (cause: NodeJS.ErrnoException) =>
      end(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'failed', cause),
    )
    worker.on('exit', () => end('ended'))
    return worker
  }

  /** Ends the thread, and fails the request that it was asked. */
  async #end(code: ThreadErrorCode, cause?: Error): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#pending?.reject(new ThreadError(code, { cause }))
    await worker?.terminate()
  }
}

type Answers<Answer> = AsyncGenerator<Answer, void> | Generator<Answer, void>

/** In a thread: answers each request with what the function yields. */
export function answerRequests<Answer>(answersTo: (request: never) => Answers<Answer>): void {
  let answers: Answers<Answer> | undefined

  async function next(message: ToThread<never>): Promise<FromThread<Answer>> {
    try {
      if (message !== 'next') answers = answersTo(message.request)
      return (await answers?.next()) ?? { done: true, value: undefined }
    } catch (error) {
      return { error: error as Error }
    }
  }

  // Typed as nothing: only the other side knows that it sends what the function takes.
  parentPort?.on('message', (message: ToThread<never>) => {
    void next(message).then((answer) => parentPort?.postMessage(answer))
  })
}
