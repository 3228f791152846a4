// Text in XML 1.0: escaped, and without the characters that no XML document can carry, not even as
// references (XML 1.0, 2.2).

/** As the content of an element. */
export const escapeText = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>\r]/g, reference)

/** As the value of an attribute in double quotes; a parser would make spaces of bare line breaks. */
export const escapeAttribute = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"\t\n\r]/g, reference)

// Lone surrogates are among them, as nothing that is well-formed UTF-8 can hold those.
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const named = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

const reference = (character: string): string =>
  named.get(character) ?? `&#${character.charCodeAt(0)};`
