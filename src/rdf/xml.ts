// What XML 1.0 (2.2) has no way to say, not even by reference; whoever writes XML leaves it out or puts
// something in its place. Lone surrogates are among it, as no well-formed UTF-8 can hold those.
export const notInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
