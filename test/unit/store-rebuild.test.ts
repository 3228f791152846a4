// An in-memory store with too much garbage: a new one is filled in its place, while it is read and written.

import { setImmediate } from 'node:timers/promises'

import { expect } from 'chai'
import fc from 'fast-check'

import { openInMemoryStore } from '../../src/store/embedded/rebuildable-store.js'
import type { StoreCommit } from '../../src/store/store.js'

const quadOf = (value: number): string => `<x:s${value % 3}> <x:p> "${value}" <x:g> .\n`

/** A store over what is kept elsewhere, of which it is given a piece at a time, as it is then. */
function openStoreToRebuild(most: number, failing = { is: false }) {
  const stored = new Set<string>()
  const failures: unknown[] = []
  let fills = 0
  async function* allQuads() {
    fills += 1
    const some = [...stored]
    for (let start = 0; start < some.length; start += 2) {
      await setImmediate()
      if (failing.is) throw new Error('the disk')
      // What is kept by now, as a page of a later look would show it.
      const piece = some.slice(start, start + 2).filter((quad) => stored.has(quad))
      yield piece.join('')
    }
  }
  const memory = openInMemoryStore(allQuads, {
    size: () => stored.size,
    garbageLimit: () => most,
    onError: (error) => failures.push(error),
  })
  return {
    memory,
    stored,
    failures,
    fills: () => fills,
    write({
      removed,
      added,
    }: {
      readonly removed: readonly number[]
      readonly added: readonly number[]
    }) {
      const deleted = removed.map(quadOf).filter((quad) => stored.delete(quad))
      const inserted = added.map(quadOf).filter((quad) => !stored.has(quad))
      for (const quad of inserted) stored.add(quad)
      const commit: StoreCommit = { removed: deleted.join(''), added: inserted.join('') }
      memory.apply(commit)
    },
    currentQuads: () =>
      memory
        .query('SELECT ?o WHERE { GRAPH ?g { ?s ?p ?o } }')
        .split('\n')
        .slice(1, -1)
        .map((value) => quadOf(Number(value.replaceAll('"', '')))),
  }
}

const some = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 6 })
const anyWrites = fc.array(fc.record({ removed: some, added: some, isAwaited: fc.boolean() }), {
  maxLength: 40,
})

describe('an in-memory store that is being rebuilt', () => {
  it('has the same quads as without a rebuild', async () => {
    let fills = 0
    await fc.assert(
      fc.asyncProperty(anyWrites, async (writes) => {
        const store = openStoreToRebuild(5)
        for (const { isAwaited, ...write } of writes) {
          store.write(write)
          expect(store.currentQuads()).to.have.members([...store.stored])
          if (isAwaited) await setImmediate()
        }
        for (let turn = 0; turn < 10; turn += 1) await setImmediate()
        expect(store.currentQuads()).to.have.members([...store.stored])
        fills += store.fills()
        await store.memory.close()
      }),
      { numRuns: 60 },
    )
    expect(fills).to.be.above(10)
  })

  it('stays in use when the rebuild fails, and is rebuilt later', async () => {
    const failing = { is: true }
    const store = openStoreToRebuild(3, failing)
    const wear = async (): Promise<void> => {
      store.write({ removed: [], added: [1, 2, 3, 4, 5] })
      store.write({ removed: [1, 2, 3, 4], added: [] })
      for (let turn = 0; turn < 10; turn += 1) await setImmediate()
      expect(store.currentQuads()).to.deep.equal([quadOf(5)])
    }
    await wear()
    expect([store.fills(), store.failures.length]).to.deep.equal([1, 1])
    failing.is = false
    await wear()
    expect([store.fills(), store.failures.length]).to.deep.equal([2, 1])
    await store.memory.close()
  })

  it('can be closed without waiting for the rebuild', async () => {
    const store = openStoreToRebuild(3)
    store.write({ removed: [], added: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
    store.write({ removed: [1, 2, 3, 4], added: [] })
    await store.memory.close()
    expect(store.currentQuads()).to.have.members([5, 6, 7, 8, 9].map(quadOf))
  })
})
