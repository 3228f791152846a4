// What a MARC record is made of, and what the rows of the three crosswalks are made with.

import type { RecordAccessor, LabelledCode } from '../record-accessor.js'

/** Code and text, in the order in which they stand in the field. */
export type Subfields = readonly (readonly [code: string, text: string])[]

export type DataField = {
  readonly tag: string
  /** Both, a blank written as `_`. */
  readonly indicators: string
  readonly subfields: Subfields
}

export type MarcRecord = {
  readonly leader: string
  readonly control: readonly (readonly [tag: string, text: string])[]
  readonly data: readonly DataField[]
}

/** What one field of ours becomes: the subfields of each field of MARC. */
export type BuildField = (
  source: RecordAccessor,
  from: string,
) => readonly (Subfields | FieldWithIndicators)[]

/** Subfields whose indicators are others than the row's. */
export type FieldWithIndicators = { readonly indicators: string; readonly subfields: Subfields }

/** One row of a crosswalk: where it goes, what it is from, and how. */
export type MarcField = readonly [tag: string, indicators: string, from: string, make: BuildField]

/** The fields that the rows make of a record, in the order of the rows. */
export const fieldsOf = (rows: readonly MarcField[], source: RecordAccessor): DataField[] =>
  rows.flatMap(([tag, indicators, from, make]) =>
    make(source, from)
      .map((made) => ('subfields' in made ? made : { indicators, subfields: made }))
      .flatMap(({ indicators: marks, subfields }) =>
        split(subfields).map((part) => ({ tag, indicators: marks, subfields: part })),
      )
      .filter(({ subfields }) => subfields.length > 0),
  )

/** Subfields from codes and texts in turn; those without a text are left out. */
export function subfields(...codesAndTexts: readonly string[]): Subfields {
  return codesAndTexts.flatMap((code, index) => {
    const text = plain(codesAndTexts[index + 1] ?? '')
    return index % 2 === 0 && text !== '' ? [[code, text] as const] : []
  })
}

/** Each value in a field of its own. */
export const eachValue =
  (code: string): BuildField =>
  (source, from) =>
    source.values(from).map((value) => subfields(code, value))

/** Each term: its label, the scheme that it is of, and its IRI. */
export const codedTerms =
  (scheme: string): BuildField =>
  (source, from) =>
    source.codes(from).map((term) => vocabularyTermIn(scheme, term))

export const vocabularyTermIn = (scheme: string, { label, uri }: LabelledCode): Subfields =>
  subfields('a', label, '2', scheme, '0', uri)

/** The same in every record. */
export const constant =
  (...codesAndTexts: readonly string[]): BuildField =>
  () => [subfields(...codesAndTexts)]

/**
 * Subfields with the punctuation that ISBD puts between elements: each with the mark before it, which
 * MARC keeps at the end of the subfield that it follows.
 */
export function isbd(
  ...elements: readonly (readonly [code: string, mark: string, text: string])[]
): Subfields {
  const filled = elements.filter(([, , text]) => plain(text) !== '')
  return filled.map(([code, , text], index) => {
    const mark = filled[index + 1]?.[1] ?? ''
    const kept = plain(text)
    return [code, mark !== '' && kept.endsWith(mark) ? kept : kept + mark]
  })
}

/** On one line and without control characters: MARC has neither. */
export const plain = (text: string): string => text.replace(/[\s\p{Cc}\ufffe\uffff]+/gu, ' ').trim()

/** ISO 8601 as the control fields have it: 20261120091502.0 and 261120. */
export const transactionOf = (time: string): string =>
  `${time.replace(/\D/g, '').slice(0, 14).padEnd(14, '0')}.0`

export const enteredOf = (time: string): string =>
  time.replace(/\D/g, '').slice(2, 8).padStart(6, '0')

// A field of ISO 2709, in which MARC is mostly kept, has at most 9,999 bytes. Only notes are longer than
// that: one that is, a single $a, is told in several.
const longest = 9000

function split(subfields: Subfields): readonly Subfields[] {
  const [first, ...others] = subfields
  if (!first || others.length > 0 || Buffer.byteLength(first[1]) <= longest) return [subfields]
  const [code, text] = first
  const parts = ['']
  for (const word of text.split(' ').flatMap(pieces)) {
    const longer = `${parts.at(-1) ?? ''} ${word}`.trimStart()
    if (Buffer.byteLength(longer) <= longest) parts[parts.length - 1] = longer
    else parts.push(word)
  }
  return parts.filter(Boolean).map((part) => [[code, part]])
}

// A word of thousands of characters is none, and cut where it has to be; four bytes is the most a character takes.
function pieces(word: string): readonly string[] {
  const characters = Buffer.byteLength(word) <= longest ? [] : Array.from(word)
  if (characters.length === 0) return [word]
  const size = longest / 4
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
}
