// Tests that what belongs together is read again when a part of it was written meanwhile.

import { expect } from 'chai'

import { createRevision, readTogether } from '../../src/catalogue/revision.js'

describe('reading together', () => {
  /** Reads, while these records are written, one in each read. @returns how often it read */
  async function readsWhile(...written: readonly string[]): Promise<number> {
    const revision = createRevision()
    let reads = 0
    await readTogether(revision, ['holdings/h'], () => {
      const key = written[reads]
      if (key !== undefined) revision.onWrite([key])
      reads += 1
      return Promise.resolve()
    })
    return reads
  }

  it('reads once when nothing is written', async () => {
    expect(await readsWhile()).to.equal(1)
  })

  it('reads once when another record is written', async () => {
    expect(await readsWhile('holdings/other')).to.equal(1)
  })

  it('reads again when one of the records is written', async () => {
    expect(await readsWhile('holdings/h')).to.equal(2)
  })

  it('gives the last of three results when they are written again and again', async () => {
    expect(await readsWhile('holdings/h', 'holdings/h', 'holdings/h', 'holdings/h')).to.equal(3)
  })

  it('says at which revision each read began', async () => {
    const revision = createRevision()
    const began: number[] = []
    await readTogether(revision, ['holdings/h'], (readAt) => {
      began.push(readAt)
      if (began.length === 1) revision.onWrite(['holdings/h'])
      return Promise.resolve()
    })
    expect(began).to.deep.equal([0, 1])
  })
})
