// The request and response bodies of each operation, by method and path. An operation without a row is
// in the document too, without schemas.

import type { Resource, Resources } from '../../../model/resources.js'
import { geographyNames, vocabularyNames } from '../../../model/declarations/read-files.js'
import { dumpFiles } from '../../../model/dataset-description.js'
import type { Place, PlaceFilters } from '../../../model/places.js'
import { type Parameter, type ComponentReference, type Schema, refer } from './document.js'
import {
  inQuery,
  listParameters,
  searchIn,
  sharedParameter,
  selectionParameters,
} from './parameters.js'
import { schemaNames } from './record-schemas.js'

export type Payloads = {
  readonly request?: Schema
  /** What each line of the request may be, where JSON lines are accepted too. */
  readonly lines?: Schema
  readonly response?: Schema
  /** What is answered with 400 besides errors. */
  readonly refusal?: Schema
  /** Set if 409 is answered where a record was changed since. */
  readonly conflicts?: true
  readonly parameters?: readonly (Parameter | ComponentReference)[]
  /** Set if the response is one page of a list. */
  readonly paged?: true
  /** Set if the response is a file, which has no ETag. */
  readonly file?: true
}

type PayloadsByMethod = readonly (readonly [method: string, path: string, payload: Payloads])[]

/** By method and path, as in `GET /api/zines/`. */
export function createPayloads(resources: Resources): ReadonlyMap<string, Payloads> {
  const all = [
    ...Object.values(resources).flatMap(resourcePayloads),
    ...vocabularyNames.flatMap((name) => vocabularyPayloads(`/api/vocabularies/${name}/`)),
    ...geographyNames.flatMap((name) => vocabularyPayloads(`/api/geography/${name}/`)),
    ...otherPayloads,
  ]
  return new Map(all.map(([method, path, payload]) => [`${method} ${path}`, payload]))
}

const schema = (name: string): Schema => refer('schemas', name)

// prettier-ignore
function resourcePayloads(resource: Resource): PayloadsByMethod {
  const { input, patch, page, detail } = schemaNames(resource)
  const list = `/api/${resource.name}/`
  const record = `${list}:id/`
  const response = schema(detail)
  const hasPrivate = resource.fields.some((field) => field.private)
  const parameters = hasPrivate ? [sharedParameter('Private')] : []
  const exported: Payloads = { response: schema(page), parameters: selectionParameters(resource), file: true }
  return [
    ['GET', `${list}export/`, exported],
    ['GET', `/api/export/${resource.name}/`, exported],
    ['GET', list, { response: schema(page), parameters: listParameters(resource), paged: true }],
    ['POST', list, { request: schema(input), response, parameters }],
    ['GET', record, { response, parameters }],
    ['PUT', record, { request: schema(input), response, parameters }],
    ['PATCH', record, { request: schema(patch), response, parameters }],
    ['DELETE', record, {}],
  ]
}

// prettier-ignore
function vocabularyPayloads(path: string): PayloadsByMethod {
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
    pattern: '^[A-Z]{2}$',
  }),
  level: inQuery('level', 'Only places of this level: `country`, `admin1` or `city`.', {
    type: 'string',
    enum: ['country', 'admin1', 'city'] satisfies Place['level'][],
  }),
}

const placeParameters = [
  ...Object.values(placeFilters),
  sharedParameter('Page'),
  sharedParameter('PageSize'),
]

const mediaParameter = inQuery(
  'media',
  'With `json`, the document has the operations that answer JSON, and of their answers the JSON alone: for generators of typed clients.',
  { type: 'string', enum: ['json'] },
)

const batchParameters = [
  inQuery(
    'mode',
    'With `all`, one bad line keeps the batch from being written; with `each`, the good lines are written.',
    { type: 'string', enum: ['all', 'each'], default: 'all' },
  ),
  inQuery(
    'dry_run',
    'With `true`, nothing is written; the results are those that there would be.',
    {
      type: 'boolean',
      default: false,
    },
  ),
]

// prettier-ignore
const otherPayloads: PayloadsByMethod = [
  ['GET', '/api/geography/places/', { response: schema('PaginatedPlaceList'), parameters: placeParameters, paged: true }],
  ['GET', '/api/geography/places/:geoname_id/', { response: schema('Place') }],
  ['GET', '/api/batches/', { response: schema('PaginatedBatchList'), parameters: [sharedParameter('Page'), sharedParameter('PageSize')], paged: true }],
  ['POST', '/api/batches/', { request: schema('BatchEdit'), lines: schema('BatchLine'), response: schema('BatchResult'), refusal: schema('BatchResult'), parameters: batchParameters }],
  ['GET', '/api/batches/:batch/', { response: schema('Batch') }],
  ['POST', '/api/batches/:batch/undo/', { request: schema('BatchUndo'), response: schema('Batch'), conflicts: true }],
  ['POST', '/api/auth/token/', { request: schema('TokenRequest'), response: schema('Token') }],
  ...dumpFiles.map(({ path }) => ['GET', path, { file: true }] as const),
  ['GET', '/api/', { response: schema('Root') }],
  ['GET', '/api/vocabularies/', { response: schema('Root') }],
  ['GET', '/api/geography/', { response: schema('Root') }],
  ['GET', '/api/schema/', { response: { type: 'object', description: 'An OpenAPI 3.0.3 document.' }, parameters: [mediaParameter] }],
]
