// CSV (RFC 4180): a record is a row, its fields in the order of the model and in the write shape, so
// that what was exported can be loaded again. The loader passes over the columns that only a reader
// needs: the names of what is referred to, and the times of the record.

import { writeCell } from '../model/record/csv-cells.js'
import type { Field, Resource, Resources } from '../model/resources.js'
import { type ResolvedRecord, isVisible, referencesOfField } from '../model/record/views.js'
import { titleOfReference } from '../model/record/title.js'
import type { Format, RecordSerializer } from './serializer.js'

export const csv: Format = {
  name: 'csv',
  title: 'CSV',
  type: 'text/csv',
  parameters: 'charset=utf-8; header=present',
}

export function csvSerializer(resources: Resources, resource: Resource): RecordSerializer {
  const columns = resource.fields.flatMap((field) => columnsOf(resources, field))
  return {
    ...serializerFor(columns, quote),
    safe: serializerFor(columns, (cell) => quote(neutralizeFormula(cell))),
  }
}

type Column = { readonly name: string; readonly cellOf: (record: ResolvedRecord) => string }

function serializerFor(
  columns: readonly Column[],
  write: (cell: string) => string,
): RecordSerializer {
  const row = (cells: readonly string[]): string => `${cells.map(write).join(',')}\r\n`
  const header = row(columns.map(({ name }) => name))
  const cells = (record: ResolvedRecord): string => row(columns.map(({ cellOf }) => cellOf(record)))
  return {
    ...csv,
    record: (record) => header + cells(record),
    listStart: () => header,
    listItem: cells,
    listEnd: () => '',
  }
}

/** The column of a field, and, where it refers to other records, that of their names. */
function columnsOf(resources: Resources, field: Field): Column[] {
  const own: Column = {
    name: field.name,
    cellOf: ({ values }) =>
      isVisible(field, values, 'detail') ? writeCell(values[field.name] ?? '') : '',
  }
  const title = field.target && resources[field.target].title
  if (!title) return [own]
  const titles: Column = {
    name: field.repeatable ? `${field.name}_names` : titleColumn(field.outputName, title.name),
    cellOf({ values, lookup }) {
      const names = referencesOfField(field, values).map((one) =>
        titleOfReference(resources, lookup, one),
      )
      return writeCell(field.repeatable ? names : (names[0] ?? ''))
    },
  }
  return [own, titles]
}

// `zine_title`; but a repository's name bears that word already.
const titleColumn = (referred: string, title: string): string =>
  title.startsWith(referred) ? title : `${referred}_${title}`

const quote = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

// OWASP ASVS 5.0, 1.2.10. The sign before it stays in the value when the file is loaded again, so it
// is put there only for those who ask for it.
const neutralizeFormula = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
