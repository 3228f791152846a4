// Reads one answer of another catalogue that is in memory: OAI-PMH or SRU, with the records inside
// of it.

import { createYielder } from '../scheduling.js'
import { decodeText, encodingName } from './tables/encodings.js'
import { declaredEncoding } from './marc/xml-file.js'
import { type OaiAnswer, type XmlRecord, XmlRecordReader } from './marc/xml-records.js'

export type XmlAnswer = { readonly records: readonly XmlRecord[]; readonly answer: OaiAnswer }

/** Small, so that a piece of XML takes only a few milliseconds. */
const pieceLength = 16_384

export async function readXmlAnswer(body: Buffer): Promise<XmlAnswer> {
  const declared = declaredEncoding(body.toString('latin1', 0, 200)) ?? 'utf-8'
  const text = decodeText(body, encodingName(declared)).replace(/^\uFEFF/, '')
  const reader = new XmlRecordReader()
  const maybeYield = createYielder()
  const records: XmlRecord[] = []
  for (let start = 0; start < text.length; start += pieceLength) {
    records.push(...reader.read(text.slice(start, start + pieceLength)))
    await maybeYield()
  }
  records.push(...reader.end())
  return { records, answer: reader.answer() }
}
