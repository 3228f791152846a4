// What each endpoint takes and gives, by its method and path as the router writes them. What has no
// row here is still described, only less closely.

import type { Resource, Resources } from '../../../model/resources.js'
import { geographyNames, vocabularyNames } from '../../../model/declarations/read-files.js'
import { dumpFiles } from '../../../model/dataset-description.js'
import type { PlaceFilters } from '../../../model/places.js'
import { type Parameter, type ComponentReference, type Schema, refer } from './document.js'
import { inQuery, listParameters, searchIn, shared, soughtParameters } from './parameters.js'
import { schemaNames } from './record-schemas.js'

export type Payloads = {
  readonly request?: Schema
  readonly response?: Schema
  readonly parameters?: readonly (Parameter | ComponentReference)[]
  /** Gives one page of many. */
  readonly paged?: true
  /** Gives a file, which has no ETag. */
  readonly file?: true
}

type PayloadsByMethod = readonly (readonly [method: string, path: string, exchange: Payloads])[]

/** By method and path, as in `GET /api/zines/`. */
export function createPayloads(resources: Resources): ReadonlyMap<string, Payloads> {
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
function ofResource(resource: Resource): PayloadsByMethod {
  const { written, changed, page, detailed } = schemaNames(resource)
  const list = `/api/${resource.name}/`
  const record = `${list}:id/`
  const response = schema(detailed)
  const hasPrivate = resource.fields.some((field) => field.private)
  const parameters = hasPrivate ? [shared('Private')] : []
  const whole: Payloads = { response: schema(page), parameters: soughtParameters(resource), file: true }
  return [
    ['GET', `${list}export/`, whole],
    ['GET', `/api/export/${resource.name}/`, whole],
    ['GET', list, { response: schema(page), parameters: listParameters(resource), paged: true }],
    ['POST', list, { request: schema(written), response, parameters }],
    ['GET', record, { response, parameters }],
    ['PUT', record, { request: schema(written), response, parameters }],
    ['PATCH', record, { request: schema(changed), response, parameters }],
    ['DELETE', record, {}],
  ]
}

// prettier-ignore
function ofVocabulary(path: string): PayloadsByMethod {
  const entries: Schema = { type: 'array', items: schema('Entry') }
  return [
    ['GET', path, { response: entries, parameters: [searchIn('`code`', '`label`')] }],
    ['GET', `${path}:code/`, { response: schema('Entry') }],
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
const others: PayloadsByMethod = [
  ['GET', '/api/geography/places/', { response: schema('PaginatedPlaceList'), parameters: placeParameters, paged: true }],
  ['GET', '/api/geography/places/:geoname_id/', { response: schema('Place') }],
  ['POST', '/api/auth/token/', { request: schema('TokenRequest'), response: schema('Token') }],
  ...dumpFiles.map(({ path }) => ['GET', path, { file: true }] as const),
  ['GET', '/api/', { response: schema('Root') }],
  ['GET', '/api/vocabularies/', { response: schema('Root') }],
  ['GET', '/api/geography/', { response: schema('Root') }],
  ['GET', '/api/schema/', { response: { type: 'object', description: 'An OpenAPI 3.0.3 document.' } }],
]
