// Connects the endpoints of http/ with what they need: the API, the linked data, and the editing
// pages.

import { join } from 'node:path'

import { unavailableAccounts } from '../accounts/reader-process.js'
import type { CitationService } from '../features/citations/citation-service.js'
import type { OtherCatalogues } from '../features/copy-cataloguing/other-catalogues.js'
import { createJsonLdContext } from '../formats/jsonld/context.js'
import {
  createExportSerializers,
  createPageSerializers,
  createSerializers,
} from '../formats/serializers.js'
import { changesEndpoint } from '../features/changes/changes-api.js'
import { coverEndpoint } from '../features/covers/covers-api.js'
import { batchEndpoints } from '../features/batches/batches-api.js'
import { citationEndpoints } from '../features/citations/citations-api.js'
import { exportEndpoints } from '../features/records/exports.js'
import { facetEndpoint } from '../features/search/facets.js'
import { hydraEndpoint } from '../features/openapi/hydra.js'
import { importEndpoints } from '../features/imports/imports-api.js'
import { historyEndpoints } from '../features/history/history-api.js'
import { meEndpoint } from '../features/account-pages/me.js'
import { mergeEndpoints } from '../features/merges/merges-api.js'
import type { PackageInfo } from '../http/openapi/document-builder.js'
import { readPackageInfo, schemaEndpoint } from '../features/openapi/openapi-api.js'
import { pictureEndpoints } from '../features/pictures/pictures-api.js'
import { createRecordBodies } from '../features/records/rdf-bodies.js'
import { recordEndpoints } from '../features/records/records-api.js'
import { referenceEndpoints } from '../features/vocabularies/reference-lists.js'
import {
  geographyLinks,
  homeRedirect,
  rootEndpoints,
  rootLinks,
  vocabularyLinks,
} from '../features/home/root.js'
import { searchEndpoint } from '../features/search/search-api.js'
import { openSearchEndpoint, suggestionEndpoint } from '../features/search/suggestions.js'
import { tokenEndpoint } from '../features/account-pages/token.js'
import { webhookEndpoints } from '../features/webhooks/webhooks-api.js'
import { accountEndpoints } from '../features/account-pages/accounts.js'
import { historyPageEndpoints } from '../features/history/history.js'
import { changeRequestEndpoints } from '../features/change-requests/change-requests-form.js'
import type { LimitChangeRequests } from '../features/change-requests/change-request-limit.js'
import { batchPageEndpoints } from '../features/batches/batches.js'
import type { FormDependencies } from '../http/form-endpoint.js'
import { inventoryEndpoint } from '../features/inventory/inventory.js'
import { importPageEndpoints } from '../features/imports/imports-form.js'
import { lookUpEndpoints } from '../features/copy-cataloguing/look-up.js'
import { mergeFormEndpoints } from '../features/merges/merge.js'
import { picturePageEndpoints } from '../features/pictures/pictures-form.js'
import { recordFormEndpoints } from '../features/records/record-form.js'
import { worklistsEndpoint } from '../features/inventory/worklists.js'
import type { Endpoint } from '../http/endpoint.js'
import { activityEndpoints } from '../features/changes/activity.js'
import { createDatasetDescription, datasetEndpoint } from '../features/dataset/dataset-endpoint.js'
import { csvMetadataEndpoints } from '../features/dataset/csv-metadata.js'
import { dumpEndpoints } from '../features/dataset/dumps.js'
import { eventStreamEndpoints } from '../features/changes/event-stream.js'
import { iiifEndpoints } from '../features/pictures/iiif.js'
import { linkedDataEndpoints } from '../features/dataset/linked-data-endpoints.js'
import { sitemapEndpoints } from '../features/dataset/sitemap.js'
import { seriesEndpoints } from '../features/series/series-endpoints.js'
import { minIssues } from '../features/series/series-query.js'
import { oaiEndpoint } from '../features/harvesting/oai-endpoint.js'
import { apiReferencePage } from '../features/openapi/api-reference.js'
import { drawCover } from '../features/covers/draw-cover.js'
import { cacheStatistics } from '../http/response/cached-statistics.js'
import { citationPage } from '../features/citations/citations.js'
import { datasetPage } from '../features/dataset/dataset.js'
import { exploreEndpoint } from '../features/explore/explore.js'
import { homePage } from '../features/home/home.js'
import { listPage } from '../features/records/list.js'
import { makersEndpoint } from '../features/makers/makers.js'
import { mapEndpoint } from '../features/places/map.js'
import { ontologyPage } from '../features/dataset/ontology.js'
import { previewPage } from '../features/reconciliation/preview.js'
import { createPlacePages } from '../features/places/place.js'
import { recordPage } from '../features/records/record.js'
import { shapesPage } from '../features/dataset/shapes.js'
import { searchPage } from '../features/search/search.js'
import { createSeriesPages } from '../features/series/series.js'
import { createVocabularyPages, schemePage } from '../features/vocabularies/vocabulary.js'
import { reconciliationEndpoints } from '../features/reconciliation/endpoints.js'
import { createFileSender } from '../http/response/file.js'
import type { AssetUrls } from '../http/response/html.js'
import type { Jobs } from '../lib/jobs.js'
import type { Iris, ResourceName } from '../model/iris.js'
import {
  describeDocumentShapes,
  describeOntology,
  describeShapes,
} from '../model/model-description.js'
import type { Places } from '../model/places.js'
import { prefixesUnder } from '../rdf/namespaces.js'
import { createExtension } from '../features/reconciliation/extension.js'
import { createReconciler } from '../features/reconciliation/reconciler.js'
import type { Backend } from './backend.js'
import { packageRoot } from './package-files.js'

