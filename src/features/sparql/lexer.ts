// Scans the text of a query once, from left to right. It knows strings, IRIs, comments and escapes,
// and nothing else of SPARQL. It never goes back, so it takes linear time for any text.

/** A bracket, a word or number, an operator sign, or a string, with its position in the text. */
export type Token = {
  readonly kind: 'open' | 'close' | 'word' | 'sign' | 'string'
  readonly start: number
  readonly end: number
}

/**
 * Calls `onToken` for each token, in order. Variables, language tags, IRIs and comments are
 * skipped; a prefixed name is a word.
 * @throws SyntaxError where a string is not closed
 */
export function scan(text: string, onToken: (token: Token) => void): void {
  let start = 0
  while (start < text.length) {
    const character = text.charAt(start)
    const skip = skipped.get(character)
    const end = skip ? skip(text, start) : Math.max(start + 1, matchEnd(name, text, start))
    const kind = kinds.get(character) ?? (skip || !isNameCharacter(character) ? undefined : 'word')
    if (kind) onToken({ kind, start, end })
    start = end
  }
}

/** Whether this word is in a text, in letters of any case. */
export function hasWord(text: string, word: string): boolean {
  let isFound = false
  scan(text, ({ kind, start, end }) => {
    if (kind === 'word' && text.slice(start, end).toUpperCase() === word) isFound = true
  })
  return isFound
}

const name = /(?:[\w:.%\-\u0080-\uFFFF]|\\[^])*/y
const iri = /<[^<>"{}|^`\\\u0000-\u0020]*>/y
const comment = /#[^\n\r]*/y

/** For each first character, the function that finds the end of what is skipped. */
const skipped: ReadonlyMap<string, (text: string, start: number) => number> = new Map([
  ['#', (text, start) => matchEnd(comment, text, start)],
  ['"', endOfString],
  ["'", endOfString],
  // Where no IRI starts, it is an operator sign.
  ['<', (text, start) => Math.max(start + 1, matchEnd(iri, text, start))],
  ['?', (text, start) => Math.max(start + 1, matchEnd(name, text, start + 1))],
  ['$', (text, start) => Math.max(start + 1, matchEnd(name, text, start + 1))],
  ['@', (text, start) => Math.max(start + 1, matchEnd(name, text, start + 1))],
])

const kinds: ReadonlyMap<string, Token['kind']> = new Map([
  ...Array.from('({[').map((bracket) => [bracket, 'open'] as const),
  ...Array.from(')}]').map((bracket) => [bracket, 'close'] as const),
  ...Array.from('/|^&!=*+').map((sign) => [sign, 'sign'] as const),
  ...Array.from('"\'').map((quote) => [quote, 'string'] as const),
])

const isNameCharacter = (character: string): boolean => /[\w:%\\\u0080-\uFFFF]/.test(character)

/**
 * The end of the match of the expression at this position, or the position when it does not match.
 */
function matchEnd(expression: RegExp, text: string, start: number): number {
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
  throw new SyntaxError('a string is not closed')
}
