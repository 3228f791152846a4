// A demonstration (DEMO=on): everybody may write to the sample, and everything goes back at midnight,
// also after a reset that was interrupted. The catalogue of the data directory stays.

import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { type Demo, openDemo } from '../../src/app/demo.js'
import { readConfig } from '../../src/config.js'
import { ExpectedError } from '../../src/errors.js'
import { zine } from '../examples.js'
import { BASE_URL } from '../service.js'
import { browse, formOn, read } from '../views/browser.js'

const hourMs = 3_600_000

describe('a demonstration', () => {
  let dataDir: string
  let now: number
  let demo: Demo
  let maxBytes: number | undefined

  beforeEach(async () => {
    now = Date.parse('2026-11-22T10:00:00Z')
    maxBytes = undefined
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    await start()
  })

  afterEach(async () => {
    await demo.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function start(): Promise<void> {
    const settings = { PORT: '0', BASE_URL, LOG_LEVEL: 'silent', SPARQL_WORKERS: '0', DEMO: 'on' }
    const config = readConfig({ ...settings, DATA_DIR: dataDir })
    const limit = maxBytes === undefined ? {} : { maxBytes }
    demo = await openDemo(config, {
      passwordCost: 2 ** 10,
      now: () => now,
      onFailed: (error) => expect.fail(String(error)),
      ...limit,
    })
  }

  const files = (): { readonly day: string; readonly data: string } => ({
    day: join(dataDir, 'demo', 'day'),
    data: join(dataDir, 'demo', 'data'),
  })

  async function json(path: string, init: RequestInit = {}) {
    const response = await fetch(demo.url + path, init)
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  }

  const countZines = async (): Promise<number> => (await json('/api/zines/')).body.count

  /** A browser of a visitor who has pressed the button. */
  async function guest() {
    const browser = browse(demo.url)
    const { status } = await browser.send('/manage/login', { next: '/api/zines/' })
    expect(status).to.equal(303)
    return browser
  }

  /** The token of a visitor, for the API. */
  async function guestToken(): Promise<string> {
    const browser = await guest()
    const { text } = await browser.send('/manage/account', { do: 'token', label: 'test' })
    return /<code>([0-9a-f]{40})<\/code>/.exec(text)?.[1] ?? ''
  }

  async function write(id: string): Promise<number> {
    const headers = {
      authorization: `Token ${await guestToken()}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify(zine(id, { creator: ['marge-toner'] }))
    return (await json('/api/zines/', { method: 'POST', headers, body })).status
  }

  it('begins with the sample, and says on each page when it goes back', async () => {
    expect(await countZines()).to.equal(36)
    for (const path of ['/api/', '/api/zines/', '/manage/login', '/api/zines/none/']) {
      const page = await browse(demo.url).get(path)
      expect(read(page.text).all('aside', 'demo')[0]?.text, path).to.include('2026-11-23 00:00 UTC')
      expect(page.headers.get('x-robots-tag')).to.equal('noindex')
    }
  })

  it('gives each visitor an account that edits, without a password', async () => {
    const [first, second] = [await guest(), await guest()]
    expect((await first.get('/manage/account')).text).to.include('Account guest-1')
    expect((await second.get('/manage/account')).text).to.include('Account guest-2')
    expect((await first.get('/manage/zines/new')).status).to.equal(200)
    expect(await write('mine')).to.equal(201)
  })

  it('lets nobody administer it, upload pictures, or make it ask other services', async () => {
    const browser = await guest()
    for (const path of ['/manage/accounts', '/manage/welcome'])
      expect((await browser.get(path)).status, path).to.equal(403)
    expect((await browser.get('/manage/first-run')).status).to.equal(404)
    const pictures = await browser.send('/manage/zines/pictures/photocopier-directory', {})
    expect(pictures.status).to.equal(403)
    const harvest = await browser.send('/manage/imports', { url: 'https://example.org/oai' })
    expect(harvest.status).to.equal(403)
    const headers = {
      authorization: `Token ${await guestToken()}`,
      'content-type': 'application/json',
    }
    const hook = JSON.stringify({ url: 'https://example.org/' })
    const webhook = await json('/api/webhooks/', { method: 'POST', headers, body: hook })
    expect(webhook.status).to.equal(501)
  })

  it('takes no large files, and no bodies of unknown length', async () => {
    const authorization = `Token ${await guestToken()}`
    const type = { authorization, 'content-type': 'application/octet-stream' }
    const send = (body: RequestInit['body'], more: object = {}) =>
      json('/api/imports/?filename=a.csv', {
        method: 'POST',
        headers: type,
        body: body ?? null,
        ...more,
      })
    expect((await send(Buffer.alloc(5_000_001))).status).to.equal(413)
    const stream = new Blob(['title\nToner\n']).stream()
    expect((await send(stream, { duplex: 'half' })).status).to.equal(413)
    expect((await send('title\nToner\n')).status).to.equal(201)
  })

  it('makes twenty accounts for a network in an hour', async () => {
    for (let count = 0; count < 20; count += 1) await guest()
    expect((await browse(demo.url).send('/manage/login', {})).status).to.equal(429)
  })

  it('keeps what was written over a restart on the same day', async () => {
    await write('mine')
    await demo.close()
    await start()
    expect(await countZines()).to.equal(37)
  })

  it('goes back at midnight, at the same address: records, accounts, sessions, imports', async () => {
    const browser = await guest()
    await write('mine')
    const { url } = demo
    now += 14 * hourMs - 1
    await demo.check()
    expect(await countZines()).to.equal(37)
    now += 1
    await demo.check()
    expect(demo.url).to.equal(url)
    expect(await countZines()).to.equal(36)
    expect((await browser.get('/manage/account')).status).to.equal(303)
    expect((await browser.get('/api/')).text).to.include('2026-11-24 00:00 UTC')
    expect((await (await guest()).get('/manage/account')).text).to.include('Account guest-1')
  })

  it('begins anew when it starts on another day', async () => {
    await write('mine')
    await demo.close()
    now += 24 * hourMs
    await start()
    expect(await countZines()).to.equal(36)
  })

  for (const [when, interrupt] of [
    ['before the data were removed', () => rm(files().day)],
    [
      'while the data were removed',
      async () => {
        await rm(files().day)
        await rm(join(files().data, 'token.key'))
      },
    ],
    [
      'after the data were removed',
      async () => {
        await rm(files().day)
        await rm(files().data, { recursive: true })
      },
    ],
  ] as const)
    it(`ends a reset at the next start that was interrupted ${when}`, async () => {
      await write('mine')
      await demo.close()
      await interrupt()
      await start()
      expect(await countZines()).to.equal(36)
      expect(await readFile(files().day, 'utf8')).to.equal('2026-11-22')
    })

  it('goes back before midnight when its data grow too large', async () => {
    await write('mine')
    await demo.close()
    maxBytes = 1
    await start()
    expect(await countZines()).to.equal(37)
    await demo.check()
    expect(await countZines()).to.equal(36)
  })

  it('leaves the catalogue of the data directory as it is', async () => {
    await demo.close()
    await mkdir(join(dataDir, 'store'))
    await writeFile(join(dataDir, 'store', 'CURRENT'), 'a catalogue')
    now += 24 * hourMs
    await start()
    expect((await readdir(dataDir)).sort()).to.deep.equal(['demo', 'store'])
    expect(await readFile(join(dataDir, 'store', 'CURRENT'), 'utf8')).to.equal('a catalogue')
  })

  it('takes no settings of an administrator, another store or webhooks', () => {
    for (const setting of [
      { ADMIN_USERNAME: 'ada', ADMIN_PASSWORD: 'long enough' },
      { STORE: 'http://localhost:3030/zines/sparql' },
      { WEBHOOKS: 'on' },
    ]) {
      const [name = ''] = Object.keys(setting)
      expect(() => readConfig({ DEMO: 'on', ...setting }), name)
        .to.throw(ExpectedError)
        .with.property('message', `${name} is set, but DEMO=on takes none`)
    }
  })

  it('has a button and no form for a name and a password', async () => {
    const { text } = await browse(demo.url).get('/manage/login?next=/api/agents/')
    expect(text).not.to.include('name="password"')
    expect(formOn(text, '')).to.have.property('next')
  })
})
