// Imports of other catalogues over HTTP: a harvest that waits for an answer can be ended.

import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'

import { useService } from '../../service.js'

describe('a harvest that waits for the other catalogue', () => {
  const service = useService({ IMPORT_HOSTS: '127.0.0.1' })
  /** The other catalogue, which never answers. */
  let other: Server

  before(async () => {
    other = createServer(() => undefined)
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
  })

  after(async () => {
    other.closeAllConnections()
    other.close()
    await once(other, 'close')
  })

  async function begin(): Promise<string> {
    const { port } = other.address() as AddressInfo // It listens on a port.
    const url = `http://127.0.0.1:${port}/oai`
    const asked = once(other, 'request')
    const { status, body, text } = await service().post('/api/imports/', {
      url,
      metadata_prefix: 'oai_dc',
    })
    expect(status, text).to.be.oneOf([201, 202])
    await asked
    return body.id
  }

  it('is stopped and removed by DELETE', async () => {
    const path = `/api/imports/${await begin()}/`
    const asAdmin = { token: service().tokens.admin }
    expect((await service().get(path, asAdmin)).body.state).to.equal('harvesting')
    expect((await service().delete(path)).status).to.equal(204)
    expect((await service().get(path, asAdmin)).status).to.equal(404)
  })

  it('does not keep the service from ending', async () => {
    await begin()
    // It would wait for the answer, for two minutes.
    await service().close()
  })
})
