// A field's value as the text of one cell of a table, and back. Several values stand in one cell with
// `|` between them; a `|` or `\` inside a value has a `\` before it.

import type { FieldValue } from './values.js'
import type { Field } from '../resources.js'

export function writeCell(value: FieldValue): string {
  if (value === null) return ''
  return typeof value === 'object' ? value.map(escape).join('|') : String(value)
}

const escape = (value: string): string => value.replace(/[\\|]/g, '\\$&')

/**
 * The value that a cell stands for, as a client would send it: numbers and truths as their text.
 * Undefined for an empty cell, whose field is not to be sent; unless leaving the field out would say
 * something else than that it is unset, since it is required or has a default.
 */
export function readCell(field: Field, cell: string): unknown {
  if (cell !== '') return field.repeatable ? split(cell) : cell
  if (field.repeatable) return field.required ? [] : undefined
  if (field.defaultValue === undefined || field.kind === 'boolean') return undefined
  return field.kind === 'integer' ? null : ''
}

function split(cell: string): string[] {
  const values = ['']
  for (const [part, escaped] of cell.matchAll(/\\([^])|[^\\|]+|[\\|]/g))
    if (part === '|') values.push('')
    else values.push((values.pop() ?? '') + (escaped ?? part))
  return values
}
