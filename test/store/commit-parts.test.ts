// Splitting a large commit into parts.

import { expect } from 'chai'
import fc from 'fast-check'

import { partsOf } from '../../src/store/commit-parts.js'
import type { QuadChange } from '../../src/store/commit-listeners.js'

describe('the parts of a commit', () => {
  const line = (text: string): string => `<a:s> <a:p> "${text}" <a:g> .\n`
  const many = (count: number, text: string): QuadChange[] =>
    Array.from({ length: count }, (_, number) => ({
      removed: line(`old ${number} ${text}`),
      added: line(`new ${number} ${text}`),
    }))

  it('of a small one are one', async () => {
    const [first, second] = [line('a'), line('b')]
    const parts = await partsOf([
      { removed: first, added: '' },
      { removed: '', added: second },
    ])
    expect(parts).to.deep.equal([{ removed: first, added: second }])
    expect(await partsOf([])).to.deep.equal([{ removed: '', added: '' }])
  })

  it('of a large one are short, and remove everything before they add anything', async () => {
    const commits = many(3000, 'x'.repeat(100))
    const parts = await partsOf(commits)
    expect(parts.length).to.be.above(10)
    for (const { removed, added } of parts) {
      expect(removed.length + added.length).to.be.below(60_000)
      expect(removed === '' || added === '').to.equal(true)
    }
    const firstAdding = parts.findIndex(({ added }) => added !== '')
    expect(parts.slice(firstAdding).every(({ removed }) => removed === '')).to.equal(true)
  })

  it('have together what the commit has, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(400), fc.string({ maxLength: 300 }), async (count, text) => {
        const commits = many(count, text)
        const parts = await partsOf(commits)
        for (const side of ['removed', 'added'] as const)
          expect(parts.map((part) => part[side]).join('')).to.equal(
            commits.map((commit) => commit[side]).join(''),
          )
      }),
      { numRuns: 20 },
    )
  })
})
