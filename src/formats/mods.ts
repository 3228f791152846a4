// Serializes zines as MODS 3.8 (docs/reference/marc.md, "MODS"), in the words of MARC but without
// its numbers. A list is a modsCollection.

import { parseIssuedDate } from '../model/dates.js'
import { withheldName } from '../model/record/title.js'
import { escapeAttribute, escapeText } from '../rdf/xml.js'
import { isEditor } from './citation.js'
import { carriersOf, languageCodes, levelOf, zineGenre } from './marc/coded-values.js'
import { nonfilingCharacters } from './marc/leading-articles.js'
import { isPerson } from './marc/names.js'
import {
  type AccessorDependencies,
  type LabelledCode,
  type RecordAccessor,
  accessRecord,
  contentAdviceOf,
} from './record-accessor.js'
import { parseIdentifier } from '../model/standard-identifiers.js'
import type { Format, RecordSerializer } from './serializer.js'

export const mods: Format = {
  name: 'mods',
  title: 'MODS',
  type: 'application/mods+xml',
  extension: 'xml',
  isLinkedLast: true,
}

type ModsDependencies = AccessorDependencies & { readonly marcOrgCode?: string }

export function modsSerializer(dependencies: ModsDependencies): RecordSerializer {
  const { iris, marcOrgCode = '' } = dependencies
  const agency = marcOrgCode === '' ? new URL(iris.base).host : marcOrgCode
  const serialize = (record: Parameters<RecordSerializer['record']>[0], attributes: string) =>
    `<mods${attributes} version="3.8">\n${elementsOf(accessRecord(dependencies, record), agency)
      .map((element) => `  ${element}\n`)
      .join('')}</mods>\n`
  return {
    ...mods,
    record: (record) => declaration + serialize(record, namespaces),
    listStart: () => `${declaration}<modsCollection${namespaces}>\n`,
    listItem: (record) => serialize(record, ''),
    listEnd: () => '</modsCollection>\n',
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespaces = ' xmlns="http://www.loc.gov/mods/v3" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** The elements of a record, each on one line; empty ones are left out. */
function elementsOf(zine: RecordAccessor, agency: string): readonly string[] {
  const each = (name: string, from: string, attributes: Attributes = {}): readonly string[] =>
    zine.values(from).map((value) => element(name, attributes, value))
  return [
    titleInfo(zine),
    ...zine
      .values('alternative_title')
      .map((title) => parent('titleInfo', { type: 'alternative' }, [element('title', {}, title)])),
    ...namesOf(zine),
    element('typeOfResource', {}, 'text'),
    element('genre', { authority: 'lcgft', valueURI: zineGenre }, 'Zines'),
    ...zine
      .codes('genre')
      .filter(({ matches }) => !matches.includes(zineGenre))
      .map((term) => element('genre', localTerm(term), term.label)),
    originInfo(zine),
    ...zine.codes('language').map(languageOf),
    parent('physicalDescription', {}, [
      ...zine.codes('format').map((term) => element('form', localTerm(term), term.label)),
      ...carriersOf(zine).map(({ carrier: [term] }) =>
        element('form', { authority: 'rdacarrier' }, term),
      ),
      ...zine
        .values('number_of_pages')
        .map((pages) => element('extent', /^\d+$/.test(pages) ? { unit: 'pages' } : {}, pages)),
      ...each('extent', 'physical_dimensions'),
      ...each('note', 'binding_features', { type: 'binding' }),
    ]),
    ...contentAdviceOf(zine).map((text) => element('abstract', { type: 'Content advice' }, text)),
    ...each('abstract', 'abstract'),
    ...each('tableOfContents', 'table_of_contents'),
    ...each('note', 'public_notes'),
    ...each('note', 'coverage', { type: 'coverage' }),
    ...zine
      .codes('subject')
      .map((term) =>
        parent('subject', { authority: 'local' }, [
          element('topic', { valueURI: term.uri }, term.label),
        ]),
      ),
    ...seriesOf(zine),
    ...relatedTexts(zine, 'source', { otherType: 'source' }),
    ...relatedTexts(zine, 'relation', {}),
    ...zine.values('identifier').map(identifierOf),
    element('identifier', { type: 'uri' }, zine.iri),
    parent('location', {}, [element('url', { usage: 'primary display' }, zine.iri)]),
    ...zine
      .codes('rights')
      .map(({ label, matches }) =>
        element(
          'accessCondition',
          { type: 'use and reproduction', 'xlink:href': matches[0] ?? '' },
          label,
        ),
      ),
    recordInfo(zine, agency),
  ].filter((text) => text !== '')
}

type Attributes = Readonly<Record<string, string>>

const startTag = (name: string, attributes: Attributes): string =>
  `<${name}${Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
    .join('')}>`

/** Empty for an empty text. */
const element = (name: string, attributes: Attributes, text: string): string =>
  text === '' ? '' : `${startTag(name, attributes)}${escapeText(text)}</${name}>`

/** Empty without children. */
const parent = (name: string, attributes: Attributes, children: readonly string[]): string => {
  const content = children.join('')
  return content === '' ? '' : `${startTag(name, attributes)}${content}</${name}>`
}

const localTerm = ({ uri }: LabelledCode): Attributes => ({ authority: 'local', valueURI: uri })

/** The title, with the leading article that it is not filed under apart. */
function titleInfo(zine: RecordAccessor): string {
  const title = zine.text('title')
  const skipped = nonfilingCharacters(title, zine.values('language')[0] ?? '')
  return parent('titleInfo', { usage: 'primary' }, [
    element('nonSort', { 'xml:space': 'preserve' }, title.slice(0, skipped)),
    element('title', {}, title.slice(skipped)),
    element('partNumber', {}, zine.text('issue_designation')),
  ])
}

// The relations of agents to a zine: the field, and the term and code of MARC.
const relations = [
  ['creator', 'creator', 'cre'],
  ['contributor', 'contributor', 'ctb'],
  ['publisher', 'publisher', 'pbl'],
] as const

/**
 * A name for each agent with all its roles, the first creator first; a deleted agent has no IRI.
 */
function namesOf(zine: RecordAccessor): readonly string[] {
  const agents = relations.flatMap(([field]) => zine.related(field))
  const distinct = [...new Map(agents.map((agent) => [agent.id, agent])).values()]
  const first = zine.related('creator')[0]?.id
  const known = distinct.map((agent) =>
    parent(
      'name',
      {
        type: isPerson(agent) ? 'personal' : 'corporate',
        ...(agent.id === first ? { usage: 'primary' } : {}),
        valueURI: agent.iri,
      },
      [
        element('namePart', {}, nameOf(agent)),
        element('displayForm', {}, agent.text('display_name')),
        ...relations
          .filter(([field]) => zine.values(field).includes(agent.id))
          .map(([, term, code]) => role(term, code)),
        ...(zine.values('contributor').includes(agent.id) && isEditor(agent)
          ? [role('editor', 'edt')]
          : []),
      ],
    ),
  )
  const withheld = relations.flatMap(([field, term, code]) =>
    zine
      .references(field)
      .filter((agent) => agent === undefined)
      .map(() => parent('name', {}, [element('namePart', {}, withheldName), role(term, code)])),
  )
  return [...known, ...withheld]
}

/** A person's sort name, else the display name: the heading in MARC. */
const nameOf = (agent: RecordAccessor): string =>
  (isPerson(agent) ? agent.text('sort_name') : '') || agent.text('display_name')

const role = (term: string, code: string): string =>
  parent('role', {}, [
    element('roleTerm', { type: 'text', authority: 'marcrelator' }, term),
    element('roleTerm', { type: 'code', authority: 'marcrelator' }, code),
  ])

/** The dates as they are written, and in EDTF where they say one. */
function originInfo(zine: RecordAccessor): string {
  const dates = zine.values('date')
  const coded = dates.flatMap((date) => parseIssuedDate(date)?.value ?? [])
  return parent('originInfo', { eventType: 'publication' }, [
    ...zine
      .values('place_of_publication')
      .map((place) => parent('place', {}, [element('placeTerm', { type: 'text' }, place)])),
    ...zine
      .references('publisher')
      .map((agent) => element('publisher', {}, agent?.text('display_name') ?? withheldName)),
    ...dates.map((date) => element('dateIssued', {}, date)),
    ...coded.map((date, index) =>
      element('dateIssued', { encoding: 'edtf', ...(index === 0 ? { keyDate: 'yes' } : {}) }, date),
    ),
    ...zine.values('edition_statement').map((text) => element('edition', {}, text)),
    element('issuance', {}, levelOf(zine) === 's' ? 'serial' : 'monographic'),
  ])
}

const languageOf = (language: LabelledCode): string =>
  parent('language', {}, [
    element('languageTerm', { type: 'text' }, language.label),
    ...languageCodes(language).map((code) =>
      element('languageTerm', { type: 'code', authority: 'iso639-2b' }, code),
    ),
  ])

/** With several series, the number cannot be assigned to one of them. */
function seriesOf(zine: RecordAccessor): readonly string[] {
  const titles = zine.values('series_title')
  const number = titles.length === 1 ? zine.text('issue_designation') : ''
  return titles.map((title) =>
    parent('relatedItem', { type: 'series' }, [
      parent('titleInfo', {}, [element('title', {}, title), element('partNumber', {}, number)]),
    ]),
  )
}

const relatedTexts = (
  zine: RecordAccessor,
  from: string,
  attributes: Attributes,
): readonly string[] =>
  zine.values(from).map((text) => parent('relatedItem', attributes, [element('note', {}, text)]))

function identifierOf(text: string): string {
  const { kind, value, wrong } = parseIdentifier(text)
  const type = kind === 'url' ? 'uri' : kind === 'other' ? 'local' : kind
  return element('identifier', { type, ...(wrong ? { invalid: 'yes' } : {}) }, value)
}

const recordInfo = (zine: RecordAccessor, agency: string): string =>
  parent('recordInfo', {}, [
    element('descriptionStandard', {}, 'rda'),
    element('recordContentSource', {}, agency),
    element('recordCreationDate', { encoding: 'w3cdtf' }, zine.text('created_at')),
    element('recordChangeDate', { encoding: 'w3cdtf' }, zine.text('updated_at')),
    element('recordIdentifier', { source: agency }, zine.id),
    ...zine.values('derived_from').map((from) => element('recordOrigin', {}, `Taken from ${from}`)),
    parent('languageOfCataloging', {}, [
      element('languageTerm', { type: 'code', authority: 'iso639-2b' }, 'eng'),
    ]),
  ])
