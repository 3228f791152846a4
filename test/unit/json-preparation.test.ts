import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { createJsonPreparation } from '../../src/catalogue/records/json-preparation.js'
import { recordKey } from '../../src/catalogue/records/record-cache.js'
import { createRevision } from '../../src/catalogue/revision.js'
import type { KeyedChange } from '../../src/store/key-value/change-log.js'

describe('preparing JSON', () => {
  it('makes that of all records once, and of those that are written', async () => {
    const { preparation, made, write, untilDone } = createPreparation(450)
    preparation.start()
    expect(preparation.isUnderWay()).to.equal(true)
    await untilDone()
    expect(made.splice(0)).to.have.lengthOf(450).and.deep.equal(keysOf(450))
    write(['zines/7', 'agents/new'])
    await untilDone()
    expect(made).to.deep.equal(['zines/7', 'agents/new'])
    await preparation.close()
  })

  it('begins again when what was made is forgotten', async () => {
    const { preparation, made, clear, untilDone } = createPreparation(3)
    preparation.start()
    await untilDone()
    clear()
    await untilDone()
    expect(made).to.deep.equal([...keysOf(3), ...keysOf(3)])
    await preparation.close()
  })

  it('begins again when nothing that was made is known to be current', async () => {
    const { preparation, made, revision, write, untilDone } = createPreparation(3)
    preparation.start()
    await untilDone()
    revision.onCommit(keysOf(200_001))
    revision.onCommit(['zines/1'])
    write(['zines/1'])
    await untilDone()
    expect(made).to.deep.equal([...keysOf(3), ...keysOf(3)])
    await preparation.close()
  })

  it('ends when it is closed', async () => {
    const { preparation, made, write } = createPreparation(100_000)
    preparation.start()
    await preparation.close()
    const count = made.length
    expect(count).to.be.below(100_000)
    write(['zines/1'])
    await sleep(20)
    expect(made).to.have.lengthOf(count)
  })

  it('makes nothing more when the file gave up', async () => {
    const { preparation, made, write, giveUp, untilDone } = createPreparation(100_000)
    preparation.start()
    giveUp()
    await untilDone()
    const count = made.length
    expect(count).to.be.below(100_000)
    write(['zines/1'])
    await sleep(20)
    expect(made).to.have.lengthOf(count)
    await preparation.close()
  })
})

const keysOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `zines/${index + 1}`).sort()

const ignore = (): void => undefined

function createPreparation(count: number) {
  const keys = keysOf(count)
  const made: string[] = []
  const revision = createRevision()
  let onWritten: (changes: readonly KeyedChange[]) => void = ignore
  let clear = ignore
  let isUsable = true
  const preparation = createJsonPreparation({
    revision,
    file: { onCleared: (listener) => (clear = listener), isUsable: () => isUsable },
    changeLog: {
      subscribe(listener) {
        onWritten = listener
        return () => (onWritten = ignore)
      },
    },
    records: {
      async *all(after = '') {
        for (const key of await Promise.resolve(keys)) if (key > after) yield [key, ''] as const
      },
    },
    prepare: (reference) => made.push(recordKey(reference)),
    onError(error) {
      throw error
    },
  })
  return {
    preparation,
    made,
    revision,
    clear: () => {
      clear()
    },
    giveUp: () => (isUsable = false),
    write: (written: readonly string[]) => {
      onWritten(
        written.map((record) => ({ record, at: '', how: 'api', change: 'updated' as const })),
      )
    },
    untilDone: async () => {
      while (preparation.isUnderWay()) await sleep(5)
    },
  }
}
