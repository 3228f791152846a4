// Repositories: the libraries, archives, distros and collections that keep zines (specification:
// Repository; mapping: 3).

import { adms, dcterms, foaf, lv, org, rdf, rdfs, schema, skos } from '../../rdf/namespaces.js'
import { text } from '../../rdf/terms.js'
import type { Addresses } from '../iris.js'
import { type Card, textOf } from '../record/values.js'
import type { Derived, ResourceRows } from './field-declaration.js'

// prettier-ignore
export const repositories = (term: Addresses['term']): ResourceRows => ({
  name: 'repositories',
  noun: 'Repository',
  description: 'Libraries, archives, distros and collections that keep zines.',
  class: org('Organization'),
  rows: [
    { name: 'repo_id', property: dcterms('identifier'), list: true },
    { name: 'repository_name', property: foaf('name'), list: true, search: true, order: true },
    { name: 'repository_kind', property: org('classification'), list: true, filter: true },
    { name: 'country', property: [schema('address'), schema('addressCountry')], list: true, filter: true },
    { name: 'alternative_names', property: schema('alternateName'), search: true },
    { name: 'description', property: dcterms('description'), search: true },
    { name: 'scope_note', property: skos('scopeNote') },
    { name: 'marc_org_code', property: term('marcOrgCode') },
    { name: 'isil', property: lv('isil') },
    { name: 'ror', property: schema('sameAs') },
    { name: 'city', property: [schema('address'), schema('addressLocality')], list: true },
    { name: 'region', property: [schema('address'), schema('addressRegion')], list: true },
    { name: 'postal_code', property: [schema('address'), schema('postalCode')] },
    { name: 'website', property: schema('url'), list: true },
    { name: 'email', property: schema('email') },
    { name: 'phone', property: schema('telephone') },
    { name: 'social_media', property: foaf('account') },
    { name: 'holdings_count', property: schema('collectionSize') },
    { name: 'established', property: schema('foundingDate'), order: true },
    { name: 'status', property: adms('status'), list: true, filter: true },
    { name: 'created_at', property: dcterms('created'), ofRecord: true, list: true, order: true },
    { name: 'updated_at', property: dcterms('modified'), ofRecord: true },
  ],
  derive,
})

const typeByKind = new Map([
  ['academic-library', schema('Library')],
  ['public-library', schema('Library')],
  ['special-library', schema('Library')],
  ['archive', schema('ArchiveOrganization')],
  ['community-archive', schema('ArchiveOrganization')],
  ['museum', schema('Museum')],
  ['distro', schema('Store')],
])

function derive(card: Card): Derived[] {
  const kind = typeByKind.get(textOf(card, 'repository_kind')) ?? schema('Organization')
  return [
    ...[foaf('Organization'), org('Organization'), kind].map((object) => ({
      predicate: rdf('type'),
      object,
    })),
    { predicate: rdfs('label'), object: text(textOf(card, 'repository_name')) },
  ]
}
