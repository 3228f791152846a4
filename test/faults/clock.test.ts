// A clock that jumps back or ahead (libfaketime), while the service runs and between two starts of
// it.

import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { zine } from '../examples.js'
import { browse } from '../views/browser.js'
import { adminSettings, run, serve, withDirectory } from '../process.js'
import { type Client, clientAt, settingsOf } from './client.js'

const library = findLibrary()

describe(`a clock that jumps${library ? '' : ' (needs faketime)'}`, () => {
  before(function () {
    if (!library) this.skip()
  })

  /** Settings under which the clock is as far from the right time as the file says. */
  const settings = (directory: string) => ({
    ...settingsOf(directory),
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: join(directory, 'clock'),
    FAKETIME_CACHE_DURATION: '1',
    // What measures how long something takes does not jump (clock_gettime(2), CLOCK_MONOTONIC).
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })

  /** Sets the clock to so many hours from the right time, and waits until that is seen. */
  async function setClock(directory: string, hours: number, url?: string): Promise<void> {
    await writeFile(join(directory, 'clock'), `${hours < 0 ? '' : '+'}${hours}h\n`)
    while (url !== undefined && Math.abs((await hoursAt(url)) - hours) > 0.5) await sleep(100)
  }

  const hoursAt = async (url: string): Promise<number> => {
    const { headers } = await fetch(`${url}/healthz`)
    return (Date.parse(headers.get('date') ?? '') - Date.now()) / 3_600_000
  }

  async function make({ post }: Client, id: string): Promise<any> {
    const { status, body } = await post('zines', zine(id))
    expect(status).to.equal(201)
    return body
  }

  it('changes no timestamp to an earlier one, no order of records, and no token', () =>
    withDirectory(async (directory) => {
      const env = settings(directory)
      await setClock(directory, 0)
      const first = await serve(env)
      const client = await clientAt(first.url)
      await client.prepare()
      const [a, b] = [await make(client, 'a'), await make(client, 'b')]

      await setClock(directory, -24, first.url)
      const c = await make(client, 'c')
      const { body: changed } = await client.ask('PATCH', '/api/zines/a/', { title: 'Later' })
      expect(changed.created_at).to.equal(a.created_at)
      await first.end('SIGTERM')

      await setClock(directory, -240)
      const second = await serve(env)
      expect(await hoursAt(second.url)).to.be.closeTo(-240, 1)
      const again = await clientAt(second.url)
      expect(again.token).to.equal(client.token)
      const d = await make(again, 'd')
      const { body: same } = await again.ask('PATCH', '/api/zines/b/', { title: 'Later still' })

      const times = [a, b, c, changed, d, same].map(({ updated_at }) => updated_at as string)
      expect(times).to.deep.equal([...times].sort())
      expect(new Set(times).size).to.equal(times.length)
      expect(await order(again, '')).to.deep.equal(['d', 'c', 'b', 'a'])
      expect(await order(again, 'updated_at')).to.deep.equal(['c', 'a', 'd', 'b'])
      await second.end('SIGTERM')
    }))

  it('gives records the present time again after it was in 2038', () =>
    withDirectory(async (directory) => {
      const env = settings(directory)
      const hours = Math.round((Date.UTC(2038, 1) - Date.now()) / 3_600_000)
      await setClock(directory, hours)
      const first = await serve(env)
      const client = await clientAt(first.url)
      await client.prepare()
      const early = await make(client, 'early')
      expect(early.updated_at).to.match(/^2038-/)

      await setClock(directory, 0, first.url)
      expect((await make(client, 'now')).created_at).not.to.match(/^2038-/)
      await first.end('SIGTERM')

      const second = await serve(env)
      const again = await clientAt(second.url)
      expect((await make(again, 'later')).created_at).not.to.match(/^2038-/)
      const { body } = await again.ask('PATCH', '/api/zines/early/', { title: 'Changed' })
      expect(body.updated_at > early.updated_at).to.equal(true)
      await second.end('SIGTERM')
    }))

  it('is refused at the start when it shows a time before 1970', () =>
    withDirectory(async (directory) => {
      await setClock(directory, Math.round((Date.UTC(1969, 6) - Date.now()) / 3_600_000))
      const { code, err } = await run([], { ...settings(directory), PORT: '0' })
      expect([code, err.trim().split('\n').length], err).to.deep.equal([1, 1])
      expect(err).to.include('1969').and.include('before 1970')
    }))

  async function order({ get }: Client, ordering: string): Promise<string[]> {
    const { body } = await get(`/api/zines/?ordering=${ordering}`)
    return body.results.map((record: any) => record.zine_id)
  }

  it('does not throttle a client for longer', () =>
    withDirectory(async (directory) => {
      await setClock(directory, 0)
      const service = await serve({ ...settings(directory), THROTTLE_ANON: '3/second' })
      const ask = () => fetch(`${service.url}/api/`)
      const refused = async (): Promise<Response> => {
        for (;;) {
          const answers = await Promise.all(Array.from({ length: 8 }, ask))
          const answer = answers.find(({ status }) => status === 429)
          if (answer) return answer
        }
      }
      await refused()
      await setClock(directory, -24, service.url)
      expect((await refused()).headers.get('retry-after')).to.equal('1')
      await sleep(1100)
      expect((await ask()).status).to.equal(200)
      await service.end('SIGTERM')
    }))

  const { ADMIN_USERNAME: name, ADMIN_PASSWORD: password } = adminSettings

  it('ends sessions that were opened while it was ahead, and login still works', () =>
    withDirectory(async (directory) => {
      const env = settings(directory)
      await setClock(directory, 24 * 30)
      const first = await serve(env)
      const early = browse(first.url)
      await early.signIn(name, password)
      expect((await early.get('/manage/account')).status).to.equal(200)

      const other = browse(first.url)
      await other.signIn(name, password)

      await setClock(directory, 0, first.url)
      expect((await early.get('/manage/account')).status).to.equal(303)
      expect((await early.signIn(name, password)).status).to.equal(303)
      expect((await early.get('/manage/account')).status).to.equal(200)
      await first.end('SIGTERM')

      const second = await serve(env)
      for (const [{ cookies }, status] of [
        [early, 200],
        [other, 303],
      ] as const) {
        const later = browse(second.url)
        for (const [key, value] of cookies) later.cookies.set(key, value)
        expect((await later.get('/manage/account')).status).to.equal(status)
      }
      await second.end('SIGTERM')
    }))

  it('keeps sessions when it goes back by less than the idle time', () =>
    withDirectory(async (directory) => {
      await setClock(directory, 0)
      const service = await serve(settings(directory))
      const one = browse(service.url)
      await one.signIn(name, password)
      await setClock(directory, -4, service.url)
      expect((await one.get('/manage/account')).status).to.equal(200)
      await service.end('SIGTERM')
    }))

  it('changes the waiting time after failed logins in neither direction', () =>
    withDirectory(async (directory) => {
      await setClock(directory, 0)
      const service = await serve(settings(directory))
      const logIn = (given: string) =>
        fetch(`${service.url}/api/auth/token/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: name, password: given }),
        })
      for (let time = 0; time < 10; time += 1) expect((await logIn('wrong')).status).to.equal(400)
      for (const hours of [0, -24, 48]) {
        await setClock(directory, hours, service.url)
        const answer = await logIn(password)
        expect(answer.status, `${hours} hours`).to.equal(429)
        expect(Number(answer.headers.get('retry-after'))).to.be.within(600, 900)
      }
      await service.end('SIGTERM')
    }))
})

/** Where Debian's package faketime puts it. */
function findLibrary(): string | undefined {
  const directories = namesIn('/usr/lib').map((name) => join('/usr/lib', name, 'faketime'))
  return directories
    .flatMap((directory) => namesIn(directory).map((name) => join(directory, name)))
    .find((file) => file.includes('libfaketimeMT.so'))
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
