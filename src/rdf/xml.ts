// Escapes text for XML. formats/ and sparql/ write the elements.

/**
 * The characters that XML 1.0 (2.2) does not allow, not even as references. Lone surrogates are
 * among them, since well-formed UTF-8 cannot encode them.
 */
export const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Text as the content of an element. Characters that XML does not allow are left out. */
export const escapeText = (text: string): string =>
  text.replace(notInXml, '').replace(/[&<>\r]/g, toReference)

/**
 * Text as an attribute value in double quotes. A parser would turn literal line breaks into spaces.
 */
export const escapeAttribute = (text: string): string =>
  text.replace(notInXml, '').replace(/[&<>"\t\n\r]/g, toReference)

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

const toReference = (character: string): string =>
  entities.get(character) ?? `&#${character.charCodeAt(0)};`
