// What is answered at which address: the API, what the IRIs of the data lead to, and the desk.

import { join } from 'node:path'

import { contextOf } from '../formats/jsonld/context.js'
import { setUpExportPresses, setUpPresses } from '../formats/serializers.js'
import type { Assets } from '../http/middleware/static-files.js'
import { browse } from '../http/pages/records.js'
import { consult } from '../http/pages/vocabularies.js'
import { datasetEndpoint } from '../http/linked-data/dataset.js'
import { accountEndpoints } from '../http/editing/accounts.js'
import type { Doors } from '../http/editing/form-endpoint.js'
import { formEndpoints } from '../http/editing/records.js'
import { datasetPage, document, operationsPage } from '../http/pages/documents.js'
import { dumpEndpoints } from '../http/linked-data/dumps.js'
import type { Endpoint } from '../http/endpoint.js'
import { exportEndpoints } from '../http/api/exports.js'
import { homePage } from '../http/pages/home.js'
import { linkedDataEndpoints } from '../http/linked-data/endpoints.js'
import { keepNumbers } from '../http/pages/cached-statistics.js'
import { recordEndpoints } from '../http/api/records.js'
import { referenceEndpoints } from '../http/api/reference-lists.js'
import { doorEndpoint, rootEndpoints } from '../http/api/root.js'
import { readAbout, schemaEndpoint } from '../http/api/openapi.js'
import { tokenEndpoint } from '../http/api/token.js'
import type { Addresses } from '../model/iris.js'
import { readPlaces } from '../model/places.js'
import { prefixesUnder } from '../rdf/namespaces.js'
import type { Collection } from './backend.js'
import { root } from './package-files.js'

/** All addresses of the API but that of the health, the description of them included. */
export async function openEndpoints(
  collection: Collection,
  assets: Assets,
): Promise<readonly Endpoint[]> {
  const { accounts, catalogue, resources } = collection
  const about = await readAbout(join(root, 'package.json'))
  const places = await readPlaces(join(root, 'vocabularies', 'places.tsv'))
  const presses = setUpPresses(collection)
  const exports = setUpExportPresses(collection)
  const parts = {
    ...collection,
    about,
    assets,
    around: around(collection.addresses),
    numbers: keepNumbers(catalogue),
    places,
    presses,
  }
  const consulted = consult(parts)
  const endpoints = [
    ...rootEndpoints({ ...consulted, home: homePage(parts) }),
    tokenEndpoint(accounts),
    // Before the records, whose addresses are more general.
    ...exportEndpoints({ catalogue, resources, presses: exports }),
    ...recordEndpoints({ ...parts, pages: browse(parts) }),
    ...referenceEndpoints({ ...parts, pages: consulted }),
    ...dumpEndpoints(collection),
    datasetEndpoint({ ...parts, page: datasetPage({ ...parts, exports }) }),
  ]
  const pageOf = operationsPage(assets)
  return [...endpoints, schemaEndpoint({ about, endpoints, resources, pageOf })]
}

/** What the IRIs of the data lead to, which no client of the API needs to be told of. */
export function openLinkedData(collection: Collection, assets: Assets): readonly Endpoint[] {
  const parts = {
    ...collection,
    assets,
    presses: setUpPresses(collection),
    vocabularies: Object.values(collection.vocabularies),
    around: around(collection.addresses),
    context: contextOf(collection).document,
  }
  return [doorEndpoint, ...linkedDataEndpoints({ ...parts, pages: document(parts) })]
}

/** The pages on which people write, which no client of the API needs to be told of either. */
export const openDesk = (collection: Collection, doors: Doors): readonly Endpoint[] => [
  ...accountEndpoints({ ...collection, ...doors }),
  ...formEndpoints({ ...collection, ...doors }),
]

const around = ({ base }: Addresses) => ({ base, prefixes: prefixesUnder(base) })
