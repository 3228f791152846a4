// Reads JSON Lines, and an array of objects: the keys of an object are the fields. What is inside
// of an object or a list becomes a field or a part of its own. A record of MARC-in-JSON has the
// fields of MARC.

import { isObject } from '../json.js'
import { createYielder } from '../scheduling.js'
import { addTo } from '../names/spelling.js'
import { readText } from './tables/encodings.js'
import { hasObjectArray, readObjects } from './json-objects.js'
import { sourceLimits } from './limits.js'
import { isMarcJson, readMarcJson } from './marc/marc-json.js'
import { type SourceField, type SourcePart, type SourceRow, textField } from './source.js'
import { readStart } from './marc/xml-file.js'

export async function* readJsonLines(path: string, encoding: string): AsyncGenerator<SourceRow> {
  let number = 0
  const isArray = isArrayOfObjects(await readStart(path))
  for await (const line of isArray ? readObjects(path, encoding) : readLines(path, encoding)) {
    number += 1
    yield parseRow(line, number)
  }
}

/** Whether the objects of a file stand in an array, and not in a line each. */
export const isArrayOfObjects = (start: Buffer): boolean =>
  hasObjectArray(start.toString('latin1').replace(/^[^[{]+/, ''))

/**
 * The lines that are not empty. Not all line ends of Unicode end one, since JSON allows them in
 * strings.
 */
export async function* readLines(path: string, encoding: string): AsyncGenerator<string> {
  const maybeYield = createYielder()
  let rest = ''
  for await (const piece of readText(path, encoding)) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      await maybeYield()
      if (line.trim() !== '') yield line
    }
    if (rest.length > sourceLimits.rowCharacters) {
      yield rest
      rest = ''
    }
  }
  if (rest.trim() !== '') yield rest
}

function parseRow(line: string, number: number): SourceRow {
  const row = { number, fields: [textField('line', line.slice(0, maxShown))], remarks: [] }
  const value = parseObject(line)
  if (typeof value === 'string') return { ...row, problem: value }
  return isMarcJson(value)
    ? { number, ...readMarcJson(value) }
    : { ...row, fields: buildFields(value) }
}

/** An object, or why a text is none. */
export function parseObject(text: string): object | string {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : 'The line is no JSON object.'
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `The line is no JSON: ${error.message}`
  }
}

/** Of a line that cannot be read, enough to find it. */
const maxShown = 2000

/** Fields of one name are one field with several parts. */
function buildFields(value: object): readonly SourceField[] {
  const parts = new Map<string, SourcePart[]>()
  collect('', value, parts)
  return [...parts].map(([name, texts]) => ({ name, parts: texts }))
}

/** Without what our own JSON-LD has beside the members of our JSON. */
const membersOf = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value).filter(
    ([key]) => !key.startsWith('@') && !('@id' in value && key.includes(':')),
  )

/** Deeper than this, a line is not about a zine. */
const maxDepth = 10

function collect(name: string, value: unknown, parts: Map<string, SourcePart[]>, depth = 0): void {
  if (depth > maxDepth || value === null || value === '') return
  if (Array.isArray(value)) value.forEach((item) => collect(name, item, parts, depth + 1))
  else if (isObject(value))
    for (const [key, member] of membersOf(value))
      collect(name ? `${name}.${key}` : key, member, parts, depth + 1)
  else if (['string', 'number', 'boolean'].includes(typeof value))
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- it is none of these types' objects
    addTo(parts, name, { code: '', text: String(value) })
}
