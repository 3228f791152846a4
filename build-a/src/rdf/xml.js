// What XML 1.0 (2.2) has no way to say, not even by reference; whoever writes XML leaves it out or puts
// something in its place. Lone surrogates are among it, as no well-formed UTF-8 can hold those.
export const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** As the content of an element. */
export const escapeText = (text) => text.replace(notInXml, '').replace(/[&<>\r]/g, reference);
/** As the value of an attribute in double quotes; a parser would make spaces of bare line breaks. */
export const escapeAttribute = (text) => text.replace(notInXml, '').replace(/[&<>"\t\n\r]/g, reference);
const named = new Map([
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['>', '&gt;'],
    ['"', '&quot;'],
]);
const reference = (character) => named.get(character) ?? `&#${character.charCodeAt(0)};`;
//# sourceMappingURL=xml.js.map