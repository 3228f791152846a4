// The versions of lists: what each change made of a list, who made it and how. Each is an entry of
// the key-value store with the whole list. How many are kept of a list is limited.

import { createYielder } from '../../lib/scheduling.js'
import type { Entry, KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../../store/key-value/keys.js'
import {
  type CuratedList,
  type CuratedListInput,
  type ListField,
  type ListVersion,
  listFields,
} from './curated-lists.js'

/** What is kept of one list. Its last two versions are, however large they are. */
export const versionLimits = { count: 100, bytes: 4 * 1024 * 1024 } as const

/** The version of a list from before there were versions. */
export const firstVersion = ({ title, text, isPublic, records, modified }: CuratedList) => ({
  version: 1,
  at: modified,
  list: { title, text, isPublic, records },
})

/** The fields in which two states of a list differ; all where there was no list. */
export const fieldsThatDiffer = (
  before: CuratedListInput | undefined,
  after: CuratedListInput | undefined,
): readonly ListField[] =>
  listFields.filter((field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]))

export class ListVersions {
  readonly #store: Pick<KeyValueStore, 'entries' | 'write'>

  constructor(store: Pick<KeyValueStore, 'entries' | 'write'>) {
    this.#store = store
  }

  /** The oldest first. */
  async of(slug: string): Promise<readonly ListVersion[]> {
    return (await this.#entriesOf(slug)).map(([, value]) => parseListVersion(value))
  }

  /**
   * The writes that add a version, and remove those that are too many then.
   * @param last the list before the change
   */
  async addition(
    slug: string,
    last: CuratedList | undefined,
    change: Omit<ListVersion, 'version'>,
  ): Promise<{ readonly version: number; readonly writes: readonly KeyValueWrite[] }> {
    const entries = await this.#entriesOf(slug)
    const [, newest] = entries.at(-1) ?? []
    const first = newest === undefined && last ? [firstVersion(last)] : []
    const previous = newest === undefined ? first[0] : parseListVersion(newest)
    const version = (previous?.version ?? 0) + 1
    const added = [...first, { ...change, version }].map((item) => toEntry(slug, item))
    const removed = keysBeyondLimits([...entries, ...added])
    return { version, writes: [...added.map(toWrite), ...removed.map(toRemoval)] }
  }

  /** The writes that remove all versions of a list. */
  async removal(slug: string): Promise<readonly KeyValueWrite[]> {
    return (await this.#entriesOf(slug)).map(([key]) => toRemoval(key))
  }

  /** Writes those versions of all lists again that a change makes different. */
  async changeAll(change: (version: ListVersion) => ListVersion): Promise<void> {
    const maybeYield = createYielder()
    for await (const [key, value] of this.#store.entries(prefixes.listVersions)) {
      const changed = JSON.stringify(change(parseListVersion(value)))
      if (changed !== value) await this.#store.write([{ key, value: changed }])
      await maybeYield()
    }
  }

  /**
   * Removes the versions of a list that were replaced before a time. Each version is kept as long as
   * the change that replaced it, which could not be shown or undone without it.
   */
  async forgetBefore(slug: string, time: string): Promise<void> {
    const entries = await this.#entriesOf(slug)
    const old = entries.filter((_, index) => {
      const [, next] = entries[index + 1] ?? []
      return next !== undefined && parseListVersion(next).at < time
    })
    await this.#store.write(old.map(([key]) => toRemoval(key)))
  }

  async #entriesOf(slug: string): Promise<readonly Entry[]> {
    const entries: Entry[] = []
    for await (const entry of this.#store.entries(keyBeginning(slug))) entries.push(entry)
    return entries
  }
}

/** @param entries the oldest first @returns the keys of those that are not kept */
function keysBeyondLimits(entries: readonly Entry[]): readonly string[] {
  let bytes = 0
  return entries.toReversed().flatMap(([key, value], index) => {
    bytes += Buffer.byteLength(value)
    const isKept = index < 2 || (index < versionLimits.count && bytes <= versionLimits.bytes)
    return isKept ? [] : [key]
  })
}

const keyBeginning = (slug: string): string => `${prefixes.listVersions}${slug}/`

/** So many digits that the keys sort like the numbers. */
const toEntry = (slug: string, version: ListVersion): Entry => [
  keyBeginning(slug) + String(version.version).padStart(12, '0'),
  JSON.stringify(version),
]

const toWrite = ([key, value]: Entry): KeyValueWrite => ({ key, value })

const toRemoval = (key: string): KeyValueWrite => ({ key, value: undefined })

/** Reads the value of an entry. */
export const parseListVersion = (value: string): ListVersion =>
  // A cast: it is what `toEntry` wrote.
  JSON.parse(value) as ListVersion
