// Makes rows of fields out of rows of cells, as CSV files and spreadsheets have them: the first row
// has the names of the columns.

import { InvalidError } from '../../../errors.js'
import { createYielder } from '../../scheduling.js'
import { sourceLimits } from '../limits.js'
import { repairText } from './repair.js'
import type { SourceField, SourceRemark, SourceRow } from '../source.js'

/** The cells of a row, and why it is broken. */
export type TableRow = {
  readonly cells: readonly string[]
  readonly problem?: string
  /** Whether a spreadsheet program hides it. */
  readonly isHidden?: boolean
}

/**
 * The names of the columns, each once: empty ones get a name, repeated ones a number.
 * @throws InvalidError if there are too many columns
 */
export function nameColumns(cells: readonly string[]): readonly string[] {
  if (cells.length > sourceLimits.columns)
    throw new InvalidError(
      `The table has more than ${sourceLimits.columns.toLocaleString('en')} columns.`,
    )
  const texts = unquote(cells.map((cell) => repairText(cell).text.replace(/\s+/g, ' ').trim()))
  const used = new Set<string>()
  return texts.map((text, index) => {
    const name = text || `Column ${index + 1}`
    let unique = name
    for (let number = 2; used.has(unique); number += 1) unique = `${name} (${number})`
    used.add(unique)
    return unique
  })
}

/** LibraryThing writes its headings between `'`. */
function unquote(headings: readonly string[]): readonly string[] {
  const named = headings.filter(Boolean)
  const isQuoted = named.length > 0 && named.every((heading) => /^'.*'$/.test(heading))
  return isQuoted ? headings.map((heading) => heading.replace(/^'|'$/g, '')) : headings
}

/** The rows of a table that are looked at to find its head. */
export const headRows = 20

/**
 * How many rows stand above that with the names: titles, which fill fewer cells than the table has.
 */
export function recognizeSkippedRows(rows: readonly TableRow[]): number {
  // Excel's own way to say what separates the cells.
  if ((rows[0]?.cells[0] ?? '').startsWith('sep=')) return 1
  const counts = rows.slice(0, headRows).map(({ cells }) => cells.filter(Boolean).length)
  const widest = Math.max(0, ...counts)
  if (widest < 3) return 0
  const first = counts.findIndex((count) => count > widest / 3)
  return Math.max(0, first)
}

export type TableOptions = {
  readonly skipRows: number
  /**
   * Whether rows have as many cells as the table has columns, as in CSV; in a sheet they end where
   * they are empty.
   */
  readonly isEven: boolean
}

/** @throws InvalidError if there are too many columns */
export async function* readTable(
  rows: AsyncIterable<TableRow>,
  { skipRows, isEven }: TableOptions,
): AsyncGenerator<SourceRow> {
  const maybeYield = createYielder()
  let names: readonly string[] | undefined
  let skipped = 0
  let number = 0
  for await (const { cells, problem, isHidden } of rows) {
    await maybeYield()
    if (skipped < skipRows) {
      skipped += 1
      continue
    }
    if (!names) {
      names = nameColumns(cells)
      continue
    }
    if (cells.every((cell) => cell.trim() === '')) continue
    number += 1
    const remarks: SourceRemark[] = isHidden
      ? [
          {
            kind: 'hidden',
            field: '',
            message: 'The row is hidden in the workbook. It is read all the same.',
          },
        ]
      : []
    const row = { number, fields: buildFields(names, cells, remarks), remarks }
    if (problem !== undefined) yield { ...row, problem }
    else yield isEven ? checkCells(row, names, cells) : row
  }
}

/** What a spreadsheet program shows where it has no value. */
const cellError = /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)$/

/**
 * Whether a column names the people who borrowed. Who reads what is kept in no record of an import,
 * so that it is not read at all. A person who wants it gives the column another name.
 */
export const isOfReaders = (column: string): boolean =>
  /^(?:lending patron|patron(?: name)?|borrower(?: name)?|borrowed by|(?:lent|loaned) to)(?: \(\d+\))?$/i.test(
    column.replaceAll('_', ' '),
  )

function buildFields(
  names: readonly string[],
  cells: readonly string[],
  remarks: SourceRemark[],
): readonly SourceField[] {
  const fields: SourceField[] = []
  cells.forEach((cell, index) => {
    const name = names[index] ?? `Column ${index + 1}`
    if (isOfReaders(name)) return
    const trimmed = trimSpaces(cell)
    const text = withoutFormula(trimmed)
    if (cellError.test(text)) {
      const message = `The cell has the error ${text} in place of a value, and is left empty.`
      remarks.push({ kind: 'damaged', field: name, message })
    } else if (text !== '') {
      const part = { code: '', text, ...(text === trimmed ? {} : { cell: trimmed }) }
      fields.push({ name, parts: [part] })
    }
  })
  return fields
}

/** Other white space may be half of a character that was encoded twice. */
const trimSpaces = (text: string): string =>
  text.replace(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, '')

/** Some exports write `="0123"`, so that Excel keeps the zero. */
const withoutFormula = (text: string): string => /^="([^"]*)"$/.exec(text)?.[1] ?? text

function checkCells(row: SourceRow, names: readonly string[], cells: readonly string[]): SourceRow {
  if (cells.length === names.length) return row
  const message = `The row has ${cells.length} cells, but the table has ${names.length} columns.`
  if (cells.slice(names.length).some((cell) => cell.trim() !== ''))
    return { ...row, problem: message }
  const isShort = cells.length < names.length
  return isShort
    ? { ...row, remarks: [...row.remarks, { kind: 'cells', field: '', message }] }
    : row
}
