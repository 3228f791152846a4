import { expect } from 'chai'

import { createRevision, createSharedRevision } from '../../src/catalogue/revision.js'

describe('a revision', () => {
  it('is current for the records that no later commit wrote', () => {
    const revision = createRevision()
    revision.onCommit(['zines/a'])
    const before = revision.current()
    revision.onCommit(['zines/b', 'agents/c'])
    expect(revision.isCurrent(before, ['zines/a', 'zines/d'])).to.equal(true)
    expect(revision.isCurrent(before, ['zines/a', 'agents/c'])).to.equal(false)
  })

  it('is current as a whole until the next commit', () => {
    const revision = createRevision()
    const before = revision.current()
    expect(revision.isCurrent(before)).to.equal(true)
    revision.onCommit(['zines/a'])
    expect(revision.isCurrent(before)).to.equal(false)
    expect(revision.isCurrent(revision.current())).to.equal(true)
  })

  it('is never current for a record of which it no longer knows when it was written', () => {
    const revision = createRevision()
    const before = revision.current()
    revision.onCommit(Array.from({ length: 200_001 }, (_, index) => `zines/${index}`))
    const between = revision.current()
    revision.onCommit(['zines/a'])
    expect(revision.isCurrent(before, ['zines/0'])).to.equal(false)
    expect(revision.isCurrent(between, ['agents/x'])).to.equal(false)
    expect(revision.isCurrent(revision.current(), ['zines/0', 'zines/a'])).to.equal(true)
  })

  it('of a store that others write too is never current', () => {
    const revision = createSharedRevision()
    expect(revision.isCurrent(revision.current(), [])).to.equal(false)
    expect(revision.isCurrent(revision.current())).to.equal(false)
  })
})
