// Finds a text within others, and removes it, however it is spelled there: composed or decomposed,
// with any space between its words, or escaped as in JSON. Or an identifier, where it is not a part
// of a longer one; it may be percent-encoded, as in addresses.

export type TextRemoval = {
  /** The number of its characters. */
  readonly length: number
  /** Whether a text has it somewhere. */
  readonly isIn: (text: string) => boolean
  /** The text without it; the same text where it has none. */
  readonly removeFrom: (text: string) => string
  /** The text with another one in its place, which may be empty. */
  readonly replaceIn: (text: string, by: string) => string
}

/** @param removed a text with at least one character that is no space */
export function createTextRemoval(removed: string): TextRemoval {
  const words = removed.normalize('NFC').trim().split(/\s+/)
  const sources = words.flatMap((word, index) => [
    ...(index === 0 ? [] : [anySpace]),
    ...(word.match(pieces) ?? []).map(wordPattern),
  ])
  const parts = Array.from({ length: Math.ceil(sources.length / sourcesOfPart) }, (_, part) =>
    sources.slice(part * sourcesOfPart, (part + 1) * sourcesOfPart).join(''),
  )
  return removalOf(removed, parts)
}

// A regular expression of a whole biography would be too large.
const pieces = /.{1,200}/gsu
const sourcesOfPart = 40

const anySpace = String.raw`(?:\s|\\[nrt])+`

/** @param id that of a record */
export function createIdentifierRemoval(id: string): TextRemoval {
  const spellings = [id, JSON.stringify(id).slice(1, -1), encodeURIComponent(id)]
  const alternatives = [...new Set(spellings)].map(literal).join('|')
  return removalOf(id, [`(?<!${partOfIdentifier})(?:${alternatives})(?!${partOfIdentifier})`])
}

/** What a longer identifier may have before and after. */
const partOfIdentifier = String.raw`[\p{L}\p{M}\p{N}_-]`

/** @param parts the source of a regular expression for each part; they follow each other in a text */
function removalOf(removed: string, [first = '', ...others]: readonly string[]): TextRemoval {
  const beginning = new RegExp(first, 'gu')
  const continuations = others.map((part) => new RegExp(part, 'yu'))

  /** Where the match that begins here ends; undefined where the other parts do not follow. */
  function endOf({ 0: part, index }: RegExpExecArray, text: string): number | undefined {
    let end = index + part.length
    for (const continuation of continuations) {
      continuation.lastIndex = end
      if (!continuation.test(text)) return undefined
      end = continuation.lastIndex
    }
    return end
  }

  /** The text between the matches; one item where there are none. */
  function split(text: string): readonly string[] {
    const between: string[] = []
    let start = 0
    beginning.lastIndex = 0
    for (let match = beginning.exec(text); match; match = beginning.exec(text)) {
      const end = endOf(match, text)
      const [letter = ''] = match[0]
      if (end === undefined) beginning.lastIndex = match.index + letter.length
      else {
        between.push(text.slice(start, match.index))
        start = beginning.lastIndex = end
      }
    }
    return [...between, text.slice(start)]
  }

  const isIn = (text: string): boolean => split(text.normalize('NFC')).length > 1
  function replaceIn(text: string, by: string): string {
    const between = split(text.normalize('NFC'))
    return between.length === 1 ? text : between.join(by).replace(/ {2,}/g, ' ').trim()
  }

  return {
    length: removed.length,
    isIn,
    removeFrom: (text) => replaceIn(text, ''),
    replaceIn,
  }
}

function wordPattern(word: string): string {
  const escaped = JSON.stringify(word).slice(1, -1)
  return escaped === word ? literal(word) : `(?:${literal(word)}|${literal(escaped)})`
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
