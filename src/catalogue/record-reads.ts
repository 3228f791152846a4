// Reads single records: their values, and their JSON and version for those who need them. Lists of
// records are left to lists.ts.

import type { ResourceName } from '../model/iris.js'
import { createJsonWriter } from '../model/record/json-text.js'
import type { RecordValues } from '../model/record/values.js'
import {
  type RecordLookup,
  type RecordView,
  type Reference,
  type ResolvedRecord,
  type ViewName,
  toView,
} from '../model/record/views.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import type { Resources } from '../model/resources.js'
import { type HiddenState, type Sees, HiddenReads, seesNothing } from './hidden-reads.js'
import type { HiddenRecord, HiddenRecords } from './records/hidden-records.js'
import {
  type CachedRecordJson,
  type JsonCache,
  type RecordJson,
  contentHash,
} from './records/json-cache.js'
import { type RecordReader, recordKey } from './records/record-cache.js'
import { type ResolveReferences, resolveValues } from './records/resolve-references.js'
import { addStaffFields } from './records/staff-fields.js'
import { type Redirects, missingError } from './redirects.js'
import { type Revision, readTogether } from './revision.js'
import type { RecordIndex } from './sparql-record-index.js'

/** A record with its JSON and version, which are made when they are first used. */
export type FoundRecord = RecordJson & {
  readonly record: ResolvedRecord
  /** Why it is not there for the public; undefined where it is. */
  readonly hidden?: HiddenState | undefined
}

export type RecordReads = {
  exists(name: ResourceName, id: string): Promise<boolean>
  /** The values of records as everybody may see them. The lookup has those that exist. */
  find(references: readonly Reference[]): Promise<RecordLookup>
  /**
   * The records, and their holdings, with the fields for the staff of those that somebody may edit.
   * Other private fields stay out.
   */
  withStaffFields(
    records: readonly ResolvedRecord[],
    mayEdit: (reference: Reference) => Promise<boolean>,
  ): Promise<readonly ResolvedRecord[]>
  /** The identifier of the record that this one was merged into; undefined if it was not merged. */
  mergedInto(name: ResourceName, id: string): Promise<string | undefined>
  /** @throws NotFoundError, RecordMergedError */
  read(name: ResourceName, id: string, view?: ViewName): Promise<FoundRecord>
  /**
   * A hidden record, for a reader who may write it.
   * @param sees whether its references to hidden records are shown
   * @throws NotFoundError, RecordMergedError
   */
  readHidden(reference: Reference, view: ViewName, sees: Sees): Promise<FoundRecord>
  /** Those of these records that are hidden, for a reader who may write them. */
  findHidden(references: readonly Reference[], sees: Sees): Promise<RecordLookup>
  /** All hidden records. */
  allHidden(): AsyncIterable<readonly [Reference, HiddenRecord]>
  /** Whether the record is hidden from the public. */
  isHidden(reference: Reference): boolean
  /** The values without the references to hidden records that the reader does not see. */
  withhold(name: ResourceName, values: RecordValues, sees: Sees): RecordValues
  /** The record as a write leaves it, with these values. The caller has the lock of the record. */
  readWritten(
    reference: Reference,
    values: RecordValues,
    options?: { readonly view?: ViewName | undefined; readonly sees?: Sees | undefined },
  ): Promise<FoundRecord>
  /** What the private view would show of a record with these values, such as those of a version. */
  showValues(name: ResourceName, values: RecordValues): Promise<RecordView>
  /**
   * The JSON of a record as everybody may see it, from a cache.
   * @throws NotFoundError, RecordMergedError
   */
  readJson(name: ResourceName, id: string): Promise<CachedRecordJson>
  /** The same at once; undefined where it cannot be read at once, or is not there. */
  readJsonNow(name: ResourceName, id: string): CachedRecordJson | undefined
  /** The version of what a view shows of a record. @throws NotFoundError */
  version(name: ResourceName, id: string, view: ViewName): Promise<string>
}

type RecordReadsDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly records: RecordReader
  readonly redirects: Redirects
  readonly hiddenRecords: HiddenRecords
  readonly resolve: ResolveReferences
  readonly jsonCache: JsonCache
  readonly revision: Revision
}

