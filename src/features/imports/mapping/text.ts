// Cleans the texts of a source: white space, Unicode composition, and punctuation that cataloguers
// put at the end of a field.

/** In NFC, with single spaces and without any around; line breaks stay. */
export const cleanText = (text: string): string =>
  isClean(text)
    ? text
    : text
        .normalize('NFC')
        .replace(/\r\n?/g, '\n')
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n ?/g, '\n')
        .trim()

/** The same on one line. */
export const cleanLine = (text: string): string =>
  isClean(text) ? text : text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Most texts are ASCII with single spaces. There are millions of them. */
const isClean = (text: string): boolean => !/[^ -~]| {2}|^ | $/.test(text)

/**
 * The name of a column without quotes, case, accents and punctuation, which differ between files.
 */
export const comparableHeading = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim()

/** The name of a column without the number that tells it from others of the same name. */
export const withoutColumnNumber = (name: string): string => name.replace(/ \(\d+\)$/, '')

// A full stop that belongs to the last word: an initial, or an abbreviation.
const endsWithAbbreviation =
  /(?:^|[\s.,(-])(?:\p{L}|etc|inc|co|ltd|jr|sr|dr|st|no|vol|dept|ed|eds|bros|ph\.d|pseud|min|u\.s|al|or|pub|publ|ill|calif|wash|mass|conn|pa|md|va|fla|ga|tex|minn|mich|wis|ont|que|colo|ariz|ala|univ|assoc|corp)\.$/iu

/** Without the punctuation that separates ISBD areas and ends MARC fields. */
export function withoutEndPunctuation(text: string): string {
  const line = withoutEnd(text, ' \n\t:;/=,')
  if (!line.endsWith('.') || line.endsWith('...')) return line
  return endsWithAbbreviation.test(line.slice(-20)) ? line : line.slice(0, -1).trimEnd()
}

/**
 * Without the characters at the end that are among some. A pattern would take the square of the
 * length.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
