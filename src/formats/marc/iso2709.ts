// Writes a MARC record in ISO 2709, as MARC 21 uses it: a leader, a directory of the fields with
// their lengths and positions, and the fields. Lengths are counted in bytes of UTF-8.
//
// The directory has four digits for the length of a field and five for that of a record. What is
// longer is shortened (docs/reference/marc.md, "ISO 2709"), so that the file can always be read.

import { type DataField, type MarcRecord, plain } from './fields.js'

const recordTerminator = '\u001d'
const fieldTerminator = '\u001e'
const subfieldDelimiter = '\u001f'

/** The most bytes of a field with its terminator. */
const maxFieldBytes = 9999

/** The most bytes of a record. */
export const maxRecordBytes = 99_999

const leaderBytes = 24
const directoryEntryBytes = 12

type Field = { readonly tag: string; readonly text: string; readonly bytes: number }

export function serializeIso2709({ leader, control, data }: MarcRecord): string {
  const controlFields = control.map(([tag, text]) =>
    fieldOf(tag, cut(withoutControls(text), maxTextBytes)),
  )
  const fields = withinRecord(leader, [...controlFields, ...data.map(toField)])
  const base = leaderBytes + fields.length * directoryEntryBytes + 1
  const bytes = fields.reduce((sum, field) => sum + field.bytes, base) + 1
  return [
    digits(bytes, 5),
    leader.slice(5, 12),
    digits(base, 5),
    leader.slice(17),
    directoryOf(fields),
    fieldTerminator,
    ...fields.map(({ text }) => text),
    recordTerminator,
  ].join('')
}

/** The spaces of a control field have their positions, so they all stay. */
const withoutControls = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]/gu, '')

/** Lone surrogates, which UTF-8 cannot have, are left out as in MARCXML. */
const toText = (text: string): string => plain(text).replace(/\p{Cs}/gu, '')

function directoryOf(fields: readonly Field[]): string {
  let position = 0
  return fields
    .map(({ tag, bytes }) => {
      const entry = tag + digits(bytes, 4) + digits(position, 5)
      position += bytes
      return entry
    })
    .join('')
}

const digits = (number: number, length: number): string => String(number).padStart(length, '0')

const fieldOf = (tag: string, content: string): Field => ({
  tag,
  text: content + fieldTerminator,
  bytes: Buffer.byteLength(content) + 1,
})

/** The bytes of a field without its terminator. */
const maxTextBytes = maxFieldBytes - 1

/** The bytes of a subfield besides its text: the delimiter and the code. */
const subfieldBytes = 2

/** A field has the subfields that it has space for; the last of them is cut. */
function toField({ tag, indicators, subfields }: DataField): Field {
  let content = indicators.replaceAll('_', ' ')
  let space = maxTextBytes - content.length
  for (const [code, text] of subfields) {
    const part = cut(toText(text), space - subfieldBytes)
    if (part === '') break
    content += subfieldDelimiter + code + part
    space -= Buffer.byteLength(part) + subfieldBytes
  }
  return fieldOf(tag, content)
}

const ellipsis = '…'
const encoder = new TextEncoder()
const buffer = new Uint8Array(maxFieldBytes)

/** The text, or as much of it as so many bytes have space for, with an ellipsis at its end. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const space = bytes - Buffer.byteLength(ellipsis)
  if (space <= 0) return ''
  return text.slice(0, encoder.encodeInto(text, buffer.subarray(0, space)).read) + ellipsis
}

/**
 * The fields that a record has space for, in their order. The first field of each tag goes before
 * those that repeat it, other fields before notes (5XX), and earlier fields before later ones. A
 * note says how many are missing.
 */
function withinRecord(leader: string, fields: readonly Field[]): readonly Field[] {
  const weigh = ({ bytes }: Field): number => bytes + directoryEntryBytes
  // The leader, the end of the directory and the end of the record.
  const space = maxRecordBytes - leaderBytes - 2
  if (fields.reduce((sum, field) => sum + weigh(field), 0) <= space) return fields
  const notice = (count: number): Field => noticeOf(leader, count)
  let left = space - weigh(notice(fields.length))
  const fittingFields = new Set<Field>()
  for (const field of byImportance(fields)) {
    if (weigh(field) > left) continue
    left -= weigh(field)
    fittingFields.add(field)
  }
  return insertByTag(
    fields.filter((field) => fittingFields.has(field)),
    notice(fields.length - fittingFields.size),
  )
}

function byImportance(fields: readonly Field[]): readonly Field[] {
  const firsts = new Set(new Map(fields.toReversed().map((field) => [field.tag, field])).values())
  const rank = (field: Field): number =>
    (firsts.has(field) ? 0 : 2) + (field.tag.startsWith('5') ? 1 : 0)
  return fields.toSorted((a, b) => rank(a) - rank(b))
}

// A note of a bibliographic record, and one of an authority record, whose 5XX are references.
const noticeOf = (leader: string, count: number): Field =>
  fieldOf(
    leader[6] === 'z' ? '667' : '500',
    `  ${subfieldDelimiter}aThis record is shortened: ${count} fields had no space in ISO 2709.`,
  )

function insertByTag(fields: readonly Field[], field: Field): readonly Field[] {
  const next = fields.findIndex(({ tag }) => tag > field.tag)
  return next < 0 ? [...fields, field] : fields.toSpliced(next, 0, field)
}
