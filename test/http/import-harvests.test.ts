// Imports of other catalogues over HTTP: a harvest that waits for an answer can be ended.

import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'

import { type TestService, startService } from '../service.js'

describe('a harvest that waits for the other catalogue', () => {
  let other: Server
  /** Resolves when the other catalogue is asked; it never answers. */
  let asked: Promise<void>
  let service: TestService

  beforeEach(async () => {
    asked = new Promise((resolve) => {
      other = createServer(() => resolve())
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    service = await startService({ IMPORT_HOSTS: '127.0.0.1' })
  })

  afterEach(async () => {
    await service.stop()
    other.closeAllConnections()
    await new Promise((resolve) => other.close(resolve))
  })

  async function begin(): Promise<string> {
    const { port } = other.address() as AddressInfo // It listens on a port.
    const url = `http://127.0.0.1:${port}/oai`
    const { status, body, text } = await service.post('/api/imports/', {
      url,
      metadata_prefix: 'oai_dc',
    })
    expect(status, text).to.be.oneOf([201, 202])
    await asked
    return body.id
  }

  it('is stopped and removed by DELETE', async () => {
    const path = `/api/imports/${await begin()}/`
    const asAdmin = { token: service.tokens.admin }
    expect((await service.get(path, asAdmin)).body.state).to.equal('harvesting')
    expect((await service.delete(path)).status).to.equal(204)
    expect((await service.get(path, asAdmin)).status).to.equal(404)
  })

  it('does not keep the service from ending', async () => {
    await begin()
    // It would wait for the answer, for two minutes.
    await service.close()
  })
})
