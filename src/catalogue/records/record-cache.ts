// The cards that the catalogue reads: by identifier, many at once, and kept until they are written.
// Only what everybody may see is kept.

import type { Iris } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import type { RdfMapper, Statement } from '../../model/record/rdf-mapper.js'
import type { RecordLookup, Reference } from '../../model/record/views.js'
import { selectStatements } from '../../queries/record-queries.js'
import type { NamedNode, Quad } from '../../rdf/terms.js'
import type { SharedStore, Store, StoreChange } from '../../store/store.js'
import { createCache } from '../../cache.js'
import { batchRequests } from './batch-requests.js'

/** A record that was written: its quads, or undefined when it was removed. */
export type RecordChange = Omit<StoreChange, 'key'> & { readonly reference: Reference }

export type RecordReader = {
  /** The public cards of the records that there are; the others are undefined. */
  get(references: readonly Reference[]): Promise<RecordLookup>
  /** The same for once: what is not kept is not kept after it either. */
  getUncached(references: readonly Reference[]): Promise<RecordLookup>
  /** A card with its private fields, read anew. */
  getWithPrivate(reference: Reference): Promise<RecordValues | undefined>
  /** Takes note of what was committed: records as they are now, or gone. */
  onCommit(changes: readonly RecordChange[]): void
  revision(): Revision
  /** Whether none of these records, by their keys, was written since. It may say no without need. */
  unchangedSince(moment: Revision, keys: readonly string[]): boolean
}

/** A point between two writes. */
export type Revision = number

/** How much is kept, and what a typical card takes of it, in bytes. */
const maxWeight = 64 * 1024 * 1024
const typicalWeight = 2000

/** For how many records it is known when they were written last. */
const maxTrackedWrites = 200_000

/** How many records one query asks for; between two of them whoever else waits is answered. */
const batchSize = 50

type RecordReaderDependencies = {
  readonly store: Store
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

export function createRecordReader({
  store,
  iris,
  resources,
  mapper,
}: RecordReaderDependencies): RecordReader {
  const kept = createCache<RecordValues>(maxWeight, () => typicalWeight)
  // Counts the writes, so that what was read before one is not kept after it.
  let writes = 0
  /** By the key of a record, the number of the write that it was in last; before `unknown`, nobody knows. */
  const lastWrites = new Map<string, number>()
  let unknown = 0

  const get = (references: readonly Reference[]): Promise<RecordLookup> => gather(references, keep)

  const getUncached = (references: readonly Reference[]): Promise<RecordLookup> =>
    gather(references, () => undefined)

  async function gather(
    references: readonly Reference[],
    keepNew: typeof keep,
  ): Promise<RecordLookup> {
    const found = new Map<string, RecordValues>()
    const missing = new Map<string, Reference>()
    for (const reference of references) {
      const key = recordKey(reference)
      const card = kept.get(key)
      if (card) found.set(key, card)
      else missing.set(key, reference)
    }
    const wanted = [...missing]
    for (let start = 0; start < wanted.length; start += batchSize) {
      const some = new Map(wanted.slice(start, start + batchSize))
      const { cards, holds } = await readTogether(some)
      for (const key of some.keys()) {
        const card = cards.get(key)
        if (!card) continue
        found.set(key, card)
        if (holds()) keepNew(key, card)
      }
    }
    return (reference) => found.get(recordKey(reference))
  }

  const readTogether = batchRequests(batchSize, async (wanted: ReadonlyMap<string, Reference>) => {
    const before = writes
    const cards = await read([...wanted.values()], [iris.graphs.public])
    return { cards, holds: () => writes === before }
  })

  async function getWithPrivate(reference: Reference): Promise<RecordValues | undefined> {
    const { public: open, private: hidden } = iris.graphs
    return (await read([reference], [open, hidden])).get(recordKey(reference))
  }

  async function read(
    references: readonly Reference[],
    graphs: readonly NamedNode[],
  ): Promise<Map<string, RecordValues>> {
    if (store.isShared) return readWhole(store.readRecords, references, graphs)
    const owners = new Map<string, Statement[]>()
    const statements = references.map((reference): [Reference, Statement[]] => [reference, []])
    for (const [{ target, id }, own] of statements)
      for (const subject of mapper.subjectsOf(resources[target], id)) owners.set(subject.value, own)

    const subjects = statements.flatMap(([{ target, id }]) =>
      mapper.subjectsOf(resources[target], id),
    )
    for (const { s, p, o } of await store.select(selectStatements(subjects, graphs)))
      if (s && p && o) owners.get(s.value)?.push({ s: s.value, p: p.value, o: o.value })

    return new Map(
      statements
        .filter(([, own]) => own.length > 0)
        .map(([reference, own]) => [
          recordKey(reference),
          mapper.fromStatements(resources[reference.target], reference.id, own),
        ]),
    )
  }

  /** From a store whose selects may show a record half written. */
  async function readWhole(
    readRecords: SharedStore['readRecords'],
    references: readonly Reference[],
    graphs: readonly NamedNode[],
  ): Promise<Map<string, RecordValues>> {
    const records = await readRecords(references.map(recordKey))
    return new Map(
      references.flatMap((reference) => {
        const quads = records.get(recordKey(reference))
        return quads ? [[recordKey(reference), cardIn(reference, quads, graphs)] as const] : []
      }),
    )
  }

  function keep(key: string, card: RecordValues): void {
    // Another process may write it, or it may come to be what was not acknowledged.
    if (!store.isShared) kept.set(key, card)
  }

  function onCommit(changes: readonly RecordChange[]): void {
    writes += 1
    if (lastWrites.size > maxTrackedWrites) {
      lastWrites.clear()
      unknown = writes
    }
    for (const { reference, quads } of changes) {
      const key = recordKey(reference)
      lastWrites.set(key, writes)
      kept.delete(key)
      if (quads) keep(key, cardIn(reference, quads, [iris.graphs.public]))
    }
  }

  const unchangedSince = (moment: Revision, keys: readonly string[]): boolean =>
    // Where others write, nobody here is told.
    !store.isShared &&
    moment >= unknown &&
    keys.every((key) => (lastWrites.get(key) ?? 0) <= moment)

  /** The card that the store would answer with now. */
  function cardIn(
    { target, id }: Reference,
    quads: readonly Quad[],
    graphs: readonly NamedNode[],
  ): RecordValues {
    const shown = quads.filter(({ graph }) => graphs.some((one) => graph.equals(one)))
    const statements = shown.map(({ subject, predicate, object }) => ({
      s: subject.value,
      p: predicate.value,
      o: object.value,
    }))
    return mapper.fromStatements(resources[target], id, statements)
  }

  return { get, getUncached, getWithPrivate, onCommit, revision: () => writes, unchangedSince }
}

/** The key of a record: also the one under which the store keeps it. */
export const recordKey = ({ target, id }: Reference): string => `${target}/${id}`
