// The home page: what zines are, a wall of their covers, the newest ones, and the collection in numbers
// that lead to the lists behind them.

import type { Format } from '../../formats/serializer.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { textValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { CoverLinks, type Covers, WallCover } from '../covers/cover.js'
import { KeepPlace } from '../my-list/keep-place.js'
import { type Column, Columns, type ListedValue } from './charts.js'
import { FirstSteps } from './first-steps.js'
import { Form } from '../../views/form.js'
import { Layout, type PageContext } from '../../views/layout.js'
import {
  explorePath,
  listPath,
  listsPath,
  makersPath,
  mapPath,
  randomPath,
} from '../../views/links.js'
import { FormatLinks, ApiRequest } from '../../views/components/api-request.js'
import { YearInput } from '../../views/components/year-input.js'
import { RecordSummary } from '../../views/components/record-summary.js'
import { CatalogueSearch } from '../../views/search-form.js'
import { nounText, numberText, rich, t } from '../../views/translate.js'

/** The most frequent values of a field, with the number of records of each, in descending order. */
export type Breakdown = {
  readonly title: string
  readonly values: readonly ListedValue[]
  /** The address of all values; empty when all are shown. */
  readonly all: string
}

export type HomePageProps = {
  readonly context: PageContext
  readonly resources: Resources
  readonly counts: Readonly<Record<ResourceName, number>>
  /** The number of zines of each year, in any order. */
  readonly years: readonly ListedValue[]
  readonly breakdowns: readonly Breakdown[]
  /** The zines of the day. */
  readonly daily: readonly ResolvedRecord[]
  readonly newest: readonly ResolvedRecord[]
  readonly covers: Covers
  /** Whether anybody can sign in. */
  readonly hasAccounts: boolean
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export const HomePage = (home: HomePageProps) => {
  const { context, counts, breakdowns, years, formats, json } = home
  const isEmpty = Object.values(counts).every((count) => count === 0)
  return (
    <Layout
      context={context}
      title={context.siteName}
      styles={['reference.css']}
      scripts={['timeline.js']}
    >
      <header class="hero">
        <h1>{context.siteName}</h1>
        <p class="lead">
          {t(
            'Zines are small magazines that people write, copy and hand out themselves: about their lives, music, politics, or anything else.',
          )}{' '}
          {t('This catalogue says who made them, and which libraries have them.')}
        </p>
        <CatalogueSearch context={context} />
      </header>
      {isEmpty && <FirstSteps context={context} hasAccounts={home.hasAccounts} />}
      <Daily {...home} />
      <Newest {...home} />
      <section class="collection" aria-labelledby="collection">
        <h2 class="label" id="collection">
          {t('The collection')}
        </h2>
        <ul class="counts">
          {resourceNames.map((name) => (
            <li key={name}>
              <a href={listPath(name)}>
                <strong>{numberText(counts[name])}</strong> {nounText(name, counts[name])}
              </a>
            </li>
          ))}
        </ul>
        {!isEmpty && <WaysIn />}
        {breakdowns
          // A single value is no choice.
          .filter(({ values }) => values.length > 1)
          .map((breakdown) => (
            <BreakdownRow key={breakdown.title} breakdown={breakdown} />
          ))}
      </section>
      <Years years={years} />
      <FormatLinks context={context} formats={formats} />
      <ApiRequest context={context} json={json} />
    </Layout>
  )
}

/** Ways through the collection besides its lists. */
const WaysIn = () => (
  <nav class="ways-in" aria-label={t('Ways through the collection')}>
    <ul class="inline">
      <li>
        <a href={makersPath}>{t('Makers A–Z')}</a>
      </li>
      <li>
        <a href={explorePath}>{t('Explore in charts')}</a>
      </li>
      <li>
        <a href={mapPath}>{t('Map')}</a>
      </li>
      <li>
        <a href={listsPath}>{t('Lists')}</a>
      </li>
      <li>
        <a href={randomPath} rel="nofollow">
          {t('A zine at random')}
        </a>
      </li>
    </ul>
  </nav>
)

const Years = ({ years }: { readonly years: readonly ListedValue[] }) => {
  const { columns, decades, otherYears } = yearRange(years)
  const peak = [...columns].sort((a, b) => b.count - a.count)[0]
  if (!peak) return null
  const [first, last] = [columns[0], columns.at(-1)]
  const lastYear = decades.at(-1)?.years.at(-1)?.year ?? ''
  return (
    <section class="chart" aria-labelledby="by-year">
      <h2 class="label" id="by-year">
        {t('Zines by year')}
      </h2>
      <p>
        {t('From {first} to {last}. Most are from {peak}: {count}.', {
          first: first && yearText(first.label),
          last: last && yearText(last.label),
          peak: yearText(peak.label),
          count: numberText(peak.count),
        })}
      </p>
      <div class="timeline" data-timeline data-years={columns.map(({ year }) => year).join(' ')}>
        <Columns columns={columns} of="zines" />
      </div>
      <Form
        method="get"
        class="controls"
        action={listPath('zines')}
        aria-label={t('Zines of some years')}
        data-timeline-form
      >
        <YearInput
          name="year__gte"
          title={t('From year')}
          placeholder={String(first?.year ?? '')}
        />
        <YearInput name="year__lte" title={t('To year')} placeholder={String(lastYear)} />
        <button>{t('Show zines')}</button>
      </Form>
      <details class="numbers">
        <summary>{t('All years as a list')}</summary>
        <dl>
          {decades.map(({ label, mark, years }) => (
            <div key={label}>
              <dt>{mark ? <a href={mark.href}>{yearText(label)}</a> : yearText(label)}</dt>
              <dd>
                <YearList years={years} />
              </dd>
            </div>
          ))}
          {otherYears.length > 0 && (
            <div>
              <dt>{t('Others')}</dt>
              <dd>
                <YearList years={otherYears} />
              </dd>
            </div>
          )}
        </dl>
      </details>
    </section>
  )
}

/** A year, or a decade such as `1990s`. */
const yearText = (label: string): string =>
  /^\d{3}0s$/.test(label) ? t('{decade}s', { decade: label.slice(0, 4) }) : label

const YearList = ({ years }: { readonly years: readonly ListedValue[] }) => {
  const some = years.filter(({ count }) => count > 0)
  if (some.length === 0) return <>{t('none')}</>
  return (
    <ul>
      {some.map(({ label, count, href }) => (
        <li key={href}>
          <a href={href}>{yearText(label)}</a> {numberText(count)}
        </li>
      ))}
    </ul>
  )
}

const maxYears = 100

type YearRange = {
  readonly columns: readonly Column[]
  readonly decades: readonly Decade[]
  readonly otherYears: readonly ListedValue[]
}

/** A decade, the bar that leads to all its zines, and the columns of its years. */
type Decade = {
  readonly label: string
  readonly mark: ListedValue | undefined
  readonly years: readonly Column[]
}

/**
 * The columns of the chart, gaps included, from the earliest year to the latest: one for each year,
 * or for each decade when there are more than a hundred years. Years that no zine can be from, such
 * as `0196`, are mistakes and returned apart.
 */
export function yearRange(
  marks: readonly ListedValue[],
  thisYear: number = new Date().getFullYear(),
): YearRange {
  const years = marks
    .filter(({ label }) => /^\d{4}$/.test(label))
    .map((mark) => ({ ...mark, year: Number(mark.label) }))
    .filter(({ year }) => year >= earliestYear && year <= thisYear + 1)
    .sort((a, b) => a.year - b.year)
  const byYear = new Map(years.map((entry) => [entry.year, entry]))
  const [first, last] = [years[0]?.year ?? 0, years.at(-1)?.year ?? -1]
  const allYears = Array.from({ length: last - first + 1 }, (_, index) => {
    const year = first + index
    return byYear.get(year) ?? { year, label: String(year), count: 0, href: '' }
  })
  const decades = decadesOf(allYears, marks)
  const otherYears = marks
    .filter(
      (mark) => !byYear.has(Number(mark.label)) && !decades.some((decade) => decade.mark === mark),
    )
    .map((mark) => ({ ...mark, label: decadeLabel(mark.label) }))
    .sort((a, b) => (a.label < b.label ? -1 : 1))
  const columns = allYears.length <= maxYears ? allYears : decades.map(decadeColumn)
  return { columns, decades, otherYears }
}

/** Printing in Europe begins after this year. */
const earliestYear = 1400

const decadeColumn = ({ label, mark, years }: Decade): Column => ({
  year: Math.floor((years[0]?.year ?? 0) / 10) * 10,
  label,
  count: mark?.count ?? years.reduce((sum, { count }) => sum + count, 0),
  href: mark?.href ?? '',
})

/** `1990s` for `199X`; another label as it is. */
const decadeLabel = (label: string): string => label.replace(/^(\d{3})X$/, '$10s')

function decadesOf(columns: readonly Column[], marks: readonly ListedValue[]): readonly Decade[] {
  const names = [
    ...new Set(columns.map(({ year }) => `${String(year).padStart(4, '0').slice(0, 3)}X`)),
  ]
  return names.map((name) => ({
    label: decadeLabel(name),
    mark: marks.find(({ label }) => label === name),
    years: columns.filter(({ year }) => String(year).padStart(4, '0').startsWith(name.slice(0, 3))),
  }))
}

const BreakdownRow = ({ breakdown: { title, values, all } }: { readonly breakdown: Breakdown }) => (
  <section class="breakdown">
    <h3>{t(title)}</h3>
    <ul class="tags">
      {values.map(({ label, language, count, href }) => (
        <li key={href}>
          <a href={href}>
            <span lang={language}>{label}</span> <span class="count">{numberText(count)}</span>
          </a>
        </li>
      ))}
      {all !== '' && (
        <li class="all">
          <a href={all}>
            {rich('All {of}', {
              of: <span class="visually-hidden">{t('of: {title}', { title: t(title) })}</span>,
            })}
          </a>
        </li>
      )}
    </ul>
  </section>
)

const Daily = ({ daily, resources, covers }: HomePageProps) =>
  daily.length === 0 ? null : (
    <section class="daily" aria-labelledby="daily">
      <h2 class="label" id="daily">
        {t('Picked at random today')}
      </h2>
      <CoverLinks zines={daily} {...{ resources, covers }} />
    </section>
  )

const Newest = ({ newest, resources, covers }: HomePageProps) =>
  newest.length === 0 ? null : (
    <section class="newest" aria-labelledby="newest">
      <h2 class="label" id="newest">
        {t('Recently added')}
      </h2>
      <ul class="wall">
        {newest.map((record) => (
          <li key={textValue(record.values, record.resource.id.name)}>
            <WallCover {...{ record, resources, covers }} />
            <RecordSummary record={record} resources={resources} />
            <KeepPlace record={record} resources={resources} />
          </li>
        ))}
      </ul>
      <p>
        <a href={listPath('zines')}>{t('All zines')}</a>
      </p>
    </section>
  )
