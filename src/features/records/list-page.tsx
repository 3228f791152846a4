// A page of a list of records, with search, order, filters and paging.

import type { Format, PageLinks } from '../../formats/serializer.js'
import type { WordMarks } from '../../model/marked-text.js'
import { textValue } from '../../model/record/values.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { Form } from '../../views/form.js'
import {
  bookletPath,
  editingLinks,
  explorePath,
  mapPath,
  randomPath,
  queryWithout,
  withParameters,
} from '../../views/links.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { ListApiRequest } from '../../views/components/api-request.js'
import { type Covers, SmallCover, WallCover } from '../covers/cover.js'
import { Downloads } from '../../views/components/downloads.js'
import { KeepPlace } from '../my-list/keep-place.js'
import {
  type ChosenFilter,
  type Facet,
  ChosenFilters,
  Facets,
  HiddenParameters,
  resultsId,
} from '../../views/components/facets.js'
import { RecordSummary, recordHeading } from '../../views/components/record-summary.js'
import { DidYouMean, SearchHelp } from '../../views/components/search-help.js'
import { Select } from '../../views/components/select.js'
import { kindTitle, labelled, message, nounText, numberText, t } from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'
import { type ListOrder, bestMatch, byYear, recentlyAdded } from '../../views/list-orders.js'

export type ListPageProps = {
  readonly context: PageContext
  readonly resource: Resource
  readonly resources: Resources
  readonly records: readonly ResolvedRecord[]
  readonly count: number
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
  readonly search: string
  /** The search that ranks; empty for none. */
  readonly q: string
  readonly ordering: string
  /** How the records are shown; undefined where there is no choice. */
  readonly view: 'list' | 'grid' | undefined
  readonly covers: Covers
  /** A search with other words, which were likely meant. */
  readonly didYouMean: string | undefined
  /** Where each record has the words of the search `q`; none without it. */
  readonly marks: readonly WordMarks[]
  readonly facets: readonly Facet[]
  /** The filters in force, without the searches. */
  readonly chosen: readonly ChosenFilter[]
  /** What the list lists. */
  readonly title: string
  readonly mayWrite: boolean
  /** The lists that editors make. */
  readonly mayEditLists: boolean
  /** The formats of this page. */
  readonly formats: readonly Format[]
  /** The formats of the whole list as a file; none of a list that not everyone sees. */
  readonly exportFormats: readonly Format[]
  /**
   * The API's JSON for the same address, with its first records alone, and how many are left out.
   */
  readonly json: string
  readonly leftOutOfJson: number
}

export const ListPage = (props: ListPageProps) => {
  const { context, resource, records, count, page, facets, chosen, title, mayWrite } = props
  const place = page.number > 1 ? `, ${t('page {number}', { number: page.number })}` : ''
  return (
    <Layout context={context} title={title + place} head={<FeedLink {...props} />}>
      <header class="page-head">
        <h1 dir="auto" data-live="title">
          {title}
        </h1>
        {mayWrite && (
          <p class="actions">
            <a class="button" href={editingLinks.create(resource.name)}>
              {t(kindTexts[resource.name].new)}
            </a>
            <a
              class="button quiet"
              href={withParameters(editingLinks.duplicates, '', { kind: resource.name })}
            >
              {t('Likely duplicates')}
            </a>
          </p>
        )}
      </header>
      <Controls {...props} />
      <div class="with-side" data-live="results">
        <Facets context={context} facets={facets} chosen={chosen.length} />
        <section class="results" id={resultsId} tabIndex={-1} aria-label={t('Records')}>
          <h2 class="visually-hidden">{t('Records')}</h2>
          <div class="count-and-view">
            <p class="count">
              <strong>{numberText(count)}</strong> {nounText(resource.name, count)}
            </p>
            {props.view && <ViewChoice context={context} view={props.view} />}
            {resource.name === 'zines' && count > 0 && <ExploreLinks {...props} />}
          </div>
          <ChosenFilters context={context} chosen={[...searchesIn(props), ...chosen]} />
          <Advice {...props} />
          {records.length > 0 && (mayWrite ? <TickList {...props} /> : <RecordList {...props} />)}
          <Pager {...props} />
          {count > 0 && props.exportFormats.length > 0 && (
            <Downloads
              name={resource.name}
              query={context.query}
              title={t('Download all {count}', { count: numberText(count) })}
              formats={props.exportFormats}
            />
          )}
          <ListApiRequest
            context={dataContext(context)}
            json={props.json}
            left={props.leftOutOfJson}
            formats={props.formats}
          />
        </section>
      </div>
    </Layout>
  )
}

