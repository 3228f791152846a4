// Computes the coded values of a bibliographic record: Leader/07, 007 and 008 (MARC 21).

import { parseIssuedDate } from '../../model/dates.js'
import { yearsOf } from '../../model/edtf.js'
import type { RecordAccessor, LabelledCode } from '../record-accessor.js'

/** Zines in the Library of Congress Genre/Form Terms. */
export const zineGenre = 'http://id.loc.gov/authorities/genreForms/gf2014026210'

/**
 * Leader/07: a record of a run of issues is a serial, any other a monograph. A record describes a
 * run when its date is a span of years and it has no issue designation.
 */
export const levelOf = (zine: RecordAccessor): 's' | 'm' =>
  zine.text('issue_designation') === '' && isSpan(dateOf(zine)) ? 's' : 'm'

type MarcDates =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'year' | 'questionable' | 'detailed' | 'ended' | 'current' | 'unknown end'
      readonly first: string
      readonly second: string
    }

const isSpan = ({ kind }: MarcDates): boolean => ['ended', 'current', 'unknown end'].includes(kind)

/** The first date with a year. A year that is not known is `uuuu`. */
function dateOf(zine: RecordAccessor): MarcDates {
  for (const date of zine.values('date')) {
    const value = parseIssuedDate(date)?.value
    if (value === undefined) continue
    const { earliest, latest } = yearsOf(value)
    const [first, last] = [earliest ?? 'uuuu', latest ?? 'uuuu'].map(String)
    const isPossible = [first, last].every((year) => /^[\du]{4}$/.test(year ?? ''))
    if (first === undefined || last === undefined || !isPossible) continue
    if (value.endsWith('/..')) return { kind: 'current', first, second: '9999' }
    if (value.endsWith('/')) return { kind: 'unknown end', first, second: last }
    if (first !== last && /^[\d.-]*\/[\d-]+$/.test(value))
      return { kind: 'ended', first, second: last }
    if (first !== last) return { kind: 'questionable', first, second: last }
    // Seasons, whose numbers in EDTF begin at 21, are not months.
    const [, month = '', day = ''] = /^\d{4}-([01]\d)(?:-(\d\d))?$/.exec(value) ?? []
    return { kind: month ? 'detailed' : 'year', first, second: month + day }
  }
  return { kind: 'none' }
}

/** 008/06-14: the kind of date and two dates. */
export function datesOf(zine: RecordAccessor): string {
  const date = dateOf(zine)
  return date.kind === 'none'
    ? 'nuuuuuuuu'
    : dateTypes[date.kind](levelOf(zine)) + date.first + date.second.padEnd(4)
}

// Single, questionable, detailed; a span is the life of a serial, else questionable too, or several
// dates of which the last is open.
const dateTypes = {
  year: () => 's',
  questionable: () => 'q',
  detailed: () => 'e',
  ended: (level: 's' | 'm') => (level === 's' ? 'd' : 'q'),
  current: (level: 's' | 'm') => (level === 's' ? 'c' : 'm'),
  'unknown end': (level: 's' | 'm') => (level === 's' ? 'u' : 'm'),
}

/**
 * 008/18-34; `|` means "no attempt to code": illustrations, audience, contents, index and so on.
 */
export function fixedCodes(zine: RecordAccessor): string {
  const item = carriersOf(zine).every(({ physical }) => physical.startsWith('c')) ? 'o' : ' '
  return levelOf(zine) === 's' ? `uu p ${item}|||| 0   |0` : `|||| ${item}|||| 00| ||`
}

/** 008/35-37: the first language. */
export const languageOf = (zine: RecordAccessor): string =>
  zine.codes('language').flatMap(languageCodes)[0] ?? 'und'

const iso6392 = 'http://id.loc.gov/vocabulary/iso639-2/'

/** MARC's codes of a language, which are the bibliographic codes of ISO 639-2. */
export const languageCodes = ({ matches }: LabelledCode): readonly string[] =>
  matches.filter((match) => match.startsWith(iso6392)).map((match) => match.slice(iso6392.length))

/** The physical form of a zine: 007, RDA's media type and RDA's carrier type. */
export type Carrier = {
  readonly physical: string
  readonly media: readonly [term: string, code: string]
  readonly carrier: readonly [term: string, code: string]
}

const unmediated = ['unmediated', 'n'] as const
const volume: Carrier = { physical: 'ta', media: unmediated, carrier: ['volume', 'nc'] }
const singleSheet: Carrier = { physical: 'ta', media: unmediated, carrier: ['sheet', 'nb'] }
const online: Carrier = {
  // Of an electronic resource all 14 positions are there; these are not coded.
  physical: 'cr |||||||||||',
  media: ['computer', 'c'],
  carrier: ['online resource', 'cr'],
}

// The formats that are not volumes.
const carriers = new Map([
  ...['broadside', 'poster', 'postcard', 'single-sheet'].map(
    (code) => [code, singleSheet] as const,
  ),
  ...['digital', 'epub', 'image-files', 'pdf', 'plain-text', 'web-page'].map(
    (code) => [code, online] as const,
  ),
])

/** The carriers of a zine, each once; a volume where it has no format. */
export function carriersOf(zine: RecordAccessor): readonly Carrier[] {
  const carriersOfFormats = zine.values('format').map((code) => carriers.get(code) ?? volume)
  return carriersOfFormats.length > 0 ? [...new Set(carriersOfFormats)] : [volume]
}
