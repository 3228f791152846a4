// The place in the order of a list where a page begins. It is found between the last record of one
// page and the first of the next, so it stays when both are removed, and it is no longer than it
// has to be.

import type { ListSpec } from '../queries/list-queries.js'

/** A value that a list is sorted by, as clients read it. */
export type SortValue = string | number | boolean

/** The values that a record is sorted by, with the identifier last; undefined where it has none. */
export type SortValues = readonly (SortValue | undefined)[]

/**
 * The first of the values that a record is sorted by. All but the last are those of the records on
 * both sides. The last divides: records follow whose value is the same or greater, or, in
 * descending order, smaller, and those without a value. Where it is undefined, only those without a
 * value follow.
 */
export type ListPosition = SortValues

/** The position between two records that follow each other in a list. */
export function positionBetween(
  order: ListSpec['order'],
  before: SortValues,
  after: SortValues,
): ListPosition {
  const index = after.findIndex((value, position) => value !== before[position])
  const { field, descending = false } = order[index] ?? {}
  const [smaller, greater] = descending
    ? [after[index], before[index]]
    : [before[index], after[index]]
  const isText = field === undefined || field.kind === 'text'
  const dividing =
    isText && typeof smaller === 'string' && typeof greater === 'string'
      ? shortestPrefix(greater, smaller)
      : greater
  return [...after.slice(0, index), after[index] === undefined ? undefined : dividing]
}

/** The shortest beginning of a text that is still greater than a smaller text. */
function shortestPrefix(text: string, smaller: string): string {
  const [characters, others] = [Array.from(text), Array.from(smaller)]
  const length = characters.findIndex((character, index) => character !== others[index]) + 1
  return characters.slice(0, length).join('')
}
