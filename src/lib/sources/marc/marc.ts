// Reads MARC 21 in ISO 2709. A record that is broken is reported, and the next one begins after its
// terminator. Which encoding a record has is said by its leader, and checked.

import { createReadStream } from 'node:fs'

import { createYielder } from '../../scheduling.js'
import { countSequences, decodeText } from '../tables/encodings.js'
import { buildControlField, buildDataField, buildRecord, remarkOn } from './marc-records.js'
import { decodeMarc8 } from './marc8.js'
import { sourceLimits } from '../limits.js'
import type { SourceField, SourcePart, SourceRemark, SourceRow } from '../source.js'
import { hasUnimarcTags } from './unimarc.js'

const recordTerminator = 0x1d
const fieldTerminator = 0x1e
const subfieldDelimiter = 0x1f
const leaderLength = 24
const entryLength = 12

/**
 * Whether a file has the control characters that part fields and subfields; no other file has them.
 */
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

type RecordBytes = {
  readonly bytes: Buffer
  readonly problem?: string
  /** Whether its terminator is missing. */
  readonly isOpen?: true
}

/** The records without their terminators. */
async function* splitRecords(path: string): AsyncGenerator<RecordBytes> {
  let rest: Buffer = Buffer.alloc(0)
  /** Whether the record is too long, and passed over. */
  let isTooLong = false
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk as Buffer]) // Without an encoding, a stream has buffers.
    for (let end = rest.indexOf(recordTerminator); end >= 0; end = rest.indexOf(recordTerminator)) {
      if (!isTooLong) yield* splitAtLeaders(withoutLineEnds(rest.subarray(0, end)))
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
  for (const record of splitAtLeaders(withoutLineEnds(rest))) yield { ...record, isOpen: true }
}

/**
 * Some programs write a line end after each record, an end of file from the time of CP/M, or a byte
 * order mark.
 */
function withoutLineEnds(bytes: Buffer): Buffer {
  const isText = (byte: number): boolean => !between.includes(byte)
  const start = bytes.findIndex(isText)
  return start < 0 ? bytes.subarray(0, 0) : bytes.subarray(start, bytes.findLastIndex(isText) + 1)
}

const between: readonly number[] = [0x0a, 0x0d, 0x20, 0x00, 0x1a, 0xef, 0xbb, 0xbf]

/** A leader, and the beginning of the directory behind it. */
const leaderForm = /\d{5}[ -~]{5}\d\d(\d{5})[ -~]{7}(?=[0-9A-Za-z]{3}\d{9})/g

/**
 * A record whose terminator is missing has the next one behind it, which is known by its leader.
 */
function* splitAtLeaders(bytes: Buffer): Generator<RecordBytes> {
  if (bytes.length === 0) return
  let start = 0
  for (const { index, 1: base } of bytes.toString('latin1').matchAll(leaderForm)) {
    // The digits of a directory may look like a leader.
    const isInDirectory = index < bytes.indexOf(fieldTerminator, start)
    const leadsToData = bytes.indexOf(fieldTerminator, index) === index + Number(base) - 1
    if (index === start || isInDirectory || !leadsToData) continue
    yield { bytes: withoutLineEnds(bytes.subarray(start, index)), isOpen: true }
    start = index
  }
  yield { bytes: bytes.subarray(start) }
}

type ByteField = { readonly tag: string; readonly bytes: Buffer }

/** The fields, and what is wrong with the record. */
type ByteRecord = {
  readonly fields: readonly ByteField[]
  readonly problem?: string | undefined
  readonly remark?: string | undefined
}

function parseRecord(
  { bytes, problem, isOpen }: RecordBytes,
  number: number,
  encoding: string,
): SourceRow {
  const leader = bytes.toString('latin1', 0, leaderLength)
  const record = parseDirectory(bytes, leader)
  const { decode, remark } = chooseDecoding(bytes, saidEncoding(leader, record.fields), encoding)
  const parsed = record.fields.map(({ tag, bytes: content }) => parseField(tag, content, decode))
  const built = buildRecord([
    ...(leader.length === leaderLength ? [buildControlField('LDR', leader)] : []),
    ...parsed.flatMap(({ field }) => field ?? []),
  ])
  const isCut = isOpen && record.problem !== undefined
  const reason = problem ?? (isCut ? cutOff : (record.problem ?? built.problem))
  return {
    number,
    fields: built.fields,
    remarks: [
      ...(record.remark === undefined ? [] : [remarkOn('LDR', record.remark)]),
      ...(isOpen && !isCut ? [remarkOn('LDR', 'The terminator of the record is missing.')] : []),
      ...(remark ? [remark] : []),
      ...parsed.flatMap((parsedField) => parsedField.remarks),
      ...built.remarks,
    ],
    ...(reason === undefined ? {} : { problem: reason }),
  }
}

const cutOff = 'The record is cut off: its terminator is missing.'

