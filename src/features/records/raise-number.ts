// The designation of the next issue: `no. 3` becomes `no. 4`.

/**
 * An issue with its number raised by one, as wide as before where it is padded with zeros. Of
 * several numbers it is the one after a sign of a number, such as `no.` or `#`, else the last one;
 * of a range, the number after its end. Empty for an issue that has no number.
 */
export function raiseNumber(issue: string): string {
  const match = signed.exec(issue) ?? last.exec(issue)
  if (!match) return ''
  const [whole, before = '', first = '', end] = match
  const raised = String(BigInt(end ?? first) + 1n).padStart((end ?? first).length, '0')
  return issue.slice(0, match.index) + before + raised + issue.slice(match.index + whole.length)
}

/**
 * `#`, `№`, and the words that mean a number in the languages of zines; then one number, or a
 * range.
 */
const signed =
  /((?:#|№|\b(?:no?s?|nrs?|n[uú]m(?:ero|ber)?s?|issues?|nummer|heft)\b\.?|n°|nº)\s*)(\d{1,18})(?:\s?[-–/&+]\s?(\d{1,18}))?(?!\d)/iu

const last = /()(\d{1,18})(?:\s?[-–/&+]\s?(\d{1,18}))?(?=\D*$)/u
