// What kind of identifier a text is: what it calls itself, or, for ISBN and ISSN, what its check digit
// says that it is.

export type StandardIdentifier = {
  readonly kind: 'isbn' | 'issn' | 'doi' | 'url' | 'other'
  /** Without what only names the kind, like `urn:isbn:`. */
  readonly value: string
  /** Its check digit is wrong, so that nobody will find anything by it. */
  readonly wrong?: true
}

export function parseIdentifier(text: string): StandardIdentifier {
  for (const [kind, form, isRight, read] of forms) {
    const [, named, value = ''] = form.exec(text) ?? []
    if (value === '') continue
    if (isRight(value)) return { kind, value: read(value) }
    if (named) return { kind, value: read(value), wrong: true }
  }
  return { kind: 'other', value: text }
}

type IdentifierForm = readonly [
  kind: StandardIdentifier['kind'],
  /** The name of the kind, and the value. */
  form: RegExp,
  isRight: (value: string) => boolean,
  read: (value: string) => string,
]

const asIs = (value: string): string => value
const digitsOf = (value: string): string => value.replace(/[ -]/g, '').toUpperCase()
const any = (): boolean => true

// prettier-ignore
const forms: readonly IdentifierForm[] = [
  ['isbn', /^(urn:isbn:|isbn(?:-1[03])?:?)? *(\d(?:[ -]?\d){8}(?:(?:[ -]?\d){3})?[ -]?[\dX])$/i, isIsbn, digitsOf],
  ['issn', /^(urn:issn:|issn(?:-l)?:?)? *(\d{4}-\d{3}[\dX])$/i, isIssn, (value) => value.toUpperCase()],
  ['doi', /^(doi:|https?:\/\/(?:dx\.)?doi\.org\/)? *(10\.\d{4,9}\/\S+)$/i, any, asIs],
  ['url', /^()(https?:\/\/\S+)$/i, any, asIs],
]

function isIsbn(value: string): boolean {
  const digits = digitsOf(value)
  return digits.length === 13
    ? sum(digits, (position) => (position % 2 === 0 ? 1 : 3)) % 10 === 0
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
