// What the map shows: the cities that zines come from, their countries, and the libraries that have
// them, each with the number of zines and a position.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ListQuery } from '../../catalogue/lists.js'
import { textValue } from '../../model/record/values.js'
import type { FindPlace } from '../../model/place-names.js'
import type { Place, Places } from '../../model/places.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { createYielder } from '../../lib/scheduling.js'
import { listPath, placePath, recordPath } from '../../views/links.js'
import type { CountryRow, MapCircle } from './map-page.js'

type MapDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly places: Places
  readonly findPlace: FindPlace
  readonly vocabularies: { readonly countries: Vocabulary }
}

export type MapData = {
  /** How many zines there are, and how many of them name a place that is known. */
  readonly count: number
  readonly placed: number
  readonly cities: readonly MapCircle[]
  readonly countries: readonly CountryRow[]
  readonly libraries: readonly MapCircle[]
}

export type Filters = Readonly<Record<string, string>>

/** @param filters of the zines, by name, which the addresses of lists have too */
export async function readMapData(
  dependencies: MapDependencies,
  query: ListQuery,
  filters: Filters,
): Promise<MapData> {
  const { catalogue, places } = dependencies
  const countOf = async (further: Filters): Promise<number> => {
    const all = { ...query, filters: new Map(Object.entries({ ...filters, ...further })) }
    return (await catalogue.list('zines', { ...all, page: 1, pageSize: 0 })).count
  }
  const placeCounts = (await catalogue.facetCounts('zines', 'place', query)).flatMap(
    ({ value, count }) => {
      const place = places.find(value)
      return place ? [{ place, count }] : []
    },
  )
  const countries: CountryRow[] = []
  const maybeYield = createYielder()
  for (const country of countriesOf(
    placeCounts.map(({ place }) => place),
    places,
  )) {
    await maybeYield()
    const parameters = { place: String(country.geoname_id) }
    countries.push({
      id: String(country.geoname_id),
      name: country.name,
      place: country,
      zines: await countOf(parameters),
      href: listPath('zines', { ...filters, ...parameters }),
      page: placePath(country.geoname_id),
    })
  }
  return {
    count: await countOf({}),
    placed: countries.reduce((sum, { zines }) => sum + zines, 0),
    cities: placeCounts
      .filter(({ place }) => place.level === 'city')
      .flatMap(({ place, count }) => cityOf(dependencies, place, count, filters)),
    countries: countries.sort((a, b) => b.zines - a.zines || (a.name < b.name ? -1 : 1)),
    libraries: await readLibraries(dependencies, query, filters),
  }
}

/** The countries that places are in, each once. */
const countriesOf = (within: readonly Place[], places: Places): readonly Place[] => [
  ...new Set(within.map((place) => places.ancestorsOf(place).at(-1) ?? place)),
]

function cityOf(
  { places }: MapDependencies,
  place: Place,
  zines: number,
  filters: Filters,
): readonly MapCircle[] {
  const { latitude, longitude } = place
  if (latitude === null || longitude === null) return []
  return [
    {
      id: String(place.geoname_id),
      name: place.name,
      within: places.ancestorsOf(place),
      latitude,
      longitude,
      zines,
      href: listPath('zines', { ...filters, place: String(place.geoname_id) }),
      page: placePath(place.geoname_id),
    },
  ]
}

async function readLibraries(
  dependencies: MapDependencies,
  query: ListQuery,
  filters: Filters,
): Promise<readonly MapCircle[]> {
  const { catalogue, resources } = dependencies
  const counts = await catalogue.namedFacetCounts('zines', 'repository', query)
  const lookup = await catalogue.find(
    counts.map(({ value }) => ({ target: 'repositories', id: value })),
  )
  return counts.flatMap(({ value, count }) => {
    const values = lookup({ target: 'repositories', id: value })
    const textOf = (field: string): string => (values ? textValue(values, field) : '')
    const address = { city: textOf('city'), region: textOf('region'), country: textOf('country') }
    const place = findLibraryPlace(dependencies, address)
    const [latitude, longitude] = [place?.latitude ?? null, place?.longitude ?? null]
    if (!place || latitude === null || longitude === null) return []
    return [
      {
        id: value,
        name: textOf(resources.repositories.title?.name ?? 'repository_name') || value,
        within: [place],
        latitude,
        longitude,
        zines: count,
        href: listPath('zines', { ...filters, repository: value }),
        page: recordPath('repositories', value),
      },
    ]
  })
}

type Address = { readonly city: string; readonly region: string; readonly country: string }

/** The city of a library, or else its country. */
function findLibraryPlace(
  { places, findPlace, vocabularies }: MapDependencies,
  { city, region, country }: Address,
): Place | undefined {
  const name = vocabularies.countries.find(country)?.label ?? country
  const texts =
    city === ''
      ? []
      : [
          [city, region, name],
          [city, name],
        ]
  for (const parts of texts) {
    const place = findPlace(parts.filter(Boolean).join(', '))
    if (place) return place
  }
  return places.all.find(
    ({ level, country_code }) => level === 'country' && country_code === country,
  )
}
