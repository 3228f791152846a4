// Schemas of what endpoints read and answer, as OpenAPI 3.0 has them. Each has the type of its
// values, so that a schema beside a handler is its only description: it gives the type of what is
// sent (`ValueOf`), reads what was sent (`parseMembers`), and is a part of the OpenAPI document.

import {
  type ParsedValue,
  ValidationError,
  blankMessage,
  nullCharactersMessage,
  readString,
  requiredMessage,
} from '../model/record/input.js'
import { JsonNumber } from '../model/record/json-input.js'

/** Keywords of JSON Schema that OpenAPI 3.0 allows. `$id` is the name of a component. */
export type Schema = Readonly<Record<string, unknown>>

/** Only for the compiler: no schema has this property. */
declare const valueType: unique symbol

export type SchemaOf<Value> = Schema & { readonly [valueType]?: Value }

/** The type of the values that a schema describes; unknown for a schema without one. */
export type ValueOf<Described> = Described extends { readonly [valueType]?: infer Value }
  ? Value
  : unknown

type Properties = Readonly<Record<string, Schema>>

type NoProperties = Readonly<Record<never, Schema>>

type ObjectOf<Required, Optional> = {
  readonly [name in keyof Required]: ValueOf<Required[name]>
} & { readonly [name in keyof Optional]?: ValueOf<Optional[name]> | undefined }

/** A description, or all keywords besides the type. */
type Keywords = string | Schema

const keywordsOf = (more: Keywords): Schema =>
  typeof more === 'string' ? { description: more } : more

const ofType =
  <Value>(type: Schema) =>
  (more: Keywords = {}): SchemaOf<Value> => ({ ...type, ...keywordsOf(more) })

export const text = ofType<string>({ type: 'string' })
export const time = ofType<string>({ type: 'string', format: 'date-time' })
export const url = ofType<string>({ type: 'string', format: 'uri' })
export const uuid = ofType<string>({ type: 'string', format: 'uuid' })
export const boolean = ofType<boolean>({ type: 'boolean' })
export const number = ofType<number>({ type: 'number' })
export const integer = ofType<number>({ type: 'integer' })
/** A number of things that may be none. */
export const count = ofType<number>({ type: 'integer', minimum: 0 })
/** An object whose members are described elsewhere. */
export const anyObject = ofType<object>({ type: 'object' })

export const choice = <Value extends string>(
  values: readonly Value[],
  more: Keywords = {},
): SchemaOf<Value> => ({ type: 'string', enum: [...values], ...keywordsOf(more) })

export const nullable = <Of extends Schema>(schema: Of): SchemaOf<ValueOf<Of> | null> => ({
  ...schema,
  nullable: true,
})

export const listOf = <Of extends Schema>(
  items: Of,
  more: Keywords = {},
): SchemaOf<readonly ValueOf<Of>[]> => ({ type: 'array', items, ...keywordsOf(more) })

/** An object with any keys. */
export const mapOf = <Of extends Schema>(
  values: Of,
  more: Keywords = {},
): SchemaOf<Readonly<Record<string, ValueOf<Of>>>> => ({
  type: 'object',
  additionalProperties: values,
  ...keywordsOf(more),
})

type ObjectKeywords<Optional> =
  string | (Schema & { readonly optional?: Optional; readonly description?: string })

/** An object with these properties, and with `optional` ones, which may be left out. */
export function object<Required extends Properties, Optional extends Properties = NoProperties>(
  required: Required,
  more: ObjectKeywords<Optional> = {},
): SchemaOf<ObjectOf<Required, Optional>> {
  const { optional, ...keywords } = keywordsOf(more)
  const names = Object.keys(required)
  return {
    type: 'object',
    // The cast: a description has no properties.
    properties: { ...required, ...(optional as Optional | undefined) },
    ...(names.length > 0 ? { required: names } : {}),
    ...keywords,
  }
}

/** An object that is a component of the document, so that generated clients have a type for it. */
export const component = <Required extends Properties, Optional extends Properties = NoProperties>(
  name: string,
  required: Required,
  more: ObjectKeywords<Optional> = {},
): SchemaOf<ObjectOf<Required, Optional>> => ({ $id: name, ...object(required, more) })

/** A page of a list (docs/api.md, "Lists"), with what pages of this list may have besides. */
export const page = (name: string, items: Schema, optional: Properties = {}): Schema =>
  component(
    name,
    {
      count: count('The number of matching records.'),
      next: nullable(url('The next page; null on the last.')),
      previous: nullable(url('The page before; null on the first.')),
      results: listOf(items),
    },
    { optional, description: 'One page of a list.' },
  )

/**
 * The members of a body that a schema of an object describes.
 * @throws ValidationError with all messages of every member that is wrong
 */
export function parseMembers<Value>(
  { properties, required = [] }: SchemaOf<Value>,
  body: ReadonlyMap<string, unknown>,
): Value {
  const failures = new Map<string, readonly string[]>()
  const members = new Map<string, unknown>()
  // The casts: `object` made the schema.
  for (const [name, schema] of Object.entries(properties as Properties)) {
    const isRequired = (required as readonly string[]).includes(name)
    if (!body.has(name)) {
      if (isRequired) failures.set(name, [requiredMessage])
      continue
    }
    const { value, messages } = parseMember(schema, body.get(name))
    if (messages.length > 0) failures.set(name, messages)
    else members.set(name, value)
  }
  if (failures.size > 0) throw new ValidationError(failures)
  return Object.fromEntries(members) as Value
}

/** A body in which null is the same as nothing. */
export const withoutNulls = (body: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  new Map([...body].filter(([, value]) => value !== null))

/** Choices and limits are left to whoever takes the value. */
function parseMember(schema: Schema, sent: unknown): ParsedValue<unknown> {
  if (schema.type === 'integer') {
    const value = sent instanceof JsonNumber ? sent.value : sent
    return { value, messages: typeof value === 'number' ? [] : ['A valid integer is required.'] }
  }
  if (schema.type === 'boolean')
    return { value: sent, messages: typeof sent === 'boolean' ? [] : ['Must be a valid boolean.'] }
  const { value, messages } = readString(sent)
  if (messages.length > 0 || schema.minLength === undefined) return { value, messages }
  if (value.trim() === '') return { value, messages: [blankMessage] }
  return { value, messages: value.includes('\0') ? [nullCharactersMessage] : [] }
}
