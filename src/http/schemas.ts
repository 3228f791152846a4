// Schemas of what endpoints read and answer, as OpenAPI 3.0 has them. Each has the type of its
// values, so that a schema beside a handler is its only description: it gives the type of what is
// sent (`ValueOf`), reads what was sent (`parseMembers`), and is a part of the OpenAPI document.

import { type Message, message } from '../message.js'
import {
  type ParsedValue,
  ValidationError,
  blankMessage,
  integerMessage,
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

/** Only known to `partial` and `object`: it marks what may be left out. */
const isOptional: unique symbol = Symbol('optional')

type OptionalSchema = { readonly [isOptional]: true }

type ObjectOf<Members> = {
  readonly [name in keyof Members as Members[name] extends OptionalSchema ? never : name]: ValueOf<
    Members[name]
  >
} & {
  readonly [name in keyof Members as Members[name] extends OptionalSchema ? name : never]?:
    ValueOf<Members[name]> | undefined
}

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
/** A number from 1. */
export const positive = ofType<number>({ type: 'integer', minimum: 1 })
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

/** The same properties, which may be left out. */
export const partial = <Members extends Properties>(members: Members) =>
  // The cast: `fromEntries` forgets the names.
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, { ...schema, [isOptional]: true }]),
  ) as { readonly [name in keyof Members]: Members[name] & OptionalSchema }

/** An object with these properties, of which those of `partial` may be left out. */
export function object<Members extends Properties>(
  properties: Members,
  more: Keywords = {},
): SchemaOf<ObjectOf<Members>> {
  const required = Object.keys(properties).filter(
    (name) => !Object.hasOwn(properties[name] ?? {}, isOptional),
  )
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...keywordsOf(more),
  }
}

/** An object that is a component of the document, so that generated clients have a type for it. */
export const component = <Members extends Properties>(
  name: string,
  description: string,
  properties: Members,
  keywords: Schema = {},
): SchemaOf<ObjectOf<Members>> => ({
  $id: name,
  ...object(properties, { ...keywords, description }),
})

/**
 * A page of a list (docs/reference/lists.md, "Lists"), with what pages of this list may have
 * besides.
 */
export const page = (name: string, items: Schema, more: Properties = {}): Schema =>
  component(name, 'One page of a list.', {
    count: count('The number of matching records.'),
    next: nullable(url('The next page; null on the last.')),
    previous: nullable(url('The page before; null on the first.')),
    results: listOf(items),
    ...partial(more),
  })

/** The same of a list that is searched with `q`. */
export const searchedPage = (name: string, items: Schema): Schema =>
  page(name, items, {
    did_you_mean: text(
      'With `q`, where few are found: a search with the words that were likely meant.',
    ),
  })

/** An entry of a vocabulary; records show the same or a part of it. */
export const entrySchema = component(
  'Entry',
  'An entry of a vocabulary, or a country or language.',
  {
    code: text('The code by which records and clients name the entry.'),
    label: text('The words by which the entry is shown to people.'),
    uri: url('The IRI of the entry.'),
    ...partial({ definition: text('What the entry covers, where that is said.') }),
  },
)

/**
 * The members of a body that a schema of an object describes.
 * @throws ValidationError with all messages of every member that is wrong
 */
export function parseMembers<Value>(
  { properties, required = [] }: SchemaOf<Value>,
  body: ReadonlyMap<string, unknown>,
): Value {
  const failures = new Map<string, readonly Message[]>()
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
    return { value, messages: typeof value === 'number' ? [] : [integerMessage] }
  }
  if (schema.type === 'boolean')
    return {
      value: sent,
      messages: typeof sent === 'boolean' ? [] : [message('Must be a valid boolean.')],
    }
  const { value, messages } = readString(sent)
  if (messages.length > 0 || schema.minLength === undefined) return { value, messages }
  if (value.trim() === '') return { value, messages: [blankMessage] }
  return { value, messages: value.includes('\0') ? [nullCharactersMessage] : [] }
}
