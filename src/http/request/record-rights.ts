// Says which records an account may write, and what it sees because of that: by its role, its
// resources and the library that it is bound to.

import { ForbiddenError, NotFoundError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { maySeeAllPrivate, mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FoundRecord } from '../../catalogue/record-reads.js'
import type { ResourceName } from '../../model/iris.js'
import type { RecordLookup, Reference, ViewName } from '../../model/record/views.js'
import type { RequestContext } from '../context.js'

type Guard = Pick<Catalogue, 'mayWriteRecord'>

type GuardOfHidden = Guard & Pick<Catalogue, 'isHidden'>

export const mayWriteRecord = async (
  catalogue: Guard,
  account: Account | undefined,
  reference: Reference,
): Promise<boolean> =>
  account !== undefined &&
  mayWrite(account, reference.target) &&
  (await catalogue.mayWriteRecord(account.name, reference))

/** Whether the account sees hidden records of a kind: if it may write them. */
export const seesHidden =
  (account: Account | undefined) =>
  (kind: ResourceName): boolean =>
    account !== undefined && mayWrite(account, kind)

/**
 * Whether the account makes lists of records, and sees those that are not public. Whoever replaces
 * a list has to see all its records, so they may edit every kind.
 */
export const mayEditLists = (account: Account | undefined): boolean =>
  account !== undefined && maySeeAllPrivate(account)

/**
 * Reads a record for an account. One that is hidden is there for those who may write it.
 * @throws NotFoundError, RecordMergedError
 */
export async function readFor(
  catalogue: GuardOfHidden & Pick<Catalogue, 'read' | 'readHidden'>,
  account: Account | undefined,
  reference: Reference,
  view?: ViewName,
): Promise<FoundRecord> {
  return catalogue.isHidden(reference) && (await mayWriteRecord(catalogue, account, reference))
    ? catalogue.readHidden(reference, view ?? 'detail', seesHidden(account))
    : catalogue.read(reference.target, reference.id, view)
}

/** The values of records for an account: those of everybody, and of hidden ones that it may write. */
export async function findFor(
  catalogue: GuardOfHidden & Pick<Catalogue, 'find' | 'findHidden'>,
  account: Account | undefined,
  references: readonly Reference[],
): Promise<RecordLookup> {
  const hidden = references.filter((reference) => catalogue.isHidden(reference))
  const writable = await writableRecords(catalogue, account, hidden)
  const hiddenOnes = await catalogue.findHidden(writable, seesHidden(account))
  const others = await catalogue.find(references)
  return (reference) => hiddenOnes(reference) ?? others(reference)
}

/** Whether a record exists for an account. */
export const existsFor = async (
  catalogue: GuardOfHidden & Pick<Catalogue, 'exists'>,
  account: Account | undefined,
  reference: Reference,
): Promise<boolean> =>
  (await catalogue.exists(reference.target, reference.id)) ||
  (catalogue.isHidden(reference) && (await mayWriteRecord(catalogue, account, reference)))

/** The view of a record for an account: with its private fields for who may write the record. */
export const viewFor = async (
  catalogue: Guard,
  account: Account | undefined,
  reference: Reference,
): Promise<ViewName> =>
  (await mayWriteRecord(catalogue, account, reference)) ? 'private' : 'detail'

/** @throws HttpError 403 unless the account of the request may write the record */
export async function requireWritable(
  catalogue: GuardOfHidden,
  ctx: RequestContext,
  reference: Reference,
): Promise<void> {
  if (await mayWriteRecord(catalogue, ctx.state.account, reference)) return
  // The record of another library: it is not there for this account.
  if (reference.target === 'holdings' && catalogue.isHidden(reference)) throw new NotFoundError()
  throw new ForbiddenError()
}

/** Those of the records that the account may write. */
export async function writableRecords(
  catalogue: Guard,
  account: Account | undefined,
  references: readonly Reference[],
): Promise<readonly Reference[]> {
  const writable: Reference[] = []
  for (const reference of references)
    if (await mayWriteRecord(catalogue, account, reference)) writable.push(reference)
  return writable
}

/**
 * Those of a record's pictures that an account sees: all if it may write the record, else those
 * that are public, of a record that is.
 */
export async function visiblePictures<Picture extends { readonly public: boolean }>(
  catalogue: GuardOfHidden,
  account: Account | undefined,
  reference: Reference,
  pictures: readonly Picture[],
): Promise<readonly Picture[]> {
  const shown = catalogue.isHidden(reference) ? [] : pictures.filter((picture) => picture.public)
  const hasHidden = shown.length < pictures.length
  return hasHidden && (await mayWriteRecord(catalogue, account, reference)) ? pictures : shown
}
