// Who is told of a commit, and in which order.

import { expect } from 'chai'

import { createRevisionOf } from '../../src/catalogue/revision.js'
import { createCommitListeners } from '../../src/store/commit-listeners.js'
import { memoryHome, openRecords } from '../store/memory-store.js'

const commit = { records: [{ key: 'zines/a', nquads: undefined }] }

describe('those who are told of a commit', () => {
  it('are told in the order of the list, each when the one before is done, whoever came first', async () => {
    const listeners = createCommitListeners()
    const told: string[] = []
    for (const place of ['change feed', 'revision again', 'record index', 'revision'] as const)
      listeners.add(place, {
        async onCommit() {
          told.push(`${place} begins`)
          await new Promise((resolve) => setImmediate(resolve))
          told.push(`${place} ends`)
        },
      })
    await listeners.tell(commit)
    const order = ['revision', 'record index', 'revision again', 'change feed']
    expect(told).to.deep.equal(order.flatMap((place) => [`${place} begins`, `${place} ends`]))
  })

  it('are told in one turn where none of them has to wait', () => {
    const listeners = createCommitListeners()
    const told: string[] = []
    listeners.add('record index', { onCommit: () => void told.push('record index') })
    listeners.add('revision', { onCommit: () => void told.push('revision') })
    void listeners.tell(commit)
    expect(told).to.deep.equal(['revision', 'record index'])
  })

  it('are told no more when they have ended it, nor of gaps', async () => {
    const listeners = createCommitListeners()
    const told: string[] = []
    const stop = listeners.add('record index', {
      onCommit: () => void told.push('commit'),
      onGap: () => void told.push('gap'),
    })
    await listeners.tell(commit)
    listeners.tellOfGap()
    stop()
    await listeners.tell(commit)
    listeners.tellOfGap()
    expect(told).to.deep.equal(['commit', 'gap'])
  })

  it('make all outdated that was made while they were told', async () => {
    const { store } = await openRecords(memoryHome())
    const revision = createRevisionOf(store, false)
    const readAt: number[] = [revision.current()]
    store.listeners.add('record names', {
      async onCommit() {
        await new Promise((resolve) => setImmediate(resolve))
        readAt.push(revision.current())
        expect(revision.isCurrent(revision.current(), ['zines/a'])).to.equal(true)
      },
    })
    await store.commit([{ key: 'zines/a', quads: [] }])
    expect(readAt).to.have.length(2)
    for (const number of readAt)
      expect(revision.isCurrent(number, ['zines/a']), String(number)).to.equal(false)
  })
})
