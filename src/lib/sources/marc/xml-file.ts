// Reads files of MARCXML, and saved answers of OAI-PMH.

import { createReadStream } from 'node:fs'

import { createYielder } from '../../scheduling.js'
import { readText } from '../tables/encodings.js'
import type { SourceRow } from '../source.js'
import { XmlRecordReader } from './xml-records.js'

/** Small, so that a piece of XML takes only a few milliseconds. */
const pieceLength = 16_384

export async function* readXmlFile(path: string, encoding: string): AsyncGenerator<SourceRow> {
  const reader = new XmlRecordReader()
  const maybeYield = createYielder()
  let number = 0
  for await (const text of readText(path, encoding))
    for (let start = 0; start < text.length; start += pieceLength) {
      await maybeYield()
      for (const record of reader.read(text.slice(start, start + pieceLength)))
        yield { number: (number += 1), ...record }
    }
  for (const record of reader.end()) yield { number: (number += 1), ...record }
}

/** The start of a file as Latin-1, without the zeros of UTF-16: enough to see names of elements. */
export async function readStart(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path, { end: 65_535 })) return chunk as Buffer // Without an encoding, a stream has buffers.
  return Buffer.alloc(0)
}

/** The encoding that the first line of an XML file names. */
export const declaredEncoding = (start: string): string | undefined =>
  /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]
