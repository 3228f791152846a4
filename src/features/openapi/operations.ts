// The operations of the endpoints: whatever follows from an endpoint and its method. Their request
// and response bodies are left to payloads.ts.

import { cascadesOf } from '../../catalogue/writes/cascade.js'
import type { Resources } from '../../model/resources.js'
import { type Endpoint, formatsOf } from '../../http/endpoint.js'
import { type Method } from '../../http/context.js'
import { openSearch } from '../../formats/common-formats.js'
import { cslJson } from '../../formats/csl-json.js'
import type { Format } from '../../formats/serializer.js'
import {
  type OperationDescription,
  type Parameter,
  sharedParameter,
  withArticle,
} from '../../http/operation.js'
import type { Schema } from '../../http/schemas.js'
import { type Content, type Operation, type PathItem, type Response } from './document.js'
import { recordOperations } from './payloads.js'
import { formType, jsonLinesType } from '../../http/request/body.js'
import {
  errorResponses,
  failureSchema,
  headersNamed,
  validationFailureSchema,
} from './error-responses.js'
import { formatParameter, selectionParameters } from './parameters.js'

/** The paths of the endpoints, in their order. */
export function pathsOf(
  endpoints: readonly Endpoint[],
  resources: Resources,
): Record<string, PathItem> {
  const ofRecords = recordOperations(resources)
  return Object.fromEntries(
    endpoints.map((endpoint) => [
      templateOf(endpoint, resources),
      Object.fromEntries(
        (Object.keys(endpoint.methods) as Method[]).map((method) => [
          method.toLowerCase(),
          operationOf({
            endpoint,
            method,
            resources,
            payload: withSelection(
              endpoint.operations?.[method] ?? ofRecords.get(`${method} ${endpoint.path}`) ?? {},
              resources,
            ),
            isList: endpoints.some(({ path }) =>
              path.startsWith(`${endpoint.path.replace(/\/?$/, '/')}:`),
            ),
          }),
        ]),
      ),
    ]),
  )
}

const withSelection = (
  operation: OperationDescription,
  resources: Resources,
): OperationDescription => ({
  ...operation,
  parameters: [
    ...(operation.parameters ?? []),
    ...(operation.selects ? selectionParameters(resources[operation.selects]) : []),
  ],
})

/** The path as OpenAPI writes it. The identifier of a record has the name of its field. */
export const templateOf = (endpoint: Endpoint, resources: Resources): string =>
  endpoint.path.replace(
    /:(\w+)/g,
    (_, name: string) => `{${parameterName(endpoint, name, resources)}}`,
  )

type OperationInput = {
  readonly endpoint: Endpoint
  readonly method: Method
  readonly resources: Resources
  readonly payload: OperationDescription
  /** Whether there is an endpoint for its members. */
  readonly isList: boolean
}

function operationOf(input: OperationInput): Operation {
  const { endpoint, method, payload } = input
  const parameters = parametersOf(input)
  return {
    operationId: operationIdOf(input),
    summary: summaryOf(input),
    description: descriptionOf(input),
    tags: [tagOf(endpoint)],
    security: securityOf(endpoint, method),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(payload.request
      ? {
          requestBody: {
            required: !payload.isRequestOptional,
            content: requestContent(payload.request, payload),
          },
        }
      : {}),
    ...(payload.form
      ? { requestBody: { required: true, content: { [formType]: { schema: payload.form } } } }
      : {}),
    responses: {
      ...successOf(input),
      ...errorResponses(...errorStatusesOf(input)),
      ...(payload.refusal ? { 400: refusalOf(payload.refusal) } : {}),
    },
  }
}

const json = 'application/json'

const requestContent = (
  request: Schema,
  { lines, bytes, upload, documents = [] }: OperationDescription,
): Content => ({
  [json]: { schema: request },
  ...(upload ? { 'multipart/form-data': { schema: upload } } : {}),
  ...Object.fromEntries(
    documents.map((type) => [
      type,
      { schema: { type: type.endsWith('json') ? 'object' : 'string' } },
    ]),
  ),
  ...(bytes ? { 'application/octet-stream': { schema: bytes } } : {}),
  // OpenAPI has no schema for JSON lines: this is the schema of one.
  ...(lines ? { [jsonLinesType]: { schema: lines } } : {}),
})

const refusalOf = (schema: Schema): Response => ({
  description: 'A line failed, and nothing was written; or the input is invalid.',
  content: {
    [json]: {
      schema: {
        anyOf: [schema, validationFailureSchema, failureSchema],
      },
    },
  },
})

