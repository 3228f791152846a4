// Holdings: a copy of a zine kept by a repository (specification: Holding; mapping: 3).

import { bf, dcterms, holding, rdf, skos } from '../../rdf/namespaces.js'
import type { Addresses } from '../iris.js'
import type { ResourceRows, Shown } from './field-declaration.js'

const zineInLists: Shown = ['zine_id', 'title']
const zine: Shown = [...zineInLists, ['creator', ['agent_id', 'display_name']], 'date']
const repositoryInLists: Shown = ['repo_id', 'repository_name']
const repository: Shown = [...repositoryInLists, 'city', 'country', 'website']

// prettier-ignore
export const holdings = (term: Addresses['term']): ResourceRows => ({
  name: 'holdings',
  noun: 'Holding',
  description: 'Copies of zines kept by repositories.',
  class: bf('Item'),
  rows: [
    { name: 'holding_id', property: dcterms('identifier'), list: true },
    { name: 'zine_id', as: 'zine', property: bf('itemOf'), list: true, filter: true, shows: { list: zineInLists, detail: zine } },
    { name: 'repository_id', as: 'repository', property: bf('heldBy'), list: true, filter: true, shows: { list: repositoryInLists, detail: repository } },
    { name: 'call_number', property: holding('label'), order: true },
    { name: 'location', property: bf('physicalLocation'), list: true },
    { name: 'access_status', property: dcterms('accessRights'), list: true, filter: true },
    { name: 'condition', property: term('condition'), list: true },
    { name: 'copy_count', property: bf('count'), list: true },
    { name: 'barcode', property: term('barcode') },
    { name: 'digital_available', property: term('digitalAvailable'), list: true, filter: true },
    { name: 'digital_url', property: bf('electronicLocator') },
    { name: 'distro_status', property: term('distroStatus') },
    { name: 'notes', property: skos('note') },
    { name: 'created_at', property: dcterms('created'), ofRecord: true, list: true, order: true },
    { name: 'updated_at', property: dcterms('modified'), ofRecord: true },
  ],
  derive: () => [{ predicate: rdf('type'), object: bf('Item') }],
})
