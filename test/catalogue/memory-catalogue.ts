// A catalogue over a key-value store in memory, for tests that need no service.

import { createCatalogue } from '../../src/catalogue/catalogue.js'
import { createMonotonicClock } from '../../src/catalogue/clock.js'
import { MemoryRecordIndex } from '../../src/catalogue/index/memory-record-index.js'
import { createMemoryRedirects } from '../../src/catalogue/redirects.js'
import { createIris } from '../../src/model/iris.js'
import { createRevisionOf } from '../../src/catalogue/revision.js'
import { createValidator } from '../../src/model/validation/validator.js'
import { createBatchLog } from '../../src/store/key-value/batch-log.js'
import { createUnfinishedRedactions } from '../../src/store/key-value/unfinished-redactions.js'
import { prefixes } from '../../src/store/key-value/keys.js'
import { memoryHome, openRecords } from '../store/memory-store.js'
import { openSmallModel } from '../model/model.js'

export const base = 'https://zines.example'
export const iris = createIris(base)
const { declared, resources, mapper } = await openSmallModel(iris)
export const validator = createValidator(declared.shapes, { iris, resources, mapper })
export const model = { iris, resources, mapper }

/** Opens an empty catalogue with its indexes in memory. */
export async function openCatalogue(home = memoryHome()) {
  const { changeLog, store } = await openRecords(home)
  const recordIndex = new MemoryRecordIndex(model)
  await recordIndex.build()
  const redirects = createMemoryRedirects(iris)
  store.listeners.add('redirects', redirects)
  store.listeners.add('record index', recordIndex)
  const now = createMonotonicClock(undefined)
  const batchLog = createBatchLog(home)
  const unfinishedRedactions = createUnfinishedRedactions(home)
  const indexes = { recordIndex, redirects }
  const catalogue = createCatalogue({
    revision: createRevisionOf(store, false),
    repositoryOf: () => undefined,
    ...{ store, changeLog, batchLog, unfinishedRedactions, ...indexes, ...model, validator, now },
  })

  /** All records as they are stored, without the quads of some properties. */
  async function snapshot(without = ['dc/terms/modified']): Promise<string> {
    const lines: string[] = []
    for await (const [key, nquads] of home.entries(prefixes.records))
      for (const line of nquads.split('\n').sort())
        if (line !== '' && !without.some((property) => line.includes(property)))
          lines.push(`${key} ${line}`)
    return lines.join('\n')
  }

  return { catalogue, home, store, changeLog, batchLog, unfinishedRedactions, ...indexes, snapshot }
}
