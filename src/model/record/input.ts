// Parses what a client sent into the values of a record, and checks JSON types. Lengths, patterns,
// codes and references are left to the shapes (src/model/validation). The messages are those of
// Django REST Framework, which clients know (docs/reference/records.md, "Field values").

import { type Message, FilledMessage, message } from '../../message.js'
import { RequestError } from '../../errors.js'
import { dcterms } from '../../rdf/namespaces.js'
import { JsonNumber } from './json-input.js'
import type { RecordValues, FieldValue } from './values.js'
import { type Field, type Resource, pathKey } from '../resources.js'

/** Messages by the name of the field. */
export type FieldErrors = ReadonlyMap<string, readonly Message[]>

/** The input is not valid: has every field that fails, each with all its messages. */
export class ValidationError extends RequestError {
  constructor(readonly fieldErrors: FieldErrors) {
    super('invalid', `invalid: ${[...fieldErrors.keys()].join(', ')}`)
  }

  override get body(): object {
    return Object.fromEntries(this.fieldErrors)
  }
}

/** What is wrong with a field, or with one item of a list. */
export type FieldMessage = {
  readonly text: Message
  /** The position of the item in the list, from 0. */
  readonly item?: number
  /** The text does not say which item is meant, so `Item 1: ` and so on is written before it. */
  readonly isNumbered?: true
}

export type ParsedInput = {
  /** The fields that could be parsed; of a list, the items that could be. */
  readonly values: RecordValues
  readonly errors: ReadonlyMap<string, readonly FieldMessage[]>
  /** Of each list in `values`, the positions that its items had in the list that was sent. */
  readonly positions: ReadonlyMap<string, readonly number[]>
}

/** The messages of a field as clients read them: those of items in the order of the items. */
export const formatMessages = (messages: readonly FieldMessage[]): Message[] =>
  messages
    .toSorted((a, b) => (a.item ?? -1) - (b.item ?? -1))
    .map(({ text, item = 0, isNumbered }) => (isNumbered ? new ItemMessage(item + 1, text) : text))

/** What is wrong with one item of a list. */
export class ItemMessage extends FilledMessage {
  /** @param number from 1 */
  constructor(
    readonly number: number,
    readonly text: Message,
  ) {
    super('Item {number}: {text}', { number, text })
  }
}

/**
 * For POST and PUT. A field that was not sent is an error where it is required, and else has its
 * default.
 */
export function parseFull(resource: Resource, body: ReadonlyMap<string, unknown>): ParsedInput {
  const sent = parsePartial(resource, body)
  const values: Record<string, FieldValue> = { ...sent.values }
  const errors = new Map(sent.errors)
  for (const field of resource.inputFields) {
    if (body.has(field.name)) continue
    if (field.required) errors.set(field.name, [{ text: requiredMessage }])
    else if (field.defaultValue !== undefined) values[field.name] = field.defaultValue
  }
  return { ...sent, values, errors }
}

/**
 * For PATCH: parses only the fields that were sent. Members of the body that are no fields are
 * ignored.
 */
export function parsePartial(resource: Resource, body: ReadonlyMap<string, unknown>): ParsedInput {
  const values: Record<string, FieldValue> = {}
  const errors = new Map<string, readonly FieldMessage[]>()
  const positions = new Map<string, readonly number[]>()
  for (const field of resource.inputFields) {
    if (!body.has(field.name)) continue
    const value = body.get(field.name)
    if (field.repeatable) {
      const list = parseList(field, value)
      if (list.messages.length > 0) errors.set(field.name, list.messages)
      // A list without a single valid item would look like an empty one, which is another error.
      if (list.messages.length > 0 && list.items.length === 0) continue
      values[field.name] = list.items
      positions.set(field.name, list.positions)
    } else {
      const single = parseSingle(field, value)
      if (single.messages.length > 0)
        errors.set(
          field.name,
          single.messages.map((text) => ({ text })),
        )
      else values[field.name] = single.value
    }
  }
  return { values, errors, positions }
}

