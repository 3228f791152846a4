// The Explore page: zines counted by two of their facets, as a page with a chart and a table, as
// JSON, CSV and SVG (docs/reference/explore.md, "Explore"). How it looks is left to
// features/explore/explore-page.tsx.

import { english, type Translator } from '../../messages/translator.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import { csv, csvRow, formulaSafeCell } from '../../formats/csv.js'
import type { Format } from '../../formats/serializer.js'
import type { Resources } from '../../model/resources.js'
import { StackedBarsFile } from './stacked-bars.js'
import { ExplorePage, countedSentence } from './explore-page.js'
import { renderSvg } from '../../views/render.js'
import type { Handler, RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { inQuery } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import {
  type ExploreQuery,
  exploreDefaults,
  exploreLimits,
  exploredFacets,
  noColumns,
  parseExploreQuery,
} from './explore-query.js'
import { checkListParams } from '../../http/request/list-query.js'
import { queryParam } from '../../http/request/url.js'
import { sendJson, sendText } from '../../http/response/conditional.js'
import { type ExploreTable, createExploreTable } from './cross-table.js'
import { activeFilters } from '../records/active-filters.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { labelledCountSchema } from '../../http/response/facet-labels.js'
import * as schema from '../../http/schemas.js'

const exploredNames = exploredFacets.map(({ name }) => name)

const facetSchema = schema.object({
  facet: schema.choice(exploredNames),
  values: schema.listOf(labelledCountSchema),
})

const tableSchema = schema.component(
  'ExploreTable',
  'How many zines of a list have each pair of values of two facets.',
  {
    count: schema.count('How many zines the list has.'),
    rows: facetSchema,
    columns: schema.nullable(facetSchema),
    cells: schema.listOf(
      schema.listOf(schema.count()),
      'For each row, a number for each column; none where there are no columns.',
    ),
  },
)

const parameters = [
  inQuery(
    'rows',
    'The facet that has a row for each value.',
    schema.choice(exploredNames, { default: exploreDefaults.rows }),
  ),
  inQuery(
    'columns',
    `The facet that has a column for each value; \`${noColumns}\` for none.`,
    schema.choice([...exploredNames, noColumns], { default: exploreDefaults.columns }),
  ),
  inQuery(
    'limit',
    `How many rows there are at most: those of the most frequent values. Without it, ${exploreLimits.shown.rows}, and ${exploreLimits.file.rows} in CSV. Columns are at most ${exploreLimits.shown.columns}, and ${exploreLimits.file.columns} in CSV.`,
    schema.positive({ maximum: exploreLimits.file.rows }),
  ),
]

const svg: Format = { name: 'svg', type: 'image/svg+xml' }

type ExploreDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
}

export const exploreEndpoint = (dependencies: ExploreDependencies): Endpoint => ({
  path: '/explore',
  name: 'Explore',
  description: 'How many zines of a list have each pair of values of two facets.',
  formats: [json, csv, svg],
  htmlHandler: explorePage(dependencies),
  methods: {
    async GET(ctx) {
      const { catalogue } = dependencies
      ctx.state.isCurrent = catalogue.currentUntilNextWrite()
      const query = readQuery(ctx, dependencies)
      ctx.set('Cache-Control', 'no-cache')
      if (ctx.state.format === svg) await sendChart(ctx, dependencies, query)
      else if (ctx.state.format === csv) await sendTable(ctx, dependencies, query)
      else sendJson(ctx, toJson(query, await tableOf(dependencies, query)))
    },
  },
  operations: { GET: { response: tableSchema, parameters, selects: 'zines', errors: [400, 501] } },
})

function readQuery(ctx: RequestContext, { resources }: ExploreDependencies): ExploreQuery {
  checkListParams(ctx, resources.zines, ['rows', 'columns'])
  return parseExploreQuery(ctx, resources.zines)
}

/** What the page, its chart and its JSON have of the counts. */
function tableOf(
  { catalogue, resources }: ExploreDependencies,
  query: ExploreQuery,
  { origin = '', translator = english }: { origin?: string; translator?: Translator } = {},
): Promise<ExploreTable> {
  const limits = { ...exploreLimits.shown, ...(query.limit && { rows: query.limit }) }
  return createExploreTable({ catalogue, resources, origin, translator }, query, limits)
}

function explorePage(dependencies: ExploreDependencies): Handler {
  const { assets, catalogue, resources } = dependencies
  return async (ctx) => {
    const query = readQuery(ctx, dependencies)
    const context = pageContext(ctx, assets)
    const { translator } = context
    const table = await tableOf(dependencies, query, { translator })
    const asData = translator === english ? table : await tableOf(dependencies, query)
    sendPage(
      ctx,
      <ExplorePage
        context={context}
        table={table}
        facets={exploredFacets}
        rows={query.rows}
        columns={query.columns}
        noColumns={noColumns}
        filters={query.filters}
        active={await activeFilters(
          { catalogue, resources, translator, query: query.query },
          resources.zines,
          Object.entries(query.filters),
        )}
        formats={[json, csv, svg]}
        json={JSON.stringify(toJson(query, asData))}
      />,
    )
  }
}

const toJson = (
  { rows, columns }: ExploreQuery,
  table: ExploreTable,
): schema.ValueOf<typeof tableSchema> => ({
  count: table.count,
  rows: { facet: rows.name, values: table.rows.map(valueOf) },
  columns: columns ? { facet: columns.name, values: table.columns.map(valueOf) } : null,
  cells: columns ? table.rows.map(({ cells }) => cells.map(({ count }) => count)) : [],
})

const valueOf = ({ value, label, count }: ExploreTable['columns'][number]) => ({
  value,
  label,
  count,
})

async function sendTable(
  ctx: RequestContext,
  { catalogue, resources }: ExploreDependencies,
  query: ExploreQuery,
): Promise<void> {
  const limits = { ...exploreLimits.file, ...(query.limit && { rows: query.limit }) }
  const { columns, rows } = await createExploreTable(
    { catalogue, resources, origin: '', translator: english },
    query,
    limits,
  )
  const isSafe = ['1', 'true'].includes(queryParam(ctx, 'safe'))
  const header = [query.rows.name, query.rows.title, 'Zines', ...columns.map(({ label }) => label)]
  const lines = rows.map(({ value, label, count, cells }) => [
    value,
    label,
    String(count),
    ...cells.map((cell) => String(cell.count)),
  ])
  sendDownload(
    ctx,
    query,
    [header, ...lines].map((cells) => csvRow(cells, isSafe ? formulaSafeCell : undefined)).join(''),
  )
}

async function sendChart(
  ctx: RequestContext,
  dependencies: ExploreDependencies,
  query: ExploreQuery,
): Promise<void> {
  const table = await tableOf(dependencies, query, { origin: requestOrigin(ctx) })
  ctx.set('Content-Security-Policy', "default-src 'none'")
  sendDownload(
    ctx,
    query,
    renderSvg(
      <StackedBarsFile table={table} note={countedSentence(english, table.count, query.filters)} />,
    ),
  )
}

function sendDownload(ctx: RequestContext, { rows, columns }: ExploreQuery, text: string): void {
  const name = ['zines', rows.name, ...(columns ? [columns.name] : [])].join('-')
  ctx.set('Content-Disposition', `attachment; filename="${name}.${ctx.state.format.name}"`)
  sendText(ctx, text)
}
