// The pages of series: their list, and one with its issues, the numbers that are missing, and what
// each library has and lacks.

import type { Format, PageLinks } from '../../formats/serializer.js'
import { type IssueRange, readIssueNumbers } from '../../model/issue-numbers.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import {
  type SeriesDetails,
  type SeriesRepository,
  designationOf,
  issueId,
  makerOf,
} from '../../model/series-details.js'
import { type Covers, SmallCover } from '../covers/cover.js'
import type { ListedSeries } from './series-query.js'
import { Form } from '../../views/form.js'
import { listPath, recordPath, seriesListPath, seriesPath } from '../../views/links.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { FormatLinks, ApiRequest } from '../../views/components/api-request.js'
import { FieldValueLine, FieldValues, textsIn } from '../../views/components/field-value.js'
import { recordTitle } from '../../views/components/record-summary.js'
import { DataTable } from '../../views/components/data-table.js'
import { LabelledSelect } from '../../views/components/select.js'
import { Pager } from '../records/list-page.js'
import { Count } from '../records/where-to-read.js'
import { numberText, plural, rich, richPlural, t } from '../../views/translate.js'

type SeriesProps = {
  readonly context: PageContext
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export type SeriesListPageProps = SeriesProps & {
  readonly series: readonly ListedSeries[]
  readonly resources: Resources
  readonly covers: Covers
  readonly count: number
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
  readonly search: string
  readonly ordering: string
}

export const SeriesListPage = (props: SeriesListPageProps) => {
  const { context, series, count, page, links, resources, covers, formats, json } = props
  return (
    <Layout context={context} title={t('Series')}>
      <header class="page-head">
        <div>
          <p class="kicker">
            <a href={listPath('zines')}>{t('Zines')}</a>
          </p>
          <h1>{t('Series')}</h1>
        </div>
      </header>
      <p class="lead">
        {t('Zines with more than one issue here, grouped by series or by title and maker.')}
      </p>
      <Controls {...props} />
      <div data-live>
        <p class="count">
          {richPlural(count, '{number} series', '{number} series', {
            number: <strong>{numberText(count)}</strong>,
          })}
        </p>
        <ol class="records" start={(page.number - 1) * page.size + 1}>
          {series.map(({ slug, title, maker, issueCount, newest }) => (
            <li key={slug}>
              <SmallCover record={newest} {...{ resources, covers }} />
              <article class="summary">
                <h2>
                  <a href={seriesPath(slug)} dir="auto">
                    {title}
                  </a>
                </h2>
                <p class="line">
                  {maker !== undefined && (
                    <span>{rich('by {makers}', { makers: <bdi>{maker}</bdi> })}</span>
                  )}
                  <span>{issuesText(issueCount)}</span>
                </p>
              </article>
            </li>
          ))}
        </ol>
        <Pager {...{ context, count, page, links }} />
        <FormatLinks context={context} formats={formats} />
        <ApiRequest context={context} json={json} />
      </div>
    </Layout>
  )
}

const Controls = ({ context, search, ordering }: SeriesListPageProps) => (
  <Form method="get" class="controls" action={context.path} role="search" data-live-form>
    <label class="grow">
      <span>{t('Search series')}</span>
      <input type="search" name="search" value={search} autocomplete="off" />
    </label>
    <LabelledSelect
      name="ordering"
      label={t('Order')}
      value={ordering}
      options={[
        ['', t('By title')],
        ['-issues', t('Most issues first')],
      ]}
    />
    <button>{t('Search')}</button>
  </Form>
)

export type SeriesPageProps = SeriesProps & {
  readonly series: SeriesDetails
  /** The library that the page is about: then the issues are those that it lacks. */
  readonly lackedBy: SeriesRepository | undefined
  readonly resources: Resources
  readonly covers: Covers
}

export const SeriesPage = (props: SeriesPageProps) => {
  const { context, series, lackedBy, resources, covers, formats, json } = props
  const { title, issues, missing, slug } = series
  // Series of other makers may have the same title.
  const named = [title, makerOf(series)].filter(Boolean).join(', ')
  const heading = lackedBy
    ? t('{title}: what {name} lacks', { title: named, name: lackedBy.name })
    : named
  return (
    <Layout context={context} title={heading}>
      <article class="record">
        <header class="page-head">
          <div>
            <p class="kicker">
              <a href={seriesListPath}>{t('Series')}</a>
            </p>
            <h1 dir="auto">{title}</h1>
          </div>
        </header>
        <Makers {...props} />
        <div class="with-side right">
          <section aria-labelledby="issues">
            <h2 id="issues">
              {lackedBy ? t('What {name} lacks', { name: lackedBy.name }) : t('Issues')}
            </h2>
            {lackedBy && (
              <p>
                <a href={seriesPath(slug)}>
                  {plural(issues.length, 'All {count} issue', 'All {count} issues')}
                </a>
              </p>
            )}
            <IssueTable {...{ series, lackedBy, resources, covers }} />
            {missing.length > 0 && <p class="hint">{missingText(missing)}</p>}
          </section>
          <aside aria-label={t('Libraries and formats')}>
            <Libraries {...props} />
            <FormatLinks context={context} formats={formats} />
          </aside>
        </div>
        <ApiRequest context={context} json={json} />
      </article>
    </Layout>
  )
}

/** Who made the first issue; a stated series may have many makers, whom its issues name. */
const Makers = ({ series: { isStated, issues }, resources }: SeriesPageProps) => {
  const field = resources.zines.byName.get('creator')
  const [first] = issues
  if (isStated || !field || !first) return null
  return (
    <p class="lead">
      {rich('by {makers}', {
        makers: <FieldValues field={field} record={first} resources={resources} />,
      })}
    </p>
  )
}

type IssueTableProps = {
  readonly series: SeriesDetails
  readonly lackedBy: SeriesRepository | undefined
  readonly resources: Resources
  readonly covers: Covers
}

const IssueTable = ({ series, lackedBy, resources, covers }: IssueTableProps) => {
  const { title, repositories } = series
  const rows = rowsOf(series, lackedBy)
  const textOf = (issue: ResolvedRecord): string => issueText(issue, title, resources)
  const texts = series.issues.map(textOf)
  /** Whether the text is that of one issue alone; else its makers stand beside it. */
  const isDistinct = (text: string): boolean => texts.indexOf(text) === texts.lastIndexOf(text)
  if (rows.length === 0)
    return <p class="none">{t('Nothing: it has all issues that are recorded.')}</p>
  return (
    <DataTable label={title} class="issues" columns={[t('Issue'), t('Date'), t('Where')]}>
      {rows.map((row) =>
        'from' in row ? (
          <tr key={rangeText(row)} class="missing">
            <th scope="row">{rangeText(row)}</th>
            <td colSpan={2}>{t('Not recorded')}</td>
          </tr>
        ) : (
          <tr key={issueId(row)}>
            <th scope="row">
              <SmallCover record={row} {...{ resources, covers }} />
              <a href={recordPath('zines', issueId(row))} dir="auto">
                {textOf(row)}
              </a>
              {!isDistinct(textOf(row)) && <IssueMakers record={row} resources={resources} />}
            </th>
            <td>
              <Dates record={row} resources={resources} />
            </td>
            <td>
              <Holders issue={row} repositories={repositories} />
            </td>
          </tr>
        ),
      )}
    </DataTable>
  )
}

/** What the row of an issue is called: its number, else its title. */
function issueText(issue: ResolvedRecord, title: string, resources: Resources): string {
  const issueTitle = recordTitle(issue, resources)
  const designation = designationOf(issue.values)
  if (designation === '') return issueTitle
  return issueTitle === title ? designation : `${issueTitle}, ${designation}`
}

const IssueMakers = ({
  record,
  resources,
}: {
  readonly record: ResolvedRecord
  readonly resources: Resources
}) => {
  const field = resources.zines.byName.get('creator')
  return field === undefined || textsIn(field, record.values).length === 0 ? null : (
    <span class="makers">
      {' '}
      {rich('by {makers}', {
        makers: <FieldValueLine {...{ field, record, resources }} limit={3} />,
      })}
    </span>
  )
}

const Dates = ({
  record,
  resources,
}: {
  readonly record: ResolvedRecord
  readonly resources: Resources
}) => {
  const field = resources.zines.byName.get('date')
  return field ? <FieldValues {...{ field, record, resources }} /> : null
}

const Holders = ({
  issue,
  repositories,
}: {
  readonly issue: ResolvedRecord
  readonly repositories: readonly SeriesRepository[]
}) => {
  const holders = repositories.filter(({ issueIds }) => issueIds.has(issueId(issue)))
  if (holders.length === 0) return <>{t('No library is known')}</>
  return (
    <ul class="values">
      {holders.map(({ id, name }) => (
        <li key={id}>
          <a href={recordPath('repositories', id)}>{name}</a>
        </li>
      ))}
    </ul>
  )
}

type Row = ResolvedRecord | IssueRange

/** The issues, with the missing numbers before the first issue that is above them. */
function rowsOf(
  { issues, missing }: SeriesDetails,
  lackedBy: SeriesRepository | undefined,
): readonly Row[] {
  const left = [...missing]
  const rows: Row[] = []
  for (const issue of issues) {
    const before = left.filter((gap) => isBefore(gap, issue))
    rows.push(...left.splice(0, before.length))
    if (!lackedBy?.issueIds.has(issueId(issue))) rows.push(issue)
  }
  return [...rows, ...left]
}

function isBefore({ volume, to }: IssueRange, { values }: ResolvedRecord): boolean {
  const numbers = readIssueNumbers(designationOf(values))
  const [first] = numbers.ranges
  if (!first) return false
  // Without a volume it counts across all of them.
  if (volume === undefined || volume === numbers.volume) return first.from > to
  return volume < (numbers.volume ?? volume)
}

const Libraries = ({ series: { slug, issues, repositories }, lackedBy }: SeriesPageProps) => (
  <section class="related">
    <h2>
      {t('Where to read it')} <Count of={repositories.length} />
    </h2>
    {repositories.length === 0 && (
      <p class="none">{t('No library is known to have any of them.')}</p>
    )}
    <ul class="records">
      {repositories.map(({ id, name, issueIds }) => (
        <li key={id}>
          <article class="summary">
            <h3>
              <a href={recordPath('repositories', id)}>{name}</a>
            </h3>
            <p class="line">
              <span>
                {t('has {count} of {all}', {
                  count: numberText(issueIds.size),
                  all: numberText(issues.length),
                })}
              </span>
              {lackedBy?.id !== id && (
                <span>
                  <a
                    href={seriesPath(slug, { lacked_by: id })}
                    aria-label={t('what it lacks: {name}', { name })}
                  >
                    {t('what it lacks')}
                  </a>
                </span>
              )}
            </p>
          </article>
        </li>
      ))}
    </ul>
  </section>
)

const issuesText = (count: number): string => plural(count, '{count} issue', '{count} issues')

/** `no. 3`, `no. 4–6`, `vol. 2 no. 1`. */
function rangeText({ volume, from, to }: IssueRange): string {
  const numbers = from === to ? String(from) : `${from}–${to}`
  return volume === undefined
    ? t('no. {numbers}', { numbers })
    : t('vol. {volume} no. {numbers}', { volume, numbers })
}

function missingText(missing: readonly IssueRange[]): string {
  const count = missing.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  return plural(
    count,
    'One issue number is missing here. It may never have been published.',
    '{count} issue numbers are missing here. Some may never have been published.',
  )
}
