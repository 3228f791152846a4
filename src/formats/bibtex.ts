// BibTeX: a zine as an entry, a holding as its zine with library and shelf mark (mapping: 4, 5).
//
// UTF-8, with TeX's special characters written as commands. Those of braces have no braces in them but
// pairs: BibTeX counts braces whether a backslash is before them or not, so `\}` would end the field.

import { createHash } from 'node:crypto'

import { parseIssuedDate, parseExactDate } from '../model/dates.js'
import { parseIdentifier } from './standard-identifiers.js'
import type { Format, RecordSerializer } from './serializer.js'
import { type AccessorDependencies, type RecordAccessor, accessRecord } from './record-accessor.js'

/** One row: the field of BibTeX, and what it says, ready to be printed; nothing when it is empty. */
export type BibtexField = readonly [name: string, say: (zine: RecordAccessor) => string]

// prettier-ignore
export const bibtexRows: readonly BibtexField[] = [
  // field         from
  ['author',       (zine) => inBraces(zine.related('creator').map(nameOf).join(' and '))],
  ['editor',       (zine) => inBraces(zine.related('contributor').filter(isEditor).map(nameOf).join(' and '))],
  ['title',        (zine) => inBraces(inBraces(text(zine.text('title'))))], // twice, to keep its capitals
  ['series',       (zine) => joined(zine.values('series_title'))],
  ['number',       (zine) => inBraces(text(zine.text('issue_designation')))],
  ['edition',      (zine) => joined(zine.values('edition_statement'))],
  ['publisher',    (zine) => listed(publishersOf(zine))],
  ['howpublished', (zine) => publishersOf(zine).length > 0 ? '' : '{Self-published zine}'],
  ['address',      (zine) => listed(zine.values('place_of_publication'))],
  ['year',         (zine) => inBraces(text(datedOf(zine).year ?? ''))],
  ['month',        (zine) => datedOf(zine).month ?? ''], // a macro, or a season in braces
  ['date',         (zine) => inBraces(datedOf(zine).date ?? '')], // biblatex's, where it says more
  ['type',         () => '{Zine}'],
  ['pagetotal',    (zine) => inBraces(text(zine.text('number_of_pages')))],
  ['language',     (zine) => joined(zine.codes('language').map(({ label }) => label))],
  ['langid',       (zine) => inBraces(babel.get(zine.values('language')[0] ?? '') ?? '')],
  ['isbn',         (zine) => joined(identified(zine, 'isbn'))],
  ['issn',         (zine) => joined(identified(zine, 'issn'))],
  ['doi',          (zine) => inBraces(verbatim(identified(zine, 'doi')[0] ?? ''))],
  ['url',          (zine) => inBraces(verbatim(identified(zine, 'url')[0] ?? ''))],
  ['keywords',     (zine) => inBraces([...zine.codes('subject'), ...zine.codes('genre')].map(({ label }) => text(label.replaceAll(',', ';'))).join(', '))],
  ['abstract',     (zine) => inBraces(text(zine.text('abstract')))],
  ['annote',       (zine) => inBraces(lines(zine.text('table_of_contents')).map(text).join(' -- '))],
  ['note',         (zine) => joined(notesOf(zine), '. ')], // public_notes, other contributors, what year does not say of date
  ['copyright',    (zine) => joined(zine.codes('rights').map(({ label }) => label))],
  ['timestamp',    (zine) => inBraces(zine.text('updated_at').slice(0, 10))],
]

export const bibtex: Format = {
  name: 'bibtex',
  title: 'BibTeX',
  type: 'application/x-bibtex',
  extension: 'bib',
}

export function bibtexSerializer(shelves: AccessorDependencies): RecordSerializer {
  const print = (record: Parameters<RecordSerializer['record']>[0]): string => {
    const source = accessRecord(shelves, record)
    return record.resource.name === 'holdings' ? serializeHolding(source) : serializeZine(source)
  }
  return {
    ...bibtex,
    record: print,
    listStart: () => '',
    listItem: (record, index) => (index === 0 ? '' : '\n') + print(record),
    listEnd: () => '',
  }
}

