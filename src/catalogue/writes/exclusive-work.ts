// What all writes of many records begin with: nobody else writes meanwhile, every earlier commit is
// settled, and what is planned is staged on the records as they are then.

import type { Resources } from '../../model/resources.js'
import type { Store } from '../../store/store.js'
import type { Locks } from './locks.js'
import { type RecordState, StagedState } from './record-state.js'

/** Runs work while there is no other write. */
export type RunExclusively = <Result>(
  work: (state: StagedState) => Promise<Result>,
) => Promise<Result>

type ExclusiveWorkDependencies = {
  readonly store: Store
  readonly resources: Resources
  readonly locks: Locks
  readonly stored: RecordState
}

export const createExclusiveRunner =
  ({ store, resources, locks, stored }: ExclusiveWorkDependencies): RunExclusively =>
  (work) =>
    locks.withExclusiveLock(async () => {
      await store.settlePending()
      return work(new StagedState(stored, resources))
    })
