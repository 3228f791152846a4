// The profiles for the formats of reference managers, and for MODS
// (docs/reference/import-sources.md, "Bibliographies"). Notes are those of the person who collected
// the references, and private; in our own exports they are public.

import type { Profile } from '../profile.js'
import type { SourceType } from '../../../lib/sources/source.js'
import { type RuleRow, toRules, undecided } from './rules.js'

/** What our own exports have in their notes (sources/reference-fields.ts). */
// prettier-ignore
const ownNotes: readonly RuleRow[] = [
  ['note: date', 'zines.date', { as: 'date', split: '; ' }],
  ['note: contents', 'zines.table_of_contents'],
  ['note: issue', 'zines.issue_designation', { fallback: true }],
]

// prettier-ignore
const bibtex: readonly RuleRow[] = [
  ['title', 'zines.title', { with: ['subtitle'], join: ': ', as: 'text' }],
  ['shorttitle', 'zines.alternative_title'],
  ['series', 'zines.series_title', { split: ';' }],
  ['journal', 'zines.series_title'],
  ['journaltitle', 'zines.series_title'],
  ['booktitle', 'zines.series_title'],
  ['volume', 'zines.issue_designation', { with: ['number'], join: ', no. ', prefix: 'vol. ' }],
  ['number', 'zines.issue_designation', { fallback: true }],
  ['issue', 'zines.issue_designation', { fallback: true }],
  ['edition', 'zines.edition_statement', { split: ';' }],
  ['author', 'zines.creator', { as: 'name' }],
  ['editor', 'zines.contributor', { as: 'name' }],
  ['translator', 'zines.contributor', { as: 'name' }],
  ['publisher', 'zines.publisher', { as: 'name' }],
  ['organization', 'zines.publisher', { as: 'name' }],
  ['institution', 'zines.publisher', { as: 'name' }],
  ['location', 'zines.place_of_publication', { as: 'place' }],
  ['address', 'zines.place_of_publication', { as: 'place', split: ';' }],
  ['date', 'zines.date', { as: 'date' }],
  ['pagetotal', 'zines.number_of_pages', { as: 'text' }],
  ['pages', 'zines.number_of_pages', { as: 'pages', fallback: true }],
  ['language', 'zines.language', { as: 'language' }],
  ['langid', 'zines.language', { as: 'language', fallback: true }],
  ['isbn', 'zines.identifier', { as: 'isbn', split: ';' }],
  ['issn', 'zines.identifier', { as: 'isbn', split: ';' }],
  ['doi', 'zines.identifier', { prefix: 'doi:' }],
  ['url', 'zines.identifier'],
  ['keywords', 'zines.subject'],
  ['abstract', 'zines.abstract'],
  ['copyright', 'zines.rights', { split: ';' }],
  ['library', 'holdings.location'],
  ...['annote', 'annotation', 'note', 'file', 'howpublished'].map((name): RuleRow => [name, 'private']),
  ...['entry', 'entry type', 'key', 'type', 'timestamp', 'urldate', 'keyword'].map((name): RuleRow => [name, 'nothing']),
]

// prettier-ignore
const ownBibtex: readonly RuleRow[] = [
  ['annote', 'zines.table_of_contents'],
  ['note', 'zines.public_notes'],
  ['howpublished', 'nothing'],
]

