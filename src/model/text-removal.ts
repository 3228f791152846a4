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
  return removalOf(removed, words.map(wordPattern).join(String.raw`(?:\s|\\[nrt])+`))
}

/** @param id that of a record */
export function createIdentifierRemoval(id: string): TextRemoval {
  const spellings = [id, JSON.stringify(id).slice(1, -1), encodeURIComponent(id)]
  const alternatives = [...new Set(spellings)].map(literal).join('|')
  return removalOf(id, `(?<!${partOfIdentifier})(?:${alternatives})(?!${partOfIdentifier})`)
}

/** What a longer identifier may have before and after. */
const partOfIdentifier = String.raw`[\p{L}\p{M}\p{N}_-]`

function removalOf(removed: string, source: string): TextRemoval {
  const pattern = new RegExp(source, 'gu')
  const isIn = (text: string): boolean => text.normalize('NFC').search(pattern) >= 0
  const replaceIn = (text: string, by: string): string =>
    isIn(text)
      ? text
          .normalize('NFC')
          .replace(pattern, () => by)
          .replace(/ {2,}/g, ' ')
          .trim()
      : text
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
