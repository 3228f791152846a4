// BibTeX: a zine as an entry, a holding as its zine with library and shelf mark (mapping: 4, 5).
//
// UTF-8, with TeX's special characters written as commands. Those of braces have no braces in them but
// pairs: BibTeX counts braces whether a backslash is before them or not, so `\}` would end the field.

import { createHash } from 'node:crypto'

import { issuedOf, wholeDateOf } from '../model/dates.js'
import { identify } from './standard-identifiers.js'
import type { Press } from './serializer.js'
import { type Shelves, type Source, sourceOf } from './record-accessor.js'

/** One row: the field of BibTeX, and what it says, ready to be printed; nothing when it is empty. */
export type Row = readonly [name: string, say: (zine: Source) => string]

// prettier-ignore
export const bibtexRows: readonly Row[] = [
  // field         from
  ['author',       (zine) => braced(zine.named('creator').map(nameOf).join(' and '))],
  ['editor',       (zine) => braced(zine.named('contributor').filter(isEditor).map(nameOf).join(' and '))],
  ['title',        (zine) => braced(braced(text(zine.text('title'))))], // twice, to keep its capitals
  ['series',       (zine) => joined(zine.values('series_title'))],
  ['number',       (zine) => braced(text(zine.text('issue_designation')))],
  ['edition',      (zine) => joined(zine.values('edition_statement'))],
  ['publisher',    (zine) => listed(publishersOf(zine))],
  ['howpublished', (zine) => publishersOf(zine).length > 0 ? '' : '{Self-published zine}'],
  ['address',      (zine) => listed(zine.values('place_of_publication'))],
  ['year',         (zine) => braced(text(datedOf(zine).year ?? ''))],
  ['month',        (zine) => datedOf(zine).month ?? ''], // a macro, or a season in braces
  ['date',         (zine) => braced(datedOf(zine).date ?? '')], // biblatex's, where it says more
  ['type',         () => '{Zine}'],
  ['pagetotal',    (zine) => braced(text(zine.text('number_of_pages')))],
  ['language',     (zine) => joined(zine.terms('language').map(({ label }) => label))],
  ['langid',       (zine) => braced(babel.get(zine.values('language')[0] ?? '') ?? '')],
  ['isbn',         (zine) => joined(identified(zine, 'isbn'))],
  ['issn',         (zine) => joined(identified(zine, 'issn'))],
  ['doi',          (zine) => braced(verbatim(identified(zine, 'doi')[0] ?? ''))],
  ['url',          (zine) => braced(verbatim(identified(zine, 'url')[0] ?? ''))],
  ['keywords',     (zine) => braced([...zine.terms('subject'), ...zine.terms('genre')].map(({ label }) => text(label.replaceAll(',', ';'))).join(', '))],
  ['abstract',     (zine) => braced(text(zine.text('abstract')))],
  ['annote',       (zine) => braced(lines(zine.text('table_of_contents')).map(text).join(' -- '))],
  ['note',         (zine) => joined(notesOf(zine), '. ')], // public_notes, other contributors, what year does not say of date
  ['copyright',    (zine) => joined(zine.terms('rights').map(({ label }) => label))],
  ['timestamp',    (zine) => braced(zine.text('updated_at').slice(0, 10))],
]

export function bibtexPress(shelves: Shelves): Press {
  const print = (sheet: Parameters<Press['record']>[0]): string => {
    const source = sourceOf(shelves, sheet)
    return sheet.resource.name === 'holdings' ? printHolding(source) : printZine(source)
  }
  return {
    name: 'bibtex',
    type: 'application/x-bibtex',
    extension: 'bib',
    record: print,
    open: () => '',
    item: (sheet, index) => (index === 0 ? '' : '\n') + print(sheet),
    close: () => '',
  }
}

const printZine = (zine: Source): string => printEntry(zine, zine.id, said(zine))

/** The zine, under the holding's own key, as several copies of one may be in a list. */
function printHolding(holding: Source): string {
  const [zine] = holding.named('zine_id')
  const [repository] = holding.named('repository_id')
  if (!zine) throw new Error(`the holding ${holding.id} is of no zine`)
  const at = [repository?.text('repository_name') ?? '', holding.text('location')].filter(Boolean)
  const shelf = [...at, holding.text('call_number')].filter(Boolean).join(', ')
  const fields = said(zine)
  const scan = holding.text('digital_url')
  if (scan) fields.set('url', braced(verbatim(scan)))
  const notes = [...notesOf(zine), `Held by ${shelf}`, ...holding.values('notes')]
  fields.set('note', joined(notes, '. '))
  fields.set('library', braced(text(shelf)))
  return printEntry(zine, holding.id, fields)
}

