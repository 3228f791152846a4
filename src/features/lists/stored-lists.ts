// The lists of editors in the key-value store, with a copy in memory that answers every read. Each
// change is written together with the version that it makes; deleted lists can be restored.

import { PreconditionFailedError } from '../../catalogue/errors.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { ChangeSource } from '../../catalogue/writes/committer.js'
import type { ForgottenIdentifier } from '../../catalogue/writes/redaction.js'
import type { RestoreRequest } from '../../catalogue/writes/restores.js'
import { ConflictError, NotFoundError } from '../../errors.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { limitConcurrency } from '../../lib/scheduling.js'
import { message } from '../../message.js'
import {
  type TextRemoval,
  createIdentifierRemoval,
  createTextRemoval,
} from '../../model/text-removal.js'
import type { Reference } from '../../model/record/views.js'
import { prefixes } from '../../store/key-value/keys.js'
import {
  type CuratedList,
  type CuratedListInput,
  type CuratedLists,
  type DeletedList,
  type ListChange,
  type ListVersion,
  parseCuratedList,
  versionOf,
} from './curated-lists.js'
import { planUndo } from './list-undo.js'
import { ListVersions, fieldsThatDiffer, firstVersion } from './list-versions.js'

type ListStore = Pick<KeyValueStore, 'entries' | 'write' | 'compact'>

/** So many deleted lists can be restored, the last ones. */
export const maxDeletedLists = 100

export class StoredLists implements CuratedLists {
  readonly #store: ListStore
  readonly #now: () => number
  readonly #versions: ListVersions
  readonly #lists = new Map<string, CuratedList>()
  readonly #arrivals = new Map<string, Arrivals>()
  readonly #deleted = new Map<string, DeletedList>()
  readonly #listeners: (() => void)[] = []
  /** By the keys of records; made when it is asked for after a change. */
  #namingByKey: ReadonlyMap<string, readonly CuratedList[]> | undefined
  readonly #inTurn = limitConcurrency(1)
  #writingSince: number | undefined

  private constructor(store: ListStore, now: () => number) {
    this.#store = store
    this.#now = now
    this.#versions = new ListVersions(store)
  }

  /** @param now the time in milliseconds */
  static async load(store: ListStore, now: () => number = Date.now): Promise<StoredLists> {
    const stored = new StoredLists(store, now)
    for await (const [, value] of store.entries(prefixes.lists)) {
      const { list, arrivals } = parseListEntry(value)
      stored.#lists.set(list.slug, list)
      stored.#arrivals.set(list.slug, arrivals)
    }
    for await (const [, value] of store.entries(prefixes.deletedLists)) {
      const list = parseDeletedList(value)
      stored.#deleted.set(list.slug, list)
    }
    return stored
  }

