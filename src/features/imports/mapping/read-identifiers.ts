// Reads ISBNs and ISSNs out of what stands around them: `[0977055779]`,
// `0977055779 (pbk.) : $5.00`.

const numbers =
  /(?<![\d-])(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx](?![\dXx-])|(?<![\d-])\d{4}-\d{3}[\dXx](?![\dXx-])/g

export type ReadIdentifiers = {
  readonly values: readonly string[]
  /**
   * Whether there is neither an ISBN nor an ISSN, nor another number with its kind:
   * `goodreads:8695`.
   */
  readonly isOther: boolean
}

/** The numbers in a text; the text itself where it has none but says something. */
export function readIdentifiers(text: string): ReadIdentifiers {
  const identifiers = (text.match(numbers) ?? []).map((number) =>
    number.trim().replaceAll(' ', '').toUpperCase(),
  )
  if (identifiers.length > 0) return { values: identifiers, isOther: false }
  const rest = text.replace(/^\[(.*)\]$/, '$1').trim()
  const isOther = rest !== '' && !/^[a-z]\w{1,20}:./i.test(rest)
  return { values: rest === '' ? [] : [rest], isOther }
}
