// The page for administrators about the service: what it says, and what its buttons do.

import { readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { readArchive } from '../../../src/commands/archive-file.js'
import { RecentEvents, kindOfError } from '../../../src/features/service-page/recent-events.js'
import { agent } from '../../examples.js'
import { useService } from '../../service.js'
import { until } from '../../waiting.js'
import { ACCEPT, type Browser, browse, csrfOn } from '../../views/browser.js'

const path = '/manage/service'

describe('the page of the service', () => {
  const service = useService()

  async function signIn(): Promise<Browser> {
    const browser = browse(service().url)
    await browser.signIn('admin')
    return browser
  }

  it('says how the service is, and leads there from every page of an administrator', async () => {
    const browser = await signIn()
    const { text } = await browser.get(path)
    expect(text).to.match(/<dt>Version<\/dt><dd>\d+\.\d+\.\d+/)
    expect(text).to.match(/<dt>Disk<\/dt><dd>[\d.,]+ [MG]B free of [\d.,]+ GB/)
    expect(text).to.match(/<dt>Memory<\/dt><dd>[\d.,]+ [MG]B of [\d.,]+ [MG]B/)
    expect(text).to.include('With the setting BACKUP_DIR')
    expect((await browser.get('/manage/account')).text).to.include(`href="${path}"`)
  })

  it('tells of failed logins, and of no name that was tried', async () => {
    const failed = await service().post(
      '/api/auth/token/',
      { username: 'somebody-private', password: 'wrong' },
      { token: null },
    )
    expect(failed.status).to.equal(400)
    const { text } = await (await signIn()).get(path)
    expect(text).to.match(/A login failed<\/th><td>1<\/td><td>\d{4}-\d\d-\d\d, \d\d:\d\d UTC/)
    expect(text).not.to.include('somebody-private')
  })

  it('gives a whole backup to download, and to nobody without the form of a session', async () => {
    await service().post('/api/agents/', agent('kept'))
    const browser = await signIn()
    const csrf = csrfOn((await browser.get(path)).text)
    const ask = (fields: Readonly<Record<string, string>>) =>
      fetch(service().url + path, {
        method: 'POST',
        headers: { accept: ACCEPT, cookie: browser.cookie() },
        body: new URLSearchParams({ do: 'download', ...fields }),
      })
    expect((await ask({ csrf_token: 'forged' })).status).to.equal(403)
    const answer = await ask({ csrf_token: csrf })
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('content-type')).to.equal('application/gzip')
    expect(answer.headers.get('cache-control')).to.equal('private, no-store')
    expect(answer.headers.get('content-disposition')).to.match(/zine-catalogue-\d{8}T\d{6}Z\.gz/)
    const keys: string[] = []
    const bytes = Buffer.from(await answer.arrayBuffer())
    await readArchive(Readable.from([bytes]), 'the download', (part) => {
      if ('key' in part) keys.push(part.key)
    })
    expect(keys).to.include('record/agents/kept')
  })

  it('checks the data, reloads until that is done, and says what it found', async () => {
    await writeFile(join(service().dataDir, 'catalogues.json'), 'not JSON')
    const browser = await signIn()
    const begun = await browser.send(path, { do: 'check' })
    expect([begun.status, begun.headers.get('location')]).to.deep.equal([303, path])
    let refreshed = false
    await until(async () => {
      const { text, headers } = await browser.get(path)
      expect(headers.get('refresh')).to.equal(text.includes('<progress') ? '2' : null)
      refreshed ||= headers.has('refresh')
      return /\d records checked, 1 errors, 0 notes/.test(text)
    })
    expect(refreshed).to.equal(true)
    expect((await browser.get(path)).text).to.match(/<li>error: [^<]*catalogues\.json/)
    await rm(join(service().dataDir, 'catalogues.json'))
  })

  it('is there in every language', async () => {
    const browser = await signIn()
    const textIn = async (language: string): Promise<string> =>
      (await browser.get(path, { 'accept-language': language })).text
    expect(await textIn('es')).to.include('Descargar una copia de seguridad')
    expect(await textIn('fr')).to.include('Télécharger une sauvegarde')
  })
})

describe('the page of a service with a folder for backups', () => {
  const directory = join(tmpdir(), `zine-catalogue-page-backups-${process.pid}`)
  after(() => rm(directory, { recursive: true, force: true }))
  const service = useService({ BACKUP_DIR: directory, BACKUP_EVERY: 'off' })

  it('makes a backup there when it is asked for, and says which is the last', async () => {
    const browser = browse(service().url)
    await browser.signIn('admin')
    expect((await browser.get(path)).text).to.include('There is none yet.')
    await browser.send(path, { do: 'backup' })
    let text = ''
    await until(async () => {
      text = (await browser.get(path)).text
      return /zine-catalogue-\d{8}T/.test(text)
    })
    const [name = ''] = await readdir(directory)
    expect(text).to.include(`>${name}<`).and.include(directory)
  })
})

describe('recent events', () => {
  it('are counted by kind for a day, and say nothing else', () => {
    let now = Date.parse('2026-03-01T10:30:00Z')
    const events = new RecentEvents(() => now)
    events.add(kindOfError('GET /api/agents/somebody/'))
    events.add(kindOfError('webhook'))
    now += 3_600_000
    events.add(kindOfError('GET /api/zines/'))
    expect(events.ofLastDay()).to.deep.equal([
      { kind: 'request', count: 2, last: '2026-03-01T11:30:00.000Z' },
      { kind: 'webhook', count: 1, last: '2026-03-01T10:30:00.000Z' },
    ])
    now += 23 * 3_600_000
    expect(events.ofLastDay()).to.deep.equal([
      { kind: 'request', count: 1, last: '2026-03-01T11:30:00.000Z' },
    ])
  })
})
