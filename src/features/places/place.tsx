// The pages of places: their list, and one place with the places it is in and those in it. How they
// look is left to features/places/place-page.tsx.

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import { serializePlace, serializePlaces } from '../../formats/places.js'
import { type RdfContext, jsonAndRdfFormats } from '../../formats/rdf/documents.js'
import type { Place, Places } from '../../model/places.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { relatedRecordsFor } from '../records/related-records.js'
import { PlacePage, PlacesPage } from './place-page.js'
import type { Handler } from '../../http/context.js'
import { requirePlace, searchPlaces } from '../vocabularies/reference-query.js'
import { queryParam } from '../../http/request/url.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type PlacePagesDependencies = {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly vocabularies: { readonly countries: Vocabulary }
  readonly places: Places
  readonly rdfContext: RdfContext
}

export const createPlacePages = (dependencies: PlacePagesDependencies) => ({
  places: placesPage(dependencies),
  place: placePage(dependencies),
})

function placesPage(dependencies: PlacePagesDependencies): Handler {
  const { assets, rdfContext, places, vocabularies } = dependencies
  return (ctx) => {
    const { pageQuery, count, links, results } = searchPlaces(ctx, places)
    sendPage(
      ctx,
      <PlacesPage
        context={pageContext(ctx, assets)}
        countries={vocabularies.countries}
        places={results}
        count={count}
        page={{ number: pageQuery.page, size: pageQuery.pageSize }}
        links={links}
        search={queryParam(ctx, 'search')}
        country={queryParam(ctx, 'country_code')}
        level={queryParam(ctx, 'level')}
        formats={jsonAndRdfFormats}
        json={serializePlaces(json, { count, links, places: results }, rdfContext)}
      />,
    )
  }
}

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
