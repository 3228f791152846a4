// Reads single records: their values, and their JSON and version for those who need them. Lists of
// records are left to lists.ts.

import { NotFoundError } from '../errors.js'
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
import type { Resource, Resources } from '../model/resources.js'
import { RecordMergedError } from './errors.js'
import {
  type CachedRecordJson,
  type JsonCache,
  type RecordJson,
  contentHash,
} from './records/json-cache.js'
import { type RecordReader, recordKey } from './records/record-cache.js'
import type { ResolveReferences } from './records/resolve-references.js'
import type { Redirects } from './redirects.js'
import { type Revision, readTogether } from './revision.js'
import type { RecordIndex } from './sparql-record-index.js'

/** A record with its JSON and version, which are made when they are first used. */
export type FoundRecord = RecordJson & { readonly record: ResolvedRecord }

export type RecordReads = {
  exists(name: ResourceName, id: string): Promise<boolean>
  /** The values of records as everybody may see them. The lookup has those that exist. */
  find(references: readonly Reference[]): Promise<RecordLookup>
  /** The identifier of the record that this one was merged into; undefined if it was not merged. */
  mergedInto(name: ResourceName, id: string): Promise<string | undefined>
  /** @throws NotFoundError, RecordMergedError */
  read(name: ResourceName, id: string, view?: ViewName): Promise<FoundRecord>
  /** The record as a write leaves it, with these values. The caller has the lock of the record. */
  readWritten(reference: Reference, values: RecordValues, view?: ViewName): Promise<FoundRecord>
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
  readonly resolve: ResolveReferences
  readonly jsonCache: JsonCache
  readonly revision: Revision
}

export function createRecordReads({
  recordIndex,
  resources,
  mapper,
  records,
  redirects,
  resolve,
  jsonCache,
  revision,
}: RecordReadsDependencies): RecordReads {
  const writeJson = createJsonWriter(resources)

  async function read(
    name: ResourceName,
    id: string,
    view: ViewName = 'detail',
  ): Promise<FoundRecord> {
    const reference = { target: name, id }
    const [record] = await readTogether(revision, [recordKey(reference)], async () => {
      const values = await valuesOf(reference, view)
      return values ? resolve(resources[name], [values], view, 'again') : []
    })
    if (!record) throw await notFound(reference)
    return toFound(record, view)
  }

  const toFound = (record: ResolvedRecord, view: ViewName): FoundRecord =>
    withLazyJson(record, () => writeJson(record, view))

  async function resolveValues(
    resource: Resource,
    values: RecordValues,
    view: ViewName,
  ): Promise<ResolvedRecord> {
    const [record] = await resolve(resource, [values], view, 'again')
    if (!record) throw new NotFoundError()
    return record
  }

  const valuesOf = async (
    reference: Reference,
    view: ViewName,
  ): Promise<RecordValues | undefined> =>
    view === 'private'
      ? (await records.getWithPrivate([reference])).get(recordKey(reference))
      : (await records.get([reference]))(reference)

  async function readJson(name: ResourceName, id: string): Promise<CachedRecordJson> {
    const cached = await jsonCache.detail({ target: name, id })
    if (!cached) throw await notFound({ target: name, id })
    return cached
  }

  async function notFound(reference: Reference): Promise<NotFoundError> {
    const into = await redirects.into(reference)
    return into === undefined
      ? new NotFoundError()
      : new RecordMergedError({ ...reference, id: into })
  }

  const version = async (name: ResourceName, id: string, view: ViewName): Promise<string> =>
    (await (view === 'detail' ? readJson(name, id) : read(name, id, view))).version

  return {
    exists: (name, id) => recordIndex.has({ target: name, id }),
    mergedInto: (name, id) => redirects.into({ target: name, id }),
    find: (references) => records.get(references),
    read,
    async readWritten({ target }, values, view = 'detail') {
      const resource = resources[target]
      const stored = mapper.toStoredValues(resource, values, view)
      return toFound(await resolveValues(resource, stored, view), view)
    },
    async showValues(name, values) {
      const record = await resolveValues(resources[name], values, 'private')
      return toView(resources, record, 'private')
    },
    readJson,
    readJsonNow: (name, id) => jsonCache.detailNow({ target: name, id }),
    version,
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
