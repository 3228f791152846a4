import { expect } from 'chai'

import { createScratch } from '../../src/catalogue/search/scratch.js'

describe('the scratch memory of searches', () => {
  it('has arrays beside each other, of any length', () => {
    const scratch = createScratch()
    const lengths = [0, 1, 3, 1000, 400_000, 5]
    const arrays = lengths.flatMap((length) => [
      scratch.int32(length),
      scratch.float32(length),
      scratch.uint8(length),
    ])
    for (const [index, array] of arrays.entries()) array.fill(index + 1)
    for (const [index, array] of arrays.entries()) {
      expect(array).to.have.lengthOf(lengths[Math.floor(index / 3)] ?? -1)
      expect(array.every((value) => value === index + 1)).to.equal(true)
    }
  })

  it('is used again after it was cleared, or goes back to a position', () => {
    const scratch = createScratch()
    const first = scratch.int32(10)
    const position = scratch.position()
    const second = scratch.int32(300_000)
    scratch.backTo(position)
    expect(scratch.int32(300_000).buffer).to.equal(second.buffer)
    scratch.clear()
    expect(scratch.int32(10).buffer).to.equal(first.buffer)
  })

  it('gives back what was too much to keep', () => {
    const scratch = createScratch()
    const large = scratch.uint8(100 * 1024 * 1024)
    scratch.clear()
    expect(scratch.uint8(100 * 1024 * 1024).buffer).not.to.equal(large.buffer)
  })
})
