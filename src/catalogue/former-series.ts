// Remembers of each zine that leaves a series which zine it was. The IRI of a series follows from
// what its zines state, so it changes with that; the former IRI then leads to the series that the
// zine is of now (docs/reference/data-model.md, "Series").

import { createHash } from 'node:crypto'

import { NotFoundError } from '../errors.js'
import type { RecordValues } from '../model/record/values.js'
import type { Reference } from '../model/record/views.js'
import { seriesFields, seriesOf } from '../model/series.js'
import type { KeyValueStore, KeyValueWrite } from '../lib/key-value/key-value-store.js'
import { prefixes } from '../store/key-value/keys.js'
import { RecordMergedError } from './errors.js'
import { isSameValue } from './history/value-differences.js'
import type { RecordReads } from './record-reads.js'

/** A record before and after a write. */
type SeriesWrite = {
  readonly reference: Reference
  readonly before: RecordValues | undefined
  readonly after: RecordValues | undefined
  /** The identifier of the record that this one was merged into. */
  readonly into?: string | undefined
}

export type FormerSeries = {
  /** What is written with these writes. */
  entriesOf(writes: readonly SeriesWrite[]): readonly KeyValueWrite[]
  /** What is written so that none leads to these zines any more, but to those that stay. */
  entriesWithout(
    forgotten: readonly Pick<SeriesWrite, 'reference' | 'into'>[],
  ): Promise<readonly KeyValueWrite[]>
  /** The identifier of the zine that left the series last; undefined where none is known. */
  zineOf(slug: string): Promise<string | undefined>
}

export const createFormerSeries = (
  store: Pick<KeyValueStore, 'get' | 'entries'>,
): FormerSeries => ({
  entriesOf: (writes) => writes.flatMap(entriesOfWrite),
  async entriesWithout(forgotten) {
    const zines = new Map(
      forgotten
        .filter(({ reference }) => reference.target === 'zines')
        .map(({ reference, into }) => [reference.id, into]),
    )
    const entries: KeyValueWrite[] = []
    if (zines.size > 0)
      for await (const [key, id] of store.entries(prefixes.formerSeries))
        if (zines.has(id)) entries.push({ key, value: zines.get(id) })
    return entries
  },
  zineOf: (slug) => store.get(keyOf(slug)),
})

/** Of a process that does not write. */
export const noFormerSeries: FormerSeries = {
  entriesOf: () => [],
  entriesWithout: () => Promise.resolve([]),
  zineOf: () => Promise.resolve(undefined),
}

function entriesOfWrite({ reference, before, after, into }: SeriesWrite): readonly KeyValueWrite[] {
  if (reference.target !== 'zines' || !before) return []
  if (after && seriesFields.every((name) => isSameValue(before[name], after[name]))) return []
  const present = new Set(after && seriesOf(after).map(({ slug }) => slug))
  // A series whose last zine is deleted leads nowhere, whatever left it before.
  const value = into ?? (after ? reference.id : undefined)
  return seriesOf(before)
    .filter(({ slug }) => !present.has(slug))
    .map(({ slug }) => ({ key: keyOf(slug), value }))
}

// Without the words of the title, which may have been removed for good.
const keyOf = (slug: string): string =>
  prefixes.formerSeries + createHash('sha256').update(slug).digest('hex').slice(0, 32)

type Forwarding = {
  readonly formerSeries: FormerSeries
  readonly reads: Pick<RecordReads, 'read'>
}

/**
 * The series that a former one became, by its slug; undefined where none is known, or the zine is
 * no more.
 */
export async function findPresentSeries(
  { formerSeries, reads }: Forwarding,
  slug: string,
): Promise<string | undefined> {
  const id = await formerSeries.zineOf(slug)
  if (id === undefined) return undefined
  const values = await valuesOf(reads, id)
  const [present] = values ? seriesOf(values) : []
  return present?.slug === slug ? undefined : present?.slug
}

async function valuesOf(reads: Forwarding['reads'], id: string): Promise<RecordValues | undefined> {
  try {
    return (await reads.read('zines', id)).record.values
  } catch (error) {
    if (error instanceof RecordMergedError) return valuesOf(reads, error.into.id)
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
