// CSV files for `load`: the rows of a file by the names in its first one, whatever program wrote it.

import { createReadStream } from 'node:fs'
import { Readable, pipeline } from 'node:stream'

import { type Info, type Parser, parse } from 'csv-parse'

/** The cells of a row by the name of their column, or why it is none; `number` is its first line. */
export type CsvRow = { readonly number: number } & (
  | { readonly cells: ReadonlyMap<string, string>; readonly why?: undefined }
  | { readonly why: string }
)

/** The rows of a file. Past what is not CSV or not UTF-8, nothing more can be read. */
export async function* readRows(file: string): AsyncGenerator<CsvRow> {
  let broken: { readonly line: number; readonly why: string } | undefined
  // Told to stop at what is not CSV, the parser drops rows that it has read; told to skip it, it drops
  // rows that follow. So it skips, and what follows is not taken.
  const parser: Parser = parse({
    // Spreadsheets begin a file with a byte order mark; people leave lines empty.
    bom: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    info: true,
    skip_records_with_error: true,
    on_skip(error): undefined {
      broken ??= { line: parser.info.lines, why: error?.message ?? 'not CSV' }
    },
  })
  // What fails comes out of the parser.
  pipeline(Readable.from(decode(file)), parser, () => undefined)

  let names: readonly string[] | undefined
  let read = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedCsv>) {
      if (broken && info.lines >= broken.line) break
      const number = read + 1
      read = info.lines
      if (names) yield rowOf(names, record, number)
      else names = record.map((name) => name.trim())
    }
  } catch (error) {
    if (!(error instanceof NotTextError)) throw error
    broken = { line: read, why: error.message }
  }
  if (broken) yield { number: read + 1, why: `${broken.why}; the file was not read any further` }
}

type ParsedCsv = { readonly record: readonly string[]; readonly info: Info }

function rowOf(names: readonly string[], record: readonly string[], number: number): CsvRow {
  return record.length === names.length
    ? { number, cells: new Map(record.map((cell, index) => [names[index] ?? '', cell])) }
    : { number, why: `${record.length} cells, but the first row names ${names.length} columns` }
}

class NotTextError extends Error {}

async function* decode(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    for await (const chunk of createReadStream(file))
      yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    if (cause instanceof TypeError) throw new NotTextError('not UTF-8', { cause })
    throw cause
  }
}
