// Makes the changes of a record anew, from its values without what is removed from them. The log
// keeps differences only, so a change differs also where the values after it do.

import type { RecordValues } from '../../model/record/values.js'
import type { LoggedChange } from '../../store/key-value/change-log.js'
import { statesOf } from '../history/record-history.js'
import { differenceBetween } from '../history/value-differences.js'

export type RecordChanges = {
  /** The oldest first. */
  readonly changes: readonly LoggedChange[]
  /** The present values; undefined without a record. */
  readonly current: RecordValues | undefined
}

/** What is removed. */
export type ValueCleaning = {
  /** The values without it; the same object where they do not have it. */
  readonly clean: (values: RecordValues) => RecordValues
  /** The fields that changes without it are marked with, as not to be undone. */
  readonly fields: readonly string[]
}

export type RewrittenHistory = RecordChanges & {
  /** Whether anything was removed from the present values or from others. */
  readonly isChanged: boolean
}

/** @returns the changes that are made anew, and no others */
export function rewriteHistory(
  { changes, current }: RecordChanges,
  { clean, fields }: ValueCleaning,
): RewrittenHistory {
  const states = statesOf(changes, current).map((had) => {
    const left = had && clean(had)
    return { left, isChanged: left !== had }
  })
  const rewritten = changes.flatMap((change, index) => {
    const [before, after] = [states[index], states[index + 1]]
    return before?.isChanged || after?.isChanged
      ? [withDifference(change, { before: before?.left, after: after?.left, fields })]
      : []
  })
  return {
    changes: rewritten,
    current: states.at(-1)?.left,
    isChanged: states.some(({ isChanged }) => isChanged),
  }
}

type Difference = {
  readonly before: RecordValues | undefined
  readonly after: RecordValues | undefined
  readonly fields: readonly string[]
}

function withDifference(change: LoggedChange, { before, after, fields }: Difference): LoggedChange {
  const redacted = [...new Set([...(change.redacted ?? []), ...fields])]
  return {
    ...change,
    ...(before ? { before: differenceBetween(before, after ?? {}) } : {}),
    ...(redacted.length > 0 ? { redacted } : {}),
  }
}
