// What the log keeps of the values of a record: only what is needed to make the values before a
// change from those after it. Of a long text or list that changed in the middle, only the middle is
// kept.

import type { FieldValue, RecordValues } from '../../model/record/values.js'
import type { Field, Resource } from '../../model/resources.js'

/** By field: the value before, or the part of it that is not in the value after. */
export type Difference = Readonly<Record<string, FieldValue | ReplacedPart>>

/**
 * The value before has the beginning and the end of the value after, of these lengths, and this
 * between.
 */
type ReplacedPart = {
  readonly start: number
  readonly end: number
  readonly middle: string | readonly string[]
}

/** The difference that leads back from the values after a change to those before. */
export function differenceBetween(before: RecordValues, after: RecordValues): Difference {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => !isSameValue(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, partBefore(before[name], after[name])]))
}

/** The values before a change. */
export function valuesBefore(difference: Difference, after: RecordValues): RecordValues {
  const changed = Object.entries(difference).map(([name, stored]): [string, FieldValue] => [
    name,
    isReplacedPart(stored) ? joinParts(stored, after[name]) : stored,
  ])
  return { ...after, ...Object.fromEntries(changed) }
}

/** Whether two values of a field are the same. A field without a value may be missing or empty. */
export function isSameValue(value: FieldValue | undefined, other: FieldValue | undefined): boolean {
  if (isUnset(value) || isUnset(other)) return isUnset(value) && isUnset(other)
  if (!isList(value) || !isList(other)) return value === other
  return value.length === other.length && value.every((item, index) => item === other[index])
}

/**
 * The fields that clients write and in which two states of a record differ; undefined is no record.
 */
export const fieldsThatDiffer = (
  { inputFields }: Pick<Resource, 'inputFields'>,
  values: RecordValues | undefined,
  other: RecordValues | undefined,
): Field[] => inputFields.filter(({ name }) => !isSameValue(values?.[name], other?.[name]))

/** Whether a value is that of a field that was not set. */
export const isUnset = (value: FieldValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (isList(value) && value.length === 0)

const isList = (value: FieldValue | undefined): value is readonly string[] => Array.isArray(value)

/** What a part has to save, in characters or items, to be kept in place of the value. */
const minSaving = { text: 100, items: 10 }

function partBefore(
  before: FieldValue | undefined,
  after: FieldValue | undefined,
): FieldValue | ReplacedPart {
  if (typeof before === 'string' && typeof after === 'string') {
    const { start, end } = commonEnds(before, after)
    if (start + end < minSaving.text) return before
    return { start, end, middle: before.slice(start, before.length - end) }
  }
  if (isList(before) && isList(after)) {
    const { start, end } = commonEnds(before, after)
    if (start + end < minSaving.items) return before
    return { start, end, middle: before.slice(start, before.length - end) }
  }
  return before ?? null
}

function joinParts(
  { start, end, middle }: ReplacedPart,
  after: FieldValue | undefined,
): FieldValue {
  if (typeof middle === 'string') {
    const text = typeof after === 'string' ? after : ''
    return text.slice(0, start) + middle + text.slice(text.length - end)
  }
  const items = isList(after) ? after : []
  return [...items.slice(0, start), ...middle, ...items.slice(items.length - end)]
}

/** The lengths of what both begin and end with. The two ends do not overlap. */
function commonEnds(sequence: ArrayLike<unknown>, other: ArrayLike<unknown>) {
  const shorter = Math.min(sequence.length, other.length)
  let start = 0
  while (start < shorter && sequence[start] === other[start]) start += 1
  let end = 0
  const [last, otherLast] = [sequence.length - 1, other.length - 1]
  while (end < shorter - start && sequence[last - end] === other[otherLast - end]) end += 1
  return { start, end }
}

const isReplacedPart = (stored: FieldValue | ReplacedPart): stored is ReplacedPart =>
  typeof stored === 'object' && stored !== null && 'middle' in stored
