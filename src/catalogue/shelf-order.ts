// The holdings of a list in the order of a shelf: by call number, as people count, so that `Z 9`
// comes before `Z 10`. The lists of the API order call numbers by code point
// (docs/reference/lists.md, "Ordering").

import type { Iris } from '../model/iris.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import type { Resources } from '../model/resources.js'
import { createYielder } from '../lib/scheduling.js'
import type { Store } from '../store/store.js'
import type { KeptValues } from './kept-values.js'
import { type ListQuery, buildListSpec } from './lists.js'
import { fieldValuesBatchSize, readFieldValues } from './records/field-values.js'
import type { RecordIndex } from './sparql-record-index.js'

export type ShelfOrder = {
  /** The identifiers of all holdings of a list; those without a call number come last. */
  inShelfOrder(query: Pick<ListQuery, 'filters' | 'q'>): Promise<readonly string[]>
}

type ShelfOrderDependencies = {
  readonly store: Store
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly recordIndex: RecordIndex
} & KeptValues

export function createShelfOrder({
  store,
  iris,
  resources,
  mapper,
  recordIndex,
  keepUntilNextWrite,
}: ShelfOrderDependencies): ShelfOrder {
  const { holdings } = resources
  const field = holdings.byName.get('call_number')

  const inShelfOrder = ({ filters, q = '' }: Pick<ListQuery, 'filters' | 'q'>) =>
    keepUntilNextWrite(
      `shelf order ${JSON.stringify([[...filters], q])}`,
      async (): Promise<readonly string[]> => {
        const query: ListQuery = { filters, q, search: '', ordering: [] }
        const ids = await recordIndex.all(buildListSpec(holdings, query, { resources, mapper }))
        return (await sortInSteps(await keysOf(ids))).map(({ id }) => id)
      },
      { weightOf: ({ length }) => idWeight * length },
    )

  async function keysOf(ids: readonly string[]): Promise<Sorted[]> {
    const keys: Sorted[] = []
    for (let start = 0; field && start < ids.length; start += fieldValuesBatchSize) {
      const batch = ids.slice(start, start + fieldValuesBatchSize)
      const request = { resource: holdings, fields: [field], ids: batch }
      const values = await readFieldValues({ store, iris }, request)
      for (const id of batch)
        keys.push({ id, key: shelfKey(values.get(id)?.get(field)?.[0] ?? '') })
    }
    return keys
  }

  return { inShelfOrder }
}

/** About how much an identifier weighs, in bytes. */
const idWeight = 40

type Sorted = { readonly id: string; readonly key: string }

/**
 * What call numbers are compared by: without case and without the number of spaces, and numbers by
 * their value. Nothing comes last.
 */
export const shelfKey = (callNumber: string): string =>
  callNumber
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(widest, '0')) || last

const widest = 20
const last = '\u{10FFFF}'

const compare = (a: Sorted, b: Sorted): number =>
  a.key < b.key || (a.key === b.key && a.id < b.id) ? -1 : 1

/** How many are sorted at once. */
const runLength = 2000

/** Sorts short runs and merges them, while other work goes on in between. */
async function sortInSteps(items: readonly Sorted[]): Promise<readonly Sorted[]> {
  const maybeYield = createYielder()
  let runs: Sorted[][] = []
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare))
    await maybeYield()
  }
  while (runs.length > 1) {
    const merged: Sorted[][] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], maybeYield))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(a: Sorted[], b: Sorted[], maybeYield: () => Promise<void>) {
  const merged: Sorted[] = []
  let [left, right] = [0, 0]
  while (left < a.length || right < b.length) {
    const [first, second] = [a[left], b[right]]
    const isFirst = first !== undefined && (second === undefined || compare(first, second) < 0)
    const next = isFirst ? first : second
    if (next) merged.push(next)
    if (isFirst) left += 1
    else right += 1
    if (merged.length % runLength === 0) await maybeYield()
  }
  return merged
}
