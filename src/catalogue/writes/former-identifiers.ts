// Finds the identifiers that a record had before, with their changes: those that lead to it, that
// led to it when it was deleted, and that it had after a renaming which was undone.

import type { Reference } from '../../model/record/views.js'
import type { ChangeLog, LoggedChange } from '../../store/key-value/change-log.js'
import { recordKey, referenceOf } from '../records/record-cache.js'
import type { RecordState } from './record-state.js'

type ChangeReader = Pick<ChangeLog, 'ofRecord' | 'ofCommit'>

/** @returns the changes by the keys of the identifiers, without those of a later record */
export async function findFormerIdentifiers(
  changeLog: ChangeReader,
  state: Pick<RecordState, 'redirectsTo'>,
  reference: Reference,
): Promise<ReadonlyMap<string, readonly LoggedChange[]>> {
  const former = new Map<string, readonly LoggedChange[]>()
  const queue = [reference]
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { target } = next
    const changes = await changeLog.ofRecord(recordKey(next))
    if (next !== reference)
      former.set(recordKey(next), changes.slice(0, changes.findLastIndex(isGone) + 1))
    const ids = [
      ...(await state.redirectsTo([next])).map((redirect) => redirect.reference.id),
      ...(await idsDeletedWith(changeLog, next, changes)),
      ...(await idsOfRenamings(changeLog, next, changes)),
    ]
    for (const id of ids) {
      if (id === reference.id || former.has(recordKey({ target, id }))) continue
      former.set(recordKey({ target, id }), [])
      queue.push({ target, id })
    }
  }
  return former
}

/** The identifiers that led to a record when it was deleted, and were deleted with it. */
async function idsDeletedWith(
  changeLog: ChangeReader,
  { target, id }: Reference,
  changes: readonly LoggedChange[],
): Promise<readonly string[]> {
  const deletions = changes.filter(({ change }) => change === 'deleted')
  const commits = await Promise.all(deletions.map(({ commit }) => changeLog.ofCommit(commit)))
  return commits
    .flat()
    .filter(({ intoBefore }) => intoBefore === id)
    .map(({ record }) => referenceOf(record))
    .filter((reference) => reference.target === target)
    .map((reference) => reference.id)
}

/**
 * The identifiers that a record got. If that was undone, they have a history of their own, which
 * ends there.
 */
async function idsOfRenamings(
  changeLog: ChangeReader,
  { target }: Reference,
  changes: readonly LoggedChange[],
): Promise<readonly string[]> {
  const ids: string[] = []
  for (const { into, commit } of changes) {
    if (into === undefined) continue
    const history = await changeLog.ofRecord(recordKey({ target, id: into }))
    // A merge leads to a record that was there before.
    if (history.some((other) => other.change === 'created' && other.commit === commit))
      ids.push(into)
  }
  return ids
}

/** Whether there was no record after a change. */
const isGone = ({ change }: LoggedChange): boolean => change === 'deleted' || change === 'merged'
