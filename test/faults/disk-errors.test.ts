// A disk that fails: the service's system calls are made to (strace -e inject). What a sync that
// failed was about is unknown, and the next one may say that all is well though nothing was kept;
// so the process has to stop, and what was acknowledged has to be there when it is started again.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { zine } from '../examples.js'
import { type Run, type Served, run, serve, withDirectory } from '../process.js'
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

describe(`a disk that fails${hasStrace ? '' : ' (needs strace)'}`, () => {
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

  it(`stops the process at any failed sync without another one (${syncs.join(', ')})`, () =>
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

  it('stops the process at a sync that found no space', () =>
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

  it('stops the process at a failed write', () =>
    withDirectory(async (directory) => {
      await prepare(directory)
      const through = failing('write', 'error=EIO:when=4', await nextLogs(directory))
      const service = await serve(settings(directory), through)
      const kept = await write(await clientAt(service.url), 'zine', 20)
      expect(kept).to.have.length.within(1, 19)
      expect((await service.ended).code).to.equal(1)
      await expectAll(directory, kept)
    }))

  it('rejects writes without space and loses none of the later ones', () =>
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

  it('continues a write that was cut short', () =>
    withDirectory(async (directory) => {
      await prepare(directory)
      const through = failing('write', 'retval=0:when=4', await nextLogs(directory))
      const service = await serve(settings(directory), through)
      const kept = await write(await clientAt(service.url), 'zine', 20)
      expect(kept).to.have.length(20)
      await service.end('SIGKILL')
      await expectAll(directory, kept)
    }))

  it('waits for slow syncs', () =>
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

  const isLog = /^\d+\.log$/
  const isTable = /^\d+\.ldb$/

  /** A store with a table, and a log behind it. */
  async function prepareTable(directory: string): Promise<void> {
    await prepare(directory)
    // Every start makes a table of the log before it.
    const service = await serve(settings(directory))
    await (await clientAt(service.url)).post('zines', zine('logged'))
    await service.end('SIGKILL')
  }

  async function filesOf(directory: string, pattern: RegExp): Promise<string[]> {
    const store = join(directory, 'store')
    const names = (await readdir(store)).filter((name) => pattern.test(name))
    expect(names, String(pattern)).not.to.be.empty
    return names.map((name) => join(store, name))
  }

  const start = (directory: string, through: readonly string[]) =>
    run([], { ...settings(directory), PORT: '0' }, '', through)

  /** It ended with one line, which names one of the files. */
  function expectRefusal({ code, out, err }: Run, files: readonly string[]): void {
    expect(code, err).to.equal(1)
    expect(out).not.to.include('listening')
    expect(err.trim().split('\n'), err).to.have.length(1)
    expect(err).to.match(/Input\/output error|i\/o error/)
    expect(
      files.some((file) => err.includes(file)),
      err,
    ).to.equal(true)
  }

  for (const [what, pattern, call, how] of [
    ['read CURRENT', /^CURRENT$/, 'read', 'error=EIO'],
    ['read the manifest', /^MANIFEST-/, 'read', 'error=EIO'],
    ['read a log', isLog, 'read', 'error=EIO'],
    ['read a table', isTable, 'read', 'error=EIO'],
    // LevelDB maps its tables, once we have read them.
    ['map a table', isTable, 'mmap', 'error=EIO'],
    ['open a table again', isTable, 'openat', 'error=EIO:when=2+'],
  ] as const)
    it(`is reported in one line when it cannot ${what}, and nothing is lost`, () =>
      withDirectory(async (directory) => {
        await prepareTable(directory)
        const files = await filesOf(directory, pattern)
        expectRefusal(await start(directory, failing(call, how, files)), files)
        await expectAll(directory, ['logged'])
      }))

  // LevelDB takes a log that it cannot read for one that ends there, and deletes it.
  it('is reported in one line when any read of a log fails, and nothing is lost', () =>
    withDirectory(async (directory) => {
      await prepareTable(directory)
      const ids = ['logged']
      const told = []
      for (let number = 1; ; number += 1) {
        const files = await filesOf(directory, isLog)
        const through = failing('read', `error=EIO:when=${number}`, files)
        const service = await serve(settings(directory), through).catch(asError)
        if (!(service instanceof Error)) {
          await service.end('SIGKILL')
          break
        }
        expect(service.message).to.match(/i\/o error|Input\/output error/)
        expect(files.some((file) => service.message.includes(file))).to.equal(true)
        told.push(service.message)
        const next = await serve(settings(directory))
        const client = await clientAt(next.url)
        for (const id of ids)
          expect((await client.get(`/api/zines/${id}/`)).status, service.message).to.equal(200)
        ids.push(...(await write(client, `after-${number}`, 1)))
        await next.end('SIGKILL')
      }
      // Two were ours, and the others LevelDB's.
      expect(told).to.have.length.above(2)
      expect(told.filter((message) => message.includes('dropping'))).not.to.be.empty
      await expectAll(directory, ids)
    }))

  it('does not prevent reading from memory when it cannot be read', () =>
    withDirectory(async (directory) => {
      await prepareTable(directory)
      const service = await serve(settings(directory))
      const client = await clientAt(service.url)
      const files = await filesOf(directory, /^(?:\d+\.(?:log|ldb)|MANIFEST-\d+|CURRENT)$/)
      const trace = join(directory, 'trace')
      const reads = 'read,pread64,readv,preadv,openat,mmap'
      // What is written is seen and left alone, which shows that the files are watched at all.
      const calls = ['-e', `trace=${reads},write`, '-e', `inject=${reads}:error=EIO`]
      const paths = files.flatMap((file) => ['-P', file])
      const args = ['-f', '-qq', '-o', trace, ...paths, ...calls, '-p', String(service.pid)]
      const tracing = spawn('strace', args, { stdio: 'ignore' })
      try {
        await isTraced(service.pid)
        for (const path of ['zines/logged/', 'zines/', 'agents/maker/', 'export/zines/'])
          for (const format of ['json', 'csv', 'turtle']) {
            const response = await fetch(`${service.url}/api/${path}?format=${format}`)
            expect(response.status, path).to.equal(200)
            expect(await response.text(), path).to.match(/logged|maker/)
          }
        const changed = await client.ask('PATCH', '/api/zines/logged/', { title: 'Changed' })
        expect(changed.status).to.equal(200)
      } finally {
        tracing.kill()
        await once(tracing, 'close')
      }
      expect(await readFile(trace, 'utf8')).to.include('write(')
      await service.end('SIGKILL')
      await expectAll(directory, ['logged'])
    }))

  async function isTraced(pid: number): Promise<void> {
    while (/TracerPid:\s0$/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))) await sleep(50)
  }
})

const asError = (error: unknown): Error => error as Error
