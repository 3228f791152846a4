// Serializes zines and holdings as CSL-JSON, the input of citation processors such as citeproc and
// pandoc (docs/reference/citations.md, "CSL-JSON"). One record is an array too, as the schema of
// CSL-JSON has it.

import { parseIssuedDate, saysNoDate } from '../model/dates.js'
import type { ResolvedRecord } from '../model/record/views.js'
import { withheldName } from '../model/record/title.js'
import {
  citedCopy,
  detailNotesOf,
  identifiersOfKind,
  isEditor,
  personalName,
  publishersOf,
} from './citation.js'
import { type AccessorDependencies, type RecordAccessor, accessRecord } from './record-accessor.js'
import type { Format, RecordSerializer } from './serializer.js'

export const cslJson: Format = {
  name: 'csljson',
  title: 'CSL-JSON',
  type: 'application/vnd.citationstyles.csl+json',
  extension: 'json',
  isLinkedLast: true,
}

type CslName = Readonly<Record<string, string>>
type CslDate = Readonly<Record<string, unknown>>
type CslValue = string | readonly CslName[] | CslDate

/** A variable, and its value; an empty text or list leaves the variable out. */
export type CslVariable = readonly [name: string, valueOf: (zine: RecordAccessor) => CslValue]

// prettier-ignore
export const cslVariables: readonly CslVariable[] = [
  // variable           from
  ['id',                (zine) => zine.id],
  ['type',              () => 'book'], // many programs do not know the newer type `pamphlet`
  ['genre',             () => 'Zine'],
  ['title',             (zine) => zine.text('title')],
  ['collection-title',  (zine) => joinTexts(zine.values('series_title'))],
  ['issue',             (zine) => zine.text('issue_designation')],
  ['edition',           (zine) => joinTexts(zine.values('edition_statement'))],
  ['author',            (zine) => zine.references('creator').map(nameOf)],
  ['editor',            (zine) => zine.related('contributor').filter(isEditor).map(nameOf)],
  ['publisher',         (zine) => joinTexts(publishersOf(zine))],
  ['publisher-place',   (zine) => joinTexts(zine.values('place_of_publication'))],
  ['issued',            (zine) => dateOf(zine.values('date')[0] ?? '')],
  ['number-of-pages',   (zine) => zine.text('number_of_pages')],
  ['dimensions',        (zine) => zine.text('physical_dimensions')],
  ['language',          (zine) => zine.values('language')[0] ?? ''],
  ['ISBN',              (zine) => identifiersOfKind(zine, 'isbn').join(' ')],
  ['ISSN',              (zine) => identifiersOfKind(zine, 'issn').join(' ')],
  ['DOI',               (zine) => identifiersOfKind(zine, 'doi')[0] ?? ''],
  ['URL',               (zine) => identifiersOfKind(zine, 'url')[0] ?? zine.iri],
  ['keyword',           (zine) => [...zine.codes('subject'), ...zine.codes('genre')].map(({ label }) => label.replaceAll(',', ';')).join(', ')],
  ['abstract',          (zine) => zine.text('abstract')],
  ['annote',            (zine) => zine.text('table_of_contents')],
  ['note',              (zine) => detailNotesOf(zine).join('\n')],
]

export function cslJsonSerializer(dependencies: AccessorDependencies): RecordSerializer {
  const serialize = (record: ResolvedRecord): string => {
    const source = accessRecord(dependencies, record)
    return JSON.stringify(
      record.resource.name === 'holdings' ? holdingItem(source) : zineItem(source),
    )
  }
  return {
    ...cslJson,
    record: (record) => `[${serialize(record)}]\n`,
    listStart: () => '[',
    listItem: (record, index) => `${index === 0 ? '' : ','}\n${serialize(record)}`,
    listEnd: () => '\n]\n',
  }
}

/**
 * The item of a zine or a holding for styles to print. They print no issue of a book, so the title
 * says it; what no style prints is left out.
 */
export function citedItem(dependencies: AccessorDependencies, record: ResolvedRecord): CslItem {
  const source = accessRecord(dependencies, record)
  const { issue = '', ...item } =
    record.resource.name === 'holdings' ? holdingItem(source) : zineItem(source)
  const printed = Object.entries(item).filter(([name]) => !unprinted.includes(name))
  const title = [item.title, issue].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
  return {
    ...Object.fromEntries(printed),
    title: title.join(', '),
  }
}

const unprinted = ['keyword', 'abstract', 'annote', 'note', 'number-of-pages', 'dimensions']

export type CslItem = Readonly<Record<string, CslValue>>

const zineItem = (zine: RecordAccessor): CslItem =>
  withoutEmpty(Object.fromEntries(cslVariables.map(([name, valueOf]) => [name, valueOf(zine)])))

/**
 * The item of the zine under the holding's identifier, with the library and where the copy is
 * there.
 */
function holdingItem(holding: RecordAccessor): CslItem {
  const { zine, library } = citedCopy(holding)
  return withoutEmpty({
    ...zineItem(zine),
    id: holding.id,
    URL: holding.text('digital_url') || holding.iri,
    archive: library,
    archive_location: holding.text('location'),
    'call-number': holding.text('call_number'),
    note: [...detailNotesOf(zine), ...holding.values('notes')].join('\n'),
  })
}

const withoutEmpty = (item: CslItem): CslItem =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

const joinTexts = (values: readonly string[]): string => values.join('; ')

function nameOf(agent: RecordAccessor | undefined): CslName {
  if (!agent) return { literal: withheldName }
  const name = personalName(agent)
  if (!name) return { literal: agent.text('display_name') }
  const { family, given, suffix } = name
  return { family, given, ...(suffix === undefined ? {} : { suffix }) }
}

/** A year, month or day, a season, or a span of years; what is none of these stays a text. Empty where it says that there is no date. */
function dateOf(text: string): CslDate | '' {
  if (saysNoDate(text)) return ''
  const value = parseIssuedDate(text)?.value ?? ''
  const ends = value.split('/').map((end) => datePattern.exec(end))
  const [season] = ends.map((end) => Number(end?.[2] ?? 0) - 20).filter((number) => number > 0)
  // A date has one season.
  const isSpanOfSeasons = season !== undefined && ends.length > 1
  if (ends.includes(null) || isSpanOfSeasons) return { literal: text }
  const isRough = /[~?%]/.test(value)
  return {
    'date-parts': ends.map((end) =>
      [end?.[1], season === undefined ? end?.[2] : undefined, end?.[3]].flatMap((part) =>
        part === undefined ? [] : [Number(part)],
      ),
    ),
    ...(season === undefined ? {} : { season }),
    ...(isRough ? { circa: true } : {}),
  }
}

const datePattern = /^(\d{4})(?:-(0\d|1[0-2]|2[1-4])(?:-(\d\d))?)?[~?%]?$/
