import { expect } from 'chai'

import { DiskFailedError, DiskFullError } from '../../src/store/errors.js'
import type { KeyValueWrite, KeyValueStore } from '../../src/store/key-value/key-value-store.js'
import { monitorWrites } from '../../src/store/key-value/write-monitor.js'

describe('a home that is watched', () => {
  const probe: KeyValueWrite = { key: 'probe', value: '1' }

  /** A home whose next writes end so. */
  function storeOf(endings: (Error | undefined)[]) {
    const written: KeyValueWrite[] = []
    const home = {
      write(entries: readonly KeyValueWrite[]) {
        const ending = endings.shift()
        if (ending) return Promise.reject(ending)
        written.push(...entries)
        return Promise.resolve()
      },
    } as unknown as KeyValueStore
    const told: string[] = []
    const watched = monitorWrites(
      home,
      (outcome) => told.push(outcome),
      () => probe,
    )
    return { watched, told, written }
  }

  it('is full as long as a write that changes nothing finds no space either', async () => {
    const full = new DiskFullError('full')
    const { watched, told, written } = storeOf([undefined, full, full])
    await watched.write([{ key: 'a', value: '1' }])
    expect(await watched.state()).to.equal('written')
    expect(await watched.write([{ key: 'b', value: '1' }]).catch(() => 'refused')).to.equal(
      'refused',
    )
    expect(await watched.state()).to.equal('full')
    // There is space again, and nobody else wrote meanwhile.
    expect(await watched.state()).to.equal('written')
    expect(written.map(({ key }) => key)).to.deep.equal(['a', 'probe'])
    expect(told).to.deep.equal(['written', 'full', 'full', 'written'])
  })

  it('has failed for good once the disk has failed', async () => {
    const { watched } = storeOf([new DiskFailedError('failed'), new DiskFullError('full')])
    await watched.write([probe]).catch(() => undefined)
    await watched.write([probe]).catch(() => undefined)
    expect(await watched.state()).to.equal('failed')
  })
})