export function createRecordReads(dependencies: RecordReadsDependencies): RecordReads {
  const { recordIndex, resources, mapper, records, redirects } = dependencies
  const { hiddenRecords, resolve, jsonCache } = dependencies
  const writeJson = createJsonWriter(resources)
  const hiddenReads = new HiddenReads({ ...dependencies, writeJson })
  const readPublic = createPublicReader({ ...dependencies, hiddenReads, writeJson })

  async function readJson(name: ResourceName, id: string): Promise<CachedRecordJson> {
    const cached = await jsonCache.detail({ target: name, id })
    if (!cached) throw await missingError(redirects, { target: name, id })
    return cached
  }

  return {
    readHidden: (reference, view, sees) => hiddenReads.read(reference, view, sees),
    findHidden: (references, sees) => hiddenReads.find(references, sees),
    allHidden: () => hiddenRecords.all(),
    isHidden: (reference) =>
      hiddenRecords.has(reference) || hiddenRecords.redirect(reference) !== undefined,
    withhold: (name, values, sees) => hiddenReads.withhold(name, values, sees),
    exists: (name, id) => recordIndex.has({ target: name, id }),
    mergedInto: (name, id) => redirects.into({ target: name, id }),
    find: (references) => records.get(references),
    withStaffFields: (listed, mayEdit) => addStaffFields(records, listed, mayEdit),
    read: (name, id, view = 'detail') => readPublic({ target: name, id }, view),
    async readWritten(reference, values, { view = 'detail', sees = seesNothing } = {}) {
      const { target } = reference
      const resource = resources[target]
      if (hiddenRecords.has(reference)) return hiddenReads.read(reference, view, sees)
      const shown = hiddenReads.withhold(target, values, seesNothing)
      const stored = mapper.toStoredValues(resource, shown, view)
      const record = await resolveValues(resolve, resource, stored, view)
      return withLazyJson(record, () => writeJson(record, view))
    },
    async showValues(name, values) {
      const record = await resolveValues(resolve, resources[name], values, 'private')
      return toView(resources, record, 'private')
    },
    readJson,
    readJsonNow: (name, id) => jsonCache.detailNow({ target: name, id }),
    async version(name, id, view) {
      const reference = { target: name, id }
      if (hiddenRecords.has(reference))
        return (await hiddenReads.read(reference, view, seesNothing)).version
      return (await (view === 'detail' ? readJson(name, id) : readPublic(reference, view))).version
    },
  }
}

type PublicReaderDependencies = RecordReadsDependencies & {
  readonly hiddenReads: HiddenReads
  readonly writeJson: (record: ResolvedRecord, view: ViewName) => string
}

/** Reads one record that is not hidden. @throws NotFoundError, RecordMergedError */
function createPublicReader({
  resources,
  records,
  redirects,
  hiddenRecords,
  resolve,
  revision,
  hiddenReads,
  writeJson,
}: PublicReaderDependencies) {
  return async (reference: Reference, view: ViewName): Promise<FoundRecord> => {
    const { target } = reference
    const [record] = await readTogether(revision, [recordKey(reference)], async () => {
      const values = await valuesOf(reference, view)
      return values ? resolve(resources[target], [values], view, 'again') : []
    })
    if (!record) throw await missingError(redirects, reference)
    return withLazyJson(record, () => writeJson(record, view))
  }

  async function valuesOf(reference: Reference, view: ViewName): Promise<RecordValues | undefined> {
    if (view !== 'private') return (await records.get([reference]))(reference)
    if (hiddenRecords.has(reference)) return undefined
    const values = (await records.getWithPrivate([reference])).get(recordKey(reference))
    return values && hiddenReads.withhold(reference.target, values, seesNothing)
  }
}

/** Makes the JSON and its hash at most once: many who read a record need neither. */
function withLazyJson(record: ResolvedRecord, toJson: () => string): FoundRecord {
  let json: string | undefined
  let version: string | undefined
  return {
    record,
    get json() {
      return (json ??= toJson())
    },
    get version() {
      return (version ??= contentHash(this.json))
    },
  }
}