/** All endpoints of the API but those of the health, with the OpenAPI document of them. */
export async function createApiEndpoints(
  backend: Backend & WithJobs & { readonly citations: CitationService },
  assets: AssetUrls,
): Promise<readonly Endpoint[]> {
  const { accounts, catalogue, changes, jobs, resources } = backend
  const about = await readPackageInfo(join(packageRoot, 'package.json'))
  const serializers = createSerializers(backend)
  const exports = createExportSerializers(backend)
  const dependencies = {
    ...backend,
    about,
    assets,
    describe: createDatasetDescription({ ...backend, about }),
    exports,
    pageSerializers: createPageSerializers(backend),
    rdfContext: createRdfContext(backend.iris),
    serializers,
    statistics: cacheStatistics(catalogue),
    // A reading process has no accounts of its own, and leaves it to the writing one to say so.
    hasAccounts: () => accounts === unavailableAccounts || accounts.list().length > 0,
    rootLinks,
    vocabularyLinks,
    geographyLinks,
  }
  const bodies = createRecordBodies({ ...backend, documents: backend.documents.read })
  const sendFile = createFileSender()
  const recordPages = {
    list: (name: ResourceName) => listPage(dependencies, resources[name]),
    record: (name: ResourceName) => recordPage(dependencies, resources[name]),
  }
  const vocabularyPages = createVocabularyPages(dependencies)
  const referencePages = { ...vocabularyPages, ...createPlacePages(dependencies) }
  const ofSeries = {
    ...dependencies,
    countIssues: () => dependencies.statistics.facetCounts('zines', 'series', minIssues),
  }
  const endpoints = [
    ...rootEndpoints({
      ...dependencies,
      pages: { ...vocabularyPages, home: homePage(dependencies) },
    }),
    tokenEndpoint(accounts),
    meEndpoint,
    changesEndpoint(changes),
    ...batchEndpoints({ catalogue, resources, jobs }),
    ...webhookEndpoints(backend),
    ...importEndpoints({ imports: backend.imports, resources, sendFile }),
    // Before the records, whose paths are more general.
    ...exportEndpoints({ catalogue, changes, resources, serializers: exports, sendFile }),
    facetEndpoint(backend),
    searchEndpoint({ ...backend, page: searchPage(dependencies) }),
    exploreEndpoint(dependencies),
    makersEndpoint(dependencies),
    ...seriesEndpoints({ ...ofSeries, pages: createSeriesPages(ofSeries) }),
    mapEndpoint(dependencies),
    suggestionEndpoint(dependencies),
    ...mergeEndpoints(backend),
    ...citationEndpoints({ ...dependencies, page: citationPage(dependencies) }),
    ...recordEndpoints({
      ...dependencies,
      pages: recordPages,
      bodies,
      documents: backend.documents.rewrite,
    }),
    coverEndpoint({ catalogue, drawCover }),
    ...pictureEndpoints(backend),
    ...historyEndpoints({ catalogue, resources }),
    ...referenceEndpoints({ ...dependencies, pages: referencePages }),
    ...dumpEndpoints({ ...backend, sendFile }),
    datasetEndpoint({ ...dependencies, page: datasetPage(dependencies) }),
    ...reconciliation({ ...backend, about, assets }),
  ]
  const documented = [...endpoints, hydraEndpoint({ ...backend, about, endpoints })]
  const pageOf = apiReferencePage(assets)
  return [...documented, schemaEndpoint({ about, endpoints: documented, resources, pageOf })]
}

