// Creates, replaces, changes and removes records: locks them, validates them, commits them, and tells
// the revision, the record cache and the index of the commit. Checks of requests are left to src/http.

import type { Iris, ResourceName } from '../model/iris.js'
import {
  type ParsedInput,
  ValidationError,
  parseFull,
  parsePartial,
} from '../model/record/input.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import { type RecordValues, textValue } from '../model/record/values.js'
import type { Reference, ViewName } from '../model/record/views.js'
import type { Resources } from '../model/resources.js'
import { selectReferrers } from '../queries/record-queries.js'
import { encodeSegment } from '../rdf/terms.js'
import type { Store } from '../store/store.js'
import { cascades } from './cascade.js'
import type { Clock } from './clock.js'
import { PreconditionFailedError, RecordNotFoundError } from './errors.js'
import { createLocks } from './locks.js'
import { preservePrivateValues } from './privacy.js'
import type { FoundRecord, RecordReads } from './record-reads.js'
import { type RecordChange, type RecordReader, recordKey } from './records/record-cache.js'
import type { Revision } from './revision.js'
import type { RecordIndex } from './sparql-record-index.js'
import type { ValidateRecord } from './validation.js'

/** Whether a write may go on, by a version that the record has now: it is asked for each of them. */
export type Precondition = (version: string) => boolean

type RequestBody = ReadonlyMap<string, unknown>

type WriteOptions = {
  /** The view in which the written record is returned; `detail` unless given. */
  readonly view?: ViewName
  readonly precondition?: Precondition | undefined
  /**
   * Agents that the record may refer to although they do not exist, as after their deletion. Only `load`
   * sets this, for exported records; the API never does.
   */
  readonly deletedAgents?: ReadonlySet<string>
}

export type RecordWrites = {
  /** @throws ValidationError with the messages of every field that fails */
  create(name: ResourceName, body: RequestBody, options?: WriteOptions): Promise<FoundRecord>
  /** Validates a new record as `create` does, and writes nothing. @throws ValidationError */
  validateNew(name: ResourceName, body: RequestBody): Promise<void>
  /**
   * PUT: fields that were not sent are cleared.
   * @throws RecordNotFoundError, PreconditionFailedError, ValidationError
   */
  replace(
    name: ResourceName,
    id: string,
    body: RequestBody,
    options?: WriteOptions,
  ): Promise<FoundRecord>
  /**
   * PATCH: fields that were not sent stay, and are not validated again.
   * @throws RecordNotFoundError, PreconditionFailedError, ValidationError
   */
  change(
    name: ResourceName,
    id: string,
    body: RequestBody,
    options?: WriteOptions,
  ): Promise<FoundRecord>
  /**
   * Removes a record and those that cannot be without it, all or nothing (docs/api.md, "Delete effects").
   * @throws RecordNotFoundError, PreconditionFailedError
   */
  remove(name: ResourceName, id: string, options?: WriteOptions): Promise<void>
}

/** What the catalogue and its writes depend on. */
export type WriteDependencies = {
  readonly store: Store
  readonly recordIndex: RecordIndex
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  /** The time of the next write, later than any before; see `createMonotonicClock`. */
  readonly now: Clock
}

/** The parts of the catalogue that its writes use. */
type RecordWritesDependencies = WriteDependencies & {
  readonly revision: Revision
  readonly records: RecordReader
  readonly reads: RecordReads
  readonly validate: ValidateRecord
}

/** What a write makes of a record; only the fields in `parsed` are validated. */
type NewValues = { readonly values: RecordValues; readonly parsed: ParsedInput }

