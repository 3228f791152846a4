// The catalogue: lists, reads, creates, replaces, changes and removes records. It is put together here
// from its parts. It knows no HTTP: it takes parsed JSON, returns records, and throws errors.

import type { IsCurrent } from '../cache.js'
import type { Validator } from '../model/validation/validator.js'
import { type Lists, createLists } from './lists.js'
import { type RecordReads, createRecordReads } from './record-reads.js'
import { type RecordWrites, type WriteDependencies, createRecordWrites } from './record-writes.js'
import { createJsonCache } from './records/json-cache.js'
import { createRecordReader } from './records/record-cache.js'
import { createReferenceResolver } from './records/resolve-references.js'
import { createRevision, createSharedRevision } from './revision.js'
import { createRecordValidation } from './validation.js'

export type Catalogue = Lists &
  RecordReads &
  RecordWrites & {
    /**
     * Whether what is read from now on is current: until the next write. Where other processes write
     * too, of which this one is not told, it is current for `maxAgeMs` milliseconds.
     */
    currentUntilNextWrite(maxAgeMs?: number): IsCurrent
  }

export type CatalogueDependencies = WriteDependencies & { readonly validator: Validator }

export function createCatalogue(dependencies: CatalogueDependencies): Catalogue {
  const { store, recordIndex, iris, resources, mapper, validator } = dependencies
  const { isShared } = store
  const revision = isShared ? createSharedRevision() : createRevision()
  const records = createRecordReader({ store, revision, iris, resources, mapper })
  const resolve = createReferenceResolver(records, resources)
  const jsonCache = createJsonCache({ resources, revision, records, resolve })
  const validate = createRecordValidation({ iris, records, validator })
  const reads = createRecordReads({
    recordIndex,
    resources,
    records,
    resolve,
    jsonCache,
  })
  const writes = createRecordWrites({ ...dependencies, revision, records, reads, validate })
  return {
    ...createLists({ recordIndex, resources, mapper, records, resolve, jsonCache }),
    ...reads,
    ...writes,
    currentUntilNextWrite(maxAgeMs = 0) {
      if (isShared) {
        const end = performance.now() + maxAgeMs
        return () => performance.now() < end
      }
      const readAt = revision.current()
      return () => revision.isCurrent(readAt)
    },
  }
}
