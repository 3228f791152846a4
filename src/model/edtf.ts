// Reads dates as EDTF writes them (ISO 8601-2, levels 0 to 2): which texts are valid, and which
// years they are of. What people write in other ways is left to dates.ts.

/** The years of a date; undefined where it has no beginning or no end. */
export type Years = {
  readonly earliest: number | undefined
  readonly latest: number | undefined
  /** The years and decades that it names, and those in between: `1985`, `199X`. */
  readonly named: readonly string[]
}

export type YearSpan = Pick<Years, 'earliest' | 'latest'>

/** A day, a month, a season, a year or several years of which one is meant. */
type CalendarDate = {
  readonly text: string
  /** Four digits, of which those that are not known are `X`. */
  readonly year: string
  /** The first and the last day that it may be, as numbers that compare. */
  readonly firstDay: number
  readonly lastDay: number
}

/** From one date to another; undefined stands for an open or unknown end. */
type Span = { readonly from: CalendarDate | undefined; readonly to: CalendarDate | undefined }

type ParsedDate = { readonly text: string; readonly spans: readonly Span[] }

/**
 * The text as EDTF writes it: sets in their order, a day without its time. Undefined where it is no
 * EDTF, or names no year that is meant: databases write 0000 and 0101-01-01 where they know none,
 * and MARC 9999.
 */
export const parseEdtf = (text: string): string | undefined => parse(text)?.text

/** The years of a date in EDTF; none of a text that is no EDTF. */
export function yearsOf(edtf: string): Years {
  const spans = parse(edtf)?.spans ?? []
  return {
    earliest: extreme(
      spans.map(({ from }) => from && firstYear(from)),
      Math.min,
    ),
    latest: extreme(
      spans.map(({ to }) => to && lastYear(to)),
      Math.max,
    ),
    named: [...new Set(spans.flatMap(namedYears))],
  }
}

/** The first or the last of some years; undefined where one is open, or there are none. */
export function extreme(
  years: readonly (number | undefined)[],
  choose: (...years: readonly number[]) => number,
): number | undefined {
  const known = years.filter((year) => year !== undefined)
  return known.length === 0 || known.length < years.length ? undefined : choose(...known)
}

