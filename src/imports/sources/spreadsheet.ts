// Reads .xls, .xlsx and .ods. SheetJS reads a workbook as a whole and in one go, and the file comes from a
// stranger, so it runs in a thread (spreadsheet-worker.ts) that has limits of memory and time.

import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'

import { limitConcurrency } from '../../scheduling.js'
import { SourceError } from './errors.js'
import { sourceLimits } from './limits.js'
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
  /** Its first rows, also those above the table. */
  readonly rows: readonly TableRow[]
}

/**
 * @param sheet undefined for the first one
 * @param maxUnpackedBytes of the files inside of it
 * @throws SourceError
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
      const { names: sheets, hidden, sheet: name, format } = message
      workbook = { sheets, hidden, sheet: name, format }
    } else if (message.kind === 'rows') rows.push(...message.rows)
  if (!workbook) throw new SourceError('The workbook has no sheets.')
  return { ...workbook, rows }
}

/** For titles above the table, beside the rows that a source may have. */
const moreRows = 1000

/**
 * The rows of cells, also those above the table.
 * @param sheet undefined for the first one
 * @throws SourceError
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

/** A workbook needs hundreds of megabytes while it is read: one at a time. */
const turns = limitConcurrency(1)

/** Waits until no other workbook is read. @returns what ends the turn */
const takeTurn = (): Promise<() => void> =>
  new Promise((begin) => void turns(() => new Promise<void>(begin)))

async function* askWorker(request: WorkbookRequest): AsyncGenerator<FromWorkbook> {
  const { size } = await stat(request.path)
  if (size > sourceLimits.workbookBytes)
    throw new SourceError(
      `The workbook is larger than ${sourceLimits.workbookBytes / 1024 / 1024} MB. Save its sheet as CSV.`,
    )
  const endTurn = await takeTurn()
  try {
    yield* runWorker(request)
  } finally {
    endTurn()
  }
}

async function* runWorker(request: WorkbookRequest): AsyncGenerator<FromWorkbook> {
  const worker = new Worker(new URL('./spreadsheet-worker.js', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: sourceLimits.workbookHeapMb },
  })
  const messages: FromWorkbook[] = []
  let failure: Error | undefined
  let onChange = (): void => undefined
  const fail = (error: Error): void => {
    failure ??= error
    onChange()
  }
  const isTooLarge = new SourceError('The workbook is too large to be read. Save its sheet as CSV.')
  const timer = setTimeout(() => fail(isTooLarge), sourceLimits.workbookMs)
  worker.on('message', (message: FromWorkbook) => {
    messages.push(message)
    onChange()
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    fail(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? isTooLarge
        : new SourceError(`The workbook cannot be read: ${error.message}`, { cause: error }),
    ),
  )
  worker.on('exit', () => fail(new SourceError('The workbook cannot be read.')))
  try {
    for (;;) {
      const message = messages.shift()
      if (message?.kind === 'error') throw new SourceError(message.message)
      if (message?.kind === 'end') return
      if (message) {
        yield message
        if (message.kind === 'rows') worker.postMessage('next')
        // The time that is spent by the reader of the rows does not count.
        timer.refresh()
      } else if (failure) throw failure
      else await new Promise<void>((resolve) => (onChange = resolve))
    }
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
