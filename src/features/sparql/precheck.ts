// Reads the text of a query in the main thread without parsing it. It rejects texts that would
// overflow a parser's stack or keep it busy for minutes. query-checks.ts checks the parsed query.

import { InvalidError } from '../../errors.js'
import { unescapeCodePoints } from './code-point-escapes.js'
import { scan } from './lexer.js'

export const textLimits = {
  /** In UTF-8 bytes. */
  size: 64 * 1024,
  /**
   * The nesting of brackets. Oxigraph crashes at 100 of some kinds; sparqljs takes quadratic time.
   */
  depth: 64,
  /** Signs of operators and paths. Planning a path of 400 steps takes eight seconds. */
  signs: 1_000,
}

/**
 * @returns the text that is to be parsed: no parser gets another one than what is checked here
 * @throws InvalidError
 */
export function readQueryText(text: string): string {
  if (Buffer.byteLength(text) > textLimits.size)
    throw new InvalidError(`A query may have ${textLimits.size} bytes at most.`)
  try {
    const query = unescapeCodePoints(text)
    checkTokens(query)
    return query
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new InvalidError('Malformed query: a string is not closed.')
    throw error
  }
}

function checkTokens(query: string): void {
  let depth = 0
  let signs = 0
  scan(query, ({ kind }) => {
    if (kind === 'open') depth += 1
    if (kind === 'close') depth -= 1
    if (kind === 'sign') signs += 1
    if (depth > textLimits.depth)
      throw new InvalidError(`Brackets may be nested ${textLimits.depth} deep at most.`)
    if (signs > textLimits.signs)
      throw new InvalidError(`A query may have ${textLimits.signs} operators at most.`)
  })
}
