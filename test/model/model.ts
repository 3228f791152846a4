// The model as the service builds it, without local terms of a data directory.

import { resolve } from 'node:path'

import { loadModel as open } from '../../src/app/load-model.js'
import { geographyNames, openVocabularyNames } from '../../src/model/declarations/read-files.js'
import type { Iris } from '../../src/model/iris.js'

export const openModel = ({ base }: Iris) =>
  open({ baseUrl: base, dataDir: resolve('no-such-directory') })

/** The terms of the examples. */
const codesOfExamples = new Set(['punk', 'perzine', 'en', 'unknown', 'US', 'community-archive'])

/**
 * The same with few terms, for tests that make hundreds of indexes: the labels of a thousand terms
 * take longer to read than the records of such a test.
 */
export async function openSmallModel(iris: Iris) {
  const opened = await openModel(iris)
  const { named } = opened.declared
  for (const name of [...openVocabularyNames, ...geographyNames])
    named[name].remove(
      named[name].entries.map(({ code }) => code).filter((code) => !codesOfExamples.has(code)),
    )
  return opened
}