const said = (zine: Source): Map<string, string> =>
  new Map(bibtexRows.map(([name, say]) => [name, say(zine)]))

// A booklet is what BibTeX calls printed and bound, without a named publisher.
function printEntry(zine: Source, id: string, fields: ReadonlyMap<string, string>): string {
  const type = publishersOf(zine).length > 0 ? 'book' : 'booklet'
  const filled = [...fields].filter(([, value]) => value !== '')
  return `@${type}{${keyOf(id)},\n${filled.map(([name, value]) => `  ${name} = ${value},\n`).join('')}}\n`
}

/**
 * The citation key: the identifier where it can be one, else what is left of it and a mark of the whole,
 * so that a record has one key in every list and page, and no two have the same. (BibTeX itself, though not
 * biber, takes two keys for one that differ only in case; so may those of identifiers that do.)
 */
export function keyOf(id: string): string {
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
function nameOf(agent: Source): string {
  const sorted = agent.text('sort_name')
  const [last = '', first = '', junior, ...more] = sorted.split(',').map((part) => part.trim())
  const isOne = agent.text('kind') === 'Person' && !/\band\b|\bothers\b/i.test(sorted)
  if (isOne && last && first && more.length === 0) {
    if (junior === undefined) return `${text(last)}, ${text(first)}`
    if (/^(?:[js]r\.?|i{1,3}|iv|v)$/i.test(junior))
      return `${text(last)}, ${text(junior)}, ${text(first)}`
  }
  return braced(
    text(sorted && agent.text('kind') === 'Person' ? sorted : agent.text('display_name')),
  )
}

const isEditor = (agent: Source): boolean => agent.values('roles').includes('editor')

const publishersOf = (zine: Source): readonly string[] =>
  zine.named('publisher').map((agent) => agent.text('display_name'))

type Dated = { readonly year?: string; readonly month?: string; readonly date?: string }

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const seasons = ['Spring', 'Summer', 'Autumn', 'Winter']

/** What the first date says: `year` as it is printed, `date` in EDTF for biblatex. */
function datedOf(zine: Source): Dated {
  const said = zine.values('date')[0] ?? ''
  const date = issuedOf(said)?.value
  if (date === undefined) return {}
  if (/^\d{4}$/.test(date)) return { year: date }
  const [, year = '', part = ''] = /^(\d{4})-(\d\d)/.exec(date) ?? []
  if (year === '') return { year: said.replace(/^(\d{4})\D+(\d{4})$/, '$1--$2'), date }
  const season = seasons[Number(part) - 21]
  if (season) return { year, month: braced(season), date }
  const month = months[Number(part) - 1] ?? ''
  return date.length > 7 ? { year, month, date } : { year, month }
}

function notesOf(zine: Source): readonly string[] {
  const [first = '', ...others] = zine.values('date')
  const isWhole = wholeDateOf(first) !== undefined
  const dates = [...(isWhole || first === '' ? [] : [first]), ...others]
  const helpers = zine
    .named('contributor')
    .filter((agent) => !isEditor(agent))
    .map((agent) => agent.text('display_name'))
  return [
    ...(helpers.length > 0 ? [`With ${helpers.join(', ')}`] : []),
    ...(dates.length > 0 ? [`Date: ${dates.join('; ')}`] : []),
    ...zine.values('public_notes'),
  ]
}

const identified = (zine: Source, kind: string): readonly string[] =>
  zine
    .values('identifier')
    .map(identify)
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
  braced(values.map((value) => text(mark === '. ' ? value.replace(/\.$/, '') : value)).join(mark))

/** A list of biblatex's: its members joined by "and", each in braces that has one of its own. */
const listed = (values: readonly string[]): string =>
  braced(
    values
      .map((value) => (/\band\b/i.test(value) ? braced(text(value)) : text(value)))
      .join(' and '),
  )

const lines = (value: string): readonly string[] =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const braced = (value: string): string => (value === '' ? '' : `{${value}}`)

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
