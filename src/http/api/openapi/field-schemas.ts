// The schema of one field, from its facts: as a client may write it, and as it is read.

import { cascades } from '../../../catalogue/cascade.js'
import type { ResourceName } from '../../../model/iris.js'
import { geographyNames } from '../../../model/declarations/read-files.js'
import type { Field, FieldKind, Resources } from '../../../model/resources.js'
import type { NestedFields } from '../../../model/declarations/field-declaration.js'
import type { Vocabulary } from '../../../model/vocabulary.js'
import { maxItems } from '../../../model/record/input.js'
import type { Schema } from './document.js'
import { entrySchema } from './reference-schemas.js'

/** As a client may write it, in a whole record or in a change. */
export function inputFieldSchema(field: Field): Schema {
  if (field.repeatable)
    return {
      type: 'array',
      items: writtenValue({ ...field, nonEmpty: true }),
      ...(field.nonEmpty ? { minItems: 1 } : {}),
      maxItems: maxItems,
      description: fieldDescription(field),
    }
  return {
    ...writtenValue(field),
    ...(field.outputName === field.name ? {} : { writeOnly: true }),
    description: fieldDescription(field),
  }
}

function writtenValue(field: Field): Schema {
  // A URL or an address that is unset is an empty text, which is neither.
  if (formats[field.kind] && !field.nonEmpty)
    return { anyOf: [writtenValue({ ...field, nonEmpty: true }), { type: 'string', maxLength: 0 }] }
  const schema = { ...types[field.kind], ...formats[field.kind] }
  if (schema.type !== 'string')
    return { ...schema, ...(field.minimum === undefined ? {} : { minimum: field.minimum }) }
  const codes = fewCodes(field.vocabulary)
  return {
    ...schema,
    ...(field.nonEmpty ? { minLength: 1 } : {}),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
    ...(field.pattern === undefined ? {} : { pattern: patternOf(field, field.pattern) }),
    // An unset text is an empty one.
    ...(codes ? { enum: field.nonEmpty ? codes : [...codes, ''] } : {}),
  }
}

/**
 * As it is read: without the limits of the write shape, since the empty text of an unset field would
 * not meet them, and a code may have left its vocabulary since.
 */
export function outputFieldSchema(
  resources: Resources,
  owner: ResourceName,
  field: Field,
  shown: NestedFields | undefined,
): Schema {
  const value = shown ? shownValue(resources, owner, field, shown) : typeOf(field)
  return {
    ...(field.repeatable ? { type: 'array', items: value } : value),
    ...(field.onRecordNode || field.outputName !== field.name ? { readOnly: true } : {}),
    description: field.private
      ? `${fieldDescription(field)} Left out while the agent is not public.`
      : fieldDescription(field),
  }
}

const typeOf = (field: Field): Schema =>
  field.kind === 'time' ? { ...types.time, ...formats.time } : types[field.kind]

function shownValue(
  resources: Resources,
  owner: ResourceName,
  field: Field,
  shown: NestedFields,
): Schema {
  const { target } = field
  if (!target) return entryWith(shown)
  const named = resources[target]
  const properties = shown.flatMap((key): [string, Schema][] => {
    const [name, nested] = typeof key === 'string' ? [key] : key
    const inner = named.byName.get(name)
    return inner ? [[name, outputFieldSchema(resources, target, inner, nested)]] : []
  })
  // Of a record that was deleted since, what a list would show is left; some go only together.
  const goesAlong = cascades[target].some(
    (cascade) => cascade.resource === owner && cascade.field === field.name,
  )
  const sure = goesAlong ? shown : shown.filter((key) => field.nested?.list.includes(key))
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: sure.map((key) => (typeof key === 'string' ? key : key[0])),
  }
}

function entryWith(shown: NestedFields): Schema {
  const { properties, required } = entrySchema
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => shown.includes(name)),
    ),
    required: required.filter((name) => shown.includes(name)),
  }
}

/** What the field is, and where its codes are found. */
export function fieldDescription({ comment, vocabulary }: Field): string {
  if (!vocabulary) return comment
  const codes = fewCodes(vocabulary)
  return codes
    ? `${comment} One of ${codes.map((code) => `\`${code}\``).join(', ')}.`
    : `${comment} A code of \`${listOf(vocabulary)}\`.`
}

/** Where a vocabulary is served. */
const listOf = ({ name }: Vocabulary): string =>
  geographyNames.some((one) => one === name)
    ? `/api/geography/${name}/`
    : `/api/vocabularies/${name}/`

/** The type of a field's values, without its limits. */
export const types: Readonly<Record<FieldKind, Schema>> = {
  text: { type: 'string' },
  link: { type: 'string' },
  url: { type: 'string' },
  email: { type: 'string' },
  integer: { type: 'integer', nullable: true },
  boolean: { type: 'boolean' },
  time: { type: 'string' },
  code: { type: 'string' },
  reference: { type: 'string' },
}

const formats: Partial<Record<FieldKind, Schema>> = {
  url: { format: 'uri' },
  email: { format: 'email' },
  time: { format: 'date-time' },
}

/** A vocabulary that a form would show as a choice rather than as a search. */
const few = 12

const fewCodes = (vocabulary: Vocabulary | undefined): string[] | undefined =>
  vocabulary && vocabulary.entries.length <= few
    ? vocabulary.entries.map(({ code }) => code)
    : undefined

/** The pattern of what a client writes: without the prefix of the kept value, and with the empty text. */
function patternOf(field: Field, pattern: string): string {
  const prefix = (field.prefix ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const own = pattern.replace(`^${prefix}`, '^')
  return field.nonEmpty || field.repeatable ? own : `^$|${own}`
}
