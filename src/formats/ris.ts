// Serializes zines and holdings as RIS, which nearly every reference manager reads
// (docs/reference/citations.md, "RIS"). Each line is a tag of two characters and a value. The text
// is UTF-8.

import { parseIssuedDate } from '../model/dates.js'
import type { ResolvedRecord } from '../model/record/views.js'
import { withheldName } from '../model/record/title.js'
import {
  citedCopy,
  detailNotesOf,
  isExactDate,
  identifiersOfKind,
  isEditor,
  personalName,
  publishersOf,
  splitLines,
} from './citation.js'
import { type AccessorDependencies, type RecordAccessor, accessRecord } from './record-accessor.js'
import type { Format, RecordSerializer } from './serializer.js'

/** A tag, and its values; each has a line of its own. */
export type RisField = readonly [tag: string, valuesOf: (zine: RecordAccessor) => readonly string[]]

// prettier-ignore
export const risFields: readonly RisField[] = [
  // tag from
  ['TY', () => ['BOOK']], // Zotero and others make a manuscript of a pamphlet, PAMP
  ['ID', (zine) => [zine.id]],
  ['TI', (zine) => zine.values('title')],
  ['T3', (zine) => zine.values('series_title')],
  ['IS', (zine) => zine.values('issue_designation')],
  ['AU', (zine) => zine.references('creator').map(authorName)],
  ['ED', (zine) => zine.related('contributor').filter(isEditor).map(authorName)],
  ['ET', (zine) => zine.values('edition_statement')],
  ['PB', publishersOf],
  ['CY', (zine) => zine.values('place_of_publication')],
  ['PY', (zine) => dateOf(zine).year],
  ['DA', (zine) => dateOf(zine).date],
  ['M3', () => ['Zine']],
  ['SP', (zine) => zine.values('number_of_pages')],
  ['LA', (zine) => zine.codes('language').map(({ label }) => label)],
  ['SN', (zine) => [...identifiersOfKind(zine, 'isbn'), ...identifiersOfKind(zine, 'issn')]],
  ['DO', (zine) => identifiersOfKind(zine, 'doi')],
  ['UR', (zine) => [identifiersOfKind(zine, 'url')[0] ?? zine.iri]],
  ['KW', (zine) => [...zine.codes('subject'), ...zine.codes('genre')].map(({ label }) => label)],
  ['AB', (zine) => zine.values('abstract')],
  ['N1', (zine) => detailNotesOf(zine, saysDate)],
  ['N1', (zine) => zine.values('table_of_contents').map((text) => `Contents: ${splitLines(text).join(' -- ')}`)],
]

export const ris: Format = {
  name: 'ris',
  title: 'RIS',
  type: 'application/x-research-info-systems',
  isLinkedLast: true,
}

export function risSerializer(dependencies: AccessorDependencies): RecordSerializer {
  const serialize = (record: ResolvedRecord): string => {
    const source = accessRecord(dependencies, record)
    return record.resource.name === 'holdings' ? holdingEntry(source) : entry(linesOf(source))
  }
  return {
    ...ris,
    record: serialize,
    listStart: () => '',
    listItem: serialize,
    listEnd: () => '',
  }
}

type Line = readonly [tag: string, value: string]

const linesOf = (zine: RecordAccessor): readonly Line[] =>
  risFields.flatMap(([tag, valuesOf]) => valuesOf(zine).map((value): Line => [tag, value]))

/** The entry of the zine under the holding's identifier, with the library and the call number. */
function holdingEntry(holding: RecordAccessor): string {
  const { zine, shelfMark } = citedCopy(holding)
  const ofZine = linesOf(zine).filter(([tag]) => !['ID', 'UR'].includes(tag))
  const [type, ...others] = ofZine
  return entry([
    ...(type ? [type] : []),
    ['ID', holding.id],
    ...others,
    ['UR', holding.text('digital_url') || holding.iri],
    ['AV', shelfMark],
    ['CN', holding.text('call_number')],
    ...holding.values('notes').map((note): Line => ['N1', note]),
  ])
}

const entry = (lines: readonly Line[]): string =>
  [...lines.filter(([, value]) => value !== ''), ['ER', ''] as const]
    .map(([tag, value]) => `${tag}  - ${onOneLine(value)}\r\n`)
    .join('')

const onOneLine = (value: string): string => value.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** `Surname, Forenames, Suffix`; other names as they are. */
function authorName(agent: RecordAccessor | undefined): string {
  if (!agent) return withheldName
  const name = personalName(agent)
  if (!name) return agent.text('display_name')
  return [name.family, name.given, name.suffix].filter(Boolean).join(', ')
}

const seasons = ['Spring', 'Summer', 'Autumn', 'Winter']

/**
 * The year, and the date as `YYYY/MM/DD/other`, of the first date; none where it names no single
 * year.
 */
function dateOf(zine: RecordAccessor): {
  readonly year: readonly string[]
  readonly date: readonly string[]
} {
  const value = parseIssuedDate(zine.values('date')[0] ?? '')?.value ?? ''
  const [, year, part = '', day = ''] = datePattern.exec(value) ?? []
  if (year === undefined) return { year: [], date: [] }
  const season = seasons[Number(part) - 21]
  const date = season ? `${year}///${season}` : `${year}/${part}/${day}/`
  return { year: [year], date: part === '' ? [] : [date] }
}

/** Decades, spans, and what is not certain have no tag. */
const saysDate = (date: string): boolean =>
  isExactDate(date) && /^\d{4}(?:-\d\d){0,2}$/.test(parseIssuedDate(date)?.value ?? '')

const datePattern = /^(\d{4})(?:-(0\d|1[0-2]|2[1-4])(?:-(\d\d))?)?[~?%]?$/
