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
  const one = await imports.get(id)
  if (!isVisible(one, account)) throw new NotFoundError()
  return one
}

/** The newest first. */
export const visibleImports = async (
  imports: Imports,
  account: Account,
): Promise<readonly Import[]> => (await imports.all()).filter((one) => isVisible(one, account))

const isVisible = (one: Import, account: Account): boolean =>
  isVisibleTo(one, { account: account.name, seesPrivate: maySeeAllPrivate(account) })
