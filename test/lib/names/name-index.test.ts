// Tests the index of names: what is found of many names, and that names come and go.

import { expect } from 'chai'

import { NameIndex, identifierKey } from '../../../src/lib/names/name-index.js'
import { likenessOfNames } from '../../../src/lib/names/name-likeness.js'
import { collectInSteps, yieldToEventLoop } from '../../../src/lib/scheduling.js'

const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id)

describe('an index of names', () => {
  it('finds a name of common words only among very many with these words', async () => {
    const index = new NameIndex('title')
    const words = ['the', 'a', 'of', 'and', 'zine', 'to', 'in', 'one']
    for (let number = 0; number < 30_000; number += 1) {
      const name = [1, 8, 64, 512, 4096].map((step) => words[Math.floor(number / step) % 8])
      index.set(`n${number}`, [name.join(' ')])
    }
    index.set('wanted', ['Of the zine'])
    await collectInSteps(index.build())
    expect(idsOf(index.find('of the ZINE', 5))[0]).to.equal('wanted')
    expect(idsOf(index.find('zine of the', 5))[0]).to.equal('wanted')
  })

  it('finds the same after it was saved and restored, and can be changed then', async () => {
    const [index, again] = [new NameIndex('person'), new NameIndex('person')]
    for (let number = 0; number < 300; number += 1)
      index.set(`n${number}`, [`Person${number % 7} Name${number}`], [`0000-${number % 9}`])
    for (let number = 0; number < 50; number += 1) index.set(`n${number}`, [])
    again.restore(await index.save())
    for (const one of [index, again]) one.set('later', ['Person1 Later'], ['0000-1'])
    expect(again.count()).to.equal(251)
    for (const name of ['Person1 Later', 'Name77', 'Persona6 Name299', 'Name3'])
      expect(again.find(name, 5)).to.deep.equal(index.find(name, 5))
    expect(again.complete('person1 n', 5)).to.deep.equal(index.complete('person1 n', 5))
    expect(again.withIdentifier('00001')).to.deep.equal(index.withIdentifier('00001'))
  })

  it('forgets the names of what was set anew or removed, also when numbers are used again', async () => {
    const index = new NameIndex('person')
    for (let round = 0; round < 3; round += 1) {
      for (let number = 0; number < 12_000; number += 1)
        index.set(`n${number}`, [`Round${'abc'[round]} Person ${number}`])
      await yieldToEventLoop()
    }
    for (let number = 0; number < 11_999; number += 1) index.set(`n${number}`, [])
    for (let turn = 0; turn < 50; turn += 1) await yieldToEventLoop()
    index.set('new', ['Newcomer Person'])
    expect(index.count()).to.equal(2)
    expect(idsOf(index.find('Rounda Person 5', 5))).not.to.include('n5')
    expect(idsOf(index.find('Newcomer Person', 5))[0]).to.equal('new')
    expect(idsOf(index.find('Roundc Person 11999', 5))[0]).to.equal('n11999')
  })

  it('finds by an identifier, however it is written', () => {
    const index = new NameIndex('title')
    index.set('one', ['One'], ['https://orcid.org/0000-0002-1825-0097', 'ISBN 978-3-16-148410-0'])
    for (const text of ['0000-0002-1825-0097', 'orcid:0000000218250097', '9783161484100'])
      expect(index.withIdentifier(identifierKey(text)), text).to.deep.equal(['one'])
    index.set('one', ['One'])
    expect(index.withIdentifier('9783161484100')).to.deep.equal([])
  })
})

describe('the likeness of two names', () => {
  const likeness = (one: string, other: string) => likenessOfNames(one, other, 'person')

  for (const [one, other] of [
    ['Wang, Jackie', 'Jackie Wang'],
    ['JACKIE WANG', 'Jackie Wang'],
    ['Jackie (Jax) Wang', 'Jackie Wang'],
    ['Wang Jackie', 'Jackie Wang'],
    ['M.W.C.', 'MWC'],
  ] as const)
    it(`takes “${one}” and “${other}” for the same`, () => {
      expect(likeness(one, other).isSame).to.equal(true)
      expect(likeness(other, one).isSame).to.equal(true)
    })

  for (const [one, other] of [
    ['Jackie Wang', 'Jackie Wong'],
    ['J. Wang', 'Jackie Wang'],
    ['Jackie', 'Jackie Wang'],
    ['Class of 1994', 'Class of 1995'],
  ] as const)
    it(`does not take “${one}” and “${other}” for the same`, () => {
      const { value, isSame } = likeness(one, other)
      expect(isSame).to.equal(false)
      expect(value).to.be.within(0.4, 0.96)
    })

  it('is less for names with other numbers than for a wrong letter', () => {
    expect(likeness('Class of 1994', 'Class of 1995').value).to.be.below(
      likeness('Class of 1994', 'Clas of 1994').value,
    )
  })
})
