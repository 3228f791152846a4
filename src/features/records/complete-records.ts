// Gives records what a format needs besides their own values: the holdings of zines, and the fields
// for the staff, as far as the account of a request may edit the records.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { RecordSerializer } from '../../formats/serializer.js'
import type { RequestContext } from '../../http/context.js'
import { mayWriteRecord } from '../../http/request/record-rights.js'
import type { ResolvedRecord } from '../../model/record/views.js'

export async function completeRecords(
  { state: { account } }: RequestContext,
  catalogue: Catalogue,
  { needsHoldings, needsStaffFields }: RecordSerializer,
  records: readonly ResolvedRecord[],
): Promise<readonly ResolvedRecord[]> {
  const complete = needsHoldings ? await catalogue.withHoldings(records) : records
  return needsStaffFields
    ? catalogue.withStaffFields(complete, (reference) =>
        mayWriteRecord(catalogue, account, reference),
      )
    : complete
}
