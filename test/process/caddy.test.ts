// The service behind Caddy, as deploy/Caddyfile has it. Skipped where Caddy is not installed.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { type Served, serve } from '../process.js'
import { until } from '../waiting.js'

describe('the service behind Caddy', () => {
  let directory: string
  let service: Served
  let caddy: ChildProcess | undefined
  let url: string

  before(async function () {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    if (!hasCaddy()) {
      console.log('      skipped: caddy is not installed')
      this.skip()
    }
    url = `http://127.0.0.1:${await freePort()}`
    service = await serve({
      ...{ DATA_DIR: join(directory, 'data'), BASE_URL: url },
      ...{ TRUST_PROXY: 'true', METRICS: 'open', SPARQL_WORKERS: '0' },
    })
    caddy = spawn('caddy', ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'], {
      env: {
        PATH: process.env.PATH ?? '',
        BASE_URL: url,
        UPSTREAM: new URL(service.url).host,
        HOME: directory,
        XDG_DATA_HOME: directory,
        XDG_CONFIG_HOME: directory,
      },
      stdio: 'ignore',
    })
    await until(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  })
  after(async () => {
    if (caddy) {
      caddy.kill()
      await once(caddy, 'close')
      await service.end('SIGTERM')
    }
    await rm(directory, { recursive: true, force: true })
  })

  it('answers under the address of the proxy, and hides the metrics', async () => {
    expect((await fetch(`${service.url}/metrics`)).status).to.equal(200)
    expect((await fetch(`${url}/metrics`)).status).to.equal(404)
    const { next, previous } = await (await fetch(`${url}/api/zines/`)).json()
    expect([next, previous]).to.deep.equal([null, null])
  })

  it('takes no identifier of a request, and no address of a client, from the client', async () => {
    const forged = 'a-forged-identifier'
    const answer = await fetch(`${url}/api/zines/`, {
      headers: { 'x-request-id': forged, 'x-forwarded-for': '192.0.2.1' },
    })
    expect(answer.headers.get('x-request-id'))
      .to.match(/^[\w-]{20,}$/)
      .and.not.equal(forged)
  })
})

function hasCaddy(): boolean {
  try {
    execFileSync('caddy', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
