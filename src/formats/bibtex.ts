// Serializes zines and holdings as BibTeX entries (docs/reference/citations.md, "BibTeX").
//
// The text is UTF-8, with TeX's special characters written as commands. Braces become commands that
// contain only pairs of braces: BibTeX counts braces even after a backslash, so `\}` would end the
// field.

import { createHash } from 'node:crypto'

import { parseIssuedDate } from '../model/dates.js'
import type { ResolvedRecord } from '../model/record/views.js'
import { withheldName } from '../model/record/title.js'
import {
  citedCopy,
  detailNotesOf,
  displayName,
  identifiersOfKind,
  isEditor,
  personalName,
  publishersOf,
  splitLines,
} from './citation.js'
import type { Format, RecordSerializer } from './serializer.js'
import { type AccessorDependencies, type RecordAccessor, accessRecord } from './record-accessor.js'

/**
 * A field of an entry: its name, and its value as it is written; an empty value leaves the field
 * out.
 */
export type BibtexField = readonly [name: string, convert: (zine: RecordAccessor) => string]

// prettier-ignore
export const bibtexFields: readonly BibtexField[] = [
  // field         from
  ['author',       (zine) => inBraces(zine.references('creator').map(authorName).join(' and '))],
  ['editor',       (zine) => inBraces(zine.related('contributor').filter(isEditor).map(authorName).join(' and '))],
  ['title',        (zine) => inBraces(inBraces(escapeTex(zine.text('title'))))], // twice, to keep its capitals
  ['series',       (zine) => joinTexts(zine.values('series_title'))],
  ['number',       (zine) => inBraces(escapeTex(zine.text('issue_designation')))],
  ['edition',      (zine) => joinTexts(zine.values('edition_statement'))],
  ['publisher',    (zine) => joinAsList(publishersOf(zine))],
  ['howpublished', (zine) => publishersOf(zine).length > 0 ? '' : joinTexts(['Self-published zine', ...zine.values('issue_designation')], ', ')],
  ['address',      (zine) => joinAsList(zine.values('place_of_publication'))],
  ['year',         (zine) => inBraces(escapeTex(dateParts(zine).year ?? ''))],
  ['month',        (zine) => dateParts(zine).month ?? ''], // a macro of BibTeX, or a season in braces
  ['date',         (zine) => inBraces(dateParts(zine).date ?? '')], // for biblatex, where the date has more than year and month
  ['type',         () => '{Zine}'],
  ['pagetotal',    (zine) => inBraces(escapeTex(zine.text('number_of_pages')))],
  ['language',     (zine) => joinTexts(zine.codes('language').map(({ label }) => label))],
  ['langid',       (zine) => inBraces(babelNames.get(zine.values('language')[0] ?? '') ?? '')],
  ['isbn',         (zine) => joinTexts(identifiersOfKind(zine, 'isbn'))],
  ['issn',         (zine) => joinTexts(identifiersOfKind(zine, 'issn'))],
  ['doi',          (zine) => inBraces(escapeUrl(identifiersOfKind(zine, 'doi')[0] ?? ''))],
  ['url',          (zine) => inBraces(escapeUrl(identifiersOfKind(zine, 'url')[0] ?? zine.iri))],
  ['keywords',     (zine) => inBraces([...zine.codes('subject'), ...zine.codes('genre')].map(({ label }) => escapeTex(label.replaceAll(',', ';'))).join(', '))],
  ['abstract',     (zine) => inBraces(escapeTex(zine.text('abstract')))],
  ['annote',       (zine) => inBraces(splitLines(zine.text('table_of_contents')).map(escapeTex).join(' -- '))],
  ['note',         (zine) => joinNotes(notesOf(zine))], // public_notes, other contributors, what the year leaves out of date
  ['copyright',    (zine) => joinTexts(zine.codes('rights').map(({ label }) => label))],
  ['timestamp',    (zine) => inBraces(zine.text('updated_at').slice(0, 10))],
]

export const bibtex: Format = {
  name: 'bibtex',
  title: 'BibTeX',
  type: 'application/x-bibtex',
  extension: 'bib',
}

export function bibtexSerializer(dependencies: AccessorDependencies): RecordSerializer {
  const serialize = (record: ResolvedRecord): string => {
    const source = accessRecord(dependencies, record)
    return record.resource.name === 'holdings' ? serializeHolding(source) : serializeZine(source)
  }
  return {
    ...bibtex,
    record: serialize,
    listStart: () => '',
    listItem: (record, index) => (index === 0 ? '' : '\n') + serialize(record),
    listEnd: () => '',
  }
}

const serializeZine = (zine: RecordAccessor): string =>
  serializeBibtexEntry(zine, zine.id, fieldsOf(zine))

/**
 * The entry of the zine under the holding's key, since a list may have several copies of one zine.
 */
function serializeHolding(holding: RecordAccessor): string {
  const { zine, shelfMark } = citedCopy(holding)
  const fields = fieldsOf(zine)
  const scan = holding.text('digital_url')
  fields.set('url', inBraces(escapeUrl(scan || holding.iri)))
  const notes = [...notesOf(zine), `Held by ${shelfMark}`, ...holding.values('notes')]
  fields.set('note', joinNotes(notes))
  fields.set('library', inBraces(escapeTex(shelfMark)))
  return serializeBibtexEntry(zine, holding.id, fields)
}