function parse(text: string): ParsedDate | undefined {
  // Most texts that are no EDTF begin with a letter.
  if (!/^[\d[{.~?%/-]/.test(text)) return undefined
  const written = text.replaceAll('x', 'X')
  const [, opening, list, closing] = /^([[{])(.+)([\]}])$/.exec(written) ?? []
  if (opening !== undefined && list !== undefined)
    return (opening === '[') === (closing === ']') ? parseSet(opening, list) : undefined
  return written.includes('/') ? parseInterval(written) : parseSingle(written)
}

function parseSingle(text: string): ParsedDate | undefined {
  const date = parseCalendarDate(text)
  return date && { text: date.text, spans: [{ from: date, to: date }] }
}

function parseInterval(text: string): ParsedDate | undefined {
  const [start = '', end = '', ...others] = text.split('/').map((part) => part.trim())
  if (others.length > 0) return undefined
  const span = parseSpan(start, end, ['', '..'])
  return span && { text: `${span.from?.text ?? start}/${span.to?.text ?? end}`, spans: [span] }
}

/** One of several dates, `[1667,1670..1672]`, or all of them, `{1960,1961-12}`. */
function parseSet(opening: string, list: string): ParsedDate | undefined {
  const spans: Span[] = []
  const members = list.split(',').map((member) => member.trim())
  for (const member of members) {
    const [start = '', end = start, ...others] = member.split('..')
    const span = others.length === 0 ? parseSpan(start, end, ['']) : undefined
    if (!span) return undefined
    spans.push(span)
  }
  // A single date in brackets is one that a cataloguer supplied.
  if (members.length === 1 && !list.includes('..')) return undefined
  spans.sort((a, b) => (a.from?.firstDay ?? -Infinity) - (b.from?.firstDay ?? -Infinity))
  // Only the first can be open to the past, and only the last to the future.
  const isOrdered = spans.every(
    ({ from, to }, index) =>
      (from !== undefined || index === 0) && (to !== undefined || index === spans.length - 1),
  )
  const texts = spans.map(({ from, to }) =>
    from === to ? from?.text : `${from?.text ?? ''}..${to?.text ?? ''}`,
  )
  return isOrdered
    ? { text: opening + texts.join(',') + (opening === '[' ? ']' : '}'), spans }
    : undefined
}

/** @param open how an end is written that is open or unknown */
function parseSpan(start: string, end: string, open: readonly string[]): Span | undefined {
  const from = open.includes(start) ? undefined : parseCalendarDate(start)
  const to = end === start ? from : open.includes(end) ? undefined : parseCalendarDate(end)
  if (!from && !open.includes(start)) return undefined
  if (!to && !open.includes(end)) return undefined
  if (!from && !to) return undefined
  return (from?.firstDay ?? -Infinity) <= (to?.lastDay ?? Infinity) ? { from, to } : undefined
}

const datePattern =
  /^([~?%]?)(-?[\dX]{4})([~?%]?)(?:-([~?%]?)([\dX]{2})([~?%]?)(?:-([~?%]?)([\dX]{2})([~?%]?))?)?$/
const timePattern =
  /(?<=^\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-]\d\d(?::\d\d)?)?$/
/** A year of which so many digits are significant: `1950S2` is of 1900 to 1999. */
const significantPattern = /^(\d{4})S([123])$/

function parseCalendarDate(written: string): CalendarDate | undefined {
  const text = written
    .replace(timePattern, '')
    .replace(significantPattern, (_, year: string, digits: string) =>
      year.slice(0, Number(digits)).padEnd(4, 'X'),
    )
  const match = datePattern.exec(text)
  if (!match) return undefined
  const [, beforeYear, year, afterYear, ...rest] = Array.from(
    match,
    (group?: string) => group ?? '',
  )
  const [beforeMonth, month = '', afterMonth, beforeDay, day = '', afterDay] = rest
  const isDoubled = [beforeYear, beforeMonth, beforeDay].some(
    (mark, index) => mark && [afterYear, afterMonth, afterDay][index],
  )
  if (year === undefined || isDoubled || !isMeantYear(year)) return undefined
  const days = daysOf(year, month, day)
  if (!days) return undefined
  // A sign before a year alone says the same as behind it.
  const canonical = month === '' ? text.replace(/^([~?%])(.*)$/, '$2$1') : text
  return { text: canonical.replace(/-XX-XX$/, '-XX'), year, ...days }
}

/** Years before 1000 are those of databases that know none, unless they are before the year 1. */
const isMeantYear = (year: string): boolean =>
  year.startsWith('-')
    ? /^-\d{4}$/.test(year) && year !== '-0000'
    : /^[1-9]/.test(year) && year !== '9999'

/**
 * The first and the last day of a date, any digit of which may be `X`; undefined where there is no
 * such day. A month or day that is not said is empty.
 */
function daysOf(
  year: string,
  month: string,
  day: string,
): Pick<CalendarDate, 'firstDay' | 'lastDay'> | undefined {
  const isSeason = Number(month) > 20
  if (isSeason && (Number(month) > 41 || day !== '')) return undefined
  const possible = numbersLike(isSeason ? '' : month, 12).flatMap((number) =>
    numbersLike(day, daysInMonth(year, number)).map((dayNumber) => 100 * number + dayNumber),
  )
  const [first, last] = [possible[0], possible.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const [from, to] = [Number(withDigit(year, '0')), Number(withDigit(year, '9'))]
  return { firstDay: 10_000 * from + first, lastDay: 10_000 * to + last }
}

/** The numbers from 1 on that two digits may be; the first and the last one where it may be any. */
function numbersLike(digits: string, max: number): readonly number[] {
  if (digits === '' || digits === 'XX') return [1, max]
  const numbers = Array.from({ length: max }, (_, index) => index + 1)
  return numbers.filter((number) => {
    const written = String(number).padStart(2, '0')
    return Array.from(digits).every((digit, index) => digit === 'X' || digit === written[index])
  })
}

/** 29 in a February of a year that is not known. */
const daysInMonth = (year: string, month: number): number =>
  new Date(Date.UTC(year.includes('X') ? 2000 : Number(year), month, 0)).getUTCDate()

const withDigit = (year: string, digit: string): string => year.replaceAll('X', digit)

const firstYear = ({ year }: CalendarDate): number => Number(withDigit(year, '0'))

const lastYear = ({ year }: CalendarDate): number => Number(withDigit(year, '9'))

/** Between the ends of a span that is longer, no year is named. */
const maxYearsBetween = 100

function namedYears({ from, to }: Span): readonly string[] {
  const [first, last] = [from, to].map((date) => date?.year)
  for (const [pattern, step] of [
    [/^\d{4}$/, 1],
    [/^\d{3}X$/, 10],
  ] as const)
    if (first && last && pattern.test(first) && pattern.test(last))
      return yearsBetween(first, last, step)
  return [first, last]
    .filter((year) => year !== undefined)
    .filter((year) => /^\d{3}[\dX]$/.test(year))
}

function yearsBetween(first: string, last: string, step: number): readonly string[] {
  const [from, to] = [first, last].map((year) => Number(withDigit(year, '0'))) as [number, number]
  if (to - from > maxYearsBetween) return [first, last]
  return Array.from({ length: (to - from) / step + 1 }, (_, index) => {
    const year = String(from + step * index)
    return step === 1 ? year : `${year.slice(0, 3)}X`
  })
}