export type ParsedValue<Value> = { readonly value: Value; readonly messages: Message[] }

const invalid = <Value>(value: Value, text: Message): ParsedValue<Value> => ({
  value,
  messages: [text],
})

export const requiredMessage = message('This field is required.')
const nullMessage = 'This field may not be null.'
export const nullCharactersMessage = message('Null characters are not allowed.')
export const blankMessage = message('This field may not be blank.')
export const integerMessage = 'A valid integer is required.'
export const urlMessage = message('Enter a valid URL.')
export const tooLongMessage = (maxLength: number): FilledMessage =>
  message('Ensure this field has no more than {maxLength} characters.', { maxLength })

function parseSingle(field: Field, value: unknown): ParsedValue<FieldValue> {
  if (field.kind === 'integer') return parseInteger(value)
  if (field.kind === 'boolean') return parseBoolean(value)
  const read = parseText(field, value)
  if (read.messages.length > 0 || read.value !== '') return read
  // An empty text unsets the field; a field with a default is then given its default.
  return field.nonEmpty ? invalid('', blankMessage) : { ...read, value: field.defaultValue ?? '' }
}

/**
 * More than any record needs. Validating tens of thousands of items would block all other requests.
 */
export const maxItems = 1000

export const tooManyItems = message('Ensure this field has no more than {count} elements.', {
  count: maxItems,
})

type ParsedList = {
  readonly items: readonly string[]
  readonly positions: readonly number[]
  readonly messages: readonly FieldMessage[]
}

const invalidList = (text: Message): ParsedList => ({
  items: [],
  positions: [],
  messages: [{ text }],
})

function parseList(field: Field, value: unknown): ParsedList {
  if (value === null) return invalidList(nullMessage)
  if (!Array.isArray(value))
    return invalidList(`Expected a list of items but got type "${pythonType(value)}".`)
  if (value.length > maxItems) return invalidList(tooManyItems)
  const isSet = field.kind === 'reference' || field.kind === 'code'
  const known = new Set<string>()
  const items: string[] = []
  const positions: number[] = []
  const messages: FieldMessage[] = []
  value.forEach((sent, item) => {
    const parsed = parseItem(field, sent)
    messages.push(...parsed.messages.map((text) => ({ text, item, isNumbered: true as const })))
    if (parsed.messages.length > 0 || (isSet && known.has(parsed.value))) return
    known.add(parsed.value)
    items.push(parsed.value)
    positions.push(item)
  })
  return { items, positions, messages }
}

function parseItem(field: Field, value: unknown): ParsedValue<string> {
  const read = parseText(field, value)
  return read.messages.length === 0 && read.value === '' ? invalid('', blankMessage) : read
}

/** A text, trimmed and in NFC; a number is accepted as its text, as DRF's CharField does. */
function parseText(field: Field, value: unknown): ParsedValue<string> {
  const { value: written, messages } = readString(value)
  if (messages.length > 0) return { value: '', messages }
  const sent = withoutWhiteSpace(written)
  // No text becomes shorter by more than this in NFC (4 code points to 1, of 2 UTF-16 units each),
  // so neither normalization nor the patterns of the shapes have to read a text of a megabyte.
  if (field.maxLength !== undefined && sent.length > 8 * field.maxLength)
    return invalid('', tooLongMessage(field.maxLength))
  const trimmed = sent.normalize('NFC')
  // For identifiers, the shape's message covers all control characters, this one included.
  if (trimmed.includes('\0') && !isIdentifier(field)) return invalid('', nullCharactersMessage)
  return { value: trimmed, messages: [] }
}

/** A string, or a number's text, as it was sent; or the message for what is neither. */
export function readString(value: unknown): ParsedValue<string> {
  if (value === null) return invalid('', nullMessage)
  const written = value instanceof JsonNumber ? value.text : value
  const isNumberTooLarge = value instanceof JsonNumber && !Number.isFinite(value.value)
  if (typeof written !== 'string' || isNumberTooLarge)
    return invalid('', message('Not a valid string.'))
  const surrogate = loneSurrogate(written)
  if (surrogate) return invalid('', `Surrogate characters are not allowed: U+${surrogate}.`)
  return hasTooManyMarks(written)
    ? invalid('', message('Too many combining characters in a row.'))
    : { value: written, messages: [] }
}

