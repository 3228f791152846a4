// The catalogue and all that belongs to it, without a server before it.

import { openCatalogue } from '../catalogue/catalogue.js'
import { askStore } from '../catalogue/sparql-record-index.js'
import type { Config } from '../config.js'
import { type Options, openKept } from './storage.js'
import { openModel } from './load-model.js'

export type Collection = Awaited<ReturnType<typeof openCollection>>

/**
 * The catalogue and its accounts over one data directory.
 * @throws HomeInUse, BaseRefused, FactMissing, TurtleError, VocabularyError, KeyRefused
 */
export async function openCollection(config: Config, options: Options = {}) {
  const { addresses, declared, resources, lens, judge } = await openModel(config)
  const finders = { addresses, resources, lens }
  const kept = await openKept(config, finders, options)
  try {
    const { store } = kept
    await store.load(declared.concepts)
    const finder = kept.finder ?? askStore({ store, ...finders })
    const catalogue = await openCatalogue({ store, finder, addresses, resources, lens, judge })
    const { public: open, vocabularies } = addresses.graphs
    return {
      ...kept,
      addresses,
      catalogue,
      lens,
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