// The names that DRF's generator gives.
const actions: Readonly<Record<Method, string>> = {
  GET: 'retrieve',
  POST: 'create',
  PUT: 'update',
  PATCH: 'partial_update',
  DELETE: 'destroy',
}

function operationIdOf({ endpoint, method, isList }: OperationInput): string {
  const segments = segmentsOf(endpoint.path).filter((segment) => !segment.startsWith(':'))
  const action = method === 'GET' && isList ? 'list' : actions[method]
  return [...(segments.length > 0 ? segments : ['root']), action].join('_').replace(/[-.]/g, '_')
}

const segmentsOf = (path: string): string[] =>
  path.split('/').filter((segment) => segment !== '' && segment !== 'api')

/** The tag that groups an endpoint. */
export function tagOf({ path, resource }: Endpoint): string {
  const [first, second] = segmentsOf(path)
  const hasMembers =
    second !== undefined ||
    ['batches', 'imports', 'import-profiles', 'reconcile', 'webhooks'].includes(first ?? '')
  return resource ?? (first !== undefined && hasMembers ? first : 'service')
}

const verbs: Readonly<Record<Method, string>> = {
  GET: 'Read',
  POST: 'Create',
  PUT: 'Replace',
  PATCH: 'Change',
  DELETE: 'Delete',
}

function summaryOf({ endpoint, method, resources, payload, isList }: OperationInput): string {
  if (payload.action !== undefined) return payload.action
  if (!endpoint.resource || segmentsOf(endpoint.path).length > 2) return endpoint.name
  const { name, noun } = resources[endpoint.resource]
  if (method === 'GET' && isList) return `List ${name}`
  return `${verbs[method]} ${withArticle(noun)}`
}

const effects: Partial<Record<Method, string>> = {
  PUT: 'Every required field must be sent; fields that are left out are cleared.',
  PATCH: 'Only the fields that are sent change.',
}

function descriptionOf({ endpoint, method, resources }: OperationInput): string {
  const deletedWith =
    method === 'DELETE' && endpoint.resource
      ? cascadesOf(resources, endpoint.resource).map(
          ({ resource }) => `The ${resource} that refer to it are deleted with it.`,
        )
      : []
  return [endpoint.description, effects[method] ?? '', ...deletedWith].filter(Boolean).join(' ')
}

function securityOf(endpoint: Endpoint, method: Method): Operation['security'] {
  if (endpoint.anonymousWrite) return []
  const isOpen = method === 'GET' && !endpoint.readsNeedRights && !endpoint.needsAccount
  return isOpen ? [{}, { tokenAuth: [] }] : [{ tokenAuth: [] }]
}

function parametersOf({ endpoint, method, resources, payload }: OperationInput) {
  const hasTables = endpoint.formats.some(({ type }) => type === 'text/csv')
  const isConditional = method !== 'GET' && (method !== 'POST' || payload.action !== undefined)
  return [
    ...pathParameters(endpoint, resources),
    ...(payload.parameters ?? []),
    ...(method === 'GET' ? [formatParameter(formatsOf(endpoint))] : []),
    ...(method === 'GET' && hasTables ? [sharedParameter('Safe')] : []),
    ...(method === 'GET' && !payload.file ? [sharedParameter('IfNoneMatch')] : []),
    ...(isConditional ? [sharedParameter('IfMatch')] : []),
  ]
}

function pathParameters(endpoint: Endpoint, resources: Resources): Parameter[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']): Parameter => {
    const isRecord = endpoint.resource !== undefined && name === 'id'
    const outputName = parameterName(endpoint, name, resources)
    return {
      name: outputName,
      in: 'path',
      required: true,
      description: isRecord
        ? 'The identifier that the client chose for the record, percent-encoded.'
        : (parameterDescriptions[name] ?? outputName),
      schema: { type: 'string' },
    }
  })
}

const parameterName = ({ resource }: Endpoint, name: string, resources: Resources): string =>
  resource && name === 'id' ? resources[resource].id.name : name

const parameterDescriptions: Readonly<Record<string, string>> = {
  code: 'The code of the entry.',
  slug: 'The last part of the IRI of the series.',
  batch: 'The identifier of the batch.',
  import: 'The identifier of the import.',
  profile: 'The name of the profile.',
  webhook: 'The identifier of the webhook.',
  geoname_id: 'The identifier of the place in GeoNames.',
  version: 'The number of the version, from 1.',
  picture: 'The identifier of the picture.',
}

/** What is at an address, by its last fixed part. */
const nouns: Readonly<Record<string, string>> = {
  imports: 'import',
  'import-profiles': 'profile',
  pictures: 'picture',
  webhooks: 'webhook',
}

