// The copy of the records that a reader keeps: whatever is read, filled and told in whatever order, it has the last state
// of a record or nothing.

import { setImmediate as turn } from 'node:timers/promises'

import { expect } from 'chai'
import fc from 'fast-check'

import { createRecordCopy } from '../../src/store/remote/record-copy.js'
import type { FileCache } from '../../src/lib/file-cache.js'

const keys = ['a', 'b', 'c', 'd']

const anyStep = fc.record({
  what: fc.constantFrom(
    ...['write', 'write', 'remove', 'read', 'add', 'add', 'fill', 'page', 'page', 'wait', 'gap'],
  ),
  key: fc.constantFrom(...keys),
})

describe('the copy of records', () => {
  it('has the last state of a record, or none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
        const stored = new Map(keys.map((key) => [key, `${key} 0`]))
        const copy = createRecordCopy(memoryFile())
        /** Those that are read: an earlier one may go on after a gap. */
        const pages: AsyncIterator<unknown>[] = []
        const delivered: Promise<unknown>[] = []
        let read: { readonly changes: number; readonly records: [string, string][] } | undefined
        let count = 0

        async function* readPages() {
          for (const pageKeys of [keys.slice(0, 2), keys.slice(2)]) {
            const found = pageKeys.flatMap((key): [string, string][] => {
              const nquads = stored.get(key)
              return nquads === undefined ? [] : [[key, nquads]]
            })
            await turn()
            yield found
          }
        }

        for await (const page of copy.fill(readPages)) expect(page).to.have.length(2)
        for (const { what, key } of steps) {
          if (what === 'write' || what === 'remove') {
            const nquads = what === 'write' ? `${key} ${(count += 1)}` : undefined
            if (nquads === undefined) stored.delete(key)
            else stored.set(key, nquads)
            copy.onCommit({ records: [{ key, nquads }] })
          } else if (what === 'read') {
            const nquads = stored.get(key)
            read = { changes: copy.changes(), records: nquads ? [[key, nquads]] : [] }
          } else if (what === 'add') {
            if (read) copy.add(read.records, read.changes)
          } else if (what === 'fill') pages.push(copy.fill(readPages)[Symbol.asyncIterator]())
          // What is written next may be written while a page is read.
          else if (what === 'page')
            delivered.push(Promise.resolve(pages.at(count % 2 ? -1 : 0)?.next()))
          else if (what === 'gap') {
            for (const one of keys) stored.set(one, `${one} ${(count += 1)}`)
            copy.onGap()
          } else await turn()
          expectCurrent()
        }
        await Promise.all(delivered)
        expectCurrent()

        function expectCurrent(): void {
          for (const key of keys) expect(copy.get(key)).to.be.oneOf([undefined, stored.get(key)])
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('has all records once it is filled', async () => {
    const copy = createRecordCopy(memoryFile())
    expect(copy.get('a')).to.equal(undefined)
    // eslint-disable-next-line @typescript-eslint/require-await
    for await (const page of copy.fill(async function* () {
      yield [['a', 'as it was read']] as const
      copy.onCommit({ records: [{ key: 'b', nquads: 'as it was written' }] })
      yield [['b', 'as it was read']] as const
    }))
      expect(page).to.have.length(1)
    expect([copy.get('a'), copy.get('b')]).to.deep.equal(['as it was read', 'as it was written'])
    copy.onGap()
    expect([copy.get('a'), copy.get('b')]).to.deep.equal([undefined, undefined])
  })
})

function memoryFile(): FileCache {
  const texts = new Map<string, string>()
  return {
    get: (key) => texts.get(key),
    set(key, text) {
      if (text === '') texts.delete(key)
      else texts.set(key, text)
    },
    async clear() {
      await turn()
      texts.clear()
      await turn()
    },
    close: () => Promise.resolve(),
  }
}
