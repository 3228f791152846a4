// What each endpoint takes and gives, by its method and path as the router writes them. What has no
// row here is still described, only less closely.

import type { Resource, Resources } from '../../../model/resources.js'
import { geographyNames, vocabularyNames } from '../../../model/declarations/read-files.js'
import { dumpFiles } from '../../../model/dataset-description.js'
import type { PlaceFilters } from '../../../model/places.js'
import { type Parameter, type Reference, type Schema, refer } from './document.js'
import { inQuery, listParameters, searchIn, shared, soughtParameters } from './parameters.js'
import { shapesOf } from './record-schemas.js'

export type Exchange = {
  readonly takes?: Schema
  readonly gives?: Schema
  readonly parameters?: readonly (Parameter | Reference)[]
  /** Gives one page of many. */
  readonly paged?: true
  /** Gives a file, which has no ETag. */
  readonly file?: true
}

type Exchanges = readonly (readonly [method: string, path: string, exchange: Exchange])[]

/** By method and path, as in `GET /api/zines/`. */
export function exchangesOf(resources: Resources): ReadonlyMap<string, Exchange> {
  const all = [
    ...Object.values(resources).flatMap(ofResource),
    ...vocabularyNames.flatMap((name) => ofVocabulary(`/api/vocabularies/${name}/`)),
    ...geographyNames.flatMap((name) => ofVocabulary(`/api/geography/${name}/`)),
    ...others,
  ]
  return new Map(all.map(([method, path, exchange]) => [`${method} ${path}`, exchange]))
}

const schema = (name: string): Schema => refer('schemas', name)

// prettier-ignore
function ofResource(resource: Resource): Exchanges {
  const { written, changed, page, detailed } = shapesOf(resource)
  const list = `/api/${resource.name}/`
  const record = `${list}:id/`
  const gives = schema(detailed)
  const hasPrivate = resource.fields.some((field) => field.private)
  const parameters = hasPrivate ? [shared('Private')] : []
  const whole: Exchange = { gives: schema(page), parameters: soughtParameters(resource), file: true }
  return [
    ['GET', `${list}export/`, whole],
    ['GET', `/api/export/${resource.name}/`, whole],
    ['GET', list, { gives: schema(page), parameters: listParameters(resource), paged: true }],
    ['POST', list, { takes: schema(written), gives, parameters }],
    ['GET', record, { gives, parameters }],
    ['PUT', record, { takes: schema(written), gives, parameters }],
    ['PATCH', record, { takes: schema(changed), gives, parameters }],
    ['DELETE', record, {}],
  ]
}

// prettier-ignore
function ofVocabulary(path: string): Exchanges {
  const entries: Schema = { type: 'array', items: schema('Entry') }
  return [
    ['GET', path, { gives: entries, parameters: [searchIn('`code`', '`label`')] }],
    ['GET', `${path}:code/`, { gives: schema('Entry') }],
  ]
}

const placeFilters: Readonly<Record<keyof PlaceFilters, Parameter>> = {
  terms: searchIn('`name`'),
  countryCode: inQuery('country_code', 'Only places in this country, by its ISO 3166-1 code.', {
    type: 'string',
  }),
  level: inQuery('level', 'Only places of this level: `country`, `admin1` or `city`.', {
    type: 'string',
  }),
}

const placeParameters = [...Object.values(placeFilters), shared('Page'), shared('PageSize')]

// prettier-ignore
const others: Exchanges = [
  ['GET', '/api/geography/places/', { gives: schema('PaginatedPlaceList'), parameters: placeParameters, paged: true }],
  ['GET', '/api/geography/places/:geoname_id/', { gives: schema('Place') }],
  ['POST', '/api/auth/token/', { takes: schema('TokenRequest'), gives: schema('Token') }],
  ...dumpFiles.map(({ path }) => ['GET', path, { file: true }] as const),
  ['GET', '/api/', { gives: schema('Root') }],
  ['GET', '/api/vocabularies/', { gives: schema('Root') }],
  ['GET', '/api/geography/', { gives: schema('Root') }],
  ['GET', '/api/schema/', { gives: { type: 'object', description: 'An OpenAPI 3.0.3 document.' } }],
]
