// The code point escapes of a query, such as `\u00E9`, which may stand for any character of it
// (SPARQL 1.1 Query, 19.2). Those in strings are left to the parsers, which take any character from
// them: `"\u0022"` is a string of one quote.

import { scan } from './lexer.js'

/** A code point escape, or another character that is escaped by a backslash. */
const escapes = /\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|[^])/g

/**
 * The query without these escapes outside of strings. It may have escapes anew, made of what was
 * escaped, which mean nothing to a parser. What an escaped quote, `<` or `#` begins is not known as
 * a string, an IRI or a comment here, but it is to all that read the result.
 * @throws SyntaxError where a string is not closed
 */
export function unescapeCodePoints(text: string): string {
  if (!/\\u/i.test(text)) return text
  let query = ''
  let end = 0
  // An escape may be within an IRI, in which a quote begins no string, so the strings are those of
  // a text without escapes.
  scan(withLetters(text), (token) => {
    if (token.kind !== 'string') return
    query += unescape(text.slice(end, token.start)) + text.slice(token.start, token.end)
    end = token.end
  })
  return query + unescape(text.slice(end))
}

/** The text with as many letters in place of each escape. */
const withLetters = (text: string): string =>
  text.replace(escapes, (escape) => (escape.length > 2 ? 'x'.repeat(escape.length) : escape))

const unescape = (text: string): string =>
  text.replace(escapes, (escape, short?: string, long?: string) => {
    const code = parseInt(short ?? long ?? '', 16)
    return isCharacter(code) ? String.fromCodePoint(code) : escape
  })

/** Half of a surrogate pair is none; NaN neither. */
const isCharacter = (code: number): boolean =>
  (code >= 0 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff)
