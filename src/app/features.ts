// The list of all features. Nothing else names a feature: without its folder and its line here, a
// service is left that has all the others.

import { join } from 'node:path'

import { unavailableAccounts } from '../accounts/reader-process.js'
import { accountPagesFeature } from '../features/account-pages/feature.js'
import { batchesFeature } from '../features/batches/feature.js'
import { bookletsFeature } from '../features/booklets/feature.js'
import { changeRequestsFeature } from '../features/change-requests/feature.js'
import { changesFeature } from '../features/changes/feature.js'
import { citationsFeature } from '../features/citations/feature.js'
import { copyCataloguingFeature } from '../features/copy-cataloguing/feature.js'
import { coversFeature } from '../features/covers/feature.js'
import { datasetFeature } from '../features/dataset/feature.js'
import { demoFeature } from '../features/demo/feature.js'
import { exploreFeature } from '../features/explore/feature.js'
import { firstRunFeature } from '../features/first-run/feature.js'
import { harvestingFeature } from '../features/harvesting/feature.js'
import { historyFeature } from '../features/history/feature.js'
import { homeFeature } from '../features/home/feature.js'
import { importsFeature } from '../features/imports/feature.js'
import { inventoryFeature } from '../features/inventory/feature.js'
import { listsFeature } from '../features/lists/feature.js'
import { makersFeature } from '../features/makers/feature.js'
import { mergesFeature } from '../features/merges/feature.js'
import { myListFeature } from '../features/my-list/feature.js'
import { nameRemovalFeature } from '../features/name-removal/feature.js'
import { openApiFeature } from '../features/openapi/feature.js'
import { queriesFeature } from '../features/queries/feature.js'
import { readPackageInfo } from '../features/openapi/openapi-api.js'
import { picturesFeature } from '../features/pictures/feature.js'
import { placesFeature } from '../features/places/feature.js'
import { reconciliationFeature } from '../features/reconciliation/feature.js'
import { recordsFeature } from '../features/records/feature.js'
import { searchFeature } from '../features/search/feature.js'
import { seriesFeature } from '../features/series/feature.js'
import { similarFeature } from '../features/similar/feature.js'
import { servicePageFeature } from '../features/service-page/feature.js'
import { tasksFeature } from '../features/tasks/feature.js'
import { sparqlFeature } from '../features/sparql/feature.js'
import { vocabulariesFeature } from '../features/vocabularies/feature.js'
import { webhooksFeature } from '../features/webhooks/feature.js'
import {
  createExportSerializers,
  createPageSerializers,
  createSerializers,
} from '../formats/serializers.js'
import { geographyLinks, rootLinks, vocabularyLinks } from '../features/home/root.js'
import type { Feature, PartsOf } from '../http/feature.js'
import { cacheStatistics } from '../http/response/cached-statistics.js'
import { createFileSender } from '../http/response/file.js'
import { prefixesUnder } from '../rdf/namespaces.js'
import type { Backend } from './backend.js'
import { packageRoot } from '../lib/package-files.js'

/**
 * All features but that of the OpenAPI document, which describes the others. Addresses are tried in
 * this order: those with fixed words stand before the records, whose paths are more general.
 */
const features: readonly Feature<Parts>[] = [
  homeFeature,
  // Its form takes the place of that for name and password.
  demoFeature,
  accountPagesFeature,
  firstRunFeature,
  servicePageFeature,
  changesFeature,
  changeRequestsFeature,
  batchesFeature,
  webhooksFeature,
  tasksFeature,
  importsFeature,
  searchFeature,
  exploreFeature,
  bookletsFeature,
  makersFeature,
  seriesFeature,
  similarFeature,
  placesFeature,
  mergesFeature,
  listsFeature,
  myListFeature,
  citationsFeature,
  recordsFeature,
  copyCataloguingFeature,
  coversFeature,
  picturesFeature,
  historyFeature,
  nameRemovalFeature,
  inventoryFeature,
  vocabulariesFeature,
  datasetFeature,
  reconciliationFeature,
  harvestingFeature,
  queriesFeature,
  sparqlFeature,
]

/** What features are made of: what is opened, and what several of them need. */
type Parts = OpenedParts & Awaited<ReturnType<typeof createSharedParts>>

type OpenedParts = Backend &
  PartsOf<typeof accountPagesFeature.pages> &
  PartsOf<typeof batchesFeature.pages> &
  PartsOf<typeof changeRequestsFeature.pages> &
  Pick<PartsOf<typeof citationsFeature.api>, 'citations'> &
  PartsOf<typeof copyCataloguingFeature.pages> &
  PartsOf<typeof demoFeature.pages> &
  PartsOf<typeof firstRunFeature.pages> &
  Pick<PartsOf<typeof historyFeature.api>, 'proveRemoval'> &
  PartsOf<typeof homeFeature.pages> &
  PartsOf<typeof queriesFeature.pages> &
  Pick<
    PartsOf<typeof servicePageFeature.pages>,
    'backups' | 'serviceCheck' | 'recentEvents' | 'dataDir'
  > &
  PartsOf<typeof sparqlFeature.pages>

/** The endpoints of all features: those that the OpenAPI document describes, and the others. */
export async function createEndpoints(opened: OpenedParts) {
  const parts = { ...opened, ...(await createSharedParts(opened)) }
  const described = features.flatMap(({ api }) => api?.(parts) ?? [])
  return {
    described: [...described, ...openApiFeature.describe(parts, described)],
    others: [...features, openApiFeature].flatMap(({ pages }) => pages?.(parts) ?? []),
  }
}

async function createSharedParts(opened: OpenedParts) {
  const { accounts, catalogue, iris } = opened
  return {
    about: await readPackageInfo(join(packageRoot, 'package.json')),
    exports: createExportSerializers(opened),
    pageSerializers: createPageSerializers(opened),
    rdfContext: { base: iris.base, prefixes: prefixesUnder(iris.base) },
    serializers: createSerializers(opened),
    statistics: cacheStatistics(catalogue),
    sendFile: createFileSender(),
    // A reading process has no accounts of its own, and leaves it to the writing one to say so.
    hasAccounts: () => accounts === unavailableAccounts || accounts.list().length > 0,
    rootLinks,
    vocabularyLinks,
    geographyLinks,
  }
}
