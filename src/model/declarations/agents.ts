// Agents: the people, collectives and organizations who make zines (docs/reference/fields.md,
// "Fields").

import { dcterms, foaf, rdau, rdf, rdfs, schema, skos, vcard, vivo } from '../../rdf/namespaces.js'
import { iri, stringLiteral } from '../../rdf/terms.js'
import { authorityLinksIn, authorityPrefixes } from '../authority-links.js'
import type { Iris } from '../iris.js'
import { type RecordValues, listValue, textValue } from '../record/values.js'
import type { DerivedTriple, ResourceDeclaration } from './field-declaration.js'

// prettier-ignore
export const agents = (term: Iris['term']): ResourceDeclaration => ({
  name: 'agents',
  noun: 'Agent',
  description: 'People, collectives and organizations who make zines.',
  class: foaf('Agent'),
  fields: [
    { name: 'agent_id', property: dcterms('identifier'), inLists: true },
    { name: 'kind', property: dcterms('type'), inLists: true, filterable: true, facet: 1, summary: 1 },
    { name: 'display_name', property: foaf('name'), inLists: true, searchable: true, sortable: true, summary: 'title' },
    { name: 'public', property: term('public'), inLists: true, filterable: true, editorial: true, facet: 2 },
    { name: 'legal_name', property: term('legalName'), private: 'unlessPublic', searchable: true },
    { name: 'alternative_names', property: schema('alternateName'), searchable: true },
    { name: 'sort_name', property: vcard('sort-string'), filing: true },
    { name: 'pronouns', property: schema('pronouns'), inLists: true },
    { name: 'biography', property: dcterms('description'), inLists: true, searchable: true, summary: 'excerpt' },
    { name: 'scope_note', property: skos('scopeNote') },
    { name: 'roles', property: vcard('hasRole') },
    { name: 'orcid', property: vivo('orcidId'), identifies: true },
    { name: 'wikidata', property: schema('sameAs'), prefix: 'http://www.wikidata.org/entity/', derivedPrefixes: authorityPrefixes, identifies: true },
    { name: 'other_identifiers', property: schema('identifier'), identifies: true },
    { name: 'active_dates', property: rdau('P60076') },
    { name: 'location', property: schema('location') },
    { name: 'website', property: schema('url'), inLists: true },
    { name: 'email', property: schema('email'), private: 'unlessPublic' },
    { name: 'phone', property: schema('telephone'), private: 'unlessPublic' },
    { name: 'social_media', property: foaf('account') },
    { name: 'staff_note', property: term('staffNote'), private: 'always', leftOutIfUnset: true },
    { name: 'created_at', property: dcterms('created'), onRecordNode: true, inLists: true, sortable: true },
    { name: 'updated_at', property: dcterms('modified'), onRecordNode: true },
  ],
  derivedProperties: [rdfs('label')],
  derive,
})

const typesByKind = new Map([
  ['Person', [foaf('Person'), schema('Person')]],
  ['Collective', [foaf('Group'), schema('Organization')]],
  ['Organization', [foaf('Organization'), schema('Organization')]],
])

function derive(values: RecordValues): DerivedTriple[] {
  const types = [foaf('Agent'), ...(typesByKind.get(textValue(values, 'kind')) ?? [])]
  return [
    ...types.map((object) => ({ predicate: rdf('type'), object })),
    { predicate: rdfs('label'), object: stringLiteral(textValue(values, 'display_name')) },
    ...authorityLinksIn([
      textValue(values, 'orcid'),
      ...listValue(values, 'other_identifiers'),
    ]).map((link) => ({ predicate: schema('sameAs'), object: iri(link) })),
  ]
}
