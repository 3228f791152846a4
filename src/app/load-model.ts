// What the records are, joined from what this program declares and what is declared in a data directory.

import { type Config, dataFiles } from '../config.js'
import { addressesUnder } from '../model/iris.js'
import { readDeclarations } from '../model/declarations/read-files.js'
import { type Resources, joinResources } from '../model/resources.js'
import { judgeBy } from '../model/validation/validator.js'
import { lensOf } from '../model/record/rdf-mapper.js'
import { root } from './package-files.js'

/** @throws FactMissing, TurtleError, VocabularyError */
export async function openModel({ baseUrl, dataDir }: Pick<Config, 'baseUrl' | 'dataDir'>) {
  const addresses = addressesUnder(baseUrl)
  const declared = await readDeclarations(root, dataFiles(dataDir).vocabularies, addresses)
  const resources = joinResources(addresses, declared)
  const lens = lensOf(addresses)
  const judge = judgeBy(declared.shapes, { addresses, resources, lens })
  return { addresses, declared, resources, lens, judge }
}

/** What the fields of the resources are, for who has no collection open. */
export async function readResources(): Promise<Resources> {
  const addresses = addressesUnder('http://localhost')
  return joinResources(addresses, await readDeclarations(root, '', addresses))
}
