// Puts the schemas that have names among the components, and a reference in the place of each, so
// that generated clients have a type for it.

import { isDeepStrictEqual } from 'node:util'

import type { Schema } from '../../http/schemas.js'
import { refer } from './document.js'

/** A part of the document without named schemas, and those by their names. */
export function nameSchemas<Part>(part: Part): {
  readonly part: Part
  readonly schemas: Readonly<Record<string, Schema>>
} {
  const schemas: Record<string, Schema> = {}
  // The cast: only schemas become others.
  return { part: withReferences(part) as Part, schemas }

  function withReferences(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(withReferences)
    const { $id: name, ...members } = value as Schema
    if (typeof name !== 'string') return withReferencesIn(members)
    const schema = withReferencesIn(members)
    if (!isDeepStrictEqual((schemas[name] ??= schema), schema))
      throw new Error(`two schemas have the name ${name}`)
    return refer('schemas', name)
  }

  function withReferencesIn(members: Schema): Schema {
    return Object.fromEntries(
      Object.entries(members).map(([key, member]) => [key, withReferences(member)]),
    )
  }
}
