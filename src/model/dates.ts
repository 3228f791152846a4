// What a cataloguer wrote for a date, as a date that can be compared, where it says one: XML Schema's
// years, months and days, and EDTF (ISO 8601-2) for what is approximate, a season or a span.

import { edtf, xsd } from '../rdf/namespaces.js'
import { type Literal, typedLiteral } from '../rdf/terms.js'

const seasons = ['spring', 'summer', 'autumn', 'winter']
const about = String.raw`(?:c\.?|ca\.?|circa|about)`

type DatePattern = readonly [RegExp, (...parts: string[]) => Literal | undefined]

const extended = (value: string): Literal => typedLiteral(value, edtf('EDTF'))

// prettier-ignore
const forms: readonly DatePattern[] = [
  [/^(\d{4})$/, (year = '') => typedLiteral(year, xsd('gYear'))],
  [/^(\d{4}-(?:0[1-9]|1[0-2]))$/, (month = '') => typedLiteral(month, xsd('gYearMonth'))],
  [/^(\d{4}-\d\d-\d\d)$/, (day = '') => isDay(day) ? typedLiteral(day, xsd('date')) : undefined],
  [new RegExp(`^${about} ?(\\d{4})$`, 'i'), (year) => extended(`${year}~`)],
  [/^(\d{4}) ?\?$/, (year) => extended(`${year}?`)],
  [/^(\d{4}) ?[-–/] ?(\d{4})$/, (from = '', to = '') => from < to ? extended(`${from}/${to}`) : undefined],
  [/^(\d{3})0s$/, (decade) => extended(`${decade}X`)],
  [/^(spring|summer|autumn|fall|winter),? (\d{4})$/i, (season = '', year) => extended(`${year}-${seasonCode(season)}`)],
]

/**
 * The date that a text says, typed; its year alone where nothing else of it is sure, as in `4/5/1998`;
 * undefined when it says none.
 */
export function parseIssuedDate(date: string): Literal | undefined {
  const year = yearIn(date)
  return parseExactDate(date) ?? (year === undefined ? undefined : typedLiteral(year, xsd('gYear')))
}

/** The date that a text says and nothing beside it, typed. */
export function parseExactDate(date: string): Literal | undefined {
  // Cataloguers put in brackets what the thing itself does not say.
  const said = date.replace(/^\[(.*)\]$/, '$1')
  for (const [pattern, make] of forms) {
    const match = pattern.exec(said)
    if (match) return make(...match.slice(1))
  }
  return undefined
}

/** The year that a text names, if it names one and no other: `11/23/1998`, `early 1994`. */
function yearIn(date: string): string | undefined {
  if (elsewhere.test(date)) return undefined
  const [year, ...others] = new Set(date.match(/(?<!\d)(?:1[89]|20)\d\d(?!\d)/g) ?? [])
  return others.length === 0 ? year : undefined
}

/** The year that is named is not the one that is meant. */
const elsewhere = /\b(?:before|after|pre|post|not)\b/i

const isDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)

const seasonCode = (season: string): number =>
  21 + seasons.indexOf(season.toLowerCase().replace('fall', 'autumn'))
