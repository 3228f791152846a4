// Merges records and renames them: locks all others out, and commits what merge-plans.ts plans as a
// batch of its own. Undoing a merge is left to restores.ts.

import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { batchEntry } from '../../store/key-value/batch-log.js'
import type { Clock } from '../clock.js'
import type { FoundRecord, RecordReads } from '../record-reads.js'
import { describeBatch } from './batch-description.js'
import type { ChangeSource, CommitWrites } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import type { MergePlans, MergeRequest } from './merge-plans.js'
import { type RecordState, fieldsReferringTo } from './record-state.js'
import type { WriteOptions } from './record-writes.js'

/**
 * The record that stays, and the identifier of the batch that all changes of the merge belong to.
 */
export type MergeResult = { readonly found: FoundRecord; readonly batch: string }

export type MergeOptions = Omit<WriteOptions, 'source' | 'deletedAgents'> & {
  readonly source: Omit<ChangeSource, 'batch'>
}

export type Merges = {
  /**
   * Merges a record into another one, all or nothing (docs/reference/history.md, "Merge and
   * rename").
   * @throws NotFoundError, PreconditionFailedError, ValidationError
   */
  merge(
    name: ResourceName,
    id: string,
    request: MergeRequest,
    options: MergeOptions,
  ): Promise<MergeResult>
  /**
   * Gives a record another identifier; its own leads there afterwards.
   * @throws NotFoundError, PreconditionFailedError, ValidationError
   */
  rename(
    name: ResourceName,
    id: string,
    newId: unknown,
    options: MergeOptions,
  ): Promise<MergeResult>
  /** How many records of each resource refer to a record. */
  countReferrers(name: ResourceName, id: string): Promise<ReadonlyMap<ResourceName, number>>
}

type MergesDependencies = {
  readonly resources: Resources
  readonly runExclusively: RunExclusively
  readonly stored: RecordState
  readonly mergePlans: MergePlans
  readonly reads: RecordReads
  readonly commit: CommitWrites
  readonly now: Clock
}

export function createMerges({
  resources,
  runExclusively,
  stored,
  mergePlans,
  reads,
  commit,
  now,
}: MergesDependencies): Merges {
  /** Nothing else is written meanwhile: a reference that is added would be left behind. */
  const commitPlan = (
    plan: (state: RecordState) => ReturnType<MergePlans['merge']>,
    { source, view }: MergeOptions,
  ): Promise<MergeResult> =>
    runExclusively(async (state) => {
      const { into, writes } = await plan(state)
      const batch = describeBatch(writes, source, { mode: 'all', at: now() })
      await commit(writes, { ...source, batch: batch.id }, [batchEntry(batch)])
      return { found: await reads.read(into.target, into.id, view), batch: batch.id }
    })

  return {
    merge: (target, id, request, options) =>
      commitPlan((state) => mergePlans.merge(state, { target, id }, request, options), options),
    rename: (target, id, newId, options) =>
      commitPlan((state) => mergePlans.rename(state, { target, id }, newId, options), options),
    async countReferrers(target, id) {
      const referrers = await stored.referrers({ target, id }, fieldsReferringTo(resources, target))
      const counts = new Map<ResourceName, number>()
      for (const { target: from } of referrers) counts.set(from, (counts.get(from) ?? 0) + 1)
      return counts
    },
  }
}
