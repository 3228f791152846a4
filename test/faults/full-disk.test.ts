// A disk without space: writes fail with a clear answer, all else goes on, and when there is space
// again the same process writes again. What was acknowledged before, meanwhile and after is there.

import { mkdir, mkdtemp, readFile, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import sharp from 'sharp'

import { zine } from '../examples.js'
import { openFileCache } from '../../src/lib/file-cache.js'
import { DiskFailedError, DiskFullError } from '../../src/lib/key-value/errors.js'
import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { type Served, run, serve } from '../process.js'
import { type Client, canRun, clientAt, settingsOf } from './client.js'

describe('a full disk', () => {
  let disk: string
  before(async function () {
    disk = await mkdtemp(join(tmpdir(), 'zine-catalogue-disk-'))
    if (!canRun('mount', '-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk)) {
      await rm(disk, { recursive: true })
      this.test?.parent?.tests.forEach((test) => (test.title += ' (needs root and tmpfs)'))
      this.skip()
    }
  })
  after(async () => {
    if (!canRun('umount', disk)) return
    await rm(disk, { recursive: true })
  })

  const ballast = () => join(disk, 'ballast')

  const free = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(disk)
    return bavail * bsize
  }

  /** Leaves so many bytes free, or less where a service takes some meanwhile. */
  async function fill(left = 0): Promise<void> {
    const content = Buffer.alloc(Math.max(0, (await free()) - left))
    await writeFile(ballast(), content).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    })
  }

  const empty = () => rm(ballast(), { force: true })

  let number = 0
  /** A data directory of its own on the small disk, which has space for it. */
  async function directory(): Promise<string> {
    await empty()
    for (let used = number; used > 0; used -= 1) await rm(join(disk, String(used)), gone)
    number += 1
    await mkdir(join(disk, String(number)))
    return join(disk, String(number))
  }
  const gone = { recursive: true, force: true }

  /** Creates zines until one is refused, and tells those that were acknowledged. */
  async function writeUntilRefused(client: Client, prefix: string): Promise<string[]> {
    const kept: string[] = []
    for (;;) {
      const id = `${prefix}-${kept.length}`
      const { status, body } = await client.post('zines', zine(id, { abstract: 'x'.repeat(5000) }))
      if (status === 507) {
        expect(body).to.deep.equal({ detail: 'The disk is full; nothing was written.' })
        return kept
      }
      expect(status).to.equal(201)
      kept.push(id)
    }
  }

  async function write(client: Client, prefix: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
    for (const id of ids) expect((await client.post('zines', zine(id))).status, id).to.equal(201)
    return ids
  }

  async function expectAll(client: Client, ids: readonly string[]): Promise<void> {
    for (const id of ids) expect((await client.get(`/api/zines/${id}/`)).status, id).to.equal(200)
    expect((await client.get('/api/zines/')).body.count).to.equal(ids.length)
  }

  /** Whoever wants to carry everything to another disk can do so. */
  async function expectExports({ url, get }: Client, zines: number): Promise<void> {
    expect((await get('/api/export/zines/')).body.results).to.have.length(zines)
    const dump = await fetch(`${url}/dumps/catalogue.nt.gz`)
    const triples = gunzipSync(Buffer.from(await dump.arrayBuffer())).toString()
    expect(triples.match(/terms\/title> "Zine [a-z]+-/g)).to.have.length(zines)
  }

  // LevelDB wrote on behind the half of a record for which there had been space, and all that was
  // acknowledged from then on was not found at the next start.
  it('answers writes with 507, and loses none of the later ones when there is space again', async () => {
    const env = settingsOf(await directory())
    const first = await serve(env)
    const client = await clientAt(first.url)
    await client.prepare()
    const before = await write(client, 'before', 3)
    for (const left of [20_000, 30_000, 65_000]) {
      await fill(left)
      before.push(...(await writeUntilRefused(client, `left-${left}`)))
      // As often as anybody tries.
      for (let time = 0; time < 3; time += 1)
        expect((await client.post('zines', zine('refused'))).status).to.equal(507)
      await expectAll(client, before)
      await expectExports(client, before.length)
      await empty()
      before.push(...(await write(client, `after-${left}`, 40)))
    }
    await expectAll(client, before)
    await first.end('SIGKILL')

    const second = await serve(env)
    await expectAll(await clientAt(second.url), before)
    expect((await second.end('SIGTERM')).code).to.equal(0)
  })

  // Once LevelDB could not compact, it never wrote again.
  it('is recovered from when there was no space for a compaction', async () => {
    const env = settingsOf(await directory())
    const service = await serve(env)
    const client = await clientAt(service.url)
    await client.prepare()
    const kept: string[] = []
    const write = async (): Promise<boolean> => {
      const id = `large-${kept.length}`
      const abstract = randomBytes(150_000).toString('hex')
      const { status } = await client.post('zines', zine(id, { abstract }))
      if (status === 201) kept.push(id)
      else expect(status).to.equal(507)
      return status === 201
    }
    // Four megabytes are compacted.
    for (let count = 0; count < 11; count += 1) expect(await write()).to.equal(true)
    await fill(1_500_000)
    while (await write());
    for (let time = 0; time < 3; time += 1) expect(await write()).to.equal(false)
    await empty()
    for (let count = 0; count < 4; count += 1) expect(await write()).to.equal(true)
    await service.end('SIGKILL')
    const again = await serve(env)
    await expectAll(await clientAt(again.url), kept)
    await again.end('SIGTERM')
  })

  it('at a start leaves the service read-only until there is space again', async () => {
    const env = settingsOf(await directory())
    const first = await serve(env)
    const client = await clientAt(first.url)
    await client.prepare()
    const kept = await write(client, 'zine', 3)
    await first.end('SIGKILL')
    await fill()
    const second = await serve(env)
    const { url, get, post } = await clientAt(second.url)
    await expectAll({ ...client, url, get }, kept)
    expect(await (await fetch(`${url}/readyz`)).json()).to.deep.equal({ status: 'disk full' })
    expect((await post('zines', zine('refused'))).status).to.equal(507)
    await empty()
    const ready = await fetch(`${url}/readyz`)
    expect(ready.status, await ready.text()).to.equal(200)
    expect((await post('zines', zine('after'))).status).to.equal(201)
    await second.end('SIGKILL')
    const third = await serve(env)
    await expectAll(await clientAt(third.url), [...kept, 'after'])
    expect((await third.end('SIGTERM')).code).to.equal(0)
  })

  it('at a start and at the stop after it loses nothing', async () => {
    const env = settingsOf(await directory())
    const first = await serve(env)
    const client = await clientAt(first.url)
    await client.prepare()
    const kept = await write(client, 'zine', 3)
    await first.end('SIGKILL')
    await fill()
    const before = await storedFiles(env.DATA_DIR)
    const second = await serve(env)
    expect(await readCopies(second)).to.have.length(canRun('test', '-d', '/dev/shm') ? 1 : 0)
    expect((await second.end('SIGTERM')).code).to.equal(0)
    const after = await storedFiles(env.DATA_DIR)
    expect([...before].filter(([name, content]) => after.get(name) !== content)).to.deep.equal([])
    expect(await readCopies(second)).to.deep.equal([])
    await empty()
    const third = await serve(env)
    await expectAll(await clientAt(third.url), kept)
    await third.end('SIGTERM')
  })

  it('at a start does not let later writes of another process be lost', async () => {
    const store = join(await directory(), 'store')
    const write = async (key: string): Promise<void> => {
      const other = await openKeyValueStore(store)
      await other.write([{ key, value: 'x'.repeat(50_000) }])
      await other.close()
    }
    await write('first')
    await fill()
    const readOnly = await openKeyValueStore(store)
    expect(readOnly.isReadOnly()).to.equal(true)
    expect(await readOnly.get('first')).to.have.length(50_000)
    expect(await rejection(readOnly.write([{ key: 'a', value: '' }]))).to.be.instanceOf(
      DiskFullError,
    )
    await empty()
    await write('second')
    const error = await rejection(readOnly.write([{ key: 'b', value: '' }]))
    expect(error).to.be.instanceOf(DiskFailedError)
    expect(String(error)).to.include('was changed by another process')
    await readOnly.close()
    const again = await openKeyValueStore(store)
    expect(await again.get('second')).to.have.length(50_000)
    await again.close()
  })

  it('at the first start is reported, and the next start is like a first one', async () => {
    const env = settingsOf(await directory())
    await fill()
    await expectRefused(env)
    await empty()
    const service = await serve(env)
    await (await clientAt(service.url)).prepare()
    await service.end('SIGTERM')
  })

  const rejection = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    )

  /** The files that hold data, with their checksums. */
  async function storedFiles(dataDir: string): Promise<ReadonlyMap<string, string>> {
    const store = join(dataDir, 'store')
    const names = (await readdir(store)).filter((name) =>
      /^CURRENT|^MANIFEST|\.(?:log|ldb)$/.test(name),
    )
    return new Map(
      await Promise.all(
        names.map(async (name) => {
          const content = await readFile(join(store, name))
          return [name, createHash('sha256').update(content).digest('hex')] as const
        }),
      ),
    )
  }

  const readCopies = async ({ pid }: Served): Promise<string[]> =>
    (await readdir('/dev/shm').catch(() => [])).filter((name) =>
      name.startsWith(`zine-catalogue-read-${pid}-`),
    )

  async function expectRefused(env: ReturnType<typeof settingsOf>): Promise<void> {
    const { code, err } = await run([], { ...env, PORT: '0', BASE_URL: 'https://zines.example' })
    expect(code, err).to.equal(1)
    expect(err.trim().split('\n'), err).to.have.length(1)
    expect(err).to.match(/the disk is full|no space left/i)
  }

  it('gets back the space of a file with JSON that does not fit', async () => {
    const errors: unknown[] = []
    const path = join(await directory(), 'json')
    const before = await free()
    const cache = await openFileCache(path, {
      minFreeBytes: 0,
      onError: (error) => errors.push(error),
    })
    for (let number = 0; errors.length === 0; number += 1) {
      cache.set(String(number), 'x'.repeat(100_000))
      await sleep(1)
    }
    expect(errors).to.have.lengthOf(1)
    expect(errors[0]).to.include({ code: 'ENOSPC' })
    expect(cache.get('0')).to.equal(undefined)
    while ((await free()) < before) await sleep(10)
    await cache.close()
  })

  // The answer was 500, and then the process ended.
  it('refuses uploads with 507 while they are sent, and keeps nothing of them', async () => {
    const env = settingsOf(await directory())
    const service = await serve(env)
    const client = await clientAt(service.url)
    await client.prepare()
    await write(client, 'zine', 1)
    await fill(1_000_000)
    const picture = new FormData()
    const noise = sharp(randomBytes(3 * 1500 ** 2), {
      raw: { width: 1500, height: 1500, channels: 3 },
    })
    picture.set('file', new Blob([new Uint8Array(await noise.jpeg().toBuffer())]))
    const uploads: readonly (readonly [path: string, body: RequestInit['body']])[] = [
      ['/api/imports/', Buffer.alloc(8_000_000, 'title\n')],
      ['/api/zines/zine-0/pictures/', picture],
    ]
    for (const [path, body] of uploads) {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { authorization: `Token ${client.token}` },
        ...(body ? { body } : {}),
      })
      expect([response.status, await response.json()], path).to.deep.equal([
        507,
        { detail: 'The disk is full; nothing was written.' },
      ])
    }
    expect(await readdir(join(env.DATA_DIR, 'imports'))).to.deep.equal([])
    expect((await service.end('SIGTERM')).code).to.equal(0)
  })

  it('creates no incomplete account, and a complete one when there is space again', async () => {
    const env = settingsOf(await directory())
    const service = await serve(env)
    const add = (name: string) =>
      run(
        ['account', 'add', name, '--role', 'viewer', '--password-stdin'],
        env,
        'a long password\n',
      )
    const client = await clientAt(service.url)
    await client.prepare()
    await fill()
    // The page that was begun has space for so little.
    await writeUntilRefused(client, 'zine')
    const refused = await add('ada')
    expect(refused.code).to.equal(1)
    expect(refused.err).to.include('the disk is full')
    const list = async () => (await run(['account', 'list'], env)).out
    expect(await list()).not.to.include('ada')
    await empty()
    expect((await add('ada')).code).to.equal(0)
    await service.end('SIGKILL')
    const again = await serve(env)
    expect(await list()).to.include('ada')
    await again.end('SIGTERM')
  })
})
