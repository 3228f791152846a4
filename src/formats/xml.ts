// Text for XML 1.0.

/** As the content of an element or the value of an attribute, without the characters that XML forbids. */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"\r]/g, (character) => references.get(character) ?? '')

// No reference can stand for these either (XML 1.0, 2.2).
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

// A bare carriage return would be read as a line feed.
const references = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\r', '&#13;'],
])
