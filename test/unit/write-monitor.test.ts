import { expect } from 'chai'

import { StorageFailed, StorageFull } from '../../src/store/errors.js'
import type { Entry, Home } from '../../src/store/key-value/key-value-store.js'
import { watchHome } from '../../src/store/key-value/write-monitor.js'

describe('a home that is watched', () => {
  const probe: Entry = { key: 'probe', value: '1' }

  /** A home whose next writes end so. */
  function homeOf(endings: (Error | undefined)[]) {
    const written: Entry[] = []
    const home = {
      write(entries: readonly Entry[]) {
        const ending = endings.shift()
        if (ending) return Promise.reject(ending)
        written.push(...entries)
        return Promise.resolve()
      },
    } as unknown as Home
    const told: string[] = []
    const watched = watchHome(
      home,
      (outcome) => told.push(outcome),
      () => probe,
    )
    return { watched, told, written }
  }

  it('is full as long as a write that changes nothing finds no space either', async () => {
    const full = new StorageFull('full')
    const { watched, told, written } = homeOf([undefined, full, full])
    await watched.write([{ key: 'a', value: '1' }])
    expect(await watched.state()).to.equal('kept')
    expect(await watched.write([{ key: 'b', value: '1' }]).catch(() => 'refused')).to.equal(
      'refused',
    )
    expect(await watched.state()).to.equal('full')
    // There is space again, and nobody else wrote meanwhile.
    expect(await watched.state()).to.equal('kept')
    expect(written.map(({ key }) => key)).to.deep.equal(['a', 'probe'])
    expect(told).to.deep.equal(['kept', 'full', 'full', 'kept'])
  })

  it('has failed for good once the disk has failed', async () => {
    const { watched } = homeOf([new StorageFailed('failed'), new StorageFull('full')])
    await watched.write([probe]).catch(() => undefined)
    await watched.write([probe]).catch(() => undefined)
    expect(await watched.state()).to.equal('failed')
  })
})