export function createRecordWrites({
  store,
  recordIndex,
  revision,
  iris,
  resources,
  mapper,
  records,
  reads,
  validate,
  now,
}: RecordWritesDependencies): RecordWrites {
  const locks = createLocks()

  async function create(
    name: ResourceName,
    body: RequestBody,
    { view, deletedAgents }: WriteOptions = {},
  ): Promise<FoundRecord> {
    const { values, id, check } = parseNew(name, body, deletedAgents)
    const reference = { target: name, id }
    return locks.withRecordLock(recordKey(reference), async () => {
      await store.settlePending()
      await check()
      const time = now()
      await write(reference, { ...values, created_at: time, updated_at: time }, true)
      return reads.read(name, id, view)
    })
  }

  async function validateNew(name: ResourceName, body: RequestBody): Promise<void> {
    await parseNew(name, body).check()
  }

  /** A new record, and the check that it can be created, which throws a ValidationError. */
  function parseNew(name: ResourceName, body: RequestBody, deletedAgents?: ReadonlySet<string>) {
    const resource = resources[name]
    const parsed = parseFull(resource, body)
    const { values } = parsed
    const idName = resource.id.name
    const id = textValue(values, idName)
    async function check(): Promise<void> {
      const knownErrors = new Map<string, string>()
      if (await recordIndex.has({ target: name, id }))
        knownErrors.set(idName, `${resource.noun} with this ${idName} already exists.`)
      await validate({ resource, values, parsed, knownErrors, deletedAgents })
      checkIdLength(idName, id)
    }
    return { values, id, check }
  }

  /** @throws ValidationError for an identifier that its shape allows and the store would cut off */
  function checkIdLength(field: string, id: string): void {
    const { maxIdentifierBytes = Infinity } = store
    if (encodeSegment(id).length <= maxIdentifierBytes) return
    const message = `Ensure this field has no more than ${maxIdentifierBytes} bytes when it is percent-encoded.`
    throw new ValidationError(new Map([[field, [message]]]))
  }

  async function replace(
    name: ResourceName,
    id: string,
    body: RequestBody,
    options: WriteOptions = {},
  ): Promise<FoundRecord> {
    const resource = resources[name]
    return rewrite({ target: name, id }, options, (before) => {
      const parsed = parseFull(resource, body)
      if (options.view === 'private') return { values: parsed.values, parsed }
      const values = preservePrivateValues(resource, before, parsed.values, body)
      return { values, parsed: { ...parsed, values } }
    })
  }

  async function change(
    name: ResourceName,
    id: string,
    body: RequestBody,
    options: WriteOptions = {},
  ): Promise<FoundRecord> {
    return rewrite({ target: name, id }, options, (before) => {
      const parsed = parsePartial(resources[name], body)
      return { values: { ...before, ...parsed.values }, parsed }
    })
  }

  async function rewrite(
    reference: Reference,
    { view, precondition, deletedAgents }: WriteOptions,
    makeValues: (before: RecordValues) => NewValues,
  ): Promise<FoundRecord> {
    const { target, id } = reference
    const resource = resources[target]
    return locks.withRecordLock(recordKey(reference), async () => {
      await store.settlePending()
      const before = await records.getWithPrivate(reference)
      if (!before) throw new RecordNotFoundError()
      await checkPrecondition(reference, precondition)
      const { values, parsed } = makeValues(before)
      const idName = resource.id.name
      const knownErrors = new Map<string, string>()
      if (textValue(values, idName) !== id && !parsed.errors.has(idName))
        knownErrors.set(idName, 'This field may not be changed.')
      await validate({ resource, values, parsed, knownErrors, deletedAgents })
      const created_at = before.created_at ?? ''
      await write(
        reference,
        { ...values, created_at, updated_at: now(textValue(before, 'updated_at')) },
        false,
      )
      return reads.read(target, id, view)
    })
  }

  async function remove(
    name: ResourceName,
    id: string,
    { precondition }: WriteOptions = {},
  ): Promise<void> {
    const reference = { target: name, id }
    // Needs the exclusive lock: a holding created meanwhile would stay behind without its zine.
    return locks.withExclusiveLock(async () => {
      await store.settlePending()
      if (!(await recordIndex.has(reference))) throw new RecordNotFoundError()
      await checkPrecondition(reference, precondition)
      const removed = [reference, ...(await dependentRecords(reference))]
      await commit(removed.map((one) => ({ reference: one, quads: undefined })))
    })
  }

  async function dependentRecords({ target, id }: Reference): Promise<Reference[]> {
    const found = await Promise.all(
      cascades[target].map(async ({ resource, field }) => {
        const property = resources[resource].byName.get(field)?.path[0]
        if (!property) throw new Error(`${resource} have no field ${field}`)
        const thing = iris.thing(target, id)
        const rows = await store.select(selectReferrers(thing, property, iris.graphs.public))
        return rows.flatMap(({ s }) =>
          s ? [{ target: resource, id: iris.idFromIri(s.value) }] : [],
        )
      }),
    )
    return found.flat()
  }

  /** @throws PreconditionFailedError when no version of the record meets the precondition */
  async function checkPrecondition(
    reference: Reference,
    precondition: Precondition | undefined,
  ): Promise<void> {
    if (!precondition) return
    for (const view of versionedViews(reference.target))
      if (precondition(await reads.version(reference.target, reference.id, view))) return
    throw new PreconditionFailedError()
  }

  /** The views that may show a record differently, each with a version of its own. */
  const versionedViews = (name: ResourceName): readonly ViewName[] =>
    resources[name].fields.some((field) => field.private) ? ['detail', 'private'] : ['detail']

  const write = (reference: Reference, values: RecordValues, isNew: boolean): Promise<void> =>
    commit([{ reference, quads: mapper.toQuads(resources[reference.target], values), isNew }])

  async function commit(changes: readonly RecordChange[]): Promise<void> {
    const keyed = changes.map(({ reference, ...change }) => ({
      key: recordKey(reference),
      ...change,
    }))
    try {
      await store.commit(keyed)
    } finally {
      // After a failure too: how much of the commit was written may not be known.
      revision.onCommit(keyed.map(({ key }) => key))
    }
    records.onCommit(changes)
    recordIndex.onCommit(changes)
  }

  return { create, validateNew, replace, change, remove }
}
