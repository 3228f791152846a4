// The thread in which a file that is parsed as a whole is read (document.ts): BibTeX and RDF.

import { readFileSync } from 'node:fs'

import { answerRequests } from '../worker-thread.js'
import { readBibtex } from './bibtex.js'
import type { FileRequest } from './document.js'
import { decodeText } from './tables/encodings.js'
import { readRdf } from './rdf.js'
import type { SourceRow } from './source.js'

const batchSize = 500

answerRequests(async function* (request: FileRequest): AsyncGenerator<SourceRow[], void> {
  const { path, encoding, type } = request
  const text = decodeText(readFileSync(path), encoding).replace(/^\uFEFF/, '')
  const rows = type === 'bibtex' ? readBibtex(text) : await readRdf(text)
  for (let start = 0; start < rows.length; start += batchSize)
    yield rows.slice(start, start + batchSize)
})