// prettier-ignore
const ris: readonly RuleRow[] = [
  ['TI', 'zines.title', { as: 'text' }],
  ['T1', 'zines.title', { as: 'text' }],
  ['CT', 'zines.title', { as: 'text', fallback: true }],
  ['BT', 'zines.title', { as: 'text', fallback: true }],
  ['ST', 'zines.alternative_title'],
  ['TT', 'zines.alternative_title'],
  ...['T3', 'T2', 'JO', 'JF'].map((tag): RuleRow => [tag, 'zines.series_title']),
  ['VL', 'zines.issue_designation', { with: ['IS'], join: ', no. ', prefix: 'vol. ' }],
  ['IS', 'zines.issue_designation', { fallback: true }],
  ['ET', 'zines.edition_statement'],
  ['AU', 'zines.creator', { as: 'name' }],
  ['A1', 'zines.creator', { as: 'name' }],
  ...['ED', 'A2', 'A3', 'A4'].map((tag): RuleRow => [tag, 'zines.contributor', { as: 'name' }]),
  ['PB', 'zines.publisher', { as: 'name' }],
  ['CY', 'zines.place_of_publication', { as: 'place' }],
  ['PP', 'zines.place_of_publication', { as: 'place', fallback: true }],
  ['DA', 'zines.date', { as: 'date' }],
  ['PY', 'zines.date', { as: 'date' }],
  ['Y1', 'zines.date', { as: 'date' }],
  ['SP', 'zines.number_of_pages', { with: ['EP'], join: '-', as: 'text' }],
  ['LA', 'zines.language', { as: 'language' }],
  ['SN', 'zines.identifier', { as: 'isbn' }],
  ['DO', 'zines.identifier', { prefix: 'doi:' }],
  ['UR', 'zines.identifier'],
  ['KW', 'zines.subject'],
  ['AB', 'zines.abstract'],
  ['N2', 'zines.abstract', { fallback: true }],
  ['CN', 'holdings.call_number'],
  ...['N1', 'RN', 'L1', 'L2', 'L3', 'L4', 'AD', 'AV'].map((tag): RuleRow => [tag, 'private']),
  ...['TY', 'ID', 'M3', 'EP', 'Y2', 'DB', 'DP', 'J2', 'JA', 'LK', 'AN'].map((tag): RuleRow => [tag, 'nothing']),
]

// prettier-ignore
const endNote: readonly RuleRow[] = [
  ['%T', 'zines.title', { as: 'text' }],
  ['%!', 'zines.alternative_title'],
  ['%B', 'zines.series_title'],
  ['%J', 'zines.series_title'],
  ['%S', 'zines.series_title'],
  ['%V', 'zines.issue_designation', { with: ['%N'], join: ', no. ', prefix: 'vol. ' }],
  ['%N', 'zines.issue_designation', { fallback: true }],
  ['%7', 'zines.edition_statement'],
  ['%A', 'zines.creator', { as: 'name' }],
  ...['%E', '%Y', '%?'].map((tag): RuleRow => [tag, 'zines.contributor', { as: 'name' }]),
  ['%I', 'zines.publisher', { as: 'name' }],
  ['%C', 'zines.place_of_publication', { as: 'place' }],
  ['%8', 'zines.date', { as: 'date', fallback: true }],
  ['%D', 'zines.date', { as: 'date' }],
  ['%P', 'zines.number_of_pages', { as: 'pages' }],
  ['%G', 'zines.language', { as: 'language' }],
  ['%@', 'zines.identifier', { as: 'isbn' }],
  ['%R', 'zines.identifier', { prefix: 'doi:' }],
  ['%U', 'zines.identifier'],
  ['%K', 'zines.subject'],
  ['%X', 'zines.abstract'],
  ['%L', 'holdings.call_number'],
  ...['%Z', '%O', '%+', '%>', '%<'].map((tag): RuleRow => [tag, 'private']),
  ...['%0', '%9', '%F', '%M', '%W', '%~', '%['].map((tag): RuleRow => [tag, 'nothing']),
]

