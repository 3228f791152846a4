// Zines: bibliographic records (specification: Zine; mapping: 3).

import { bf, bibo, dcterms, rdau, rdf, rdfs, schema, skos } from '../../rdf/namespaces.js'
import { type NamedNode, iri, text } from '../../rdf/terms.js'
import type { Addresses } from '../iris.js'
import { type Card, textOf, valuesOf } from '../record/values.js'
import { issuedOf } from '../dates.js'
import type { Derived, ResourceRows, Shown } from './field-declaration.js'

const agentInLists: Shown = ['agent_id', 'display_name', 'kind']
const agent: Shown = [...agentInLists, 'pronouns', 'biography']
const entry: Shown = ['code', 'label', 'uri']

// prettier-ignore
export const zines = (term: Addresses['term']): ResourceRows => ({
  name: 'zines',
  noun: 'Zine',
  description: 'Bibliographic records of zines.',
  class: bf('Instance'),
  rows: [
    { name: 'zine_id', property: dcterms('identifier'), list: true },
    { name: 'title', property: dcterms('title'), list: true, search: true, order: true },
    { name: 'series_title', property: bf('seriesStatement'), list: true },
    { name: 'issue_designation', property: bibo('issue'), list: true },
    { name: 'edition_statement', property: bf('editionStatement') },
    { name: 'alternative_title', property: dcterms('alternative') },
    { name: 'creator', property: dcterms('creator'), list: true, filter: true, shows: { list: agentInLists, detail: agent } },
    { name: 'contributor', property: dcterms('contributor'), shows: { list: agentInLists, detail: agent } },
    { name: 'subject', property: dcterms('subject'), list: true, filter: true, shows: { list: entry, detail: [...entry, 'definition'] } },
    { name: 'genre', property: bf('genreForm'), list: true, filter: true, shows: { list: entry, detail: entry } },
    { name: 'abstract', property: dcterms('abstract'), search: true },
    { name: 'table_of_contents', property: dcterms('tableOfContents'), search: true },
    { name: 'public_notes', property: skos('note') },
    { name: 'publisher', property: dcterms('publisher'), shows: { list: agentInLists, detail: agent } },
    { name: 'date', property: dcterms('date'), list: true },
    { name: 'physical_dimensions', property: bf('dimensions') },
    { name: 'number_of_pages', property: bibo('numPages') },
    { name: 'format', property: dcterms('format') },
    { name: 'binding_features', property: term('bindingFeature') },
    { name: 'language', property: dcterms('language'), list: true, filter: true },
    { name: 'place_of_publication', property: rdau('P60163') },
    { name: 'coverage', property: dcterms('coverage') },
    { name: 'source', property: dcterms('source') },
    { name: 'relation', property: dcterms('relation') },
    { name: 'rights', property: dcterms('rights'), list: true },
    { name: 'identifier', property: bibo('identifier') },
    { name: 'created_at', property: dcterms('created'), ofRecord: true, list: true, order: true },
    { name: 'updated_at', property: dcterms('modified'), ofRecord: true, list: true, order: true },
  ],
  derivedFilters: [
    { name: 'year', path: [dcterms('issued')], leading: 4, label: 'Year', comment: 'A year that the zine is dated with, in four digits; `199X` for the 1990s.' },
  ],
  derive,
})

function derive(card: Card, thing: NamedNode, addresses: Addresses): Derived[] {
  const isIssue = textOf(card, 'issue_designation') !== ''
  const types = [
    bf('Instance'),
    bibo('Document'),
    schema('CreativeWork'),
    ...(isIssue ? [bibo('Issue'), schema('PublicationIssue')] : []),
  ]
  return [
    ...types.map((object) => ({ predicate: rdf('type'), object })),
    { predicate: rdfs('label'), object: text(textOf(card, 'title')) },
    ...valuesOf(card, 'date').flatMap((date) => {
      const issued = issuedOf(date)
      return issued ? [{ predicate: dcterms('issued'), object: issued }] : []
    }),
    ...people(bibo('authorList'), 'authors', valuesOf(card, 'creator'), thing, addresses),
    ...people(
      bibo('contributorList'),
      'contributors',
      valuesOf(card, 'contributor'),
      thing,
      addresses,
    ),
  ]
}

// First authorship, for those who read the graph: a list of people where there are several. Its nodes
// have names of their own, since engines differ in what they do to blank ones.
function people(
  predicate: NamedNode,
  name: string,
  ids: readonly string[],
  thing: NamedNode,
  addresses: Addresses,
): Derived[] {
  if (ids.length < 2) return []
  const node = (position: number): NamedNode =>
    position < ids.length ? addresses.part(thing, `${name}-${position + 1}`) : iri(rdf('nil').value)
  return [
    { predicate, object: node(0) },
    ...ids.flatMap((id, position) => [
      { subject: node(position), predicate: rdf('first'), object: addresses.thing('agents', id) },
      { subject: node(position), predicate: rdf('rest'), object: node(position + 1) },
    ]),
  ]
}
