import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { readConfig } from '../../src/config.js'
import { ExpectedError } from '../../src/errors.js'
import { agent, zine } from '../examples.js'
import { adminSettings, run, serve, tokenAt, withDirectory } from '../process.js'
import { until } from '../waiting.js'

describe('the process', () => {
  it('exits with one line that names the variable with a bad value and the values it takes', async () => {
    const cases = [
      ['PORT', 'eighty', 'a number from 0 to 65535'],
      ['HOST', 'no such host', 'a host name or address of this machine'],
      // An address for documentation (RFC 5737).
      ['HOST', '192.0.2.1', 'a host name or address of this machine'],
      ['DATA_DIR', 'package.json', 'a directory'],
      ['DATA_DIR', 'package.json/data', 'a directory'],
    ] as const
    for (const [name, value, takes] of cases) {
      const { code, err } = await run([], { [name]: value })
      expect(code, name).to.equal(1)
      expect(err.trim().split('\n'), name).to.have.length(1)
      expect(err).to.include(name).and.include(takes)
    }
  })

  it('takes no other setting with a bad value either', () => {
    const cases = [
      ['BASE_URL', 'zines.example', 'an http or https URL'],
      ['THROTTLE_ANON', 'often', 'like 100/hour'],
      ['SPARQL_WORKERS', '-1', 'a number from 0 to 64'],
      ['SPARQL_TIMEOUT', 'long', 'seconds, from 1 to 3600'],
      ['TRUST_PROXY', 'perhaps', 'true or false'],
      ['CORS_ORIGINS', 'zines', 'origins joined by commas'],
      ['LOG_LEVEL', 'loud', 'fatal, error'],
      ['METRICS', 'everybody', 'off, local, open'],
      ['SESSION_IDLE', '8d', 'a time from 1m to 7d'],
      ['SESSION_IDLE', '30', 'a time from 1m to 7d'],
      ['STORE', 'floppy', 'embedded'],
      ['ADMIN_USERNAME', 'admin', 'ADMIN_PASSWORD'],
    ] as const
    for (const [name, value, takes] of cases)
      expect(() => readConfig({ [name]: value }), name)
        .to.throw(ExpectedError, /^.+$/)
        .with.property('message')
        .that.includes(name)
        .and.includes(takes)
  })

  it('prints the link for the first account while there is none, and its log has no key', () =>
    withDirectory(async (directory) => {
      const service = await serve({ DATA_DIR: directory, SPARQL_WORKERS: '0' })
      const linkIn = (text: string) => [
        ...text.matchAll(/https:\/\/zines\.example(\/manage\/first-run\?key=([\w-]{43}))/g),
      ]
      const { out } = service
      await until(() => linkIn(out()).length === 1)
      const [[, path = '', key = ''] = []] = linkIn(out())
      expect((await fetch(service.url + path, { redirect: 'manual' })).status).to.equal(303)
      const end = await service.end('SIGTERM')
      expect(end.out).to.include('"route":"/manage/first-run"')
      expect(end.out.split(key)).to.have.length(2)

      const next = await serve({ DATA_DIR: directory, SPARQL_WORKERS: '0', ...adminSettings })
      expect((await fetch(next.url + path, { redirect: 'manual' })).status).to.equal(404)
      expect((await next.end('SIGTERM')).out).not.to.include('first-run?key')
    }))

  it('names a request in its log by the x-request-id of its answer', () =>
    withDirectory(async (directory) => {
      const service = await serve({ DATA_DIR: directory, SPARQL_WORKERS: '0' })
      const answer = await fetch(`${service.url}/api/zines/none/`)
      const id = answer.headers.get('x-request-id') ?? ''
      const { out } = await service.end('SIGTERM')
      expect(out).to.include(`"id":"${id}"`)
    }))

  it('prints the usage for any command with --help, and does nothing else', () =>
    withDirectory(async (directory) => {
      for (const command of ['load', 'import', 'backup', 'rebase', 'doctor', 'account']) {
        const { code, out } = await run([command, '--help'], { DATA_DIR: directory })
        expect(code, command).to.equal(0)
        expect(out, command).to.match(/^usage: zine-catalogue/)
      }
      const { code, err } = await run(['doctor', '--nonsense'], { DATA_DIR: directory })
      expect(code).to.equal(1)
      expect(err).to.match(/^Unknown option '--nonsense'/)
      expect(err.trim().split('\n')).to.have.length(1)
    }))

  it('refuses a data directory that another process has open, which goes on', () =>
    withDirectory(async (directory) => {
      const first = await serve({ DATA_DIR: directory })
      const second = await run([], { DATA_DIR: directory, PORT: '0' })
      expect(second.code).to.equal(1)
      expect(second.err).to.include('in use by another process')
      expect((await fetch(`${first.url}/healthz`)).status).to.equal(200)
      expect((await first.end('SIGTERM')).code).to.equal(0)
    }))

  it('exits when it cannot open everything, and leaves no thread running', () =>
    withDirectory(async (directory) => {
      // A socket cannot be where a directory is.
      await mkdir(join(directory, 'control.sock'))
      const { code } = await run([], { DATA_DIR: directory, PORT: '0', SPARQL_WORKERS: '1' })
      expect(code).to.equal(1)
    }))

  it('refuses a base URL that its data do not belong to, and moves them with rebase', () =>
    withDirectory(async (directory) => {
      const env = { DATA_DIR: directory, ...adminSettings }
      const first = await serve(env)
      // Addresses that a client gave stay as they are, and in their order, whatever they lead to.
      const relation = ['https://zines.example/id/zines/x', 'http://m.example/', 'plain']
      await create(first.url, 'agents', agent('maker', { public: false, legal_name: 'Hidden' }))
      await create(first.url, 'zines', zine('a/b', { relation, series_title: ['Serial'] }))
      await create(first.url, 'zines', zine('c', { series_title: ['Serial'] }))
      const before = await read(first.url, '/api/zines/a%2Fb/')
      await first.end('SIGTERM')

      const base = 'http://other.example/zines'
      const refused = await run([], { ...env, BASE_URL: base, PORT: '0' })
      expect(refused.code).to.equal(1)
      expect(refused.err).to.include('https://zines.example').and.include(`rebase ${base}`)

      const moved = await run(['rebase', base], { DATA_DIR: directory })
      expect(moved.out).to.include('3 records moved')
      expect(moved.err).to.include('3 records moved, ')
      const second = await serve({ ...env, BASE_URL: base })
      const after = await read(second.url, '/api/zines/a%2Fb/')
      expect(after).to.deep.equal(
        JSON.parse(JSON.stringify(before).replaceAll('https://zines.example/voc', `${base}/voc`)),
      )
      const token = await tokenAt(second.url)
      const whole = await read(second.url, '/api/agents/maker/?private=true', token)
      expect(whole).to.include({ legal_name: 'Hidden' })
      expect(await read(second.url, '/series'))
        .to.have.property('results')
        .with.length(1)
      await second.end('SIGTERM')
      const checked = await run(['doctor'], { DATA_DIR: directory })
      expect(checked.out).to.include('3 records checked: 0 errors, 0 notes')
    }))

  it('leaves the addresses of data as they are with commands that another PORT is set for', () =>
    withDirectory(async (directory) => {
      const env = { DATA_DIR: join(directory, 'data') }
      const file = join(directory, 'agents.jsonl')
      await writeFile(file, JSON.stringify(agent('maker')))
      await run(['load', file], { ...env, PORT: '8001' })
      const archive = join(directory, 'backup.gz')
      for (const command of [
        ['load', file],
        ['import', 'list'],
        ['backup', archive],
      ]) {
        const { code, err } = await run(command, env)
        expect(code, err).to.equal(0)
      }
      expect(gunzipSync(await readFile(archive)).toString()).to.include(
        'http://localhost:8001/id/agents/maker',
      )
    }))

  it('moves data that were made without BASE_URL to the address of the next start', () =>
    withDirectory(async (directory) => {
      const env = { DATA_DIR: join(directory, 'data') }
      const file = join(directory, 'agents.jsonl')
      await writeFile(file, JSON.stringify(agent('maker')))
      expect((await run(['load', file], env)).code).to.equal(0)

      const moved = await serve({ ...env, BASE_URL: '', PORT: '0' })
      const { out } = await moved.end('SIGTERM')
      expect(out).to.include('so the data follow the address: moving them from')
      expect(out).to.include('moved 1 records from http://localhost:8000 to http://localhost:0')

      // Once somebody chose a base URL it is kept.
      const chosen = 'http://localhost:9'
      expect((await run([], { ...env, BASE_URL: chosen, PORT: '0' })).err).to.include(chosen)
      expect((await run(['rebase', chosen], env)).code).to.equal(0)
      const refused = await run([], { ...env, PORT: '0' })
      expect(refused.code).to.equal(1)
      expect(refused.err).to.include(`the data belong to ${chosen}`)
      expect((await run(['doctor'], env)).code).to.equal(0)
    }))

  it('finishes a running request after SIGTERM, and exits with 0', () =>
    withDirectory(async (directory) => {
      const service = await serve({ DATA_DIR: directory, ...adminSettings })
      const token = await tokenAt(service.url)
      const body = JSON.stringify(agent('late'))
      const { hostname, port } = new URL(service.url)
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      // Half of a body: the request has begun and waits for the rest.
      socket.write(
        `POST /api/agents/ HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Token ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
      )
      await fetch(`${service.url}/healthz`)
      const ended = service.end('SIGTERM')
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.write(body.slice(9))
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(String(answer)).to.match(/^HTTP\/1.1 201 /)
      socket.end()
      expect((await ended).code).to.equal(0)

      const again = await serve({ DATA_DIR: directory })
      expect(await read(again.url, '/api/agents/late/')).to.include({ agent_id: 'late' })
      await again.end('SIGTERM')
    }))

  it('runs account commands while the service runs', () =>
    withDirectory(async (directory) => {
      const env = { DATA_DIR: directory }
      const service = await serve(env)
      const added = await run(
        ['account', 'add', 'ada', '--role', 'editor', '--only', 'zines', '--password-stdin'],
        env,
        'a long password\n',
      )
      expect(added.code, added.err).to.equal(0)
      const login = await fetch(`${service.url}/api/auth/token/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ada', password: 'a long password' }),
      })
      expect(login.status).to.equal(200)
      expect((await run(['account', 'list'], env)).out).to.include('ada')
      await service.end('SIGTERM')
    }))
})

async function create(url: string, resource: string, record: object): Promise<void> {
  const response = await fetch(`${url}/api/${resource}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Token ${await tokenAt(url)}`,
    },
    body: JSON.stringify(record),
  })
  expect(response.status).to.equal(201)
}

async function read(url: string, path: string, token?: string): Promise<unknown> {
  const headers = token ? { authorization: `Token ${token}` } : {}
  return (await fetch(url + path, { headers })).json()
}