const serializeZine = (zine: RecordAccessor): string =>
  serializeBibtexEntry(zine, zine.id, fieldsOf(zine))

/** The zine, under the holding's own key, as several copies of one may be in a list. */
function serializeHolding(holding: RecordAccessor): string {
  const [zine] = holding.related('zine_id')
  const [repository] = holding.related('repository_id')
  if (!zine) throw new Error(`the holding ${holding.id} is of no zine`)
  const at = [repository?.text('repository_name') ?? '', holding.text('location')].filter(Boolean)
  const shelf = [...at, holding.text('call_number')].filter(Boolean).join(', ')
  const fields = fieldsOf(zine)
  const scan = holding.text('digital_url')
  if (scan) fields.set('url', inBraces(verbatim(scan)))
  const notes = [...notesOf(zine), `Held by ${shelf}`, ...holding.values('notes')]
  fields.set('note', joined(notes, '. '))
  fields.set('library', inBraces(text(shelf)))
  return serializeBibtexEntry(zine, holding.id, fields)
}

const fieldsOf = (zine: RecordAccessor): Map<string, string> =>
  new Map(bibtexRows.map(([name, say]) => [name, say(zine)]))

// A booklet is what BibTeX calls printed and bound, without a named publisher.
function serializeBibtexEntry(
  zine: RecordAccessor,
  id: string,
  fields: ReadonlyMap<string, string>,
): string {
  const type = publishersOf(zine).length > 0 ? 'book' : 'booklet'
  const filled = [...fields].filter(([, value]) => value !== '')
  return `@${type}{${citationKey(id)},\n${filled.map(([name, value]) => `  ${name} = ${value},\n`).join('')}}\n`
}

/**
 * The citation key: the identifier where it can be one, else what is left of it and a mark of the whole,
 * so that a record has one key in every list and page, and no two have the same. (BibTeX itself, though not
 * biber, takes two keys for one that differ only in case; so may those of identifiers that do.)
 */
export function citationKey(id: string): string {
  const stem = id
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9:_-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  if (stem === id) return id
  return `${stem || 'zine'}.${createHash('sha256').update(id).digest('hex').slice(0, 10)}`
}

// Names that BibTeX may take apart are those that say how: a surname, a comma, forenames. All others are
// in braces of their own, so that no collective's "and" makes two of it.
function nameOf(agent: RecordAccessor): string {
  const sorted = agent.text('sort_name')
  const [last = '', first = '', junior, ...more] = sorted.split(',').map((part) => part.trim())
  const isOne = agent.text('kind') === 'Person' && !/\band\b|\bothers\b/i.test(sorted)
  if (isOne && last && first && more.length === 0) {
    if (junior === undefined) return `${text(last)}, ${text(first)}`
    if (/^(?:[js]r\.?|i{1,3}|iv|v)$/i.test(junior))
      return `${text(last)}, ${text(junior)}, ${text(first)}`
  }
  return inBraces(
    text(sorted && agent.text('kind') === 'Person' ? sorted : agent.text('display_name')),
  )
}

const isEditor = (agent: RecordAccessor): boolean => agent.values('roles').includes('editor')

const publishersOf = (zine: RecordAccessor): readonly string[] =>
  zine.related('publisher').map((agent) => agent.text('display_name'))

type BibtexDate = { readonly year?: string; readonly month?: string; readonly date?: string }

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const seasons = ['Spring', 'Summer', 'Autumn', 'Winter']

/** What the first date says: `year` as it is printed, `date` in EDTF for biblatex. */
function datedOf(zine: RecordAccessor): BibtexDate {
  const said = zine.values('date')[0] ?? ''
  const date = parseIssuedDate(said)?.value
  if (date === undefined) return {}
  if (/^\d{4}$/.test(date)) return { year: date }
  const [, year = '', part = ''] = /^(\d{4})-(\d\d)/.exec(date) ?? []
  if (year === '') return { year: said.replace(/^(\d{4})\D+(\d{4})$/, '$1--$2'), date }
  const season = seasons[Number(part) - 21]
  if (season) return { year, month: inBraces(season), date }
  const month = months[Number(part) - 1] ?? ''
  return date.length > 7 ? { year, month, date } : { year, month }
}

