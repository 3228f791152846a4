// Builds the MARC 21 bibliographic record of a zine, by RDA (docs/reference/marc.md, "MARC
// bibliographic records").
//
// ISBD punctuation is written between subfields and not at the end of fields. The Program for
// Cooperative Cataloging allows this since 2019, and library systems that show the subfields of a
// field one after the other show it well.

import { parseIssuedDate, saysNoDate } from '../../model/dates.js'
import { withheldName } from '../../model/record/title.js'
import { parseIdentifier } from '../../model/standard-identifiers.js'
import type { RecordAccessor } from '../record-accessor.js'
import {
  carriersOf,
  fixedCodes,
  datesOf,
  languageCodes,
  languageOf,
  levelOf,
  zineGenre,
} from './coded-values.js'
import {
  type MarcRecord,
  type BuildField,
  type FieldWithIndicators,
  type MarcField,
  type Subfields,
  constant,
  eachValue,
  enteredOf,
  fieldsOf,
  isbd,
  subfields,
  vocabularyTermIn,
  codedTerms,
  transactionOf,
} from './fields.js'
import { nonfilingCharacters } from './leading-articles.js'
import { headingOf, isPerson, withNameIndicator } from './names.js'

// prettier-ignore
export const bibliographicFields = (agency: string): readonly MarcField[] => [
  // tag  ind.  from                    subfields
  ['020', '__', 'identifier',           identifiersOfKind('isbn', 'z')],
  ['022', '__', 'identifier',           identifiersOfKind('issn', 'y')],
  ['024', '7_', 'zine_id',              (zine) => [subfields('a', zine.iri, '2', 'uri')]],
  ['024', '7_', 'identifier',           identifiersOfKind('doi', 'a', '2', 'doi')],
  ['024', '7_', 'identifier',           identifiersOfKind('url', 'a', '2', 'uri')],
  ['024', '8_', 'identifier',           identifiersOfKind('other')],
  ['040', '__', '',                     constant('a', agency, 'b', 'eng', 'e', 'rda', 'c', agency)],
  ['041', '0_', 'language',             severalLanguages],
  ['046', '__', 'date',                 codedDate],
  ['100', '1_', 'creator',              mainEntry(isPerson)],
  ['110', '2_', 'creator',              mainEntry(isBody)],
  ['245', '10', 'title',                (zine) => [titleField(zine)]], // first indicator 0 without a 1XX
  ['246', '3_', 'alternative_title',    eachValue('a')],
  ['250', '__', 'edition_statement',    eachValue('a')],
  ['264', '_1', 'place_of_publication', publication], // $b from publisher, $c from date
  ['300', '__', 'number_of_pages',      extent],      // $c from physical_dimensions
  ['336', '__', '',                     constant('a', 'text', 'b', 'txt', '2', 'rdacontent')],
  ['337', '__', 'format',               mediaTypes],
  ['338', '__', 'format',               carrierTypes],
  ['340', '__', 'format',               codedTerms('local')],
  ['490', '0_', 'series_title',         seriesFields],      // $v from issue_designation
  ['500', '__', 'public_notes',         notes],
  ['505', '0_', 'table_of_contents',    contentsNote],
  ['520', '3_', 'abstract',             eachValue('a')],
  ['520', '4_', 'content_advice',       adviceTerms],
  ['520', '4_', 'content_advice_note',  eachValue('a')],
  ['520', '4_', 'public_notes',         contentAdviceNotes],
  ['522', '8_', 'coverage',             eachValue('a')],   // 8: without "Geographic coverage:" before a value that may be a period
  ['540', '__', 'rights',               rightsFields],
  ['563', '__', 'binding_features',     eachValue('a')],
  ['650', '_0', 'subject',              headingsIn('lcsh')],
  ['650', '_7', 'subject',              codedTerms('local')],
  ['650', '_7', 'subject',              headingsIn('homoit')],
  ['655', '_7', 'genre',                genreFields],
  ['655', '_7', 'genre',                headingsIn('lcgft')],
  ['655', '_7', '',                     constant('a', 'Zines.', '2', 'lcgft', '0', zineGenre)],
  ['700', '1_', 'creator',              addedEntries(isPerson)], // and contributor, publisher
  ['710', '2_', 'creator',              addedEntries(isBody)],   // and contributor, publisher
  ['720', '__', 'creator',              withheldNames],    // and contributor, publisher
  ['786', '0_', 'source',               eachValue('n')],
  ['787', '0_', 'relation',             eachValue('n')],
]

/**
 * @param agency the cataloguing agency: its MARC code or, where it has none, its name
 * @param placeCode gives the code of the places of publication (`createPlaceCoder`)
 */
