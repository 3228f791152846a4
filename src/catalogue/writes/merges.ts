// Merges records and renames them: locks all others out, and commits what merge-plans.ts plans as a
// batch of its own. Undoing a merge is left to restores.ts.

import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { batchEntry } from '../../store/key-value/batch-log.js'
import type { Reference } from '../../model/record/views.js'
import type { Clock } from '../clock.js'
import type { FoundRecord, RecordReads } from '../record-reads.js'
import { describeBatch } from './batch-description.js'
import type { ChangeSource, CommitWrites } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import type { Forgettings } from './forgettings.js'
import type { MergePlans, MergeRequest } from './merge-plans.js'
import type { RedactionCompletion } from './redaction-completion.js'
import { type RecordState, fieldsReferringTo } from './record-state.js'
import type { WriteOptions } from './record-writes.js'

/**
 * The record that stays, and the identifier of the batch that all changes of the merge belong to;
 * null where the identifier that went is forgotten, since that cannot be undone.
 */
export type MergeResult = { readonly record: FoundRecord; readonly batch: string | null }

export type MergeOptions = Omit<WriteOptions, 'source' | 'deletedAgents'> & {
  readonly source: Omit<ChangeSource, 'batch'>
  /** Whether the identifier that goes is forgotten, in place of leading to the record that stays. */
  readonly forgets?: boolean
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
  readonly forgettings: Forgettings
  readonly completion: RedactionCompletion
  readonly reads: RecordReads
  readonly commit: CommitWrites
  readonly now: Clock
}

export function createMerges({
  resources,
  runExclusively,
  stored,
  mergePlans,
  forgettings,
  completion,
  reads,
  commit,
  now,
}: MergesDependencies): Merges {
  type PlanMerge = (state: RecordState, from: Reference) => ReturnType<MergePlans['merge']>

  /** Nothing else is written meanwhile: a reference that is added would be left behind. */
  const commitPlan = (
    from: Reference,
    { source, view, mayName, forgets = false }: MergeOptions,
    plan: PlanMerge,
  ): Promise<MergeResult> =>
    forgets
      ? commitForgetting(from, { source, view, mayName }, plan)
      : runExclusively(async (state) => {
          const { into, writes } = await plan(state, from)
          const batch = describeBatch(writes, source, { mode: 'all', at: now() })
          await commit(writes, { ...source, batch: batch.id }, [batchEntry(batch)])
          return { record: await readResult(into, { view, mayName }), batch: batch.id }
        })

  const readResult = (
    into: Reference,
    { view, mayName: sees = () => false }: Pick<MergeOptions, 'view' | 'mayName'>,
  ): Promise<FoundRecord> =>
    reads.isHidden(into)
      ? reads.readHidden(into, view ?? 'detail', sees)
      : reads.read(into.target, into.id, view)

  async function commitForgetting(
    from: Reference,
    { source, view, mayName }: MergeOptions,
    plan: PlanMerge,
  ): Promise<MergeResult> {
    const { record, unfinished } = await runExclusively(async (state) => {
      const { into, writes } = await plan(state, from)
      const forgotten = { reference: from, into: into.id }
      const forgetting = await forgettings.planWithMerge(state, forgotten, writes)
      await commit(forgetting.writes, source, forgetting.entries)
      return {
        record: await readResult(into, { view, mayName }),
        unfinished: forgetting.unfinished,
      }
    })
    await completion.complete(unfinished)
    return { record, batch: null }
  }

  return {
    merge: (target, id, request, options) =>
      commitPlan({ target, id }, options, (state, from) =>
        mergePlans.merge(state, from, request, options),
      ),
    rename: (target, id, newId, options) =>
      commitPlan({ target, id }, options, (state, from) =>
        mergePlans.rename(state, from, newId, options),
      ),
    async countReferrers(target, id) {
      const referrers = await stored.referrers({ target, id }, fieldsReferringTo(resources, target))
      const counts = new Map<ResourceName, number>()
      for (const { target: from } of referrers) counts.set(from, (counts.get(from) ?? 0) + 1)
      return counts
    },
  }
}
