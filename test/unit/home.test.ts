import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { openHome } from '../../src/store/home.js'

describe('the durable home', () => {
  it('writes what comes the moment after it has written something else', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zine-home-'))
    const home = await openHome(directory)
    await home.write([{ key: 'a', value: '1' }])
    await home.write([{ key: 'b', value: '2' }])
    await home.write([{ key: 'c', value: '3' }])
    expect(await home.get('c')).to.equal('3')
    await home.close()
    await rm(directory, { recursive: true })
  })
})
