// The lists that editors make: a title, a text, and records in an order, each with a note. They are
// in the key-value store, with a copy in memory that answers every read. Which of the records
// somebody sees is left to listed-records.ts.

import { ConflictError, NotFoundError } from '../../errors.js'
import { message } from '../../message.js'
import { PreconditionFailedError } from '../../catalogue/errors.js'
import { contentHash } from '../../catalogue/records/json-cache.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { Precondition } from '../../catalogue/writes/planned-writes.js'
import type { ForgottenIdentifier } from '../../catalogue/writes/redaction.js'
import { limitConcurrency } from '../../lib/scheduling.js'
import type { KeyValueStore } from '../../lib/key-value/key-value-store.js'
import { resourceNames } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import { createIdentifierRemoval, createTextRemoval } from '../../model/text-removal.js'
import { prefixes } from '../../store/key-value/keys.js'

export type ListedRecord = { readonly reference: Reference; readonly note: string }

/** What an editor says of a list. */
export type CuratedListInput = {
  readonly title: string
  /** In Markdown. */
  readonly text: string
  readonly isPublic: boolean
  readonly records: readonly ListedRecord[]
}

export type CuratedList = CuratedListInput & {
  /** Its name in addresses, which never changes. */
  readonly slug: string
  readonly created: string
  readonly modified: string
}

export type CuratedLists = {
  /** In the order of their titles. */
  all(): readonly CuratedList[]
  find(slug: string): CuratedList | undefined
  isEmpty(): boolean
  /** Those that name a record, in the order of their titles. */
  naming(reference: Reference): readonly CuratedList[]
  /** Calls a function after each change. */
  onChanged(listener: () => void): void
  /** @throws ConflictError if there is such a list */
  add(slug: string, input: CuratedListInput): Promise<CuratedList>
  /** @throws NotFoundError, PreconditionFailedError */
  change(
    slug: string,
    change: (list: CuratedList) => CuratedListInput,
    isMet?: Precondition,
  ): Promise<CuratedList>
  /** @throws NotFoundError, PreconditionFailedError */
  remove(slug: string, isMet?: Precondition): Promise<void>
  /** Removes a redacted value from all texts and notes. */
  forget(value: string): Promise<void>
  /**
   * Removes an identifier that is forgotten. The record that stays takes its place; without one,
   * the record is listed no more.
   */
  forgetIdentifier(identifier: ForgottenIdentifier): Promise<void>
}

/** @param now the time in milliseconds */
export async function loadCuratedLists(
  store: Pick<KeyValueStore, 'entries' | 'write'>,
  now: () => number = Date.now,
): Promise<CuratedLists> {
  const lists = new Map<string, CuratedList>()
  for await (const [key, value] of store.entries(prefixes.lists))
    lists.set(key.slice(prefixes.lists.length), parseCuratedList(value))
  const runAlone = limitConcurrency(1)
  const listeners: (() => void)[] = []
  /** By the keys of records; made when it is asked for after a change. */
  let namingByKey: ReadonlyMap<string, readonly CuratedList[]> | undefined

  function set(slug: string, list: CuratedList | undefined): void {
    if (list) lists.set(slug, list)
    else lists.delete(slug)
    namingByKey = undefined
    for (const onChanged of listeners) onChanged()
  }

  async function save(list: CuratedList): Promise<CuratedList> {
    // The disk first: what is in memory must not be lost by a restart.
    await store.write([{ key: prefixes.lists + list.slug, value: JSON.stringify(list) }])
    set(list.slug, list)
    return list
  }

  function requireList(slug: string, isMet: Precondition | undefined): CuratedList {
    const list = lists.get(slug)
    if (!list) throw new NotFoundError()
    if (isMet && !isMet(versionOf(list))) throw new PreconditionFailedError()
    return list
  }

  const time = (): string => new Date(now()).toISOString()

  /** Saves the lists that a change makes different. */
  const changeAll = (change: (list: CuratedList) => CuratedList): Promise<void> =>
    runAlone(async () => {
      for (const list of lists.values()) {
        const changed = change(list)
        if (JSON.stringify(changed) !== JSON.stringify(list)) await save(changed)
      }
    })

  const all = (): readonly CuratedList[] =>
    [...lists.values()].sort((a, b) => a.title.localeCompare(b.title, 'en'))

  return {
    all,
    find: (slug) => lists.get(slug),
    isEmpty: () => lists.size === 0,
    naming: (reference) => (namingByKey ??= byRecord(all())).get(recordKey(reference)) ?? [],
    onChanged: (listener) => void listeners.push(listener),
    add: (slug, input) =>
      runAlone(() => {
        if (lists.has(slug))
          throw new ConflictError(message('Another list already uses this identifier.'))
        const at = time()
        return save({ slug, ...input, created: at, modified: at })
      }),
    change: (slug, change, isMet) =>
      runAlone(() => {
        const list = requireList(slug, isMet)
        return save({ ...list, ...change(list), modified: time() })
      }),
    remove: (slug, isMet) =>
      runAlone(async () => {
        requireList(slug, isMet)
        await store.write([{ key: prefixes.lists + slug, value: undefined }])
        set(slug, undefined)
      }),
    async forget(value) {
      const { removeFrom } = createTextRemoval(value)
      await changeAll((list) => withTexts(list, removeFrom))
    },
    async forgetIdentifier({ reference, into }) {
      const { removeFrom } = createIdentifierRemoval(reference.id)
      await changeAll((list) => {
        const records = list.records.flatMap((listed) => {
          const { target, id } = listed.reference
          if (target !== reference.target || id !== reference.id) return [listed]
          return into === undefined ? [] : [{ ...listed, reference: { target, id: into } }]
        })
        return withTexts({ ...list, records }, removeFrom)
      })
    },
  }
}

/** The lists that name each record, by its key, in their order. */
function byRecord(lists: readonly CuratedList[]): ReadonlyMap<string, readonly CuratedList[]> {
  const naming = new Map<string, CuratedList[]>()
  for (const list of lists)
    for (const { reference } of list.records) {
      const key = recordKey(reference)
      const others = naming.get(key)
      if (others) others.push(list)
      else naming.set(key, [list])
    }
  return naming
}

/** What an editor has to have seen to replace a list. */
export const versionOf = (list: CuratedList): string => contentHash(JSON.stringify(list))

const withTexts = (list: CuratedList, change: (text: string) => string): CuratedList => ({
  ...list,
  title: change(list.title),
  text: change(list.text),
  records: list.records.map(({ reference, note }) => ({ reference, note: change(note) })),
})

/** Reads the value of an entry. */
export const parseCuratedList = (value: string): CuratedList =>
  // A cast: it is what `save` wrote.
  JSON.parse(value) as CuratedList

/** Whether a stored list has all its parts. */
export const isCuratedList = ({ slug, title, text, records }: CuratedList): boolean =>
  [slug, title, text].every((part) => typeof part === 'string') &&
  records.every(({ reference }) => resourceNames.includes(reference.target))

const fail = (): never => {
  throw new Error('lists are in the process that writes')
}

/** Requests are forwarded to the writing process; a process that only reads has none. */
export const noCuratedLists: CuratedLists = {
  all: () => [],
  find: () => undefined,
  isEmpty: () => true,
  naming: () => [],
  onChanged: () => undefined,
  add: fail,
  change: fail,
  remove: fail,
  forget: () => Promise.resolve(),
  forgetIdentifier: () => Promise.resolve(),
}
