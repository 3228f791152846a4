// Reads the dates that cataloguers write: XML Schema's years, months and days where a text is
// exact, and EDTF for what is approximate, uncertain, a season, a decade, a span or one of several.
// What EDTF takes is left to edtf.ts, and what a date means in MARC or BibTeX to these formats.

import { edtf, xsd } from '../rdf/namespaces.js'
import { type Literal, typedLiteral } from '../rdf/terms.js'
import { type Years, extreme, parseEdtf, yearsOf } from './edtf.js'

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const seasonNames = ['spring', 'summer', 'autumn', 'winter']

/** What a pattern's groups mean, in EDTF; undefined where it is no date after all. */
type ToEdtf = (groups: readonly string[]) => string | undefined

type DatePattern = readonly [RegExp, ToEdtf]

// One row for each way to write a date. The text has no brackets around it any more; letter case
// does not matter.
// prettier-ignore
const datePatterns: readonly DatePattern[] = [
  // A copyright year is sure: `c1994` has neither full stop nor space.
  [/^(?:c|p|©|℗|copyright )(\d{4})$/i, ([year = '']) => year],
  // Decades and centuries.
  [/^(?:the |early |mid[ -]?|late )?(\d{3})0['’]?s$/i, ([decade = '']) => `${decade}X`],
  [/^(\d{3})-$/, ([decade = '']) => `${decade}X`],
  [/^(\d{3}-?)\?$/, ([decade = '']) => `${decade.slice(0, 3)}X?`],
  [/^(\d\d)(?:--|__)(\??)$/, ([century = '', mark = '']) => `${century}XX${mark}`],
  // As the draft of EDTF wrote digits that are not known.
  [/^(?=.*u)([\du]{4}(?:-[\du]{2}){0,2}\??)$/i, ([date = '']) => date.replaceAll(/u/gi, 'X')],
  [/^(\d\d)(\d\d) ?[-–/] ?(\d\d)$/, ([century = '', from = '', to = '']) => shortSpanOf(century, from, to)],
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

const circa = /^(?:c\.|c(?= )|ca\.?|circa|about|approximately|approx\.?|around) ?(.+)$/i

// Spans without a beginning or an end. The group is a date.
// prettier-ignore
const openPatterns: readonly (readonly [RegExp, (date: string) => string])[] = [
  [/^(?:since|from) (.+)$/i, (date) => `${date}/..`],
  [/^(.+?) ?[-–—/] ?(?:present|now|today|ongoing|current|open)?$/i, (date) => `${date}/..`],
  [/^(.+?) (?:to (?:present|now|date|today)|onwards?)$/i, (date) => `${date}/..`],
  [/^(.+?) ?[-–—/] ?(?:\?|unknown)$/i, (date) => `${date}/`],
  [/^(?:until|up to|[–—]) ?(.+)$/i, (date) => `../${date}`],
  [/^(?:\?|unknown) ?[-–—/] ?(.+)$/i, (date) => `/${date}`],
]

// What stands where a date would: a sign, or the words of several languages.
const noDatePattern =
  /^(?:[?.\-–—_x|u\s]*|0{1,4}|n\.?\s?[day]\.?|s\.?\s?[adf]\.?|s\/[adf]|o\.?\s?[dj]\.?|z\.?\s?j\.?|u\.?\s?å\.?|b\.?\s?[dr]\.?|б\.?\s?[дг]\.?|n\/a|none|null|no (?:date|year)|not dated|undated|unknown|unkown|(?:date|year) unknown|unknown (?:date|year)|(?:date|year)(?: of publication)? not (?:identified|known|given)|sin (?:fecha|año)|fecha desconocida|sans (?:date|année)|date inconnue|non daté|ohne (?:datum|jahr)|undatiert|senza data|sem data|zonder (?:datum|jaar)|udateret|odatera[dt]|bez (?:daty|data)|без (?:даты|года)|无日期|無日期|不明|刊年不明|연도미상)$/i

/** Whether a text says that there is no date, or that it is not known. */
export const saysNoDate = (text: string): boolean =>
  noDatePattern.test(
    text
      .trim()
      .replace(/^[[(<](.*)[\])>]$/, '$1')
      .trim(),
  )

/** A longer text is no date, though it may name a year. */
const maxLength = 100

/**
 * The date that a text says, typed. Where only years are sure, each of them: one of `4/5/1998`, two
 * of `1999 (reprint 2004)`.
 */
export function parseIssuedDates(date: string): readonly Literal[] {
  const exact = parseExactDate(date)
  return exact ? [exact] : yearsIn(date).map(typed)
}

/** The one date that a text says, typed; undefined when it says none or several. */
export function parseIssuedDate(date: string): Literal | undefined {
  const [issued, ...others] = parseIssuedDates(date)
  return others.length === 0 ? issued : undefined
}

/**
 * The date that a text says and nothing beside it, typed; undefined where it says more, or no date.
 */
export function parseExactDate(date: string): Literal | undefined {
  if (date.length > maxLength) return undefined
  // Cataloguers put in brackets what the zine itself does not say.
  const value = parseEdtf(date) ?? readWritten(date.replace(/^\[(.*)\]$/, '$1'))
  return value === undefined ? undefined : typed(value)
}

/** Whether a text names a year, though it may be dated with another one: `before 1994`. */
export const namesYear = (text: string): boolean =>
  parseIssuedDates(text).length > 0 || /(?<!\d)(?:1[89]|20)\d\d(?!\d)/.test(text)

/** The years of all dates: those that can be read; undefined where none can. */
export function yearsOfAll(dates: readonly string[]): Years | undefined {
  const years = dates.flatMap(parseIssuedDates).map(({ value }) => yearsOf(value))
  if (years.length === 0) return undefined
  return {
    earliest: extreme(
      years.map(({ earliest }) => earliest),
      Math.min,
    ),
    latest: extreme(
      years.map(({ latest }) => latest),
      Math.max,
    ),
    named: [...new Set(years.flatMap(({ named }) => named))],
  }
}

/** A date in EDTF with its type: one of XML Schema, where that has one. */
export const typed = (date: string): Literal => typedLiteral(date, datatypeOf(date))

const readWritten = (text: string): string | undefined =>
  readDate(text) ??
  readMarked(text, readSpan) ??
  readOpen(text) ??
  readSpan(text) ??
  readSeveral(text)

/** One date, sure or not. */
const readDate = (text: string): string | undefined =>
  readSureDate(text) ?? readMarked(text, readSureDate)

function readSureDate(text: string): string | undefined {
  const edtfDate = parseEdtf(text)
  if (edtfDate !== undefined) return edtfDate
  for (const [pattern, toEdtf] of datePatterns) {
    const match = pattern.exec(text)
    const value = match ? toEdtf(match.slice(1)) : undefined
    if (value !== undefined) return parseEdtf(value)
  }
  return undefined
}

type ReadText = (text: string) => string | undefined

/** `circa 1994` and `1994-1996?`: what is said of a span is said of both its ends. */
function readMarked(text: string, read: ReadText): string | undefined {
  const [, bounds] = /^between (.+)$/i.exec(text) ?? []
  if (bounds !== undefined)
    return marked(readSpan(bounds.replace(/ ?\?$/, '').replace(/ and /i, '/')), '?')
  const [, approximate] = circa.exec(text) ?? []
  if (approximate !== undefined) return marked(read(approximate), '~')
  const [, uncertain] = /^([^?]+)\?$/.exec(text) ?? []
  return uncertain === undefined ? undefined : marked(read(uncertain.trim()), '?')
}

function marked(date: string | undefined, mark: string): string | undefined {
  if (date === undefined) return undefined
  const ends = date.split('/').map((end) => end.replace(/[~?%]$/, '') + mark)
  return parseEdtf(ends.join('/'))
}

function readOpen(text: string): string | undefined {
  for (const [pattern, toEdtf] of openPatterns) {
    const date = readDate(pattern.exec(text)?.[1] ?? '')
    if (date !== undefined) return parseEdtf(toEdtf(date))
  }
  return undefined
}

/** `December 2002 - January 2003`: whatever stands between two dates. */
function readSpan(text: string): string | undefined {
  for (const { index, 0: between } of text.matchAll(/ ?[-–—/] ?| (?:to|until|through) /gi)) {
    const from = readDate(text.slice(0, index))
    const to = from === undefined ? undefined : readDate(text.slice(index + between.length))
    if (to !== undefined) return parseEdtf(`${from}/${to}`)
  }
  return undefined
}

/** `1989 or 1990` is one of them; `1994 and 1995` and `1991-1994, 1999` are all. */
function readSeveral(text: string): string | undefined {
  const dates = text
    .split(/ ?[,;&] ?| (?:and|or) /i)
    .map((part) => readDate(part) ?? readSpan(part)?.replace('/', '..'))
  if (dates.length < 2 || dates.includes(undefined)) return undefined
  const list = [...new Set(dates)].join(',')
  return parseEdtf(/ or /i.test(text) ? `[${list}]` : `{${list}}`)
}

/** The years that a text names, sorted: `11/23/1998`, `early 1994`. */
function yearsIn(text: string): readonly string[] {
  if (isOfAnotherYear.test(text)) return []
  // Not those before the year 1, nor `Y2006`, by which EDTF writes other years than that.
  const years = text.match(/(?<!\d|\by|(?:^|[^\w.\])])-)(?:1[89]|20)\d\d(?!\d|['’]?s\b)/gi) ?? []
  return [...new Set(years)].sort()
}

/** The year that is named is not the one that is meant. */
const isOfAnotherYear = /\b(?:before|after|pre|post|not)\b/i

function datatypeOf(value: string): Literal['datatype'] {
  if (/^\d{4}$/.test(value)) return xsd('gYear')
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(value)) return xsd('gYearMonth')
  return /^\d{4}-\d\d-\d\d$/.test(value) ? xsd('date') : edtf('EDTF')
}

// EDTF numbers seasons from 21, spring.
function seasonOf(year: string, name: string): string {
  return `${year}-${21 + seasonNames.indexOf(name.toLowerCase().replace('fall', 'autumn'))}`
}

/** A winter that ends in the year after the first one, which may be written with two digits. */
function winterOf(from: string, to: string): string | undefined {
  const next = String(Number(from) + 1)
  return to === next || to === next.slice(2) ? seasonOf(from, 'winter') : undefined
}

/** The century of the first year goes for the second: `1995-96`. */
export function shortSpanOf(century: string, from: string, to: string): string | undefined {
  return Number(to) > 12 && to > from ? `${century}${from}/${century}${to}` : undefined
}

function monthOf(year: string, name: string): string {
  const number = monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1
  return `${year}-${String(number).padStart(2, '0')}`
}

const dayOf = (year: string, name: string, day: string): string =>
  `${monthOf(year, name)}-${day.padStart(2, '0')}`
