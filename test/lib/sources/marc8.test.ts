import { expect } from 'chai'

import { decodeMarc8 } from '../../../src/lib/sources/marc/marc8.js'

// The bytes as Latin-1, and what they mean by the code tables of the Library of Congress.
const examples: readonly (readonly [string, string, string])[] = [
  ['accents before their letters', 'Caf\xe2e, M\xe8unchen, \xf0cA', 'Café, München, çA'],
  ['several accents on one letter', 'Vi\xf2\xe3et Nam', 'Việt Nam'],
  ['letters of their own', '\xa3\xb1\xb2\xa5 \xc7 \xc8 \xb9 \xc3', 'Đłø\u00c6 ß € £ ©'],
  ['an accent over two letters', 'i\xebi\xeca', 'ii͡a'],
  ['Greek', '\x1b(S\x61\x62\x64\x1b(B abc', 'αβγ abc'],
  [
    'Greek symbols, subscripts and superscripts',
    '\x1bga\x1bs H\x1bb2\x1bsO x\x1bp2\x1bs',
    'α H₂O x²',
  ],
  ['Cyrillic', '\x1b(NpRIWET\x1b(B', 'Привет'],
  ['Hebrew', '\x1b(2\x79\x6c\x65\x6d\x1b(B', 'שלום'],
  ['Arabic', '\x1b(3\x47\x48\x1b(B', '\u0627\u0628'],
  ['East Asian characters', '\x1b$1\x21\x30\x21\x21\x30\x24\x1b(B!', '一三!'],
  ['East Asian characters beyond the basic plane', '\x1b$1\x21\x75\x59', '\u{212c4}'],
  ['the characters after these', '\x1b$1\x21\x75\x5b\x21\x75\x7e', '垕埆'],
  ['marks around what is not sorted', '\x88The \x89Zine', 'The Zine'],
  ['references to characters', '&#x2665; &#x1F600;', '♥ 😀'],
  ['no character for half of a pair', '&#xD83D; &#xZZ;', '\uFFFD &#xZZ;'],
  ['a mark for an escape that leads nowhere', 'La Soci\xe2et\x1b, a', 'La Sociét\uFFFD, a'],
  ['a mark for an escape at the end', 'end\x1b', 'end\uFFFD'],
  [
    'a mark for half of an East Asian character',
    '\x1b$1\x21\x30\x21\x21\x30\x1b(B end',
    '一\uFFFD end',
  ],
  ['a mark for a control code where an East Asian character begins', '\x1b$)1\x80a', '\uFFFDa'],
  ['a mark for an accent on nothing', 'caf\xe2 \xe6', 'caf\uFFFD \uFFFD'],
]

describe('MARC-8', () => {
  for (const [title, bytes, text] of examples)
    it(`has ${title}`, () => {
      expect(decodeMarc8(Buffer.from(bytes, 'latin1'))).to.equal(text)
    })
})
