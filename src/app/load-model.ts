// Loads the model: the fields of the resources with their vocabularies and shapes, from the files
// of this package and the vocabularies of a data directory.

import { type Config, dataFiles } from '../config.js'
import { createIris } from '../model/iris.js'
import { readModelFiles } from '../model/declarations/read-files.js'
import { type Resources, buildResources } from '../model/resources.js'
import { createShaclValidator, createValidator } from '../model/validation/validator.js'
import { createRdfMapper } from '../model/record/rdf-mapper.js'
import { packageRoot } from '../lib/package-files.js'

/** How records are validated: both accept and report the same. */
export type ValidationMethod = 'compiled' | 'shacl'

/** @throws ExpectedError */
export async function loadModel(
  { baseUrl, dataDir }: Pick<Config, 'baseUrl' | 'dataDir'>,
  validation: ValidationMethod = 'compiled',
) {
  const iris = createIris(baseUrl)
  const declared = await readModelFiles(packageRoot, dataFiles(dataDir).vocabularies, iris)
  const resources = buildResources(iris, declared)
  const mapper = createRdfMapper(iris)
  const dependencies = { iris, resources, mapper }
  const validator =
    validation === 'shacl'
      ? createShaclValidator(declared.shapes, dependencies)
      : createValidator(declared.shapes, dependencies)
  return { iris, declared, resources, mapper, validator }
}

/**
 * The resources alone, with the vocabularies of this package, for commands without a data
 * directory.
 */
export async function loadResources(): Promise<Resources> {
  const iris = createIris('http://localhost')
  return buildResources(iris, await readModelFiles(packageRoot, '', iris))
}