type ReconciliationDependencies = Backend & {
  readonly about: PackageInfo
  readonly assets: AssetUrls
  readonly places: Places
}

function reconciliation(dependencies: ReconciliationDependencies): readonly Endpoint[] {
  const reconciler = createReconciler(dependencies)
  return reconciliationEndpoints({
    ...dependencies,
    reconciler,
    extension: createExtension({ ...dependencies, entities: reconciler }),
    preview: previewPage(dependencies.assets),
  })
}

/** What the IRIs of the data lead to. These endpoints are not in the OpenAPI document. */
export async function createLinkedDataEndpoints(
  backend: Backend,
  assets: AssetUrls,
): Promise<readonly Endpoint[]> {
  const { version } = await readPackageInfo(join(packageRoot, 'package.json'))
  const dependencies = {
    ...backend,
    assets,
    serializers: createSerializers(backend),
    vocabularies: Object.values(backend.vocabularies),
    rdfContext: createRdfContext(backend.iris),
    context: createJsonLdContext(backend).document,
    version,
    ontology: describeOntology({ quads: backend.ontology, version }, backend.iris),
    shapes: describeShapes({ quads: backend.shapes, version }, backend.iris),
    documentShapes: describeDocumentShapes(backend.shapes, backend.iris),
  }
  const pages = {
    scheme: schemePage(dependencies),
    ontology: ontologyPage(dependencies),
    shapes: shapesPage(dependencies),
  }
  return [
    homeRedirect,
    openSearchEndpoint,
    ...linkedDataEndpoints({ ...dependencies, pages }),
    ...csvMetadataEndpoints(dependencies),
    ...iiifEndpoints({ ...dependencies, rights: backend.vocabularies['rights-status'] }),
    ...sitemapEndpoints(backend),
    ...activityEndpoints(backend),
    ...eventStreamEndpoints(backend),
    // A process that only reads passes harvesters on.
    ...(backend.harvesting
      ? [
          oaiEndpoint({
            ...dependencies,
            ...backend.harvesting,
            vocabularies: backend.vocabularies,
          }),
        ]
      : []),
  ]
}

/** How far long pieces of work are. */
type WithJobs = { readonly jobs: Jobs }

type EditingDependencies = Pick<FormDependencies, 'assets' | 'browsers'> & {
  readonly limitChangeRequests: LimitChangeRequests
  readonly otherCatalogues: OtherCatalogues
}

/** The pages with forms, in the browser. They are not in the OpenAPI document. */
export const createEditingEndpoints = (
  backend: Backend & WithJobs,
  dependencies: EditingDependencies,
): readonly Endpoint[] => [
  ...changeRequestEndpoints({ ...backend, ...dependencies }),
  ...accountEndpoints({ ...backend, ...dependencies }),
  ...recordFormEndpoints({ ...backend, ...dependencies }),
  ...lookUpEndpoints({ ...backend, ...dependencies }),
  ...historyPageEndpoints({ ...backend, ...dependencies }),
  ...mergeFormEndpoints({ ...backend, ...dependencies }),
  ...picturePageEndpoints({ ...backend, ...dependencies }),
  worklistsEndpoint({ ...backend, ...dependencies }),
  inventoryEndpoint({ ...backend, ...dependencies }),
  ...batchPageEndpoints({ ...backend, ...dependencies }),
  ...importPageEndpoints({ ...backend, ...dependencies }),
]

const createRdfContext = ({ base }: Iris) => ({ base, prefixes: prefixesUnder(base) })
