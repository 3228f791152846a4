// What undoing one change makes of a list: what the change wrote is taken back, and what was changed
// since is kept.

import { ConflictError, NotFoundError } from '../../errors.js'
import { message } from '../../message.js'
import {
  type CuratedListInput,
  type ListField,
  type ListVersion,
  listFields,
} from './curated-lists.js'
import { fieldsThatDiffer } from './list-versions.js'

type UndoState = {
  readonly current: CuratedListInput | undefined
  /** Whether `isPublic` is taken back too. */
  readonly withPrivate: boolean
}

/** The names of the fields in JSON. */
export const fieldNames: Readonly<Record<ListField, string>> = {
  title: 'title',
  text: 'text',
  isPublic: 'public',
  records: 'records',
}

/**
 * The list without what a version changed; undefined where the change had made it.
 * @param versions the oldest first
 * @throws NotFoundError where the versions do not say what was before
 * @throws ConflictError where the same was changed since
 */
export function planUndo(
  versions: readonly ListVersion[],
  number: number,
  { current, withPrivate }: UndoState,
): CuratedListInput | undefined {
  const index = versions.findIndex(({ version }) => version === number)
  const { change, list: after } = versions[index] ?? {}
  const before = change === 'created' ? undefined : versions[index - 1]?.list
  if (!change || (change !== 'created' && !before)) throw new NotFoundError()
  if (!before || !after) {
    checkUnchanged(listFields, current, after)
    return before
  }
  const fields = fieldsThatDiffer(before, after).filter(
    (field) => withPrivate || field !== 'isPublic',
  )
  if (!current) throw changedSince(listFields)
  checkUnchanged(fields, current, after)
  return { ...current, ...Object.fromEntries(fields.map((field) => [field, before[field]])) }
}

/** @throws ConflictError if one of the fields is not what the change made it */
function checkUnchanged(
  fields: readonly ListField[],
  current: CuratedListInput | undefined,
  after: CuratedListInput | undefined,
): void {
  const changed = fieldsThatDiffer(current, after).filter((field) => fields.includes(field))
  if (changed.length > 0) throw changedSince(changed)
}

function changedSince(changed: readonly ListField[]): ConflictError {
  const fields = changed.map((field) => fieldNames[field])
  return new ConflictError(message('The same was changed again since.'), { fields })
}