// prettier-ignore
const cslJson: readonly RuleRow[] = [
  ['title', 'zines.title', { as: 'text' }],
  ['title-short', 'zines.alternative_title'],
  ['container-title', 'zines.series_title'],
  ['collection-title', 'zines.series_title', { split: ';' }],
  ['volume', 'zines.issue_designation', { with: ['issue'], join: ', no. ', prefix: 'vol. ' }],
  ['issue', 'zines.issue_designation', { fallback: true }],
  ['number', 'zines.issue_designation', { fallback: true }],
  ['collection-number', 'zines.issue_designation', { fallback: true }],
  ['edition', 'zines.edition_statement', { split: ';' }],
  ['author', 'zines.creator', { as: 'name' }],
  ...['editor', 'translator', 'illustrator', 'contributor', 'collection-editor'].map((name): RuleRow => [name, 'zines.contributor', { as: 'name' }]),
  ['publisher', 'zines.publisher', { as: 'names', split: ';' }],
  ['publisher-place', 'zines.place_of_publication', { as: 'place', split: ';' }],
  ['issued', 'zines.date', { as: 'date' }],
  ['number-of-pages', 'zines.number_of_pages', { as: 'text' }],
  ['page', 'zines.number_of_pages', { as: 'pages', fallback: true }],
  ['dimensions', 'zines.physical_dimensions'],
  ['language', 'zines.language', { as: 'language' }],
  ['ISBN', 'zines.identifier', { as: 'isbn' }],
  ['ISSN', 'zines.identifier', { as: 'isbn' }],
  ['DOI', 'zines.identifier', { prefix: 'doi:' }],
  ['URL', 'zines.identifier'],
  ['keyword', 'zines.subject', { split: ',' }],
  ['abstract', 'zines.abstract'],
  ['archive_location', 'holdings.location'],
  ['call-number', 'holdings.call_number'],
  ...['annote', 'note', 'archive'].map((name): RuleRow => [name, 'private']),
  ...['id', 'type', 'genre', 'accessed', 'citation-key', 'source'].map((name): RuleRow => [name, 'nothing']),
]

// prettier-ignore
const ownCslJson: readonly RuleRow[] = [
  ['annote', 'zines.table_of_contents'],
  ['note', 'zines.public_notes'],
]

const ownRis: readonly RuleRow[] = [['N1', 'zines.public_notes']]

// prettier-ignore
const mods: readonly RuleRow[] = [
  ['titleInfo', 'zines.title', { as: 'text' }],
  ...['alternative', 'abbreviated', 'translated', 'uniform'].map((type): RuleRow => [`titleInfo[${type}]`, 'zines.alternative_title']),
  ['partNumber', 'zines.issue_designation'],
  ['relatedItem[series].partNumber', 'zines.issue_designation', { fallback: true }],
  ['relatedItem[series]', 'zines.series_title'],
  ['relatedItem[host]', 'zines.relation'],
  ['relatedItem.note', 'zines.relation'],
  ['relatedItem', 'zines.relation'],
  ['relatedItem[source]', 'zines.source'],
  ['relatedItem[source].note', 'zines.source'],
  ['name', 'zines.contributor', { as: 'name', relators: 'r' }],
  ['originInfo.place.placeTerm[text]', 'zines.place_of_publication', { as: 'place' }],
  ['originInfo.place.placeTerm[code]', 'nothing'],
  ['originInfo.publisher', 'zines.publisher', { as: 'name', fallback: true }],
  ['originInfo.dateIssued', 'zines.date', { as: 'date' }],
  ['originInfo.copyrightDate', 'zines.date', { as: 'date', fallback: true }],
  ['originInfo.dateCreated', 'zines.date', { as: 'date', fallback: true }],
  ['originInfo.edition', 'zines.edition_statement'],
  ['originInfo.issuance', 'nothing'],
  ['language', 'zines.language', { as: 'language' }],
  ['physicalDescription.form', 'zines.format'],
  ['physicalDescription.extent', 'zines.number_of_pages', { as: 'pages' }],
  ['physicalDescription.dimensions', 'zines.physical_dimensions'],
  ['physicalDescription.note[binding]', 'zines.binding_features'],
  ['physicalDescription.note', 'zines.public_notes'],
  ['abstract', 'zines.abstract'],
  ['abstract[Content advice]', 'zines.content_advice'],
  ['tableOfContents', 'zines.table_of_contents'],
  ['note', 'zines.public_notes'],
  ['note[coverage]', 'zines.coverage'],
  ['genre', 'zines.genre'],
  ['subject.topic', 'zines.subject'],
  ['subject.geographic', 'zines.coverage'],
  ['subject.temporal', 'zines.coverage'],
  ['identifier[isbn]', 'zines.identifier', { as: 'isbn' }],
  ['identifier[issn]', 'zines.identifier', { as: 'isbn' }],
  ['identifier[doi]', 'zines.identifier', { prefix: 'doi:' }],
  ['identifier[uri]', 'zines.identifier'],
  ['identifier[local]', 'zines.identifier'],
  ['accessCondition', 'zines.rights'],
  ['accessCondition[use and reproduction]', 'zines.rights'],
  ['location.shelfLocator', 'holdings.call_number'],
  ['location.url', 'nothing'],
  ['typeOfResource', 'nothing'],
  ...['descriptionStandard', 'recordContentSource', 'recordCreationDate', 'recordChangeDate', 'recordIdentifier', 'recordOrigin', 'languageOfCataloging.languageTerm[code]'].map((name): RuleRow => [`recordInfo.${name}`, 'nothing']),
]

