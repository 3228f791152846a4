// The collections and shelves of a source, such as a wish list: which of them are owned is asked,
// since a zine that somebody wants to have is no copy (docs/reference/import-profiles.md,
// "Copies").

import type { Profile } from '../profile.js'
import type { SourceRow } from '../../../lib/sources/source.js'
import { fold } from '../../../lib/names/folding.js'
import { fitOf, parseSelector } from './selectors.js'
import { cleanLine } from './text.js'

export type Shelf = {
  /** As the source has it. */
  readonly value: string
  /** How many rows are on it. */
  readonly count: number
  /** Undefined where a person has to say it. */
  readonly owned: boolean | undefined
}

/** What programs call them. `read` says nothing of who owns what was read. */
const known: readonly (readonly [RegExp, boolean])[] = [
  [/^(?:your library|my library|owned|own|in (?:the )?library)$/, true],
  [
    /^(?:wish ?lists?|wanted|want|to read|to buy|want to read|read but unowned|unowned|not owned|favou?rites wish|for sale|ex library)$/,
    false,
  ],
]

/** Headings of such columns, and what separates several values in a cell. */
export const shelfColumns: readonly (readonly [heading: string, split: string | undefined])[] = [
  ['collections', ','],
  ['exclusive shelf', undefined],
  ['shelves', ','],
  ['library name', undefined],
]

type Shelves = NonNullable<Profile['shelves']>

export function isOwned({ owned }: Shelves, value: string): boolean | undefined {
  if (Object.hasOwn(owned, value)) return owned[value]
  return known.find(([form]) => form.test(fold(value)))?.[1]
}

/** The shelves that a row is on. */
export function shelvesOf({ fields }: Pick<SourceRow, 'fields'>, shelves: Shelves): string[] {
  const selector = parseSelector(shelves.from)
  const texts = fields
    .filter((field) => fitOf(selector, field) !== undefined)
    .flatMap(({ parts }) => parts.map(({ text }) => text))
  const values = texts.flatMap((text) => (shelves.split ? text.split(shelves.split) : [text]))
  return [...new Set(values.map(cleanLine).filter(Boolean))]
}

export function createShelfCollector({ shelves }: Profile) {
  const counts = new Map<string, number>()
  return {
    add(row: Pick<SourceRow, 'fields'>): void {
      if (!shelves) return
      for (const value of shelvesOf(row, shelves)) counts.set(value, (counts.get(value) ?? 0) + 1)
    },
    /** Those with most rows first. */
    list: (): readonly Shelf[] =>
      shelves
        ? [...counts]
            .map(([value, count]) => ({ value, count, owned: isOwned(shelves, value) }))
            .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
        : [],
  }
}
