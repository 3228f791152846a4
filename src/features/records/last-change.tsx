// Says who changed a record last, and when, where two people change it at the same time.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { RecordVersion } from '../../catalogue/history/record-history.js'
import type { Reference } from '../../model/record/views.js'
import { Time } from '../../views/components/field-value.js'
import { rich, t } from '../../views/translate.js'

/** A change as far as people are told of it; undefined where the history does not say. */
export type LastChange = Pick<RecordVersion, 'account' | 'at'> | undefined

export const lastChangeOf = async (
  catalogue: Pick<Catalogue, 'history'>,
  { target, id }: Reference,
): Promise<LastChange> =>
  (await catalogue.history(target, id)).findLast(({ change }) => change !== undefined)

/** A sentence such as `Changed by editor, 27 November 2026.` */
export const ChangeAuthor = ({ change }: { readonly change: LastChange }) => (
  <>
    {change
      ? rich('Changed by {account}, {date}.', {
          account: change.account === undefined ? t('somebody') : <bdi>{change.account}</bdi>,
          date: <Time value={change.at} />,
        })
      : t('Changed meanwhile by somebody else.')}
  </>
)