function notesOf(zine: RecordAccessor): readonly string[] {
  const [first = '', ...others] = zine.values('date')
  const isWhole = parseExactDate(first) !== undefined
  const dates = [...(isWhole || first === '' ? [] : [first]), ...others]
  const helpers = zine
    .related('contributor')
    .filter((agent) => !isEditor(agent))
    .map((agent) => agent.text('display_name'))
  return [
    ...(helpers.length > 0 ? [`With ${helpers.join(', ')}`] : []),
    ...(dates.length > 0 ? [`Date: ${dates.join('; ')}`] : []),
    ...zine.values('public_notes'),
  ]
}

const identified = (zine: RecordAccessor, kind: string): readonly string[] =>
  zine
    .values('identifier')
    .map(parseIdentifier)
    .filter((identifier) => identifier.kind === kind && !identifier.wrong)
    .map(({ value }) => value)

// What biblatex switches hyphenation with: babel's names of the languages it knows.
// prettier-ignore
const babel = new Map([
  ['af', 'afrikaans'], ['ar', 'arabic'], ['bg', 'bulgarian'], ['br', 'breton'], ['ca', 'catalan'],
  ['cs', 'czech'], ['cy', 'welsh'], ['da', 'danish'], ['de', 'ngerman'], ['el', 'greek'],
  ['en', 'english'], ['eo', 'esperanto'], ['es', 'spanish'], ['et', 'estonian'], ['eu', 'basque'],
  ['fa', 'persian'], ['fi', 'finnish'], ['fr', 'french'], ['ga', 'irish'], ['gd', 'scottish'],
  ['gl', 'galician'], ['he', 'hebrew'], ['hr', 'croatian'], ['hu', 'hungarian'], ['id', 'indonesian'],
  ['is', 'icelandic'], ['it', 'italian'], ['ja', 'japanese'], ['ko', 'korean'], ['la', 'latin'],
  ['lt', 'lithuanian'], ['lv', 'latvian'], ['mk', 'macedonian'], ['ms', 'malay'], ['nb', 'norsk'],
  ['nl', 'dutch'], ['nn', 'nynorsk'], ['no', 'norsk'], ['pl', 'polish'], ['pt', 'portuguese'],
  ['ro', 'romanian'], ['ru', 'russian'], ['sk', 'slovak'], ['sl', 'slovenian'], ['sq', 'albanian'],
  ['sr', 'serbian'], ['sv', 'swedish'], ['th', 'thai'], ['tr', 'turkish'], ['uk', 'ukrainian'],
  ['vi', 'vietnamese'], ['zh', 'chinese'],
])

const joined = (values: readonly string[], mark = '; '): string =>
  inBraces(values.map((value) => text(mark === '. ' ? value.replace(/\.$/, '') : value)).join(mark))

/** A list of biblatex's: its members joined by "and", each in braces that has one of its own. */
const listed = (values: readonly string[]): string =>
  inBraces(
    values
      .map((value) => (/\band\b/i.test(value) ? inBraces(text(value)) : text(value)))
      .join(' and '),
  )

const lines = (value: string): readonly string[] =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const inBraces = (value: string): string => (value === '' ? '' : `{${value}}`)

const commands = new Map([
  ['\\', '{\\textbackslash}'],
  ['{', '{\\textbraceleft}'],
  ['}', '{\\textbraceright}'],
  ['~', '{\\textasciitilde}'],
  ['^', '{\\textasciicircum}'],
])

/** A text as TeX prints it, on one line. */
const text = (value: string): string =>
  value
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\{}~^]/g, (character) => commands.get(character) ?? '')
    .replace(/[%$#&_]/g, '\\$&')

/** An address: biblatex and hyperref take it as it is, so what TeX would stumble over is percent-encoded. */
const verbatim = (value: string): string =>
  value.replace(/[\s\p{Cc}\\{}^`"<>|~]/gu, (character) =>
    encodeURIComponent(character).replace('~', '%7E'),
  )
