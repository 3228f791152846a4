// The page on which zines are counted by two of their facets: a choice of these, stacked bars, and
// a table whose cells lead to the lists that they count.

import type { Format } from '../../formats/serializer.js'
import { ApiRequest, FormatLinks } from '../../views/components/api-request.js'
import { type ActiveFilter, FilterChips } from '../../views/components/filter-chips.js'
import { type CrossTable, type CrossValue, StackedBars } from './stacked-bars.js'
import { YearInput } from '../../views/components/year-input.js'
import { ScrollRegion } from '../../views/components/data-table.js'
import { LabelledSelect } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import { Layout, type PageContext } from '../../views/layout.js'
import type { Translator } from '../../messages/translator.js'
import { explorePath, listPath, mapPath, withParameters } from '../../views/links.js'
import { numberText, rich, t, pageTranslator } from '../../views/translate.js'

/** A facet that can be chosen. */
type FacetOption = { readonly name: string; readonly title: string; readonly plural: string }

export type ExplorePageProps = {
  readonly context: PageContext
  readonly table: CrossTable & {
    /** How many zines are counted, and how many values their facets have. */
    readonly count: number
    readonly rowCount: number
    readonly columnCount: number
  }
  readonly facets: readonly FacetOption[]
  readonly rows: FacetOption
  readonly columns: FacetOption | undefined
  /** The value that stands for no columns. */
  readonly noColumns: string
  /** The filters of the zines that are counted, by name. */
  readonly filters: Readonly<Record<string, string>>
  readonly active: readonly ActiveFilter[]
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

/** What is counted, in a sentence. */
export const countedSentence = (
  { plural }: Pick<Translator, 'plural'>,
  count: number,
  filters: Readonly<Record<string, string>>,
): string =>
  Object.keys(filters).length > 0
    ? plural(
        count,
        '{count} zine with the chosen filters.',
        '{count} zines with the chosen filters.',
      )
    : plural(count, '{count} zine.', '{count} zines.')

export const ExplorePage = (props: ExplorePageProps) => {
  const { context, table, active, filters, formats, json } = props
  return (
    <Layout
      context={context}
      title={t('Explore: {title}', { title: table.title })}
      styles={['reference.css', 'explore.css']}
    >
      <header class="page-head">
        <h1>{t('Explore')}</h1>
      </header>
      <p class="lead">
        {rich(
          'Compare zines by two properties. Click a bar or number to see those zines. See also the {map}.',
          { map: <a href={withParameters(mapPath, '', filters)}>{t('map')}</a> },
        )}
      </p>
      <Choice {...props} />
      <FilterChips context={context} filters={active} />
      <section class="explored" aria-labelledby="explored">
        <h2 id="explored" class="label">
          {table.title}
        </h2>
        <Counted {...props} />
        {table.rows.length > 0 && (
          <>
            <StackedBars table={table} />
            <Numbers {...props} />
          </>
        )}
      </section>
      <FormatLinks context={context} formats={formats} />
      <ApiRequest context={context} json={json} />
    </Layout>
  )
}

/** The filters that have an input of their own. */
const inputs: ReadonlySet<string> = new Set(['q', 'year__gte', 'year__lte'])

const Choice = ({ facets, rows, columns, noColumns, filters }: ExplorePageProps) => {
  return (
    <Form method="get" class="controls" action={explorePath}>
      <LabelledSelect
        name="rows"
        label={t('Rows')}
        value={rows.name}
        options={facets.map(({ name, title }) => [name, t(title)])}
      />
      <LabelledSelect
        name="columns"
        label={t('Columns')}
        value={columns?.name ?? noColumns}
        options={[
          ...facets.map(({ name, title }) => [name, t(title)] as const),
          [noColumns, t('None')],
        ]}
      />
      <label class="grow">
        <span>{t('Only zines with the words')}</span>
        <input type="search" name="q" value={filters.q ?? ''} autocomplete="off" />
      </label>
      <YearInput name="year__gte" title={t('From year')} value={filters.year__gte} />
      <YearInput name="year__lte" title={t('To year')} value={filters.year__lte} />
      {Object.entries(filters)
        .filter(([name]) => !inputs.has(name))
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <button>{t('Show')}</button>
    </Form>
  )
}

const Counted = ({ table, rows, columns, filters }: ExplorePageProps) => {
  const shownOf = (facet: FacetOption, shown: number, all: number): string =>
    shown < all
      ? ` ${t('The {shown} most frequent of {all} {things} are shown.', {
          shown: numberText(shown),
          all: numberText(all),
          things: t(facet.plural),
        })}`
      : ''
  return (
    <p role="status">
      {countedSentence(pageTranslator(), table.count, filters)}
      {columns && table.rows.length > 0 && (
        <>
          {' '}
          {t('A zine with several {columns} or {rows} is counted with each of them.', {
            columns: t(columns.plural),
            rows: t(rows.plural),
          })}
          {shownOf(rows, table.rows.length, table.rowCount)}
          {shownOf(columns, table.columns.length, table.columnCount)}
        </>
      )}
      {!columns && shownOf(rows, table.rows.length, table.rowCount)}
      {table.rows.length > 0 && isDated(rows, columns) && (
        <>
          {' '}
          {rich('Those without a year are left out: {link}.', {
            link: (
              <a href={listPath('zines', { ...filters, undated: 'true' })}>{t('show these')}</a>
            ),
          })}
        </>
      )}
      {table.count > 0 && table.rows.length === 0 && (
        <>
          {' '}
          {t('None of them has a {title}.', { title: t(rows.title).toLowerCase() })}{' '}
          <a href={listPath('zines', filters)}>{t('Show them')}</a>
        </>
      )}
    </p>
  )
}

const isDated = (...facets: readonly (FacetOption | undefined)[]): boolean =>
  facets.some((facet) => facet?.name === 'decade' || facet?.name === 'year')

const Numbers = ({ table, rows }: ExplorePageProps) => (
  <ScrollRegion class="scrolled" label={t('{title}, as a table', { title: table.title })}>
    <table class="cross">
      <caption class="visually-hidden">
        {t('{title}: numbers of zines', { title: table.title })}
      </caption>
      <thead>
        <tr>
          <th scope="col">{t(rows.title)}</th>
          <th scope="col" class="number">
            {t('Zines')}
          </th>
          {table.columns.map((column) => (
            <th key={column.value} scope="col" class="number">
              <a href={column.href} lang={column.language}>
                {column.label}
              </a>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => (
          <tr key={row.value}>
            <th scope="row">
              <a href={row.href} lang={row.language}>
                {row.label}
              </a>
            </th>
            <td class="number">
              <NumberLink count={row.count} href={row.href} row={row} />
            </td>
            {row.cells.map((cell, index) => (
              <td key={table.columns[index]?.value} class="number">
                <NumberLink {...cell} row={row} column={table.columns[index]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)

const NumberLink = ({
  count,
  href,
  row,
  column,
}: {
  readonly count: number
  readonly href: string
  readonly row: CrossValue
  readonly column?: CrossValue | undefined
}) =>
  count === 0 ? (
    <span class="none">0</span>
  ) : (
    <a
      href={href}
      aria-label={`${numberText(count)}: ${[row.label, column?.label].filter(Boolean).join(', ')}`}
    >
      {numberText(count)}
    </a>
  )
