// A text with marks on some of its parts, such as the words that a search has found. Views show it.

type MarkedPart = { readonly text: string; readonly isMarked: boolean }

export type MarkedText = readonly MarkedPart[]

/** A field in which words of a search occur, with the part of its text that has them. */
export type Snippet = {
  readonly label: string
  readonly text: MarkedText
  /** That of the text, where it is known. */
  readonly language: string | undefined
}

/** Where the words of a search occur in a record. */
export type WordMarks = {
  /** Its title, with the words marked. */
  readonly title: MarkedText
  /** Where the words are that the title does not have. */
  readonly snippets: readonly Snippet[]
}

/** From one character up to another, in UTF-16 units. */
export type TextRange = readonly [start: number, end: number]

const ellipsis = '…'

/**
 * Marks ranges of a text.
 * @param maxLength of a longer text, so much is left around the first mark
 */
export function markRanges(
  text: string,
  ranges: readonly TextRange[],
  maxLength = Infinity,
): MarkedText {
  const [from, to] = text.length > maxLength ? windowAround(text, ranges, maxLength) : [0, Infinity]
  const end = Math.min(to, text.length)
  const parts: MarkedPart[] = []
  const add = (part: string, isMarked: boolean): void => {
    if (part !== '') parts.push({ text: part, isMarked })
  }
  if (from > 0) add(ellipsis, false)
  let position = from
  for (const [start, stop] of [...ranges].sort((a, b) => a[0] - b[0])) {
    // Ranges may overlap, such as those of a word and of a part of it.
    const begin = Math.max(start, position)
    const close = Math.min(stop, end)
    if (close <= begin) continue
    add(text.slice(position, begin), false)
    add(text.slice(begin, close), true)
    position = close
  }
  add(text.slice(position, end), false)
  if (end < text.length) add(ellipsis, false)
  return parts
}

/**
 * A part of the text with the first mark in its first third, which begins and ends between words.
 */
function windowAround(text: string, ranges: readonly TextRange[], length: number): TextRange {
  const first = Math.min(...ranges.map(([start]) => start), text.length)
  const target = Math.max(0, Math.min(first - Math.floor(length / 3), text.length - length))
  const start = target === 0 ? 0 : Math.min(first, afterSpace(text, target))
  const end = Math.min(text.length, start + length)
  const lastSpace = text.lastIndexOf(' ', end)
  return [start, end < text.length && lastSpace > first ? lastSpace : end]
}

function afterSpace(text: string, from: number): number {
  const space = text.indexOf(' ', from)
  return space < 0 ? from : space + 1
}
