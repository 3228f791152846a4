// The thread in which a file that is parsed as a whole is read (reading-thread.ts): BibTeX and RDF.
// It sends the rows.

import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

import { readBibtex } from './bibtex.js'
import type { DocumentRequest, FromDocument } from './document.js'
import { decodeText } from './tables/encodings.js'
import { readRdf } from './rdf.js'
import type { SourceRow } from './source.js'

const batchSize = 500

const { path, encoding, type } = workerData as DocumentRequest // As document.ts sends it.

function send(message: FromDocument): void {
  parentPort?.postMessage(message)
}

function sendRows(rows: readonly SourceRow[]): void {
  let start = 0
  const sendBatch = (): void => {
    if (start >= rows.length) send({ kind: 'end' })
    else send({ kind: 'rows', rows: rows.slice(start, start + batchSize) })
    start += batchSize
  }
  parentPort?.on('message', sendBatch)
  sendBatch()
}

try {
  const text = decodeText(readFileSync(path), encoding).replace(/^\uFEFF/, '')
  sendRows(type === 'bibtex' ? readBibtex(text) : await readRdf(text))
} catch (error) {
  send({ kind: 'error', message: `The file cannot be read: ${(error as Error).message}` })
}
