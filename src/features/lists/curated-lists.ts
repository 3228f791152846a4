// The lists that editors make: a title, a text, and records in an order, each with a note. Where
// they are kept is left to stored-lists.ts, and which of the records somebody sees to
// listed-records.ts.

import { contentHash } from '../../catalogue/records/json-cache.js'
import type { ChangeSource } from '../../catalogue/writes/committer.js'
import type { Precondition } from '../../catalogue/writes/planned-writes.js'
import type { ForgottenIdentifier } from '../../catalogue/writes/redaction.js'
import type { RestoreRequest } from '../../catalogue/writes/restores.js'
import { resourceNames } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'

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

export const listFields = ['title', 'text', 'isPublic', 'records'] as const

export type ListField = (typeof listFields)[number]

export type ListVersion = {
  /** From 1; it goes on when a list is made under the slug of a deleted one. */
  readonly version: number
  readonly at: string
  readonly account?: string | undefined
  /** Undefined, as `change`, for the version at which the history begins. */
  readonly how?: ChangeSource['how'] | undefined
  readonly change?: 'created' | 'updated' | 'deleted' | undefined
  /** The list after the change; none after a deletion. */
  readonly list?: CuratedListInput | undefined
  /** The fields of which a value was removed for good. */
  readonly redacted?: readonly ListField[] | undefined
}

/** A list that can be restored. What it had is in its versions. */
export type DeletedList = Pick<CuratedList, 'slug' | 'title' | 'isPublic' | 'created'> & {
  /** The number of the version that the deletion made. */
  readonly version: number
  readonly at: string
  readonly account?: string | undefined
}

/** Who changes a list, and which version it must still have. */
export type ListChange = {
  readonly source: ChangeSource
  readonly isMet?: Precondition | undefined
}

export type CuratedLists = {
  /** In the order of their titles. */
  all(): readonly CuratedList[]
  find(slug: string): CuratedList | undefined
  isEmpty(): boolean
  /** Those that name a record, in the order of their titles. */
  naming(reference: Reference): readonly CuratedList[]
  /**
   * When each record of a public list came to it, by its key. Those of a list that becomes public
   * come then. Of any other list there is nothing.
   */
  arrivals(slug: string): ReadonlyMap<string, string>
  /** When the write that is under way began, in milliseconds; undefined if there is none. */
  oldestWrite(): number | undefined
  /** Calls a function after each change. */
  onChanged(listener: () => void): void
  /** Those that do not exist now, the last deletion first. */
  deleted(): readonly DeletedList[]
  findDeleted(slug: string): DeletedList | undefined
  /** The versions, the oldest first. @throws NotFoundError if there never was such a list */
  history(slug: string): Promise<readonly ListVersion[]>
  /** @throws ConflictError if there is such a list */
  add(slug: string, input: CuratedListInput, source: ChangeSource): Promise<CuratedList>
  /** @throws NotFoundError, PreconditionFailedError */
  change(
    slug: string,
    change: (list: CuratedList) => CuratedListInput,
    by: ListChange,
  ): Promise<CuratedList>
  /** @throws NotFoundError, PreconditionFailedError */
  remove(slug: string, by: ListChange): Promise<void>
  /** Makes the list what it was in a version, also a deleted one. @throws NotFoundError */
  restore(slug: string, version: number, request: RestoreRequest): Promise<CuratedList>
  /**
   * Takes back what a change wrote, and keeps what was changed since.
   * @returns nothing where the change had made the list
   * @throws NotFoundError, ConflictError if the same was changed since
   */
  undo(slug: string, version: number, request: RestoreRequest): Promise<CuratedList | undefined>
  /**
   * Removes a deleted list with its versions from the disk.
   * @throws ConflictError for a list that exists
   */
  forgetDeleted(slug: string): Promise<void>
  /** Removes versions that were replaced before a time, and lists that were deleted before. */
  forgetBefore(time: string): Promise<void>
  /** Removes a redacted value from all texts and notes, also those of versions. */
  forget(value: string): Promise<void>
  /**
   * Removes an identifier that is forgotten, also from versions. The record that stays takes its
   * place; without one, the record is listed no more.
   */
  forgetIdentifier(identifier: ForgottenIdentifier): Promise<void>
}

/** The version of a list as it is stored. */
export const versionOf = (list: CuratedList): string => contentHash(JSON.stringify(list))

/** Reads the value of an entry. */
export const parseCuratedList = (value: string): CuratedList =>
  // A cast: it is what the store of lists wrote.
  JSON.parse(value) as CuratedList

/** Whether a stored list has all its parts. */
export const isCuratedListInput = ({ title, text, records }: CuratedListInput): boolean =>
  [title, text].every((part) => typeof part === 'string') &&
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
  arrivals: () => new Map(),
  oldestWrite: () => undefined,
  onChanged: () => undefined,
  deleted: () => [],
  findDeleted: () => undefined,
  history: fail,
  add: fail,
  change: fail,
  remove: fail,
  restore: fail,
  undo: fail,
  forgetDeleted: fail,
  forgetBefore: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  forgetIdentifier: () => Promise.resolve(),
}
