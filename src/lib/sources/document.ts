// Reads files that are parsed as a whole, in a thread (document-worker.ts): BibTeX and RDF.

import { threadModule } from '../package-files.js'
import { sourceLimits } from './limits.js'
import { readInThread } from './reading-thread.js'
import type { SourceRow } from './source.js'

export type FileRequest = {
  readonly path: string
  readonly encoding: string
  readonly type: 'bibtex' | 'rdf'
}

/** @throws InvalidError */
export async function* readDocument(request: FileRequest): AsyncGenerator<SourceRow> {
  const batches = readInThread<FileRequest, SourceRow[]>({
    reader: threadModule('lib/sources/document-worker.js'),
    request,
    maxBytes: sourceLimits.documentBytes,
    what: 'file',
    advice: 'Divide it into several.',
  })
  for await (const rows of batches) yield* rows
}
