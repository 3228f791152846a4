// Identifiers of 1 to 255 characters of every plane, for property tests.

import fc from 'fast-check'

/** Characters of one to four bytes in UTF-8, among them those around the surrogates and the last one that is a character. */
const characters = [
  'a',
  '/',
  '%',
  '~',
  'é',
  '\u07ff',
  'ࠀ',
  '日',
  '\ud7ff',
  '\ue000',
  '\ufffd',
  '𐀀',
  '🦄',
  '𠀀',
  '\u{e0041}',
  '\u{10fffd}',
]

const anyCharacter = fc.constantFrom(...characters)

/** Repeated characters, since a store may go wrong at any number of bytes. */
export const anyIdentifier = fc
  .array(fc.tuple(anyCharacter, fc.oneof(fc.nat(3), fc.nat(254))), { minLength: 1, maxLength: 3 })
  .map((runs) => runs.map(([character, count]) => character.repeat(count + 1)).join(''))
  .map((text) => Array.from(text).slice(0, 255).join(''))
