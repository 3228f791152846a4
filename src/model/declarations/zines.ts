// Zines: bibliographic records (docs/reference/fields.md, "Fields").

import { bf, bibo, dcterms, prov, rdau, rdf, rdfs, schema, skos } from '../../rdf/namespaces.js'
import { type NamedNode, integer, iri, stringLiteral } from '../../rdf/terms.js'
import type { Iris } from '../iris.js'
import { type FindPlace, placesNamedIn } from '../place-names.js'
import { type Places, geonameIdOf, placeIri } from '../places.js'
import { seriesOf } from '../series.js'
import { type RecordValues, textValue, listValue } from '../record/values.js'
import { parseIdentifier } from '../standard-identifiers.js'
import { parseIssuedDates, typed, yearsOfAll } from '../dates.js'
import { yearsOf } from '../edtf.js'
import type { DerivedTriple, ResourceDeclaration, NestedFields } from './field-declaration.js'

const agentInLists: NestedFields = ['agent_id', 'display_name', 'kind']
const agent: NestedFields = [...agentInLists, 'pronouns', 'biography']
const entry: NestedFields = ['code', 'label', 'uri']

const locationCreated = schema('locationCreated')
const isPartOf = dcterms('isPartOf')

// prettier-ignore
export const zines = (
  iris: Pick<Iris, 'term' | 'series' | 'idFromIri'>,
  { places, findPlace }: { readonly places: Places; readonly findPlace: FindPlace },
): ResourceDeclaration => ({
  name: 'zines',
  noun: 'Zine',
  description: 'Bibliographic records of zines.',
  class: bf('Instance'),
  fields: [
    { name: 'zine_id', property: dcterms('identifier'), inLists: true },
    { name: 'title', property: dcterms('title'), inLists: true, searchable: true, sortable: true, summary: 'title' },
    { name: 'series_title', property: bf('seriesStatement'), inLists: true, summary: 3 },
    { name: 'issue_designation', property: bibo('issue'), inLists: true, summary: 'subtitle' },
    { name: 'edition_statement', property: bf('editionStatement') },
    { name: 'alternative_title', property: dcterms('alternative') },
    { name: 'creator', label: 'Maker', property: dcterms('creator'), inLists: true, filterable: true, nested: { list: agentInLists, detail: agent }, facet: 5, summary: 1 },
    { name: 'contributor', property: dcterms('contributor'), filterable: true, nested: { list: agentInLists, detail: agent } },
    { name: 'subject', property: dcterms('subject'), inLists: true, filterable: true, nested: { list: entry, detail: [...entry, 'definition'] }, facet: 1, summary: 'tags' },
    { name: 'genre', property: bf('genreForm'), inLists: true, filterable: true, nested: { list: entry, detail: entry }, facet: 2 },
    { name: 'content_advice', property: iris.term('contentAdvice'), filterable: true, leftOutIfUnset: true, inWords: 'content_advice_note', nested: { list: entry, detail: [...entry, 'definition'] } },
    { name: 'content_advice_note', property: iris.term('contentAdviceNote'), leftOutIfUnset: true },
    { name: 'abstract', property: dcterms('abstract'), searchable: true },
    { name: 'table_of_contents', property: dcterms('tableOfContents'), searchable: true },
    { name: 'public_notes', property: skos('note') },
    { name: 'publisher', property: dcterms('publisher'), filterable: true, nested: { list: agentInLists, detail: agent } },
    { name: 'date', property: dcterms('date'), inLists: true, summary: 2 },
    { name: 'physical_dimensions', property: bf('dimensions') },
    { name: 'number_of_pages', property: bibo('numPages') },
    { name: 'format', property: dcterms('format'), countable: true },
    { name: 'binding_features', label: 'Binding', property: iris.term('bindingFeature') },
    { name: 'language', property: dcterms('language'), inLists: true, filterable: true, facet: 4 },
    { name: 'place_of_publication', property: rdau('P60163'), countable: true },
    { name: 'coverage', label: 'About (place or time)', property: dcterms('coverage') },
    { name: 'source', property: dcterms('source') },
    { name: 'relation', label: 'Related works', property: dcterms('relation') },
    { name: 'rights', property: dcterms('rights'), inLists: true },
    { name: 'identifier', property: bibo('identifier') },
    { name: 'staff_note', property: iris.term('staffNote'), private: 'always', leftOutIfUnset: true },
    { name: 'created_at', property: dcterms('created'), onRecordNode: true, inLists: true, sortable: true },
    { name: 'updated_at', property: dcterms('modified'), onRecordNode: true, inLists: true, sortable: true },
    { name: 'derived_from', property: prov('wasDerivedFrom'), onRecordNode: true, leftOutIfUnset: true },
  ],
  derivedFilters: [
    { name: 'year', path: [iris.term('year')], prefixes: [{ length: 4, suffix: '' }, { length: 3, suffix: 'X' }], label: 'Year', comment: 'A year that the zine is dated with, in four digits, also one within a span; `199X` for any year of the 1990s.', facet: 3 },
  ],
  derivedSpans: [{ name: 'issued', path: [dcterms('issued')], yearsOf }],
  derivedOrders: [{ name: 'year', path: [iris.term('earliestYear')], kind: 'integer', nonEmpty: false, comment: 'the earliest year of publication' }],
  derivedProperties: [rdfs('label'), dcterms('issued'), bibo('authorList'), bibo('contributorList'), locationCreated, isPartOf, iris.term('year'), iris.term('earliestYear'), iris.term('latestYear'), bibo('isbn10'), bibo('isbn13'), bibo('issn'), bibo('doi')],
  derivedReferences: [
    { name: 'place', path: [locationCreated], toIri: placeIri, fromIri: (place) => geonameIdOf(place) ?? place, places },
    { name: 'series', path: [isPartOf], toIri: iris.series, fromIri: iris.idFromIri },
  ],
  derive: (values, thing, all) => derive(values, thing, all, findPlace),
})

