import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ExpectedError } from '../../src/errors.js'
import { openBackend } from '../../src/app/backend.js'
import { readConfig } from '../../src/config.js'

describe('LIST_INDEX', () => {
  for (const [setting, hasIndex] of [
    ['', true],
    ['on', true],
    ['off', false],
  ] as const)
    it(`${setting || 'unset'} starts the service ${hasIndex ? 'with' : 'without'} an index in memory`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
      const backend = await openBackend(readConfig({ DATA_DIR: dataDir, LIST_INDEX: setting }))
      try {
        expect(backend.recordIndex !== undefined).to.equal(hasIndex)
      } finally {
        await backend.close()
        await rm(dataDir, { recursive: true, force: true })
      }
    })

  it('with any other value stops the start', () => {
    expect(() => readConfig({ LIST_INDEX: 'maybe' })).to.throw(
      ExpectedError,
      'LIST_INDEX is "maybe"; it takes on or off',
    )
  })
})
