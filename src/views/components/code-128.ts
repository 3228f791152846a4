// Code 128 (ISO/IEC 15417): the bars and spaces of a text, in code set B, with pairs of digits in code set C.

/** The widths of the bars and spaces of each symbol character, in modules; the last one is the stop. */
const patterns = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ')

const [switchToC, switchToB, startB, startC, stop] = [99, 100, 104, 105, 106] as const

/**
 * The widths of bars and spaces in turn, beginning with a bar, without the quiet zones. Undefined for a text that has
 * other characters than those of ASCII that can be printed, or none.
 */
export function encodeCode128(text: string): readonly number[] | undefined {
  if (!/^[ -~]+$/.test(text)) return undefined
  const values = valuesOf(text)
  const check = values.reduce((sum, value, index) => sum + value * Math.max(1, index), 0) % 103
  return [...values, check, stop].flatMap((value) => Array.from(patterns[value] ?? '', Number))
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
    // Pairs of digits are shorter from four digits on at an end of the text, and from six on within it.
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
