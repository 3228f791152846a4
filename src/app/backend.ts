// The catalogue and all that belongs to it, without a server before it.

import { createCatalogue } from '../catalogue/catalogue.js'
import { createMonotonicClock } from '../catalogue/clock.js'
import { createSparqlRecordIndex } from '../catalogue/sparql-record-index.js'
import type { Config } from '../config.js'
import { type StorageOptions, openStorage } from './storage.js'
import { loadModel } from './load-model.js'

export type Backend = Awaited<ReturnType<typeof openBackend>>

/**
 * The catalogue and its accounts over one data directory.
 * @throws HomeInUse, BaseRefused, FactMissing, TurtleError, VocabularyError, KeyRefused
 */
export async function openBackend(config: Config, options: StorageOptions = {}) {
  const { iris, declared, resources, mapper, validator } = await loadModel(
    config,
    options.validation,
  )
  const finders = { iris, resources, mapper }
  const kept = await openStorage(config, finders, options)
  try {
    const { store } = kept
    await store.loadTransient(declared.concepts)
    const recordIndex = kept.recordIndex ?? createSparqlRecordIndex({ store, ...finders })
    const catalogue = createCatalogue({
      store,
      recordIndex,
      iris,
      resources,
      mapper,
      validator,
      now: createMonotonicClock((await recordIndex.statistics()).modified),
    })
    const { public: open, vocabularies } = iris.graphs
    return {
      ...kept,
      iris,
      catalogue,
      mapper,
      dump: () => store.dump([open, vocabularies]),
      license: config.license,
      resources,
      vocabularies: declared.named,
      ontology: declared.ontology,
    }
  } catch (error) {
    await kept.close()
    throw error
  }
}