export function createBibliographicRecord(
  agency: string,
  placeCode: (places: readonly string[]) => string,
): (zine: RecordAccessor) => MarcRecord {
  const table = bibliographicFields(agency)
  return (zine) => ({
    leader: `00000${statusOf(zine)}a${levelOf(zine)} a22000007i 4500`,
    control: [
      ['001', zine.id],
      ['003', agency],
      ['005', transactionOf(zine.text('updated_at'))],
      ...[...new Set(carriersOf(zine).map(({ physical }) => physical))].map(
        (physical) => ['007', physical] as const,
      ),
      [
        '008',
        enteredOf(zine.text('created_at')) +
          datesOf(zine) +
          placeCode(zine.values('place_of_publication')) +
          fixedCodes(zine) +
          languageOf(zine) +
          ' d',
      ],
    ],
    data: fieldsOf(table, zine),
  })
}

/** Leader/05: `n` for a new record, `c` for one that was changed since. */
export const statusOf = (source: RecordAccessor): string =>
  source.text('created_at') === source.text('updated_at') ? 'n' : 'c'

// An identifier with a wrong check digit goes into a subfield that is not searched: 020 $z, 022 $y.
function identifiersOfKind(kind: string, wrong = 'a', ...more: readonly string[]): BuildField {
  return (zine, from) =>
    zine
      .values(from)
      .map(parseIdentifier)
      .filter((identifier) => identifier.kind === kind)
      .map((identifier) => subfields(identifier.wrong ? wrong : 'a', identifier.value, ...more))
}

// As notes had it before there was a field for it.
const contentAdvice = 'Content advice: '

const isContentAdvice = (note: string): boolean => note.startsWith(contentAdvice)

const notes: BuildField = (zine, from) =>
  zine
    .values(from)
    .filter((note) => !isContentAdvice(note))
    .map((note) => subfields('a', note))

// 520 has no $0; $u is where more is said.
const adviceTerms: BuildField = (zine, from) =>
  zine.codes(from).map(({ label, uri }) => subfields('a', label, 'u', uri, '2', 'local'))

const contentAdviceNotes: BuildField = (zine, from) =>
  zine
    .values(from)
    .filter(isContentAdvice)
    .map((note) => subfields('a', note.slice(contentAdvice.length)))

function severalLanguages(zine: RecordAccessor, from: string): Subfields[] {
  const codes = zine
    .codes(from)
    .flatMap(languageCodes)
    .map((code) => ['a', code] as const)
  return codes.length > 1 ? [codes] : []
}

function codedDate(zine: RecordAccessor, from: string): Subfields[] {
  return zine.values(from).flatMap((date) => {
    const [start, end] = parseIssuedDate(date)?.value.split('/') ?? []
    if (start === undefined) return []
    const [from, to] = [start, end ?? ''].map((bound) => (bound === '..' ? '' : bound))
    return [subfields('k', from ?? '', 'l', to ?? '', '2', 'edtf')]
  })
}

// The relations of agents to a zine: the field, RDA's term and MARC's code.
const relations = [
  ['creator', 'creator', 'cre'],
  ['contributor', 'contributor', 'ctb'],
  ['publisher', 'publisher', 'pbl'],
] as const

function isBody(agent: RecordAccessor): boolean {
  return !isPerson(agent)
}

const mainCreator = (zine: RecordAccessor): RecordAccessor | undefined => zine.related('creator')[0]

function mainEntry(isKind: (agent: RecordAccessor) => boolean): BuildField {
  return (zine) => {
    const agent = mainCreator(zine)
    return agent && isKind(agent) ? [accessPoint(zine, agent)] : []
  }
}

function addedEntries(isKind: (agent: RecordAccessor) => boolean): BuildField {
  return (zine) => {
    const agents = relations.flatMap(([field]) => zine.related(field))
    const distinct = [...new Map(agents.map((agent) => [agent.id, agent])).values()]
    const first = mainCreator(zine)?.id
    return distinct
      .filter((agent) => agent.id !== first && isKind(agent))
      .map((agent) => accessPoint(zine, agent))
  }
}

// An agent that was deleted has no name: 720 is for names that no authority record has. Not even
// the IRI is given, since it contains the identifier, which may be a name.
const withheldNames: BuildField = (zine) =>
  relations.flatMap(([field, term, code]) =>
    zine
      .references(field)
      .filter((agent) => agent === undefined)
      .map(() => subfields('a', withheldName, 'e', term, '4', code)),
  )

/** One field for an agent, with all its relations to the zine. */
function accessPoint(zine: RecordAccessor, agent: RecordAccessor): FieldWithIndicators {
  const ownRelations = relations.filter(([field]) => zine.values(field).includes(agent.id))
  const name = headingOf(agent)
  return withNameIndicator(agent, name, [
    ...isbd(['a', '', name], ...ownRelations.map(([, term]) => ['e', ',', term] as const)),
    ...ownRelations.map(([, , code]) => ['4', code] as const),
    ['1', agent.iri],
  ])
}

