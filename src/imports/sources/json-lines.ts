// Reads JSON Lines: an object in each line, whose keys are the fields. What is inside of an object or a list
// becomes a field or a part of its own.

import { createYielder } from '../../scheduling.js'
import { addTo } from '../../matching/spelling.js'
import { readText } from './encodings.js'
import { sourceLimits } from './limits.js'
import type { SourceField, SourcePart, SourceRow } from './source.js'

export async function* readJsonLines(path: string, encoding: string): AsyncGenerator<SourceRow> {
  let number = 0
  for await (const line of readLines(path, encoding)) {
    number += 1
    yield parseRow(line, number)
  }
}

/** The lines that are not empty. Not all line ends of Unicode end one, since JSON allows them in strings. */
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
  const shown = { code: '', text: line.slice(0, maxShown) }
  const row = { number, fields: [{ name: 'line', parts: [shown] }], remarks: [] }
  try {
    const value: unknown = JSON.parse(line)
    if (!isObject(value)) return { ...row, problem: 'The line is no JSON object.' }
    return { ...row, fields: buildFields(value) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { ...row, problem: `The line is no JSON: ${error.message}` }
  }
}

/** Of a line that cannot be read, enough to find it. */
const maxShown = 2000

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields of one name are one field with several parts. */
function buildFields(value: object): readonly SourceField[] {
  const parts = new Map<string, SourcePart[]>()
  collect('', value, parts)
  return [...parts].map(([name, texts]) => ({ name, parts: texts }))
}

/** Deeper than this, a line is not about a zine. */
const maxDepth = 10

function collect(name: string, value: unknown, parts: Map<string, SourcePart[]>, depth = 0): void {
  if (depth > maxDepth || value === null || value === '') return
  if (Array.isArray(value)) value.forEach((item) => collect(name, item, parts, depth + 1))
  else if (isObject(value))
    for (const [key, member] of Object.entries(value))
      collect(name ? `${name}.${key}` : key, member, parts, depth + 1)
  else if (['string', 'number', 'boolean'].includes(typeof value))
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- it is none of these types' objects
    addTo(parts, name, { code: '', text: String(value) })
}
