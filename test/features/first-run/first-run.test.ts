// The link that the start prints while there is no account: it makes the first administrator, once and
// for one hour.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { openService } from '../../../src/app/service.js'
import { readConfig } from '../../../src/config.js'
import { BASE_URL, PASSWORD } from '../../service.js'
import { browse, csrfOn } from '../../views/browser.js'

const hourMs = 3_600_000
const admin = { username: 'ada', password: PASSWORD, again: PASSWORD }

describe('the first run', () => {
  let dataDir: string
  let now: number
  let service: Awaited<ReturnType<typeof openService>>

  beforeEach(async () => {
    now = Date.parse('2026-11-22T10:00:00Z')
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    await start()
  })

  afterEach(async () => {
    await service.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function start(): Promise<void> {
    const settings = { PORT: '0', BASE_URL, LOG_LEVEL: 'silent', SPARQL_WORKERS: '0' }
    const config = readConfig({ ...settings, DATA_DIR: dataDir })
    service = await openService(config, { passwordCost: 2 ** 10, now: () => now })
  }

  const link = (): string => `/manage/first-run?key=${service.firstRun?.key ?? ''}`

  /** A browser that has opened the link. */
  async function openLink() {
    const browser = browse(service.url)
    const { status, headers } = await browser.get(link())
    expect([status, headers.get('location')]).to.deep.equal([303, '/manage/first-run'])
    return browser
  }

  const names = (): readonly string[] => service.accounts.list().map(({ name }) => name)

  it('makes an administrator, signs in, and leads to the ways to begin', async () => {
    const browser = await openLink()
    const page = await browser.get('/manage/first-run')
    expect(page.status).to.equal(200)
    expect(page.text).to.include('Create the first account')
    const { status, headers } = await browser.send('/manage/first-run', admin)
    expect([status, headers.get('location')]).to.deep.equal([303, '/manage/welcome'])
    expect(service.accounts.find('ada')?.role).to.equal('admin')
    const welcome = await browser.get('/manage/welcome')
    expect(welcome.text).to.include('Load the sample').and.include(BASE_URL)
  })

  it('speaks the language of the browser, and switches it', async () => {
    const browser = await openLink()
    const { text } = await browser.get('/manage/first-run', { 'accept-language': 'es' })
    expect(text).to.include('Crea la primera cuenta')
    const other = await browser.get('/manage/first-run?lang=fr')
    expect(other.status).to.equal(302)
    expect((await browser.get('/manage/first-run')).text).to.include('Créez le premier compte')
  })

  it('is not found once there is an account, with its link too', async () => {
    const [first, second] = [await openLink(), await openLink()]
    const csrf_token = csrfOn((await second.get('/manage/first-run')).text)
    await first.send('/manage/first-run', admin)
    for (const path of [link(), '/manage/first-run'])
      expect((await second.get(path)).status, path).to.equal(404)
    const late = { csrf_token, ...admin, username: 'eve' }
    expect((await second.ask('POST', '/manage/first-run', late)).status).to.equal(404)
    expect(names()).to.deep.equal(['ada'])
  })

  it('makes one account of two forms that are sent at the same time', async () => {
    const browser = await openLink()
    const csrf_token = csrfOn((await browser.get('/manage/first-run')).text)
    const send = (username: string) =>
      browser.ask('POST', '/manage/first-run', { csrf_token, ...admin, username })
    const answers = await Promise.all([send('ada'), send('bea')])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 404])
    expect(names()).to.have.length(1)
  })

  it('needs the key, also from the same machine', async () => {
    const browser = browse(service.url)
    for (const path of ['/manage/first-run', link().slice(0, -1), '/manage/first-run?key=x'])
      expect((await browser.get(path)).status, path).to.equal(404)
    const csrf_token = csrfOn((await browser.get('/manage/login')).text)
    const { status } = await browser.ask('POST', '/manage/first-run', { csrf_token, ...admin })
    expect(status).to.equal(404)
    expect(names()).to.deep.equal([])
  })

  it('takes no key from a network that has sent ten wrong ones', async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await browse(service.url).get('/manage/first-run?key=x')).status).to.equal(404)
    expect((await browse(service.url).get(link())).status).to.equal(429)
  })

  it('has the key in no page, and in no address that is kept', async () => {
    const key = service.firstRun?.key ?? ''
    expect(Buffer.from(key, 'base64url')).to.have.length(32)
    const browser = await openLink()
    expect((await browser.get('/manage/first-run')).text).not.to.include(key)
    const { headers } = await browser.get(link())
    expect(headers.get('referrer-policy')).to.equal('no-referrer')
    expect(headers.get('cache-control')).to.include('no-store')
  })

  it('is not accepted by a form of another site', async () => {
    const browser = await openLink()
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await browser.send('/manage/first-run', admin, headers)).status).to.equal(403)
    expect(names()).to.deep.equal([])
  })

  it('says what is wrong with the input, and keeps the name', async () => {
    const browser = await openLink()
    for (const [fields, text] of [
      [{ again: 'another one' }, 'The two passwords are not the same.'],
      [{ password: 'short', again: 'short' }, 'The password is too short.'],
      [{ username: ' ' }, 'The name of an account may not be blank.'],
    ] as const) {
      const answer = await browser.send('/manage/first-run', { ...admin, ...fields })
      expect(answer.status).to.equal(400)
      expect(answer.text).to.include(text)
    }
    const wrong = { ...admin, again: 'another one' }
    expect((await browser.send('/manage/first-run', wrong)).text).to.include('value="ada"')
    expect(names()).to.deep.equal([])
  })

  it('ends after one hour, for a browser that has opened it too', async () => {
    const browser = await openLink()
    now += hourMs - 1
    expect((await browser.get('/manage/first-run')).status).to.equal(200)
    now += 1
    for (const path of [link(), '/manage/first-run']) {
      const { status, text } = await browser.get(path)
      expect(status, path).to.equal(410)
      expect(text).to.include('Restart the service: it prints another one.')
    }
  })

  it('has another key after a restart, and the former one is void', async () => {
    const former = link()
    const browser = await openLink()
    await service.close()
    await start()
    expect(link()).not.to.equal(former)
    expect((await browse(service.url).get(former)).status).to.equal(404)
    const { status } = await fetch(`${service.url}/manage/first-run`, {
      headers: { cookie: browser.cookie(), accept: 'text/html' },
    })
    expect(status).to.equal(404)
  })
})
