// What the OpenAPI document says of the operations on records, by method and path. It follows from
// the declarations of the four resources; other endpoints say it themselves (`operations`).

import type { Resource, Resources } from '../../model/resources.js'
import { documentTypes } from '../../rdf/documents/protocol.js'
import {
  type OperationDescription,
  inQuery,
  recordSchema,
  sharedParameter,
} from '../../http/operation.js'
import { choice, searchedPage } from '../../http/schemas.js'
import { itemParameters, listParameters, selectionParameters } from './parameters.js'
import { schemaNames } from './record-schemas.js'

/** By method and path, as in `GET /api/zines/`. */
export const recordOperations = (resources: Resources): ReadonlyMap<string, OperationDescription> =>
  new Map(
    Object.values(resources)
      .flatMap(rowsOf)
      .map(([method, path, operation]) => [`${method} ${path}`, operation]),
  )

type OperationRows = readonly (readonly [
  method: string,
  path: string,
  operation: OperationDescription,
])[]

// prettier-ignore
function rowsOf(resource: Resource): OperationRows {
  const names = schemaNames(resource)
  const list = `/api/${resource.name}/`
  const record = `${list}:id/`
  const response = recordSchema(names.detail)
  const page = searchedPage(names.page, recordSchema(names.listItem))
  const parameters = [sharedParameter('Private')]
  const written = [...parameters, sharedParameter('Prefer')]
  const items = [...itemParameters(resource), sharedParameter('Fields'), sharedParameter('Vocabulary')]
  const otherPages = [searchedPage(names.selectionPage, recordSchema(names.listSelection))]
  const exported: OperationDescription = { response: page, otherResponses: otherPages, parameters: [...selectionParameters(resource), ...parameters, ...items], file: true, errors: [400, 501] }
  return [
    ['GET', `${list}export/`, exported],
    ['GET', `/api/export/${resource.name}/`, exported],
    ['GET', list, { response: page, otherResponses: otherPages, parameters: [...listParameters(resource), ...parameters, ...items], paged: true, errors: [400, 501] }],
    ['POST', list, { request: recordSchema(names.input), documents: documentTypes, response, parameters: [...written, sharedParameter('IdempotencyKey')], errors: [409, 410, 422] }],
    ['GET', record, { response, otherResponses: [recordSchema(names.input), recordSchema(names.selection)], parameters: [...parameters, shapeParameter, ...items], errors: [400] }],
    ['PUT', record, { request: recordSchema(names.input), documents: documentTypes, response, parameters: written }],
    ['PATCH', record, { request: recordSchema(names.patch), response, parameters: written }],
    ['DELETE', record, {}],
  ]
}

const shapeParameter = inQuery(
  'shape',
  'With `write`, JSON has what a PUT of the record takes, with identifiers and codes in place of nested objects. Anything else is 400.',
  choice(['write']),
)
