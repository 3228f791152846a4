// A zine as a MARC 21 bibliographic record (mapping: 4), catalogued by RDA.
//
// With ISBD punctuation between subfields and none at the end of fields: what the Program for
// Cooperative Cataloging has allowed since 2019, and what library systems show well that put the
// subfields of a field one after the other.

import { parseIssuedDate } from '../../model/dates.js'
import { parseIdentifier } from '../standard-identifiers.js'
import type { RecordAccessor } from '../record-accessor.js'
import { carriersOf, codesOf, datesOf, languageCodes, languageOf, levelOf } from './coded-values.js'
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
import { headingOf, isPerson, withNameIndicator } from './names.js'

/** The genre that all of them are of, in the Library of Congress's list. */
const zines = 'http://id.loc.gov/authorities/genreForms/gf2014026210'

// prettier-ignore
export const bibliographicRows = (agency: string): readonly MarcField[] => [
  // tag  ind.  from                    subfields
  ['020', '__', 'identifier',           identified('isbn', 'z')],
  ['022', '__', 'identifier',           identified('issn', 'y')],
  ['024', '7_', 'zine_id',              (zine) => [subfields('a', zine.iri, '2', 'uri')]],
  ['024', '7_', 'identifier',           identified('doi', 'a', '2', 'doi')],
  ['024', '7_', 'identifier',           identified('url', 'a', '2', 'uri')],
  ['024', '8_', 'identifier',           identified('other')],
  ['040', '__', '',                     constant('a', agency, 'b', 'eng', 'e', 'rda', 'c', agency)],
  ['041', '__', 'language',             severalLanguages],
  ['046', '__', 'date',                 codedDate],
  ['100', '1_', 'creator',              main(isPerson)],
  ['110', '2_', 'creator',              main(isBody)],
  ['245', '10', 'title',                (zine) => mainOf(zine) ? [title(zine)] : []],
  ['245', '00', 'title',                (zine) => mainOf(zine) ? [] : [title(zine)]],
  ['246', '3_', 'alternative_title',    eachValue('a')],
  ['250', '__', 'edition_statement',    eachValue('a')],
  ['264', '_1', 'place_of_publication', publication], // $b from publisher, $c from date
  ['300', '__', 'number_of_pages',      extent],      // $c from physical_dimensions
  ['336', '__', '',                     constant('a', 'text', 'b', 'txt', '2', 'rdacontent')],
  ['337', '__', 'format',               media],
  ['338', '__', 'format',               carriers],
  ['340', '__', 'format',               codedTerms('local')],
  ['490', '0_', 'series_title',         series],      // $v from issue_designation
  ['500', '__', 'public_notes',         eachValue('a')],
  ['505', '0_', 'table_of_contents',    contents],
  ['520', '3_', 'abstract',             eachValue('a')],
  ['522', '8_', 'coverage',             eachValue('a')],   // 8: no "Geographic coverage:" before what may be a time
  ['540', '__', 'rights',               rights],
  ['563', '__', 'binding_features',     eachValue('a')],
  ['650', '_7', 'subject',              codedTerms('local')],
  ['655', '_7', 'genre',                genres],
  ['655', '_7', '',                     constant('a', 'Zines.', '2', 'lcgft', '0', zines)],
  ['700', '1_', 'creator',              others(isPerson)], // and contributor, publisher
  ['710', '2_', 'creator',              others(isBody)],   // and contributor, publisher
  ['786', '0_', 'source',               eachValue('n')],
  ['787', '0_', 'relation',             eachValue('n')],
]

/** @param agency who says it: MARC's code or, where there is none, a name */
export function createBibliographicRecord(agency: string): (zine: RecordAccessor) => MarcRecord {
  const table = bibliographicRows(agency)
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
          'xx ' +
          codesOf(zine) +
          languageOf(zine) +
          ' d',
      ],
    ],
    data: fieldsOf(table, zine),
  })
}

/** New, or corrected since. */
export const statusOf = (source: RecordAccessor): string =>
  source.text('created_at') === source.text('updated_at') ? 'n' : 'c'

// What has a wrong check digit is kept where it is not searched: 020 $z, 022 $y.
function identified(kind: string, wrong = 'a', ...more: readonly string[]): BuildField {
  return (zine, from) =>
    zine
      .values(from)
      .map(parseIdentifier)
      .filter((identifier) => identifier.kind === kind)
      .map((identifier) => subfields(identifier.wrong ? wrong : 'a', identifier.value, ...more))
}

function severalLanguages(zine: RecordAccessor, from: string): Subfields[] {
  const codes = zine
    .codes(from)
    .flatMap(languageCodes)
    .map((code) => ['a', code] as const)
  return codes.length > 1 ? [codes] : []
}

function codedDate(zine: RecordAccessor, from: string): Subfields[] {
  return zine.values(from).flatMap((date) => {
    const [start = '', end = ''] = parseIssuedDate(date)?.value.split('/') ?? []
    return start === '' ? [] : [subfields('k', start, 'l', end, '2', 'edtf')]
  })
}