// $c names the creators as they are known, in direct order.
function titleField(zine: RecordAccessor): FieldWithIndicators {
  const title = zine.text('title')
  const names = zine
    .references('creator')
    .map((agent) => agent?.text('display_name') ?? withheldName)
    .join(', ')
  const skipped = nonfilingCharacters(title, zine.values('language')[0] ?? '')
  return {
    indicators: `${mainCreator(zine) ? 1 : 0}${Math.min(skipped, 9)}`,
    subfields: isbd(
      ['a', '', title],
      ['n', '.', zine.text('issue_designation')],
      ['c', ' /', names],
    ),
  }
}

function publication(zine: RecordAccessor): Subfields[] {
  const names = zine
    .references('publisher')
    .map((agent) => agent?.text('display_name') ?? withheldName)
  const dates = zine.values('date').filter((date) => !saysNoDate(date))
  const orUnknown = (values: readonly string[], unknown: string): readonly string[] =>
    values.length > 0 ? values : [unknown]
  return [
    isbd(
      ...orUnknown(
        zine.values('place_of_publication'),
        '[Place of publication not identified]',
      ).map((place) => ['a', ' ;', place] as const),
      ...orUnknown(names, '[publisher not identified]').map((name) => ['b', ' :', name] as const),
      ...orUnknown(dates, '[date of publication not identified]').map(
        (date) => ['c', ',', date] as const,
      ),
    ),
  ]
}

// Without $b: no field of a zine says whether it has illustrations or colours.
function extent(zine: RecordAccessor, from: string): Subfields[] {
  const pages = zine.text(from)
  const units = levelOf(zine) === 's' ? extentOfRun(pages) : extentOf(pages)
  return [isbd(['a', '', units], ['c', ' ;', abbreviateUnits(zine.text('physical_dimensions'))])]
}

const extentOf = (pages: string): string =>
  pages === '' ? '1 volume' : isUnpaged(pages) ? '1 volume (unpaged)' : countOf(pages)

/** Of several issues, whose number is not known. */
const extentOfRun = (pages: string): string =>
  pages === '' ? 'volumes' : `volumes (${isUnpaged(pages) ? 'unpaged' : countOf(pages)})`

const isUnpaged = (pages: string): boolean => /^(?:unpaged|unpaginated|unnumbered)$/i.test(pages)

const countOf = (pages: string): string =>
  !/^\d+$/.test(pages) ? pages : pages === '1' ? '1 page' : `${pages} pages`

/** The dimensions with units abbreviated as in RDA. */
const abbreviateUnits = (dimensions: string): string =>
  dimensions
    .replace(/ ?\b(?:centimet(?:er|re)s?)\b\.?/i, ' cm')
    .replace(/ ?\b(?:millimet(?:er|re)s?)\b\.?/i, ' mm')
    .replace(/ ?\binch(?:es)?\b\.?/i, ' in.')
    .replace(/(\d) ?[x×] ?(?=\d)/gi, '$1 x ')

const mediaTypes: BuildField = (zine) =>
  distinctOf(
    carriersOf(zine).map(({ media: [term, code] }) =>
      subfields('a', term, 'b', code, '2', 'rdamedia'),
    ),
  )

const carrierTypes: BuildField = (zine) =>
  distinctOf(
    carriersOf(zine).map(({ carrier: [term, code] }) =>
      subfields('a', term, 'b', code, '2', 'rdacarrier'),
    ),
  )

const distinctOf = (fields: readonly Subfields[]): readonly Subfields[] => [
  ...new Map(fields.map((subfields) => [JSON.stringify(subfields), subfields])).values(),
]

function seriesFields(zine: RecordAccessor, from: string): Subfields[] {
  const titles = zine.values(from)
  // With several series, the number cannot be assigned to one of them.
  const number = titles.length === 1 ? zine.text('issue_designation') : ''
  return titles.map((name) => isbd(['a', '', name], ['v', ' ;', number]))
}

const contentsNote: BuildField = (zine, from) => [
  subfields(
    'a',
    zine
      .text(from)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .join(' -- '),
  ),
]

const rightsFields: BuildField = (zine, from) =>
  zine
    .codes(from)
    // What is unknown needs no field.
    .filter(({ code }) => code !== 'unknown')
    .map(({ label, matches, uri }) => subfields('a', label, 'u', matches[0] ?? uri))

/**
 * The headings of another vocabulary that mean the same as the terms of a field. The second
 * indicator says already that one is of the Library of Congress's subject headings; of others `$2`
 * says it.
 */
function headingsIn(scheme: string): BuildField {
  const source = scheme === 'lcsh' ? [] : ['2', scheme]
  return (zine, from) =>
    zine
      .codes(from)
      .flatMap(({ headings }) => headings)
      .filter((heading) => heading.scheme === scheme && heading.iri !== zineGenre)
      .map(({ text, iri }) => subfields('a', text, ...source, '0', iri))
}

// A genre that only says "zine" is left out: every record has a field for that already.
const genreFields: BuildField = (zine, from) =>
  zine
    .codes(from)
    .filter(({ matches }) => !matches.includes(zineGenre))
    .map((term) => vocabularyTermIn('local', term))
