// The OpenAPI document reduced to JSON, for generators of typed clients: they give an operation
// with several media types a result that is none of them.

import { documentTypes } from '../../rdf/documents/protocol.js'
import { sharedParameter } from '../../http/operation.js'
import type { Schema } from '../../http/schemas.js'
import type { Document, Operation, Response, Responses } from './document.js'

const json = 'application/json'

/** Parameters that choose another format or change what is in one. */
const formatParameters = new Set(['format', 'safe', 'shape'])

/** The operations that answer JSON or nothing, without their other media types. */
export function withJsonOnly(document: Document): Document {
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const operations = Object.entries(item).filter(([, operation]) => hasJson(operation))
    return operations.length === 0
      ? []
      : [
          [
            path,
            Object.fromEntries(
              operations.map(([method, operation]) => [method, jsonOperation(operation)]),
            ),
          ] as const,
        ]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

/** Whether each answer that has a body can be JSON. */
const hasJson = ({ responses }: Operation): boolean =>
  contentsOf(responses).every((content) => json in content)

const contentsOf = (responses: Responses) =>
  Object.values(responses).flatMap((response) => ('content' in response ? [response.content] : []))

function jsonOperation({ parameters, responses, requestBody, ...operation }: Operation): Operation {
  const otherParameters = parameters?.filter(
    (parameter) =>
      !('name' in parameter && formatParameters.has(parameter.name)) &&
      !isOfOtherFormats(parameter),
  )
  return {
    ...operation,
    ...(requestBody ? { requestBody: withoutDocuments(requestBody) } : {}),
    ...(otherParameters && otherParameters.length > 0 ? { parameters: otherParameters } : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        'content' in response ? jsonResponse(response) : response,
      ]),
    ),
  }
}

const withoutDocuments = (body: NonNullable<Operation['requestBody']>) => ({
  ...body,
  content: Object.fromEntries(
    Object.entries(body.content).filter(
      ([type]) => !documentTypes.some((documentType) => documentType === type),
    ),
  ),
})

/** The shared parameters that only other formats have, or that leave fields out. */
const ofOtherFormats = ['Safe', 'Items', 'Branch', 'ItemType', 'Vocabulary', 'Fields'].map(
  (name) => sharedParameter(name).$ref,
)

const isOfOtherFormats = (parameter: object): boolean =>
  '$ref' in parameter && ofOtherFormats.some((reference) => reference === parameter.$ref)

const jsonResponse = (response: Response): Response => {
  const content = response.content?.[json]
  if (!content) return response
  return { ...response, content: { [json]: { ...content, schema: firstResponse(content.schema) } } }
}

/** Without the answers to the parameters that are left out. */
const firstResponse = (schema: Schema): Schema => {
  const responses = (schema.anyOf ?? []) as readonly Schema[]
  const hasSelection = responses.some(({ $ref }) => String($ref).endsWith('Selection'))
  return (hasSelection ? responses[0] : undefined) ?? schema
}
