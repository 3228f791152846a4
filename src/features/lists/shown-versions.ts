// The versions of a list as they are shown: the records are under the identifiers that they have
// now. Only who may write every record sees versions, so none has to be left out.

import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { CuratedListInput, ListField, ListVersion, ListedRecord } from './curated-lists.js'
import { findListed } from './listed-records.js'
import { fieldsThatDiffer } from './list-versions.js'

/** A record of a version; one that is deleted has no values. */
export type ShownRecord = ListedRecord & { readonly record: ResolvedRecord | undefined }

type ShownList = Omit<CuratedListInput, 'records'> & { readonly records: readonly ShownRecord[] }

export type ShownListVersion = Omit<ListVersion, 'list'> & {
  /** Undefined also where the version before is not kept. */
  readonly before: ShownList | undefined
  readonly after: ShownList | undefined
  /** The fields that the change wrote; none where the version before is not kept. */
  readonly changed: readonly ListField[]
}

/** Shows versions of one list. Each record is looked up once. */
export function createVersionView(catalogue: Catalogue, account: Account | undefined) {
  const shownByKey = new Map<string, Omit<ShownRecord, 'note'>>()

  async function showList({ records, ...list }: CuratedListInput): Promise<ShownList> {
    const others = records.filter(({ reference }) => !shownByKey.has(recordKey(reference)))
    const listed = await findListed(catalogue, account, others)
    const shown = records.map(({ reference, note }) => {
      const key = recordKey(reference)
      const record = shownByKey.get(key) ?? listed.get(key) ?? { reference, record: undefined }
      shownByKey.set(key, record)
      return { ...record, note }
    })
    return { ...list, records: shown }
  }

  /** @param previous the version before, where it is kept */
  return async function show(
    { list, ...version }: ListVersion,
    previous: ListVersion | undefined,
  ): Promise<ShownListVersion> {
    const known = version.change === 'created' ? undefined : previous?.list
    const before = known && (await showList(known))
    const after = list && (await showList(list))
    const isKnown = version.change === 'created' || before !== undefined
    const changed = isKnown ? fieldsThatDiffer(withoutValues(before), withoutValues(after)) : []
    return { ...version, before, after, changed }
  }
}

const withoutValues = (list: ShownList | undefined): CuratedListInput | undefined =>
  list && {
    ...list,
    records: list.records.map(({ reference: { target, id }, note }) => ({
      reference: { target, id },
      note,
    })),
  }
