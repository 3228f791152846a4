// The schema of one field: as input, and as it is read. Nested objects are left to
// nested-schemas.ts, records to record-schemas.ts.

import { geographyNames } from '../../model/declarations/read-files.js'
import type { Field, FieldKind } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { maxItems } from '../../model/record/input.js'
import type { Schema } from '../../http/schemas.js'

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
  const type = types[field.kind]
  if (type.type !== 'string')
    return { ...type, ...(field.minimum === undefined ? {} : { minimum: field.minimum }) }
  const codes = choicesOf(field.vocabulary)
  // An unset code is an empty string.
  if (codes) return { ...type, enum: field.nonEmpty ? codes : [...codes, ''] }
  const pattern = field.pattern ?? codePatternOf(field.vocabulary)
  return {
    ...type,
    ...(field.nonEmpty ? { minLength: 1 } : {}),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
    ...(pattern === undefined ? {} : { pattern: inputPattern(field, pattern) }),
    ...formatSchema(field),
  }
}

/** An unset URL or e-mail address is an empty string, which does not have the format. */
function formatSchema({ kind, nonEmpty }: Field): Schema {
  const format = formats[kind]
  if (!format || nonEmpty) return format ?? {}
  return {
    anyOf: [
      { type: 'string', ...format },
      { type: 'string', maxLength: 0 },
    ],
  }
}

/**
 * The schema of a field as it is read. It has no limits of the input: the empty string of an unset
 * field would break them. Nested objects are left to nested-schemas.ts.
 */
export function outputFieldSchema(field: Field, isNested = false): Schema {
  const value = outputValueSchema(field, isNested)
  return {
    ...(field.repeatable ? { type: 'array', items: value } : value),
    ...readOnlyOf(field),
    description: outputDescription(field),
  }
}

/** Marks a field that clients do not write, or write under another name. */
export const readOnlyOf = (field: Field): Schema =>
  field.onRecordNode || field.outputName !== field.name ? { readOnly: true } : {}

export const outputDescription = (field: Field): string =>
  `${fieldDescription(field)}${field.private ? ` ${privacyTexts[field.private]}` : ''}`

const privacyTexts = {
  unlessPublic: 'Left out while the agent is not public.',
  always: 'Shown with `private=true` to accounts that may edit the record, and to nobody else.',
} as const

function outputValueSchema(field: Field, isNested: boolean): Schema {
  if (field.kind === 'time') return { ...types.time, ...formats.time }
  // Only single codes: the lists of repeatable ones grow by local terms, which may be removed
  // again.
  const codes = field.repeatable ? undefined : choicesOf(field.vocabulary)
  // Nested, a code is empty too where the referred record is deleted.
  const isSet = field.defaultValue !== undefined || (field.nonEmpty && !isNested)
  return { ...types[field.kind], ...(codes ? { enum: isSet ? codes : [...codes, ''] } : {}) }
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
  geographyNames.some((geographyName) => geographyName === name)
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

export const choicesOf = (vocabulary: Vocabulary | undefined): string[] | undefined =>
  vocabulary && vocabulary.entries.length <= maxListedCodes
    ? vocabulary.entries.map(({ code }) => code)
    : undefined

/** The pattern of the codes of ISO 3166-1 or ISO 639-1; undefined for other vocabularies. */
export const codePatternOf = (vocabulary: Vocabulary | undefined): string | undefined =>
  vocabulary &&
  [/^[A-Z]{2}$/, /^[a-z]{2}$/].find((pattern) =>
    vocabulary.entries.every(({ code }) => pattern.test(code)),
  )?.source

/** The pattern of the input: without the prefix of the stored value, and with the empty string. */
function inputPattern(field: Field, pattern: string): string {
  const prefix = (field.prefix ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Further alternatives are those of derived values.
  const [written = ''] = field.derivedPrefixes ? pattern.split('|^') : [pattern]
  const unprefixed = written.replace(`^${prefix}`, '^')
  return field.nonEmpty || field.repeatable ? unprefixed : `^$|${unprefixed}`
}
