// Reads the tables of standards/: codes, characters and patterns as others have laid them down
// (standards/README.md). A table is read when it is first used.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { ExpectedError } from '../errors.js'
import { packageRoot } from './package-files.js'

/** What each column of a table holds, in their order. */
type Columns<Name extends string> = Readonly<Record<Name, RegExp>>

export type StandardRow<Name extends string> = Readonly<Record<Name, string>>

const directory = join(packageRoot, 'standards')

/**
 * A function that gives what `build` makes of the rows of a table. It reads the file when it is
 * called first, and throws ExpectedError where a line is wrong, or the file cannot be read.
 */
export function standardTable<Name extends string, Table>(
  name: string,
  columns: Columns<Name>,
  build: (rows: readonly StandardRow<Name>[]) => Table,
): () => Table {
  let table: Table | undefined
  return () => (table ??= build(parseTable(readTable(name), `standards/${name}.tsv`, columns)))
}

function readTable(name: string): string {
  const file = `${directory}/${name}.tsv`
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new ExpectedError(`${file} cannot be read.`, { cause })
  }
}

/**
 * The rows of tab-separated text: lines of comment, which begin with `#`, the names of the columns,
 * then the rows.
 * @throws ExpectedError
 */
export function parseTable<Name extends string>(
  text: string,
  file: string,
  columns: Columns<Name>,
): readonly StandardRow<Name>[] {
  const names = Object.keys(columns) as Name[] // It is a record of them.
  const lines = text.replace(/\n$/, '').split('\n')
  const headingAt = lines.findIndex((line) => !line.startsWith('#'))
  const fail = (index: number, problem: string): never => {
    throw new ExpectedError(`${file}, line ${index + 1}: ${problem}`)
  }
  if (lines[headingAt] !== names.join('\t'))
    fail(headingAt < 0 ? lines.length : headingAt, `not the columns ${names.join(', ')}`)
  const rows: StandardRow<Name>[] = []
  for (let index = headingAt + 1; index < lines.length; index += 1) {
    const cells = lines[index]?.split('\t') ?? []
    if (cells.length !== names.length) fail(index, `${cells.length} columns, not ${names.length}`)
    const row: Partial<Record<Name, string>> = {}
    for (const [column, name] of names.entries()) {
      const cell = cells[column] ?? ''
      if (!columns[name].test(cell)) fail(index, `not a ${name}: ${cell}`)
      row[name] = cell
    }
    rows.push(row as StandardRow<Name>) // It has every column.
  }
  return rows
}
