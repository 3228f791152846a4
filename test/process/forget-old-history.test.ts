// Tests that what an import kept is forgotten together with the history of what it wrote (HISTORY_KEEP).

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { NotFoundError } from '../../src/errors.js'
import { type Backend, openBackend } from '../../src/app/backend.js'
import { forgetHistoryBefore } from '../../src/app/forget-old-history.js'
import { readConfig } from '../../src/config.js'
import { agent } from '../examples.js'
import { BASE_URL } from '../service.js'
import { storeFor } from '../stores.js'

const bodyOf = (values: object) => new Map<string, unknown>(Object.entries(values))

/** A time after all writes of a test. */
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString()

describe('history that is forgotten', () => {
  let dataDir: string
  let backend: Backend

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-keep-'))
    const store = await storeFor(dataDir)
    backend = await openBackend(readConfig({ BASE_URL, DATA_DIR: dataDir, ...store }))
  })
  afterEach(async () => {
    await backend.close()
    await rm(dataDir, { recursive: true })
  })

  const request = { account: 'robin', mayWrite: () => true }

  /** An import of a zine, written unless it is left open. @returns its identifier */
  async function importOf(zine: string, isWritten = true): Promise<string> {
    const { imports } = backend
    const text = `Title,Made by\n${zine},Secret Name\n`
    const { id } = await imports.create({
      name: 'zines.csv',
      bytes: Readable.from([Buffer.from(text)]),
      account: request.account,
    })
    await imports.settled(id, 10_000)
    const decisions = {
      identifiers: { zines: `${zine}-{row}`, holdings: `${zine}-{row}`, agents: `${zine}-` },
      defaults: {
        zines: { genre: ['zine'], language: ['en'], rights: [], subject: ['zines'], date: null },
      },
    }
    await imports.change(id, bodyOf(decisions))
    await imports.settled(id, 10_000)
    if (!isWritten) return id
    await imports.preview(id, request)
    await imports.settled(id, 10_000)
    await imports.commit(id, request)
    await imports.settled(id, 10_000)
    expect(await imports.get(id)).to.include({ state: 'written' })
    return id
  }

  const stateOf = (id: string): Promise<unknown> =>
    backend.imports.get(id).then(
      ({ state }) => state,
      (error: unknown) => error,
    )

  it('takes along the imports that wrote it, and leaves their records', async () => {
    const id = await importOf('forgotten')
    const record = 'zines/forgotten-1'
    expect(await backend.imports.rowOf(id, record)).to.have.property('number')
    // The last change of the log is never forgotten.
    await backend.catalogue.create('agents', bodyOf(agent('later')))
    await forgetHistoryBefore(backend, tomorrow())
    expect(await stateOf(id)).to.be.instanceOf(NotFoundError)
    expect(await readdir(join(dataDir, 'imports'))).to.deep.equal([])
    expect(await backend.imports.rowOf(id, record)).to.equal(undefined)
    expect(await backend.catalogue.exists('zines', 'forgotten-1')).to.equal(true)
  })

  it('leaves an import that can be taken back', async () => {
    const earlier = new Date(Date.now() - 86_400_000).toISOString()
    const id = await importOf('recent')
    await forgetHistoryBefore(backend, earlier)
    expect(await stateOf(id)).to.equal('written')
  })

  it('leaves an import that is not written yet', async () => {
    const id = await importOf('open', false)
    await backend.catalogue.create('agents', bodyOf(agent('later')))
    await forgetHistoryBefore(backend, tomorrow())
    expect(await stateOf(id)).to.equal('open')
    expect(await readdir(join(dataDir, 'imports'))).to.deep.equal([id])
  })
})
