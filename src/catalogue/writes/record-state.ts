// The records that a write is checked against: those in the store, or those as the earlier writes
// of the same batch would leave them.

import type { ResourceName } from '../../model/iris.js'
import { resourceNames } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import {
  type RecordLookup,
  type Reference,
  type ViewName,
  referencesOfField,
} from '../../model/record/views.js'
import { type Field, type Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import type { RecordReads } from '../record-reads.js'
import { type RecordReader, recordKey } from '../records/record-cache.js'
import type { IdRedirect, Redirects } from '../redirects.js'
import type { HiddenRecords } from '../records/hidden-records.js'
import type { RecordIndex } from '../sparql-record-index.js'

/** A record before and after a write; undefined where it does not exist. */
export type RecordWrite = {
  readonly reference: Reference
  readonly before: RecordValues | undefined
  readonly after: RecordValues | undefined
  /** The identifier of the record that this one was merged into, and which its own leads to. */
  readonly into?: string | undefined
  /** The identifier that this one led to before the write. */
  readonly intoBefore?: string | undefined
  /** Whether the identifier is forgotten by the write, so that it leads nowhere afterwards. */
  readonly isForgotten?: boolean
}

/** A field of a resource that refers to records. */
export type ReferringField = { readonly resource: ResourceName; readonly field: string }

export type RecordState = {
  has(reference: Reference): Promise<boolean>
  /** All values, with private fields, of the records that exist; by their keys. */
  values(references: readonly Reference[]): Promise<ReadonlyMap<string, RecordValues>>
  /** The public values of the records that exist. */
  lookup(references: readonly Reference[]): Promise<RecordLookup>
  /** The records that refer to this one with these fields. */
  referrers(reference: Reference, fields: readonly ReferringField[]): Promise<Reference[]>
  /** The identifier of the record that this one was merged into; undefined if it was not merged. */
  mergedInto(reference: Reference): Promise<string | undefined>
  /** The identifiers that lead to one of these records, because theirs was merged into it. */
  redirectsTo(references: readonly Reference[]): Promise<readonly IdRedirect[]>
  /** The versions of what the views show of a record, for preconditions. */
  versions(reference: Reference): Promise<readonly string[]>
}

type StoredStateDependencies = {
  readonly resources: Resources
  readonly recordIndex: RecordIndex
  readonly records: RecordReader
  readonly redirects: Redirects
  readonly hiddenRecords: HiddenRecords
  readonly reads: RecordReads
}

/** The records in the store. */
export function createStoredState({
  resources,
  recordIndex,
  records,
  redirects,
  hiddenRecords,
  reads,
}: StoredStateDependencies): RecordState {
  /** Those that are hidden, or do not tell the public that they refer to the record. */
  async function hiddenReferrers(
    reference: Reference,
    by: readonly ReferringField[],
  ): Promise<Reference[]> {
    const referrers = hiddenRecords.referrersTo(reference)
    if (referrers.length === 0) return []
    const values = await records.getWithPrivate(referrers)
    return referrers.filter((referrer) =>
      by.some(
        ({ resource, field }) =>
          resource === referrer.target &&
          isNamed(reference, fieldOf(resources, resource, field), values.get(recordKey(referrer))),
      ),
    )
  }

  async function referrersBy(reference: Reference, by: ReferringField): Promise<Reference[]> {
    const field = fieldOf(resources, by.resource, by.field)
    const ids = await recordIndex.referrers({ resource: resources[by.resource], field }, [
      reference,
    ])
    return ids.map((id) => ({ target: by.resource, id }))
  }

  return {
    has: async (reference) => hiddenRecords.has(reference) || recordIndex.has(reference),
    values: (references) => records.getWithPrivate(references),
    lookup: (references) => records.get(references),
    referrers: async (reference, fields) =>
      distinct([
        ...(await Promise.all(fields.map((field) => referrersBy(reference, field)))).flat(),
        ...(await hiddenReferrers(reference, fields)),
      ]),
    mergedInto: async (reference) =>
      hiddenRecords.redirect(reference)?.into ?? redirects.into(reference),
    redirectsTo: async (references) => [
      ...(await redirects.leadingTo(references)),
      ...hiddenRecords.redirectsTo(references),
    ],
    versions: ({ target, id }) =>
      Promise.all(versionedViews.map((view) => reads.version(target, id, view))),
  }
}

/** Whether a field has a reference to a record. */
const isNamed = (reference: Reference, field: Field, values: RecordValues = {}): boolean =>
  referencesOfField(field, values).some(
    (candidate) => recordKey(candidate) === recordKey(reference),
  )

/** For how many records of a batch the values are read at once. */
export const readAhead = 50

/** All values of one record; undefined where it does not exist. */
export const valuesOf = async (
  state: Pick<RecordState, 'values'>,
  reference: Reference,
): Promise<RecordValues | undefined> => (await state.values([reference])).get(recordKey(reference))

/** The records as they would be after the writes that were staged. */
export class StagedState implements RecordState {
  readonly #stored: RecordState
  readonly #resources: Resources
  readonly #staged = new Map<string, RecordWrite>()
  /**
   * The stored values of the records that were read last; undefined for those that do not exist.
   */
  #prefetched: ReadonlyMap<string, RecordValues | undefined> = new Map()
  /**
   * The keys of the staged records that refer to a record, or did before they were staged again.
   */
  readonly #referrers = new Map<string, Set<string>>()
  /**
   * The keys of the staged identifiers that lead to a record, or did before they were staged again.
   */
  readonly #redirects = new Map<string, Set<string>>()

  constructor(stored: RecordState, resources: Resources) {
    this.#stored = stored
    this.#resources = resources
  }

  async has(reference: Reference): Promise<boolean> {
    const write = this.#staged.get(recordKey(reference))
    return write ? write.after !== undefined : this.#stored.has(reference)
  }

  /**
   * Reads the values of records that are asked for next, which is faster than one by one.
   * @returns the values in the store, by their keys
   */
  async prefetch(references: readonly Reference[]): Promise<ReadonlyMap<string, RecordValues>> {
    // A record that is named twice would be read with all its values twice.
    const valuesByKey = await this.#stored.values(distinct(references))
    this.#prefetched = new Map(references.map(recordKey).map((key) => [key, valuesByKey.get(key)]))
    return valuesByKey
  }

  async values(references: readonly Reference[]): Promise<ReadonlyMap<string, RecordValues>> {
    const isUnread = (reference: Reference) =>
      !this.#staged.has(recordKey(reference)) && !this.#prefetched.has(recordKey(reference))
    const unread = references.filter(isUnread)
    const valuesByKey = new Map(unread.length > 0 ? await this.#stored.values(unread) : [])
    for (const key of references.map(recordKey)) {
      const write = this.#staged.get(key)
      const values = write ? write.after : this.#prefetched.get(key)
      if (values) valuesByKey.set(key, values)
    }
    return valuesByKey
  }

  async lookup(references: readonly Reference[]): Promise<RecordLookup> {
    const inStore = await this.#stored.lookup(
      references.filter((reference) => !this.#staged.has(recordKey(reference))),
    )
    return (reference) => {
      const write = this.#staged.get(recordKey(reference))
      return write ? write.after : inStore(reference)
    }
  }

  async referrers(reference: Reference, fields: readonly ReferringField[]): Promise<Reference[]> {
    const inStore = await this.#stored.referrers(reference, fields)
    const added = [...(this.#referrers.get(recordKey(reference)) ?? [])].flatMap((key) => {
      const write = this.#staged.get(key)
      return write && fields.some((field) => this.#isReferring(write, reference, field))
        ? [write]
        : []
    })
    return distinct([
      ...inStore.filter((referrer) => !this.#staged.has(recordKey(referrer))),
      ...added.map((write) => write.reference),
    ])
  }

  async mergedInto(reference: Reference): Promise<string | undefined> {
    const write = this.#staged.get(recordKey(reference))
    return write ? write.into : this.#stored.mergedInto(reference)
  }

  async redirectsTo(references: readonly Reference[]): Promise<readonly IdRedirect[]> {
    const inStore = await this.#stored.redirectsTo(references)
    const added = references.flatMap(({ target, id }) =>
      [...(this.#redirects.get(recordKey({ target, id })) ?? [])].flatMap((key): IdRedirect[] => {
        const write = this.#staged.get(key)
        return write?.into === id ? [{ reference: write.reference, into: id }] : []
      }),
    )
    return [...inStore.filter(({ reference }) => !this.#staged.has(recordKey(reference))), ...added]
  }

  async versions(reference: Reference): Promise<readonly string[]> {
    // No client knows a version of a record that was not written yet.
    return this.#staged.has(recordKey(reference)) ? [] : this.#stored.versions(reference)
  }

  /** Stages writes; other work runs in between when they are many. */
  async stage(writes: readonly RecordWrite[]): Promise<void> {
    const maybeYield = createYielder()
    for (const write of writes) {
      this.#stageOne(write)
      await maybeYield()
    }
  }

  /** One write for each record that differs from the one in the store. */
  writes(): readonly RecordWrite[] {
    return [...this.#staged.values()].filter(
      ({ before, after, into, intoBefore }) =>
        before !== undefined || after !== undefined || into !== intoBefore,
    )
  }

  #isReferring({ reference, after }: RecordWrite, to: Reference, by: ReferringField): boolean {
    return (
      after !== undefined &&
      reference.target === by.resource &&
      referencesOfField(fieldOf(this.#resources, by.resource, by.field), after).some(
        (candidate) => recordKey(candidate) === recordKey(to),
      )
    )
  }

  #addReferrer(key: string, { reference: { target }, after, into }: RecordWrite): void {
    if (into !== undefined) addTo(this.#redirects, recordKey({ target, id: into }), key)
    if (!after) return
    for (const field of this.#resources[target].inputFields)
      for (const referred of referencesOfField(field, after))
        addTo(this.#referrers, recordKey(referred), key)
  }

  #stageOne(write: RecordWrite): void {
    const key = recordKey(write.reference)
    const first = this.#staged.get(key)
    this.#staged.set(key, first ? joinWrites(first, write) : write)
    this.#addReferrer(key, write)
  }
}

function addTo(sets: Map<string, Set<string>>, name: string, key: string): void {
  const known = sets.get(name)
  if (known) known.add(key)
  else sets.set(name, new Set([key]))
}

/** Two writes of one record as one. A record that was removed and created again was changed. */
function joinWrites({ before, intoBefore }: RecordWrite, write: RecordWrite): RecordWrite {
  const { after } = write
  return {
    ...write,
    before,
    intoBefore,
    after: before && after ? { ...after, created_at: before.created_at ?? '' } : after,
  }
}

/** All fields that refer to records of a resource. */
export const fieldsReferringTo = (resources: Resources, target: ResourceName): ReferringField[] =>
  resourceNames.flatMap((resource) =>
    resources[resource].inputFields
      .filter((field) => field.target === target)
      .map((field) => ({ resource, field: field.name })),
  )

/** The views that may show a record differently, each with a version of its own. */
const versionedViews: readonly ViewName[] = ['detail', 'private']

function fieldOf(resources: Resources, resource: ResourceName, name: string): Field {
  const field = resources[resource].byName.get(name)
  if (!field) throw new Error(`${resource} have no field ${name}`)
  return field
}

const distinct = (references: readonly Reference[]): Reference[] => [
  ...new Map(references.map((reference) => [recordKey(reference), reference])).values(),
]
