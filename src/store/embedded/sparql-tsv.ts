// SPARQL results as Oxigraph writes them in TSV: half the time of its JSON, to write and to read.

import type { SelectRow } from '../store.js'

/** The rows of a SELECT, in their order (SPARQL 1.1 Query Results CSV and TSV Formats, 4). */
export function readTsv(text: string): SelectRow[] {
  const [head = '', ...lines] = text.split('\n')
  // After the last line's end comes nothing.
  lines.pop()
  const names = head.split('\t').map((name) => name.slice(1))
  return lines.map((line) => {
    const cells = line.split('\t')
    const row: Record<string, SelectRow[string]> = {}
    names.forEach((name, index) => {
      const cell = cells[index] ?? ''
      if (cell !== '') row[name] = { value: valueOf(cell) }
    })
    return row
  })
}

/** The value of a term in Turtle's syntax; numbers and booleans stand for themselves. */
function valueOf(cell: string): string {
  if (cell.startsWith('<')) return cell.slice(1, -1)
  if (!cell.startsWith('"')) return cell.startsWith('_:') ? cell.slice(2) : cell
  const quoted = cell.slice(1, cell.lastIndexOf('"'))
  return quoted.includes('\\') ? quoted.replace(escape, unescape) : quoted
}

const escape = /\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))/g

const unescape = (_: string, short?: string, long?: string, letter = ''): string => {
  const code = short ?? long
  return code === undefined
    ? (letters.get(letter) ?? letter)
    : String.fromCodePoint(parseInt(code, 16))
}

const letters = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])
