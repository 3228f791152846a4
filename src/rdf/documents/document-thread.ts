// Reads and rewrites RDF documents of clients in a thread, one at a time. The thread is started
// when it is first needed, and ended when nothing was to be done for a while.

import { threadModule } from '../../lib/package-files.js'
import { ThreadError, type ThreadErrorCode, WorkerThread } from '../../lib/worker-thread.js'
import { InvalidError, TooLargeError, UnavailableError } from '../../errors.js'
import { documentLimits } from './limits.js'
import type {
  DocumentAnswer,
  DocumentRequest,
  DocumentStatement,
  DocumentType,
  JsonLdForm,
  KnownContext,
  ReadDocument,
} from './protocol.js'

export class DocumentThread {
  readonly #thread: WorkerThread<DocumentRequest, DocumentAnswer>

  constructor(context: KnownContext) {
    this.#thread = new WorkerThread({
      module: threadModule('rdf/documents/document-worker.js'),
      data: context,
      heapMb: documentLimits.heapMb,
      timeoutMs: documentLimits.milliseconds,
      maxRequests: documentLimits.waiting,
      keepIdleMs: 60_000,
    })
  }

  /**
   * The statements of a document.
   * @param base the IRI against which relative IRIs are resolved
   * @throws InvalidError, TooLargeError, UnavailableError
   */
  async read(type: DocumentType, text: string, base: string): Promise<ReadDocument> {
    const statements: DocumentStatement[] = []
    let meaningless: ReadDocument['meaningless'] = new Map()
    for await (const answer of this.#answers({ kind: 'read', type, text, base }))
      if (answer.kind === 'statements') {
        for (const statement of answer.statements) statements.push(statement)
        meaningless = answer.meaningless
      }
    return { statements, meaningless }
  }

  /**
   * A JSON-LD document of this service in another form, as JSON.
   * @param frame as JSON, for the form `framed`
   * @throws InvalidError, TooLargeError, UnavailableError
   */
  rewrite(text: string, form: JsonLdForm, frame: string): Promise<string> {
    return this.#text({ kind: 'rewrite', text, form, frame })
  }

  /**
   * A graph as JSON-LD, in the form that a frame gives it.
   * @throws InvalidError, TooLargeError, UnavailableError
   */
  frame(ntriples: string, frame: string): Promise<string> {
    return this.#text({ kind: 'frame', ntriples, frame })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #text(request: DocumentRequest): Promise<string> {
    for await (const answer of this.#answers(request))
      if (answer.kind === 'text') return answer.text
    throw new Error('the thread answered another question')
  }

  async *#answers(request: DocumentRequest): AsyncGenerator<DocumentAnswer, void> {
    try {
      for await (const answer of this.#thread.answers(request)) {
        if (answer.kind !== 'rejected') yield answer
        else if (answer.reason === 'too large') throw new TooLargeError(answer.message)
        else throw new InvalidError(answer.message)
      }
    } catch (error) {
      throw error instanceof ThreadError ? toDocumentError(error) : error
    }
  }
}

const messages: Readonly<Partial<Record<ThreadErrorCode, string>>> = {
  ended: 'The document could not be read.',
  'out of memory': 'The document needs too much memory.',
  timeout: `The document takes longer than ${documentLimits.milliseconds / 1000} seconds to read.`,
}

function toDocumentError(error: ThreadError): Error {
  if (error.code === 'busy')
    return new UnavailableError('Too many documents are being read. Try again later.', 2)
  const message = messages[error.code]
  return message === undefined ? error : new InvalidError(message, { cause: error })
}
