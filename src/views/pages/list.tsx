// A page of a list of records, with search, order, filters and paging.

import { type Format, type PageLinks, titleOfFormat } from '../../formats/serializer.js'
import { textValue } from '../../model/record/values.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Picture } from '../../pictures/picture.js'
import { editingLinks, exportPath, nounFor, resourceTitle, withParameters } from '../links.js'
import { Csrf, Layout, type PageContext } from '../layout.js'
import { ApiRequest } from '../components/api-request.js'
import { CoverInPage, CoverTextures, drawnCoverOf } from '../components/cover.js'
import { PictureImage } from '../components/picture.js'
import { ItemExports } from '../components/item-exports.js'
import { RecordSummary, recordTitle } from '../components/record-summary.js'

/** A filter with its values, and the number of records that each value would leave. */
export type Facet = {
  readonly name: string
  readonly label: string
  /** The selected value; empty when there is none. */
  readonly chosen: string
  readonly values: readonly FacetChoice[]
}

export type FacetChoice = { readonly value: string; readonly label: string; readonly count: number }

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
  /** The picture of a record for everybody, by its identifier; undefined where there is none. */
  readonly coverOf: (id: string) => Picture | undefined
  readonly facets: readonly Facet[]
  readonly mayWrite: boolean
  /** The formats of this page. */
  readonly formats: readonly Format[]
  /** The formats of the whole list as a file. */
  readonly exportFormats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export const ListPage = (props: ListPageProps) => {
  const { context, resource, records, count, facets, mayWrite } = props
  return (
    <Layout context={context} title={resourceTitle(resource.name)} head={<FeedLink {...props} />}>
      <header class="page-head">
        <h1>{resourceTitle(resource.name)}</h1>
        {mayWrite && (
          <p class="actions">
            <a class="button" href={editingLinks.create(resource.name)}>
              New {nounFor(resource.name)}
            </a>
            <a
              class="button quiet"
              href={withParameters(editingLinks.duplicates, '', { kind: resource.name })}
            >
              Likely duplicates
            </a>
          </p>
        )}
      </header>
      <Controls {...props} />
      <div class="with-side" data-live>
        <aside class="facets" aria-label="Filters">
          {facets.map((facet) => (
            <FacetBox key={facet.name} context={context} facet={facet} />
          ))}
        </aside>
        <section class="results" aria-label="Records">
          <div class="count-and-view">
            <p class="count" role="status">
              <strong>{count.toLocaleString('en')}</strong> {nounFor(resource.name, count)}
            </p>
            {props.view && <ViewChoice context={context} view={props.view} />}
          </div>
          <ActiveFilters context={context} facets={facets} search={props.search} q={props.q} />
          {records.length > 0 && (mayWrite ? <TickList {...props} /> : <RecordList {...props} />)}
          <Pager {...props} />
          {count > 0 && <Downloads {...props} />}
          <ApiRequest context={dataContext(context)} json={props.json} formats={props.formats} />
        </section>
      </div>
    </Layout>
  )
}

/** The context of links to data, which are the same however a browser shows the list. */
const dataContext = (context: PageContext): PageContext => ({
  ...context,
  query: withParameters('', context.query, { view: undefined }).slice(1),
})

/** Feed readers find the feed of the list by it. */
const FeedLink = ({ context, resource, formats }: ListPageProps) => {
  const feed = formats.find(({ name }) => name === 'atom')
  if (!feed) return null
  const changes = { format: feed.name, page: undefined, page_size: undefined, view: undefined }
  return (
    <link
      rel="alternate"
      type={feed.type}
      title={`${resourceTitle(resource.name)}: what is new`}
      href={withParameters(context.path, context.query, changes)}
    />
  )
}

const viewNames = { list: 'List', grid: 'Covers' } as const

