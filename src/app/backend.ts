// Opens all that is behind the HTTP server: storage, accounts, model and catalogue. What is opened
// for storage: storage.ts. The server: service.ts.

import { type Catalogue, createCatalogue } from '../catalogue/catalogue.js'
import { LogChangeFeed } from '../catalogue/history/change-feed.js'
import { createMonotonicClock } from '../catalogue/clock.js'
import { ItemIndex } from '../features/harvesting/items/item-index.js'
import { createItemReader } from '../features/harvesting/items/read-item.js'
import { createRevisionOf } from '../catalogue/revision.js'
import { SparqlRecordIndex } from '../catalogue/sparql-record-index.js'
import { createTripleCounter } from '../catalogue/triple-counts.js'
import { createJsonLdContext } from '../formats/jsonld/context.js'
import { type Imports, noImports, loadImports } from '../features/imports/imports.js'
import { type Config, dataFiles } from '../config.js'
import { forgetOldHistoryDaily } from './forget-old-history.js'
import {
  type LocalTerms,
  findSharedLabels,
  summarizeSharedLabels,
} from '../model/declarations/local-terms.js'
import { linkTargets } from '../model/link-targets.js'
import { DocumentThread } from '../rdf/documents/document-thread.js'
import { createImageTriples } from '../features/pictures/triples.js'
import { writeNQuads } from '../rdf/terms.js'
import { neverAborted } from '../lib/scheduling.js'
import { createLocalTerms } from './local-terms.js'
import type { IndexDependencies } from './record-stores.js'
import { createRemovals } from './removals.js'
import { type StorageOptions, isReader, openStorage } from './storage.js'
import { loadModel } from './load-model.js'
import { UsedPlaces } from './used-places.js'

export type Backend = Awaited<ReturnType<typeof openBackend>>

/** What is opened before the catalogue. */
type Opened = {
  readonly config: Config
  readonly options: StorageOptions
  readonly model: Awaited<ReturnType<typeof loadModel>>
  readonly storage: Awaited<ReturnType<typeof openStorage>>
  readonly usedPlaces: UsedPlaces
  readonly vocabularyTriples: ReturnType<typeof createTripleCounter>
  readonly indexDependencies: IndexDependencies
  /** Of the store. */
  readonly revision: ReturnType<typeof createRevisionOf>
}

