// Reads MARC 21 in ISO 2709. A record that is broken is reported, and the next one begins after its
// terminator. Which encoding a record has is said by its leader, and checked.

import { createReadStream } from 'node:fs'

import { createYielder } from '../../scheduling.js'
import { decodeText } from './encodings.js'
import { buildControlField, buildDataField } from './marc-records.js'
import { decodeMarc8 } from './marc8.js'
import { sourceLimits } from './limits.js'
import type { SourceField, SourceRemark, SourceRow } from './source.js'

const recordTerminator = 0x1d
const fieldTerminator = 0x1e
const subfieldDelimiter = 0x1f
const leaderLength = 24
const entryLength = 12

/** Whether a file has the control characters that part fields and subfields; no other file has them. */
export const looksLikeMarc = (start: Buffer): boolean =>
  start.includes(fieldTerminator) && start.includes(subfieldDelimiter)

/**
 * @param encoding `marc-8` and `utf-8` are checked for each record; any other is taken as it is
 */
export async function* readMarc(path: string, encoding: string): AsyncGenerator<SourceRow> {
  const maybeYield = createYielder()
  let number = 0
  for await (const record of splitRecords(path)) {
    await maybeYield()
    number += 1
    yield parseRecord(record, number, encoding)
  }
}

type RecordBytes = { readonly bytes: Buffer; readonly problem?: string }

/** The records without their terminators. */
async function* splitRecords(path: string): AsyncGenerator<RecordBytes> {
  let rest: Buffer = Buffer.alloc(0)
  /** Whether the record is too long, and passed over. */
  let isTooLong = false
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk as Buffer]) // Without an encoding, a stream has buffers.
    for (let end = rest.indexOf(recordTerminator); end >= 0; end = rest.indexOf(recordTerminator)) {
      if (!isTooLong) yield* withoutLineEnds(rest.subarray(0, end))
      isTooLong = false
      rest = rest.subarray(end + 1)
    }
    if (rest.length > sourceLimits.rowCharacters) {
      if (!isTooLong)
        yield { bytes: rest.subarray(0, 100_000), problem: 'The record does not end.' }
      isTooLong = true
      rest = Buffer.alloc(0)
    }
  }
  if (isTooLong) return
  for (const record of withoutLineEnds(rest))
    yield { ...record, problem: 'The record is cut off: its terminator is missing.' }
}

/** Some programs write a line end after each record, or an end of file from the time of CP/M. */
function withoutLineEnds(bytes: Buffer): readonly RecordBytes[] {
  const start = bytes.findIndex((byte) => ![0x0a, 0x0d, 0x20, 0x00, 0x1a].includes(byte))
  return start < 0 ? [] : [{ bytes: bytes.subarray(start) }]
}

type ByteField = { readonly tag: string; readonly bytes: Buffer }

/** The fields, and what is wrong with the record. */
type ByteRecord = {
  readonly fields: readonly ByteField[]
  readonly problem?: string | undefined
  readonly remark?: string | undefined
}

function parseRecord({ bytes, problem }: RecordBytes, number: number, encoding: string): SourceRow {
  const leader = bytes.toString('latin1', 0, leaderLength)
  const record = parseDirectory(bytes, leader)
  const decoding = chooseDecoding(bytes, leader, encoding)
  const fields = record.fields.map(({ tag, bytes: content }) =>
    parseField(tag, content, decoding.decode),
  )
  const remarks = [
    ...(record.remark === undefined ? [] : [remarkOn('damaged', record.remark)]),
    ...(decoding.remark ? [decoding.remark] : []),
  ]
  const reason = problem ?? record.problem
  return {
    number,
    fields: [
      ...(leader.length === leaderLength ? [buildControlField('LDR', leader)] : []),
      ...fields.filter(({ parts }) => parts.length > 0),
    ],
    remarks,
    ...(reason === undefined ? {} : { problem: reason }),
  }
}

const remarkOn = (kind: SourceRemark['kind'], message: string): SourceRemark => ({
  kind,
  field: 'LDR',
  message,
})

function parseDirectory(bytes: Buffer, leader: string): ByteRecord {
  const directoryEnd = bytes.indexOf(fieldTerminator)
  if (leader.length < leaderLength || directoryEnd < leaderLength)
    return { fields: [], problem: 'The record has no directory.' }
  const directory = bytes.toString('latin1', leaderLength, directoryEnd)
  const entries = directory.match(/[^]{12}/g) ?? []
  const base = Number(leader.slice(12, 17))
  const fields = entries.flatMap((entry) => {
    const field = readEntry(bytes, base, entry)
    return field ? [field] : []
  })
  const isWhole =
    base === directoryEnd + 1 &&
    directory.length % entryLength === 0 &&
    entries.length > 0 &&
    fields.length === entries.length
  if (isWhole) {
    const length = Number(leader.slice(0, 5))
    // A record of more than 99,999 bytes cannot say how long it is.
    const isRight = length === bytes.length + 1 || bytes.length >= 99_999
    return {
      fields,
      remark: isRight
        ? undefined
        : `The leader says that the record has ${leader.slice(0, 5)} bytes, but it has ${bytes.length + 1}.`,
    }
  }
  return recoverFields(bytes.subarray(directoryEnd + 1), entries, fields)
}

function readEntry(bytes: Buffer, base: number, entry: string): ByteField | undefined {
  if (!/^[0-9A-Za-z]{3}\d{9}$/.test(entry)) return undefined
  const length = Number(entry.slice(3, 7))
  const start = base + Number(entry.slice(7, 12))
  const end = start + length - 1
  if (length < 1 || bytes[end] !== fieldTerminator || bytes[start - 1] !== fieldTerminator)
    return undefined
  const content = bytes.subarray(start, end)
  return content.includes(fieldTerminator) ? undefined : { tag: entry.slice(0, 3), bytes: content }
}

