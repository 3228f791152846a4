// The worklists: what is missing or likely wrong in the catalogue, with how many zines there are of each.

import { FormPage } from '../form-layout.js'
import type { PageContext } from '../layout.js'
import { editingLinks, listPath, nounFor, withParameters } from '../links.js'

export type Worklist = {
  readonly title: string
  readonly explanation: string
  /** The filters of the list of zines that find them; undefined for a page of its own. */
  readonly filters: Readonly<Record<string, string>> | undefined
  /** How many there are; undefined while that is not known. */
  readonly count: number | undefined
}

type WorklistsProps = {
  readonly context: PageContext
  readonly worklists: readonly Worklist[]
  /** Whether the account may edit zines. */
  readonly mayEdit: boolean
}

export const WorklistsPage = ({ context, worklists, mayEdit }: WorklistsProps) => (
  <FormPage context={context} title="Worklists">
    <p class="lead">
      Zines whose records need work. Each list can be filtered, and edited at once.
    </p>
    <ul class="worklists">
      {worklists.map((worklist) => (
        <li key={worklist.title}>
          <h2>
            <a href={addressOf(worklist)}>{worklist.title}</a>{' '}
            {worklist.count !== undefined && (
              <span class="count">{worklist.count.toLocaleString('en')}</span>
            )}
          </h2>
          <p>{worklist.explanation}</p>
          {mayEdit && worklist.filters && worklist.count !== 0 && (
            <p>
              <a href={batchEditOf(worklist.filters)}>
                Edit all<span class="visually-hidden"> of “{worklist.title}”</span>
              </a>
            </p>
          )}
        </li>
      ))}
    </ul>
    <p class="hint">
      To edit only some {nounFor('zines', 2)} of a list, open it and tick them there.
    </p>
  </FormPage>
)

const addressOf = ({ filters }: Worklist): string =>
  filters
    ? listPath('zines', filters)
    : withParameters(editingLinks.duplicates, '', { kind: 'zines' })

const batchEditOf = (filters: Readonly<Record<string, string>>): string =>
  withParameters(editingLinks.batchEdit('zines'), '', filters)
