import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'
import fc from 'fast-check'

import { type FileCache, openFileCache } from '../../src/lib/file-cache.js'
import { sizeOfNameless, skipWithoutProc, textOfNameless } from '../nameless-file.js'

const anyStep = fc.record({
  how: fc.constantFrom('set', 'set', 'set', 'clear', 'wait'),
  key: fc.constantFrom('a', 'b', 'c', 'zines/ä', ''),
  text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('x'.repeat(100_000))),
})

describe('a cache in a file', () => {
  let directory = ''
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'file-cache-'))))
  after(() => rm(directory, { recursive: true }))

  it('has the text that was set last for a key, or nothing after it was cleared', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 20 }), async (steps) => {
        await withCache({ spareBytes: 10_000_000 }, async (cache) => {
          const last = new Map<string, string>()
          for (const { how, key, text } of steps) {
            if (how === 'clear') {
              await cache.clear()
              last.clear()
            } else if (how === 'wait') await sleep(30)
            else {
              cache.set(key, text)
              last.set(key, text)
            }
            for (const one of ['a', 'b', 'c', 'zines/ä', '', 'never set'])
              expect(cache.get(one) ?? '').to.equal(last.get(one) ?? '')
          }
        })
      }),
      { numRuns: 40 },
    )
  })

  it('has no name, and nothing on the disk after it was cleared', async function () {
    skipWithoutProc(this)
    await withCache({}, async (cache) => {
      cache.set('a', 'x'.repeat(50_000))
      await sleep(60)
      expect(await readdir(directory)).to.deep.equal([])
      expect(await sizeOfNameless(directory)).to.equal(50_000)
      await cache.clear()
      expect(await sizeOfNameless(directory)).to.equal(0)
      cache.set('a', 'y')
      await sleep(60)
      expect(cache.get('a')).to.equal('y')
    })
  })

  it('forgets everything when most of the file belongs to no key', async () => {
    await withCache({ spareBytes: 1000 }, async (cache) => {
      cache.set('b', 'kept')
      while (cache.get('b') === 'kept') {
        cache.set('a', 'x'.repeat(900))
        await sleep(40)
      }
      expect(cache.get('b')).to.equal(undefined)
      cache.set('b', 'again')
      expect(cache.get('b')).to.equal('again')
    })
  })

  it('writes over what was replaced or removed', async function () {
    skipWithoutProc(this)
    await withCache({}, async (cache) => {
      for (const key of ['a', 'b', 'c']) cache.set(key, `old ${key}`)
      await sleep(60)
      cache.set('a', 'new a')
      cache.set('b', '')
      await sleep(60)
      expect(['a', 'b', 'c'].map((key) => cache.get(key))).to.deep.equal([
        'new a',
        undefined,
        'old c',
      ])
      const left = (await textOfNameless(directory)).match(/\w+ \w/g)
      expect(left).to.deep.equal(['old c', 'new a'])
    })
  })

  it('leaves no part of what was replaced behind another text', async function () {
    skipWithoutProc(this)
    await withCache({}, async (cache) => {
      for (const [key, text] of [
        ['a', 'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF'],
        ['b', 'seventeen letters'],
        ['a', ''],
      ] as const) {
        cache.set(key, text)
        await sleep(60)
      }
      expect(await textOfNameless(directory)).not.to.match(/[A-Z]/)
    })
  })

  it('has no text for a key whose new text a slow disk could not take', async () => {
    await withCache({}, async (cache) => {
      cache.set('a', 'old')
      await sleep(60)
      for (let number = 0; number < 10; number += 1) cache.set(`${number}`, 'x'.repeat(1_000_000))
      cache.set('a', 'new')
      expect(cache.get('a')).to.equal(undefined)
      while (cache.get('0') !== undefined && cache.get('9') !== undefined) await sleep(5)
      await sleep(60)
      expect(cache.get('a')).to.equal(undefined)
    })
  })

  it('gives its space back where the disk has less space than it has to leave', async function () {
    skipWithoutProc(this)
    const reasons: unknown[] = []
    const cache = await openFileCache(join(directory, 'cache'), {
      minFreeBytes: Number.MAX_SAFE_INTEGER,
      onError: (reason) => reasons.push(reason),
    })
    cache.set('a', 'x')
    expect(reasons).to.deep.equal([])
    while (reasons.length === 0) await sleep(5)
    expect(reasons.map(String)).to.deep.equal([
      `Error: The disk has less than ${Number.MAX_SAFE_INTEGER} free bytes.`,
    ])
    cache.set('a', 'y')
    expect(cache.get('a')).to.equal(undefined)
    while ((await sizeOfNameless(directory)) !== 0) await sleep(5)
    await cache.close()
  })

  it('takes the place of a file that was left behind', async () => {
    await withCache({}, () => Promise.resolve())
    await withCache({}, (cache) => Promise.resolve(expect(cache.get('a')).to.equal(undefined)))
  })

  async function withCache(
    options: { readonly spareBytes?: number },
    work: (cache: FileCache) => Promise<unknown>,
  ): Promise<void> {
    const errors: unknown[] = []
    const cache = await openFileCache(join(directory, 'cache'), {
      ...options,
      onError: (error) => errors.push(error),
    })
    try {
      await work(cache)
      expect(errors).to.deep.equal([])
    } finally {
      await cache.close()
    }
  }
})
