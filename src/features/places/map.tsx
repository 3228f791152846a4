// The map of the cities that zines come from, and of the libraries that have them
// (docs/reference/explore.md, "Map"). How it looks is left to features/places/map-page.tsx.

import { message } from '../../message.js'
import { json } from '../../formats/common-formats.js'
import { ValidationError } from '../../model/record/input.js'
import { mapPath } from '../../views/links.js'
import { closeViewName, closeViewOf, mapViews, toMapPoint, worldView } from './map-projection.js'
import { type MapCircle, MapPage } from './map-page.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { requestOrigin } from '../../http/origin.js'
import { checkListParams, listParamsOf, parseListQuery } from '../../http/request/list-query.js'
import { queryParam, queryParams } from '../../http/request/url.js'
import { sendJson } from '../../http/response/conditional.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { activeFilters } from '../records/active-filters.js'
import { type MapData, readMapData } from './map-data.js'
import * as schema from '../../http/schemas.js'

/** What has a number of zines. */
const countedBy = (id: string) => ({
  id: schema.text(id),
  name: schema.text('What people call it.'),
  zines: schema.count(),
  url: schema.url('The list of these zines.'),
})

const circleBy = (id: string) =>
  schema.object({
    ...countedBy(id),
    latitude: schema.number('Decimal degrees, WGS 84.'),
    longitude: schema.number('Decimal degrees, WGS 84.'),
  })

const mapSchema = schema.component(
  'ZineMap',
  'Where the zines of a list come from, and which repositories have them.',
  {
    count: schema.count('How many zines the list has.'),
    placed: schema.count('How many of them are in a country.'),
    cities: schema.listOf(circleBy('The identifier in GeoNames.')),
    countries: schema.listOf(schema.object(countedBy('The identifier in GeoNames.'))),
    repositories: schema.listOf(circleBy('The identifier of the repository.')),
  },
)

type MapEndpointDependencies = Parameters<typeof readMapData>[0] & { readonly assets: AssetUrls }

export function mapEndpoint(dependencies: MapEndpointDependencies): Endpoint {
  const { assets, catalogue, resources } = dependencies

  async function read(ctx: RequestContext) {
    checkListParams(ctx, resources.zines, ['view'])
    const params = queryParams(ctx)
    const filters = Object.fromEntries(
      listParamsOf(resources.zines).flatMap((name) => {
        const value = params.get(name)?.trim()
        return value ? [[name, value]] : []
      }),
    )
    const query = { ...parseListQuery(ctx), filters: new Map(Object.entries(filters)) }
    return { query, filters, data: await readMapData(dependencies, query, filters) }
  }

  return {
    path: mapPath,
    name: 'Map',
    description:
      'The cities and countries that zines come from, and the repositories that have them.',
    formats: [json],
    async htmlHandler(ctx) {
      checkView(ctx)
      const { query, filters, data } = await read(ctx)
      const close = closeViewOf(
        data.cities.map(({ longitude, latitude, zines }) => ({
          point: toMapPoint(longitude, latitude),
          weight: zines,
        })),
      )
      const views = close ? [close, ...mapViews] : mapViews
      const viewName = queryParam(ctx, 'view').trim()
      const view = views.find(({ name }) => name === viewName) ?? views[0] ?? worldView
      const context = pageContext(ctx, assets)
      sendPage(
        ctx,
        <MapPage
          context={context}
          {...data}
          view={view}
          views={views}
          filters={filters}
          active={await activeFilters(
            { catalogue, resources, translator: context.translator, query },
            resources.zines,
            Object.entries(filters),
          )}
          formats={[json]}
          json={JSON.stringify(toJson(ctx, data))}
        />,
      )
    },
    methods: {
      async GET(ctx) {
        ctx.state.isCurrent = catalogue.currentUntilNextWrite()
        ctx.set('Cache-Control', 'no-cache')
        sendJson(ctx, toJson(ctx, (await read(ctx)).data))
      },
    },
    operations: { GET: { response: mapSchema, selects: 'zines', errors: [400, 501] } },
  }
}

/** @throws ValidationError for a part of the map that there is none of */
function checkView(ctx: RequestContext): void {
  const names = [closeViewName, ...mapViews.map(({ name }) => name)]
  const viewName = queryParam(ctx, 'view').trim()
  if (viewName === '' || names.includes(viewName)) return
  const views = names.join(', ')
  throw new ValidationError(
    new Map([['view', [message('A view has to be one of {views}.', { views })]]]),
  )
}

function toJson(ctx: RequestContext, { count, placed, cities, countries, libraries }: MapData) {
  const origin = requestOrigin(ctx)
  const circle = ({ id, name, latitude, longitude, zines, href }: MapCircle) => ({
    id,
    name,
    latitude,
    longitude,
    zines,
    url: origin + href,
  })
  return {
    count,
    placed,
    cities: cities.map(circle),
    countries: countries.map(({ id, name, zines, href }) => ({
      id,
      name,
      zines,
      url: origin + href,
    })),
    repositories: libraries.map(circle),
  }
}
