// The commands of the command line that work on a stopped service or, through control-socket.ts, on
// a running one: what each takes, which request it makes, and what it prints of the result.

import type { ParseArgsConfig } from 'node:util'

import type { ControlRequest } from './control-socket.js'

export type CommandLine = {
  /** How the usage calls the arguments that it needs. */
  readonly needed: readonly string[]
  /** How many further arguments it may have. */
  readonly further?: number
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** @param positionals all that are needed, then the further ones */
  parse(
    positionals: readonly string[],
    values: OptionValues,
    stdin: NodeJS.ReadableStream,
  ): ControlRequest | Promise<ControlRequest>
  /**
   * The lines to print.
   * @param result what the request gave: each command knows the shape of its own
   */
  format(result: object, request: ControlRequest): readonly string[]
}

/** By its words, such as `account add`. */
export type CommandLines = ReadonlyMap<string, CommandLine>

export type OptionValues = Readonly<
  Record<string, string | boolean | (string | boolean)[] | undefined>
>

/** The lines of a table whose columns are as wide as their widest cell. */
export function formatTable(
  columns: readonly string[],
  cells: readonly (readonly string[])[],
): readonly string[] {
  const rows = [columns, ...cells]
  const widths = rows.reduce<readonly number[]>(
    (before, row) => row.map((cell, column) => Math.max(before[column] ?? 0, width(cell))),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd(),
  )
}

function width(cell: string): number {
  return Array.from(cell).length
}
