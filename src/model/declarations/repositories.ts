// Repositories: the libraries, archives, distros and collections that have zines
// (docs/reference/fields.md, "Fields").

import {
  adms,
  dcterms,
  foaf,
  lv,
  org,
  rdau,
  rdf,
  rdfs,
  schema,
  skos,
} from '../../rdf/namespaces.js'
import { type NamedNode, iri, stringLiteral } from '../../rdf/terms.js'
import { directoryEntriesOf } from '../authority-links.js'
import { parseIssuedDate } from '../dates.js'
import type { Iris } from '../iris.js'
import { type RecordValues, textValue } from '../record/values.js'
import type { DerivedTriple, ResourceDeclaration } from './field-declaration.js'

/** "has date of establishment" of RDA. */
const dateOfEstablishment = rdau('P60524')

// prettier-ignore
export const repositories = (term: Iris['term']): ResourceDeclaration => ({
  name: 'repositories',
  noun: 'Repository',
  description: 'Libraries, archives, distros and collections that keep zines.',
  class: org('Organization'),
  fields: [
    { name: 'repo_id', property: dcterms('identifier'), inLists: true },
    { name: 'repository_name', property: foaf('name'), inLists: true, searchable: true, sortable: true, summary: 'title' },
    { name: 'repository_kind', label: 'Kind of library', property: org('classification'), inLists: true, filterable: true, facet: 1, summary: 1 },
    { name: 'country', property: [schema('address'), schema('addressCountry')], inLists: true, filterable: true, facet: 2, summary: [2, 3] },
    { name: 'alternative_names', property: schema('alternateName'), searchable: true },
    { name: 'description', property: dcterms('description'), searchable: true },
    { name: 'scope_note', property: skos('scopeNote') },
    { name: 'marc_org_code', property: term('marcOrgCode'), identifies: true },
    { name: 'isil', property: lv('isil'), identifies: true },
    { name: 'ror', property: schema('sameAs'), identifies: true },
    { name: 'city', property: [schema('address'), schema('addressLocality')], inLists: true, summary: [2, 1] },
    { name: 'region', property: [schema('address'), schema('addressRegion')], inLists: true, summary: [2, 2] },
    { name: 'postal_code', property: [schema('address'), schema('postalCode')] },
    { name: 'website', property: schema('url'), inLists: true },
    { name: 'email', property: schema('email') },
    { name: 'phone', property: schema('telephone') },
    { name: 'social_media', property: foaf('account') },
    { name: 'holdings_count', label: 'Number of zines', property: schema('collectionSize') },
    { name: 'established', property: schema('foundingDate'), sortable: true },
    { name: 'status', property: adms('status'), inLists: true, filterable: true, facet: 3, summary: 3 },
    { name: 'contact_note', property: term('contactNote'), private: 'always', leftOutIfUnset: true },
    { name: 'created_at', property: dcterms('created'), onRecordNode: true, inLists: true, sortable: true },
    { name: 'updated_at', property: dcterms('modified'), onRecordNode: true },
  ],
  derivedProperties: [rdfs('label'), rdfs('seeAlso'), dateOfEstablishment],
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

/** The class of schema.org of a repository with a code of `repository_kind`. */
export const organizationType = (kind: string): NamedNode =>
  typeByKind.get(kind) ?? schema('Organization')

function derive(values: RecordValues): DerivedTriple[] {
  const kind = organizationType(textValue(values, 'repository_kind'))
  const established = parseIssuedDate(textValue(values, 'established'))
  const entries = directoryEntriesOf({
    marcOrgCode: textValue(values, 'marc_org_code'),
    isil: textValue(values, 'isil'),
  })
  return [
    ...[foaf('Organization'), org('Organization'), kind].map((object) => ({
      predicate: rdf('type'),
      object,
    })),
    { predicate: rdfs('label'), object: stringLiteral(textValue(values, 'repository_name')) },
    ...(established ? [{ predicate: dateOfEstablishment, object: established }] : []),
    ...entries.map((entry) => ({ predicate: rdfs('seeAlso'), object: iri(entry) })),
  ]
}