  all(): readonly CuratedList[] {
    return [...this.#lists.values()].sort((a, b) => a.title.localeCompare(b.title, 'en'))
  }

  find(slug: string): CuratedList | undefined {
    return this.#lists.get(slug)
  }

  isEmpty(): boolean {
    return this.#lists.size === 0
  }

  naming(reference: Reference): readonly CuratedList[] {
    this.#namingByKey ??= byRecord(this.all())
    return this.#namingByKey.get(recordKey(reference)) ?? []
  }

  arrivals(slug: string): Arrivals {
    return this.#arrivals.get(slug) ?? new Map()
  }

  oldestWrite(): number | undefined {
    return this.#writingSince
  }

  onChanged(listener: () => void): void {
    this.#listeners.push(listener)
  }

  deleted(): readonly DeletedList[] {
    return [...this.#deleted.values()].sort((a, b) => (a.at < b.at ? 1 : -1))
  }

  findDeleted(slug: string): DeletedList | undefined {
    return this.#deleted.get(slug)
  }

  async history(slug: string): Promise<readonly ListVersion[]> {
    const versions = await this.#versions.of(slug)
    if (versions.length > 0) return versions
    return [firstVersion(this.#require(slug))]
  }

  add(slug: string, input: CuratedListInput, source: ChangeSource): Promise<CuratedList> {
    return this.#runAlone(() => {
      if (this.#lists.has(slug))
        throw new ConflictError(message('Another list already uses this identifier.'))
      const at = this.#time()
      return this.#save({ slug, ...input, created: at, modified: at }, source)
    })
  }

  change(
    slug: string,
    change: (list: CuratedList) => CuratedListInput,
    { source, isMet }: ListChange,
  ): Promise<CuratedList> {
    return this.#runAlone(() => {
      const list = this.#require(slug, isMet)
      return this.#save({ ...list, ...change(list), modified: this.#time() }, source)
    })
  }

  remove(slug: string, { source, isMet }: ListChange): Promise<void> {
    return this.#runAlone(() => this.#remove(this.#require(slug, isMet), source))
  }

  restore(
    slug: string,
    number: number,
    { withPrivate, source }: RestoreRequest,
  ): Promise<CuratedList> {
    return this.#runAlone(async () => {
      const versions = await this.history(slug)
      const { list } = versions.find(({ version }) => version === number) ?? {}
      if (!list) throw new NotFoundError()
      const { isPublic } = withPrivate ? list : this.#lastState(slug)
      return this.#put(slug, { ...list, isPublic }, source)
    })
  }

  undo(
    slug: string,
    number: number,
    { withPrivate, source }: RestoreRequest,
  ): Promise<CuratedList | undefined> {
    return this.#runAlone(async () => {
      const current = this.#lists.get(slug)
      const undone = planUndo(await this.history(slug), number, { current, withPrivate })
      if (undone) {
        // A list that comes back is as public as it was last.
        const { isPublic } = current || withPrivate ? undone : this.#lastState(slug)
        return this.#put(slug, { ...undone, isPublic }, source)
      }
      await this.#remove(this.#require(slug), source)
      return undefined
    })
  }

  forgetDeleted(slug: string): Promise<void> {
    return this.#runAlone(async () => {
      if (this.#lists.has(slug))
        throw new ConflictError(message('Only a deleted list can be forgotten.'))
      await this.#forgetHistory(slug)
      // Also where nothing was left: it may still be on the disk after a crash.
      await this.#store.compact()
    })
  }

  forgetBefore(time: string): Promise<void> {
    return this.#runAlone(async () => {
      for (const { slug, at } of this.#deleted.values())
        if (at < time) await this.#forgetHistory(slug)
      for (const slug of [...this.#lists.keys(), ...this.#deleted.keys()])
        await this.#versions.forgetBefore(slug, time)
    })
  }

  forget(value: string): Promise<void> {
    const removal = createTextRemoval(value)
    return this.#changeAll(removal, (list) => withTexts(list, removal), {
      redacts: true,
    })
  }

  forgetIdentifier({ reference, into }: ForgottenIdentifier): Promise<void> {
    const removal = createIdentifierRemoval(reference.id)
    const changeInput = <List extends CuratedListInput>(list: List): List => {
      const records = list.records.flatMap((listed) => {
        const { target, id } = listed.reference
        if (target !== reference.target || id !== reference.id) return [listed]
        return into === undefined ? [] : [{ ...listed, reference: { target, id: into } }]
      })
      return withTexts({ ...list, records }, removal)
    }
    return this.#changeAll(removal, changeInput, { redacts: false })
  }

  #runAlone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      this.#writingSince = this.#now()
      try {
        return await work()
      } finally {
        this.#writingSince = undefined
      }
    })
  }

  #require(slug: string, isMet?: ListChange['isMet']): CuratedList {
    const list = this.#lists.get(slug)
    if (!list) throw new NotFoundError()
    if (isMet && !isMet(versionOf(list))) throw new PreconditionFailedError()
    return list
  }

  /** @throws NotFoundError if there never was such a list */
  #lastState(slug: string): Pick<CuratedList, 'isPublic' | 'created'> {
    const state = this.#lists.get(slug) ?? this.#deleted.get(slug)
    if (!state) throw new NotFoundError()
    return state
  }

  #put(slug: string, input: CuratedListInput, source: ChangeSource): Promise<CuratedList> {
    const { created } = this.#lastState(slug)
    return this.#save({ slug, ...input, created, modified: this.#time() }, source)
  }

  /** Saves a list, and a version of it where something is different. */
  async #save(list: CuratedList, source: ChangeSource): Promise<CuratedList> {
    const { slug, title, text, isPublic, records } = list
    const last = this.#lists.get(slug)
    const version = {
      at: list.modified,
      account: source.account,
      how: source.how,
      change: last ? 'updated' : 'created',
      list: { title, text, isPublic, records },
    } as const
    const isSame = last && fieldsThatDiffer(last, list).length === 0
    const arrivals = arrivalsOf(list, list.modified, this.#arrivals.get(slug))
    // The disk first: what is in memory must not be lost by a restart.
    await this.#store.write([
      listEntry(list, arrivals),
      ...(isSame ? [] : (await this.#versions.addition(slug, last, version)).writes),
      ...(this.#deleted.has(slug) ? [deletedEntry(slug, undefined)] : []),
    ])
    this.#deleted.delete(slug)
    this.#set(slug, list, arrivals)
    return list
  }

  async #remove(list: CuratedList, { account, how }: ChangeSource): Promise<void> {
    const { slug, title, isPublic, created } = list
    const at = this.#time()
    const change = { at, account, how, change: 'deleted' } as const
    const { version, writes } = await this.#versions.addition(slug, list, change)
    const deleted = { slug, title, isPublic, created, version, at, account }
    await this.#store.write([
      { key: prefixes.lists + slug, value: undefined },
      deletedEntry(slug, deleted),
      ...writes,
    ])
    this.#deleted.set(slug, deleted)
    this.#set(slug, undefined, undefined)
    for (const { slug: oldest } of this.deleted().slice(maxDeletedLists))
      await this.#forgetHistory(oldest)
  }

  #set(slug: string, list: CuratedList | undefined, arrivals: Arrivals | undefined): void {
    if (list) this.#lists.set(slug, list)
    else this.#lists.delete(slug)
    if (arrivals) this.#arrivals.set(slug, arrivals)
    else this.#arrivals.delete(slug)
    this.#namingByKey = undefined
    for (const onChanged of this.#listeners) onChanged()
  }

  async #forgetHistory(slug: string): Promise<void> {
    await this.#store.write([
      deletedEntry(slug, undefined),
      ...(await this.#versions.removal(slug)),
    ])
    this.#deleted.delete(slug)
  }

  /**
   * Saves what a change makes different of lists, deleted ones and versions. A deleted list whose
   * slug has what is removed goes with its versions.
   */
  #changeAll(
    removal: TextRemoval,
    change: <List extends CuratedListInput>(list: List) => List,
    { redacts }: { readonly redacts: boolean },
  ): Promise<void> {
    return this.#runAlone(async () => {
      for (const list of this.#lists.values()) {
        const changed = change(list)
        if (JSON.stringify(changed) === JSON.stringify(list)) continue
        const arrivals = arrivalsOf(changed, this.#time(), this.#arrivals.get(list.slug))
        await this.#store.write([listEntry(changed, arrivals)])
        this.#set(list.slug, changed, arrivals)
      }
      for (const deleted of this.#deleted.values()) {
        if (removal.isIn(deleted.slug)) await this.#forgetHistory(deleted.slug)
        else if (removal.isIn(deleted.title)) await this.#renameDeleted(deleted, removal)
      }
      await this.#versions.changeAll((version) => {
        const list = version.list && change(version.list)
        const fields = redacts ? fieldsThatDiffer(version.list, list) : []
        const redacted = [...new Set([...(version.redacted ?? []), ...fields])]
        return { ...version, list, ...(redacted.length > 0 && { redacted }) }
      })
    })
  }

  async #renameDeleted(deleted: DeletedList, { removeFrom }: TextRemoval): Promise<void> {
    const changed = { ...deleted, title: removeFrom(deleted.title) }
    await this.#store.write([deletedEntry(deleted.slug, changed)])
    this.#deleted.set(deleted.slug, changed)
  }

  #time(): string {
    return new Date(this.#now()).toISOString()
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

type Arrivals = ReadonlyMap<string, string>

/** @param before what is known of the list so far: what is new in it comes at the given time */
const arrivalsOf = (
  { isPublic, records }: CuratedListInput,
  time: string,
  before?: Arrivals,
): Arrivals =>
  new Map(
    (isPublic ? records : []).map(({ reference }) => {
      const key = recordKey(reference)
      return [key, before?.get(key) ?? time]
    }),
  )

const listEntry = (list: CuratedList, arrivals: Arrivals): KeyValueWrite => ({
  key: prefixes.lists + list.slug,
  value: JSON.stringify({ ...list, arrivals: [...arrivals] }),
})

function parseListEntry(value: string): { list: CuratedList; arrivals: Arrivals } {
  // A cast: it is what `listEntry` wrote. Entries of earlier versions have no arrivals.
  const { arrivals, ...list } = parseCuratedList(value) as CuratedList & {
    readonly arrivals?: readonly (readonly [string, string])[]
  }
  return { list, arrivals: arrivals ? new Map(arrivals) : arrivalsOf(list, list.modified) }
}

const deletedEntry = (slug: string, list: DeletedList | undefined): KeyValueWrite => ({
  key: prefixes.deletedLists + slug,
  value: list && JSON.stringify(list),
})

/** Reads the value of an entry. */
export const parseDeletedList = (value: string): DeletedList =>
  // A cast: it is what `deletedEntry` wrote.
  JSON.parse(value) as DeletedList

const withTexts = <List extends CuratedListInput>(
  list: List,
  { removeFrom }: TextRemoval,
): List => ({
  ...list,
  title: removeFrom(list.title),
  text: removeFrom(list.text),
  records: list.records.map(({ reference, note }) => ({ reference, note: removeFrom(note) })),
})
