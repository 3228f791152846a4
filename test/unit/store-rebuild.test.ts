// A store in memory that is worn out: another is filled in its place, while it is asked and written to.

import { setImmediate } from 'node:timers/promises'

import { expect } from 'chai'
import fc from 'fast-check'

import { openInMemoryStore } from '../../src/store/embedded/rebuildable-store.js'
import type { StoreCommit } from '../../src/store/store.js'

const quadOf = (value: number): string => `<x:s${value % 3}> <x:p> "${value}" <x:g> .\n`

/** A store over what is kept elsewhere, of which it is given a piece at a time, as it is then. */
function openWorn(most: number, failing = { is: false }) {
  const kept = new Set<string>()
  const failures: unknown[] = []
  let fillings = 0
  async function* everything() {
    fillings += 1
    const some = [...kept]
    for (let start = 0; start < some.length; start += 2) {
      await setImmediate()
      if (failing.is) throw new Error('the disk')
      // What is kept by now, as a page of a later look would show it.
      const piece = some.slice(start, start + 2).filter((quad) => kept.has(quad))
      yield piece.join('')
    }
  }
  const memory = openInMemoryStore(everything, {
    size: () => kept.size,
    garbageLimit: () => most,
    onError: (error) => failures.push(error),
  })
  return {
    memory,
    kept,
    failures,
    fillings: () => fillings,
    write({
      removed,
      added,
    }: {
      readonly removed: readonly number[]
      readonly added: readonly number[]
    }) {
      const gone = removed.map(quadOf).filter((quad) => kept.delete(quad))
      const come = added.map(quadOf).filter((quad) => !kept.has(quad))
      for (const quad of come) kept.add(quad)
      const commit: StoreCommit = { removed: gone.join(''), added: come.join('') }
      memory.apply(commit)
    },
    holds: () =>
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

describe('a store in memory that is worn out', () => {
  it('holds what it would hold if it were not', async () => {
    let fillings = 0
    await fc.assert(
      fc.asyncProperty(anyWrites, async (writes) => {
        const worn = openWorn(5)
        for (const { isAwaited, ...write } of writes) {
          worn.write(write)
          expect(worn.holds()).to.have.members([...worn.kept])
          if (isAwaited) await setImmediate()
        }
        for (let turn = 0; turn < 10; turn += 1) await setImmediate()
        expect(worn.holds()).to.have.members([...worn.kept])
        fillings += worn.fillings()
        await worn.memory.close()
      }),
      { numRuns: 60 },
    )
    expect(fillings).to.be.above(10)
  })

  it('goes on when it cannot be filled, and is filled later', async () => {
    const failing = { is: true }
    const worn = openWorn(3, failing)
    const wear = async (): Promise<void> => {
      worn.write({ removed: [], added: [1, 2, 3, 4, 5] })
      worn.write({ removed: [1, 2, 3, 4], added: [] })
      for (let turn = 0; turn < 10; turn += 1) await setImmediate()
      expect(worn.holds()).to.deep.equal([quadOf(5)])
    }
    await wear()
    expect([worn.fillings(), worn.failures.length]).to.deep.equal([1, 1])
    failing.is = false
    await wear()
    expect([worn.fillings(), worn.failures.length]).to.deep.equal([2, 1])
    await worn.memory.close()
  })

  it('is not waited for when it is closed', async () => {
    const worn = openWorn(3)
    worn.write({ removed: [], added: [1, 2, 3, 4, 5, 6, 7, 8, 9] })
    worn.write({ removed: [1, 2, 3, 4], added: [] })
    await worn.memory.close()
    expect(worn.holds()).to.have.members([5, 6, 7, 8, 9].map(quadOf))
  })
})
