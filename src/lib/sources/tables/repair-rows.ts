// Repairs the texts of a row, and says in its remarks what was done and what is still wrong.

import { repairText } from './repair.js'
import type { SourceField, SourceRemark, SourceRow } from '../source.js'

export function repairRow(row: SourceRow): SourceRow {
  const remarks: SourceRemark[] = []
  const fields = row.fields.map((field) => repairField(field, remarks))
  return remarks.length === 0 ? row : { ...row, fields, remarks: [...row.remarks, ...remarks] }
}

function repairField(field: SourceField, remarks: SourceRemark[]): SourceField {
  const parts = field.parts.map((part) => {
    const { text, repaired, damaged } = repairText(part.text)
    if (repaired !== undefined)
      remarks.push({ kind: 'repaired', field: field.name, message: repaired, before: part.text })
    if (damaged !== undefined)
      remarks.push({ kind: 'damaged', field: field.name, message: damaged })
    return text === part.text ? part : { ...part, text }
  })
  return { ...field, parts }
}

/** What would be repaired is damaged as it is. */
export function markRow(row: SourceRow): SourceRow {
  const remarks = row.fields.flatMap(({ name: field, parts }) =>
    parts.flatMap(({ text }) => {
      const { repaired, damaged } = repairText(text)
      const message = repaired ?? damaged
      return message === undefined ? [] : [{ kind: 'damaged', field, message } as const]
    }),
  )
  return remarks.length === 0 ? row : { ...row, remarks: [...row.remarks, ...remarks] }
}
