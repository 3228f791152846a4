// The parts that pages of versions have in common, of records and of lists: who made a version and
// how, and the links to older and newer ones.

import type { RecordVersion } from '../../catalogue/history/record-history.js'
import type { PageQuery } from '../../http/request/pagination.js'
import { Time } from '../../views/components/field-value.js'
import { withParameters } from '../../views/links.js'
import { message, t } from '../../views/translate.js'

type VersionHeadProps = {
  readonly change: RecordVersion['change'] | RecordVersion['turned']
  readonly at: string
  readonly account?: string | undefined
  readonly how?: string | undefined
}

/** What happened and when, who did it and how. */
export const VersionHead = ({ change, at, account, how }: VersionHeadProps) => (
  <>
    <h2>
      {t(changeTitles[change ?? 'first'])} <Time value={at} />
    </h2>
    <p class="made">
      {account === undefined ? t('By an unknown account') : t('By {account}', { account })}
      {how !== undefined && ` · ${t(methodTitles[how] ?? how)}`}
    </p>
  </>
)

const changeTitles = {
  created: message('Created'),
  updated: message('Changed'),
  deleted: message('Deleted'),
  merged: message('Merged'),
  hidden: message('Hidden from the public'),
  shown: message('Shown to the public'),
  first: message('The history begins here'),
} as const

/** How a change came, in the words of pages. */
const methodTitles: Readonly<Record<string, string>> = {
  api: message('through the API'),
  page: message('in the browser'),
  load: message('loaded from a file'),
  import: message('by an import'),
  batch: message('together with others'),
  merge: message('by merging'),
  restore: message('by restoring a version'),
  undo: message('by undoing a change'),
  redaction: message('something was deleted permanently'),
}

/** The numbers of the other pages; undefined where there is none. */
export type PageLinksOfHistory = {
  readonly newer: number | undefined
  readonly older: number | undefined
}

export const historyPageLinks = (
  { page, pageSize }: PageQuery,
  count: number,
): PageLinksOfHistory => ({
  newer: page > 1 ? page - 1 : undefined,
  older: page * pageSize < count ? page + 1 : undefined,
})

export const PageLinks = ({
  path,
  query = '',
  newer,
  older,
}: PageLinksOfHistory & { readonly path: string; readonly query?: string }) => (
  <nav class="pages" aria-label={t('Pages')}>
    {newer !== undefined && <a href={pagePath(path, query, newer)}>{t('Newer')}</a>}
    {older !== undefined && <a href={pagePath(path, query, older)}>{t('Older')}</a>}
  </nav>
)

const pagePath = (path: string, query: string, page: number): string =>
  withParameters(path, query, { page: page > 1 ? String(page) : undefined })
