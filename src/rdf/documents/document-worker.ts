// The thread in which RDF documents of clients are read and rewritten, so that none of them holds
// other requests up. document-thread.ts ends it where a document takes too long.

import { workerData } from 'node:worker_threads'

import { answerRequests } from '../../lib/worker-thread.js'
import { InvalidError, TooLargeError } from '../../errors.js'
import { createJsonLdTools } from './json-ld.js'
import type {
  DocumentAnswer,
  DocumentRequest,
  DocumentStatement,
  KnownContext,
  ReadDocument,
} from './protocol.js'
import { readTurtleDocument } from './turtle.js'

// The cast: document-thread.ts gives it.
const tools = createJsonLdTools(workerData as KnownContext)

/** Taking in all statements of a large document at once would hold the main thread up. */
const statementsPerAnswer = 4000

answerRequests(async function* (request: DocumentRequest): AsyncGenerator<DocumentAnswer, void> {
  try {
    if (request.kind === 'read') yield* inParts(await read(request))
    else yield { kind: 'text', text: await rewrite(request) }
  } catch (error) {
    yield toRejection(error)
  }
})

async function read(request: DocumentRequest & { kind: 'read' }): Promise<ReadDocument> {
  const { type, text, base } = request
  return type === 'application/ld+json'
    ? tools.read(text, base)
    : readTurtleDocument(text, type, base)
}

const rewrite = (request: DocumentRequest & { kind: 'rewrite' | 'frame' }): Promise<string> =>
  request.kind === 'rewrite'
    ? tools.rewrite(request.text, request.form, request.frame)
    : tools.frameGraph(request.ntriples, request.frame)

function* inParts({ statements, meaningless }: ReadDocument): Generator<DocumentAnswer, void> {
  const distinct = [
    ...new Map(statements.map((statement) => [keyOf(statement), statement])).values(),
  ]
  for (let start = 0; start === 0 || start < distinct.length; start += statementsPerAnswer) {
    const part = distinct.slice(start, start + statementsPerAnswer)
    yield { kind: 'statements', statements: part, meaningless }
  }
}

const keyOf = ({ s, p, literal, o }: DocumentStatement): string => `${s} ${p} ${literal ?? ''} ${o}`

/** @throws every error that is not the document's */
function toRejection(error: unknown): DocumentAnswer {
  if (error instanceof TooLargeError)
    return { kind: 'rejected', reason: 'too large', message: error.message }
  if (error instanceof InvalidError || error instanceof RangeError)
    return { kind: 'rejected', reason: 'invalid', message: error.message }
  throw error
}
