// Reads the dates that cataloguers write: XML Schema's years, months and days where a text is exact, and
// EDTF (ISO 8601-2) for what is approximate, uncertain, a season, a decade or a span. What a date means
// in MARC or BibTeX is left to these formats.

import { edtf, xsd } from '../rdf/namespaces.js'
import { type Literal, typedLiteral } from '../rdf/terms.js'

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const seasonNames = ['spring', 'summer', 'autumn', 'winter']

/** What a pattern's groups mean, in EDTF; undefined where it is no date after all. */
type ToEdtf = (groups: readonly string[]) => string | undefined

// One row for each way to write a date. The text has no brackets around it any more; letter case does not matter.
// prettier-ignore
const patterns: readonly (readonly [RegExp, ToEdtf])[] = [
  // As EDTF writes it, levels 0 and 1.
  [/^(\d{4})([~?%]?)$/, ([year = '', mark = '']) => year + mark],
  [/^(\d{4}-(?:0[1-9]|1[0-2]))([~?%]?)$/, ([date = '', mark = '']) => date + mark],
  [/^(\d{4}-\d\d-\d\d)([~?%]?)$/, ([date = '', mark = '']) => isDay(date) ? date + mark : undefined],
  [/^(\d{4}-2[1-4])([~?%]?)$/, ([date = '', mark = '']) => date + mark],
  [/^(\d{4})-XX(?:-XX)?$/i, ([year = '']) => `${year}-XX`],
  [/^(\d{3})X([~?%]?)$/i, ([decade = '', mark = '']) => `${decade}X${mark}`],
  [/^([\d-]{4,10}[~?%]?) ?\/ ?([\d-]{4,10}[~?%]?)$/, ([from = '', to = '']) => isCalendarDate(from) && isCalendarDate(to) && unmarked(from) < unmarked(to) ? `${from}/${to}` : undefined],
  // Years.
  [/^(?:c\.|c(?= )|ca\.?|circa|about|approximately|approx\.?|around) ?(\d{4})$/i, ([year = '']) => `${year}~`],
  [/^(\d{4}) \?$/, ([year = '']) => `${year}?`],
  // A copyright year is sure: `c1994` has neither full stop nor space.
  [/^(?:c|p|©|℗|copyright )(\d{4})$/i, ([year = '']) => year],
  // Decades.
  [/^(?:the |early |mid[ -]?|late )?(\d{3})0['’]?s$/i, ([decade = '']) => `${decade}X`],
  [/^(\d{3})0['’]?s ?\?$/, ([decade = '']) => `${decade}X?`],
  [/^(?:c\.|c(?= )|ca\.?|circa|about|approximately|approx\.?|around) ?(\d{3})0['’]?s$/i, ([decade = '']) => `${decade}X~`],
  [/^(\d{3})0['’]?s ?[-–/] ?(\d{3})0['’]?s$/, ([from = '', to = '']) => from < to ? `${from}X/${to}X` : undefined],
  [/^(\d{3})[-u]$/, ([decade = '']) => `${decade}X`],
  [/^(\d{3})(?:\?|-\?|u\?)$/, ([decade = '']) => `${decade}X?`],
  // Spans.
  [/^(\d{4}) ?[-–/] ?(\d{4})$/, ([from = '', to = '']) => from < to ? `${from}/${to}` : undefined],
  [/^between (\d{4}) and (\d{4}) ?\??$/i, ([from = '', to = '']) => from < to ? `${from}?/${to}?` : undefined],
  // Seasons; a winter of two years is that which begins in the first.
  [/^(spring|summer|autumn|fall|winter),? (\d{4})$/i, ([name = '', year = '']) => seasonOf(year, name)],
  [/^(\d{4}),? (spring|summer|autumn|fall|winter)$/i, ([year = '', name = '']) => seasonOf(year, name)],
  [/^winter,? (\d{4}) ?[-–/] ?(\d{4}|\d\d)$/i, ([from = '', to = '']) => winterOf(from, to)],
  [/^(\d{4}) ?[-–/] ?(\d{4}|\d\d),? winter$/i, ([from = '', to = '']) => winterOf(from, to)],
  // Months and days by name.
  [/^(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,? (\d{4})$/i, ([name = '', year = '']) => monthOf(year, name)],
  [/^(\d{4}),? (jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$/i, ([year = '', name = '']) => monthOf(year, name)],
  [/^(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i, ([name = '', day = '', year = '']) => dayOf(year, name, day)],
  [/^(\d{1,2})(?:st|nd|rd|th)?\.? (jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,? (\d{4})$/i, ([day = '', name = '', year = '']) => dayOf(year, name, day)],
]

/**
 * The date that a text says, typed. Where only its year is sure, as in `4/5/1998`, the year; undefined when
 * it says none.
 */
export function parseIssuedDate(date: string): Literal | undefined {
  const year = yearIn(date)
  return parseExactDate(date) ?? (year === undefined ? undefined : typedLiteral(year, xsd('gYear')))
}

/** The date that a text says and nothing beside it, typed; undefined where it says more, or no date. */
export function parseExactDate(date: string): Literal | undefined {
  // Cataloguers put in brackets what the zine itself does not say.
  const text = date.replace(/^\[(.*)\]$/, '$1')
  for (const [pattern, toEdtf] of patterns) {
    const match = pattern.exec(text)
    if (!match) continue
    const value = toEdtf(match.slice(1))
    return value === undefined ? undefined : typedLiteral(value, datatypeOf(value))
  }
  return undefined
}

/** The first and the last year of a date in EDTF, such as 1990 and 1999 of `199X`. */
export function yearsOf(value: string): { readonly first: string; readonly last: string } {
  const [from = '', to = from] = value.split('/')
  const yearOf = (date: string, digit: string): string => date.slice(0, 4).replaceAll('X', digit)
  return { first: yearOf(from, '0'), last: yearOf(to, '9') }
}

/** The first and the last year of all dates that can be read; undefined where none can. */
export function yearSpan(
  dates: readonly string[],
): { readonly earliest: number; readonly latest: number } | undefined {
  const spans = dates.flatMap((date) => {
    const issued = parseIssuedDate(date)
    return issued ? [yearsOf(issued.value)] : []
  })
  if (spans.length === 0) return undefined
  return {
    earliest: Math.min(...spans.map(({ first }) => Number(first))),
    latest: Math.max(...spans.map(({ last }) => Number(last))),
  }
}

/** The year that a text names, if it names one and no other: `11/23/1998`, `early 1994`. */
function yearIn(date: string): string | undefined {
  if (isOfAnotherYear.test(date)) return undefined
  const [year, ...others] = new Set(date.match(/(?<!\d)(?:1[89]|20)\d\d(?!\d|['’]?s\b)/g) ?? [])
  return others.length === 0 ? year : undefined
}

/** The year that is named is not the one that is meant. */
const isOfAnotherYear = /\b(?:before|after|pre|post|not)\b/i

function datatypeOf(value: string): Literal['datatype'] {
  if (/^\d{4}$/.test(value)) return xsd('gYear')
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(value)) return xsd('gYearMonth')
  return /^\d{4}-\d\d-\d\d$/.test(value) ? xsd('date') : edtf('EDTF')
}

/** Whether a text is a year, a month or a day as EDTF writes it, sure or not. */
function isCalendarDate(text: string): boolean {
  const [date, day] = /^\d{4}(?:-(?:0[1-9]|1[0-2])(-\d\d)?)?[~?%]?$/.exec(text) ?? []
  return date !== undefined && (day === undefined || isDay(date.slice(0, 10)))
}

/** An EDTF date without the sign that says how sure it is. */
const unmarked = (date: string): string => date.replace(/[~?%]$/, '')

const isDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)

// EDTF numbers seasons from 21, spring.
function seasonOf(year: string, name: string): string {
  return `${year}-${21 + seasonNames.indexOf(name.toLowerCase().replace('fall', 'autumn'))}`
}

/** A winter that ends in the year after the first one, which may be written with two digits. */
function winterOf(from: string, to: string): string | undefined {
  const next = String(Number(from) + 1)
  return to === next || to === next.slice(2) ? seasonOf(from, 'winter') : undefined
}

function monthOf(year: string, name: string): string {
  const number = monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1
  return `${year}-${String(number).padStart(2, '0')}`
}

function dayOf(year: string, name: string, day: string): string | undefined {
  const date = `${monthOf(year, name)}-${day.padStart(2, '0')}`
  return isDay(date) ? date : undefined
}
