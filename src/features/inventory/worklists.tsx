// The worklists: what is missing or likely wrong in the catalogue, with how many zines there are of
// each.

import { setTimeout as sleep } from 'node:timers/promises'

import { mayWrite, mayWriteSomething } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { type WorklistName, worklistFilters, worklistNames } from '../../model/worklists.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import { FormPage } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, editingRoutes, listPath, withParameters } from '../../views/links.js'
import { numberText, t } from '../../views/translate.js'
import { worklistTexts } from '../../views/worklist-texts.js'
import { hiddenRowsOf } from './hidden-records.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type FormDependencies, createPageEndpoint } from '../../http/form-endpoint.js'

type WorklistsDependencies = FormDependencies & { readonly catalogue: Catalogue }

/** Duplicates are counted by reading all zines, for which nobody waits longer. */
const maxWaitMs = 1000

export const worklistsEndpoint = (dependencies: WorklistsDependencies): Endpoint =>
  createPageEndpoint(dependencies, {
    path: editingRoutes.worklists,
    name: 'Worklists',
    description: 'How many zines have something missing or likely wrong, with a list of each.',
    isAllowed: mayWriteSomething,
    async render({ context, account }) {
      const { catalogue } = dependencies
      const groups = Promise.race([
        catalogue.duplicateGroups('zines').catch(() => undefined),
        sleep(maxWaitMs, undefined),
      ])
      return (
        <WorklistsPage
          context={context}
          counts={await countWorklists(catalogue)}
          duplicates={(await groups)?.length}
          hidden={(await hiddenRowsOf(catalogue, account)).length}
          mayEdit={mayWrite(account, 'zines')}
        />
      )
    },
  })

async function countWorklists({ count }: Pick<Catalogue, 'count'>) {
  const counts = []
  for (const name of worklistNames) {
    // Counting blocks the event loop for a moment.
    await yieldToEventLoop()
    const query = { filters: new Map([worklistFilters[name]]), search: '', ordering: [] }
    counts.push({ name, count: await count('zines', query) })
  }
  return counts
}

type WorklistsProps = {
  readonly context: PageContext
  readonly counts: Awaited<ReturnType<typeof countWorklists>>
  /** How many groups of likely duplicates there are; undefined while that is not known. */
  readonly duplicates: number | undefined
  /** How many hidden records the account may write. */
  readonly hidden: number
  /** Whether the account may edit zines. */
  readonly mayEdit: boolean
}

const WorklistsPage = ({ context, counts, duplicates, hidden, mayEdit }: WorklistsProps) => (
  <FormPage context={context} title={t('Worklists')}>
    <p class="lead">
      {t('Zines that need work. You can filter each list, or edit all of it at once.')}
    </p>
    <ul class="worklists">
      {counts.map(({ name, count }) => (
        <li key={name}>
          <Heading title={t(worklistTexts[name].title)} address={listOf(name)} count={count} />
          <p>{t(worklistTexts[name].explanation)}</p>
          {mayEdit && count > 0 && (
            <p>
              <a href={batchEditOf(name)}>
                {t('Edit all')}
                <span class="visually-hidden">
                  {' '}
                  {t('of “{title}”', { title: t(worklistTexts[name].title) })}
                </span>
              </a>
            </p>
          )}
        </li>
      ))}
      <li>
        <Heading
          title={t('Likely duplicates')}
          address={withParameters(editingLinks.duplicates, '', { kind: 'zines' })}
          count={duplicates}
        />
        <p>{t('Groups of zines with the same title and issue, or with the same identifier.')}</p>
      </li>
      <li>
        <Heading title={t('Hidden records')} address={editingLinks.hidden} count={hidden} />
        <p>{t('Records that only editors see, and drafts, with the reasons.')}</p>
      </li>
    </ul>
    <p class="hint">{t('To edit only some zines of a list, open it and tick them there.')}</p>
  </FormPage>
)

const Heading = ({
  title,
  address,
  count,
}: {
  readonly title: string
  readonly address: string
  readonly count: number | undefined
}) => (
  <h2>
    <a href={address}>{title}</a>{' '}
    {count !== undefined && <span class="count">{numberText(count)}</span>}
  </h2>
)

const parametersOf = (name: WorklistName) => Object.fromEntries([worklistFilters[name]])

const listOf = (name: WorklistName): string => listPath('zines', parametersOf(name))

const batchEditOf = (name: WorklistName): string =>
  withParameters(editingLinks.batchEdit('zines'), '', parametersOf(name))
