// Parses the SPARQL results that Oxigraph writes as TSV. Writing and parsing takes half the time of
// JSON.

import type { SelectRow } from '../store.js'

/** The rows of a SELECT, in their order (SPARQL 1.1 Query Results CSV and TSV Formats, 4). */
export function readTsv(text: string): SelectRow[] {
  const [head = '', ...lines] = text.split('\n')
  // What follows the last line end is empty.
  lines.pop()
  const names = head.split('\t').map((name) => name.slice(1))
  return lines.map((line) => {
    const cells = line.split('\t')
    const row: Record<string, SelectRow[string]> = {}
    names.forEach((name, index) => {
      const cell = cells[index] ?? ''
      if (cell !== '') row[name] = { value: parseValue(cell) }
    })
    return row
  })
}

/** The value of a term in Turtle's syntax. Numbers and booleans are written without quotes. */
function parseValue(cell: string): string {
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
