// The pages of the lists that editors make: all of them, and one with the covers of its records.

import type { Account } from '../../accounts/accounts.js'
import { renderMarkdown } from '../../branding/markdown.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { RequestContext } from '../../http/context.js'
import { mayEditLists } from '../../http/request/record-rights.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { exportFormatsOf } from '../../formats/serializers.js'
import { resourceNames } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { Time } from '../../views/components/field-value.js'
import { RecordSummary } from '../../views/components/record-summary.js'
import { Downloads } from '../../views/components/downloads.js'
import { FormatLinks } from '../../views/components/api-request.js'
import { Form } from '../../views/form.js'
import { Layout, type PageContext } from '../../views/layout.js'
import {
  curatedListPath,
  editingLinks,
  listBookletPath,
  listPath,
  withParameters,
} from '../../views/links.js'
import { kindTitle, labelled, rich, t } from '../../views/translate.js'
import { type Covers, PlainCover } from '../covers/cover.js'
import { KeepPlace } from '../my-list/keep-place.js'
import type { CuratedList, CuratedLists, DeletedList } from './curated-lists.js'
import { listFormats } from './list-formats.js'
import { type VisibleRecord, requireList, visibleLists, visibleRecords } from './listed-records.js'

type ListPagesDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly lists: CuratedLists
  readonly pictures: Covers
  readonly resources: Resources
}

export function sendListsPage({ assets, lists }: ListPagesDependencies, ctx: RequestContext): void {
  const { account } = ctx.state
  const context = pageContext(ctx, assets)
  const deleted = mayEditLists(account) ? lists.deleted() : []
  sendPage(
    ctx,
    <ListsPage {...{ context, account, deleted }} lists={visibleLists(lists, account)} />,
  )
}

type ListsPageProps = {
  readonly context: PageContext
  readonly account: Account | undefined
  readonly lists: readonly CuratedList[]
  /** None for those who do not edit lists. */
  readonly deleted: readonly DeletedList[]
}

const ListsPage = ({ context, account, lists, deleted }: ListsPageProps) => (
  <Layout context={context} title={t('Lists')}>
    <header class="page-head">
      <h1>{t('Lists')}</h1>
    </header>
    <p class="lead">
      {lists.length === 0 ? t('There is no list yet.') : t('Chosen by the editors.')}
    </p>
    {mayEditLists(account) && <ActionLink href={editingLinks.newList} text={t('New list')} />}
    <ul class="records">
      {lists.map(({ slug, title, isPublic }) => (
        <li key={slug}>
          <article class="summary">
            <h2>
              <a href={curatedListPath(slug)} dir="auto">
                {title}
              </a>
            </h2>
            {!isPublic && <OnlyEditors />}
          </article>
        </li>
      ))}
    </ul>
    {deleted.length > 0 && <DeletedLists {...{ context, deleted }} />}
  </Layout>
)

const DeletedLists = ({ context, deleted }: Pick<ListsPageProps, 'context' | 'deleted'>) => (
  <section aria-labelledby="deleted">
    <h2 id="deleted">{t('Recently deleted')}</h2>
    <ul class="records">
      {deleted.map(({ slug, title, version, at, account }) => (
        <li key={slug}>
          <p>
            <a href={editingLinks.listHistory(slug)} dir="auto">
              {title}
            </a>
          </p>
          <p class="made">
            {rich('{id} · deleted {date}', { id: <code>{slug}</code>, date: <Time value={at} /> })}
            {account !== undefined && ` ${t('by {account}', { account })}`}
          </p>
          <Form context={context} action={editingLinks.listHistory(slug)} class="actions">
            <input type="hidden" name="version" value={version} />
            <button class="quiet" name="action" value="undo">
              {t('Restore')}
              <span class="visually-hidden"> {title}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  </section>
)

export async function sendListPage(
  { assets, catalogue, lists, resources, pictures: covers }: ListPagesDependencies,
  ctx: RequestContext,
): Promise<void> {
  const { account } = ctx.state
  const list = requireList(lists, account, String(ctx.params.list))
  const records = await visibleRecords(catalogue, account, list)
  const context = pageContext(ctx, assets)
  sendPage(ctx, <ListPage {...{ context, account, list, records, resources, covers }} />)
}

type ListPageProps = {
  readonly context: PageContext
  readonly account: Account | undefined
  readonly list: CuratedList
  readonly records: readonly VisibleRecord[]
  readonly resources: Resources
  readonly covers: Covers
}

const ListPage = ({ context, account, list, records, resources, covers }: ListPageProps) => {
  const { slug, title, text, isPublic } = list
  const { title: heading, html } = renderMarkdown(text)
  const kinds = resourceNames.filter((name) =>
    records.some(({ reference }) => reference.target === name),
  )
  // A file that a link leads to is for everyone: a session counts for pages alone.
  const downloaded = isPublic ? kinds : []
  return (
    <Layout context={context} title={title}>
      <header class="page-head">
        <h1 dir="auto">{title}</h1>
      </header>
      {!isPublic && <OnlyEditors />}
      <div class="prose" dir="auto">
        {heading !== undefined && <h2>{heading}</h2>}
        <div dangerouslySetInnerHTML={{ __html: html }} />
      </div>
      <p class="actions">
        {kinds.map((name) => (
          <a
            key={name}
            class="button quiet"
            href={withParameters(listPath(name), '', { list: slug })}
          >
            {labelled(t('Search in this list'), kindTitle(name))}
          </a>
        ))}
        {kinds.includes('zines') && (
          <a class="button quiet" href={listBookletPath(slug)}>
            {t('Print as a zine')}
          </a>
        )}
        {mayEditLists(account) && (
          <a class="button quiet" href={editingLinks.list(slug)}>
            {t('Edit this list')}
          </a>
        )}
        {mayEditLists(account) && (
          <a class="button quiet" href={editingLinks.listHistory(slug)}>
            {t('History')}
          </a>
        )}
      </p>
      {records.length > 0 && <h2 class="visually-hidden">{t('Records')}</h2>}
      <ol class="records wall">
        {records.map(({ reference, record, note, isHidden }) => (
          <li key={recordKey(reference)}>
            <PlainCover {...{ record, resources, covers }} />
            <RecordSummary record={record} resources={resources} />
            {!isHidden && <KeepPlace record={record} resources={resources} />}
            {note !== '' && (
              <p class="line" dir="auto">
                {note}
              </p>
            )}
          </li>
        ))}
      </ol>
      {downloaded.map((name) => (
        <Downloads
          key={name}
          name={name}
          query={new URLSearchParams({ list: slug }).toString()}
          title={labelled(t('Download'), kindTitle(name))}
          formats={exportFormatsOf(name)}
        />
      ))}
      <FormatLinks context={context} formats={listFormats} />
    </Layout>
  )
}

const OnlyEditors = () => <p class="hint">{t('Only editors see this list.')}</p>

const ActionLink = ({ href, text }: { readonly href: string; readonly text: string }) => (
  <p class="actions">
    <a class="button quiet" href={href}>
      {text}
    </a>
  </p>
)