const fieldsOf = (zine: RecordAccessor): Map<string, string> =>
  new Map(bibtexFields.map(([name, convert]) => [name, convert(zine)]))

// BibTeX calls a printed and bound work without a named publisher a booklet.
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
 * The citation key: the identifier where it is a valid key, else its valid characters and a hash of
 * the whole. A record therefore has the same key everywhere, and no two records share one. (BibTeX,
 * unlike biber, ignores case in keys, so identifiers that differ only in case have keys that are
 * equal to it.)
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

// BibTeX splits names into parts. Only a person's name of the form "surname, forenames" is left to
// it; every other name has braces of its own, so that the "and" in a collective's name does not
// make two.
function authorName(agent: RecordAccessor | undefined): string {
  if (!agent) return inBraces(withheldName)
  const sorted = agent.text('sort_name')
  const name = /\band\b|\bothers\b/i.test(sorted) ? undefined : personalName(agent)
  if (!name) {
    const known = sorted !== '' && agent.text('kind') === 'Person'
    return inBraces(escapeTex(known ? sorted : displayName(agent)))
  }
  const { family, suffix, given } = name
  return [family, ...(suffix === undefined ? [] : [suffix]), given].map(escapeTex).join(', ')
}

// A book has no issue in the common styles, and `howpublished` is for booklets.
function notesOf(zine: RecordAccessor): readonly string[] {
  const issue = publishersOf(zine).length > 0 ? zine.values('issue_designation') : []
  return [...issue.map((designation) => `Issue: ${designation}`), ...detailNotesOf(zine)]
}

type BibtexDate = { readonly year?: string; readonly month?: string; readonly date?: string }

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const seasons = ['Spring', 'Summer', 'Autumn', 'Winter']

/** The parts of the first date: `year` as it is printed, `date` in EDTF for biblatex. */
function dateParts(zine: RecordAccessor): BibtexDate {
  const dateText = zine.values('date')[0] ?? ''
  const issued = parseIssuedDate(dateText)?.value
  if (issued === undefined) return {}
  if (/^\d{4}$/.test(issued)) return { year: issued }
  const isRead = issued.split('/').every((end) => biblatexPattern.test(end))
  const date = isRead ? { date: issued } : {}
  const [, year = '', part = ''] = /^(\d{4})-(\d\d)/.exec(issued) ?? []
  if (year === '')
    return { year: dateText.replace(/^(\d{4}) ?[-–—/] ?(\d{4})$/, '$1--$2'), ...date }
  const season = seasons[Number(part) - 21]
  if (season) return { year, month: inBraces(season), ...date }
  const month = months[Number(part) - 1] ?? ''
  return issued.length > 7 ? { year, month, ...date } : { year, month }
}

// Of EDTF biblatex reads levels 0 and 1: no sets, and digits that are not known only at the end.
const biblatexPattern =
  /^(?:|\.\.|\d\d(?:\d[\dX]|XX)(?:-(?:0\d|1[0-2]|2[1-4]|XX)(?:-(?:\d\d|XX))?)?[~?%]?)$/

// The names of languages in the LaTeX package babel, by which biblatex chooses hyphenation.
// prettier-ignore
const babelNames = new Map([
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

const joinTexts = (values: readonly string[], separator = '; '): string =>
  inBraces(values.map(escapeTex).join(separator))

/** The last one ends as it was written, the others as sentences do. */
const joinNotes = (notes: readonly string[]): string =>
  joinTexts(
    notes.map((note, index) =>
      index === notes.length - 1 || /[.!?…]$/.test(note) ? note : `${note}.`,
    ),
    ' ',
  )

/**
 * A list field of biblatex: its members joined by "and"; a member that contains "and" is in braces.
 */
const joinAsList = (values: readonly string[]): string =>
  inBraces(
    values
      .map((value) => (/\band\b/i.test(value) ? inBraces(escapeTex(value)) : escapeTex(value)))
      .join(' and '),
  )

const inBraces = (value: string): string => (value === '' ? '' : `{${value}}`)

const texCommands = new Map([
  ['\\', '{\\textbackslash}'],
  ['{', '{\\textbraceleft}'],
  ['}', '{\\textbraceright}'],
  ['~', '{\\textasciitilde}'],
  ['^', '{\\textasciicircum}'],
])

/** The text on one line, with TeX's special characters as commands. */
const escapeTex = (value: string): string =>
  value
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\{}~^]/g, (character) => texCommands.get(character) ?? '')
    .replace(/[%$#&_]/g, '\\$&')

/**
 * A URL for biblatex and hyperref, which read it verbatim: characters special to TeX are
 * percent-encoded.
 */
const escapeUrl = (value: string): string =>
  value.replace(/[\s\p{Cc}\\{}^`"<>|~]/gu, (character) =>
    encodeURIComponent(character).replace('~', '%7E'),
  )
