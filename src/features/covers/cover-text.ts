// Breaks the title and the issue of a drawn cover into lines, and chooses the size of their
// letters. Letters of Courier are all as wide as each other, so widths are counted and not
// measured.

type CoverLine = {
  readonly text: string
  /** In the units of the size: a line of ten letters of Courier is 6 wide. */
  readonly width: number
}

export type CoverText = {
  /** The height of the letters. */
  readonly size: number
  readonly lines: readonly CoverLine[]
  readonly isRightToLeft: boolean
}

/** The room for a text, and the sizes of letters to try, the largest first. */
export type CoverRoom = {
  readonly width: number
  readonly height: number
  readonly sizes: readonly number[]
}

/** The distance between two lines, in the units of the size. */
export const lineHeight = 1.35

/** More is never shown, so it is not looked at. */
const maxLength = 300

/**
 * The text in the largest letters in which it fits; in the smallest ones it is cut where it does
 * not.
 */
export function fitText(text: string, { width, height, sizes }: CoverRoom): CoverText {
  const parts = partsOf(cleanText(text))
  const isRightToLeft = startsRightToLeft.test(text)
  for (const canBreakWords of [false, true])
    for (const size of sizes) {
      const lines = toLines(parts, width / size, canBreakWords)
      const fits = lines !== undefined && lines.length * size * lineHeight <= height
      if (fits) return { size, lines, isRightToLeft }
    }
  const size = sizes.at(-1) ?? 1
  const most = Math.max(1, Math.floor(height / (size * lineHeight)))
  const lines = (toLines(parts, width / size, true) ?? []).slice(0, most)
  return { size, lines: cutLast(lines, width / size), isRightToLeft }
}

/** Without control characters and those that change the direction of what follows. */
const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zs}\u2028\u2029]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, '')
    .trim()

const startsRightToLeft =
  /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

type Part = { readonly text: string; readonly width: number; readonly isSpace: boolean }

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The words with the punctuation behind them; between two parts a line may end. */
function partsOf(text: string): readonly Part[] {
  const texts: string[] = []
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = texts.at(-1)
    const sticks =
      last !== undefined &&
      last !== ' ' &&
      segment !== ' ' &&
      (!isWordLike || opening.test(last) || inner.test(last))
    if (sticks) texts[texts.length - 1] = last + segment
    else texts.push(segment)
  }
  return texts.map((part) => ({ text: part, width: widthOf(part), isSpace: part === ' ' }))
}

/** Nothing may be parted from what follows it. */
const opening = /[\p{Ps}\p{Pi}"'#]$/u
/** Punctuation inside a word, such as that of `h2so4@home`; a line may end after a hyphen. */
const inner = /[@.,&+_=]$/u

/** The lines of a text; undefined if a word would have to be broken and may not. */
function toLines(
  parts: readonly Part[],
  width: number,
  canBreakWords: boolean,
): CoverLine[] | undefined {
  const lines: CoverLine[] = []
  let line = ''
  const end = (): void => {
    const text = line.trim()
    if (text !== '') lines.push({ text, width: widthOf(text) })
    line = ''
  }
  for (const part of parts) {
    if (widthOf(line) + part.width <= width || part.isSpace) {
      line += part.text
      continue
    }
    end()
    if (part.width <= width) {
      line = part.text
      continue
    }
    if (!canBreakWords) return undefined
    for (const { segment } of graphemes.segment(part.text)) {
      if (line !== '' && widthOf(line) + widthOf(segment) > width) end()
      line += segment
    }
  }
  end()
  return lines
}

/** Says at the end of the last line that there is more. */
function cutLast(lines: readonly CoverLine[], width: number): readonly CoverLine[] {
  const last = lines.at(-1)
  if (!last) return lines
  const letters = [...graphemes.segment(last.text)].map(({ segment }) => segment)
  while (letters.length > 0 && widthOf(`${letters.join('')}…`) > width) letters.pop()
  const text = `${letters.join('')}…`
  return [...lines.slice(0, -1), { text, width: widthOf(text) }]
}

/** The width of a text in the units of its size. */
function widthOf(text: string): number {
  let width = 0
  // Segmenting takes far longer than counting, and most titles need none.
  if (ascii.test(text)) for (let left = text.length; left > 0; left -= 1) width += 0.6
  else for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 1.05 : 0.6
  return width
}

const ascii = /^[ -~]*$/

/** Letters as wide as they are high: those of Chinese, Japanese and Korean, and emoji. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
