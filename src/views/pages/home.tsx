// The home page: the collection in numbers and charts, which lead to the lists behind them.

import type { Format } from '../../formats/serializer.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { textValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { Bars, type Column, Columns, type Bar } from '../components/charts.js'
import { editingLinks, listPath, nounFor } from '../links.js'
import { Layout, type PageContext } from '../layout.js'
import { FormatLinks, ApiRequest } from '../components/api-request.js'
import { RecordSummary } from '../components/record-summary.js'
import { CatalogueSearch } from '../search-form.js'

/** The most frequent values of a field, with the number of records of each, in descending order. */
export type Breakdown = {
  readonly title: string
  readonly bars: readonly Bar[]
  /** The address of all values; empty when all are shown. */
  readonly all: string
}

export type HomePageProps = {
  readonly context: PageContext
  readonly resources: Resources
  readonly counts: Readonly<Record<ResourceName, number>>
  /** The number of zines of each year, in any order. */
  readonly years: readonly Bar[]
  readonly breakdowns: readonly Breakdown[]
  readonly newest: readonly ResolvedRecord[]
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
    <Layout context={context} title={context.siteName} styles={['reference.css']}>
      <header class="hero">
        <h1>{context.siteName}</h1>
        <p class="lead">Zines, the people who make them, and the places that keep them.</p>
        <CatalogueSearch context={context} />
      </header>
      <ul class="counts" aria-label="The collection">
        {resourceNames.map((name) => (
          <li key={name}>
            <a href={listPath(name)}>
              <strong>{counts[name].toLocaleString('en')}</strong> {nounFor(name, counts[name])}
            </a>
          </li>
        ))}
      </ul>
      {isEmpty && <FirstSteps context={context} hasAccounts={home.hasAccounts} />}
      <Years years={years} />
      <div class="breakdowns">
        {breakdowns
          .filter(({ bars }) => bars.length > 0)
          .map((share) => (
            <BreakdownBox key={share.title} share={share} />
          ))}
      </div>
      <Newest {...home} />
      <FormatLinks context={context} formats={formats} />
      <ApiRequest context={context} json={json} />
    </Layout>
  )
}

/** The first steps, shown while the catalogue is empty. */
const FirstSteps = ({ context, hasAccounts }: Pick<HomePageProps, 'context' | 'hasAccounts'>) => (
  <section class="first-steps">
    <h2>The catalogue is empty</h2>
    <p>To begin:</p>
    <ol>
      {!hasAccounts && (
        <li>
          Create an account. Nobody can edit yet. On the machine where the service runs:{' '}
          <code>npx zine-catalogue account add NAME --role admin --password-stdin</code>
        </li>
      )}
      <li>
        {context.account ? (
          <>
            Add the <a href={editingLinks.create('agents')}>first maker</a>, then their{' '}
            <a href={editingLinks.create('zines')}>first zine</a>. A{' '}
            <a href={editingLinks.create('repositories')}>library</a> and its copies say where the
            zine is kept.
          </>
        ) : (
          <>
            <a href={editingLinks.login}>Sign in</a> and add a maker, a zine, and a library that
            keeps it.
          </>
        )}
      </li>
      <li>
        Or load a whole collection from files with <code>npm run load</code>. A small invented one
        to look at: <code>npm run sample</code>.
      </li>
    </ol>
  </section>
)

const Years = ({ years }: { readonly years: readonly Bar[] }) => {
  const { columns, decades, otherYears } = yearRange(years)
  const peak = [...columns].sort((a, b) => b.count - a.count)[0]
  if (!peak) return null
  const [first, last] = [columns[0], columns.at(-1)]
  return (
    <section class="chart" aria-labelledby="by-year">
      <h2 class="label" id="by-year">
        Zines by year
      </h2>
      <p>
        From {first?.label} to {last?.label}. Most are from {peak.label}:{' '}
        {peak.count.toLocaleString('en')}.
      </p>
      <Columns columns={columns} of="zines" />
      <details class="numbers">
        <summary>All years as a list</summary>
        <dl>
          {decades.map(({ label, mark, years }) => (
            <div key={label}>
              <dt>{mark ? <a href={mark.href}>{label}</a> : label}</dt>
              <dd>
                <YearList years={years} />
              </dd>
            </div>
          ))}
          {otherYears.length > 0 && (
            <div>
              <dt>Others</dt>
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

const YearList = ({ years }: { readonly years: readonly Bar[] }) => {
  const some = years.filter(({ count }) => count > 0)
  if (some.length === 0) return <>none</>
  return (
    <ul>
      {some.map(({ label, count, href }) => (
        <li key={href}>
          <a href={href}>{label}</a> {count.toLocaleString('en')}
        </li>
      ))}
    </ul>
  )
}

const maxYears = 100

type YearRange = {
  readonly columns: readonly Column[]
  readonly decades: readonly Decade[]
  readonly otherYears: readonly Bar[]
}

/** A decade, the bar that leads to all its zines, and the columns of its years. */
type Decade = {
  readonly label: string
  readonly mark: Bar | undefined
  readonly years: readonly Column[]
}

/**
 * The columns of the chart, gaps included, from the earliest year to the latest: one for each year, or
 * for each decade when there are more than a hundred years. Years that no zine can be from, such as
 * `0196`, are mistakes and returned apart.
 */
export function yearRange(
  marks: readonly Bar[],
  thisYear: number = new Date().getFullYear(),
): YearRange {
  const years = marks
    .filter(({ label }) => /^\d{4}$/.test(label))
    .map((mark) => ({ ...mark, year: Number(mark.label) }))
    .filter(({ year }) => year >= earliestYear && year <= thisYear + 1)
    .sort((a, b) => a.year - b.year)
  const byYear = new Map(years.map((one) => [one.year, one]))
  const [first, last] = [years[0]?.year ?? 0, years.at(-1)?.year ?? -1]
  const allYears = Array.from({ length: last - first + 1 }, (_, index) => {
    const year = first + index
    return byYear.get(year) ?? { year, label: String(year), count: 0, href: '' }
  })
  const decades = decadesOf(allYears, marks)
  const otherYears = marks
    .filter((mark) => !byYear.has(Number(mark.label)) && !decades.some((one) => one.mark === mark))
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

function decadesOf(columns: readonly Column[], marks: readonly Bar[]): readonly Decade[] {
  const names = [
    ...new Set(columns.map(({ year }) => `${String(year).padStart(4, '0').slice(0, 3)}X`)),
  ]
  return names.map((name) => ({
    label: decadeLabel(name),
    mark: marks.find(({ label }) => label === name),
    years: columns.filter(({ year }) => String(year).padStart(4, '0').startsWith(name.slice(0, 3))),
  }))
}

const BreakdownBox = ({ share: { title, bars, all } }: { readonly share: Breakdown }) => (
  <section class="chart">
    <h2 class="label">{title}</h2>
    <Bars bars={bars} />
    {all !== '' && (
      <p>
        <a href={all}>
          All <span class="visually-hidden">of: {title}</span>
        </a>
      </p>
    )}
  </section>
)

const Newest = ({ newest, resources }: HomePageProps) =>
  newest.length === 0 ? null : (
    <section class="newest">
      <h2 class="label">Newest arrivals</h2>
      <ul>
        {newest.map((record) => (
          <li key={textValue(record.values, record.resource.id.name)}>
            <RecordSummary record={record} resources={resources} />
          </li>
        ))}
      </ul>
      <p>
        <a href={listPath('zines')}>All zines</a>
      </p>
    </section>
  )
