// CSV (RFC 4180): a record is a row, its fields in the order of the model and in the write shape, so
// that what was exported can be loaded again. The loader passes over the columns that only a reader
// needs: the names of what is referred to, and the times of the record.

import { writeCell } from '../model/record/csv-cells.js'
import type { Field, Resource, Resources } from '../model/resources.js'
import { type Sheet, isOpen, referencesIn } from '../model/record/views.js'
import type { Press } from './serializer.js'
import { titleOf } from './titles.js'

export function csvPress(resources: Resources, resource: Resource): Press {
  const columns = resource.fields.flatMap((field) => columnsOf(resources, field))
  return { ...pressOf(columns, quote), safe: pressOf(columns, (cell) => quote(guard(cell))) }
}

type Column = { readonly name: string; readonly cellOf: (sheet: Sheet) => string }

function pressOf(columns: readonly Column[], write: (cell: string) => string): Press {
  const row = (cells: readonly string[]): string => `${cells.map(write).join(',')}\r\n`
  const header = row(columns.map(({ name }) => name))
  const cells = (sheet: Sheet): string => row(columns.map(({ cellOf }) => cellOf(sheet)))
  return {
    name: 'csv',
    type: 'text/csv',
    parameters: 'charset=utf-8; header=present',
    record: (sheet) => header + cells(sheet),
    open: () => header,
    item: cells,
    close: () => '',
  }
}

/** The column of a field, and, where it refers to other records, that of their names. */
function columnsOf(resources: Resources, field: Field): Column[] {
  const own: Column = {
    name: field.name,
    cellOf: ({ card }) => (isOpen(field, card, 'detail') ? writeCell(card[field.name] ?? '') : ''),
  }
  const title = field.target && resources[field.target].title
  if (!title) return [own]
  const titles: Column = {
    name: field.many ? `${field.name}_names` : titleColumn(field.as, title.name),
    cellOf({ card, cards }) {
      const names = referencesIn(field, card).map((one) => titleOf(resources, cards, one))
      return writeCell(field.many ? names : (names[0] ?? ''))
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
const guard = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
