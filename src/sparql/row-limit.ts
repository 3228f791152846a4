// The rows of a table: no more are asked for than may be given, and one more, which tells that there
// would have been more.

import type { Query } from 'sparqljs'

import { QueryError } from './errors.js'
import type { TableFormat } from './result-formats.js'
import { type Token, scan } from './lexer.js'
import { tooManyRows } from './error-messages.js'

/**
 * The text of a query with a LIMIT of its own or this one, whichever is less. The text is changed
 * rather than written anew from what was read, so that Oxigraph is asked what the client asked.
 * @throws QueryRefused when the LIMIT cannot be told from what stands beside it
 */
export function withRowLimit(text: string, query: Query, rows: number): string {
  if (query.queryType !== 'SELECT') return text
  if (query.limit !== undefined && query.limit <= rows) return text
  const words = outermostWords(text)
  if (query.limit === undefined) {
    // Nothing but VALUES may stand behind it. On a line of its own, as a comment may be the last.
    const values = query.values ? words.findLast(isWord(text, 'VALUES')) : undefined
    const at = values?.start ?? text.length
    return `${text.slice(0, at)}\nLIMIT ${rows} ${text.slice(at)}`
  }
  const number = words[words.findIndex(isWord(text, 'LIMIT')) + 1]
  if (!number || text.slice(number.start, number.end) !== String(query.limit))
    throw new QueryError('Write LIMIT and its number apart from other words.')
  return text.slice(0, number.start) + String(rows) + text.slice(number.end)
}

/** The words outside of all brackets: those of the query itself, and not of the queries in it. */
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

/** @throws QueryRefused when a table has more rows than may be given */
export function checkRowCount(table: string, format: TableFormat['name'], rows: number): void {
  if (counts[format](table) > rows) throw new QueryError(tooManyRows(rows))
}

const counts: Readonly<Record<TableFormat['name'], (table: string) => number>> = {
  json: (table) =>
    (JSON.parse(table) as { results?: { bindings: unknown[] } }).results?.bindings.length ?? 0,
  // In the text of an element `<` is always escaped.
  xml: (table) => table.split('<result>').length - 1,
  csv: countCsv,
  // Line ends within a value are escaped; the first line is the head.
  tsv: (table) => table.split('\n').length - 2,
}

/** Line ends outside of quotes, without that of the head. */
function countCsv(table: string): number {
  let lines = 0
  let isQuoted = false
  for (let at = 0; at < table.length; at += 1) {
    const character = table.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    if (character === '\n' && !isQuoted) lines += 1
  }
  return lines - 1
}
