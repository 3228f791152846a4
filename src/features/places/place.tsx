// The pages of places: their list, and one place with the places it is in and those in it. How they
// look is left to features/places/place-page.tsx.

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ListQuery } from '../../catalogue/lists.js'
import { json } from '../../formats/common-formats.js'
import { serializePlace, serializePlaces } from '../../formats/places.js'
import { type RdfContext, jsonAndRdfFormats } from '../../formats/rdf/documents.js'
import type { Place, Places } from '../../model/places.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import type { Covers } from '../covers/cover.js'
import { relatedRecordsFor } from '../records/related-records.js'
import { PlacePage, PlacesPage } from './place-page.js'
import type { Handler } from '../../http/context.js'
import { toListQuery } from '../../http/request/list-query.js'
import { requirePlace, searchPlaces } from '../vocabularies/reference-query.js'
import { queryParam } from '../../http/request/url.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type PlacePagesDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly vocabularies: { readonly countries: Vocabulary }
  readonly places: Places
  readonly pictures: Covers
  readonly rdfContext: RdfContext
}

export const createPlacePages = (dependencies: PlacePagesDependencies) => ({
  places: placesPage(dependencies),
  place: placePage(dependencies),
})

function placesPage(dependencies: PlacePagesDependencies): Handler {
  const { assets, catalogue, rdfContext, places, vocabularies } = dependencies
  return async (ctx) => {
    const named = await countNamed(dependencies)
    const { pageQuery, count, links, results } = searchPlaces(ctx, places, (matches) =>
      [...matches].sort((a, b) => (named.get(b) ?? 0) - (named.get(a) ?? 0)),
    )
    const zines = new Map<Place, number>()
    for (const place of results)
      if (named.has(place)) zines.set(place, await catalogue.count('zines', zinesOf(place)))
    const { results: inApiOrder } = searchPlaces(ctx, places)
    sendPage(
      ctx,
      <PlacesPage
        context={pageContext(ctx, assets)}
        countries={vocabularies.countries}
        places={results}
        zines={zines}
        count={count}
        page={{ number: pageQuery.page, size: pageQuery.pageSize }}
        links={links}
        search={queryParam(ctx, 'search')}
        country={queryParam(ctx, 'country_code')}
        level={queryParam(ctx, 'level')}
        formats={jsonAndRdfFormats}
        json={serializePlaces(json, { count, links, places: inApiOrder }, rdfContext)}
      />,
    )
  }
}

/** How often zines name each place or one in it. */
async function countNamed({
  catalogue,
  places,
}: PlacePagesDependencies): Promise<ReadonlyMap<Place, number>> {
  const named = new Map<Place, number>()
  for (const { value, count } of await catalogue.facetCounts('zines', 'place')) {
    const place = places.find(value)
    if (!place) continue
    for (const area of [place, ...places.ancestorsOf(place)])
      named.set(area, (named.get(area) ?? 0) + count)
  }
  return named
}

const zinesOf = ({ geoname_id }: Place): ListQuery =>
  toListQuery(new Map([['place', String(geoname_id)]]))

function placePage(dependencies: PlacePagesDependencies): Handler {
  const { assets, rdfContext, places, resources, vocabularies } = dependencies
  return async (ctx) => {
    const place = requirePlace(ctx, places)
    const zines = await relatedRecordsFor(
      ctx,
      dependencies,
    )({
      title: message('Zines made here'),
      from: 'zines',
      filter: 'place',
      value: String(place.geoname_id),
    })
    sendPage(
      ctx,
      <PlacePage
        context={pageContext(ctx, assets)}
        zines={zines}
        resources={resources}
        covers={dependencies.pictures}
        countries={vocabularies.countries}
        place={place}
        above={[...places.ancestorsOf(place)].reverse()}
        below={children(places, place)}
        formats={jsonAndRdfFormats}
        json={serializePlace(json, place, rdfContext)}
      />,
    )
  }
}

/** The places directly in a place, by population. */
const children = (places: Places, { geoname_id }: Place): readonly Place[] =>
  places.all
    .filter(({ parent }) => parent === geoname_id)
    .sort((a, b) => (b.population ?? 0) - (a.population ?? 0))
