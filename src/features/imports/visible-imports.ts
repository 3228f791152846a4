// Finds the imports that an account sees: its own, and all for those who see private fields.

import { NotFoundError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { maySeeAllPrivate } from '../../accounts/rights.js'
import { type Import, isVisibleTo } from './import-state.js'
import type { Imports } from './imports.js'

/** @throws NotFoundError also for an import that the account does not see */
export async function findVisibleImport(
  imports: Imports,
  id: string,
  account: Account,
): Promise<Import> {
  const job = await imports.get(id)
  if (!isVisible(job, account)) throw new NotFoundError()
  return job
}

/** The newest first. */
export const visibleImports = async (
  imports: Imports,
  account: Account,
): Promise<readonly Import[]> => (await imports.all()).filter((job) => isVisible(job, account))

const isVisible = (job: Import, account: Account): boolean =>
  isVisibleTo(job, { account: account.name, seesPrivate: maySeeAllPrivate(account) })
