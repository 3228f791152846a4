// Says who changed a record last, and when, where two people change it at the same time.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { RecordVersion } from '../../catalogue/history/record-history.js'
import type { Reference } from '../../model/record/views.js'
import { dateText, rich, t } from '../../views/translate.js'

/** A change as far as people are told of it; undefined where the history does not say. */
export type LastChange = Pick<RecordVersion, 'account' | 'at'> | undefined

export const lastChangeOf = async (
  catalogue: Pick<Catalogue, 'history'>,
  { target, id }: Reference,
): Promise<LastChange> =>
  (await catalogue.history(target, id)).findLast(({ change }) => change !== undefined)

/** A sentence such as `Changed by editor, 2026-11-27 08:12 UTC.` */
export const ChangeAuthor = ({ change }: { readonly change: LastChange }) => (
  <>
    {change
      ? rich('Changed by {account}, {date}.', {
          account: change.account === undefined ? t('somebody') : <bdi>{change.account}</bdi>,
          date: (
            <time dateTime={change.at}>
              {`${dateText(change.at)} ${change.at.slice(11, 16)} UTC`}
            </time>
          ),
        })
      : t('Changed meanwhile by somebody else.')}
  </>
)
