// What the readers of reference managers' formats have in common: how a date is put together, and
// which of our own exports' notes are fields that the format has no place for (formats/citation.ts,
// `detailNotesOf`).

import { type SourceField, textField } from './source.js'

/** The beginnings of these notes, and the source field that the rest of the note is. */
const noteFields: readonly (readonly [string, string])[] = [
  ['Date: ', 'note: date'],
  ['Contents: ', 'note: contents'],
  ['Issue: ', 'note: issue'],
]

/** A note, under the name of the field that it says. */
export function noteField(name: string, text: string): SourceField {
  const [start = '', field = name] = noteFields.find(([start]) => text.startsWith(start)) ?? []
  return textField(field, text.slice(start.length))
}

/**
 * The fields without a year that another field repeats with all that is known: `1998`, where a date
 * says `1998-05` or a note `Date: circa 1998`.
 */
export function withoutRepeatedYear(
  fields: readonly SourceField[],
  dateNames: readonly string[],
): readonly SourceField[] {
  const dates = fields.filter(({ name }) => dateNames.includes(name)).map(textOf)
  const [noted = ''] = (
    fields.filter(({ name }) => name === 'note: date').map(textOf)[0] ?? ''
  ).split('; ')
  const isRepeated = (date: string): boolean =>
    noted.includes(date) || dates.some((other) => other.startsWith(`${date}-`))
  return fields.filter((field) => !dateNames.includes(field.name) || !isRepeated(textOf(field)))
}

const textOf = ({ parts }: SourceField): string => parts[0]?.text ?? ''

/** A date in ISO 8601 as far as its parts are numbers: `1998-05`. */
export const joinDate = (year: string, month = '', day = ''): string =>
  [year, month, day]
    .filter(Boolean)
    .map((part, index) => part.padStart(index === 0 ? 4 : 2, '0'))
    .join('-')

const seasons = ['Spring', 'Summer', 'Autumn', 'Winter']

/** A season in words, by its number from 1. */
export const seasonName = (number: number): string | undefined => seasons[number - 1]

/**
 * `2003-24`, a season in EDTF, in words; other dates as they are. A span of years is written alike
 * elsewhere.
 */
export const withSeasonName = (date: string): string =>
  date.replace(/^(\d{4})-2([1-4])$/, (_, year: string, season: string) =>
    [seasonName(Number(season)), year].join(' '),
  )
