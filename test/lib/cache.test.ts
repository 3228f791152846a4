import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect } from 'chai'
import fc from 'fast-check'

import { createCache } from '../../src/lib/cache.js'

const keys = ['a', 'b', 'c', 'd', 'e', 'f'] as const

const anySteps = fc.array(
  fc.record({
    how: fc.constantFrom('set', 'set', 'get', 'delete'),
    key: fc.constantFrom(...keys),
    weight: fc.integer({ min: 0, max: 6 }),
  }),
  { maxLength: 60 },
)

describe('a cache', () => {
  it('has the item that was set last for a key, and stays within its weight', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const maxWeight = 20
        const cache = createCache<{ weight: number }>(maxWeight, ({ weight }) => weight)
        const last = new Map<string, { weight: number }>()
        let heaviest = 0
        for (const { how, key, weight } of steps) {
          if (how === 'get') cache.get(key)
          else if (how === 'delete') {
            cache.delete(key)
            last.delete(key)
          } else {
            const item = { weight }
            cache.set(key, item)
            last.set(key, item)
            heaviest = Math.max(heaviest, weight + key.length)
          }
          const found = keys.flatMap((one) => {
            const item = cache.get(one)
            if (item) expect(item).to.equal(last.get(one))
            return item ? [item.weight + one.length] : []
          })
          const sum = found.reduce((all, one) => all + one, 0)
          expect(sum).to.be.at.most(maxWeight + 2 * heaviest)
        }
      }),
    )
  })

  it('drops an item that is no longer current', () => {
    let isCurrent = true
    const cache = createCache<string>(100, ({ length }) => length)
    cache.set('key', 'item', () => isCurrent)
    expect(cache.get('key')).to.equal('item')
    isCurrent = false
    expect(cache.get('key')).to.equal(undefined)
    isCurrent = true
    expect(cache.get('key')).to.equal(undefined)
  })

  it('keeps an item that is used, whatever else is added', () => {
    const cache = createCache<string>(100, ({ length }) => length)
    cache.set('used', 'x')
    cache.set('unused', 'x')
    for (let number = 0; number < 1000; number += 1) {
      cache.set(`other ${number}`, 'y')
      expect(cache.get('used')).to.equal('x')
    }
    expect(cache.get('unused')).to.equal(undefined)
  })

  it('drops within ten minutes what is not used', () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const cache = createCache<string>(1000, ({ length }) => length)
      const pass = (minutes: number, meanwhile: () => void): void => {
        for (let minute = 0; minute < minutes; minute += 1) {
          mock.timers.tick(60_000)
          meanwhile()
        }
      }
      cache.set('used', 'x')
      cache.set('unused', 'x')
      pass(10, () => expect(cache.get('used')).to.equal('x'))
      expect(cache.get('unused')).to.equal(undefined)
      pass(10, () => undefined)
      expect(cache.get('used')).to.equal(undefined)
      // The cache was empty meanwhile.
      cache.set('later', 'x')
      pass(10, () => undefined)
      expect(cache.get('later')).to.equal(undefined)
    } finally {
      mock.timers.reset()
    }
  })

  it('is not kept by its timer when nobody uses it any more', async () => {
    const item = new WeakRef(itemOfUnusedCache())
    await nextTurn()
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    collectGarbage()
    expect(item.deref()).to.equal(undefined)
  })
})

function itemOfUnusedCache(): object {
  const item = { weight: 1 }
  createCache<{ weight: number }>(100, ({ weight }) => weight).set('key', item)
  return item
}
