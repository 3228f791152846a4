// Recognizes ISBN, ISSN, DOI and URL among the texts of a zine's `identifier` field, by the prefix
// that names the kind or, for ISBN and ISSN, by the check digit.

export type StandardIdentifier = {
  readonly kind: 'isbn' | 'issn' | 'doi' | 'url' | 'other'
  /** Without a prefix that names the kind, such as `urn:isbn:`. */
  readonly value: string
  /** The check digit is wrong, so that no search by this value finds anything. */
  readonly wrong?: true
}

export function parseIdentifier(text: string): StandardIdentifier {
  for (const [kind, pattern, hasValidCheckDigit, normalize] of patterns) {
    const [, isNamed, value = ''] = pattern.exec(text) ?? []
    if (value === '') continue
    if (hasValidCheckDigit(value)) return { kind, value: normalize(value) }
    if (isNamed) return { kind, value: normalize(value), wrong: true }
  }
  return { kind: 'other', value: text }
}

type IdentifierForm = readonly [
  kind: StandardIdentifier['kind'],
  /** Two groups: the prefix that names the kind, and the value. */
  pattern: RegExp,
  hasValidCheckDigit: (value: string) => boolean,
  normalize: (value: string) => string,
]

const asIs = (value: string): string => value
const digitsOf = (value: string): string => value.replace(/[ -]/g, '').toUpperCase()
const any = (): boolean => true

// prettier-ignore
const patterns: readonly IdentifierForm[] = [
  ['isbn', /^(urn:isbn:|isbn(?:-1[03])?:?)? *(\d(?:[ -]?\d){8}(?:(?:[ -]?\d){3})?[ -]?[\dX])$/i, isIsbn, digitsOf],
  ['issn', /^(urn:issn:|issn(?:-l)?:?)? *(\d{4}-\d{3}[\dX])$/i, isIssn, (value) => value.toUpperCase()],
  ['doi', /^(doi:|https?:\/\/(?:dx\.)?doi\.org\/)? *(10\.\d{4,9}\/\S+)$/i, any, asIs],
  ['url', /^()(https?:\/\/\S+)$/i, any, asIs],
]

function isIsbn(value: string): boolean {
  const digits = digitsOf(value)
  // Other products have numbers of 13 digits too.
  return digits.length === 13
    ? /^97[89]/.test(digits) && sum(digits, (position) => (position % 2 === 0 ? 1 : 3)) % 10 === 0
    : sum(digits, (position) => 10 - position) % 11 === 0
}

function isIssn(value: string): boolean {
  return sum(digitsOf(value), (position) => 8 - position) % 11 === 0
}

const sum = (digits: string, weight: (position: number) => number): number =>
  Array.from(digits).reduce(
    (total, digit, position) => total + (digit === 'X' ? 10 : Number(digit)) * weight(position),
    0,
  )