/** The same zines counted, and on the map. */
const ExploreLinks = ({ context, chosen, ordering }: ListPageProps) => {
  const filters = new Set([...chosen.flatMap(({ changes }) => Object.keys(changes)), 'q', 'search'])
  const parameters = Object.fromEntries(
    [...new URLSearchParams(context.query)].filter(([name]) => filters.has(name)),
  )
  return (
    <p>
      <a href={withParameters(explorePath, '', parameters)}>{t('In charts')}</a>
      {' · '}
      <a href={withParameters(mapPath, '', parameters)}>{t('On the map')}</a>
      {' · '}
      <a href={withParameters(randomPath, '', parameters)} rel="nofollow">
        {t('One at random')}
      </a>
      {' · '}
      <a href={withParameters(bookletPath, '', { ...parameters, ordering })} rel="nofollow">
        {t('As a zine to print')}
      </a>
    </p>
  )
}

/** The searches in force, as filters that can be removed. */
export const searchesIn = ({
  q,
  search,
}: Pick<ListPageProps, 'q' | 'search'>): readonly ChosenFilter[] =>
  Object.entries({ q, search })
    .filter(([, text]) => text !== '')
    .map(([param, text]) => ({
      param,
      value: text,
      text,
      label: message('Search'),
      changes: { [param]: undefined },
    }))

/** What was likely meant, and what to do where nothing is found. */
const Advice = (props: ListPageProps) => {
  const { context, resource, q, count, didYouMean, chosen } = props
  const { path, query } = context
  return (
    <>
      {didYouMean !== undefined && (
        <DidYouMean
          q={didYouMean}
          href={withParameters(path, query, { q: didYouMean, page: undefined })}
        />
      )}
      {count === 0 && q !== '' && (
        <SearchHelp q={q} name={resource.name} isFiltered={chosen.length > 0} />
      )}
      {count === 0 && q === '' && chosen.length > 0 && <NoneLikeThat {...props} />}
    </>
  )
}

/** Where the filters leave nothing: the one that was chosen last can be removed at once. */
const NoneLikeThat = ({ context, resource, chosen }: ListPageProps) => {
  const last = lastChosen(context.query, chosen)
  return (
    <div class="notice">
      <p>{t(kindTexts[resource.name].noneLikeThat)}</p>
      {last && (
        <p class="actions">
          <a
            class="button small"
            href={withParameters(context.path, context.query, { ...last.changes, page: undefined })}
            data-filter-link
          >
            {t('Remove “{filter}”', { filter: labelled(t(last.label), last.text) })}
          </a>
        </p>
      )}
    </div>
  )
}

/** The filter that comes last in the address, where each choice is put behind those before. */
function lastChosen(query: string, chosen: readonly ChosenFilter[]): ChosenFilter | undefined {
  const values = [...new URLSearchParams(query)].flatMap(([name, value]) =>
    value.split(',').map((part) => ({ name, value: part.trim() })),
  )
  const placeOf = (filter: ChosenFilter): number =>
    values.findLastIndex(({ name, value }) => name in filter.changes && value === filter.value)
  return [...chosen].sort((a, b) => placeOf(b) - placeOf(a))[0]
}

/** The context of links to data, which are the same however a browser shows the list. */
const dataContext = (context: PageContext): PageContext => ({
  ...context,
  query: queryWithout(context.query, 'view'),
})

/** Feed readers find the feed of the list by it. */
const FeedLink = ({ context, title, formats }: ListPageProps) => {
  const feed = formats.find(({ name }) => name === 'atom')
  if (!feed) return null
  const changes = { format: feed.name, page: undefined, page_size: undefined, view: undefined }
  return (
    <link
      rel="alternate"
      type={feed.type}
      title={t('{title}: what is new', { title })}
      href={withParameters(context.path, context.query, changes)}
    />
  )
}

const viewNames = { list: message('List'), grid: message('Covers') } as const

