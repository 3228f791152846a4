// What is remembered of a commit of many changes that were asked for at once: who made it, and how
// many records of each kind it created, changed and deleted.

import { randomUUID } from 'node:crypto'

import type { Batch, BatchCounts } from '../../store/key-value/batch-log.js'
import { recordKey } from '../records/record-cache.js'
import { type ChangeSource, changeType } from './committer.js'
import type { RecordWrite } from './record-state.js'

/** Describes a new batch of these writes, of which there is one at least. */
export function describeBatch(
  writes: readonly RecordWrite[],
  { account, how }: Omit<ChangeSource, 'batch'>,
  { id = randomUUID(), mode, at }: Pick<Batch, 'mode' | 'at'> & { readonly id?: string },
): Batch {
  const [first] = writes
  return {
    id,
    at,
    ...(account === undefined ? {} : { account }),
    how,
    mode,
    count: writes.length,
    kinds: countByKind(writes),
    record: first ? recordKey(first.reference) : '',
  }
}

function countByKind(writes: readonly RecordWrite[]): Readonly<Record<string, BatchCounts>> {
  const kinds: Record<string, Record<string, number>> = {}
  for (const write of writes) {
    const counts = (kinds[write.reference.target] ??= {})
    const change = changeType(write)
    counts[change] = (counts[change] ?? 0) + 1
  }
  return kinds
}

/** A batch with one more commit. */
export const addToBatch = (batch: Batch, part: Batch): Batch => ({
  ...batch,
  count: batch.count + part.count,
  kinds: addCounts(batch.kinds, part.kinds),
  parts: [...(batch.parts ?? []), part.record],
})

function addCounts(first: Batch['kinds'], second: Batch['kinds']): Batch['kinds'] {
  const sums: Record<string, Record<string, number>> = {}
  for (const kinds of [first, second])
    for (const [kind, counts] of Object.entries(kinds))
      for (const [change, count] of Object.entries(counts)) {
        const sum = (sums[kind] ??= {})
        sum[change] = (sum[change] ?? 0) + count
      }
  return sums
}

/** The keys of records of which each commit of a batch changed one, in the order of the commits. */
export const partsOf = ({ record, parts = [] }: Batch): readonly string[] => [record, ...parts]
