// The worklist of hidden records and drafts, with the reasons, for those who may write them.

import { mayWriteSomething } from '../../accounts/rights.js'
import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { reasonOf, visibilityOf } from '../../model/record/visibility.js'
import type { ResourceName } from '../../model/iris.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type FormDependencies, createPageEndpoint } from '../../http/form-endpoint.js'
import { paginate, parsePageQuery } from '../../http/request/pagination.js'
import { writableRecords } from '../../http/request/record-rights.js'
import { Time } from '../../views/components/field-value.js'
import { Form } from '../../views/form.js'
import { FormPage } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, editingRoutes, recordPath, withParameters } from '../../views/links.js'
import { kindTitle, t } from '../../views/translate.js'

type HiddenRecordsDependencies = FormDependencies & {
  readonly catalogue: Catalogue
  readonly resources: Resources
}

type HiddenRow = {
  readonly reference: Reference
  readonly values: RecordValues
  readonly since: string
}

export const hiddenRecordsEndpoint = ({
  catalogue,
  resources,
  ...dependencies
}: HiddenRecordsDependencies): Endpoint =>
  createPageEndpoint(
    { ...dependencies, catalogue },
    {
      path: editingRoutes.hidden,
      name: 'Hidden Records',
      description: 'The hidden records and drafts that the account may write, with the reasons.',
      isAllowed: mayWriteSomething,
      async render({ ctx, context, account }) {
        const rows = await hiddenRowsOf(catalogue, account)
        const query = parsePageQuery(ctx)
        const { count, results } = paginate(rows, query)
        return (
          <HiddenRecordsPage
            {...{ context, resources }}
            rows={results}
            next={query.page * query.pageSize < count ? query.page + 1 : undefined}
          />
        )
      },
    },
  )

/** Those that are hidden by themselves, the last hidden first. */
export async function hiddenRowsOf(
  catalogue: Catalogue,
  account: Account,
): Promise<readonly HiddenRow[]> {
  const rows = new Map<Reference, HiddenRow>()
  for await (const [reference, { values, since }] of catalogue.allHidden())
    if (visibilityOf(values) !== 'public') rows.set(reference, { reference, values, since })
  const writable = await writableRecords(catalogue, account, [...rows.keys()])
  return writable
    .flatMap((reference) => rows.get(reference) ?? [])
    .sort((a, b) => (a.since < b.since ? 1 : -1))
}

/** The form of the boxes of a kind: a batch is about records of one kind. */
const formOf = (name: ResourceName): string => `hidden-${name}`

const HiddenRecordsPage = ({
  context,
  resources,
  rows,
  next,
}: {
  readonly context: PageContext
  readonly resources: Resources
  readonly rows: readonly HiddenRow[]
  readonly next: number | undefined
}) => (
  <FormPage context={context} title={t('Hidden records')}>
    {rows.length === 0 && <p class="lead">{t('Nothing is hidden.')}</p>}
    <ul class="records">
      {rows.map(({ reference: { target, id }, values, since }) => {
        const { title } = resources[target]
        const name = title ? textValue(values, title.name) : ''
        return (
          <li key={`${target}/${id}`}>
            <p>
              <input
                type="checkbox"
                name="id"
                value={id}
                form={formOf(target)}
                aria-label={t('Tick {title}', { title: name === '' ? id : name })}
              />{' '}
              <a href={recordPath(target, id)}>{name === '' ? id : name}</a>
            </p>
            <p class="made">
              {kindTitle(target)} · <code>{id}</code> ·{' '}
              {visibilityOf(values) === 'draft' ? t('Draft') : t('Hidden')} <Time value={since} /> ·{' '}
              <a href={editingLinks.visibility(target, id)}>{t('Hide or show')}</a>
            </p>
            {reasonOf(values) !== '' && <p dir="auto">{reasonOf(values)}</p>}
          </li>
        )
      })}
    </ul>
    {[...new Set(rows.map(({ reference }) => reference.target))].map((name) => (
      <Form
        key={name}
        id={formOf(name)}
        context={context}
        action={editingLinks.batchEdit(name)}
        class="actions"
      >
        <button class="quiet small" name="do" value="visibility">
          {t('{kind}: hide or show the ticked records', { kind: kindTitle(name) })}
        </button>
      </Form>
    ))}
    {next !== undefined && (
      <nav class="pages" aria-label={t('Pages')}>
        <a href={withParameters(editingLinks.hidden, '', { page: String(next) })}>{t('Older')}</a>
      </nav>
    )}
  </FormPage>
)
