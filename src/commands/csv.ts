// Reads CSV files for `load`. The first row names the columns. What the cells mean: load.ts and
// model/record/csv-cells.ts.

import { createReadStream } from 'node:fs'
import { Readable, pipeline } from 'node:stream'

import { type Info, type Parser, parse } from 'csv-parse'

/**
 * The cells of a row by column name, or the reason why it cannot be read; `number` is its first
 * line.
 */
export type CsvRow = { readonly number: number } & (
  | { readonly cells: ReadonlyMap<string, string>; readonly reason?: undefined }
  | { readonly reason: string }
)

/** The rows of a file. At the first place that is not CSV or not UTF-8 the reading ends. */
export async function* readRows(file: string): AsyncGenerator<CsvRow> {
  let broken: { readonly line: number; readonly reason: string } | undefined
  // When the parser stops at an error, it drops rows that it has read before. When it skips an
  // error, it drops rows that follow. So it skips errors, and the rows that follow the first are
  // not used.
  const parser: Parser = parse({
    // Spreadsheets write a byte order mark, and people leave lines empty.
    bom: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    info: true,
    skip_records_with_error: true,
    on_skip(error): undefined {
      broken ??= { line: parser.info.lines, reason: error?.message ?? 'not CSV' }
    },
  })
  // Errors of the file come out of the parser.
  pipeline(Readable.from(decode(file)), parser, () => undefined)

  let names: readonly string[] | undefined
  let read = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedCsv>) {
      if (broken && info.lines >= broken.line) break
      const number = read + 1
      read = info.lines
      if (names) yield buildRow(names, record, number)
      else names = record.map((name) => name.trim())
    }
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error
    broken = { line: read, reason: error.message }
  }
  if (broken)
    yield { number: read + 1, reason: `${broken.reason}; the rest of the file was not read` }
}

type ParsedCsv = { readonly record: readonly string[]; readonly info: Info }

function buildRow(names: readonly string[], record: readonly string[], number: number): CsvRow {
  return record.length === names.length
    ? { number, cells: new Map(record.map((cell, index) => [names[index] ?? '', cell])) }
    : { number, reason: `${record.length} cells, but the first row has ${names.length}` }
}

class EncodingError extends Error {}

async function* decode(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    for await (const chunk of createReadStream(file))
      yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    if (cause instanceof TypeError) throw new EncodingError('not UTF-8', { cause })
    throw cause
  }
}
