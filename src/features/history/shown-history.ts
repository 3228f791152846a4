// The history of a record as an account sees it: without the references to hidden records of kinds
// that it may not write.

import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { RecordVersion } from '../../catalogue/history/record-history.js'
import type { Reference } from '../../model/record/views.js'
import { seesHidden } from '../../http/request/record-rights.js'

/** The versions of a record, the oldest first. @throws NotFoundError */
export async function shownHistory(
  catalogue: Pick<Catalogue, 'history' | 'withhold'>,
  account: Account | undefined,
  { target, id }: Reference,
): Promise<readonly RecordVersion[]> {
  const sees = seesHidden(account)
  return (await catalogue.history(target, id)).map((version) => {
    const { before, after } = version
    return {
      ...version,
      before: before && catalogue.withhold(target, before, sees),
      after: after && catalogue.withhold(target, after, sees),
    }
  })
}
