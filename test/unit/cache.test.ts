import { expect } from 'chai'
import fc from 'fast-check'

import { createCache } from '../../src/cache.js'

const keys = ['a', 'b', 'c', 'd', 'e', 'f'] as const

const anySteps = fc.array(
  fc.record({
    how: fc.constantFrom('keep', 'keep', 'get', 'drop'),
    key: fc.constantFrom(...keys),
    weight: fc.integer({ min: 0, max: 6 }),
  }),
  { maxLength: 60 },
)

describe('what is kept', () => {
  it('is what was kept last under its key, and no more than there is room for', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const room = 20
        const kept = createCache<{ weight: number }>(room, ({ weight }) => weight)
        const last = new Map<string, { weight: number }>()
        let heaviest = 0
        for (const { how, key, weight } of steps) {
          if (how === 'get') kept.get(key)
          else if (how === 'drop') {
            kept.delete(key)
            last.delete(key)
          } else {
            const item = { weight }
            kept.set(key, item)
            last.set(key, item)
            heaviest = Math.max(heaviest, weight + key.length)
          }
          const found = keys.flatMap((one) => {
            const item = kept.get(one)
            if (item) expect(item).to.equal(last.get(one))
            return item ? [item.weight + one.length] : []
          })
          const sum = found.reduce((all, one) => all + one, 0)
          expect(sum).to.be.at.most(room + 2 * heaviest)
        }
      }),
    )
  })

  it('stays as long as it is asked for, whatever else comes', () => {
    const kept = createCache<string>(100, ({ length }) => length)
    kept.set('asked for', 'x')
    kept.set('forgotten', 'x')
    for (let number = 0; number < 1000; number += 1) {
      kept.set(`other ${number}`, 'y')
      expect(kept.get('asked for')).to.equal('x')
    }
    expect(kept.get('forgotten')).to.equal(undefined)
  })
})