/** Reads the fields by their terminators, where the directory does not lead to them. */
function recoverFields(
  data: Buffer,
  entries: readonly string[],
  found: readonly ByteField[],
): ByteRecord {
  const contents: Buffer[] = []
  let start = 0
  for (
    let end = data.indexOf(fieldTerminator);
    end >= 0;
    end = data.indexOf(fieldTerminator, start)
  ) {
    contents.push(data.subarray(start, end))
    start = end + 1
  }
  const problem = 'The directory of the record does not lead to its fields.'
  if (contents.length !== entries.length) return { fields: found, problem }
  const fields = contents.map((bytes, index) => ({ tag: entries[index]?.slice(0, 3) ?? '', bytes }))
  return { fields: fields.filter(({ tag }) => /^[0-9A-Za-z]{3}$/.test(tag)), problem }
}

type Decoding = {
  readonly decode: (bytes: Buffer) => string
  readonly remark?: SourceRemark
}

const decodeUtf8 = (bytes: Buffer): string => bytes.toString('utf8').normalize('NFC')

/** Systems change the encoding and forget to say so, or the other way round. */
function chooseDecoding(bytes: Buffer, leader: string, encoding: string): Decoding {
  if (encoding !== 'marc-8' && encoding !== 'utf-8')
    return { decode: (content) => decodeText(content, encoding) }
  const saysUtf8 = leader[9] === 'a'
  if (isPlain(bytes)) return { decode: decodeUtf8 }
  if (isUtf8(bytes)) return saysUtf8 ? { decode: decodeUtf8 } : silentUtf8
  if (!saysUtf8) return { decode: decodeMarc8 }
  // A record that is in UTF-8 but for a few bytes is not in MARC-8.
  return looksLikeMarc8(bytes) ? silentMarc8 : damagedUtf8
}

const silentUtf8: Decoding = {
  decode: decodeUtf8,
  remark: remarkOn('repaired', 'The leader says MARC-8, but the record is in UTF-8.'),
}

const silentMarc8: Decoding = {
  decode: decodeMarc8,
  remark: remarkOn('repaired', 'The leader says UTF-8, but the record is in MARC-8.'),
}

const damagedUtf8: Decoding = {
  decode: decodeUtf8,
  remark: remarkOn('damaged', 'The leader says UTF-8, but some characters are not.'),
}

const isPlain = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80 && byte !== 0x1b)

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return !bytes.includes(0x1b)
  } catch {
    return false
  }
}

/** An escape, or accents before letters, and no sequences of UTF-8. */
const looksLikeMarc8 = (bytes: Buffer): boolean =>
  /\x1b[()$,\-bgps]/.test(bytes.toString('latin1')) ||
  (/[\xe0-\xfe][A-Za-z]/.test(bytes.toString('latin1')) &&
    !/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}/.test(bytes.toString('latin1')))

function parseField(tag: string, bytes: Buffer, decode: (bytes: Buffer) => string): SourceField {
  if (tag.startsWith('00')) return buildControlField(tag, decode(bytes))
  const [head, ...subfields] = splitAt(bytes, subfieldDelimiter)
  const parts = subfields
    .map((subfield) => {
      const text = decode(subfield)
      return { code: text.slice(0, 1), text: text.slice(1).trim() }
    })
    .filter(({ text }) => text !== '')
  return buildDataField(tag, (head?.toString('latin1') ?? '').padEnd(2).slice(0, 2), parts)
}

function splitAt(bytes: Buffer, separator: number): readonly Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(separator); end >= 0; end = bytes.indexOf(separator, start)) {
    parts.push(bytes.subarray(start, end))
    start = end + 1
  }
  return [...parts, bytes.subarray(start)]
}

/** Enough to see which encodings the records have. */
const sampleRecords = 500

/** The encoding of most records: Windows-1252 if they are neither in UTF-8 nor in MARC-8. */
export async function recognizeMarcEncoding(path: string): Promise<string> {
  const counts = { 'utf-8': 0, 'marc-8': 0, 'windows-1252': 0 }
  let records = 0
  for await (const { bytes } of splitRecords(path)) {
    records += 1
    if (records > sampleRecords) break
    if (isPlain(bytes)) counts[bytes[9] === 0x61 ? 'utf-8' : 'marc-8'] += 0.01
    else if (isUtf8(bytes)) counts['utf-8'] += 1
    else if (looksLikeLatin1(bytes)) counts['windows-1252'] += 1
    else counts['marc-8'] += 1
  }
  if (counts['windows-1252'] > counts['marc-8'] + counts['utf-8']) return 'windows-1252'
  return counts['utf-8'] > counts['marc-8'] ? 'utf-8' : 'marc-8'
}

/**
 * In MARC-8 an accent stands before a letter. In Latin-1, accented letters are as often at the end of a word, which
 * would be an accent over nothing.
 */
function looksLikeLatin1(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  if (text.includes('\x1b')) return false
  const accents = text.match(/[\xe0-\xfe]/g)?.length ?? 0
  const overVowels = text.match(/[\xe0-\xfe][aeiouyAEIOUYcnszlrgdtCNSZLRGDT]/g)?.length ?? 0
  const overNothing = text.match(/[\xe0-\xfe][^A-Za-z\xa1-\xbe\xe0-\xfe]/g)?.length ?? 0
  return accents > 0 && overNothing > 0 && overNothing * 3 >= overVowels
}
