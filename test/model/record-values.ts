// Arbitrary record values, for properties that hold for every record.

import fc from 'fast-check'

import type { ResourceName } from '../../src/model/iris.js'
import type { RecordValues, FieldValue } from '../../src/model/record/values.js'
import { type Field, type Resources, unsetValue } from '../../src/model/resources.js'

/** What `trim` removes, and what Python's `strip` does besides. */
const spaceAround = /^[\s\u001c-\u001f\u0085]+|[\s\u001c-\u001f\u0085]+$/g

const withoutSpaceAround = (value: string): string => value.replace(spaceAround, '')

/** Any text that the write shape lets through: trimmed, in NFC, well formed, without NUL. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    // What tables and escapes are made of.
    fc.string({
      unit: fc.constantFrom('|', '\\', '"', ',', '\n', '\r', '\t', ' ', '=', '+', "'", 'a'),
      minLength: 1,
      maxLength: 8,
    }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  )
  .map((value) => withoutSpaceAround(withoutSpaceAround(value).normalize('NFC')))
  .filter((value) => value !== '' && value.isWellFormed() && !value.includes('\0'))

const values: Readonly<Record<Field['kind'], fc.Arbitrary<string | number | boolean>>> = {
  text,
  link: fc.oneof(text, fc.webUrl()),
  url: fc.oneof(fc.webUrl(), fc.constant('https://example.org/a|b')),
  email: fc.emailAddress(),
  integer: fc.integer(),
  boolean: fc.boolean(),
  time: fc.constant('2026-11-20T09:15:02.100000Z'),
  code: text,
  reference: text,
}

/** Any card of a resource that a write can make. */
export function anyRecordValues(
  resources: Resources,
  name: ResourceName,
): fc.Arbitrary<RecordValues> {
  const { fields } = resources[name]
  const members = fields.map((field): [string, fc.Arbitrary<FieldValue>] => {
    const value = field.kind === 'code' ? anyCode(field) : values[field.kind]
    if (field.repeatable)
      return [field.name, fc.array(value as fc.Arbitrary<string>, { maxLength: 5 })]
    const isSet = field.required || field.kind === 'boolean'
    return [field.name, isSet ? value : fc.oneof(value, fc.constant(unsetValue(field)))]
  })
  return fc.record(Object.fromEntries(members))
}

/** A code of the field's vocabulary, or one that it does not have, or has no longer. */
const anyCode = ({ vocabulary }: Field): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...(vocabulary?.entries ?? []).map(({ code }) => code)), text)
