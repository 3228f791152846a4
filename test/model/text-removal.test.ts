// What counts as the same text when it is removed for good.

import { expect } from 'chai'

import { createTextRemoval } from '../../src/model/text-removal.js'

// prettier-ignore
const cases: readonly (readonly [removed: string, text: string, left: string])[] = [
  ['Zoë Day',    'by Zoë Day, 1990',                  'by , 1990'],
  ['Zoë Day',    'by Zoe\u0308 Day, 1990',            'by , 1990'],
  ['Zoe\u0308 Day', 'by Zoë Day and Zoë Day',         'by and'],
  ['Zoë Day',    'by Zoë\n  Day',                     'by'],
  ['Zoë "Z" Day', JSON.stringify({ a: 'Zoë "Z"\nDay' }), '{"a":""}'],
  ['a.c (x)',    'abc x, a.c (x)',                    'abc x,'],
  ['Zoë Day',    'Zoë  Days. Zoë\u00a0Day',           's.'],
  ['雑誌',       'ミニコミ雑誌',                       'ミニコミ'],
]

describe('a text that is removed', () => {
  for (const [removed, text, left] of cases)
    it(`leaves ${JSON.stringify(left)} of ${JSON.stringify(text)}`, () => {
      const removal = createTextRemoval(removed)
      expect(removal.isIn(text)).to.equal(true)
      expect(removal.removeFrom(text)).to.equal(left)
    })

  it('may be as long as a whole biography', () => {
    const words = Array.from({ length: 20_000 }, (_, number) => `Zoë𝒵${number}`)
    for (const removed of [words.join(' '), words.join('')]) {
      const removal = createTextRemoval(removed)
      const text = removed.normalize('NFD').replace(/ /g, '\n')
      const almost = removed.slice(0, -1)
      expect(removal.isIn(almost)).to.equal(false)
      expect(removal.removeFrom(`One, ${almost}… ${text}, two`)).to.equal(`One, ${almost}… , two`)
    }
  })

  it('leaves a text that does not have it as it is', () => {
    const removal = createTextRemoval('Zoë Day')
    for (const text of [' Zoe  Day ', 'Zoëday', 'Zoe\u0308 Dax', '']) {
      expect(removal.isIn(text)).to.equal(false)
      expect(removal.removeFrom(text)).to.equal(text)
    }
  })
})
