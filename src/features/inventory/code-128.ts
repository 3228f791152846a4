// Code 128 (ISO/IEC 15417): the bars and spaces of a text, in code set B, with pairs of digits in
// code set C. The patterns: standards/code-128.tsv.

import { standardTable } from '../../lib/standards.js'

/**
 * The widths of the bars and spaces of each symbol character, in modules; the last one is the stop.
 */
const symbolPatterns = standardTable(
  'code-128',
  { value: /^\d{1,3}$/, widths: /^[1-4]{6,7}$/ },
  (rows) => rows.map(({ widths }) => Array.from(widths, Number)),
)

const [switchToC, switchToB, startB, startC, stop] = [99, 100, 104, 105, 106] as const

/**
 * The widths of bars and spaces in turn, beginning with a bar, without the quiet zones. Undefined
 * for a text that has other characters than those of ASCII that can be printed, or none.
 */
export function encodeCode128(text: string): readonly number[] | undefined {
  if (!/^[ -~]+$/.test(text)) return undefined
  const values = valuesOf(text)
  const check = values.reduce((sum, value, index) => sum + value * Math.max(1, index), 0) % 103
  const patterns = symbolPatterns()
  return [...values, check, stop].flatMap((value) => patterns[value] ?? [])
}

/** The values of the symbol characters, with that of the start. */
function valuesOf(text: string): readonly number[] {
  const values: number[] = []
  let [rest, isInC] = [text, false]
  const enter = (start: number, change: number, toC: boolean): void => {
    values.push(values.length === 0 ? start : change)
    isInC = toC
  }
  while (rest !== '') {
    const digits = /^\d*/.exec(rest)?.[0].length ?? 0
    // Pairs of digits are shorter from four digits on at an end of the text, and from six on within
    // it.
    const isAtEnd = values.length === 0 || digits === rest.length
    const isWorthIt =
      digits % 2 === 0 && (digits >= (isAtEnd ? 4 : 6) || (digits > 0 && digits === text.length))
    if (isInC ? digits >= 2 : isWorthIt) {
      if (!isInC) enter(startC, switchToC, true)
      values.push(Number(rest.slice(0, 2)))
      rest = rest.slice(2)
    } else {
      if (isInC || values.length === 0) enter(startB, switchToB, false)
      values.push(rest.charCodeAt(0) - 32)
      rest = rest.slice(1)
    }
  }
  return values
}
