// The filters in force, each as a link that removes it.

import type { PageContext } from '../layout.js'
import { withParameters } from '../links.js'
import { labelled, t } from '../translate.js'

export type ActiveFilter = {
  /** The name of the parameter. */
  readonly name: string
  readonly label: string
  readonly text: string
}

export const FilterChips = ({
  context,
  filters,
}: {
  readonly context: PageContext
  readonly filters: readonly ActiveFilter[]
}) =>
  filters.length === 0 ? null : (
    <ul class="chosen" aria-label={t('Chosen filters')}>
      {filters.map(({ name, label, text }) => (
        <li key={name}>
          <a
            href={withParameters(context.path, context.query, {
              [name]: undefined,
              page: undefined,
            })}
          >
            <span class="visually-hidden">{t('Remove')} </span>
            {labelled(t(label), text)} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  )
