// Limits the rows of a result. A query gets one row more than the limit, which shows that there are
// too many.

import type { Query } from 'sparqljs'

import { InvalidError } from '../../errors.js'
import type { TableFormat } from './result-formats.js'
import { type Token, scan } from './lexer.js'
import { tooManyRows } from './error-messages.js'

/**
 * The query with the smaller of its own LIMIT and this one. The text is edited, not generated from
 * the parsed query, so that Oxigraph runs exactly what the client wrote.
 * @throws InvalidError when the number of the LIMIT cannot be found in the text
 */
export function withRowLimit(text: string, query: Query, rows: number): string {
  if (query.queryType !== 'SELECT') return text
  if (query.limit !== undefined && query.limit <= rows) return text
  const words = outermostWords(text)
  if (query.limit === undefined) {
    // Only VALUES may follow LIMIT. It gets its own line, because the text may end with a comment.
    const values = query.values ? words.findLast(isWord(text, 'VALUES')) : undefined
    const at = values?.start ?? text.length
    return `${text.slice(0, at)}\nLIMIT ${rows} ${text.slice(at)}`
  }
  const number = words[words.findIndex(isWord(text, 'LIMIT')) + 1]
  if (!number || Number(text.slice(number.start, number.end)) !== query.limit)
    throw new InvalidError('Write LIMIT and its number apart from other words.')
  return text.slice(0, number.start) + String(rows) + text.slice(number.end)
}

/**
 * The words outside of all brackets, which belong to the query itself and not to its subqueries.
 */
function outermostWords(text: string): Token[] {
  const words: Token[] = []
  let depth = 0
  scan(text, (token) => {
    if (token.kind === 'open') depth += 1
    if (token.kind === 'close') depth -= 1
    if (token.kind === 'word' && depth === 0) words.push(token)
  })
  return words
}

const isWord =
  (text: string, word: string) =>
  ({ start, end }: Token): boolean =>
    text.slice(start, end).toUpperCase() === word

/** @throws InvalidError when a table has more rows than this */
export function checkRowCount(table: string, format: TableFormat['name'], rows: number): void {
  if (countRows[format](table) > rows) throw new InvalidError(tooManyRows(rows))
}

const countRows: Readonly<Record<TableFormat['name'], (table: string) => number>> = {
  json: (table) =>
    (JSON.parse(table) as { results?: { bindings: unknown[] } }).results?.bindings.length ?? 0,
  // In text, `<` is always escaped.
  xml: (table) => table.split('<result>').length - 1,
  csv: countCsvRows,
  // Line ends within a value are escaped. The first line is the header.
  tsv: (table) => table.split('\n').length - 2,
}

/** The number of line ends outside of quotes, without that of the header. */
function countCsvRows(table: string): number {
  let lines = 0
  let isQuoted = false
  for (let at = 0; at < table.length; at += 1) {
    const character = table.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    if (character === '\n' && !isQuoted) lines += 1
  }
  return lines - 1
}
