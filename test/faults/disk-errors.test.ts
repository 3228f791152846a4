// A disk that fails: the service's system calls are made to (strace -e inject). What a sync that
// failed was about is unknown, and the next one may say that all is well though nothing was kept; so
// the process has to stop, and what was acknowledged has to be there when it is started again.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { zine } from '../examples.js'
import { type Served, run, serve, withDirectory } from '../process.js'
import { type Client, canRun, clientAt, settingsOf } from './client.js'

const hasStrace = canRun('strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', 'true')

/** At which sync it fails; FAULT_SYNCS=20 asks for each of the first twenty. */
const syncs = process.env.FAULT_SYNCS
  ? Array.from({ length: Number(process.env.FAULT_SYNCS) }, (_, number) => number + 1)
  : [1, 6, 9]

const tracer = ['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null']

/** A command under which a system call fails, of the thread that writes. */
const failing = (call: string, how: string, files: readonly string[] = []): string[] => [
  ...tracer,
  ...files.flatMap((file) => ['-P', file]),
  '-e',
  `trace=${call}`,
  '-e',
  `inject=${call}:${how}`,
]

describe(`a disk that fails${hasStrace ? '' : ' (needs strace)'}`, function () {
  this.timeout(240_000)
  before(function () {
    if (!hasStrace) this.skip()
  })

  // strace counts the calls of each thread by itself.
  const settings = (directory: string) => ({ ...settingsOf(directory), UV_THREADPOOL_SIZE: '1' })

  /** Writes until there is no answer that all went well. */
  async function write(client: Client, prefix: string, most: number): Promise<string[]> {
    const kept: string[] = []
    while (kept.length < most) {
      const id = `${prefix}-${kept.length}`
      const answer = await client.post('zines', zine(id)).catch(() => undefined)
      if (answer?.status !== 201) return kept
      kept.push(id)
    }
    return kept
  }

  async function prepare(directory: string): Promise<void> {
    const service = await serve(settings(directory))
    await (await clientAt(service.url)).prepare()
    await service.end('SIGTERM')
  }

  async function expectAll(directory: string, ids: readonly string[]): Promise<void> {
    const service = await serve(settings(directory))
    const { get } = await clientAt(service.url)
    for (const id of ids) expect((await get(`/api/zines/${id}/`)).status, id).to.equal(200)
    // What was asked last was not acknowledged, and may be there.
    const { body } = await get('/api/zines/?page_size=100')
    expect(body.count).to.be.within(ids.length, ids.length + syncs.length)
    expect((await service.end('SIGTERM')).code).to.equal(0)
  }

  it(`stops at a failed sync, whichever it is, and tries none again (${syncs.join(', ')})`, () =>
    withDirectory(async (directory) => {
      await prepare(directory)
      const kept: string[] = []
      for (const number of syncs) {
        const through = failing('fdatasync', `error=EIO:when=${number}`)
        let service: Served
        try {
          service = await serve(settings(directory), through)
        } catch (error) {
          // It was one of the start's own.
          expect((error as Error).message).to.match(
            /the disk failed: IO error: .*Input\/output error/,
          )
          continue
        }
        kept.push(...(await write(await clientAt(service.url), `sync-${number}`, number + 5)))
        const { code, out } = await service.ended
        expect(code).to.equal(1)
        expect(out).to.include('the disk failed; stopping')
      }
      await expectAll(directory, kept)
    }))

  it('stops at a sync for which there was no space', () =>
    withDirectory(async (directory) => {
      await prepare(directory)
      const through = failing('fdatasync', 'error=ENOSPC:when=8')
      const service = await serve(settings(directory), through)
      const kept = await write(await clientAt(service.url), 'zine', 20)
      expect((await service.ended).code).to.equal(1)
      await expectAll(directory, kept)
    }))

  /** The logs that the next start may write, whichever number it takes. */
  async function nextLogs(directory: string): Promise<string[]> {
    const store = join(directory, 'store')
    const numbers = (await readdir(store)).map((name) => Number(/\d+/.exec(name)?.[0] ?? 0))
    const last = Math.max(...numbers)
    return Array.from({ length: 12 }, (_, index) =>
      join(store, `${String(last + index + 1).padStart(6, '0')}.log`),
    )
  }

  it('stops when it cannot write', () =>
    withDirectory(async (directory) => {
      await prepare(directory)
      const through = failing('write', 'error=EIO:when=4', await nextLogs(directory))
      const service = await serve(settings(directory), through)
      const kept = await write(await clientAt(service.url), 'zine', 20)
      expect(kept).to.have.length.within(1, 19)
      expect((await service.ended).code).to.equal(1)
      await expectAll(directory, kept)
    }))

  it('refuses what it has no space to write, and loses nothing of what follows', () =>
    withDirectory(async (directory) => {
      await prepare(directory)
      const through = failing('write', 'error=ENOSPC:when=4', await nextLogs(directory))
      const service = await serve(settings(directory), through)
      const client = await clientAt(service.url)
      const kept = await write(client, 'before', 20)
      expect(kept).to.have.length.within(1, 19)
      const after = await write(client, 'after', 30)
      expect(after).to.have.length(30)
      await service.end('SIGKILL')
      await expectAll(directory, [...kept, ...after])
    }))

  it('takes no notice of a write that is cut short', () =>
    withDirectory(async (directory) => {
      await prepare(directory)
      const through = failing('write', 'retval=0:when=4', await nextLogs(directory))
      const service = await serve(settings(directory), through)
      const kept = await write(await clientAt(service.url), 'zine', 20)
      expect(kept).to.have.length(20)
      await service.end('SIGKILL')
      await expectAll(directory, kept)
    }))

  it('does no more than take its time when the disk does', () =>
    withDirectory(async (directory) => {
      await prepare(directory)
      const through = failing('fdatasync', 'delay_enter=400000:when=6+')
      const service = await serve(settings(directory), through)
      const client = await clientAt(service.url)
      const warm = await write(client, 'warm', 5)
      let isKept = false
      const started = performance.now()
      const writes = Promise.all(
        Array.from({ length: 8 }, (_, number) => client.post('zines', zine(`slow-${number}`))),
      ).then((answers) => {
        isKept = true
        return answers
      })
      expect((await client.get('/api/zines/warm-0/')).status).to.equal(200)
      expect(isKept, 'reads wait for no sync').to.equal(false)
      for (const { status } of await writes) expect(status).to.equal(201)
      expect(performance.now() - started).to.be.above(400)
      expect((await service.end('SIGTERM')).code).to.equal(0)
      const slow = Array.from({ length: 8 }, (_, number) => `slow-${number}`)
      await expectAll(directory, [...warm, ...slow])
    }))

  for (const [what, pattern] of [
    ['what is current', /^CURRENT$/],
    ['the manifest', /^MANIFEST-/],
  ] as const)
    it(`is told in one line when it cannot read ${what}, and nothing is lost by it`, () =>
      withDirectory(async (directory) => {
        await prepare(directory)
        const store = join(directory, 'store')
        const files = (await readdir(store)).filter((name) => pattern.test(name))
        const through = failing(
          'read',
          'error=EIO',
          files.map((name) => join(store, name)),
        )
        const { code, err } = await run([], { ...settings(directory), PORT: '0' }, '', through)
        expect(code, err).to.equal(1)
        expect(err.trim().split('\n'), err).to.have.length(1)
        expect(err).to.match(/Input\/output error|i\/o error/)
        const service = await serve(settings(directory))
        const { get } = await clientAt(service.url)
        expect((await get('/api/agents/maker/')).status).to.equal(200)
        await service.end('SIGTERM')
      }))
})
