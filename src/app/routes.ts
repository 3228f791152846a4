// What is answered at which address: the API, what the IRIs of the data lead to, and the desk.

import { join } from 'node:path'

import { createJsonLdContext } from '../formats/jsonld/context.js'
import { createExportSerializers, createSerializers } from '../formats/serializers.js'
import type { Assets } from '../http/middleware/static-files.js'
import { createRecordPages } from '../http/pages/records.js'
import { createVocabularyPages } from '../http/pages/vocabularies.js'
import { datasetEndpoint } from '../http/linked-data/dataset.js'
import { accountEndpoints } from '../http/editing/accounts.js'
import type { FormDependencies } from '../http/editing/form-endpoint.js'
import { formEndpoints } from '../http/editing/records.js'
import { datasetPage, createDocumentPages, apiReferencePage } from '../http/pages/documents.js'
import { dumpEndpoints } from '../http/linked-data/dumps.js'
import type { Endpoint } from '../http/endpoint.js'
import { exportEndpoints } from '../http/api/exports.js'
import { homePage } from '../http/pages/home.js'
import { linkedDataEndpoints } from '../http/linked-data/endpoints.js'
import { cacheStatistics } from '../http/pages/cached-statistics.js'
import { recordEndpoints } from '../http/api/records.js'
import { referenceEndpoints } from '../http/api/reference-lists.js'
import { homeRedirect, rootEndpoints } from '../http/api/root.js'
import { readPackageInfo, schemaEndpoint } from '../http/api/openapi.js'
import { tokenEndpoint } from '../http/api/token.js'
import type { Iris } from '../model/iris.js'
import { readPlaces } from '../model/places.js'
import { prefixesUnder } from '../rdf/namespaces.js'
import type { Backend } from './backend.js'
import { packageRoot } from './package-files.js'

/** All addresses of the API but that of the health, the description of them included. */
export async function createApiEndpoints(
  backend: Backend,
  assets: Assets,
): Promise<readonly Endpoint[]> {
  const { accounts, catalogue, resources } = backend
  const about = await readPackageInfo(join(packageRoot, 'package.json'))
  const places = await readPlaces(join(packageRoot, 'vocabularies', 'places.tsv'))
  const serializers = createSerializers(backend)
  const exports = createExportSerializers(backend)
  const parts = {
    ...backend,
    about,
    assets,
    around: rdfContext(backend.iris),
    numbers: cacheStatistics(catalogue),
    places,
    serializers,
  }
  const consulted = createVocabularyPages(parts)
  const endpoints = [
    ...rootEndpoints({ ...consulted, home: homePage(parts) }),
    tokenEndpoint(accounts),
    // Before the records, whose addresses are more general.
    ...exportEndpoints({ catalogue, resources, serializers: exports }),
    ...recordEndpoints({ ...parts, pages: createRecordPages(parts) }),
    ...referenceEndpoints({ ...parts, pages: consulted }),
    ...dumpEndpoints(backend),
    datasetEndpoint({ ...parts, page: datasetPage({ ...parts, exports }) }),
  ]
  const pageOf = apiReferencePage(assets)
  return [...endpoints, schemaEndpoint({ about, endpoints, resources, pageOf })]
}

/** What the IRIs of the data lead to, which no client of the API needs to be told of. */
export function createLinkedDataEndpoints(backend: Backend, assets: Assets): readonly Endpoint[] {
  const parts = {
    ...backend,
    assets,
    serializers: createSerializers(backend),
    vocabularies: Object.values(backend.vocabularies),
    around: rdfContext(backend.iris),
    context: createJsonLdContext(backend).document,
  }
  return [homeRedirect, ...linkedDataEndpoints({ ...parts, pages: createDocumentPages(parts) })]
}

/** The pages on which people write, which no client of the API needs to be told of either. */
export const createEditingEndpoints = (
  backend: Backend,
  doors: FormDependencies,
): readonly Endpoint[] => [
  ...accountEndpoints({ ...backend, ...doors }),
  ...formEndpoints({ ...backend, ...doors }),
]

const rdfContext = ({ base }: Iris) => ({ base, prefixes: prefixesUnder(base) })
