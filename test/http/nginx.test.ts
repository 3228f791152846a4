// Tests the service behind nginx, set as deploy/nginx.conf has it, but without TLS and with the 4 KB for the
// head of an answer that nginx has by itself. One test checks that file with TLS.

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { useCatalogue } from './catalogue.js'

const program = 'nginx'
const runProgram = promisify(execFile)
const host = 'zines.example.org'

describe('behind nginx,', () => {
  const { service, given } = useCatalogue({ TRUST_PROXY: 'true' })
  let proxy: Awaited<ReturnType<typeof startNginx>> | undefined

  before(async function () {
    if (spawnSync(program, ['-v']).error) {
      console.log(`      skipped: ${program} is not installed`)
      this.skip()
    }
    proxy = await startNginx(service().url)
  })
  after(() => proxy?.stop())

  const get = (path: string, accept = '*/*') =>
    fetch(`${proxy?.url ?? ''}${path}`, { headers: { accept }, redirect: 'manual' })

  for (const [description, search] of [
    ['a search of 220 characters', 'x'.repeat(220)],
    ['a search of 25 Japanese characters', 'あ'.repeat(25)],
    ['a search of 600 Japanese characters', 'あ'.repeat(600)],
  ] as const)
    for (const accept of ['application/json', 'text/html', 'text/turtle'])
      it(`${description} is answered as ${accept}`, async () => {
        const query = new URLSearchParams({ search, page_size: '1' })
        const { status, headers } = await get(`/api/zines/?${query.toString()}`, accept)
        expect(status).to.equal(200)
        expect(headers.get('content-type')).to.include(accept)
      })

  it('the middle page of a list with a long search is answered', async () => {
    const title = 'y'.repeat(200)
    await Promise.all([given.zine({ title }), given.zine({ title }), given.zine({ title })])
    const response = await get(`/api/zines/?search=${title}&page_size=1&page=2`)
    expect(response.status).to.equal(200)
    expect(((await response.json()) as { count: number }).count).to.equal(3)
  })

  for (const [description, id] of [
    ['an identifier of 255 characters', 'z'.repeat(255)],
    ['an identifier of 255 Japanese characters', 'あ'.repeat(255)],
    ['an identifier of 200 Japanese characters', 'い'.repeat(200)],
  ] as const) {
    it(`a record with ${description} is answered`, async () => {
      await given.zine({ zine_id: id })
      for (const accept of ['application/json', 'text/html', 'text/turtle']) {
        const { status } = await get(`/api/zines/${encodeURIComponent(id)}/`, accept)
        expect(status, accept).to.equal(200)
      }
    })

    it(`the IRI of a thing with ${description} leads to its record`, async () => {
      const { status, headers } = await get(`/id/zines/${encodeURIComponent(id)}`)
      expect([status, headers.get('location')]).to.deep.equal([
        303,
        `${proxy?.url ?? ''}/api/zines/${encodeURIComponent(id)}/`,
      ])
    })
  }

  it('leads requests without TLS to the same address with it', async () => {
    const { status, headers } = await fetch(`${proxy?.plainUrl ?? ''}/api/zines/?page=2`, {
      redirect: 'manual',
    })
    expect([status, headers.get('location')]).to.deep.equal([
      308,
      'https://127.0.0.1/api/zines/?page=2',
    ])
  })

  it('hides the metrics, and takes no identifier of a request from the client', async () => {
    expect((await get('/metrics')).status).to.equal(404)
    const forged = 'a-forged-identifier'
    const { headers } = await fetch(`${proxy?.url ?? ''}/api/zines/`, {
      headers: { 'x-request-id': forged },
    })
    expect(headers.get('x-request-id')).to.match(/^[\w-]{20,}$/)
    expect(headers.get('x-request-id')).not.to.equal(forged)
  })

  it('sends the file of an import on while it arrives, without a limit of its own', async () => {
    const response = await fetch(`${proxy?.url ?? ''}/api/imports/?filename=large.csv`, {
      method: 'POST',
      headers: { authorization: `Token ${service().tokens.admin}` },
      body: `Title\n${'A title of a zine\n'.repeat(1_100_000)}`,
    })
    expect(response.status).to.equal(201)
  })

  it('nginx knows every line of the file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-nginx-'))
    try {
      const [key, certificate] = [join(directory, 'privkey.pem'), join(directory, 'fullchain.pem')]
      const subject = ['-subj', `/CN=${host}`, '-keyout', key, '-out', certificate]
      await runProgram('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
      const ports = { port: await freePort(), plainPort: await freePort() }
      const servers = (await serversAt(ports)).replaceAll(
        `/etc/letsencrypt/live/${host}`,
        directory,
      )
      await writeFile(join(directory, 'nginx.conf'), configuration(directory, servers))
      const options = ['-t', '-p', directory, '-e', 'stderr', '-c', 'nginx.conf']
      const { stderr } = await runProgram(program, options)
      expect(stderr).to.include('test is successful').and.not.include('[warn]')
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })

  it('answers name the address that the client used', async () => {
    const { headers } = await get('/api/zines/zine/')
    expect(headers.get('content-location')).to.equal(
      `${proxy?.url ?? ''}/api/zines/zine/?format=json`,
    )
  })
})

/** Starts nginx before a service, on free ports. `$host` lacks the port, which only tests need. */
async function startNginx(serviceUrl: string) {
  const directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-nginx-'))
  const [port, plainPort] = [await freePort(), await freePort()]
  const servers = (await serversAt({ port, plainPort }))
    .replace('http://127.0.0.1:8000', serviceUrl)
    .replaceAll(/(Host) \$host/g, '$1 $http_host')
    .replace(/ ssl http2;/, ';')
    .replaceAll(/^.*(?:proxy_buffer_size|ssl_certificate).*\n/gm, '')
  await writeFile(join(directory, 'nginx.conf'), configuration(directory, servers))
  const options = ['-p', directory, '-e', 'stderr', '-c', 'nginx.conf']
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  await untilReachable(url, child)
  return {
    url,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'close')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The servers of deploy/nginx.conf, at other ports of this machine alone. */
async function serversAt(ports: { readonly port: number; readonly plainPort: number }) {
  const servers = await readFile('deploy/nginx.conf', 'utf8')
  return servers
    .replaceAll(/^.*listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports.plainPort};`)
    .replace('listen 443 ', `listen 127.0.0.1:${ports.port} `)
}

const configuration = (directory: string, servers: string): string => `
daemon off;
worker_processes 1;
pid ${directory}/pid;
events {}
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
${servers}
}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function untilReachable(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer) return
    await sleep(50)
  }
  throw new Error('nginx does not answer')
}
