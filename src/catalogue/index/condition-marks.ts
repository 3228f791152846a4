// Which records of a resource meet a condition of a list: a mark for each number. The marks are
// kept until the next write, since a page of a list counts under the same conditions again and
// again.

import { createCache } from '../../lib/cache.js'
import type { ResourceName } from '../../model/iris.js'
import type { Field, IndexedValue } from '../../model/resources.js'
import type { ListCondition } from '../../queries/list-queries.js'
import { type Revision, currentUntilWrite } from '../revision.js'
import type { Documents } from './documents.js'
import { readYears } from './index-entry.js'
import { conditionKey } from './list-cache.js'
import type { DocSet, Postings } from '../../lib/text-index/postings.js'

/** How much the marks that are kept may weigh together, in bytes. */
const maxWeight = 32 * 1024 * 1024

export type NamedCondition = Extract<ListCondition, { kind: 'named' | 'only-named' }>

export type ConditionMarksDependencies = {
  readonly filters: readonly IndexedValue[]
  /** By the position of the filter. */
  readonly values: readonly Postings[]
  readonly documents: Pick<Documents, 'ids' | 'isAlive'>
  /** Marks the records that others name. */
  readonly markNamed: (condition: NamedCondition, marks: DocSet) => void
  /** Whether a record of a resource exists, by the IRI of what it describes. */
  readonly isRecord: (target: ResourceName, iri: string) => boolean
  /** The text of a record, by which its list can be sorted; undefined where there is none. */
  readonly textOf: (field: Field, target: ResourceName, iri: string) => string | undefined
  /** That of the records of all resources. */
  readonly revision: Revision
}

/** @returns the marks of a condition, as the records are now; dead numbers may be marked too */
export function createConditionMarks({
  filters,
  values,
  documents,
  markNamed,
  isRecord,
  textOf,
  revision,
}: ConditionMarksDependencies): (condition: ListCondition) => DocSet {
  const { ids, isAlive } = documents
  const known = createCache<DocSet>(maxWeight, ({ length }) => length)

  const postingsOf = (filter: IndexedValue): Postings | undefined => values[filters.indexOf(filter)]

  /** Marks the records that have a text of a filter which is wanted. */
  function markTexts(
    filter: IndexedValue,
    marks: DocSet,
    isWanted: (text: string) => boolean,
  ): void {
    const postings = postingsOf(filter)
    postings?.texts.forEach((text, number) => {
      if (isWanted(text)) postings.mark(number, marks)
    })
  }

  /** Marks records. @returns whether the marked ones meet the condition, or all others */
  function mark(condition: ListCondition, marks: DocSet): boolean {
    switch (condition.kind) {
      case 'named':
        // A page of a list counts both.
        if (condition.isNamed) markNamed(condition, marks)
        else marks.set(marksOf({ ...condition, isNamed: true }))
        return condition.isNamed
      case 'only-named':
        markNamed(condition, marks)
        return true
      case 'naming': {
        const { by, text, texts } = condition
        const { target } = by
        markTexts(by, marks, (iri) =>
          texts.includes((target && textOf(text, target, iri))?.toLowerCase() ?? ''),
        )
        return condition.isNaming
      }
      case 'dangling':
        for (const field of condition.fields) {
          const { target } = field
          if (target) markTexts(field, marks, (iri) => !isRecord(target, iri))
        }
        return condition.isDangling
      case 'only': {
        const allowed = new Set(condition.terms.map(({ value }) => value))
        markTexts(condition.filter, marks, (text) => !allowed.has(text))
        return !condition.isOnly
      }
      case 'any': {
        const postings = postingsOf(condition.filter)
        for (const { value } of condition.terms) {
          const number = postings?.find(value)
          if (number !== undefined) postings?.mark(number, marks)
        }
        return true
      }
      case 'years': {
        const { from, to } = condition
        markTexts(condition.filter, marks, (text) => {
          const { earliest = -Infinity, latest = Infinity } = readYears(text)
          return earliest >= (from ?? -Infinity) && latest <= (to ?? Infinity)
        })
        return true
      }
      case 'containing': {
        const parts = condition.parts.map((part) => part.toLowerCase())
        markTexts(condition.filter, marks, (text) => {
          const own = text.toLowerCase()
          return parts.every((part) => own.includes(part))
        })
        return true
      }
      case 'within':
        markTexts(condition.filter, marks, condition.includes)
        return true
      case 'unset':
        markTexts(condition.filter, marks, () => true)
        return !condition.isUnset
    }
  }

  function marksOf(condition: ListCondition): DocSet {
    const key = JSON.stringify(conditionKey(condition))
    const found = known.get(key)
    if (found) return found
    const isCurrent = currentUntilWrite(revision)
    const marks = new Uint8Array(ids.length)
    if (!mark(condition, marks))
      for (let doc = 0; doc < marks.length; doc += 1)
        marks[doc] = marks[doc] === 0 && isAlive(doc) ? 1 : 0
    known.set(key, marks, isCurrent)
    return marks
  }

  return marksOf
}