function derive(
  values: RecordValues,
  thing: NamedNode,
  iris: Iris,
  findPlace: FindPlace,
): DerivedTriple[] {
  const isIssue = textValue(values, 'issue_designation') !== ''
  const types = [
    bf('Instance'),
    bibo('Document'),
    schema('CreativeWork'),
    ...(isIssue ? [bibo('Issue'), schema('PublicationIssue')] : []),
  ]
  return [
    ...types.map((object) => ({ predicate: rdf('type'), object })),
    { predicate: rdfs('label'), object: stringLiteral(textValue(values, 'title')) },
    ...listValue(values, 'date')
      .flatMap(parseIssuedDates)
      .map((object) => ({ predicate: dcterms('issued'), object })),
    ...standardIdentifiers(listValue(values, 'identifier')),
    ...yearTriples(listValue(values, 'date'), iris),
    ...placesNamedIn(listValue(values, 'place_of_publication'), findPlace).map((place) => ({
      predicate: locationCreated,
      object: placeIri(place.geoname_id),
    })),
    ...seriesOf(values).map(({ slug }) => ({ predicate: isPartOf, object: iris.series(slug) })),
    ...orderedList(listValue(values, 'creator'), authorList, thing, iris),
    ...orderedList(listValue(values, 'contributor'), contributorList, thing, iris),
  ]
}

/** ISBN, ISSN and DOI, by which other systems find the zine; none with a wrong check digit. */
function standardIdentifiers(texts: readonly string[]): DerivedTriple[] {
  // The same number may be written in several ways.
  const identifiers = new Map<string, DerivedTriple>()
  for (const { kind, value, wrong } of texts.map(parseIdentifier)) {
    if (wrong || (kind !== 'isbn' && kind !== 'issn' && kind !== 'doi')) continue
    const name = kind === 'isbn' ? `isbn${value.length}` : kind
    identifiers.set(`${name} ${value}`, { predicate: bibo(name), object: stringLiteral(value) })
  }
  return [...identifiers.values()]
}

/** The years of all dates, which queries count and compare (docs/reference/fields.md, "Dates"). */
function yearTriples(dates: readonly string[], iris: Iris): DerivedTriple[] {
  const { named = [], earliest, latest } = yearsOfAll(dates) ?? {}
  return [
    ...named.map((year) => ({ predicate: iris.term('year'), object: typed(year) })),
    ...numbers('earliestYear', earliest),
    ...numbers('latestYear', latest),
  ]

  function numbers(name: string, year: number | undefined): DerivedTriple[] {
    return year === undefined ? [] : [{ predicate: iris.term(name), object: integer(year) }]
  }
}

/** The property of an ordered list, and what the names of its nodes begin with. */
type ListNames = { readonly predicate: NamedNode; readonly nodes: string }

const authorList: ListNames = { predicate: bibo('authorList'), nodes: 'authors' }
const contributorList: ListNames = { predicate: bibo('contributorList'), nodes: 'contributors' }

// The order of several creators or contributors for SPARQL queries, as an RDF list
// (docs/reference/data-model.md, "Derived triples"). Its nodes have IRIs, since SPARQL engines
// treat blank nodes differently.
function orderedList(
  agents: readonly string[],
  { predicate, nodes }: ListNames,
  thing: NamedNode,
  iris: Iris,
): DerivedTriple[] {
  // Without those who are withheld.
  const ids = agents.filter((id) => id !== '')
  if (ids.length < 2) return []
  const node = (position: number): NamedNode =>
    position < ids.length ? iris.part(thing, `${nodes}-${position + 1}`) : iri(rdf('nil').value)
  return [
    { predicate, object: node(0) },
    ...ids.flatMap((id, position) => [
      { subject: node(position), predicate: rdf('first'), object: iris.thing('agents', id) },
      { subject: node(position), predicate: rdf('rest'), object: node(position + 1) },
    ]),
  ]
}
