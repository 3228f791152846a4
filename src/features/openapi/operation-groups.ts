// The operations of the OpenAPI document by tag, with their references resolved, for a page that
// shows them.

import type { Document, Operation, Response } from './document.js'

export type OperationGroup = {
  readonly name: string
  readonly description: string
  readonly operations: readonly ReturnType<typeof summarize>[]
}

/** One group for each tag, in the order of the document. */
export function groupOperations(document: Document): readonly OperationGroup[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tag: operation.tags[0] ?? '',
      summary: summarize(document, path, method.toUpperCase(), operation),
    })),
  )
  return document.tags.map(({ name, description = '' }) => ({
    name,
    description,
    operations: all.filter(({ tag }) => tag === name).map(({ summary }) => summary),
  }))
}

function summarize({ components }: Document, path: string, method: string, operation: Operation) {
  const { operationId, summary, description, security, requestBody } = operation
  const { parameters = [], responses } = operation
  return {
    id: operationId,
    method,
    path,
    summary,
    description,
    needsToken:
      security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0),
    requestTypes: Object.keys(requestBody?.content ?? {}),
    parameters: parameters
      .map((parameter) => resolve(parameter, components.parameters))
      .map((parameter) => ({
        name: parameter.name,
        where: parameter.in,
        description: parameter.description,
        isRequired: parameter.required ?? false,
      })),
    responses: Object.entries(responses).map(([status, response]) => ({
      status,
      description: resolve<Response>(response, components.responses).description,
    })),
  }
}

/** The component that a reference points to; anything else is returned as it is. */
function resolve<Component extends object>(
  value: Component | { readonly $ref: string },
  components: Readonly<Record<string, Component>>,
): Component {
  if (!('$ref' in value)) return value
  const component = components[value.$ref.slice(value.$ref.lastIndexOf('/') + 1)]
  if (!component) throw new Error(`the OpenAPI document has no ${value.$ref}`)
  return component
}
