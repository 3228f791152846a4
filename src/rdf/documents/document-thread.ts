// Reads and rewrites RDF documents of clients in a thread, one at a time. The thread is started
// when it is first needed, and ended when nothing was to be done for a while.

import { Worker } from 'node:worker_threads'

import { InvalidError, TooLargeError, UnavailableError } from '../../errors.js'
import { documentLimits } from './limits.js'
import type {
  DocumentStatement,
  DocumentType,
  FromDocumentWorker,
  JsonLdForm,
  KnownContext,
  ReadDocument,
  ToDocumentWorker,
} from './protocol.js'

export type DocumentThread = {
  /**
   * The statements of a document.
   * @param base the IRI against which relative IRIs are resolved
   * @throws InvalidError, TooLargeError, UnavailableError
   */
  read(type: DocumentType, text: string, base: string): Promise<ReadDocument>
  /**
   * A JSON-LD document of this service in another form, as JSON.
   * @param frame as JSON, for the form `framed`
   * @throws InvalidError, TooLargeError, UnavailableError
   */
  rewrite(text: string, form: JsonLdForm, frame: string): Promise<string>
  /**
   * A graph as JSON-LD, in the form that a frame gives it.
   * @throws InvalidError, TooLargeError, UnavailableError
   */
  frame(ntriples: string, frame: string): Promise<string>
  close(): Promise<void>
}

/** How long the thread is kept when there is nothing to do. */
const keepIdleMs = 60_000

export function createDocumentThread(context: KnownContext): DocumentThread {
  let worker: Worker | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    clearTimeout(idleTimer)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  function start(): Worker {
    const started = new Worker(new URL('./document-worker.js', import.meta.url), {
      workerData: context,
      resourceLimits: { maxOldGenerationSizeMb: documentLimits.heapMb },
    })
    // It keeps no process from ending. Whoever waits for a message has listeners of their own.
    started.unref()
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }

  /** Runs one request after those that came before it. */
  function ask(request: ToDocumentWorker): Promise<FromDocumentWorker> {
    if (waiting >= documentLimits.waiting)
      throw new UnavailableError('Too many documents are being read. Try again later.', 2)
    waiting += 1
    const answered = last.then(() => run(request)).finally(() => (waiting -= 1))
    last = answered.catch(() => undefined)
    return answered
  }

  async function run(request: ToDocumentWorker): Promise<FromDocumentWorker> {
    clearTimeout(idleTimer)
    const running = (worker ??= start())
    try {
      const answer = await answerOf(running, request)
      return answer.kind === 'statements' && answer.hasMore
        ? { ...answer, statements: await allStatements(running, answer.statements) }
        : answer
    } catch (error) {
      await end()
      throw error
    } finally {
      idleTimer = setTimeout(() => void end(), keepIdleMs).unref()
    }
  }

  async function askForDocument(request: ToDocumentWorker) {
    const answer = await ask(request)
    if (answer.kind !== 'rejected') return answer
    if (answer.reason === 'too large') throw new TooLargeError(answer.message)
    throw new InvalidError(answer.message)
  }

  async function askForText(request: ToDocumentWorker): Promise<string> {
    const answer = await askForDocument(request)
    if (answer.kind !== 'text') throw new Error('the thread answered another question')
    return answer.text
  }

  return {
    async read(type, text, base) {
      const answer = await askForDocument({ kind: 'read', type, text, base })
      if (answer.kind !== 'statements') throw new Error('the thread answered another question')
      return answer
    },
    rewrite: (text, form, frame) => askForText({ kind: 'rewrite', text, form, frame }),
    frame: (ntriples, frame) => askForText({ kind: 'frame', ntriples, frame }),
    close: end,
  }
}

/** These statements and all that follow them in the document. */
async function allStatements(
  worker: Worker,
  first: readonly DocumentStatement[],
): Promise<readonly DocumentStatement[]> {
  const statements = [...first]
  for (let hasMore = true; hasMore;) {
    const answer = await answerOf(worker, { kind: 'more' })
    if (answer.kind !== 'statements') throw new Error('the thread answered another question')
    for (const statement of answer.statements) statements.push(statement)
    hasMore = answer.hasMore
  }
  return statements
}

/** @throws InvalidError for a document that takes too long or too much memory */
function answerOf(worker: Worker, request: ToDocumentWorker): Promise<FromDocumentWorker> {
  return new Promise((resolve, reject) => {
    const listeners = {
      message: (message: FromDocumentWorker) => settle(() => resolve(message)),
      error: (cause: NodeJS.ErrnoException) =>
        settle(() =>
          reject(
            cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
              ? new InvalidError('The document needs too much memory.', { cause })
              : cause,
          ),
        ),
      exit: () => settle(() => reject(new InvalidError('The document could not be read.'))),
    }
    const timer = setTimeout(
      () =>
        settle(() =>
          reject(
            new InvalidError(
              `The document takes longer than ${documentLimits.milliseconds / 1000} seconds to read.`,
            ),
          ),
        ),
      documentLimits.milliseconds,
    )
    function settle(done: () => void): void {
      clearTimeout(timer)
      for (const [name, listener] of Object.entries(listeners)) worker.off(name, listener)
      done()
    }
    for (const [name, listener] of Object.entries(listeners)) worker.on(name, listener)
    worker.postMessage(request)
  })
}
