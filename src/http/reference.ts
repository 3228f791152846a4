// The reference lists: vocabularies and countries and languages as plain arrays, places in pages
// (decisions: Reference lists).

import { NotFound } from '../catalogue/failures.js'
import { searchTerms } from '../catalogue/search.js'
import { printPlace, printPlaces } from '../formats/places.js'
import { type Around, formatsOfData } from '../formats/rdf.js'
import { printEntries, printEntry } from '../formats/vocabularies.js'
import type { VocabularyName } from '../model/declarations.js'
import { geographyNames, vocabularyNames } from '../model/declarations.js'
import type { Places } from '../model/places.js'
import type { Vocabulary } from '../model/vocabulary.js'
import { send } from './conditional.js'
import type { Endpoint } from './endpoint.js'
import { cut, linkPages, pageRequestOf } from './pages.js'
import { lastOf, queryOf } from './query.js'

export const referenceEndpoints = (
  vocabularies: Readonly<Record<VocabularyName, Vocabulary>>,
  places: Places,
  around: Around,
): Endpoint[] => [
  ...vocabularyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/vocabularies/${name}/`, vocabularies[name], around),
  ),
  ...geographyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/geography/${name}/`, vocabularies[name], around),
  ),
  ...placeEndpoints(places, around),
]

function vocabularyEndpoints(path: string, vocabulary: Vocabulary, around: Around): Endpoint[] {
  const { title, entries } = vocabulary
  return [
    {
      path,
      name: `${title} List`,
      description: `The controlled list of ${title.toLowerCase()}.`,
      formats: formatsOfData,
      methods: {
        GET(ctx) {
          const terms = searchTerms(lastOf(ctx, 'search'))
          const found = entries.filter(({ code, label }) =>
            terms.every((term) => `${code}\n${label}`.toLowerCase().includes(term)),
          )
          send(ctx, printEntries(ctx.state.format, vocabulary, found, around))
        },
      },
    },
    {
      path: `${path}:code/`,
      name: `${title} Instance`,
      description: `One entry of the controlled list of ${title.toLowerCase()}.`,
      formats: formatsOfData,
      methods: {
        GET(ctx) {
          const entry = vocabulary.find(ctx.params.code ?? '')
          if (!entry) throw new NotFound()
          send(ctx, printEntry(ctx.state.format, vocabulary, entry, around))
        },
      },
    },
  ]
}

function placeEndpoints(places: Places, around: Around): Endpoint[] {
  return [
    {
      path: '/api/geography/places/',
      name: 'Place List',
      description: 'Countries, their first-level regions and larger cities, from GeoNames.',
      formats: formatsOfData,
      methods: {
        GET(ctx) {
          const query = queryOf(ctx)
          const request = pageRequestOf(ctx)
          const found = places.search({
            terms: searchTerms(query.get('search') ?? ''),
            countryCode: query.get('country_code') ?? '',
            level: query.get('level') ?? '',
          })
          const { count, results } = cut(found, request)
          const links = linkPages(ctx, request, count)
          send(ctx, printPlaces(ctx.state.format, { count, links, places: results }, around))
        },
      },
    },
    {
      path: '/api/geography/places/:geoname_id/',
      name: 'Place Instance',
      description: 'One place, by its GeoNames identifier.',
      formats: formatsOfData,
      methods: {
        GET(ctx) {
          const place = places.find(ctx.params.geoname_id ?? '')
          if (!place) throw new NotFound()
          send(ctx, printPlace(ctx.state.format, place, around))
        },
      },
    },
  ]
}