const ViewChoice = ({
  context,
  view,
}: {
  readonly context: PageContext
  readonly view: keyof typeof viewNames
}) => (
  <nav class="view" aria-label="View">
    <ul>
      {(['list', 'grid'] as const).map((one) => (
        <li key={one}>
          <a
            href={withParameters(context.path, context.query, { view: one })}
            aria-current={one === view ? 'true' : undefined}
            rel="nofollow"
          >
            {viewNames[one]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** The picture of a record, or its drawn cover. Its title is below it. */
const ListCover = ({
  record,
  picture,
}: {
  readonly record: ResolvedRecord
  readonly picture: Picture | undefined
}) =>
  picture ? (
    <PictureImage picture={picture} width={200} alt={picture.alt} isLazy />
  ) : (
    <CoverInPage cover={drawnCoverOf(record)} />
  )

const RecordList = ({ resource, resources, records, coverOf, ...props }: ListPageProps) => {
  const { page, mayWrite, view } = props
  const classes = ['records', ...(mayWrite ? ['ticked'] : []), ...(view === 'grid' ? ['wall'] : [])]
  return (
    <>
      {view === 'grid' && <CoverTextures covers={records.map(drawnCoverOf)} />}
      <ol class={classes.join(' ')} start={(page.number - 1) * page.size + 1}>
        {records.map((record) => {
          const id = textValue(record.values, resource.id.name)
          return (
            <li key={id}>
              {mayWrite && (
                <input
                  type="checkbox"
                  name="id"
                  value={id}
                  aria-label={`Tick ${recordTitle(record, resources)}`}
                />
              )}
              {view === 'grid' && <ListCover record={record} picture={coverOf(id)} />}
              <RecordSummary record={record} resources={resources} />
            </li>
          )
        })}
      </ol>
    </>
  )
}

/** The records with a box for each, to edit those that are ticked, or all that the list finds. */
const TickList = (props: ListPageProps) => {
  const { context, resource, count } = props
  const path = editingLinks.batchEdit(resource.name)
  return (
    <form method="post" action={path} aria-label="Batch edit">
      <Csrf token={context.csrf} />
      <p class="actions">
        <button class="quiet small" name="do" value="choose">
          Edit the ticked ones
        </button>
        <a
          class="button quiet small"
          href={withParameters(path, context.query, {
            page: undefined,
            page_size: undefined,
            view: undefined,
          })}
        >
          Edit all {count.toLocaleString('en')}
        </a>
      </p>
      <RecordList {...props} />
    </form>
  )
}

/** The form for search and order; client/site.ts sends it while somebody types. */
const Controls = ({ context, resource, search, q, ordering, facets, view }: ListPageProps) => {
  const isSearchable = resource.fields.some((field) => field.searchable)
  return (
    <form class="controls" method="get" action={context.path} role="search" data-live-form>
      {(isSearchable || q !== '') && (
        <label class="grow">
          <span>Search {nounFor(resource.name, 2)}</span>
          {q === '' ? (
            <input type="search" name="search" value={search} autocomplete="off" />
          ) : (
            <input type="search" name="q" value={q} autocomplete="off" />
          )}
        </label>
      )}
      {q !== '' && <input type="hidden" name="search" value={search} />}
      {hasViewParameter(context) && <input type="hidden" name="view" value={view} />}
      <label>
        <span>Order</span>
        <select name="ordering">
          {[...(q === '' ? [] : [byRelevance]), ...orders(resource)].map(([value, label]) => (
            <option key={value} value={value} selected={value === (ordering || usualOrder(q))}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {facets
        .filter(({ chosen }) => chosen !== '')
        .map(({ name, chosen }) => (
          <input key={name} type="hidden" name={name} value={chosen} />
        ))}
      <button>{isSearchable ? 'Search' : 'Show'}</button>
    </form>
  )
}

/** Whether the address says how the list is shown; else a cookie does. */
const hasViewParameter = ({ query }: PageContext): boolean => new URLSearchParams(query).has('view')

const byRelevance = ['relevance', 'Best match first'] as const

const usualOrder = (q: string): string => (q === '' ? '-created_at' : byRelevance[0])

/** The orders of a list by one field, ascending and descending. */
const orders = ({ fields }: Resource): (readonly [value: string, label: string])[] =>
  fields
    .filter((field) => field.sortable)
    .flatMap(({ name, label, kind }): (readonly [string, string])[] => {
      const [up, down] = kind === 'time' ? ['earliest first', 'latest first'] : ['A to Z', 'Z to A']
      return [
        [name, `${label}: ${up}`],
        [`-${name}`, `${label}: ${down}`],
      ]
    })

const maxShownChoices = 8

const FacetBox = ({ context, facet }: { readonly context: PageContext; readonly facet: Facet }) => {
  const { label, values } = facet
  if (values.length === 0) return null
  const items = values.map((choice) => (
    <FacetItem key={choice.value} context={context} facet={facet} choice={choice} />
  ))
  return (
    <section class="facet">
      <h2>{label}</h2>
      <ul>{items.slice(0, maxShownChoices)}</ul>
      {items.length > maxShownChoices && (
        <details>
          <summary>
            More <span class="visually-hidden">of {label.toLowerCase()}</span>
          </summary>
          <ul>{items.slice(maxShownChoices)}</ul>
        </details>
      )}
    </section>
  )
}

const FacetItem = ({
  context,
  facet: { name, chosen },
  choice: { value, label, count },
}: {
  readonly context: PageContext
  readonly facet: Facet
  readonly choice: FacetChoice
}) => {
  const isChosen = value === chosen
  const address = withParameters(context.path, context.query, {
    [name]: isChosen ? undefined : value,
    page: undefined,
  })
  return (
    <li>
      <a href={address} aria-current={isChosen ? 'true' : undefined} rel="nofollow">
        <span class="facet-label">{label}</span>{' '}
        <span class="facet-count">{count.toLocaleString('en')}</span>
      </a>
    </li>
  )
}

/** The search and filters in force, each as a link that removes it. */
const ActiveFilters = ({
  context,
  facets,
  search,
  q,
}: {
  readonly context: PageContext
  readonly facets: readonly Facet[]
  readonly search: string
  readonly q: string
}) => {
  const chosen = [
    ...(q === '' ? [] : [{ name: 'q', label: 'Search', text: q }]),
    ...(search === '' ? [] : [{ name: 'search', label: 'Search', text: search }]),
    ...facets
      .filter((facet) => facet.chosen !== '')
      .map(({ name, label, chosen, values }) => ({
        name,
        label,
        text: values.find(({ value }) => value === chosen)?.label ?? chosen,
      })),
  ]
  if (chosen.length === 0) return null
  return (
    <ul class="chosen" aria-label="Chosen filters">
      {chosen.map(({ name, label, text }) => (
        <li key={name}>
          <a
            href={withParameters(context.path, context.query, {
              [name]: undefined,
              page: undefined,
            })}
          >
            <span class="visually-hidden">Remove </span>
            {label}: {text} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

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
    <nav class="pager" aria-label="Pages">
      {links.previous && (
        <a rel="prev" href={to(page.number - 1)}>
          ← Previous
        </a>
      )}
      <span>
        Page {page.number.toLocaleString('en')} of {last.toLocaleString('en')}
      </span>
      {links.next && (
        <a rel="next" href={to(page.number + 1)}>
          Next →
        </a>
      )}
      {page.number > 2 && <a href={to(1)}>First</a>}
      {page.number < last - 1 && <a href={to(last)}>Last</a>}
    </nav>
  )
}

/** Files with everything that the list finds, not only with the records of this page. */
const Downloads = ({
  context,
  resource,
  count,
  exportFormats,
}: Pick<ListPageProps, 'context' | 'resource' | 'count' | 'exportFormats'>) => (
  <nav class="formats" aria-label="Download">
    <h2>Download all {count.toLocaleString('en')}</h2>
    <ul>
      {exportFormats.map((format) => (
        <li key={format.name}>
          <a
            href={exportPath(resource.name, context.query, format.name)}
            type={format.type}
            rel="nofollow"
          >
            {titleOfFormat(format)}
          </a>
        </li>
      ))}
      <ItemExports name={resource.name} query={context.query} />
    </ul>
  </nav>
)
