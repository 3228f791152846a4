// What is remembered of a commit of many changes that were asked for at once: who made it, and how many
// records of each kind it created, changed and deleted.

import { randomUUID } from 'node:crypto'

import type { Batch, BatchCounts } from '../../store/key-value/batch-log.js'
import { recordKey } from '../records/record-cache.js'
import { type ChangeSource, changeType } from './committer.js'
import type { RecordWrite } from './record-state.js'

/** Describes a new batch of these writes, of which there is one at least. */
export function describeBatch(
  writes: readonly RecordWrite[],
  { account, how }: Omit<ChangeSource, 'batch'>,
  { mode, at }: Pick<Batch, 'mode' | 'at'>,
): Batch {
  const [first] = writes
  return {
    id: randomUUID(),
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