type Bibliography = {
  readonly name: string
  readonly description: string
  /** The source field with what a record is called in the file. */
  readonly key: string
  readonly rules: readonly RuleRow[]
  /** The rules for our own exports, before the others. */
  readonly ownRules: readonly RuleRow[]
  /** The source field with the address of a record, by which our own exports are known. */
  readonly addressField: string
}

/** Of our own records, wherever the service is. */
const ownAddress = '/id/zines/'

const bibliographies: Readonly<Partial<Record<SourceType, Bibliography>>> = {
  bibtex: {
    name: 'BibTeX',
    description: 'A bibliography in BibTeX or BibLaTeX.',
    key: 'key',
    rules: bibtex,
    ownRules: ownBibtex,
    addressField: 'url',
  },
  ris: {
    name: 'RIS',
    description: 'References in RIS, as nearly every reference manager exports them.',
    key: 'ID',
    rules: ris,
    ownRules: ownRis,
    addressField: 'UR',
  },
  endnote: {
    name: 'EndNote',
    description: 'References in the tagged format of EndNote and refer.',
    key: '%F',
    rules: endNote,
    ownRules: [],
    addressField: '%U',
  },
  'csl-json': {
    name: 'CSL-JSON',
    description: 'References in CSL-JSON, as Zotero and Pandoc use it.',
    key: 'id',
    rules: cslJson,
    ownRules: ownCslJson,
    addressField: 'URL',
  },
  mods: {
    name: 'MODS',
    description: 'Records in MODS.',
    key: 'recordInfo.recordIdentifier',
    rules: mods,
    ownRules: [],
    addressField: 'identifier[uri]',
  },
}

/** Those for what other programs export. */
export const bibliographyProfiles: readonly Profile[] = Object.values(bibliographies).map(
  (bibliography) => toProfile(bibliography, false),
)

/**
 * The profile for a format of bibliographies; undefined for other types.
 * @param textsOf the texts of a source field in the rows that were looked at
 */
export function bibliographyProfile(
  type: SourceType | undefined,
  textsOf: (field: string) => readonly string[],
): Profile | undefined {
  const bibliography = type === undefined ? undefined : bibliographies[type]
  if (!bibliography) return undefined
  const isOwn = textsOf(bibliography.addressField).some((text) => text.includes(ownAddress))
  return toProfile(bibliography, isOwn)
}

function toProfile(
  { name, description, key, rules, ownRules }: Bibliography,
  isOwn: boolean,
): Profile {
  const replaced = new Set(isOwn ? ownRules.map(([from]) => from) : [])
  return {
    ...undecided,
    name,
    description,
    source: {},
    identifiers: {
      zines: `{source}-{${key}}|{import}-{row}`,
      holdings: '{zine}-{item}',
      agents: '',
    },
    rules: toRules([
      ...(isOwn ? ownRules : []),
      ...rules.filter(([from]) => !replaced.has(from)),
      ...ownNotes,
    ]),
    defaults: { zines: { date: null, genre: null, language: null, rights: null }, holdings: {} },
  }
}
