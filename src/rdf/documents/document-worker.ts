// The thread in which RDF documents of clients are read and rewritten, so that none of them holds
// other requests up. document-thread.ts ends it where a document takes too long.

import { parentPort, workerData } from 'node:worker_threads'

import { InvalidError, TooLargeError } from '../../errors.js'
import { createJsonLdTools } from './json-ld.js'
import type {
  DocumentStatement,
  FromDocumentWorker,
  KnownContext,
  ReadDocument,
  ToDocumentWorker,
} from './protocol.js'
import { readTurtleDocument } from './turtle.js'

// The cast: document-thread.ts gives it.
const tools = createJsonLdTools(workerData as KnownContext)

parentPort?.on('message', (message: ToDocumentWorker) => {
  void answer(message)
    .catch(toRejection)
    .then((response) => parentPort?.postMessage(response))
})

/** How many statements one message has. */
const statementsPerMessage = 4000

/** The statements of the document that was read last, as far as they are not answered yet. */
let unanswered: readonly DocumentStatement[] = []

function nextStatements(meaningless: ReadDocument['meaningless']): FromDocumentWorker {
  const statements = unanswered.slice(0, statementsPerMessage)
  unanswered = unanswered.slice(statementsPerMessage)
  return { kind: 'statements', statements, hasMore: unanswered.length > 0, meaningless }
}

async function answer(message: ToDocumentWorker): Promise<FromDocumentWorker> {
  if (message.kind === 'more') return nextStatements(new Map())
  if (message.kind === 'rewrite') {
    const { text, form, frame } = message
    return { kind: 'text', text: await tools.rewrite(text, form, frame) }
  }
  if (message.kind === 'frame')
    return { kind: 'text', text: await tools.frameGraph(message.ntriples, message.frame) }
  const { type, text, base } = message
  const document =
    type === 'application/ld+json'
      ? await tools.read(text, base)
      : readTurtleDocument(text, type, base)
  unanswered = distinct(document.statements)
  return nextStatements(document.meaningless)
}

const distinct = (statements: readonly DocumentStatement[]): readonly DocumentStatement[] => [
  ...new Map(
    statements.map((one) => [`${one.s} ${one.p} ${one.literal ?? ''} ${one.o}`, one]),
  ).values(),
]

/** @throws every error that is not the document's, which ends the thread */
function toRejection(error: unknown): FromDocumentWorker {
  if (error instanceof TooLargeError)
    return { kind: 'rejected', reason: 'too large', message: error.message }
  if (error instanceof InvalidError || error instanceof RangeError)
    return { kind: 'rejected', reason: 'invalid', message: error.message }
  throw error
}
