// The request and response bodies of each operation, by method and path. An operation without a row
// is in the document too, without schemas.

import { type Resource, type Resources, hasPrivateFields } from '../../model/resources.js'
import { geographyNames, vocabularyNames } from '../../model/declarations/read-files.js'
import { dumpFiles } from '../../model/dataset-description.js'
import type { Place, PlaceFilters } from '../../model/places.js'
import { documentTypes } from '../../rdf/documents/protocol.js'
import { type Parameter, type Schema, refer } from './document.js'
import { citedResources } from '../../features/citations/cited-record.js'
import { changeParameters } from '../../features/changes/change-parameters.js'
import { historyPayloads } from '../../features/history/history-schemas.js'
import { importPayloads } from '../../features/imports/import-schemas.js'
import {
  inQuery,
  itemParameters,
  listParameters,
  searchIn,
  sharedParameter,
  selectionParameters,
  textSearch,
} from './parameters.js'
import {
  exploreParameters,
  facetParameters,
  makerParameters,
  seriesListParameters,
  seriesParameters,
  suggestionParameters,
} from '../../features/search/search-schemas.js'
import type { Payloads, PayloadsByMethod } from './payload-types.js'
import { picturePayloads } from '../../features/pictures/picture-schemas.js'
import { reconciliationPayloads } from '../../features/reconciliation/reconciliation-schemas.js'
import { schemaNames, withArticle } from './record-schemas.js'
import { webhookPayloads } from '../../features/webhooks/webhook-schemas.js'

/** By method and path, as in `GET /api/zines/`. */
export function createPayloads(resources: Resources): ReadonlyMap<string, Payloads> {
  const all = [
    ...Object.values(resources).flatMap(resourcePayloads),
    ...vocabularyNames.flatMap((name) => vocabularyPayloads(`/api/vocabularies/${name}/`)),
    ...geographyNames.flatMap((name) => vocabularyPayloads(`/api/geography/${name}/`)),
    ...historyPayloads(resources),
    ...otherPayloads,
    ...importPayloads,
    ...picturePayloads,
    ...reconciliationPayloads,
    ...webhookPayloads,
  ]
  return new Map(all.map(([method, path, payload]) => [`${method} ${path}`, payload]))
}

const schema = (name: string): Schema => refer('schemas', name)

// prettier-ignore
function resourcePayloads(resource: Resource): PayloadsByMethod {
  const { input, patch, page, detail, selection, selectionPage } = schemaNames(resource)
  const noun = withArticle(resource.noun)
  const list = `/api/${resource.name}/`
  const record = `${list}:id/`
  const response = schema(detail)
  const parameters = hasPrivateFields(resource) ? [sharedParameter('Private')] : []
  const items = [...itemParameters(resource), sharedParameter('Fields'), sharedParameter('Vocabulary')]
  const otherPages = [schema(selectionPage)]
  const exported: Payloads = { response: schema(page), otherResponses: otherPages, parameters: [...selectionParameters(resource), ...items], file: true, errors: [501] }
  const facets: PayloadsByMethod = resource.name === 'zines' ? [
    ['GET', `${list}facets/`, { response: schema('ZineFacets'), parameters: [...facetParameters, ...selectionParameters(resource)], errors: [501] }],
    ['GET', '/map', { response: schema('ZineMap'), parameters: selectionParameters(resource), errors: [501] }],
    ['GET', '/explore', { response: schema('ExploreTable'), parameters: [...exploreParameters, ...selectionParameters(resource)], errors: [501] }],
  ] : []
  return [
    ...facets,
    ['GET', `${list}export/`, exported],
    ['GET', `/api/export/${resource.name}/`, exported],
    ['GET', list, { response: schema(page), otherResponses: otherPages, parameters: [...listParameters(resource), ...items], paged: true, errors: [501] }],
    ['POST', list, { request: schema(input), documents: documentTypes, response, parameters }],
    ['GET', record, { response, otherResponses: [schema(input), schema(selection)], parameters: [...parameters, shapeParameter, ...items] }],
    ['PUT', record, { request: schema(input), documents: documentTypes, response, parameters }],
    ['PATCH', record, { request: schema(patch), response, parameters }],
    ['DELETE', record, {}],
    ['POST', `${record}merge/`, { action: `Merge ${noun} into another one`, request: mergeRequest(schema(patch)), response: mergeResult(response), parameters, errors: [412] }],
    ['POST', `${record}rename/`, { action: `Rename ${noun}`, request: renameRequest, response: mergeResult(response), parameters, errors: [412] }],
  ]
}

