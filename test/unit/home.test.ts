// The durable home where no request can show it: what it does within one turn of the event loop.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { type Home, openHome } from '../../src/store/home.js'

describe('the durable home', () => {
  let directory: string
  let home: Home
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    home = await openHome(directory)
  })
  afterEach(async () => {
    await home.close()
    await rm(directory, { recursive: true, force: true })
  })

  // Whoever wrote again before anything else happened once waited for ever.
  it('takes a write from whoever was told just now that the last one is kept', async () => {
    for (const value of ['one', 'two', 'three']) await home.write([{ key: 'key', value }])
    expect(await home.get('key')).to.equal('three')
  })
})
