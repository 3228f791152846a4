// The thread in which a workbook is read (spreadsheet.ts): checks how large it is when it is unpacked, lets
// SheetJS read it, and sends the texts of its cells.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import type { CellObject, WorkSheet } from '@e965/xlsx'

import { sourceLimits } from './limits.js'
import type { FromWorkbook, WorkbookRequest } from './spreadsheet-protocol.js'
import { checkUnpackedSize } from './zip-size.js'

// Its CommonJS file has the code pages of old .xls files with it; the module has not.
const xlsx = createRequire(import.meta.url)('@e965/xlsx') as typeof import('@e965/xlsx')

/** What is used of the package's formats, which have no types. */
const formats = xlsx.SSF as {
  is_date(format: string): boolean
  parse_date_code(
    value: number,
    options: { readonly date1904: boolean },
  ): { readonly y: number; readonly m: number; readonly d: number } | null
}

const batchSize = 500

const request = workerData as WorkbookRequest // As spreadsheet.ts sends it.

function send(message: FromWorkbook): void {
  parentPort?.postMessage(message)
}

function run(): void {
  const file = readFileSync(request.path)
  checkUnpackedSize(file, sourceLimits.unpackedBytes)
  const book = xlsx.read(file, {
    type: 'buffer',
    sheets: request.sheet ?? 0,
    sheetRows: request.maxRows,
    dense: true,
    cellNF: true,
    cellFormula: false,
    cellHTML: false,
  })
  const name = request.sheet ?? book.SheetNames[0] ?? ''
  const sheet = Object.hasOwn(book.Sheets, name) ? book.Sheets[name] : undefined
  if (!sheet) {
    send({ kind: 'error', message: `The workbook has no sheet "${name}".` })
    return
  }
  send({ kind: 'sheets', names: book.SheetNames, sheet: name, format: book.bookType ?? '' })
  sendRows(readCells(sheet, book.Workbook?.WBProps?.date1904 === true))
}

function sendRows(rows: Iterable<readonly string[]>): void {
  const sendBatch = (): void => {
    const batch: (readonly string[])[] = []
    for (const row of rows) {
      batch.push(row)
      if (batch.length === batchSize) break
    }
    if (batch.length > 0) send({ kind: 'rows', rows: batch })
    else send({ kind: 'end' })
  }
  parentPort?.on('message', () => attempt(sendBatch))
  sendBatch()
}

/** An iterator that goes on where it was left. */
function readCells(sheet: WorkSheet, date1904: boolean): Iterable<readonly string[]> {
  const data = sheet['!data'] ?? []
  let index = 0
  return {
    [Symbol.iterator]: () => ({
      next: () => {
        if (index >= data.length) return { done: true, value: undefined }
        const cells: string[] = []
        // Rows and cells may be missing.
        data[index]?.forEach((cell: CellObject | undefined, column) => {
          if (column >= sourceLimits.columns)
            throw new Error(`the sheet has more than ${sourceLimits.columns} columns.`)
          if (cell) cells[column] = cellText(cell, date1904)
        })
        index += 1
        return { done: false, value: Array.from(cells, (text: string | undefined) => text ?? '') }
      },
    }),
  }
}

/** What the cell shows; whole dates as in ISO 8601, and numbers with all their digits. */
function cellText({ t, v, w, z }: CellObject, date1904: boolean): string {
  if (t === 'n' && typeof v === 'number') {
    const format = String(z ?? 'General')
    if (formats.is_date(format)) return dateText(v, format, date1904) ?? w ?? String(v)
    return format === 'General' || /[eE]\+/.test(w ?? '') ? String(v) : (w ?? String(v)).trim()
  }
  if (t === 'd' && v instanceof Date) return v.toISOString().slice(0, 10)
  if (t === 'z') return ''
  return String(w ?? v ?? '')
}

/** Undefined for a date that shows less than its day, such as `Mar-00`. */
function dateText(value: number, format: string, date1904: boolean): string | undefined {
  if (!/y/i.test(format) || !/m/i.test(format) || !/d/i.test(format)) return undefined
  const date = formats.parse_date_code(value, { date1904 })
  if (!date) return undefined
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${String(date.y).padStart(4, '0')}-${two(date.m)}-${two(date.d)}`
}

function attempt(task: () => void): void {
  try {
    task()
  } catch (error) {
    send({ kind: 'error', message: `The workbook cannot be read: ${(error as Error).message}` })
  }
}

attempt(run)