/** In place of a tag or a code that cannot be known. */
const unknownTag = '???'
const unknownCode = '?'

function parseDirectory(bytes: Buffer, leader: string): ByteRecord {
  const directoryEnd = bytes.indexOf(fieldTerminator)
  if (leader.length < leaderLength || directoryEnd < leaderLength)
    return {
      fields: [{ tag: unknownTag, bytes: bytes.subarray(0, maxUnknownBytes) }],
      problem: 'The record has no directory.',
    }
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
  fields: readonly ByteField[],
): ByteRecord {
  const contents = splitAt(data, fieldTerminator).filter(({ length }) => length > 0)
  const isComplete = contents.length === entries.length
  const known = new Map(fields.map(({ tag, bytes }) => [bytes.byteOffset, tag]))
  const tagOf = (index: number): string =>
    /^[0-9A-Za-z]{3}/.exec(isComplete ? (entries[index] ?? '') : '')?.[0] ?? unknownTag
  return {
    fields: contents.map((bytes, index) => ({
      tag: known.get(bytes.byteOffset) ?? tagOf(index),
      bytes,
    })),
    problem: 'The directory of the record does not lead to its fields.',
  }
}

/** Of what is no record, enough to see what it is. */
const maxUnknownBytes = 2000

type Decoding = {
  readonly decode: (bytes: Buffer) => string
  readonly remark?: SourceRemark
}

const decodeUtf8 = (bytes: Buffer): string => bytes.toString('utf8').normalize('NFC')

type RecordEncoding = 'utf-8' | 'marc-8' | 'windows-1252'

const decoders: Readonly<Record<RecordEncoding, (bytes: Buffer) => string>> = {
  'utf-8': decodeUtf8,
  'marc-8': decodeMarc8,
  'windows-1252': (bytes) => decodeText(bytes, 'windows-1252'),
}

const encodingNames: Readonly<Record<RecordEncoding, string>> = {
  'utf-8': 'UTF-8',
  'marc-8': 'MARC-8',
  'windows-1252': 'Latin-1',
}

/** The leader of UNIMARC says nothing of it. */
const saidEncoding = (leader: string, fields: readonly ByteField[]): RecordEncoding | undefined =>
  hasUnimarcTags(fields.map(({ tag }) => tag)) ? undefined : leader[9] === 'a' ? 'utf-8' : 'marc-8'

const otherEncoding =
  'The record is not in UTF-8, and UNIMARC has encodings that are not read here. Accents may be wrong: export it in UTF-8.'

/**
 * Systems change the encoding and forget to say so, or the other way round; and a file may have
 * records of several systems. So each record is looked at by itself.
 */
function chooseDecoding(
  bytes: Buffer,
  said: RecordEncoding | undefined,
  encoding: string,
): Decoding {
  if (!Object.hasOwn(decoders, encoding))
    return { decode: (content) => decodeText(content, encoding) }
  if (isPlain(bytes)) return { decode: decodeUtf8 }
  const actual = encodingOf(bytes, encoding === 'windows-1252' ? encoding : (said ?? 'marc-8'))
  const decode = decoders[actual]
  if (actual === 'utf-8' && !isUtf8(bytes))
    return {
      decode,
      remark: remarkOn('LDR', 'The record is in UTF-8, but some characters are not.'),
    }
  if (said === undefined)
    return { decode, ...(actual === 'utf-8' ? {} : { remark: remarkOn('', otherEncoding) }) }
  // No leader can say Latin-1, so nothing is told of a file that has nothing else.
  if (actual === said || (actual === 'windows-1252' && actual === encoding)) return { decode }
  const message = `The leader says ${encodingNames[said]}, but the record is in ${encodingNames[actual]}.`
  return { decode, remark: remarkOn('LDR', message, 'repaired') }
}

/** @param otherwise that of a record whose bytes do not tell it */
function encodingOf(bytes: Buffer, otherwise: RecordEncoding): RecordEncoding {
  if (isUtf8(bytes)) return 'utf-8'
  const text = withoutCodes(bytes)
  if (otherwise === 'windows-1252') return otherwise
  const { valid, invalid } = countSequences(text)
  // A record that is in UTF-8 but for a few bytes is in nothing else.
  if (valid >= invalid && !text.includes('\x1b')) return 'utf-8'
  if (looksLikeLatin1(text)) return 'windows-1252'
  return /\x1b[()$,\-bgps]|[\xe0-\xfe][A-Za-z]/.test(text) ? 'marc-8' : otherwise
}

/** As Latin-1. The byte after a delimiter is a code, and no text. */
const withoutCodes = (bytes: Buffer): string => bytes.toString('latin1').replace(/\x1f[^]/g, '\x1f')

const isPlain = (bytes: Buffer): boolean => !/[\x1b\x80-\xff]/.test(withoutCodes(bytes))

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(withoutCodes(bytes), 'latin1'))
    return !bytes.includes(0x1b)
  } catch {
    return false
  }
}

