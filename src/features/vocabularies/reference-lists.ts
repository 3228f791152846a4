// The endpoints of the reference lists: vocabularies, countries and languages as plain arrays,
// places in pages (docs/reference/records.md, "Reference lists"). Searching them is left to
// request/reference-query.ts.

import { serializePlace, serializePlaces } from '../../formats/places.js'
import { type RdfContext, jsonAndRdfFormats } from '../../formats/rdf/documents.js'
import { serializeEntries, serializeEntry } from '../../formats/vocabularies.js'
import type { VocabularyName } from '../../model/declarations/read-files.js'
import { geographyNames, vocabularyNames } from '../../model/declarations/read-files.js'
import type { Place, PlaceFilters, Places } from '../../model/places.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import type { Handler } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type Parameter, inQuery, pageOperation, searchIn } from '../../http/operation.js'
import { requireEntry, requirePlace, searchEntries, searchPlaces } from './reference-query.js'
import { sendText } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'

const levelSchema = schema.choice<Place['level']>(['country', 'admin1', 'city'])

const placeSchema: schema.SchemaOf<Place> = schema.component(
  'Place',
  'A country, a first-level region or a city.',
  {
    geoname_id: schema.integer('The identifier in GeoNames.'),
    name: schema.text(),
    country_code: schema.text('ISO 3166-1 alpha-2.'),
    admin1_code: schema.text('The first-level region, as GeoNames codes it; may be empty.'),
    latitude: schema.nullable(schema.number('Decimal degrees, WGS 84.')),
    longitude: schema.nullable(schema.number('Decimal degrees, WGS 84.')),
    population: schema.nullable(schema.integer()),
    level: levelSchema,
    parent: schema.nullable(
      schema.integer(
        'The GeoNames identifier of the region of a city, or of the country of a region.',
      ),
    ),
  },
)

const placeFilters: Readonly<Record<keyof PlaceFilters, Parameter>> = {
  terms: searchIn('`name`'),
  countryCode: inQuery(
    'country_code',
    'Only places in this country, by its ISO 3166-1 code.',
    schema.text({ pattern: '^[A-Z]{2}$' }),
  ),
  level: inQuery('level', 'Only places of this level: `country`, `admin1` or `city`.', levelSchema),
}

/** The HTML pages of the lists. */
type ReferencePages = {
  readonly list: (vocabulary: Vocabulary) => Handler
  readonly entry: (vocabulary: Vocabulary) => Handler
  readonly places: Handler
  readonly place: Handler
}

type ReferenceEndpointsDependencies = {
  readonly vocabularies: Readonly<Record<VocabularyName, Vocabulary>>
  readonly places: Places
  readonly rdfContext: RdfContext
  readonly pages: ReferencePages
}

export const referenceEndpoints = (dependencies: ReferenceEndpointsDependencies): Endpoint[] => [
  ...vocabularyNames.flatMap((name) =>
    vocabularyEndpoints(
      `/api/vocabularies/${name}/`,
      dependencies.vocabularies[name],
      dependencies,
    ),
  ),
  ...geographyNames.flatMap((name) =>
    vocabularyEndpoints(`/api/geography/${name}/`, dependencies.vocabularies[name], dependencies),
  ),
  ...placeEndpoints(dependencies),
]

function vocabularyEndpoints(
  path: string,
  vocabulary: Vocabulary,
  { rdfContext, pages }: ReferenceEndpointsDependencies,
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
          const entries = searchEntries(ctx, vocabulary)
          sendText(ctx, serializeEntries(ctx.state.format, vocabulary, entries, rdfContext))
        },
      },
      operations: {
        GET: {
          response: schema.listOf(schema.entrySchema),
          parameters: [searchIn('`code`', '`label`')],
          errors: [400],
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
          sendText(ctx, serializeEntry(ctx.state.format, vocabulary, entry, rdfContext))
        },
      },
      operations: { GET: { response: schema.entrySchema } },
    },
  ]
}

function placeEndpoints({ places, rdfContext, pages }: ReferenceEndpointsDependencies): Endpoint[] {
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
          const placeList = { count, links, places: results }
          sendText(ctx, serializePlaces(ctx.state.format, placeList, rdfContext))
        },
      },
      operations: {
        GET: {
          ...pageOperation(
            schema.page('PaginatedPlaceList', placeSchema),
            ...Object.values(placeFilters),
          ),
          errors: [400],
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
          sendText(ctx, serializePlace(ctx.state.format, place, rdfContext))
        },
      },
      operations: { GET: { response: placeSchema } },
    },
  ]
}
