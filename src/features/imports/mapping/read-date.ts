// Reads the dates of sources into those that the field `date` takes
// (docs/reference/import-profiles.md, "How values are read"). What the model understands stays as
// it was written.

import { namesYear, parseExactDate, saysNoDate, shortSpanOf } from '../../../model/dates.js'
import { parseEdtf } from '../../../model/edtf.js'
import { cleanLine, withoutEnd } from './text.js'

export type ReadDate = {
  readonly values: readonly string[]
  /** Why the text is no date, or is one that was not understood. */
  readonly problem?: string
}

/** What may stand behind a date. */
const marks = ' ,;:.'

const noDate: ReadDate = { values: [] }

/** What Excel makes of `3/00` and `2013-02`: the text that was typed is lost. */
const mangled = /^(?:\d{1,2}-\p{L}{3}|\p{L}{3}-\d{2})$/u

// prettier-ignore
const rewritings: readonly (readonly [RegExp, (groups: readonly string[]) => string | undefined])[] = [
  [/^(\d{4})\.0$/, ([year = '']) => year],
  [/^(\d{4})-\?\?$/, ([year = '']) => `${year}-XX`],
  [/^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d.*$/, ([day = '']) => day],
  [/^(\d{4})(\d\d)(\d\d)$/, ([year = '', month = '', day = '']) => dayOf(year, month, day)],
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, ([year = '', month = '', day = '']) => dayOf(year, month, day)],
  [/^(\d{4})[-/.](\d{1,2})$/, ([year = '', month = '']) => monthOf(year, month)],
  [/^(\d{1,2})[-/.](\d{4})$/, ([month = '', year = '']) => monthOf(year, month)],
  [/^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?: \d.*)?$/, ([first = '', second = '', year = '']) => clearDayOf(year, first, second)],
  [/^(\d\d)(\d\d) ?[-–/] ?(\d\d)$/, ([century = '', from = '', to = '']) => shortSpanOf(century, from, to)?.replace('/', '-')],
]

export function readDate(text: string): ReadDate {
  const written = withoutUnmatched(withoutEnd(cleanLine(text), marks))
  const bare = written.replace(/^[[(<](.*)[\])>]$/, '$1').trim()
  if (saysNoDate(bare)) return noDate
  if (mangled.test(bare))
    return {
      values: [],
      problem:
        'A spreadsheet program has turned the date into a day or month; what was written is lost.',
    }
  // What EDTF takes is no other date: `2001-21` is a spring.
  if ([written, bare].some((date) => parseEdtf(date) === date)) return { values: [written] }
  return (
    rewritten(bare) ??
    severalDates(written) ??
    dated(written) ?? { values: [], problem: 'This is not understood as a date.' }
  )
}

/** Brackets of which there are not as many as of the others are slips. */
function withoutUnmatched(text: string): string {
  const isMatched = (opening: string, closing: string): boolean =>
    text.split(opening).length === text.split(closing).length
  return ['[]', '()', '{}', '<>']
    .filter(([opening = '', closing = '']) => !isMatched(opening, closing))
    .reduce(
      (rest, pair) =>
        Array.from(pair).reduce((stripped, bracket) => stripped.replaceAll(bracket, ''), rest),
      text,
    )
    .trim()
}

function rewritten(text: string): ReadDate | undefined {
  for (const [pattern, rewrite] of rewritings) {
    const match = pattern.exec(text)
    const value = match ? rewrite(match.slice(1)) : undefined
    if (value !== undefined && parseExactDate(value)) return { values: [value] }
  }
  return undefined
}

const dated = (text: string): ReadDate | undefined =>
  namesYear(text) ? { values: [text] } : undefined

/** `2003, c2002` and `1994; 1996`. */
function severalDates(text: string): ReadDate | undefined {
  const dates = text.split(/[,;]/).map((date) => withoutUnmatched(withoutEnd(date.trim(), marks)))
  return dates.length > 1 && dates.every(namesYear) ? { values: dates } : undefined
}

const padded = (number: string): string => number.padStart(2, '0')

const monthOf = (year: string, month: string): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 ? `${year}-${padded(month)}` : undefined

const dayOf = (year: string, month: string, day: string): string | undefined =>
  monthOf(year, month) && Number(day) >= 1 ? `${year}-${padded(month)}-${padded(day)}` : undefined

/**
 * Of two numbers before a year, that above 12 is the day. Else nobody knows, and the text stays.
 */
function clearDayOf(year: string, first: string, second: string): string | undefined {
  if (Number(first) > 12) return dayOf(year, second, first)
  return Number(second) > 12 || first === second ? dayOf(year, first, second) : undefined
}
