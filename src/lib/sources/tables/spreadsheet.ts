// Reads .xls, .xlsx and .ods. SheetJS reads a workbook as a whole and in one go, so it runs in a
// thread (spreadsheet-worker.ts).

import { InvalidError } from '../../../errors.js'
import { threadModule } from '../../package-files.js'
import { sourceLimits } from '../limits.js'
import { readInThread } from '../reading-thread.js'
import type { FromWorkbook, WorkbookRequest } from './spreadsheet-protocol.js'
import type { TableRow } from './tables.js'

export type Workbook = {
  readonly sheets: readonly string[]
  /** Those that the program hides. */
  readonly hidden: readonly string[]
  /** Such as `xlsx`. */
  readonly format: string
  /** The sheet that was read. */
  readonly sheet: string
  /** Its columns that the program hides, by their places. */
  readonly hiddenColumns: readonly number[]
  /** Its first rows, also those above the table. */
  readonly rows: readonly TableRow[]
}

/**
 * @param sheet undefined for the first one
 * @param maxUnpackedBytes of the files inside of it
 * @throws InvalidError
 */
export async function readWorkbook(
  path: string,
  sheet: string | undefined,
  maxRows: number,
  maxUnpackedBytes: number = sourceLimits.unpackedBytes,
): Promise<Workbook> {
  let workbook: Omit<Workbook, 'rows'> | undefined
  const rows: TableRow[] = []
  for await (const message of askWorker({ path, sheet, maxRows, maxUnpackedBytes }))
    if (message.kind === 'sheets') {
      const { names: sheets, hidden, sheet: name, hiddenColumns, format } = message
      workbook = { sheets, hidden, sheet: name, hiddenColumns, format }
    } else if (message.kind === 'rows') rows.push(...message.rows)
  if (!workbook) throw new InvalidError('The workbook has no sheets.')
  return { ...workbook, rows }
}

/** For titles above the table, beside the rows that a source may have. */
const moreRows = 1000

/**
 * The rows of cells, also those above the table.
 * @param sheet undefined for the first one
 * @throws InvalidError
 */
export async function* readSheet(
  path: string,
  sheet: string | undefined,
): AsyncGenerator<TableRow> {
  const maxRows = sourceLimits.rows + moreRows
  const maxUnpackedBytes = sourceLimits.unpackedBytes
  for await (const message of askWorker({ path, sheet, maxRows, maxUnpackedBytes }))
    if (message.kind === 'rows') yield* message.rows
}

async function* askWorker(request: WorkbookRequest): AsyncGenerator<FromWorkbook> {
  const messages = readInThread<WorkbookRequest, FromWorkbook>({
    reader: threadModule('lib/sources/tables/spreadsheet-worker.js'),
    request,
    maxBytes: sourceLimits.workbookBytes,
    what: 'workbook',
    advice: 'Save its sheet as CSV.',
  })
  for await (const message of messages) {
    if (message.kind === 'no sheet')
      throw new InvalidError(`The workbook has no sheet "${message.name}".`)
    yield message
  }
}
