// The reference lists: vocabularies and countries and languages as plain arrays, places in pages
// (decisions: Reference lists).

import { NotFound } from '../../catalogue/errors.js'
import { searchTerms } from '../../catalogue/search-terms.js'
import { printPlace, printPlaces } from '../../formats/places.js'
import { type Around, formatsOfData } from '../../formats/rdf/documents.js'
import { printEntries, printEntry } from '../../formats/vocabularies.js'
import type { VocabularyName } from '../../model/declarations/read-files.js'
import { geographyNames, vocabularyNames } from '../../model/declarations/read-files.js'
import type { Place, Places } from '../../model/places.js'
import type { Entry, Vocabulary } from '../../model/vocabulary.js'
import { send } from '../response/conditional.js'
import type { Context, Endpoint, Handler } from '../endpoint.js'
import { cut, linkPages, pageRequestOf } from '../request/pagination.js'
import { lastOf, queryOf } from '../request/url.js'

/** What the addresses of the lists show to a browser. */
export type ReferencePages = {
  readonly list: (vocabulary: Vocabulary) => Handler
  readonly entry: (vocabulary: Vocabulary) => Handler
  readonly places: Handler
  readonly place: Handler
}

type Parts = {
  readonly vocabularies: Readonly<Record<VocabularyName, Vocabulary>>
  readonly places: Places
  readonly around: Around
  readonly pages: ReferencePages
}

export const referenceEndpoints = (parts: Parts): Endpoint[] => [
  ...vocabularyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/vocabularies/${name}/`, parts.vocabularies[name], parts),
  ),
  ...geographyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/geography/${name}/`, parts.vocabularies[name], parts),
  ),
  ...placeEndpoints(parts),
]

/** The entries that a request searches for. */
export function foundIn(ctx: Context, { entries }: Vocabulary): readonly Entry[] {
  const terms = searchTerms(lastOf(ctx, 'search'))
  return entries.filter(({ code, label }) =>
    terms.every((term) => `${code}\n${label}`.toLowerCase().includes(term)),
  )
}

/** The entry that the path names. @throws NotFound */
export function entryAt(ctx: Context, vocabulary: Vocabulary): Entry {
  const entry = vocabulary.find(ctx.params.code ?? '')
  if (!entry) throw new NotFound()
  return entry
}

/** The page of places that a request asks for. @throws NoSuchPage */
export function placesFound(ctx: Context, places: Places) {
  const query = queryOf(ctx)
  const request = pageRequestOf(ctx)
  const found = places.search({
    terms: searchTerms(query.get('search') ?? ''),
    countryCode: query.get('country_code') ?? '',
    level: query.get('level') ?? '',
  })
  const { count, results } = cut(found, request)
  return { request, count, results, links: linkPages(ctx, request, count) }
}

/** The place that the path names. @throws NotFound */
export function placeAt(ctx: Context, places: Places): Place {
  const place = places.find(ctx.params.geoname_id ?? '')
  if (!place) throw new NotFound()
  return place
}

function vocabularyEndpoints(
  path: string,
  vocabulary: Vocabulary,
  { around, pages }: Parts,
): Endpoint[] {
  const { title } = vocabulary
  return [
    {
      path,
      name: `${title} List`,
      description: `The controlled list of ${title.toLowerCase()}.`,
      formats: formatsOfData,
      page: pages.list(vocabulary),
      methods: {
        GET(ctx) {
          const found = foundIn(ctx, vocabulary)
          send(ctx, printEntries(ctx.state.format, vocabulary, found, around))
        },
      },
    },
    {
      path: `${path}:code/`,
      name: `${title} Instance`,
      description: `One entry of the controlled list of ${title.toLowerCase()}.`,
      formats: formatsOfData,
      page: pages.entry(vocabulary),
      methods: {
        GET(ctx) {
          const entry = entryAt(ctx, vocabulary)
          send(ctx, printEntry(ctx.state.format, vocabulary, entry, around))
        },
      },
    },
  ]
}

function placeEndpoints({ places, around, pages }: Parts): Endpoint[] {
  return [
    {
      path: '/api/geography/places/',
      name: 'Place List',
      description: 'Countries, their first-level regions and larger cities, from GeoNames.',
      formats: formatsOfData,
      page: pages.places,
      methods: {
        GET(ctx) {
          const { count, links, results } = placesFound(ctx, places)
          send(ctx, printPlaces(ctx.state.format, { count, links, places: results }, around))
        },
      },
    },
    {
      path: '/api/geography/places/:geoname_id/',
      name: 'Place Instance',
      description: 'One place, by its GeoNames identifier.',
      formats: formatsOfData,
      page: pages.place,
      methods: {
        GET(ctx) {
          const place = placeAt(ctx, places)
          send(ctx, printPlace(ctx.state.format, place, around))
        },
      },
    },
  ]
}
