// Which records of a resource meet a condition of a list: a mark for each number. The marks are
// kept until the next write, since a page of a list counts under the same conditions again and
// again. What a condition marks is left to queries/conditions.ts.

import { createCache } from '../../lib/cache.js'
import type { IndexedValue } from '../../model/resources.js'
import type { ConditionIndex, ListCondition } from '../../queries/conditions.js'
import { type Revision, currentUntilWrite } from '../revision.js'
import type { Documents } from './documents.js'
import { readYears } from './index-entry.js'
import type { DocSet, Postings } from '../../lib/text-index/postings.js'

/** How much the marks that are kept may weigh together, in bytes. */
const maxWeight = 32 * 1024 * 1024

export type ConditionMarksDependencies = Pick<
  ConditionIndex,
  'markNamed' | 'isRecord' | 'textOf'
> & {
  readonly filters: readonly IndexedValue[]
  /** By the position of the filter. */
  readonly values: readonly Postings[]
  readonly documents: Pick<Documents, 'ids' | 'isAlive' | 'numberOf'>
  /** That of the records of all resources. */
  readonly revision: Revision
}

/** @returns the marks of a condition, as the records are now; dead numbers may be marked too */
export function createConditionMarks({
  filters,
  values,
  documents,
  revision,
  ...others
}: ConditionMarksDependencies): (condition: ListCondition) => DocSet {
  const { ids, isAlive } = documents
  const known = createCache<DocSet>(maxWeight, ({ length }) => length)
  const postingsOf = (filter: IndexedValue): Postings | undefined => values[filters.indexOf(filter)]

  const index: ConditionIndex = {
    ...others,
    markTexts(filter, marks, isWanted) {
      const postings = postingsOf(filter)
      postings?.texts.forEach((text, number) => {
        if (isWanted(text)) postings.mark(number, marks)
      })
    },
    markText(filter, marks, text) {
      const postings = postingsOf(filter)
      const number = postings?.find(text)
      if (number !== undefined) postings?.mark(number, marks)
    },
    markIds(wanted, marks) {
      for (const id of wanted) {
        const doc = documents.numberOf(id)
        if (doc !== undefined) marks[doc] = 1
      }
    },
    markYears(filter, marks, isWanted) {
      index.markTexts(filter, marks, (text) => isWanted(readYears(text)))
    },
  }

  return function marksOf(condition: ListCondition): DocSet {
    const { key, isMet, mark } = condition
    const cached = known.get(`${key} ${isMet}`)
    if (cached) return cached
    const isCurrent = currentUntilWrite(revision)
    const marks = isMet
      ? new Uint8Array(ids.length)
      : marksOf({ ...condition, isMet: true }).slice()
    if (isMet) mark(index, marks)
    else
      for (let doc = 0; doc < marks.length; doc += 1)
        marks[doc] = marks[doc] === 0 && isAlive(doc) ? 1 : 0
    known.set(`${key} ${isMet}`, marks, isCurrent)
    return marks
  }
}
