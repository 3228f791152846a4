import { expect } from 'chai'

import { collectGarbageSoon, machineMemory } from '../../src/lib/memory.js'

/** Lives as long as it is to tell of. */
let collected: FinalizationRegistry<undefined>

describe('the memory of the process', () => {
  it('is that of the machine at most', () => {
    expect(machineMemory).to.be.within(2 ** 20, 2 ** 50)
  })

  it('is given back when it is asked for, without a warning', async () => {
    const warnings: string[] = []
    const onWarning = ({ message }: Error): void => void warnings.push(message)
    process.on('warning', onWarning)
    try {
      await new Promise<void>((resolve) => {
        collected = new FinalizationRegistry(() => resolve())
        collected.register({ unused: true }, undefined)
        collectGarbageSoon()
      })
      expect(warnings).to.deep.equal([])
    } finally {
      process.off('warning', onWarning)
    }
  })
})