// What agents are to a zine: the field, the term of RDA and MARC's code for it.
const relations = [
  ['creator', 'creator', 'cre'],
  ['contributor', 'contributor', 'ctb'],
  ['publisher', 'publisher', 'pbl'],
] as const

function isBody(agent: RecordAccessor): boolean {
  return !isPerson(agent)
}

const mainOf = (zine: RecordAccessor): RecordAccessor | undefined => zine.related('creator')[0]

function main(isKind: (agent: RecordAccessor) => boolean): BuildField {
  return (zine) => {
    const agent = mainOf(zine)
    return agent && isKind(agent) ? [accessPoint(zine, agent)] : []
  }
}

function others(isKind: (agent: RecordAccessor) => boolean): BuildField {
  return (zine) => {
    const named = relations.flatMap(([field]) => zine.related(field))
    const distinct = [...new Map(named.map((agent) => [agent.id, agent])).values()]
    const first = mainOf(zine)?.id
    return distinct
      .filter((agent) => agent.id !== first && isKind(agent))
      .map((agent) => accessPoint(zine, agent))
  }
}

/** One field for an agent, whatever all they are to the zine. */
function accessPoint(zine: RecordAccessor, agent: RecordAccessor): FieldWithIndicators {
  const held = relations.filter(([field]) => zine.values(field).includes(agent.id))
  const name = headingOf(agent)
  return withNameIndicator(agent, name, [
    ...isbd(['a', '', name], ...held.map(([, term]) => ['e', ',', term] as const)),
    ...held.map(([, , code]) => ['4', code] as const),
    ['1', agent.iri],
  ])
}

const title = (zine: RecordAccessor): Subfields =>
  isbd(['a', '', zine.text('title')], ['n', '.', zine.text('issue_designation')])

function publication(zine: RecordAccessor): Subfields[] {
  const names = zine.related('publisher').map((agent) => agent.text('display_name'))
  const dates = zine.values('date').filter((date) => !undated.test(date))
  const or = (values: readonly string[], unknown: string): readonly string[] =>
    values.length > 0 ? values : [unknown]
  return [
    isbd(
      ...or(zine.values('place_of_publication'), '[Place of publication not identified]').map(
        (place) => ['a', ' ;', place] as const,
      ),
      ...or(names, '[publisher not identified]').map((name) => ['b', ' :', name] as const),
      ...or(dates, '[date of publication not identified]').map((date) => ['c', ',', date] as const),
    ),
  ]
}

const undated = /^(?:undated|n\. ?d\.|no date|(?:date )?unknown)$/i

// $b is not there: no field says whether a zine has pictures or colours.
function extent(zine: RecordAccessor, from: string): Subfields[] {
  const pages = zine.text(from)
  const units = levelOf(zine) === 's' ? 'volumes' : extentOf(pages)
  return [isbd(['a', '', units], ['c', ' ;', measured(zine.text('physical_dimensions'))])]
}

function extentOf(pages: string): string {
  if (pages === '') return '1 volume'
  if (/^\d+$/.test(pages)) return pages === '1' ? '1 page' : `${pages} pages`
  return /^(?:unpaged|unpaginated|unnumbered)$/i.test(pages) ? '1 volume (unpaged)' : pages
}

/** With the units as RDA abbreviates them. */
const measured = (dimensions: string): string =>
  dimensions
    .replace(/ ?\b(?:centimet(?:er|re)s?)\b\.?/i, ' cm')
    .replace(/ ?\b(?:millimet(?:er|re)s?)\b\.?/i, ' mm')
    .replace(/ ?\binch(?:es)?\b\.?/i, ' in.')
    .replace(/(\d) ?[x×] ?(?=\d)/gi, '$1 x ')

const media: BuildField = (zine) =>
  distinctOf(
    carriersOf(zine).map(({ media: [term, code] }) =>
      subfields('a', term, 'b', code, '2', 'rdamedia'),
    ),
  )

const carriers: BuildField = (zine) =>
  distinctOf(
    carriersOf(zine).map(({ carrier: [term, code] }) =>
      subfields('a', term, 'b', code, '2', 'rdacarrier'),
    ),
  )

const distinctOf = (fields: readonly Subfields[]): readonly Subfields[] => [
  ...new Map(fields.map((subfields) => [JSON.stringify(subfields), subfields])).values(),
]

function series(zine: RecordAccessor, from: string): Subfields[] {
  const titles = zine.values(from)
  // Of several series, nothing says in which one this is the number.
  const number = titles.length === 1 ? zine.text('issue_designation') : ''
  return titles.map((name) => isbd(['a', '', name], ['v', ' ;', number]))
}

const contents: BuildField = (zine, from) => [
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

const rights: BuildField = (zine, from) =>
  zine.codes(from).map(({ label, matches }) => subfields('a', label, 'u', matches[0] ?? ''))

// What says no more than that it is a zine is said by the field that all have.
const genres: BuildField = (zine, from) =>
  zine
    .codes(from)
    .filter(({ matches }) => !matches.includes(zines))
    .map((term) => vocabularyTermIn('local', term))