function nounOf({ path }: Endpoint): string {
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith(':'))
  return nouns[parts.at(-1) ?? ''] ?? 'record'
}

function successOf({
  endpoint,
  method,
  payload,
  isList,
}: OperationInput): Record<string, Response> {
  if (method === 'DELETE') return { 204: { description: `The ${nounOf(endpoint)} is deleted.` } }
  if (payload.done !== undefined) return { 204: { description: payload.done } }
  if (payload.redirects)
    return { 303: { description: 'The page.', headers: headersNamed('Location') } }
  const schema = payload.response ?? {}
  if (method === 'GET')
    return {
      200: {
        description: isList ? 'The list.' : 'The requested data.',
        headers: payload.file
          ? headersNamed('Content-Disposition', 'X-Log-Name', 'X-Log-Position')
          : headersNamed('ETag', ...(payload.paged ? ['Link'] : [])),
        content: contentOf(formatsOf(endpoint), schema, payload.otherResponses),
      },
      ...(isRecord(endpoint) || payload.moves ? merged : {}),
    }
  const content = contentOf(endpoint.formats, schema)
  if (payload.creates)
    return {
      201: {
        description: `The new ${nounOf(endpoint)}.`,
        headers: headersNamed('Location'),
        content,
      },
    }
  if (!endpoint.resource || isAction(endpoint, method))
    return {
      200: { description: 'The result.', content },
      ...(payload.begins ? { 202: { description: 'The work goes on.', content } } : {}),
      ...(payload.mayRemove
        ? { 204: { description: 'There is no record any more, or nothing to show.' } }
        : {}),
    }
  return method === 'POST'
    ? {
        201: {
          description: 'The new record.',
          headers: headersNamed('ETag', 'Location', 'Preference-Applied'),
          content,
        },
      }
    : {
        200: { description: 'The record as it is now.', headers: headersNamed('ETag'), content },
        ...(isRecord(endpoint) ? minimal : {}),
      }
}

/** Whether the path is that of a record, and not of a part of it. */
const isRecord = ({ path, resource }: Endpoint): boolean =>
  resource !== undefined && path.endsWith('/:id/')

/** Whether a POST does something with an existing record, instead of creating one. */
const isAction = ({ path }: Endpoint, method: Method): boolean =>
  method === 'POST' && path.includes(':')

/** The response where a client prefers none. */
const minimal: Record<string, Response> = {
  204: {
    description: 'The record was written.',
    headers: headersNamed('ETag', 'Preference-Applied'),
  },
}

/** The response of the paths of records that do not exist any more. */
const merged: Record<string, Response> = {
  301: {
    description:
      'The record was merged into another one, or renamed; the series has another address now.',
    headers: headersNamed('Location'),
  },
}

/**
 * JSON has the schema; other types of JSON or YAML are an object or an array of objects, the rest
 * strings.
 */
function contentOf(
  formats: readonly Format[],
  schema: Schema,
  others: readonly Schema[] = [],
): Content {
  const jsonSchema = others.length > 0 ? { anyOf: [schema, ...others] } : schema
  const object: Schema = { type: 'object' }
  const parsed: Schema = schema.type === 'array' ? { type: 'array', items: object } : object
  const other = ({ type, isBinary }: Format): Schema =>
    type === cslJson.type
      ? { type: 'array', items: object }
      : type === openSearch.type
        ? { type: 'array', items: {}, description: 'The text, and lists of suggestions.' }
        : /json$|yaml/.test(type)
          ? parsed
          : { type: 'string', ...(isBinary ? { format: 'binary' } : {}) }
  return Object.fromEntries(
    formats.map((format) => [
      format.type,
      { schema: format.type === json ? jsonSchema : other(format) },
    ]),
  )
}

/** The statuses of errors, in the order of docs/reference/requests.md, "Order of checks". */
function errorStatusesOf({ endpoint, method, payload }: OperationInput): number[] {
  const isRead = method === 'GET'
  const isRecord = endpoint.path.includes(':')
  return [
    ...(isRead && !payload.file ? [304] : []),
    // An If-Match without a tag is 400, also where there is no body.
    ...(payload.request || payload.form || method === 'DELETE' ? [400] : []),
    401,
    ...((isRead && !endpoint.readsNeedRights) || endpoint.anonymousWrite || endpoint.needsAccount
      ? []
      : [403]),
    ...(isRead || isRecord ? [404] : []),
    406,
    ...(payload.errors ?? []),
    ...(isRecord && !isRead && method !== 'POST' ? [412] : []),
    ...(payload.request || payload.form ? [413, 415] : []),
    429,
    500,
  ]
}
