// The thread in which a workbook is read (spreadsheet.ts): lets SheetJS read it, as far as it is
// not too large when it is unpacked, and sends the texts of its cells.

import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

import * as xlsx from '@e965/xlsx'
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs'

import { answerRequests } from '../../worker-thread.js'
import { sourceLimits } from '../limits.js'
import type { FromWorkbook, SheetRow, WorkbookRequest } from './spreadsheet-protocol.js'

// Old .xls files have texts in code pages, which the module leaves out.
xlsx.set_cptable(codePages)

/** What is used of the package's formats, which have no types. */
const formats = xlsx.SSF as {
  is_date(format: string): boolean
  parse_date_code(
    value: number,
    options: { readonly date1904: boolean },
  ): { readonly y: number; readonly m: number; readonly d: number } | null
}

/**
 * The reader of archives in the package, which has no types: with `use_zlib` it unpacks as Node
 * does.
 */
const cfb = xlsx.CFB as {
  readonly utils: { use_zlib(zlib: { readonly InflateRaw: new () => object }): void }
}

const batchSize = 500

answerRequests(function* (request: WorkbookRequest): Generator<FromWorkbook, void> {
  limitUnpacking(request.maxUnpackedBytes)
  const file = readFileSync(request.path)
  const read = (sheets: string | number): xlsx.WorkBook =>
    xlsx.read(file, {
      type: 'buffer',
      sheets,
      sheetRows: request.maxRows,
      dense: true,
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
      // Says which rows and columns are hidden, among others.
      cellStyles: true,
    })
  const first = read(request.sheet ?? 0)
  const { SheetNames: names } = first
  const hidden = names.filter((_, index) => first.Workbook?.Sheets?.[index]?.Hidden)
  const name =
    request.sheet ?? names.find((sheetName) => !hidden.includes(sheetName)) ?? names[0] ?? ''
  // A sheet that is hidden has what nobody meant to send.
  const book = Object.hasOwn(first.Sheets, name) ? first : read(name)
  const sheet = Object.hasOwn(book.Sheets, name) ? book.Sheets[name] : undefined
  if (!sheet) {
    yield { kind: 'no sheet', name }
    return
  }
  const columns = sheet['!cols'] ?? []
  const hiddenColumns = [...columns.keys()].filter((index) => columns[index]?.hidden)
  const format = book.bookType ?? ''
  yield { kind: 'sheets', names, hidden, sheet: name, hiddenColumns, format }
  yield* inBatches(readCells(sheet, book.Workbook?.WBProps?.date1904 === true))
})

/**
 * What an archive says of its size need not be true, so the bytes are counted as SheetJS unpacks
 * them.
 */
function limitUnpacking(maxBytes: number): void {
  let left = maxBytes
  class CountingInflater {
    bytesRead = 0
    bytesWritten = 0
    _finishFlushFlag = 0

    _processChunk(packed: Uint8Array): Buffer {
      const { buffer, engine } = unpack(packed, left)
      left -= buffer.length
      this.bytesRead = this.bytesWritten = engine.bytesWritten
      return buffer
    }
  }
  cfb.utils.use_zlib({ InflateRaw: CountingInflater })
}

function unpack(packed: Uint8Array, maxBytes: number): UnpackedBytes {
  try {
    const options = { maxOutputLength: Math.max(1, maxBytes), info: true }
    // The types do not know what `info` makes of the answer.
    return inflateRawSync(packed, options) as unknown as UnpackedBytes
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new Error(isTooLarge ? 'it is too large when it is unpacked.' : 'it is damaged.', {
      cause,
    })
  }
}

type UnpackedBytes = {
  readonly buffer: Buffer
  /** It counts the packed bytes that were written to it. */
  readonly engine: { readonly bytesWritten: number }
}

function* inBatches(rows: Iterable<SheetRow>): Generator<FromWorkbook, void> {
  let batch: SheetRow[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield { kind: 'rows', rows: batch }
    batch = []
  }
  if (batch.length > 0) yield { kind: 'rows', rows: batch }
}

function* readCells(sheet: xlsx.WorkSheet, date1904: boolean): Generator<SheetRow, void> {
  const data = sheet['!data'] ?? []
  for (let index = 0; index < data.length; index += 1) {
    const cells: string[] = []
    // Rows and cells may be missing.
    data[index]?.forEach((cell: xlsx.CellObject | undefined, column) => {
      if (column >= sourceLimits.columns)
        throw new Error(
          `the sheet has more than ${sourceLimits.columns.toLocaleString('en')} columns.`,
        )
      if (cell) cells[column] = cellText(cell, date1904)
    })
    const isHidden = sheet['!rows']?.[index]?.hidden === true
    yield { cells: Array.from(cells, (text: string | undefined) => text ?? ''), isHidden }
  }
}

/** What the cell shows; whole dates as in ISO 8601, and numbers with all their digits. */
function cellText({ t, v, w, z }: xlsx.CellObject, date1904: boolean): string {
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
