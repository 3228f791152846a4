// Reads the values of records by identifier, many at once, and caches what everybody may see of
// them. Other formats of a record are made elsewhere: its JSON in json-cache.ts.

import { createCache } from '../../lib/cache.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import type { RdfMapper, Statement } from '../../model/record/rdf-mapper.js'
import { redirectOf } from '../../model/record/redirect.js'
import type { RecordValues } from '../../model/record/values.js'
import type { RecordLookup, Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { readTriples } from '../../rdf/nquads.js'
import type { NamedNode } from '../../rdf/terms.js'
import { createYielder, yieldToEventLoop } from '../../lib/scheduling.js'
import { DiskFailedError } from '../../store/errors.js'
import type { SharedStore, Store, UnsharedStore } from '../../store/store.js'
import type { Revision } from '../revision.js'
import { batchRequests } from './batch-requests.js'

/** The records as they are on the disk: their keys, and their quads as N-Quads. */
export type RecordEntries = {
  all(): AsyncIterable<readonly [key: string, nquads: string]>
  get(key: string): Promise<string | undefined>
}

export type RecordReader = {
  /** The public values of records. The lookup has those that exist. */
  get(references: readonly Reference[]): Promise<RecordLookup>
  /** The same, without adding to the cache: for reading a whole list once. */
  getUncached(references: readonly Reference[]): Promise<RecordLookup>
  /**
   * The public values of a record at once, from the cache or the disk; undefined when there is no
   * such record. Only where nobody else uses the store.
   * @param isShown whether another record shows it, as many do: then it is added to the cache
   * @throws DiskFailedError when the disk cannot be read: `get` may still find it
   */
  readonly getNow:
    ((reference: Reference, isShown: boolean) => RecordValues | undefined) | undefined
  /** All values of a record, with its private fields, always read from the store. */
  getWithPrivate(reference: Reference): Promise<RecordValues | undefined>
  /** The same of many records, by their keys; those that do not exist are left out. */
  getAllWithPrivate(references: readonly Reference[]): Promise<ReadonlyMap<string, RecordValues>>
}

/** The weight of the whole cache and of a typical record, in bytes. */
const maxWeight = 64 * 1024 * 1024
const typicalWeight = 2000

/** How many records one query reads; between two queries other requests get their turn. */
const batchSize = 50

type RecordReaderDependencies = {
  readonly store: Store
  readonly revision: Revision
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

export function createRecordReader(dependencies: RecordReaderDependencies): RecordReader {
  const { revision, iris } = dependencies
  const { public: publicGraph, order, private: privateGraph } = iris.graphs
  const publicGraphs = [publicGraph, order]
  const cache = createCache<RecordValues>(maxWeight, () => typicalWeight)
  const source = createRecordSource(dependencies)
  const { readStored } = source

  const readBatch = batchRequests(batchSize, async (wanted: ReadonlyMap<string, Reference>) => {
    const readAt = revision.current()
    return { readAt, values: await source.read([...wanted.values()], publicGraphs) }
  })

  async function getAll(
    references: readonly Reference[],
    cacheRead: typeof addToCache | undefined,
  ): Promise<RecordLookup> {
    const found = new Map<string, RecordValues>()
    const missing = new Map<string, Reference>()
    for (const reference of references) {
      const key = recordKey(reference)
      const values = cache.get(key)
      if (values) found.set(key, values)
      else missing.set(key, reference)
    }
    const maybeYield = createYielder()
    for (const [key, reference] of readStored ? [...missing] : []) {
      const readAt = revision.current()
      const read = tryToRead(() => readStored?.(reference, publicGraphs))
      if (!read) break
      missing.delete(key)
      if (!read.values) continue
      found.set(key, read.values)
      cacheRead?.(key, read.values, readAt)
      await maybeYield()
    }
    // Of a store that others use too, or on a disk that cannot be read.
    const wanted = [...missing]
    for (let start = 0; start < wanted.length; start += batchSize) {
      const batch = new Map(wanted.slice(start, start + batchSize))
      const { readAt, values: read } = await readBatch(batch)
      for (const key of batch.keys()) {
        const values = read.get(key)
        if (!values) continue
        found.set(key, values)
        cacheRead?.(key, values, readAt)
      }
    }
    return (reference) => found.get(recordKey(reference))
  }

  function getNow(reference: Reference, isShown: boolean): RecordValues | undefined {
    const key = recordKey(reference)
    const cached = cache.get(key)
    if (cached) return cached
    const readAt = revision.current()
    const values = readStored?.(reference, publicGraphs)
    if (values && isShown) addToCache(key, values, readAt)
    return values
  }

  async function getAllWithPrivate(references: readonly Reference[]) {
    const graphs = [...publicGraphs, privateGraph]
    if (references.length <= batchSize) return source.read(references, graphs)
    const found = new Map<string, RecordValues>()
    for (let start = 0; start < references.length; start += batchSize) {
      const batch = await source.read(references.slice(start, start + batchSize), graphs)
      for (const [key, values] of batch) found.set(key, values)
      await yieldToEventLoop()
    }
    return found
  }

  function addToCache(key: string, values: RecordValues, readAt: number): void {
    const keys = [key]
    if (revision.isCurrent(readAt, keys))
      cache.set(key, values, () => revision.isCurrent(readAt, keys))
  }

  return {
    get: (references) => getAll(references, addToCache),
    getUncached: (references) => getAll(references, undefined),
    getNow: readStored && getNow,
    async getWithPrivate(reference) {
      return (await getAllWithPrivate([reference])).get(recordKey(reference))
    },
    getAllWithPrivate,
  }
}

/** Reads records from the store. */
function createRecordSource({
  store,
  iris,
  resources,
  mapper,
}: Pick<RecordReaderDependencies, 'store' | 'iris' | 'resources' | 'mapper'>) {
  /** The values of the records that exist, by key, as far as these graphs have them. */
  async function read(
    references: readonly Reference[],
    graphs: readonly NamedNode[],
  ): Promise<Map<string, RecordValues>> {
    if (store.isShared) return readEntries(store.readRecords, references, graphs)
    const stored = tryToRead(() => readAllStored(references, graphs))
    return stored ? stored.values : readEntries(store.readEntries, references, graphs)
  }

  /** @throws DiskFailedError */
  function readAllStored(
    references: readonly Reference[],
    graphs: readonly NamedNode[],
  ): Map<string, RecordValues> {
    const found = new Map<string, RecordValues>()
    for (const reference of references) {
      const values = readStored?.(reference, graphs)
      if (values) found.set(recordKey(reference), values)
    }
    return found
  }

  async function readEntries(
    read: UnsharedStore['readEntries'] | SharedStore['readRecords'],
    references: readonly Reference[],
    graphs: readonly NamedNode[],
  ): Promise<Map<string, RecordValues>> {
    const entries = await read(references.map(recordKey))
    const found = new Map<string, RecordValues>()
    for (const reference of references) {
      const key = recordKey(reference)
      const statements = readTriples(entries.get(key) ?? '', graphs)
      if (isRecord(statements))
        found.set(key, mapper.fromStatements(resources[reference.target], reference.id, statements))
    }
    return found
  }

  /**
   * The same of one record, at once.
   * @throws DiskFailedError
   */
  const readStored = store.isShared
    ? undefined
    : (reference: Reference, graphs: readonly NamedNode[]): RecordValues | undefined => {
        const nquads = store.readStored(recordKey(reference))
        if (nquads === undefined) return undefined
        const statements = readTriples(nquads, graphs)
        if (!isRecord(statements)) return undefined
        return mapper.fromStatements(resources[reference.target], reference.id, statements)
      }

  const isRecord = (statements: readonly Statement[]): boolean =>
    statements.length > 0 && redirectOf(iris, statements) === undefined

  return { read, readStored }
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
