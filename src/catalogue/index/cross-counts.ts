// Counts the records that have each pair of values of two facets, in time that grows with the
// values that the records have, not with the number of pairs.

import { createYielder } from '../../lib/scheduling.js'
import type { CrossCount } from '../sparql-record-index.js'

/** The numbers of records by a value that they have, each number once. */
export type DocsByValue = ReadonlyMap<string, readonly number[]>

export const countDocs = (docsByValue: DocsByValue): Map<string, number> =>
  new Map(Array.from(docsByValue, ([value, docs]) => [value, docs.length]))

/**
 * How many records have each pair of a row and a column, where there are any. Other work runs
 * meanwhile.
 */
export async function crossDocs(rows: DocsByValue, columns: DocsByValue): Promise<CrossCount[]> {
  const maybeYield = createYielder()
  const names = [...columns.keys()]
  const { starts, numbers } = columnsOfDocs([...columns.values()])
  const cells: CrossCount[] = []
  const counts = new Int32Array(names.length)
  for (const [row, docs] of rows) {
    await maybeYield()
    counts.fill(0)
    for (const doc of docs)
      for (let at = starts[doc] ?? 0; at < (starts[doc + 1] ?? 0); at += 1) {
        const column = numbers[at] ?? 0
        counts[column] = (counts[column] ?? 0) + 1
      }
    for (let column = 0; column < names.length; column += 1) {
      const count = counts[column] ?? 0
      if (count > 0) cells.push({ row, column: names[column] ?? '', count })
    }
  }
  return cells
}

/**
 * The positions of the columns of each record: those of record n are from `starts[n]` up to
 * `starts[n + 1]`.
 */
function columnsOfDocs(columns: readonly (readonly number[])[]) {
  let last = -1
  for (const docs of columns) for (const doc of docs) last = Math.max(last, doc)
  const starts = new Int32Array(last + 2)
  for (const docs of columns) for (const doc of docs) starts[doc + 1] = (starts[doc + 1] ?? 0) + 1
  for (let doc = 0; doc <= last; doc += 1)
    starts[doc + 1] = (starts[doc + 1] ?? 0) + (starts[doc] ?? 0)
  const numbers = new Int32Array(starts[last + 1] ?? 0)
  const next = starts.slice()
  columns.forEach((docs, column) => {
    for (const doc of docs) {
      const at = next[doc] ?? 0
      numbers[at] = column
      next[doc] = at + 1
    }
  })
  return { starts, numbers }
}
