// Creates all endpoints with what they depend on: the API, the linked data, and editing in the browser.
// What an endpoint does is in http/.

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

/** The endpoints of the API and its OpenAPI description; without health and metrics, which http/app.ts has. */
export async function createApiEndpoints(
  backend: Backend,
  assets: Assets,
): Promise<readonly Endpoint[]> {
  const { accounts, catalogue, resources } = backend
  const about = await readPackageInfo(join(packageRoot, 'package.json'))
  const places = await readPlaces(join(packageRoot, 'vocabularies', 'places.tsv'))
  const serializers = createSerializers(backend)
  const exports = createExportSerializers(backend)
  const dependencies = {
    ...backend,
    about,
    assets,
    around: rdfContext(backend.iris),
    numbers: cacheStatistics(catalogue),
    places,
    serializers,
  }
  const referencePages = createVocabularyPages(dependencies)
  const endpoints = [
    ...rootEndpoints({ ...referencePages, home: homePage(dependencies) }),
    tokenEndpoint(accounts),
    // Before the records, whose paths match these too.
    ...exportEndpoints({ catalogue, resources, serializers: exports }),
    ...recordEndpoints({ ...dependencies, pages: createRecordPages(dependencies) }),
    ...referenceEndpoints({ ...dependencies, pages: referencePages }),
    ...dumpEndpoints(backend),
    datasetEndpoint({ ...dependencies, page: datasetPage({ ...dependencies, exports }) }),
  ]
  const pageOf = apiReferencePage(assets)
  return [...endpoints, schemaEndpoint({ about, endpoints, resources, pageOf })]
}

/** The endpoints of the IRIs in the data. They are not in the OpenAPI description. */
export function createLinkedDataEndpoints(backend: Backend, assets: Assets): readonly Endpoint[] {
  const dependencies = {
    ...backend,
    assets,
    serializers: createSerializers(backend),
    vocabularies: Object.values(backend.vocabularies),
    around: rdfContext(backend.iris),
    context: createJsonLdContext(backend).document,
  }
  return [
    homeRedirect,
    ...linkedDataEndpoints({ ...dependencies, pages: createDocumentPages(dependencies) }),
  ]
}

/** The endpoints of the writing pages. They are not in the OpenAPI description. */
export const createEditingEndpoints = (
  backend: Backend,
  formDependencies: FormDependencies,
): readonly Endpoint[] => [
  ...accountEndpoints({ ...backend, ...formDependencies }),
  ...formEndpoints({ ...backend, ...formDependencies }),
]

const rdfContext = ({ base }: Iris) => ({ base, prefixes: prefixesUnder(base) })
