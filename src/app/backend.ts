// Opens all that is behind the HTTP server: storage, accounts, model and catalogue. What is opened for
// storage: storage.ts. The server: service.ts.

import { createCatalogue } from '../catalogue/catalogue.js'
import { createMonotonicClock } from '../catalogue/clock.js'
import { createSparqlRecordIndex } from '../catalogue/sparql-record-index.js'
import type { Config } from '../config.js'
import { type StorageOptions, openStorage } from './storage.js'
import { loadModel } from './load-model.js'

export type Backend = Awaited<ReturnType<typeof openBackend>>

/**
 * @throws DataDirectoryInUseError, BaseUrlError, ModelError, TurtleError, VocabularyError, ServerKeyError
 */
export async function openBackend(config: Config, options: StorageOptions = {}) {
  const { iris, declared, resources, mapper, validator } = await loadModel(
    config,
    options.validation,
  )
  const indexDependencies = { iris, resources, mapper }
  const storage = await openStorage(config, indexDependencies, options)
  try {
    const { store, changeLog, batchLog } = storage
    await store.loadTransient(declared.concepts)
    const recordIndex =
      storage.recordIndex ?? createSparqlRecordIndex({ store, ...indexDependencies })
    // A deletion is in the log only.
    const times = [(await recordIndex.statistics()).modified, await changeLog.lastTime()]
    const catalogue = createCatalogue({
      store,
      changeLog,
      batchLog,
      recordIndex,
      iris,
      resources,
      mapper,
      validator,
      now: createMonotonicClock(
        times
          .filter((time) => time !== undefined)
          .sort()
          .at(-1),
      ),
    })
    const { public: publicGraph, vocabularies } = iris.graphs
    return {
      ...storage,
      iris,
      catalogue,
      mapper,
      dump: () => store.dump([publicGraph, vocabularies]),
      license: config.license,
      marcOrgCode: config.marcOrgCode,
      resources,
      vocabularies: declared.named,
      ontology: declared.ontology,
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}
