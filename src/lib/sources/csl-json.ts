// Reads the items of CSL-JSON
// (https://docs.citationstyles.org/en/stable/specification.html#appendix-iv-variables). The source
// fields are called by their variables; each name is a field of its own.

import { isObject } from '../json.js'
import { parseObject } from './json-lines.js'
import { readObjects } from './json-objects.js'
import { joinDate, noteField, seasonName, withoutRepeatedYear } from './reference-fields.js'
import { type SourceField, type SourceRow, textField } from './source.js'

export async function* readCslJson(path: string, encoding: string): AsyncGenerator<SourceRow> {
  let number = 0
  for await (const text of readObjects(path, encoding)) {
    number += 1
    const row = { number, fields: [], remarks: [] }
    const item = parseObject(text)
    if (typeof item === 'string') yield { ...row, problem: item }
    else yield { ...row, fields: fieldsOf(item) }
  }
}

function fieldsOf(item: object): readonly SourceField[] {
  const fields = Object.entries(item).flatMap(([name, value]) => toFields(name, value))
  return withoutRepeatedYear(fields, ['issued'])
}

function toFields(name: string, value: unknown): readonly SourceField[] {
  if (Array.isArray(value)) return value.flatMap((entry) => toFields(name, entry))
  if (isObject(value)) return isDate(value) ? dateFields(name, value) : nameFields(name, value)
  if (typeof value !== 'string' && typeof value !== 'number') return []
  const text = String(value).trim()
  // Our notes are lines.
  if (name === 'note') return text.split('\n').map((line) => noteField(name, line))
  return text === '' ? [] : [textField(name, text)]
}

const isDate = (value: object): boolean =>
  ['date-parts', 'raw', 'season', 'edtf'].some((key) => key in value) ||
  ('literal' in value && 'circa' in value)

const stringOf = (value: object, key: string): string => {
  const member: unknown = Object.entries(value).find(([name]) => name === key)?.[1]
  return typeof member === 'string' || typeof member === 'number' ? String(member).trim() : ''
}

/** A person in the order of a list of authors, or a group, which is not turned around. */
function nameFields(name: string, value: object): readonly SourceField[] {
  const literal = stringOf(value, 'literal')
  if (literal !== '') return [{ ...textField(name, literal), agentKind: 'Collective' }]
  const family = [stringOf(value, 'non-dropping-particle'), stringOf(value, 'family')]
  const givenNames = [stringOf(value, 'given'), stringOf(value, 'dropping-particle')]
  const parts = [family.filter(Boolean).join(' '), givenNames.filter(Boolean).join(' ')]
  const text = [...parts, stringOf(value, 'suffix')].filter(Boolean).join(', ')
  return text === '' ? [] : [{ ...textField(name, text), agentKind: 'Person' }]
}

function dateFields(name: string, value: object): readonly SourceField[] {
  const text =
    stringOf(value, 'literal') ||
    stringOf(value, 'raw') ||
    stringOf(value, 'edtf') ||
    fromParts(value)
  return text === '' ? [] : [textField(name, text)]
}

function fromParts(value: object): string {
  const parts: unknown = 'date-parts' in value ? value['date-parts'] : undefined
  if (!Array.isArray(parts)) return ''
  const ends = parts
    .filter((end): end is unknown[] => Array.isArray(end))
    .map((end) => joinDate(...(end.map(String) as [string, string?, string?])))
  const season = seasonName(Number(stringOf(value, 'season'))) ?? stringOf(value, 'season')
  const isRough = 'circa' in value && value.circa !== false
  const date = (season === '' ? '' : `${season} `) + ends.join('/')
  return isRough ? `${date}~` : date
}
