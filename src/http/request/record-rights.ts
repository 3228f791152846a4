// Says which records an account may write, and what it sees because of that: by its role, its
// resources and the library that it is bound to.

import { ForbiddenError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { maySeePrivate, mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Reference, ViewName } from '../../model/record/views.js'
import { type Resource, hasPrivateFields } from '../../model/resources.js'
import type { RequestContext } from '../context.js'

/** The view that an account has on pages: who may see private fields also writes them. */
export const editorsView = (account: Account, resource: Resource): ViewName =>
  hasPrivateFields(resource) && maySeePrivate(account) ? 'private' : 'detail'

type Guard = Pick<Catalogue, 'mayWriteRecord'>

export const mayWriteRecord = async (
  catalogue: Guard,
  account: Account | undefined,
  reference: Reference,
): Promise<boolean> =>
  account !== undefined &&
  mayWrite(account, reference.target) &&
  (await catalogue.mayWriteRecord(account.name, reference))

/** @throws HttpError 403 unless the account of the request may write the record */
export async function requireWritable(
  catalogue: Guard,
  ctx: RequestContext,
  reference: Reference,
): Promise<void> {
  if (!(await mayWriteRecord(catalogue, ctx.state.account, reference))) throw new ForbiddenError()
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
 * that are public.
 */
export async function visiblePictures<Picture extends { readonly public: boolean }>(
  catalogue: Guard,
  account: Account | undefined,
  reference: Reference,
  pictures: readonly Picture[],
): Promise<readonly Picture[]> {
  const shown = pictures.filter((picture) => picture.public)
  const hasHidden = shown.length < pictures.length
  return hasHidden && (await mayWriteRecord(catalogue, account, reference)) ? pictures : shown
}
