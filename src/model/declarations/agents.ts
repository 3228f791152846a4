// Agents: the people, collectives and organizations who make zines (specification: Agent; mapping: 3).

import { dcterms, foaf, rdau, rdf, rdfs, schema, skos, vcard, vivo } from '../../rdf/namespaces.js'
import { text } from '../../rdf/terms.js'
import type { Addresses } from '../iris.js'
import { type Card, textOf } from '../record/values.js'
import type { Derived, ResourceRows } from './field-declaration.js'

// prettier-ignore
export const agents = (term: Addresses['term']): ResourceRows => ({
  name: 'agents',
  noun: 'Agent',
  description: 'People, collectives and organizations who make zines.',
  class: foaf('Agent'),
  rows: [
    { name: 'agent_id', property: dcterms('identifier'), list: true },
    { name: 'kind', property: dcterms('type'), list: true, filter: true },
    { name: 'display_name', property: foaf('name'), list: true, search: true, order: true },
    { name: 'public', property: term('public'), list: true, filter: true },
    { name: 'legal_name', property: term('legalName'), private: true, search: true },
    { name: 'alternative_names', property: schema('alternateName'), search: true },
    { name: 'sort_name', property: vcard('sort-string') },
    { name: 'pronouns', property: schema('pronouns'), list: true },
    { name: 'biography', property: dcterms('description'), list: true, search: true },
    { name: 'scope_note', property: skos('scopeNote') },
    { name: 'roles', property: vcard('hasRole') },
    { name: 'orcid', property: vivo('orcidId') },
    { name: 'wikidata', property: schema('sameAs'), prefix: 'http://www.wikidata.org/entity/' },
    { name: 'other_identifiers', property: schema('identifier') },
    { name: 'active_dates', property: rdau('P60076') },
    { name: 'location', property: schema('location') },
    { name: 'website', property: schema('url'), list: true },
    { name: 'email', property: schema('email'), private: true },
    { name: 'phone', property: schema('telephone'), private: true },
    { name: 'social_media', property: foaf('account') },
    { name: 'created_at', property: dcterms('created'), ofRecord: true, list: true, order: true },
    { name: 'updated_at', property: dcterms('modified'), ofRecord: true },
  ],
  derive,
})

const typesByKind = new Map([
  ['Person', [foaf('Person'), schema('Person')]],
  ['Collective', [foaf('Group'), schema('Organization')]],
  ['Organization', [foaf('Organization'), schema('Organization')]],
])

function derive(card: Card): Derived[] {
  const types = [foaf('Agent'), ...(typesByKind.get(textOf(card, 'kind')) ?? [])]
  return [
    ...types.map((object) => ({ predicate: rdf('type'), object })),
    { predicate: rdfs('label'), object: text(textOf(card, 'display_name')) },
  ]
}
