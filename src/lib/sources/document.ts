// Reads files that are parsed as a whole, in a thread (document-worker.ts): BibTeX and RDF.

import { sourceLimits } from './limits.js'
import { readInThread } from './reading-thread.js'
import type { SourceRow } from './source.js'

export type DocumentRequest = {
  readonly path: string
  readonly encoding: string
  readonly type: 'bibtex' | 'rdf'
}

export type FromDocument =
  | { readonly kind: 'rows'; readonly rows: readonly SourceRow[] }
  | { readonly kind: 'end' }
  /** The message is for people. */
  | { readonly kind: 'error'; readonly message: string }

/** @throws InvalidError */
export async function* readDocument(request: DocumentRequest): AsyncGenerator<SourceRow> {
  const messages = readInThread<FromDocument>({
    worker: new URL('./document-worker.js', import.meta.url),
    request,
    maxBytes: sourceLimits.documentBytes,
    what: 'file',
    advice: 'Divide it into several.',
  })
  for await (const message of messages) if (message.kind === 'rows') yield* message.rows
}
