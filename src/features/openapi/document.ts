// The types of an OpenAPI 3.0.3 document, as far as this service uses them, by the standard's
// names.

import type { Method } from '../../http/context.js'
import type { ComponentReference, Header, Parameter } from '../../http/operation.js'
import type { Schema } from '../../http/schemas.js'

type Named<Of> = Readonly<Record<string, Of>>

/** By media type. */
export type Content = Named<{
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Named<{ readonly value: unknown }>
}>

export type Response = {
  readonly description: string
  readonly headers?: Named<ComponentReference>
  readonly content?: Content
}

/** By status. */
export type Responses = Named<Response | ComponentReference>

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security: readonly Named<readonly string[]>[]
  readonly parameters?: readonly (Parameter | ComponentReference)[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Responses
}

export type PathItem = Readonly<Partial<Record<Lowercase<Method>, Operation>>>

export type Components = {
  readonly schemas: Named<Schema>
  readonly parameters: Named<Parameter>
  readonly headers: Named<Header>
  readonly responses: Named<Response>
  readonly securitySchemes: Named<object>
}

export type Document = {
  readonly openapi: '3.0.3'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: { readonly name: string; readonly url: string }
  }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Named<PathItem>
  readonly components: Components
}

/** Points to a component, as in `refer('schemas', 'Place')`. */
export const refer = (kind: keyof Components, name: string): ComponentReference => ({
  $ref: `#/components/${kind}/${name}`,
})
