// Opens all that is behind the HTTP server: storage, accounts, model and catalogue. What is opened
// for storage: storage.ts. The server: service.ts.

import { createCatalogue } from '../catalogue/catalogue.js'
import { createChangeFeed } from '../catalogue/history/change-feed.js'
import { createMonotonicClock } from '../catalogue/clock.js'
import { createItemIndex } from '../features/harvesting/items/item-index.js'
import { createItemReader } from '../features/harvesting/items/read-item.js'
import { createRevisionOf } from '../catalogue/revision.js'
import { createSparqlRecordIndex } from '../catalogue/sparql-record-index.js'
import { createTripleCounter } from '../catalogue/triple-counts.js'
import { createJsonLdContext } from '../formats/jsonld/context.js'
import { type Imports, noImports, loadImports } from '../features/imports/imports.js'
import { type Config, dataFiles } from '../config.js'
import { forgetOldHistoryDaily } from './forget-old-history.js'
import { findSharedLabels, summarizeSharedLabels } from '../model/declarations/local-terms.js'
import { linkTargets } from '../model/link-targets.js'
import { DocumentThread } from '../rdf/documents/document-thread.js'
import { createImageTriples } from '../features/pictures/triples.js'
import { writeNQuads } from '../rdf/terms.js'
import { neverAborted } from '../lib/scheduling.js'
import { createLocalTerms } from './local-terms.js'
import { type StorageOptions, isReader, openStorage } from './storage.js'
import { loadModel } from './load-model.js'
import { createUsedPlaces } from './used-places.js'

export type Backend = Awaited<ReturnType<typeof openBackend>>

/** @throws DataDirectoryInUseError, ExpectedError */
export async function openBackend(config: Config, options: StorageOptions = {}) {
  const { iris, declared, resources, mapper, validator } = await loadModel(
    config,
    options.validation,
  )
  const { public: publicGraph, vocabularies } = iris.graphs
  const vocabularyTriples = createTripleCounter(vocabularies, iris.base, linkTargets)
  const usedPlaces = createUsedPlaces({
    places: declared.places,
    graph: vocabularies,
    onAdded: vocabularyTriples.add,
    onError: (error) => options.log?.error({ err: error }, 'places'),
  })
  const concepts = writeNQuads(declared.concepts)
  const indexDependencies = { iris, resources, mapper, usedPlaces, vocabularies: concepts }
  const { stopping = neverAborted } = options
  const storage = await openStorage(config, indexDependencies, options)
  try {
    const { store, changeLog, batchLog, redirects, pictures } = storage
    await store.loadTransient(declared.concepts)
    await usedPlaces.load(store)
    const revision = createRevisionOf(store, config.listIndex)
    const recordIndex =
      storage.recordIndex ?? createSparqlRecordIndex({ store, ...indexDependencies })
    // A deletion is in the log only.
    const times = [(await recordIndex.statistics()).modified, await changeLog.lastTime()]
    for (const what of summarizeSharedLabels(findSharedLabels(Object.values(declared.named))))
      options.log?.warn(what)
    const catalogue = createCatalogue({
      store,
      changeLog,
      batchLog,
      unfinishedRedactions: storage.unfinishedRedactions,
      recordIndex,
      attachments: pictures,
      formerSeries: storage.formerSeries,
      redirects,
      revision,
      iris,
      resources,
      mapper,
      validator,
      repositoryOf: (account) => storage.accounts.find(account)?.repository,
      // The imports need the catalogue, so they are loaded after it.
      bringBackTerms: (vocabulary, codes) => imports.bringBackTerms(vocabulary, codes),
      onBatchUndone: (batch) => imports.onBatchUndone(batch),
      async forgetRedacted(records, redaction) {
        await imports.forget(records, redaction)
        if ('value' in redaction) await storage.changeRequests.forget(redaction.value)
        await storage.removeIndexFile()
      },
      now: createMonotonicClock(
        times
          .filter((time) => time !== undefined)
          .sort()
          .at(-1),
      ),
    })
    vocabularyTriples.add(concepts)
    const localTerms = createLocalTerms({
      iris,
      declared,
      directory: dataFiles(config.dataDir).vocabularies,
      async onChanged(all, { added, removed }) {
        await vocabularyTriples.onCommit([
          { removed: writeNQuads(removed), added: writeNQuads(added) },
        ])
        try {
          await store.loadTransient(all)
        } finally {
          // Answers that were made of the vocabularies are made anew.
          revision.onWrite([])
        }
      },
    })
    const imports: Imports = storage.importStorage
      ? await loadImports({
          ...storage.importStorage,
          catalogue,
          changeLog,
          batchLog,
          resources,
          vocabularies: Object.values(declared.named),
          localTerms,
          harvestHosts: config.importHosts,
          stopping,
          onError: (error) => options.log?.error({ err: error }, 'import'),
        })
      : noImports
    const history = { changeLog, imports, pictures }
    forgetOldHistoryDaily(history, config.historyKeepDays, { log: options.log, stopping })
    const harvesting = storage.harvestStorage && {
      tokenKey: storage.harvestStorage.tokenKey,
      items: createItemIndex({
        records: storage.harvestStorage.records,
        changeLog,
        readItem: createItemReader(indexDependencies),
        oldestWrite: catalogue.oldestWrite,
        forgets: Number.isFinite(config.historyKeepDays),
      }),
    }
    const dump = () => store.dump([publicGraph, vocabularies])
    const context = createJsonLdContext(indexDependencies)
    const createThread = () => new DocumentThread({ iri: context.iri, document: context.document })
    // Those who write do not wait for those who read, and nobody waits for frames of strangers.
    const documents = { read: createThread(), rewrite: createThread(), frame: createThread() }
    // Those that the end of a process, or a full disk, left unfinished.
    const redacting = catalogue
      .finishRedactions()
      .catch((error: unknown) => options.log?.error({ err: error }, 'redaction'))
    return {
      ...storage,
      harvesting,
      async close(): Promise<void> {
        await catalogue.close()
        await redacting
        await Promise.all(Object.values(documents).map((thread) => thread.close()))
        await storage.close()
      },
      imports,
      iris,
      imageTriples: createImageTriples({
        iris,
        pictures,
        rights: declared.named['rights-status'],
      }),
      catalogue,
      changes: createChangeFeed({ changeLog, listeners: store.listeners, stopping }),
      mapper,
      dump: isReader(config) ? () => usedPlaces.complete(dump()) : dump,
      documents,
      tripleCounts: () => ({
        records: storage.recordTriples?.counts(),
        vocabularies: vocabularyTriples.counts(),
      }),
      siteName: config.siteName,
      publisher: config.publisher,
      updateFrequency: config.updateFrequency,
      license: config.license,
      contact: config.contact,
      marcOrgCode: config.marcOrgCode,
      areWebhooksOn: config.webhooks,
      resources,
      vocabularies: declared.named,
      places: declared.places,
      findPlace: declared.findPlace,
      localTerms,
      ontology: declared.ontology,
      shapes: declared.shapes,
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}
