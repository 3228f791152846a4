// Links to the exports of zines with their copies, for library systems (docs/reference/marc.md,
// "Holdings in bibliographic records").

import type { ItemField } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import { exportPath } from '../links.js'
import { message, t } from '../translate.js'

const choices: readonly (readonly [items: ItemField, title: string])[] = [
  ['952', message('MARC with copies for Koha')],
  ['852', message('MARC with copies')],
]

/** The links as items of a list of formats; none for other resources than zines. */
export const ItemExports = ({
  name,
  query,
}: {
  readonly name: ResourceName
  readonly query: string
}) =>
  name === 'zines' ? (
    <>
      {choices.map(([items, title]) => (
        <li key={items}>
          <a href={exportPath(name, query, 'marc', items)} type="application/marc" rel="nofollow">
            {t(title)}
          </a>
        </li>
      ))}
    </>
  ) : null
