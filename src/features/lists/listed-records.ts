// What somebody sees of a list: of one that is not public nothing, unless they may edit lists; of
// its records those that are there for them, under the identifiers that they have now.

import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { RecordMergedError } from '../../catalogue/errors.js'
import { contentHash } from '../../catalogue/records/json-cache.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import { NotFoundError } from '../../errors.js'
import { mayEditLists, readFor } from '../../http/request/record-rights.js'
import { textValue } from '../../model/record/values.js'
import type { Reference, ResolvedRecord } from '../../model/record/views.js'
import {
  type CuratedList,
  type CuratedListInput,
  type CuratedLists,
  type ListChange,
  type ListedRecord,
  versionOf,
} from './curated-lists.js'

export const isVisible = (
  { isPublic }: Pick<CuratedList, 'isPublic'>,
  account: Account | undefined,
): boolean => isPublic || mayEditLists(account)

export const visibleLists = (
  lists: CuratedLists,
  account: Account | undefined,
): readonly CuratedList[] => lists.all().filter((list) => isVisible(list, account))

/** @throws NotFoundError also for one that the account does not see */
export function requireList(
  lists: CuratedLists,
  account: Account | undefined,
  slug: string,
): CuratedList {
  const list = lists.find(slug)
  if (!list || !isVisible(list, account)) throw new NotFoundError()
  return list
}

export type VisibleRecord = ListedRecord & {
  readonly record: ResolvedRecord
  /** From everyone but accounts that may write it. */
  readonly isHidden: boolean
}

type FoundListed = Omit<VisibleRecord, 'note'>

/** By the keys under which they are listed. */
type FoundRecords = ReadonlyMap<string, FoundListed>

/** The records of a list that are there for the account; each once, where some were merged. */
export const visibleRecords = async (
  catalogue: Catalogue,
  account: Account | undefined,
  list: Pick<CuratedList, 'records'>,
): Promise<readonly VisibleRecord[]> =>
  visibleAmong(list, await findListed(catalogue, account, list.records))

/** The records of a list that were found; each once, where some were merged. */
export function visibleAmong(
  { records }: Pick<CuratedList, 'records'>,
  listed: FoundRecords,
): readonly VisibleRecord[] {
  const visible = new Map<string, VisibleRecord>()
  for (const { reference, note } of records) {
    const found = listed.get(recordKey(reference))
    if (!found) continue
    const key = recordKey(found.reference)
    if (!visible.has(key)) visible.set(key, { ...found, note })
  }
  return [...visible.values()]
}

type ListWriting = { readonly catalogue: Catalogue; readonly lists: CuratedLists }

/**
 * Replaces a list. Its records that are deleted keep their places: the editor did not see them, and
 * they come back to the list when they are restored.
 *
 * @throws NotFoundError, PreconditionFailedError
 */
export async function replaceList(
  { catalogue, lists }: ListWriting,
  account: Account | undefined,
  { slug, records: stored }: CuratedList,
  input: CuratedListInput,
  by: ListChange,
): Promise<CuratedList> {
  const missing = await missingRecords(catalogue, account, stored)
  const sent = new Set(input.records.map(({ reference }) => recordKey(reference)))
  // One that was sent was deleted since.
  const unseen = new Set(missing.map(recordKey).filter((key) => !sent.has(key)))
  return lists.change(
    slug,
    (list) => {
      const records = [...input.records]
      for (const [index, listed] of list.records.entries())
        if (unseen.has(recordKey(listed.reference))) records.splice(index, 0, listed)
      return { ...input, records }
    },
    ofSeen(by, missing),
  )
}

/** @throws NotFoundError, PreconditionFailedError */
export async function removeList(
  { catalogue, lists }: ListWriting,
  account: Account | undefined,
  { slug, records }: CuratedList,
  by: ListChange,
): Promise<void> {
  await lists.remove(slug, ofSeen(by, await missingRecords(catalogue, account, records)))
}

/**
 * What an editor has to have seen to replace a list or delete it: the list as it is stored, and which of
 * its records are missing. One that is restored since would else be taken out of the list unseen.
 * @param listed the records that were found, of which those are made that the editor sees
 */
export const versionSeen = (list: CuratedList, listed: FoundRecords): string =>
  versionWithout(versionOf(list), missingAmong(list.records, listed))

const versionWithout = (stored: string, missing: readonly Reference[]): string =>
  missing.length === 0 ? stored : contentHash(JSON.stringify([stored, missing]))

/** The same change, on the condition of what was seen. */
const ofSeen = ({ isMet, ...by }: ListChange, missing: readonly Reference[]): ListChange => ({
  ...by,
  isMet: isMet && ((stored) => isMet(versionWithout(stored, missing))),
})

/** Those of the listed records that are not there for the account. */
export const missingRecords = async (
  catalogue: Catalogue,
  account: Account | undefined,
  records: readonly ListedRecord[],
): Promise<readonly Reference[]> =>
  missingAmong(records, await findListed(catalogue, account, records))

const missingAmong = (
  records: readonly ListedRecord[],
  listed: FoundRecords,
): readonly Reference[] =>
  records.map(({ reference }) => reference).filter((each) => !listed.has(recordKey(each)))

/**
 * The listed records that are there for the account, by the keys under which they are listed; in
 * place of one that was merged, the record that it was merged into.
 */
export async function findListed(
  catalogue: Catalogue,
  account: Account | undefined,
  records: readonly ListedRecord[],
): Promise<FoundRecords> {
  const present = await findPresent(catalogue, records)
  const listed = new Map<string, FoundListed>()
  for (const { reference } of records) {
    const key = recordKey(reference)
    const record = present.get(key)
    const found = record
      ? { reference, record, isHidden: false }
      : await findFollowing(catalogue, account, reference)
    if (found) listed.set(key, found)
  }
  return listed
}

/** By their keys those that everybody sees under these identifiers: nearly all, read together. */
async function findPresent(
  catalogue: Pick<Catalogue, 'readForLists'>,
  records: readonly ListedRecord[],
): Promise<ReadonlyMap<string, ResolvedRecord>> {
  const found = await catalogue.readForLists(records.map(({ reference }) => reference))
  return new Map(
    found.map((record) => [
      recordKey({
        target: record.resource.name,
        id: textValue(record.values, record.resource.id.name),
      }),
      record,
    ]),
  )
}

/** A record as lists show it, or the one that it was merged into. */
async function findFollowing(
  catalogue: Catalogue,
  account: Account | undefined,
  reference: Reference,
): Promise<FoundListed | undefined> {
  try {
    const { record, hidden } = await readFor(catalogue, account, reference, 'list')
    return { reference, record, isHidden: hidden !== undefined }
  } catch (error) {
    if (error instanceof RecordMergedError) return findFollowing(catalogue, account, error.into)
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}
