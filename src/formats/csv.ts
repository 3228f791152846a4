// Serializes records as CSV (RFC 4180): one row per record, the input fields in the order of the
// model, so that an exported file can be loaded again (docs/reference/csv.md, "CSV"). The columns
// that only help a reader, the titles of referred records and the record's times, are ignored when
// loading.

import type { Resource, Resources } from '../model/resources.js'
import type { ResolvedRecord } from '../model/record/views.js'
import { csvMetadata, csvMetadataPath } from './csv-metadata.js'
import type { Format, RecordSerializer } from './serializer.js'
import { type TableColumn, staffColumns, tableColumns } from './table-columns.js'

export const csv: Format = {
  name: 'csv',
  title: 'CSV',
  type: 'text/csv',
  parameters: 'charset=utf-8; header=present',
}

export function csvSerializer(resources: Resources, resource: Resource): RecordSerializer {
  const description = { path: csvMetadataPath(resource.name), type: csvMetadata.type }
  // The description of the columns has none for the staff.
  const forStaff = serializerWithColumns(staffColumns(resources, resource), {
    needsStaffFields: true,
  })
  return { ...serializerWithColumns(tableColumns(resources, resource), { description }), forStaff }
}

type Traits = Pick<RecordSerializer, 'description' | 'needsStaffFields'>

const serializerWithColumns = (
  columns: readonly TableColumn[],
  traits: Traits,
): RecordSerializer => ({
  ...selectableSerializer(columns, quote, traits),
  formulaSafe: selectableSerializer(columns, formulaSafeCell, traits),
})

function selectableSerializer(
  columns: readonly TableColumn[],
  escapeCell: (cell: string) => string,
  traits: Traits,
): RecordSerializer {
  const names = columns.map(({ name }) => name)
  const select = (chosen: ReadonlySet<string>): RecordSerializer => ({
    ...traits,
    ...serializerFor(
      columns.filter(({ name }) => chosen.has(name)),
      escapeCell,
    ),
  })
  return {
    ...traits,
    ...serializerFor(columns, escapeCell),
    fields: { inLists: names, inRecords: names, select },
  }
}

function serializerFor(
  columns: readonly TableColumn[],
  escapeCell: (cell: string) => string,
): RecordSerializer {
  const joinCells = (cells: readonly string[]): string => csvRow(cells, escapeCell)
  const header = joinCells(columns.map(({ name }) => name))
  const row = (record: ResolvedRecord): string =>
    joinCells(columns.map(({ cellOf }) => cellOf(record)))
  return {
    ...csv,
    record: (record) => header + row(record),
    listStart: () => header,
    listItem: row,
    listEnd: () => '',
  }
}

/** A row of texts, with its line end. */
export const csvRow = (cells: readonly string[], escapeCell = quote): string =>
  `${cells.map(escapeCell).join(',')}\r\n`

const quote = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

// OWASP ASVS 5.0, 1.2.10. The apostrophe stays in the value when the file is loaded again, so it is
// added only on request (`?safe=1`).
export const neutralizeFormula = (cell: string): string =>
  /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell

/** A cell that no spreadsheet reads as a formula. */
export const formulaSafeCell = (cell: string): string => quote(neutralizeFormula(cell))
