// Reads ISBNs and ISSNs out of what stands around them: `[0977055779]`, `0977055779 (pbk.) : $5.00`.

const numbers =
  /(?<![\d-])(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx](?![\dXx-])|(?<![\d-])\d{4}-\d{3}[\dXx](?![\dXx-])/g

/** The numbers in a text; the text itself where it has none but says something. */
export function readIdentifiers(text: string): readonly string[] {
  const found = (text.match(numbers) ?? []).map((number) =>
    number.trim().replaceAll(' ', '').toUpperCase(),
  )
  if (found.length > 0) return found
  const rest = text.replace(/^\[(.*)\]$/, '$1').trim()
  return rest === '' ? [] : [rest]
}
