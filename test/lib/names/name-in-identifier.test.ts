// Tests when an identifier has a word of a name.

import { expect } from 'chai'

import { isNameInIdentifier } from '../../../src/lib/names/name-in-identifier.js'

describe('a name in an identifier', () => {
  for (const [identifier, name, what] of [
    ['ada-lovelace', 'Ada Lovelace', 'is found by its words'],
    ['notes-ada-1', 'Ada Lovelace', 'is found by one of its words'],
    ['ADA_notes.2', 'Ada Lovelace', 'is found in capitals and between other separators'],
    ['zoe-muller', 'Zoë Müller', 'is found without its accents'],
    ['zoë-müller', 'Zoe Muller', 'is found with accents that it does not have'],
    ['jrr-tolkien', 'J. R. R. Tolkien', 'is found by its initials'],
    ['adalovelace', 'Ada Lovelace', 'is found by a long word within another one'],
    ['love-lace', 'Ada Lovelace', 'is found by a long word that is divided'],
    ['quill2', 'Rowan Quill', 'is found with a number behind it'],
  ] as const)
    it(`${what}: ${name} in ${identifier}`, () => {
      expect(isNameInIdentifier(identifier, name)).to.equal(true)
    })

  for (const [identifier, name, what] of [
    ['planning-zine', 'Ann Lee', 'is not found by a short word within another one'],
    ['al-and-bo', 'Al Bo', 'is not found by words of two letters'],
    ['doris-15', 'Cindy Crabb', 'is not found where none of its words is'],
    ['doris-15', '', 'is not found without a name'],
    ['', 'Cindy Crabb', 'is not found without an identifier'],
  ] as const)
    it(`${what}: ${name} in ${identifier}`, () => {
      expect(isNameInIdentifier(identifier, name)).to.equal(false)
    })
})
