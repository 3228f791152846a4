// The key-value store where no request can show it: what it does within one turn of the event loop, and with any key.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'
import { ClassicLevel } from 'classic-level'
import fc from 'fast-check'

import { DiskFailedError, DiskFullError } from '../../../src/lib/key-value/errors.js'
import {
  type Entry,
  type KeyValueStore,
  SnapshotEndedError,
  openKeyValueStore,
} from '../../../src/lib/key-value/key-value-store.js'
import { placesOf } from '../../data-directory.js'
import { anyIdentifier } from '../../identifiers.js'
import { failureOf } from '../../error-of.js'

/** Reads the first entry. */
async function begin(entries: AsyncIterable<Entry>): Promise<AsyncIterator<Entry>> {
  const iterator = entries[Symbol.asyncIterator]()
  await iterator.next()
  return iterator
}

async function restOf(iterator: AsyncIterator<Entry>): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let item = await iterator.next(); !item.done; item = await iterator.next())
    entries.push(item.value)
  return entries
}

describe('the key-value store', () => {
  let directory: string
  let home: KeyValueStore
  let broken: DiskFailedError[]
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    broken = []
    home = await openKeyValueStore(directory, (failure) => broken.push(failure))
  })
  afterEach(async () => {
    await home.close()
    await rm(directory, { recursive: true, force: true })
  })

  // Whoever wrote again before anything else happened once waited for ever.
  it('accepts a write right after the last one was reported as written', async () => {
    for (const value of ['one', 'two', 'three']) await home.write([{ key: 'key', value }])
    expect(await home.get('key')).to.equal('three')
  })

  describe('has nothing of a former value on the disk after it was compacted', () => {
    const secret = 'Ada Lovelace'
    const found = (): Promise<string[]> => placesOf(directory, secret)
    const write = (value: string | undefined): Promise<void> => home.write([{ key: 'b', value }])

    beforeEach(async () => {
      await home.write(['a', 'c'].map((key) => ({ key, value: 'other' })))
      await write(secret)
    })

    /** What reads while the value is written over, and what it says of it afterwards. */
    const readers: Readonly<Record<string, () => AsyncIterable<Entry>>> = {
      entries: () => home.entries(''),
      'a snapshot': () => home.snapshot(),
    }
    for (const [name, read] of Object.entries(readers))
      for (const isInTable of [false, true])
        for (const opens of ['before', 'after'])
          it(`whose ${isInTable ? 'table' : 'log'} ${name} opened ${opens} it was written over still read`, async () => {
            if (isInTable) await home.compact()
            const before = opens === 'before' ? await begin(read()) : undefined
            await write('x')
            const reading = before ?? (await begin(read()))
            expect(await found()).not.to.deep.equal([])
            await home.compact()
            expect(await found()).to.deep.equal([])
            await reading.return?.()
          })

    it('and entries that were being read go on as they are then', async () => {
      const reading = await begin(home.entries(''))
      await write('x')
      await home.write([{ key: 'c', value: undefined }])
      await home.compact()
      expect(await restOf(reading)).to.deep.equal([['b', 'x']])
    })

    it('and a snapshot that was being read ends', async () => {
      const reading = await begin(home.snapshot())
      await write('x')
      await home.compact()
      expect(await failureOf(restOf(reading))).to.be.instanceOf(SnapshotEndedError)
    })

    it('that was deleted', async () => {
      await home.compact()
      const reading = await begin(home.entries(''))
      await write(undefined)
      await home.compact()
      expect(await found()).to.deep.equal([])
      expect(await restOf(reading)).to.deep.equal([['c', 'other']])
    })

    // LevelDB leaves the lowest tables as they are, unless what is merged into them has a key between theirs.
    it('of which a large store had two versions, since somebody read when its tables were merged', async () => {
      await home.close()
      const level = new ClassicLevel(directory)
      for (let number = 0; number < 40; number += 1)
        await level.put(`a${number}`, randomBytes(700_000).toString('base64'))
      const reading = level.iterator()
      await level.put('b', 'x')
      await level.compactRange('a', 'd')
      await reading.close()
      await level.close()
      home = await openKeyValueStore(directory)
      expect(await found()).not.to.deep.equal([])

      await home.write([{ key: 'e', value: 'other' }])
      await home.compact()
      expect(await found()).to.deep.equal([])
      expect(await home.get('b')).to.equal('x')
    })

    it('while others read and write', async () => {
      let isDone = false
      const others = Array.from({ length: 4 }, async (_, number) => {
        while (!isDone) {
          await home.write([{ key: `d${number}`, value: randomBytes(20_000).toString('hex') }])
          const reading = await begin(home.entries(''))
          await home.getMany(['a', 'b', 'c'])
          await reading.return?.()
        }
      })
      try {
        for (let round = 0; round < 5; round += 1) {
          await write(secret)
          await write('x')
          await home.compact()
          expect(await found()).to.deep.equal([])
        }
      } finally {
        isDone = true
        await Promise.all(others)
      }
    })
  })

  // Of 400 keys of a letter and `日` 1 to 400 times, `getSync` of classic-level 3.0.0 reads 379 as absent.
  it('reads each key as it was written, after keys of any other length', async () => {
    const keys = Array.from({ length: 400 }, (_, count) => `k${'日'.repeat(count + 1)}`)
    await home.write(keys.map((key) => ({ key, value: `of ${key}` })))
    for (const key of keys) expect(home.getNow(key)).to.equal(`of ${key}`)
  })

  it('does with keys of characters of every plane what a map does', async () => {
    let next = 0
    const prefixes = ['record/zines/', 'record/agents/'] as const
    const anyKey = fc
      .tuple(fc.constantFrom(...prefixes), anyIdentifier)
      .map(([prefix, id]) => prefix + id)
    const anyWrite = fc.array(fc.tuple(anyKey, fc.boolean()), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(anyWrite, { maxLength: 4 }), anyKey, async (writes, after) => {
        const map = new Map<string, string>()
        for await (const [key] of home.entries('')) await home.write([{ key, value: undefined }])
        for (const write of writes) {
          const entries = write.map(([key, isPut]) => ({
            key,
            value: isPut ? String((next += 1)) : undefined,
          }))
          await home.write(entries)
          for (const { key, value } of entries)
            if (value === undefined) map.delete(key)
            else map.set(key, value)
        }
        const keys = [after, ...writes.flat().map(([key]) => key)]
        const expected = keys.map((key) => map.get(key))
        expect(keys.map((key) => home.getNow(key))).to.deep.equal(expected)
        expect(await home.getMany(keys)).to.deep.equal(expected)
        expect(await Promise.all(keys.map((key) => home.get(key)))).to.deep.equal(expected)
        const sorted = [...map].sort(([one], [other]) =>
          Buffer.compare(Buffer.from(one), Buffer.from(other)),
        )
        expect(await allOf(home.entries(''))).to.deep.equal(sorted)
        for (const prefix of prefixes) {
          const own = sorted.filter(([key]) => key.startsWith(prefix))
          expect(await allOf(home.entries(prefix))).to.deep.equal(own)
          expect(await home.lastKey(prefix)).to.equal(own.at(-1)?.[0])
          if (!after.startsWith(prefix)) continue
          const later = own.filter(
            ([key]) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0,
          )
          expect(await allOf(home.entries(prefix, after))).to.deep.equal(later)
        }
        if (next % 10 === 0) await home.compact()
      }),
      { numRuns: 100 },
    )
  })

  // A disk that is really full is in test/faults/full-disk.test.ts; here it is so at one moment alone.
  describe('after a full disk', () => {
    const put = (key: string): Promise<void> => home.write([{ key, value: `of ${key}` }])

    const taken = async (): Promise<string[]> => {
      const keys = []
      for await (const [key] of home.entries('')) keys.push(key)
      return keys
    }

    /** LevelDB finds no space the next time that it is asked for this, and that time alone. */
    function fillFor(call: 'batch' | 'open'): void {
      // Both are inherited, so what stands before them is all that is to be removed.
      Object.assign(ClassicLevel.prototype, {
        [call]() {
          Reflect.deleteProperty(ClassicLevel.prototype, call)
          return Promise.reject(new Error('IO error: 000003.log: No space left on device'))
        },
      })
    }

    beforeEach(async () => {
      await put('before')
      fillFor('batch')
      expect(await failureOf(put('refused'))).to.be.instanceOf(DiskFullError)
    })

    it('is reopened by the next write, and has what was written', async () => {
      await put('after')
      expect(await taken()).to.deep.equal(['after', 'before'])
      expect(broken).to.be.empty
    })

    it('can be read as before until then', async () => {
      expect(await home.get('before')).to.equal('of before')
      expect(await taken()).to.deep.equal(['before'])
    })

    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      'the next reading': () => home.get('before'),
      'the next walk through its entries': () => taken(),
      'the next write': () => put('next'),
      'all of them at once': () => Promise.all([home.get('before'), put('next'), taken()]),
    }
    for (const [who, ask] of Object.entries(ways))
      it(`that leaves no space to open it, is opened by ${who}`, async () => {
        fillFor('open')
        expect(await failureOf(put('refused again'))).to.be.instanceOf(DiskFullError)
        await ask()
        await put('after')
        const keys = (await taken()).filter((key) => key !== 'next')
        expect(keys).to.deep.equal(['after', 'before'])
        expect(broken).to.be.empty
      })

    it('fails every request as long as there is no space to open it', async () => {
      fillFor('open')
      await failureOf(put('refused again'))
      for (const ask of Object.values(ways)) {
        fillFor('open')
        expect(await failureOf(ask())).to.be.instanceOf(DiskFullError)
      }
      expect(await home.get('before')).to.equal('of before')
    })

    it('fails for good when it cannot be opened for any other reason', async () => {
      await writeFile(join(directory, 'CURRENT'), 'MANIFEST-999999\n')
      const failure = await failureOf(put('after'))
      expect(failure).to.be.instanceOf(DiskFailedError)
      for (const ask of Object.values(ways))
        expect(await failureOf(ask())).to.be.instanceOf(DiskFailedError)
      expect(broken).to.deep.equal([failure])
    })
  })
})

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