type ParsedField = {
  /** Undefined for a field without text. */
  readonly field: SourceField | undefined
  readonly remarks: readonly SourceRemark[]
}

function parseField(tag: string, bytes: Buffer, decode: (bytes: Buffer) => string): ParsedField {
  if (bytes.length === 0)
    return { field: undefined, remarks: [remarkOn(tag, 'The field is empty.')] }
  if (tag.startsWith('00')) return { field: buildControlField(tag, decode(bytes)), remarks: [] }
  const [head = Buffer.alloc(0), ...subfields] = splitAt(bytes, subfieldDelimiter)
  if (subfields.length === 0) return parseUnpartedField(tag, decode(bytes))
  const remarks: SourceRemark[] = []
  if (head.length !== 2) remarks.push(remarkOn(tag, 'The field does not have two indicators.'))
  if (subfields.some(({ length }) => length === 0))
    remarks.push(remarkOn(tag, 'A delimiter of subfields has nothing after it.'))
  const parts = subfields.flatMap((subfield) => {
    // A code is one byte, whatever the encoding is.
    const code = String.fromCharCode(subfield[0] ?? 0x20)
    const text = decode(subfield.subarray(1)).trim()
    if (text === '') return []
    if (isCode.test(code)) return splitAtLostDelimiters({ code, text }, tag, remarks)
    remarks.push(remarkOn(tag, 'A subfield has no letter or digit as its code.'))
    return [{ code: unknownCode, text }]
  })
  const indicators = head.toString('latin1').padEnd(2).slice(0, 2)
  return { field: parts.length === 0 ? undefined : buildDataField(tag, indicators, parts), remarks }
}

const isCode = /^[!-~]$/

/** What stands for a delimiter in clear text. */
const marksOfSubfields: Readonly<Record<string, RegExp>> = {
  $: /\$(?=[a-z])/,
  '|': /\|(?=[a-z])/,
  '‡': /‡(?=[a-z])/,
}

/** A field without delimiters may have them in clear text, as `$a`. */
function parseUnpartedField(tag: string, text: string): ParsedField {
  const [, indicators, mark] = /^(.{2})([$|‡])[a-z]/s.exec(text) ?? []
  if (indicators === undefined || mark === undefined)
    return {
      field: buildDataField(tag, '  ', [{ code: unknownCode, text: text.trim() }]),
      remarks: [remarkOn(tag, 'The field has no subfields.')],
    }
  const parts = text
    .slice(2)
    .split(marksOfSubfields[mark] ?? mark)
    .slice(1)
    .map((part) => ({ code: part.charAt(0), text: part.slice(1).trim() }))
    .filter((part) => part.text !== '')
  return {
    field: buildDataField(tag, indicators, parts),
    remarks: [remarkOn(tag, `The subfields stand behind "${mark}" in place of delimiters.`)],
  }
}

/** What is left of a delimiter that a program took for a character that it did not know. */
const lostDelimiter = /(?<=[ :;/,=.])\uFFFD(?=[a-z][^\p{Ll}\s])/u

function splitAtLostDelimiters(
  part: SourcePart,
  tag: string,
  remarks: SourceRemark[],
): readonly SourcePart[] {
  if (!part.text.includes('\uFFFD')) return [part]
  const [text = '', ...others] = part.text.split(lostDelimiter)
  if (others.length > 0)
    remarks.push(
      remarkOn(tag, 'A delimiter of subfields was lost; it is put back before its code.'),
    )
  return [
    { ...part, text: text.trim() },
    ...others.map((other) => ({ code: other.charAt(0), text: other.slice(1).trim() })),
  ]
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
    else counts[encodingOf(bytes, 'marc-8')] += 1
  }
  if (counts['windows-1252'] > counts['marc-8'] + counts['utf-8']) return 'windows-1252'
  return counts['utf-8'] > counts['marc-8'] ? 'utf-8' : 'marc-8'
}

/**
 * In MARC-8 an accent stands before a letter that can have it. In Latin-1, an accented letter is as
 * often at the end of a word, which would be an accent over nothing.
 */
function looksLikeLatin1(text: string): boolean {
  // Escapes, and marks around what is not sorted, are of MARC-8.
  if (/[\x1b\x88\x89]/.test(text)) return false
  const high = text.match(/[\xa1-\xff]/g)?.length ?? 0
  if (high === 0) return false
  const overNothing = text.match(/[\xe0-\xfe](?![A-Za-z\xa1-\xbe\xe0-\xfe])/g)?.length ?? 0
  const decoded = decodeMarc8(Buffer.from(text, 'latin1'))
  const strange =
    decoded.match(/\uFFFD|\p{M}(?<![\u0360-\u0362\ufe20-\ufe2f])|[\u01cd-\u024f]/gu)?.length ?? 0
  return (overNothing > 0 && overNothing * 4 >= high) || strange * 2 >= high
}
