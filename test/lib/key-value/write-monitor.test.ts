import { expect } from 'chai'

import { DiskFailedError, DiskFullError } from '../../../src/lib/key-value/errors.js'
import type { KeyValueWrite, KeyValueStore } from '../../../src/lib/key-value/key-value-store.js'
import { monitorWrites } from '../../../src/lib/key-value/write-monitor.js'

describe('a monitored key-value store', () => {
  const probe: KeyValueWrite = { key: 'probe', value: '1' }

  /** A home whose next writes end so. */
  function storeOf(endings: (Error | undefined)[]) {
    const written: KeyValueWrite[] = []
    const home = {
      isReadOnly: () => false,
      write(entries: readonly KeyValueWrite[]) {
        const ending = endings.shift()
        if (ending) return Promise.reject(ending)
        written.push(...entries)
        return Promise.resolve()
      },
    } as unknown as KeyValueStore
    const outcomes: string[] = []
    const monitored = monitorWrites(
      home,
      (outcome) => outcomes.push(outcome),
      () => probe,
    )
    return { monitored, outcomes, written }
  }

  it('is full as long as a write that changes nothing finds no space either', async () => {
    const full = new DiskFullError('full')
    const { monitored, outcomes, written } = storeOf([undefined, full, full])
    await monitored.write([{ key: 'a', value: '1' }])
    expect(await monitored.state()).to.equal('written')
    expect(await monitored.write([{ key: 'b', value: '1' }]).catch(() => 'refused')).to.equal(
      'refused',
    )
    expect(await monitored.state()).to.equal('full')
    // There is space again, and nobody else wrote meanwhile.
    expect(await monitored.state()).to.equal('written')
    expect(written.map(({ key }) => key)).to.deep.equal(['a', 'probe'])
    expect(outcomes).to.deep.equal(['written', 'full', 'full', 'written'])
  })

  it('has failed for good once the disk has failed', async () => {
    const { monitored } = storeOf([new DiskFailedError('failed'), new DiskFullError('full')])
    await monitored.write([probe]).catch(() => undefined)
    await monitored.write([probe]).catch(() => undefined)
    expect(await monitored.state()).to.equal('failed')
  })
})
