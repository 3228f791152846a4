// The figures that were measured, as a Markdown table and as JSON.

import { cpus, totalmem } from 'node:os'

export type Unit = '×' | 'ms' | 's' | '/s' | 'GiB' | 'KiB' | 'bytes' | 'quads' | ''

export type Figure = {
  /** The name of the case, as `--only` has it. */
  readonly row: string
  readonly what: string
  readonly value: number
  readonly unit: Unit
  readonly target?: { readonly at: 'least' | 'most'; readonly value: number }
  readonly note?: string
}

export type Report = {
  readonly zines: number
  readonly machine: string
  readonly time: string
  readonly figures: readonly Figure[]
}

export const buildReport = (zines: number, figures: readonly Figure[]): Report => ({
  zines,
  machine: `${cpus().length} × ${cpus()[0]?.model ?? '?'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  time: new Date().toISOString(),
  figures,
})

/** A Markdown table. */
export function formatReport({ zines, machine, time, figures }: Report): string {
  const rows = figures.map(({ row, what, value, unit, target, note = '' }) => [
    row,
    what,
    formatValue(value, unit),
    target ? `${target.at === 'least' ? '≥' : '≤'} ${formatValue(target.value, unit)}` : '',
    target ? (isReached(value, target) ? 'yes' : '**no**') : '',
    note,
  ])
  const head = ['case', 'what', 'measured', 'target', 'reached', '']
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [
    `${zines.toLocaleString('en')} zines; ${machine}; ${time.slice(0, 16).replace('T', ' ')}`,
    '',
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    '',
  ].join('\n')
}

const isReached = (value: number, { at, value: bound }: NonNullable<Figure['target']>): boolean =>
  at === 'least' ? value >= bound : value <= bound

function formatValue(value: number, unit: Unit): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${unit}`.trim()
}

/**
 * @param sorted ascending
 * @param part of them that are not higher: 0.95 for the 95th percentile
 */
export const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.ceil(sorted.length * part) - 1] ?? NaN

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
