// The IRIs by which ORCID, VIAF and ISNI name an agent, from its ORCID and its other identifiers
// (docs/reference/data-model.md, "Same as"; Wikidata's is the field `wikidata` itself), and the
// entries of a repository in directories of libraries ("See also").

const orcid = 'https://orcid.org/'
const viaf = 'http://viaf.org/viaf/'
const isni = 'https://isni.org/isni/'

/** How each of the IRIs begins. */
export const authorityPrefixes: readonly string[] = [orcid, viaf, isni]

/** The IRIs, each once. A number with a wrong check digit, or of another form, has none. */
export const authorityLinksIn = (identifiers: readonly string[]): readonly string[] => [
  ...new Set(identifiers.flatMap((text) => authorityLink(text) ?? [])),
]

function authorityLink(text: string): string | undefined {
  for (const [prefix, pattern, isValid] of authorities) {
    const [, written] = pattern.exec(text.trim()) ?? []
    const number = written?.replace(/[ -]/g, '').toUpperCase()
    if (written === undefined || number === undefined || !isValid(number)) continue
    return prefix + (prefix === orcid ? number.replace(/(.{4})(?=.)/g, '$1-') : number)
  }
  return undefined
}

// The numbers of ORCID and ISNI have sixteen digits, the last of which checks the others (ISO 7064,
// MOD 11-2).
const authorities: readonly (readonly [
  prefix: string,
  pattern: RegExp,
  isValid: (number: string) => boolean,
])[] = [
  [
    orcid,
    /^(?:orcid: *|https?:\/\/orcid\.org\/)(\d{4}(?:[ -]?\d{4}){2}[ -]?\d{3}[\dX])$/i,
    hasCheckDigit,
  ],
  [viaf, /^(?:viaf: *|https?:\/\/(?:www\.)?viaf\.org\/viaf\/)(\d{1,22})\/?$/i, () => true],
  [
    isni,
    /^(?:isni: *|https?:\/\/(?:www\.)?isni\.org\/(?:isni\/)?|urn:isni:)(\d{4}(?:[ -]?\d{4}){2}[ -]?\d{3}[\dX])$/i,
    hasCheckDigit,
  ],
]

function hasCheckDigit(number: string): boolean {
  const digits = Array.from(number.slice(0, -1), Number)
  const sum = digits.reduce((total, digit) => (total + digit) * 2, 0)
  const check = (12 - (sum % 11)) % 11
  return number.endsWith(check === 10 ? 'X' : String(check))
}

/**
 * The IRIs of the entries of a repository: at id.loc.gov for its MARC organization code, at
 * lobid.org for an ISIL of Germany, Austria or Switzerland. A code that is not written as one has
 * none.
 */
export const directoryEntriesOf = (codes: {
  readonly marcOrgCode: string
  readonly isil: string
}): readonly string[] => [
  // Dashes and case do not count in a MARC organization code (id.loc.gov/datatypes/orgs/code).
  ...(/^[A-Z][A-Z\d-]*$/i.test(codes.marcOrgCode)
    ? [locOrganizations + codes.marcOrgCode.replaceAll('-', '').toLowerCase()]
    : []),
  ...(/^(?:DE|AT|CH)-[A-Za-z\d-]{1,11}$/.test(codes.isil)
    ? [`${lobidOrganizations}${codes.isil}#!`]
    : []),
]

const locOrganizations = 'http://id.loc.gov/vocabulary/organizations/'
// These name the organization itself; without the fragment it is the page about it.
const lobidOrganizations = 'http://lobid.org/organisations/'
