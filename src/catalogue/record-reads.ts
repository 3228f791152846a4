// Reads single records: their values, and their JSON and version for those who need them. Lists of
// records are left to lists.ts.

import { NotFoundError } from '../errors.js'
import type { ResourceName } from '../model/iris.js'
import { createJsonWriter } from '../model/record/json-text.js'
import { type RecordValues, textValue } from '../model/record/values.js'
import {
  type RecordLookup,
  type RecordView,
  type Reference,
  type ResolvedRecord,
  type ViewName,
  referencesOf,
  toView,
} from '../model/record/views.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import type { Resource, Resources } from '../model/resources.js'
import { type Visibility, reasonOf, visibilityOf } from '../model/record/visibility.js'
import { RecordMergedError } from './errors.js'
import {
  type HiddenRecord,
  type HiddenRecords,
  withhold as withoutReferences,
} from './records/hidden-records.js'
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
export type FoundRecord = RecordJson & {
  readonly record: ResolvedRecord
  /** Why it is not there for the public; undefined where it is. */
  readonly hidden?: HiddenState | undefined
}

/** What those who may write a hidden record are told of that. */
export type HiddenState = {
  /** `public` for a record that is hidden only with one that it cannot be without. */
  readonly visibility: Visibility
  readonly reason: string
  readonly since: string
}

/** Whether the reader sees hidden records of a kind. */
type Sees = (kind: ResourceName) => boolean

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

export function createRecordReads({
  recordIndex,
  resources,
  mapper,
  records,
  redirects,
  hiddenRecords,
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
  ): Promise<RecordValues | undefined> => {
    if (view !== 'private') return (await records.get([reference]))(reference)
    if (hiddenRecords.has(reference)) return undefined
    const values = (await records.getWithPrivate([reference])).get(recordKey(reference))
    return values && withhold(reference.target, values, seesNothing)
  }

  const withhold = (name: ResourceName, values: RecordValues, sees: Sees): RecordValues =>
    hiddenRecords.isEmpty()
      ? values
      : withoutReferences(
          resources[name].inputFields,
          values,
          (one) => (hiddenRecords.has(one) || hiddenRecords.isGone(one)) && !sees(one.target),
        )

  async function readHidden(
    reference: Reference,
    view: ViewName,
    sees: Sees,
  ): Promise<FoundRecord> {
    const into = hiddenRecords.redirect(reference)?.into
    if (into !== undefined) throw new RecordMergedError({ ...reference, id: into })
    const found = (await hiddenRecords.read([reference])).get(recordKey(reference))
    if (!found) throw await notFound(reference)
    return showHidden(reference, found, view, sees)
  }

  async function showHidden(
    { target }: Reference,
    { values, since }: HiddenRecord,
    view: ViewName,
    sees: Sees,
  ): Promise<FoundRecord> {
    const resource = resources[target]
    const shown = mapper.toStoredValues(resource, withhold(target, values, sees), view)
    const hiddenOnes = await lookUpHidden(referencesOf(resource, shown, view), sees)
    const { lookup } = await resolveValues(resource, shown, view)
    const others = await records.get(
      referencesOf(resource, shown, view).flatMap((one) => {
        const named = hiddenOnes(one)
        return named ? referencesOf(resources[one.target], named, view) : []
      }),
    )
    const record = {
      resource,
      values: shown,
      lookup: (one: Reference) => hiddenOnes(one) ?? lookup(one) ?? others(one),
    }
    const hidden = { visibility: visibilityOf(values), reason: reasonOf(values), since }
    const toJson = () => withMembers(writeJson(record, view), hidden)
    const version = contentHash(JSON.stringify(values))
    return { record, json: toJson(), version, hidden }
  }

  /** Those of these records that are hidden, as everybody would see them. */
  async function lookUpHidden(references: readonly Reference[], sees: Sees): Promise<RecordLookup> {
    const found = await hiddenRecords.read(references.filter(({ target }) => sees(target)))
    return (reference) => {
      const values = found.get(recordKey(reference))?.values
      if (!values) return undefined
      const shown = mapper.toStoredValues(resources[reference.target], values, 'detail')
      return withhold(reference.target, shown, sees)
    }
  }

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

  async function withStaffFields(
    listed: readonly ResolvedRecord[],
    mayEdit: (reference: Reference) => Promise<boolean>,
  ): Promise<readonly ResolvedRecord[]> {
    const editable: Reference[] = []
    for (const record of listed.flatMap((one) => [one, ...(one.holdings ?? [])]))
      if (await mayEdit(referenceTo(record))) editable.push(referenceTo(record))
    const all = await records.getWithPrivate(editable)
    const withOwn = (record: ResolvedRecord): ResolvedRecord => {
      const own = all.get(recordKey(referenceTo(record)))
      const staffFields = record.resource.fields.filter((field) => field.private === 'always')
      const staffValues: RecordValues = Object.fromEntries(
        staffFields.map(({ name }) => [name, own?.[name] ?? '']),
      )
      return {
        ...record,
        ...(own && { values: { ...record.values, ...staffValues }, forStaff: true }),
        ...(record.holdings && { holdings: record.holdings.map(withOwn) }),
      }
    }
    return listed.map(withOwn)
  }

  async function version(name: ResourceName, id: string, view: ViewName): Promise<string> {
    const reference = { target: name, id }
    if (hiddenRecords.has(reference))
      return (await readHidden(reference, view, seesNothing)).version
    return (await (view === 'detail' ? readJson(name, id) : read(name, id, view))).version
  }

  return {
    readHidden,
    allHidden: () => hiddenRecords.all(),
    isHidden: (reference) =>
      hiddenRecords.has(reference) || hiddenRecords.redirect(reference) !== undefined,
    withhold,
    exists: (name, id) => recordIndex.has({ target: name, id }),
    mergedInto: (name, id) => redirects.into({ target: name, id }),
    find: (references) => records.get(references),
    withStaffFields,
    read,
    async readWritten(reference, values, { view = 'detail', sees = seesNothing } = {}) {
      const { target } = reference
      const resource = resources[target]
      if (hiddenRecords.has(reference)) return readHidden(reference, view, sees)
      const stored = mapper.toStoredValues(resource, withhold(target, values, seesNothing), view)
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

const seesNothing: Sees = () => false

/** The JSON of a hidden record, which says that it is hidden. */
const withMembers = (json: string, { visibility, reason, since }: HiddenState): string =>
  `${json.slice(0, -1)},"visibility":${JSON.stringify(visibility)},"hidden_reason":${JSON.stringify(reason)},"hidden_at":${JSON.stringify(since)}}`

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

const referenceTo = ({ resource, values }: ResolvedRecord): Reference => ({
  target: resource.name,
  id: textValue(values, resource.id.name),
})
