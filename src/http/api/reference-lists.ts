// The reference lists: vocabularies and countries and languages as plain arrays, places in pages
// (decisions: Reference lists).

import { RecordNotFoundError } from '../../catalogue/errors.js'
import { parseSearchTerms } from '../../catalogue/search-terms.js'
import { serializePlace, serializePlaces } from '../../formats/places.js'
import { type RdfContext, jsonAndRdfFormats } from '../../formats/rdf/documents.js'
import { serializeEntries, serializeEntry } from '../../formats/vocabularies.js'
import type { VocabularyName } from '../../model/declarations/read-files.js'
import { geographyNames, vocabularyNames } from '../../model/declarations/read-files.js'
import type { Place, Places } from '../../model/places.js'
import type { VocabularyEntry, Vocabulary } from '../../model/vocabulary.js'
import { sendText } from '../response/conditional.js'
import type { RequestContext, Endpoint, Handler } from '../endpoint.js'
import { paginate, setPageLinks, parsePageQuery } from '../request/pagination.js'
import { queryParam, queryParams } from '../request/url.js'

/** What the addresses of the lists show to a browser. */
export type ReferencePages = {
  readonly list: (vocabulary: Vocabulary) => Handler
  readonly entry: (vocabulary: Vocabulary) => Handler
  readonly places: Handler
  readonly place: Handler
}

type ReferenceEndpointsDependencies = {
  readonly vocabularies: Readonly<Record<VocabularyName, Vocabulary>>
  readonly places: Places
  readonly around: RdfContext
  readonly pages: ReferencePages
}

export const referenceEndpoints = (parts: ReferenceEndpointsDependencies): Endpoint[] => [
  ...vocabularyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/vocabularies/${name}/`, parts.vocabularies[name], parts),
  ),
  ...geographyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/geography/${name}/`, parts.vocabularies[name], parts),
  ),
  ...placeEndpoints(parts),
]

/** The entries that a request searches for. */
export function searchEntries(
  ctx: RequestContext,
  { entries }: Vocabulary,
): readonly VocabularyEntry[] {
  const terms = parseSearchTerms(queryParam(ctx, 'search'))
  return entries.filter(({ code, label }) =>
    terms.every((term) => `${code}\n${label}`.toLowerCase().includes(term)),
  )
}

/** The entry that the path names. @throws NotFound */
export function requireEntry(ctx: RequestContext, vocabulary: Vocabulary): VocabularyEntry {
  const entry = vocabulary.find(ctx.params.code ?? '')
  if (!entry) throw new RecordNotFoundError()
  return entry
}

/** The page of places that a request asks for. @throws NoSuchPage */
export function searchPlaces(ctx: RequestContext, places: Places) {
  const query = queryParams(ctx)
  const request = parsePageQuery(ctx)
  const found = places.search({
    terms: parseSearchTerms(query.get('search') ?? ''),
    countryCode: query.get('country_code') ?? '',
    level: query.get('level') ?? '',
  })
  const { count, results } = paginate(found, request)
  return { request, count, results, links: setPageLinks(ctx, request, count) }
}

/** The place that the path names. @throws NotFound */
export function requirePlace(ctx: RequestContext, places: Places): Place {
  const place = places.find(ctx.params.geoname_id ?? '')
  if (!place) throw new RecordNotFoundError()
  return place
}

function vocabularyEndpoints(
  path: string,
  vocabulary: Vocabulary,
  { around, pages }: ReferenceEndpointsDependencies,
): Endpoint[] {
  const { title } = vocabulary
  return [
    {
      path,
      name: `${title} List`,
      description: `The controlled list of ${title.toLowerCase()}.`,
      formats: jsonAndRdfFormats,
      htmlHandler: pages.list(vocabulary),
      methods: {
        GET(ctx) {
          const found = searchEntries(ctx, vocabulary)
          sendText(ctx, serializeEntries(ctx.state.format, vocabulary, found, around))
        },
      },
    },
    {
      path: `${path}:code/`,
      name: `${title} Instance`,
      description: `One entry of the controlled list of ${title.toLowerCase()}.`,
      formats: jsonAndRdfFormats,
      htmlHandler: pages.entry(vocabulary),
      methods: {
        GET(ctx) {
          const entry = requireEntry(ctx, vocabulary)
          sendText(ctx, serializeEntry(ctx.state.format, vocabulary, entry, around))
        },
      },
    },
  ]
}

function placeEndpoints({ places, around, pages }: ReferenceEndpointsDependencies): Endpoint[] {
  return [
    {
      path: '/api/geography/places/',
      name: 'Place List',
      description: 'Countries, their first-level regions and larger cities, from GeoNames.',
      formats: jsonAndRdfFormats,
      htmlHandler: pages.places,
      methods: {
        GET(ctx) {
          const { count, links, results } = searchPlaces(ctx, places)
          sendText(
            ctx,
            serializePlaces(ctx.state.format, { count, links, places: results }, around),
          )
        },
      },
    },
    {
      path: '/api/geography/places/:geoname_id/',
      name: 'Place Instance',
      description: 'One place, by its GeoNames identifier.',
      formats: jsonAndRdfFormats,
      htmlHandler: pages.place,
      methods: {
        GET(ctx) {
          const place = requirePlace(ctx, places)
          sendText(ctx, serializePlace(ctx.state.format, place, around))
        },
      },
    },
  ]
}
