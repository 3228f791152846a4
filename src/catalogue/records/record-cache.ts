// Reads the values of records by identifier, many at once, and caches what everybody may see of
// them. Other formats of a record are made elsewhere: its JSON in json-cache.ts.

import { createCache } from '../../lib/cache.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { redirectOf } from '../../model/record/redirect.js'
import type { RecordValues } from '../../model/record/values.js'
import type { RecordLookup, Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { readTriples } from '../../rdf/nquads.js'
import type { NamedNode } from '../../rdf/terms.js'
import { createYielder, yieldToEventLoop } from '../../lib/scheduling.js'
import { DiskFailedError } from '../../lib/key-value/errors.js'
import type { Store } from '../../store/store.js'
import type { Revision } from '../revision.js'
import { batchRequests } from './batch-requests.js'

/** The records as they are on the disk: their keys, and their quads as N-Quads. */
export type RecordEntries = {
  all(): AsyncIterable<readonly [key: string, nquads: string]>
  get(key: string): Promise<string | undefined>
}

export type RecordReader = {
  /**
   * The public values of records. The lookup has those that exist.
   * @param use `once` adds nothing to the cache, as where a whole list is read
   */
  get(references: readonly Reference[], use?: ReadUse): Promise<RecordLookup>
  /**
   * The public values of a record at once, from the cache or the disk; undefined when there is no
   * such record. Only where nobody else uses the store.
   * @throws DiskFailedError when the disk cannot be read: `get` may still find it
   */
  readonly getNow: ((reference: Reference, use: ReadUse) => RecordValues | undefined) | undefined
  /**
   * All values of records with their private fields and their references to hidden records, by
   * their keys, always read from the store. Hidden records are found too; those that do not exist
   * are left out.
   */
  getWithPrivate(references: readonly Reference[]): Promise<ReadonlyMap<string, RecordValues>>
}

/** Whether values that were read are kept for others. */
export type ReadUse = 'again' | 'once'

/** The weight of the whole cache and of a typical record, in bytes. */
const maxWeight = 64 * 1024 * 1024
const typicalWeight = 2000

/** How many records one query reads; between two queries other requests get their turn. */
const batchSize = 50

/** What the store of records does not have: see hidden-records.ts. */
type HiddenValues = {
  isEmpty(): boolean
  read(
    references: readonly Reference[],
  ): Promise<ReadonlyMap<string, { readonly values: RecordValues }>>
  withheldBy(reference: Reference): { readonly values: RecordValues } | undefined
}

type RecordReaderDependencies = {
  readonly store: Store
  readonly revision: Revision
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly hiddenRecords: HiddenValues
}

export function createRecordReader(dependencies: RecordReaderDependencies): RecordReader {
  const { revision, iris, hiddenRecords } = dependencies
  const { public: publicGraph, order, private: privateGraph } = iris.graphs
  const publicGraphs = [publicGraph, order]
  const cache = createCache<RecordValues>(maxWeight, () => typicalWeight)
  const { read, readNow } = createRecordSource(dependencies)

  const readBatch = batchRequests(batchSize, async (items: ReadonlyMap<string, Reference>) => {
    const readAt = revision.current()
    return { readAt, values: await read([...items.values()], publicGraphs) }
  })

  async function get(
    references: readonly Reference[],
    use: ReadUse = 'again',
  ): Promise<RecordLookup> {
    const valuesByKey = new Map<string, RecordValues>()
    const missing = new Map<string, Reference>()
    for (const reference of references) {
      const key = recordKey(reference)
      const values = cache.get(key)
      if (values) valuesByKey.set(key, values)
      else missing.set(key, reference)
    }
    const maybeYield = createYielder()
    for (const [key, reference] of getNow ? [...missing] : []) {
      const now = tryToRead(() => getNow?.(reference, use))
      if (!now) break
      missing.delete(key)
      if (now.values) valuesByKey.set(key, now.values)
      await maybeYield()
    }
    // Of a store that others use too, or on a disk that cannot be read.
    const unread = [...missing]
    for (let start = 0; start < unread.length; start += batchSize) {
      const batch = new Map(unread.slice(start, start + batchSize))
      const { readAt, values: all } = await readBatch(batch)
      for (const key of batch.keys()) {
        const values = all.get(key)
        if (!values) continue
        valuesByKey.set(key, values)
        if (use === 'again') addToCache(key, values, readAt)
      }
    }
    return (reference) => valuesByKey.get(recordKey(reference))
  }

  const getNow: RecordReader['getNow'] =
    readNow &&
    ((reference, use) => {
      const key = recordKey(reference)
      const cached = cache.get(key)
      if (cached) return cached
      const readAt = revision.current()
      const values = readNow(reference, publicGraphs)
      if (values && use === 'again') addToCache(key, values, readAt)
      return values
    })

  function addToCache(key: string, values: RecordValues, readAt: number): void {
    const keys = [key]
    if (revision.isCurrent(readAt, keys))
      cache.set(key, values, () => revision.isCurrent(readAt, keys))
  }

  async function getWithPrivate(references: readonly Reference[]) {
    if (references.length <= batchSize) return readAll(references)
    const valuesByKey = new Map<string, RecordValues>()
    for (let start = 0; start < references.length; start += batchSize) {
      const batch = await readAll(references.slice(start, start + batchSize))
      for (const [key, values] of batch) valuesByKey.set(key, values)
      await yieldToEventLoop()
    }
    return valuesByKey
  }

  async function readAll(references: readonly Reference[]) {
    const shown = await read(references, [...publicGraphs, privateGraph])
    if (hiddenRecords.isEmpty()) return shown
    const valuesByKey = new Map(shown)
    for (const reference of references) {
      const values = valuesByKey.get(recordKey(reference))
      const withheld = hiddenRecords.withheldBy(reference)?.values
      if (values && withheld) valuesByKey.set(recordKey(reference), { ...values, ...withheld })
    }
    for (const [key, { values }] of await hiddenRecords.read(references))
      valuesByKey.set(key, values)
    return valuesByKey
  }

  return { get, getNow, getWithPrivate }
}

/** Reads the values of records from the store, as far as some graphs have them. */
function createRecordSource({
  store,
  iris,
  resources,
  mapper,
}: Pick<RecordReaderDependencies, 'store' | 'iris' | 'resources' | 'mapper'>) {
  function parse(
    reference: Reference,
    nquads: string | undefined,
    graphs: readonly NamedNode[],
  ): RecordValues | undefined {
    if (nquads === undefined) return undefined
    const statements = readTriples(nquads, graphs)
    return statements.length > 0 && redirectOf(iris, statements) === undefined
      ? mapper.fromStatements(resources[reference.target], reference.id, statements)
      : undefined
  }

  /**
   * The values of a record, at once.
   * @throws DiskFailedError
   */
  const readNow = store.isShared
    ? undefined
    : (reference: Reference, graphs: readonly NamedNode[]): RecordValues | undefined =>
        parse(reference, store.readNow(recordKey(reference)), graphs)

  /** The values of the records that exist, by key. */
  async function read(
    references: readonly Reference[],
    graphs: readonly NamedNode[],
  ): Promise<ReadonlyMap<string, RecordValues>> {
    const now =
      readNow && tryToRead(() => references.map((reference) => readNow(reference, graphs)))
    if (now) return byKey(references, now.values)
    const entries = await store.readRecords(references.map(recordKey))
    return byKey(
      references,
      references.map((reference) => parse(reference, entries.get(recordKey(reference)), graphs)),
    )
  }

  return { read, readNow }
}

/** The records that exist, by their keys. */
function byKey(
  references: readonly Reference[],
  values: readonly (RecordValues | undefined)[],
): ReadonlyMap<string, RecordValues> {
  const valuesByKey = new Map<string, RecordValues>()
  references.forEach((reference, index) => {
    const record = values[index]
    if (record) valuesByKey.set(recordKey(reference), record)
  })
  return valuesByKey
}

/** What was read; undefined when the disk could not be read. */
function tryToRead<Values>(read: () => Values): { readonly values: Values } | undefined {
  try {
    return { values: read() }
  } catch (error) {
    if (error instanceof DiskFailedError) return undefined
    throw error
  }
}

/** The key of a record, in caches and in the store. */
export const recordKey = ({ target, id }: Reference): string => `${target}/${id}`

/** The record with a key. */
export function referenceOf(key: string): Reference {
  const end = key.indexOf('/')
  // The cast: `recordKey` made it.
  return { target: key.slice(0, end) as ResourceName, id: key.slice(end + 1) }
}
