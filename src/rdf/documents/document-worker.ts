// The thread in which RDF documents of clients are read and rewritten, so that none of them holds other
// requests up. document-thread.ts ends it where a document takes too long.

import { parentPort, workerData } from 'node:worker_threads'

import { DocumentError, DocumentTooLargeError } from './errors.js'
import { createJsonLdTools } from './json-ld.js'
import type {
  DocumentStatement,
  FromDocumentWorker,
  KnownContext,
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

async function answer(message: ToDocumentWorker): Promise<FromDocumentWorker> {
  if (message.kind === 'rewrite') {
    const { text, form, frame } = message
    return { kind: 'text', text: await tools.rewrite(text, form, frame) }
  }
  const { type, text, base } = message
  const document =
    type === 'application/ld+json'
      ? await tools.read(text, base)
      : readTurtleDocument(text, type, base)
  return { kind: 'statements', ...document, statements: distinct(document.statements) }
}

const distinct = (statements: readonly DocumentStatement[]): readonly DocumentStatement[] => [
  ...new Map(
    statements.map((one) => [`${one.s} ${one.p} ${one.literal ?? ''} ${one.o}`, one]),
  ).values(),
]

/** @throws every error that is not the document's, which ends the thread */
function toRejection(error: unknown): FromDocumentWorker {
  if (error instanceof DocumentTooLargeError)
    return { kind: 'rejected', reason: 'too large', message: error.message }
  if (error instanceof DocumentError || error instanceof RangeError)
    return { kind: 'rejected', reason: 'invalid', message: error.message }
  throw error
}