const ViewChoice = ({
  context,
  view,
}: {
  readonly context: PageContext
  readonly view: keyof typeof viewNames
}) => (
  <nav class="view" aria-label={t('View')}>
    <ul>
      {(['list', 'grid'] as const).map((choice) => (
        <li key={choice}>
          <a
            href={withParameters(context.path, context.query, { view: choice })}
            aria-current={choice === view ? 'true' : undefined}
            rel="nofollow"
          >
            {t(viewNames[choice])}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

const RecordList = ({ resource, resources, records, covers, ...props }: ListPageProps) => {
  const { page, marks, mayWrite, view } = props
  const Cover = view === 'grid' ? WallCover : SmallCover
  const classes = ['records', ...(mayWrite ? ['ticked'] : []), ...(view === 'grid' ? ['wall'] : [])]
  return (
    <ol class={classes.join(' ')} start={(page.number - 1) * page.size + 1}>
      {records.map((record, index) => {
        const id = textValue(record.values, resource.id.name)
        return (
          <li key={id}>
            {mayWrite && (
              <input
                type="checkbox"
                name="id"
                value={id}
                aria-label={t('Tick {title}', {
                  title: recordHeading(record, resources),
                })}
              />
            )}
            <Cover {...{ record, resources, covers }} />
            <RecordSummary record={record} resources={resources} marks={marks[index]} />
            <KeepPlace record={record} resources={resources} />
          </li>
        )
      })}
    </ol>
  )
}

/** The records with a box for each, to edit those that are ticked, or all that the list finds. */
const TickList = (props: ListPageProps) => {
  const { context, resource, count, mayEditLists } = props
  return (
    <Form
      context={context}
      action={editingLinks.batchEdit(resource.name)}
      aria-label={t('Batch edit')}
    >
      <p class="actions">
        <button class="quiet small" name="do" value="choose">
          {t('Edit the ticked records')}
        </button>
        {mayEditLists && (
          <>
            <input type="hidden" name="kind" value={resource.name} />
            <button class="quiet small" formAction={editingLinks.addToList()}>
              {t('Add the ticked records to a list')}
            </button>
          </>
        )}
        <input
          type="hidden"
          name="list"
          value={queryWithout(context.query, 'page', 'page_size', 'view')}
        />
        <label class="choice">
          <input type="checkbox" name="all" value="yes" data-tick-all />
          <span>{t('Tick all {count}', { count: numberText(count) })}</span>
        </label>
      </p>
      <RecordList {...props} />
    </Form>
  )
}

/** The form for search and order; client/site.ts sends it while somebody types. */
const Controls = (props: ListPageProps) => {
  const { context, resource, search, q } = props
  const param = searchParam(props)
  return (
    <Form
      method="get"
      class="controls"
      action={context.path}
      role="search"
      aria-label={kindTitle(resource.name)}
      data-live-form
    >
      {param && (
        <label class="grow">
          <span>{t(kindTexts[resource.name].search)}</span>
          <input
            type="search"
            name={param}
            value={param === 'q' ? q : search}
            autocomplete="off"
            dir="auto"
          />
        </label>
      )}
      <OrderChoice {...props} />
      <span hidden data-live="kept">
        <HiddenParameters
          query={context.query}
          except={['ordering', ...(param === undefined ? [] : [param])]}
        />
      </span>
      <button>{param ? t('Search') : t('Show')}</button>
    </Form>
  )
}

/** The search of the form: for words where the service does that, else for parts of words. */
function searchParam({ context, resource, q }: ListPageProps): 'q' | 'search' | undefined {
  if (context.findsWords || q !== '') return 'q'
  return resource.fields.some((field) => field.searchable) ? 'search' : undefined
}

/**
 * The usual order has no value, so that it is the best match first as soon as somebody searches.
 */
const OrderChoice = ({ resource, q, ordering }: ListPageProps) => {
  const usual = q === '' ? recentlyAdded : bestMatch
  const chosen = ordering === usual.value ? '' : ordering
  const others = orders(resource).filter(({ value }) => value !== usual.value)
  return (
    <label data-live="order">
      <span>{t('Order')}</span>
      <Select
        name="ordering"
        value={chosen}
        options={[{ ...usual, value: '' }, ...others].map(({ value, label }) => [value, t(label)])}
      />
    </label>
  )
}

/** The orders of a list, the usual ones before those by one field, ascending and descending. */
const orders = ({ name, fields }: Resource): readonly ListOrder[] => [
  recentlyAdded,
  ...(name === 'zines' ? byYear : []),
  ...fields
    .filter((field) => field.sortable)
    .flatMap((field): ListOrder[] => {
      const [up, down] =
        field.kind === 'time'
          ? [t('earliest first'), t('latest first')]
          : [t('A to Z'), t('Z to A')]
      return [
        { value: field.name, label: labelled(t(field.label), up) },
        { value: `-${field.name}`, label: labelled(t(field.label), down) },
      ]
    })
    .filter(({ value }) => value !== recentlyAdded.value),
]

/** Links to the pages before and after; nothing for a list of one page. */
export const Pager = ({
  context,
  count,
  page,
  links,
}: Pick<ListPageProps, 'context' | 'count' | 'page' | 'links'>) => {
  const last = Math.max(1, Math.ceil(count / page.size))
  if (last === 1) return null
  const to = (number: number) =>
    withParameters(context.path, context.query, { page: number > 1 ? String(number) : undefined })
  return (
    <nav class="pager" aria-label={t('Pages')}>
      {links.previous && (
        <a rel="prev" href={to(page.number - 1)}>
          {t('← Previous')}
        </a>
      )}
      <span>
        {t('Page {number} of {last}', { number: numberText(page.number), last: numberText(last) })}
      </span>
      {links.next && (
        <a rel="next" href={to(page.number + 1)}>
          {t('Next →')}
        </a>
      )}
      {page.number > 2 && <a href={to(1)}>{t('First')}</a>}
      {page.number < last - 1 && <a href={to(last)}>{t('Last')}</a>}
    </nav>
  )
}
