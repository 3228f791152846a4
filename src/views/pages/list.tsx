// A page of a list of records, with search, order, filters and paging.

import { type Format, type PageLinks, titleOfFormat } from '../../formats/serializer.js'
import { textValue } from '../../model/record/values.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { editingLinks, exportPath, nounFor, resourceTitle, withParameters } from '../links.js'
import { Csrf, Layout, type PageContext } from '../layout.js'
import { ApiRequest } from '../components/api-request.js'
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
  readonly ordering: string
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
          <p class="count" role="status">
            <strong>{count.toLocaleString('en')}</strong> {nounFor(resource.name, count)}
          </p>
          <ActiveFilters context={context} facets={facets} search={props.search} />
          {records.length > 0 && (mayWrite ? <TickList {...props} /> : <RecordList {...props} />)}
          <Pager {...props} />
          {count > 0 && <Downloads {...props} />}
          <ApiRequest context={context} json={props.json} formats={props.formats} />
        </section>
      </div>
    </Layout>
  )
}

/** Feed readers find the feed of the list by it. */
const FeedLink = ({ context, resource, formats }: ListPageProps) => {
  const feed = formats.find(({ name }) => name === 'atom')
  if (!feed) return null
  const changes = { format: feed.name, page: undefined, page_size: undefined }
  return (
    <link
      rel="alternate"
      type={feed.type}
      title={`${resourceTitle(resource.name)}: what is new`}
      href={withParameters(context.path, context.query, changes)}
    />
  )
}

const RecordList = ({ resource, resources, records, page, mayWrite }: ListPageProps) => (
  <ol class={mayWrite ? 'records ticked' : 'records'} start={(page.number - 1) * page.size + 1}>
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
          <RecordSummary record={record} resources={resources} />
        </li>
      )
    })}
  </ol>
)

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
          href={withParameters(path, context.query, { page: undefined, page_size: undefined })}
        >
          Edit all {count.toLocaleString('en')}
        </a>
      </p>
      <RecordList {...props} />
    </form>
  )
}

/** The form for search and order; client/site.ts sends it while somebody types. */
const Controls = ({ context, resource, search, ordering, facets }: ListPageProps) => {
  const isSearchable = resource.fields.some((field) => field.searchable)
  return (
    <form class="controls" method="get" action={context.path} role="search" data-live-form>
      {isSearchable && (
        <label class="grow">
          <span>Search {nounFor(resource.name, 2)}</span>
          <input type="search" name="search" value={search} autocomplete="off" />
        </label>
      )}
      <label>
        <span>Order</span>
        <select name="ordering">
          {orders(resource).map(([value, label]) => (
            <option key={value} value={value} selected={value === (ordering || '-created_at')}>
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
}: {
  readonly context: PageContext
  readonly facets: readonly Facet[]
  readonly search: string
}) => {
  const chosen = [
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
