// The schema of one field: as input, and as it is read. Records are left to record-schemas.ts.

import { cascades } from '../../../catalogue/cascade.js'
import type { ResourceName } from '../../../model/iris.js'
import { geographyNames } from '../../../model/declarations/read-files.js'
import type { Field, FieldKind, Resources } from '../../../model/resources.js'
import type { NestedFields } from '../../../model/declarations/field-declaration.js'
import type { Vocabulary } from '../../../model/vocabulary.js'
import { maxItems } from '../../../model/record/input.js'
import type { Schema } from './document.js'
import { entrySchema } from './reference-schemas.js'

/** The schema of a field in the body of a POST, PUT or PATCH. */
export function inputFieldSchema(field: Field): Schema {
  if (field.repeatable)
    return {
      type: 'array',
      items: inputValueSchema({ ...field, nonEmpty: true }),
      ...(field.nonEmpty ? { minItems: 1 } : {}),
      maxItems: maxItems,
      description: fieldDescription(field),
    }
  return {
    ...inputValueSchema(field),
    ...(field.outputName === field.name ? {} : { writeOnly: true }),
    description: fieldDescription(field),
  }
}

function inputValueSchema(field: Field): Schema {
  // An unset URL or e-mail address is an empty string, which does not have the format.
  if (formats[field.kind] && !field.nonEmpty)
    return {
      anyOf: [inputValueSchema({ ...field, nonEmpty: true }), { type: 'string', maxLength: 0 }],
    }
  const schema = { ...types[field.kind], ...formats[field.kind] }
  if (schema.type !== 'string')
    return { ...schema, ...(field.minimum === undefined ? {} : { minimum: field.minimum }) }
  const codes = choicesOf(field.vocabulary)
  return {
    ...schema,
    ...(field.nonEmpty ? { minLength: 1 } : {}),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
    ...(field.pattern === undefined ? {} : { pattern: inputPattern(field, field.pattern) }),
    // An unset code is an empty string.
    ...(codes ? { enum: field.nonEmpty ? codes : [...codes, ''] } : {}),
  }
}

/**
 * The schema of a field as it is read. It has no limits of the input: the empty string of an unset field
 * would break them, and a code may have been removed from its vocabulary.
 */
export function outputFieldSchema(
  resources: Resources,
  owner: ResourceName,
  field: Field,
  nestedFields: NestedFields | undefined,
): Schema {
  const value = nestedFields
    ? nestedValueSchema(resources, owner, field, nestedFields)
    : outputTypeOf(field)
  return {
    ...(field.repeatable ? { type: 'array', items: value } : value),
    ...(field.onRecordNode || field.outputName !== field.name ? { readOnly: true } : {}),
    description: field.private
      ? `${fieldDescription(field)} Left out while the agent is not public.`
      : fieldDescription(field),
  }
}

const outputTypeOf = (field: Field): Schema =>
  field.kind === 'time' ? { ...types.time, ...formats.time } : types[field.kind]

function nestedValueSchema(
  resources: Resources,
  owner: ResourceName,
  field: Field,
  nestedFields: NestedFields,
): Schema {
  const { target } = field
  if (!target) return nestedEntrySchema(nestedFields)
  const referredResource = resources[target]
  const properties = nestedFields.flatMap((key): [string, Schema][] => {
    const [name, nested] = typeof key === 'string' ? [key] : key
    const referredField = referredResource.byName.get(name)
    return referredField
      ? [[name, outputFieldSchema(resources, target, referredField, nested)]]
      : []
  })
  // Of a deleted record only the fields of lists are left, unless the referring record is deleted with it.
  const isDeletedWith = cascades[target].some(
    (cascade) => cascade.resource === owner && cascade.field === field.name,
  )
  const alwaysPresent = isDeletedWith
    ? nestedFields
    : nestedFields.filter((key) => field.nested?.list.includes(key))
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: alwaysPresent.map((key) => (typeof key === 'string' ? key : key[0])),
  }
}

function nestedEntrySchema(nestedFields: NestedFields): Schema {
  const { properties, required } = entrySchema
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => nestedFields.includes(name)),
    ),
    required: required.filter((name) => nestedFields.includes(name)),
  }
}

/** The comment of a field, with its codes or the list that has them. */
export function fieldDescription({ comment, vocabulary }: Field): string {
  if (!vocabulary) return comment
  const codes = choicesOf(vocabulary)
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

/** The most codes that are listed in a schema. */
const maxListedCodes = 12

const choicesOf = (vocabulary: Vocabulary | undefined): string[] | undefined =>
  vocabulary && vocabulary.entries.length <= maxListedCodes
    ? vocabulary.entries.map(({ code }) => code)
    : undefined

/** The pattern of the input: without the prefix of the stored value, and with the empty string. */
function inputPattern(field: Field, pattern: string): string {
  const prefix = (field.prefix ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const own = pattern.replace(`^${prefix}`, '^')
  return field.nonEmpty || field.repeatable ? own : `^$|${own}`
}
