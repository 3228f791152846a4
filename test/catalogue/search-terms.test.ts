import { expect } from 'chai'

import { parseSearchTerms } from '../../src/catalogue/search-terms.js'
import { ValidationError } from '../../src/model/record/input.js'

describe('the terms of a search', () => {
  for (const [search, terms] of [
    ['', []],
    [' , ,', []],
    ['Riot Grrrl', ['grrrl', 'riot']],
    ['a,b\u00a0c', ['a', 'b', 'c']],
    ['punk Punk PUNK', ['punk']],
    ['zine zines on', ['zines', 'on']],
  ] as const)
    it(`of ${JSON.stringify(search)} are ${JSON.stringify(terms)}`, () => {
      expect(parseSearchTerms(search)).to.deep.equal(terms)
    })

  it('are at most 32 different ones, also where one is part of another', () => {
    const words = Array.from({ length: 31 }, (_, index) => `word-${index + 10}`)
    expect(parseSearchTerms([...words, ...words, 'word'].join(' '))).to.have.length(31)
    expect(() => parseSearchTerms([...words, 'word', 'another'].join(' '))).to.throw(
      ValidationError,
    )
  })
})
