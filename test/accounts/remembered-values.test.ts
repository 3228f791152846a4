import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { loadRememberedValues, parseRemembered } from '../../src/accounts/remembered-values.js'
import { DiskFullError } from '../../src/lib/key-value/errors.js'
import { type KeyValueStore, openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'

describe('the values that an account chose last', () => {
  let directory: string
  let store: KeyValueStore

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-remembered-'))
    store = await openKeyValueStore(join(directory, 'store'))
  })
  after(async () => {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  })

  const languages = (values: readonly string[]) => new Map([['language', values]])

  it('outlive a restart, each account with its own', async () => {
    const before = await loadRememberedValues(store)
    await before.remember('one', languages(['en']))
    await before.remember('other', languages(['es', 'ca']))
    await store.close()
    store = await openKeyValueStore(join(directory, 'store'))
    const after = await loadRememberedValues(store)
    expect([...after.of('one')]).to.deep.equal([['language', ['en']]])
    expect([...after.of('other')]).to.deep.equal([['language', ['es', 'ca']]])
    expect([...after.of('nobody')]).to.deep.equal([])
  })

  it('of other fields are kept', async () => {
    const remembered = await loadRememberedValues(store)
    await remembered.remember('one', languages(['fr']))
    await remembered.remember('one', new Map([['repository_id', ['library']]]))
    expect([...remembered.of('one')]).to.deep.equal([
      ['language', ['fr']],
      ['repository_id', ['library']],
    ])
  })

  it('are written only when they change', async () => {
    let writes = 0
    const remembered = await loadRememberedValues({
      entries: (prefix) => store.entries(prefix),
      write(entries) {
        writes += 1
        return store.write(entries)
      },
    })
    for (let times = 0; times < 3; times += 1) await remembered.remember('two', languages(['pl']))
    expect(writes).to.equal(1)
  })

  it('are kept in memory while the disk is full', async () => {
    const remembered = await loadRememberedValues({
      entries: (prefix) => store.entries(prefix),
      write: () => Promise.reject(new DiskFullError('full')),
    })
    await remembered.remember('three', languages(['pt']))
    expect([...remembered.of('three')]).to.deep.equal([['language', ['pt']]])
  })

  for (const text of ['{"language":"en"}', '{"language":[1]}', 'null', 'x'])
    it(`are not read from ${text}`, () => {
      expect(() => parseRemembered(text)).to.throw()
    })
})