/** @throws DataDirectoryInUseError, ExpectedError */
export async function openBackend(config: Config, options: StorageOptions = {}) {
  const model = await loadModel(config, options.validation)
  const { iris, declared, resources, mapper } = model
  const { vocabularies } = iris.graphs
  const vocabularyTriples = createTripleCounter(vocabularies, iris.base, linkTargets)
  const usedPlaces = new UsedPlaces({
    places: declared.places,
    graph: vocabularies,
    onAdded: vocabularyTriples.add,
    onError: (error) => options.log?.error({ err: error }, 'places'),
  })
  const concepts = writeNQuads(declared.concepts)
  const indexDependencies = { iris, resources, mapper, usedPlaces, vocabularies: concepts }
  const storage = await openStorage(config, indexDependencies, options)
  try {
    const { store } = storage
    await store.loadTransient(declared.concepts)
    await usedPlaces.load(store)
    const revision = createRevisionOf(store, config.listIndex)
    for (const what of summarizeSharedLabels(findSharedLabels(Object.values(declared.named))))
      options.log?.warn(what)
    const opened = { config, options, model, storage, usedPlaces, vocabularyTriples, revision }
    return await openOverStorage({ ...opened, indexDependencies })
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function openOverStorage(opened: Opened) {
  const { config, options, model, storage, usedPlaces, vocabularyTriples } = opened
  const { iris, declared, resources, mapper } = model
  const { store, changeLog, pictures } = storage
  const { stopping = neverAborted } = options
  // Answers that were made with the filter `list` are made anew.
  storage.lists.onChanged(() => opened.revision.onWrite([]))
  // The imports need the catalogue, so they are loaded after it.
  const catalogue = await openCatalogue(opened, () => imports)
  vocabularyTriples.add(opened.indexDependencies.vocabularies)
  const localTerms = openLocalTerms(opened)
  const imports = await openImports(opened, catalogue, localTerms)
  const { lists, removeUpgradeBackups } = storage
  const history = { changeLog, imports, lists, pictures, removeUpgradeBackups }
  forgetOldHistoryDaily(history, config.historyKeepDays, { log: options.log, stopping })
  const dump = () => store.dump([iris.graphs.public, iris.graphs.vocabularies])
  const documents = openDocuments(opened.indexDependencies)
  // Those that the end of a process, or a full disk, left unfinished.
  const redacting = catalogue
    .finishRedactions()
    .catch((error: unknown) => options.log?.error({ err: error }, 'redaction'))
  return {
    ...storage,
    ...settingsOf(config),
    harvesting: openHarvesting(opened, catalogue),
    async close(): Promise<void> {
      await catalogue.close()
      await redacting
      await Promise.all(Object.values(documents).map((thread) => thread.close()))
      await storage.close()
    },
    imports,
    iris,
    imageTriples: createImageTriples({ iris, pictures, rights: declared.named['rights-status'] }),
    catalogue,
    changes: new LogChangeFeed({ changeLog, listeners: store.listeners, stopping }),
    mapper,
    dump: isReader(config) ? () => usedPlaces.complete(dump()) : dump,
    documents,
    tripleCounts: () => ({
      records: storage.recordTriples?.counts(),
      vocabularies: vocabularyTriples.counts(),
    }),
    resources,
    vocabularies: declared.named,
    places: declared.places,
    findPlace: declared.findPlace,
    localTerms,
    ontology: declared.ontology,
    shapes: declared.shapes,
  }
}

/** @param imports called once the catalogue is used */
async function openCatalogue(
  { model, storage, indexDependencies, revision }: Opened,
  imports: () => Imports,
): Promise<Catalogue> {
  const { iris, resources, mapper, validator } = model
  const { store, changeLog, batchLog, redirects, pictures } = storage
  const recordIndex = storage.recordIndex ?? new SparqlRecordIndex({ store, ...indexDependencies })
  // A deletion is in the log only.
  const times = [(await recordIndex.statistics()).modified, await changeLog.lastTime()]
  return createCatalogue({
    store,
    changeLog,
    batchLog,
    unfinishedRedactions: storage.unfinishedRedactions,
    forgottenIdentifiers: storage.forgottenIdentifiers,
    recordIndex,
    attachments: pictures,
    formerSeries: storage.formerSeries,
    curatedLists: storage.lists,
    hiddenRecords: storage.hiddenRecords,
    redirects,
    revision,
    iris,
    resources,
    mapper,
    validator,
    repositoryOf: (account) => storage.accounts.find(account)?.repository,
    bringBackTerms: (vocabulary, codes) => imports().bringBackTerms(vocabulary, codes),
    onBatchUndone: (batch) => imports().onBatchUndone(batch),
    removals: createRemovals(storage, imports),
    now: createMonotonicClock(
      times
        .filter((time) => time !== undefined)
        .sort()
        .at(-1),
    ),
  })
}

function openLocalTerms({
  config,
  model,
  storage,
  vocabularyTriples,
  revision,
}: Opened): LocalTerms {
  const { iris, declared } = model
  return createLocalTerms({
    iris,
    declared,
    directory: dataFiles(config.dataDir).vocabularies,
    async onChanged(all, { added, removed }) {
      await vocabularyTriples.onCommit([
        { removed: writeNQuads(removed), added: writeNQuads(added) },
      ])
      try {
        await storage.store.loadTransient(all)
      } finally {
        // Answers that were made of the vocabularies are made anew.
        revision.onWrite([])
      }
    },
  })
}

async function openImports(
  { config, options, model, storage }: Opened,
  catalogue: Catalogue,
  localTerms: LocalTerms,
): Promise<Imports> {
  const { changeLog, batchLog, importStorage } = storage
  if (!importStorage) return noImports
  return loadImports({
    ...importStorage,
    catalogue,
    changeLog,
    batchLog,
    resources: model.resources,
    vocabularies: Object.values(model.declared.named),
    localTerms,
    harvestHosts: config.demo ? undefined : config.importHosts,
    stopping: options.stopping ?? neverAborted,
    onError: (error) => options.log?.error({ err: error }, 'import'),
  })
}

/** Undefined in a reading process. */
function openHarvesting({ config, storage, indexDependencies }: Opened, catalogue: Catalogue) {
  const { changeLog, harvestStorage, lists } = storage
  return (
    harvestStorage && {
      tokenKey: harvestStorage.tokenKey,
      items: new ItemIndex({
        records: harvestStorage.records,
        changeLog,
        readItem: createItemReader(indexDependencies),
        oldestWrite() {
          const starts = [catalogue.oldestWrite(), lists.oldestWrite()]
          return starts.filter((start) => start !== undefined).sort((a, b) => a - b)[0]
        },
        forgets: Number.isFinite(config.historyKeepDays),
      }),
    }
  )
}

/** Those who write do not wait for those who read, and nobody waits for frames of strangers. */
function openDocuments(dependencies: IndexDependencies) {
  const { iri, document } = createJsonLdContext(dependencies)
  const createThread = () => new DocumentThread({ iri, document })
  return { read: createThread(), rewrite: createThread(), frame: createThread() }
}

/** The settings that pages and formats tell of. */
const settingsOf = (config: Config) => ({
  siteName: config.siteName,
  publisher: config.publisher,
  updateFrequency: config.updateFrequency,
  license: config.license,
  contact: config.contact,
  marcOrgCode: config.marcOrgCode,
  areWebhooksOn: config.webhooks,
})
