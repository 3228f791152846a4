// A single pass over the text of a query, from left to right, that knows strings, IRIs, comments and
// escapes, and nothing else of SPARQL. It never looks back, so it takes time in proportion to the
// length of the text, whatever the text is.

/** A bracket, a word or number, or the sign of an operator; by where it stands in the text. */
export type Token = {
  readonly kind: 'open' | 'close' | 'word' | 'sign'
  readonly start: number
  readonly end: number
}

/** A string is not closed; nothing after it can be told apart. */
export class UnterminatedStringError extends Error {}

/**
 * Shows the tokens in their order. Variables, language tags and what is within strings, IRIs and
 * comments are passed over; a prefixed name is a word.
 * @throws Unclosed
 */
export function scan(text: string, see: (token: Token) => void): void {
  let start = 0
  while (start < text.length) {
    const character = text.charAt(start)
    const pass = passed.get(character)
    const end = pass ? pass(text, start) : Math.max(start + 1, runOf(name, text, start))
    const kind = kinds.get(character) ?? (pass || !isNamed(character) ? undefined : 'word')
    if (kind) see({ kind, start, end })
    start = end
  }
}

const name = /(?:[\w:.%\-\u0080-\uFFFF]|\\[^])*/y
const iri = /<[^<>"{}|^`\\\u0000-\u0020]*>/y
const comment = /#[^\n\r]*/y

/** Where what starts with this character ends. */
const passed: ReadonlyMap<string, (text: string, start: number) => number> = new Map([
  ['#', (text, start) => runOf(comment, text, start)],
  ['"', endOfString],
  ["'", endOfString],
  // Where no IRI starts it is the sign of an operator.
  ['<', (text, start) => Math.max(start + 1, runOf(iri, text, start))],
  ['?', (text, start) => Math.max(start + 1, runOf(name, text, start + 1))],
  ['$', (text, start) => Math.max(start + 1, runOf(name, text, start + 1))],
  ['@', (text, start) => Math.max(start + 1, runOf(name, text, start + 1))],
])

const kinds: ReadonlyMap<string, Token['kind']> = new Map([
  ...Array.from('({[').map((bracket) => [bracket, 'open'] as const),
  ...Array.from(')}]').map((bracket) => [bracket, 'close'] as const),
  ...Array.from('/|^&!=*+').map((sign) => [sign, 'sign'] as const),
])

const isNamed = (character: string): boolean => /[\w:%\\\u0080-\uFFFF]/.test(character)

/** The end of what the expression takes from here on, or here when it takes nothing. */
function runOf(expression: RegExp, text: string, start: number): number {
  expression.lastIndex = start
  return expression.test(text) ? expression.lastIndex : start
}

function endOfString(text: string, start: number): number {
  const quote = text.charAt(start)
  const isLong = text.startsWith(quote.repeat(3), start)
  const closing = isLong ? quote.repeat(3) : quote
  let at = start + closing.length
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '\\') at += 2
    else if (text.startsWith(closing, at)) return at + closing.length
    else if (!isLong && (character === '\n' || character === '\r')) break
    else at += 1
  }
  throw new UnterminatedStringError()
}