// Normalization sorts a run of combining marks in quadratic time: half a million of them block all
// requests for minutes. Unicode's stream-safe text format (UAX 15, section 13) allows 30 in a row.
const maxMarks = 64

// Runs are found one after the other, in linear time: a pattern with a count tries each start in a
// run.
function hasTooManyMarks(text: string): boolean {
  for (const [run] of text.matchAll(/\p{M}+/gu))
    if (run.length > maxMarks && Array.from(run).length > maxMarks) return true
  return false
}

/**
 * A text without the white space at both ends: what `trim` removes, and what Python's `strip` does
 * besides.
 */
function withoutWhiteSpace(text: string): string {
  const trimmed = text.trim()
  if (!endsWithPythonSpace.test(trimmed)) return trimmed
  let [start, end] = [0, trimmed.length]
  while (start < end && isWhiteSpace.test(trimmed.charAt(start))) start += 1
  while (end > start && isWhiteSpace.test(trimmed.charAt(end - 1))) end -= 1
  return trimmed.slice(start, end)
}

/** The information separators and NEXT LINE. */
const endsWithPythonSpace = /^[\u001c-\u001f\u0085]|[\u001c-\u001f\u0085]$/

const isWhiteSpace = /[\s\u001c-\u001f\u0085]/

const isIdentifier = (field: Field): boolean => pathKey(field.path) === dcterms('identifier').value

function parseInteger(sent: unknown): ParsedValue<number | null> {
  const value = withoutNumberText(sent)
  if (value === null) return { value: null, messages: [] }
  const text = sent instanceof JsonNumber ? sent.text : value
  const [, digits] = typeof text === 'string' ? (numeral.exec(text) ?? []) : []
  const number = digits === undefined ? value : Number(digits)
  return typeof number === 'number' && isExact(number, digits)
    ? { value: number, messages: [] }
    : invalid(null, integerMessage)
}

const numeral = /^\s*([+-]?\d{1,40})(?:\.0*)?\s*$/

/**
 * Whether a number is an integer within ±2^53. The double of the limit is also that of the next
 * integer.
 */
const isExact = (number: number, digits: string | undefined): boolean =>
  Number.isSafeInteger(number) ||
  (Math.abs(number) === 2 ** 53 && digits !== undefined && BigInt(digits) === BigInt(number))

// The spellings that DRF's BooleanField accepts.
const booleans = new Map<unknown, boolean>([
  ...['t', 'y', 'yes', 'true', 'on', '1', 1, true].map((spelling) => [spelling, true] as const),
  ...['f', 'n', 'no', 'false', 'off', '0', 0, false].map((spelling) => [spelling, false] as const),
])

export function parseBoolean(sent: unknown): ParsedValue<boolean> {
  const value = withoutNumberText(sent)
  if (value === null) return invalid(false, nullMessage)
  const boolean = booleans.get(typeof value === 'string' ? value.trim().toLowerCase() : value)
  return boolean === undefined
    ? invalid(false, message('Must be a valid boolean.'))
    : { value: boolean, messages: [] }
}

const withoutNumberText = (value: unknown): unknown =>
  value instanceof JsonNumber ? value.value : value

/** The name of a JSON value's type in Python, which DRF's messages use. */
export function pythonType(sent: unknown): string {
  const value = withoutNumberText(sent)
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (sent instanceof JsonNumber) return /[.e]/i.test(sent.text) ? 'float' : 'int'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'str' : 'dict'
}

/** The first unpaired surrogate, in hexadecimal. UTF-8 cannot encode it. */
function loneSurrogate(value: string): string | undefined {
  if (value.isWellFormed()) return undefined
  const surrogate = Array.from(value).find((character) => !character.isWellFormed())
  return surrogate?.charCodeAt(0).toString(16).toUpperCase()
}
