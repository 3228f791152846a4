// The parts of a MARC record, and the functions from which the tables of authority.ts,
// bibliographic.ts and holdings.ts build its fields.

import type { RecordAccessor, LabelledCode } from '../record-accessor.js'

/** Pairs of code and text, in the order of the field. */
export type Subfields = readonly (readonly [code: string, text: string])[]

export type DataField = {
  readonly tag: string
  /** Both indicators, a blank written as `_`. */
  readonly indicators: string
  readonly subfields: Subfields
}

export type MarcRecord = {
  readonly leader: string
  readonly control: readonly (readonly [tag: string, text: string])[]
  readonly data: readonly DataField[]
}

/** Builds the MARC fields of one field of a record: the subfields of each. */
export type BuildField = (
  source: RecordAccessor,
  from: string,
) => readonly (Subfields | FieldWithIndicators)[]

/** Subfields with other indicators than the row's. */
export type FieldWithIndicators = { readonly indicators: string; readonly subfields: Subfields }

/**
 * One row of a crosswalk: the MARC field, the field of the record, and the function that builds it.
 */
export type MarcField = readonly [tag: string, indicators: string, from: string, build: BuildField]

/** Builds the fields of a record, in the order of the rows. */
export const fieldsOf = (rows: readonly MarcField[], source: RecordAccessor): DataField[] =>
  rows.flatMap(([tag, indicators, from, build]) =>
    build(source, from)
      .map((built) => ('subfields' in built ? built : { indicators, subfields: built }))
      .flatMap(({ indicators: ownIndicators, subfields }) =>
        splitLongField(subfields).map((part) => ({
          tag,
          indicators: ownIndicators,
          subfields: part,
        })),
      )
      .filter(({ subfields }) => subfields.length > 0),
  )

/** Subfields from alternating codes and texts; those without a text are left out. */
export function subfields(...codesAndTexts: readonly string[]): Subfields {
  return codesAndTexts.flatMap((code, index) => {
    const text = plain(codesAndTexts[index + 1] ?? '')
    return index % 2 === 0 && text !== '' ? [[code, text] as const] : []
  })
}

/** A field for each value. */
export const eachValue =
  (code: string): BuildField =>
  (source, from) =>
    source.values(from).map((value) => subfields(code, value))

/** A field for each code: its label, the scheme, and its IRI. */
export const codedTerms =
  (scheme: string): BuildField =>
  (source, from) =>
    source.codes(from).map((term) => vocabularyTermIn(scheme, term))

export const vocabularyTermIn = (scheme: string, { label, uri }: LabelledCode): Subfields =>
  subfields('a', label, '2', scheme, '0', uri)

/** The same field in every record. */
export const constant =
  (...codesAndTexts: readonly string[]): BuildField =>
  () => [subfields(...codesAndTexts)]

/**
 * Subfields with ISBD punctuation between them. Each element is given with the mark that precedes
 * it; MARC has this mark at the end of the subfield before.
 */
export function isbd(
  ...elements: readonly (readonly [code: string, mark: string, text: string])[]
): Subfields {
  const filled = elements.filter(([, , text]) => plain(text) !== '')
  return filled.map(([code, , text], index) => {
    const mark = filled[index + 1]?.[1] ?? ''
    const trimmed = plain(text)
    return [code, mark !== '' && trimmed.endsWith(mark) ? trimmed : trimmed + mark]
  })
}

/** The text on one line and without control characters, which MARC does not allow. */
export const plain = (text: string): string => text.replace(separators, ' ').trim()

// Not a space between two words, which stays as it is: most texts are not changed at all.
const separators = /(?: {2}| ?(?:[^\S ]|[\p{Cc}\ufffe\uffff]))[\s\p{Cc}\ufffe\uffff]*/gu

/** A time in ISO 8601 as field 005 has it: 20261120091502.0 */
export const transactionOf = (time: string): string =>
  `${time.replace(/\D/g, '').slice(0, 14).padEnd(14, '0')}.0`

/** The date of a time in ISO 8601 as field 008 has it: 261120 */
export const enteredOf = (time: string): string =>
  time.replace(/\D/g, '').slice(2, 8).padStart(6, '0')

// A field of ISO 2709, the usual file format of MARC, has at most 9,999 bytes. Only notes can be
// longer; they consist of a single $a and are split into several fields.
const maxFieldBytes = 9000

function splitLongField(subfields: Subfields): readonly Subfields[] {
  const [first, ...others] = subfields
  if (!first || others.length > 0 || Buffer.byteLength(first[1]) <= maxFieldBytes)
    return [subfields]
  const [code, text] = first
  return linesOf(text).map((line) => [[code, line]])
}

const encoder = new TextEncoder()
const line = new Uint8Array(maxFieldBytes)

/**
 * The text in lines that a field has space for, cut at spaces, or anywhere in a word that is longer
 * than a field. Nothing is looked at more than a few times, however long the text is.
 */
function linesOf(text: string): readonly string[] {
  const lines: string[] = []
  let start = 0
  while (start < text.length) {
    const end = start + encoder.encodeInto(text.slice(start, start + maxFieldBytes), line).read
    const isWholeWord = end === text.length || text[end] === ' '
    const space = isWholeWord ? -1 : text.slice(start, end).lastIndexOf(' ')
    const cut = space > 0 ? start + space : end
    lines.push(text.slice(start, cut))
    start = text[cut] === ' ' ? cut + 1 : cut
  }
  return lines
}
