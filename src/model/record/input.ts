// The write shape: what a client sent, as a card, judged by the types of JSON. What the graph can
// judge (lengths, patterns, codes, references) is left to the shapes. Messages: decisions, Field values.

import { dcterms } from '../../rdf/namespaces.js'
import type { RecordValues, FieldValue } from './values.js'
import { type Field, type Resource, pathKey } from '../resources.js'

/** Messages by the name of the field. */
export type FieldErrors = ReadonlyMap<string, readonly string[]>

/** What was sent cannot be taken: every field that fails, each with all its messages. */
export class ValidationError extends Error {
  constructor(readonly fieldErrors: FieldErrors) {
    super(`invalid: ${[...fieldErrors.keys()].join(', ')}`)
  }
}

/** The fields that were sent and are well typed, and the messages of those that are not. */
export type ParsedInput = {
  readonly values: RecordValues
  readonly errors: Map<string, string[]>
}

/** Reads all fields; one that is missing fails where it is required, and else has its default. */
export function parseFull(resource: Resource, body: ReadonlyMap<string, unknown>): ParsedInput {
  const { values: sent, errors } = parsePartial(resource, body)
  const values: Record<string, FieldValue> = { ...sent }
  for (const field of resource.inputFields) {
    if (body.has(field.name)) continue
    if (field.required) errors.set(field.name, [requiredMessage])
    else if (field.defaultValue !== undefined) values[field.name] = field.defaultValue
  }
  return { values, errors }
}

/** Reads the fields that were sent; what is not a field of the write shape is passed over. */
export function parsePartial(resource: Resource, body: ReadonlyMap<string, unknown>): ParsedInput {
  const values: Record<string, FieldValue> = {}
  const errors = new Map<string, string[]>()
  for (const field of resource.inputFields) {
    if (!body.has(field.name)) continue
    const { value, messages } = readField(field, body.get(field.name))
    if (messages.length > 0) errors.set(field.name, messages)
    else values[field.name] = value
  }
  return { values, errors }
}

export type ParsedValue<Of> = { readonly value: Of; readonly messages: string[] }

const failed = <Of>(value: Of, message: string): ParsedValue<Of> => ({ value, messages: [message] })

export const requiredMessage = 'This field is required.'
const isNull = 'This field may not be null.'
export const blankMessage = 'This field may not be blank.'

function readField(field: Field, value: unknown): ParsedValue<FieldValue> {
  if (field.repeatable) return readList(field, value)
  if (field.kind === 'integer') return readInteger(value)
  if (field.kind === 'boolean') return readBoolean(value)
  const read = readText(field, value)
  if (read.messages.length > 0 || read.value !== '') return read
  // A blank text is an unset one, and what has a default is never unset.
  return field.nonEmpty ? failed('', blankMessage) : { ...read, value: field.defaultValue ?? '' }
}

/** Far more than any field of a record has; judging tens of thousands would hold everybody up. */
export const maxItems = 1000

function readList(field: Field, value: unknown): ParsedValue<readonly string[]> {
  if (value === null) return failed([], isNull)
  if (!Array.isArray(value))
    return failed([], `Expected a list of items but got type "${pythonType(value)}".`)
  if (value.length > maxItems)
    return failed([], `Ensure this field has no more than ${maxItems} elements.`)
  const items = value.map((item) => readItem(field, item))
  const messages = items.flatMap((item, index) =>
    item.messages.map((message) => `Item ${index + 1}: ${message}`),
  )
  const values = items.map((item) => item.value)
  const isSet = field.kind === 'reference' || field.kind === 'code'
  return { value: isSet ? [...new Set(values)] : values, messages }
}

function readItem(field: Field, value: unknown): ParsedValue<string> {
  const read = readText(field, value)
  return read.messages.length === 0 && read.value === '' ? failed('', blankMessage) : read
}

/** A text, trimmed and in NFC; a number is taken as its text, as DRF's CharField does. */
function readText(field: Field, value: unknown): ParsedValue<string> {
  const { value: written, messages } = readString(value)
  if (messages.length > 0) return { value: '', messages }
  const trimmed = written.trim().normalize('NFC')
  // An identifier's shape has its own word for all control characters, this one among them.
  if (trimmed.includes('\0') && !isIdentifier(field))
    return failed('', 'Null characters are not allowed.')
  return { value: trimmed, messages: [] }
}

/** A string as it was sent, or why it is none. */
export function readString(value: unknown): ParsedValue<string> {
  if (value === null) return failed('', isNull)
  if (typeof value !== 'string' && typeof value !== 'number')
    return failed('', 'Not a valid string.')
  const written = String(value)
  const surrogate = loneSurrogate(written)
  if (surrogate) return failed('', `Surrogate characters are not allowed: U+${surrogate}.`)
  return endlessMarks.test(written)
    ? failed('', 'Too many combining characters in a row.')
    : { value: written, messages: [] }
}

// Normalising sorts a run of combining marks, in time that grows with its square: half a million of
// them hold everybody up for minutes. Unicode's stream-safe texts (UAX 15, 13) have 30 at most.
const endlessMarks = /\p{M}{64}/u

const isIdentifier = (field: Field): boolean =>
  field.kind === 'reference' || pathKey(field.path) === dcterms('identifier').value

function readInteger(value: unknown): ParsedValue<number | null> {
  if (value === null) return { value: null, messages: [] }
  const isNumeral = typeof value === 'string' && /^\s*[+-]?\d{1,40}(?:\.0*)?\s*$/.test(value)
  const number = isNumeral ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number)
    ? { value: number, messages: [] }
    : failed(null, 'A valid integer is required.')
}

// The spellings that DRF's BooleanField takes.
const truths = new Map<unknown, boolean>([
  ...['t', 'y', 'yes', 'true', 'on', '1', 1, true].map((spelling) => [spelling, true] as const),
  ...['f', 'n', 'no', 'false', 'off', '0', 0, false].map((spelling) => [spelling, false] as const),
])

function readBoolean(value: unknown): ParsedValue<boolean> {
  if (value === null) return failed(false, isNull)
  const truth = truths.get(typeof value === 'string' ? value.trim().toLowerCase() : value)
  return truth === undefined
    ? failed(false, 'Must be a valid boolean.')
    : { value: truth, messages: [] }
}

/** The name that Python has for a JSON value's type, as DRF's messages say it. */
export function pythonType(value: unknown): string {
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'str' : 'dict'
}

/** The first surrogate that has no partner, in hexadecimal. No UTF-8 can carry it. */
function loneSurrogate(value: string): string | undefined {
  if (value.isWellFormed()) return undefined
  const surrogate = Array.from(value).find((character) => !character.isWellFormed())
  return surrogate?.charCodeAt(0).toString(16).toUpperCase()
}
