// Holdings: the copies of zines that repositories have (docs/reference/fields.md, "Fields").

import { bf, dcterms, holding, rdf, skos } from '../../rdf/namespaces.js'
import type { Iris } from '../iris.js'
import type { ResourceDeclaration, NestedFields } from './field-declaration.js'

const zineInLists: NestedFields = ['zine_id', 'title']
const zine: NestedFields = [...zineInLists, ['creator', ['agent_id', 'display_name']], 'date']
const repositoryInLists: NestedFields = ['repo_id', 'repository_name']
const repository: NestedFields = [...repositoryInLists, 'city', 'country', 'website']

// prettier-ignore
export const holdings = (term: Iris['term']): ResourceDeclaration => ({
  name: 'holdings',
  noun: 'Holding',
  description: 'Copies of zines kept by repositories.',
  class: bf('Item'),
  fields: [
    { name: 'holding_id', property: dcterms('identifier'), inLists: true },
    { name: 'zine_id', outputName: 'zine', property: bf('itemOf'), inLists: true, filterable: true, nested: { list: zineInLists, detail: zine }, summary: 'title', removedWith: true },
    { name: 'repository_id', outputName: 'repository', label: 'Library', property: bf('heldBy'), inLists: true, filterable: true, nested: { list: repositoryInLists, detail: repository }, facet: 1, summary: 1, removedWith: true },
    { name: 'call_number', property: holding('label'), sortable: true, summary: 2 },
    { name: 'location', property: bf('physicalLocation'), inLists: true, summary: 4 },
    { name: 'access_status', property: dcterms('accessRights'), inLists: true, filterable: true, facet: 2, summary: 3 },
    { name: 'condition', property: term('condition'), inLists: true },
    { name: 'copy_count', property: bf('count'), inLists: true },
    { name: 'barcode', property: term('barcode'), identifies: true },
    { name: 'digital_available', property: term('digitalAvailable'), inLists: true, filterable: true, facet: 3 },
    { name: 'digital_url', property: bf('electronicLocator') },
    { name: 'distro_status', property: term('distroStatus') },
    { name: 'notes', property: skos('note') },
    { name: 'provenance', property: bf('custodialHistory'), leftOutIfUnset: true },
    { name: 'source', property: term('acquisitionSource'), private: 'always', leftOutIfUnset: true },
    { name: 'acquired', property: term('acquired'), private: 'always', leftOutIfUnset: true },
    { name: 'accession_number', property: term('accessionNumber'), private: 'always', leftOutIfUnset: true },
    { name: 'price', property: term('price'), private: 'always', leftOutIfUnset: true },
    { name: 'donor', property: term('donor'), private: 'always', leftOutIfUnset: true },
    { name: 'last_seen', property: term('lastSeen'), private: 'always', leftOutIfUnset: true },
    { name: 'staff_note', property: term('staffNote'), private: 'always', leftOutIfUnset: true },
    { name: 'created_at', property: dcterms('created'), onRecordNode: true, inLists: true, sortable: true },
    { name: 'updated_at', property: dcterms('modified'), onRecordNode: true },
  ],
  derivedProperties: [],
  derive: () => [{ predicate: rdf('type'), object: bf('Item') }],
})
