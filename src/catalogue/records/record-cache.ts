// The cards that the catalogue reads: by identifier, many at once, and kept until they are written.
// Only what everybody may see is kept.

import type { Addresses } from '../../model/iris.js'
import type { Card } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import type { Lens, Statement } from '../../model/record/rdf-mapper.js'
import type { Cards, Reference } from '../../model/record/views.js'
import { statementsAbout } from '../../queries/record-queries.js'
import type { NamedNode, Quad } from '../../rdf/terms.js'
import type { Change, Store } from '../../store/store.js'
import { openKept } from '../../cache.js'
import { askTogether } from './batch-requests.js'

/** A record that was written: its quads, or undefined when it was removed. */
export type Written = Omit<Change, 'key'> & { readonly reference: Reference }

export type CardReader = {
  /** The public cards of the records that there are; the others are undefined. */
  find(references: readonly Reference[]): Promise<Cards>
  /** The same for once: what is not kept is not kept after it either. */
  pass(references: readonly Reference[]): Promise<Cards>
  /** A card with its private fields, read anew. */
  findWhole(reference: Reference): Promise<Card | undefined>
  /** Takes note of what was committed: records as they are now, or gone. */
  note(changes: readonly Written[]): void
  now(): Moment
  /** Whether none of these records, by their keys, was written since. It may say no without need. */
  areAsAt(moment: Moment, keys: readonly string[]): boolean
}

/** A point between two writes. */
export type Moment = number

/** How much is kept, and what a typical card takes of it, in bytes. */
const room = 64 * 1024 * 1024
const cardSize = 2000

/** For how many records it is known when they were written last. */
const written = 200_000

/** How many records one query asks for; between two of them whoever else waits is answered. */
const atOnce = 50

type Parts = {
  readonly store: Store
  readonly addresses: Addresses
  readonly resources: Resources
  readonly lens: Lens
}

export function readCards({ store, addresses, resources, lens }: Parts): CardReader {
  const kept = openKept<Card>(room, () => cardSize)
  // Counts the writes, so that what was read before one is not kept after it.
  let writes = 0
  /** By the key of a record, the number of the write that it was in last; before `unknown`, nobody knows. */
  const lastWrites = new Map<string, number>()
  let unknown = 0

  const find = (references: readonly Reference[]): Promise<Cards> => gather(references, keep)

  const pass = (references: readonly Reference[]): Promise<Cards> =>
    gather(references, () => undefined)

  async function gather(references: readonly Reference[], keepNew: typeof keep): Promise<Cards> {
    const found = new Map<string, Card>()
    const missing = new Map<string, Reference>()
    for (const reference of references) {
      const key = keyOf(reference)
      const card = kept.get(key)
      if (card) found.set(key, card)
      else missing.set(key, reference)
    }
    const wanted = [...missing]
    for (let start = 0; start < wanted.length; start += atOnce) {
      const some = new Map(wanted.slice(start, start + atOnce))
      const { cards, holds } = await readTogether(some)
      for (const key of some.keys()) {
        const card = cards.get(key)
        if (!card) continue
        found.set(key, card)
        if (holds()) keepNew(key, card)
      }
    }
    return (reference) => found.get(keyOf(reference))
  }

  const readTogether = askTogether(atOnce, async (wanted: ReadonlyMap<string, Reference>) => {
    const before = writes
    const cards = await read([...wanted.values()], [addresses.graphs.public])
    return { cards, holds: () => writes === before }
  })

  async function findWhole(reference: Reference): Promise<Card | undefined> {
    const { public: open, private: hidden } = addresses.graphs
    return (await read([reference], [open, hidden])).get(keyOf(reference))
  }

  async function read(
    references: readonly Reference[],
    graphs: readonly NamedNode[],
  ): Promise<Map<string, Card>> {
    if (store.read) return readWhole(references, graphs)
    const owners = new Map<string, Statement[]>()
    const statements = references.map((reference): [Reference, Statement[]] => [reference, []])
    for (const [{ target, id }, own] of statements)
      for (const subject of lens.subjectsOf(resources[target], id)) owners.set(subject.value, own)

    const subjects = statements.flatMap(([{ target, id }]) =>
      lens.subjectsOf(resources[target], id),
    )
    for (const { s, p, o } of await store.select(statementsAbout(subjects, graphs)))
      if (s && p && o) owners.get(s.value)?.push({ s: s.value, p: p.value, o: o.value })

    return new Map(
      statements
        .filter(([, own]) => own.length > 0)
        .map(([reference, own]) => [
          keyOf(reference),
          lens.fromStatements(resources[reference.target], reference.id, own),
        ]),
    )
  }

  /** From a store whose selects may show a record half written. */
  async function readWhole(
    references: readonly Reference[],
    graphs: readonly NamedNode[],
  ): Promise<Map<string, Card>> {
    const records = (await store.read?.(references.map(keyOf))) ?? new Map<string, Quad[]>()
    return new Map(
      references.flatMap((reference) => {
        const quads = records.get(keyOf(reference))
        return quads ? [[keyOf(reference), cardIn(reference, quads, graphs)] as const] : []
      }),
    )
  }

  function keep(key: string, card: Card): void {
    // Another process may write it, or it may come to be what was not acknowledged.
    if (!store.read) kept.keep(key, card)
  }

  function note(changes: readonly Written[]): void {
    writes += 1
    if (lastWrites.size > written) {
      lastWrites.clear()
      unknown = writes
    }
    for (const { reference, quads } of changes) {
      const key = keyOf(reference)
      lastWrites.set(key, writes)
      kept.drop(key)
      if (quads) keep(key, cardIn(reference, quads, [addresses.graphs.public]))
    }
  }

  const areAsAt = (moment: Moment, keys: readonly string[]): boolean =>
    // Where others write, nobody here is told.
    !store.read && moment >= unknown && keys.every((key) => (lastWrites.get(key) ?? 0) <= moment)

  /** The card that the store would answer with now. */
  function cardIn(
    { target, id }: Reference,
    quads: readonly Quad[],
    graphs: readonly NamedNode[],
  ): Card {
    const shown = quads.filter(({ graph }) => graphs.some((one) => graph.equals(one)))
    const statements = shown.map(({ subject, predicate, object }) => ({
      s: subject.value,
      p: predicate.value,
      o: object.value,
    }))
    return lens.fromStatements(resources[target], id, statements)
  }

  return { find, pass, findWhole, note, now: () => writes, areAsAt }
}

/** The key of a record: also the one under which the store keeps it. */
export const keyOf = ({ target, id }: Reference): string => `${target}/${id}`