const shapeParameter = inQuery(
  'shape',
  'With `write`, JSON has what a PUT of the record takes, with identifiers and codes in place of nested objects. Anything else is 400.',
  { type: 'string', enum: ['write'] },
)

const mergeRequest = (fields: Schema): Schema => ({
  type: 'object',
  required: ['into'],
  properties: {
    into: { type: 'string', description: 'The identifier of the record that stays.' },
    fields,
  },
})

const renameRequest: Schema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', description: 'The new identifier.' } },
}

const mergeResult = (record: Schema): Schema => ({
  type: 'object',
  required: ['record', 'batch'],
  properties: {
    record,
    batch: { type: 'string', description: 'The identifier of the batch of all changes.' },
  },
})

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
  inQuery(
    'id',
    'The identifier that the batch is to have: a UUID that the client chose. While the batch is being written, its address says how far it is.',
    { type: 'string', format: 'uuid' },
  ),
]

// prettier-ignore
const otherPayloads: PayloadsByMethod = [
  ['GET', '/api/geography/places/', { response: schema('PaginatedPlaceList'), parameters: placeParameters, paged: true }],
  ['GET', '/api/geography/places/:geoname_id/', { response: schema('Place') }],
  ['GET', '/api/batches/', { response: schema('PaginatedBatchList'), parameters: [sharedParameter('Page'), sharedParameter('PageSize')], paged: true }],
  ['POST', '/api/batches/', { request: schema('BatchEdit'), lines: schema('BatchLine'), response: schema('BatchResult'), refusal: schema('BatchResult'), parameters: batchParameters }],
  ['GET', '/api/batches/:batch/', { response: { anyOf: [schema('Batch'), schema('BatchProgress')] } }],
  ['POST', '/api/batches/:batch/undo/', { request: schema('BatchUndo'), response: schema('Batch'), errors: [409] }],
  ['POST', '/api/auth/token/', { request: schema('TokenRequest'), response: schema('Token') }],
  ['GET', '/api/auth/me/', { response: schema('Me') }],
  ...dumpFiles.map(({ path }) => ['GET', path, { file: true }] as const),
  ['GET', '/api/changes/', { response: schema('ChangePage'), parameters: changeParameters, errors: [400, 409, 410, 503] }],
  ['GET', '/api/search/', { response: schema('PaginatedSearchResultList'), parameters: [textSearch, sharedParameter('Page'), sharedParameter('PageSize')], paged: true, errors: [501] }],
  ['GET', '/api/suggest/', { response: { type: 'array', items: schema('Suggestion') }, parameters: suggestionParameters, errors: [501] }],
  ...citedResources.map((name) => ['GET', `/api/${name}/:id/citations/`, { response: schema('Citations'), errors: [503] }] as const),
  ['GET', '/makers', { response: schema('MakerList'), parameters: [...makerParameters, sharedParameter('Page'), sharedParameter('PageSize')], paged: true, errors: [400] }],
  ['GET', '/series', { response: schema('SeriesList'), parameters: [...seriesListParameters, sharedParameter('Page'), sharedParameter('PageSize')], paged: true }],
  ['GET', '/series/:slug', { response: schema('Series'), parameters: seriesParameters, moves: true, errors: [400] }],
  ['GET', '/api/', { response: schema('Root') }],
  ['GET', '/api/vocabularies/', { response: schema('Root') }],
  ['GET', '/api/geography/', { response: schema('Root') }],
  ['GET', '/api/schema/', { response: { type: 'object', description: 'An OpenAPI 3.0.3 document.' }, parameters: [mediaParameter] }],
]
