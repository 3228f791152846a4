// The reference lists: vocabularies and countries and languages as plain arrays, places in pages
// (decisions: Reference lists).

import { NotFound } from '../catalogue/failures.js'
import { searchTerms } from '../catalogue/search.js'
import type { VocabularyName } from '../model/declarations.js'
import { geographyNames, vocabularyNames } from '../model/declarations.js'
import type { Places } from '../model/places.js'
import type { Vocabulary } from '../model/vocabulary.js'
import { sendJson } from './conditional.js'
import type { Endpoint } from './endpoint.js'
import { json } from './negotiate.js'
import { cut, pageObject, pageRequestOf } from './pages.js'
import { lastOf, queryOf } from './query.js'

export const referenceEndpoints = (
  vocabularies: Readonly<Record<VocabularyName, Vocabulary>>,
  places: Places,
): Endpoint[] => [
  ...vocabularyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/vocabularies/${name}/`, vocabularies[name]),
  ),
  ...geographyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/geography/${name}/`, vocabularies[name]),
  ),
  ...placeEndpoints(places),
]

function vocabularyEndpoints(path: string, vocabulary: Vocabulary): Endpoint[] {
  const { title, entries } = vocabulary
  return [
    {
      path,
      name: `${title} List`,
      description: `The controlled list of ${title.toLowerCase()}.`,
      formats: [json],
      methods: {
        GET(ctx) {
          const terms = searchTerms(lastOf(ctx, 'search'))
          const found = entries.filter(({ code, label }) =>
            terms.every((term) => `${code}\n${label}`.toLowerCase().includes(term)),
          )
          sendJson(ctx, found)
        },
      },
    },
    {
      path: `${path}:code/`,
      name: `${title} Instance`,
      description: `One entry of the controlled list of ${title.toLowerCase()}.`,
      formats: [json],
      methods: {
        GET(ctx) {
          const entry = vocabulary.find(ctx.params.code ?? '')
          if (!entry) throw new NotFound()
          sendJson(ctx, entry)
        },
      },
    },
  ]
}

function placeEndpoints(places: Places): Endpoint[] {
  return [
    {
      path: '/api/geography/places/',
      name: 'Place List',
      description: 'Countries, their first-level regions and larger cities, from GeoNames.',
      formats: [json],
      methods: {
        GET(ctx) {
          const query = queryOf(ctx)
          const request = pageRequestOf(ctx)
          const found = places.search({
            terms: searchTerms(query.get('search') ?? ''),
            countryCode: query.get('country_code') ?? '',
            level: query.get('level') ?? '',
          })
          sendJson(ctx, pageObject(ctx, request, cut(found, request)))
        },
      },
    },
    {
      path: '/api/geography/places/:geoname_id/',
      name: 'Place Instance',
      description: 'One place, by its GeoNames identifier.',
      formats: [json],
      methods: {
        GET(ctx) {
          const place = places.find(ctx.params.geoname_id ?? '')
          if (!place) throw new NotFound()
          sendJson(ctx, place)
        },
      },
    },
  ]
}
