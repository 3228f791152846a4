// The report of an import as CSV: what became of each row that was written or refused, beside the
// row in its own columns. Rows of a source without columns are in one column.

import { csvRow } from '../../formats/csv.js'
import type { Import, ImportedRow } from './import-state.js'

const ownColumns = ['row', 'outcome', 'records', 'reasons', 'notes'] as const

/** The lines of the report, the first with the names of the columns. */
export async function* reportLines(
  { recognized }: Pick<Import, 'recognized'>,
  rows: AsyncIterable<ImportedRow>,
): AsyncGenerator<string> {
  const columns = recognized?.columns ?? []
  yield csvRow([...ownColumns, ...(columns.length > 0 ? columns : ['source'])])
  for await (const row of rows) yield csvRow([...outcomeCells(row), ...sourceCells(columns, row)])
}

function outcomeCells({ number, records, refused, notes = [] }: ImportedRow): readonly string[] {
  const outcome = refused ? 'refused' : records.length > 0 ? 'written' : ''
  return [String(number), outcome, records.join(' '), (refused ?? []).join(' '), notes.join(' ')]
}

function sourceCells(columns: readonly string[], { fields }: ImportedRow): readonly string[] {
  if (columns.length === 0) return [fields.map(([name, text]) => `${name}: ${text}`).join('\n')]
  const texts = new Map(fields)
  return columns.map((column) => texts.get(column) ?? '')
}
