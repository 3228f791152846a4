// Writes a field's value as one cell of a CSV table, and reads it back. Several values in a cell
// are separated by `|`; a `|` or `\` inside a value has a `\` before it (docs/reference/csv.md,
// "CSV").

import type { FieldValue } from './values.js'
import type { Field, Resources } from '../resources.js'

export function writeCell(value: FieldValue): string {
  if (value === null) return ''
  return typeof value === 'object' ? value.map(escape).join('|') : String(value)
}

const escape = (value: string): string => value.replace(/[\\|]/g, '\\$&')

/**
 * The value of a cell as a client would send it in JSON; numbers and booleans stay texts. Undefined
 * for an empty cell, whose field is then not sent. A field that is required or has a default is
 * sent as an unset value, since leaving it out would mean something else.
 */
export function readCell(field: Field, cell: string): unknown {
  if (cell !== '') return field.repeatable ? splitCell(cell) : cell
  if (field.repeatable) return field.required ? [] : undefined
  if (field.defaultValue === undefined || field.kind === 'boolean') return undefined
  return field.kind === 'integer' ? null : ''
}

/** The values of a cell with several. */
export function splitCell(cell: string): string[] {
  const values = ['']
  for (const [part, escaped] of cell.matchAll(/\\([^])|[^\\|]+|[\\|]/g))
    if (part === '|') values.push('')
    else values.push((values.pop() ?? '') + (escaped ?? part))
  return values
}

/**
 * The name of the column beside a reference, which has the titles of the referred records;
 * undefined for other fields.
 */
export function titleColumn(resources: Resources, field: Field): string | undefined {
  const title = field.target && resources[field.target].title
  if (!title) return undefined
  if (field.repeatable) return namesColumn(field)
  // `zine_title`, but `repository_name`, since that field's name already starts with the resource.
  return title.name.startsWith(field.outputName) ? title.name : `${field.outputName}_${title.name}`
}

/** That column of a repeatable field. */
export const namesColumn = (field: Field): string => `${field.name}_names`
