// Text in XML 1.0: escaped, and without the characters that no XML document can carry, not even as
// references (XML 1.0, 2.2).

import { notInXml } from '../rdf/xml.js'

/** As the content of an element. */
export const escapeText = (text: string): string =>
  text.replace(notInXml, '').replace(/[&<>\r]/g, reference)

/** As the value of an attribute in double quotes; a parser would make spaces of bare line breaks. */
export const escapeAttribute = (text: string): string =>
  text.replace(notInXml, '').replace(/[&<>"\t\n\r]/g, reference)

const named = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

const reference = (character: string): string =>
  named.get(character) ?? `&#${character.charCodeAt(0)};`
