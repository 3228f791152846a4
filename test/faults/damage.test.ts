// What is on the disk is not what was written: a start says which file, and how to go on, and never
// serves less than there was.

import { cp, open, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { checkIntegrity } from '../../src/lib/key-value/integrity-check.js'
import { DataCorruptedError } from '../../src/lib/key-value/errors.js'
import { agent, zine } from '../examples.js'
import { run, serve, withDirectory } from '../process.js'
import { startService } from '../service.js'

type Damage = (store: string) => Promise<void>

// prettier-ignore
const cases: readonly (readonly [what: string, named: string, damage: Damage])[] = [
  ['CURRENT is deleted',                          'CURRENT',  (store) => rm(join(store, 'CURRENT'))],
  ['CURRENT is empty',                            'CURRENT',  (store) => truncate(join(store, 'CURRENT'))],
  ['the manifest is deleted',                     'MANIFEST', async (store) => rm(await file(store, /^MANIFEST/))],
  ['the manifest lost its end',                   'MANIFEST', async (store) => shorten(await file(store, /^MANIFEST/), 20)],
  ['a byte of the manifest is changed',           'MANIFEST', async (store) => flip(await file(store, /^MANIFEST/), 0.2)],
  ['a table is deleted',                          '.ldb',     async (store) => rm(await file(store, /ldb$/))],
  ['a table is cut short',                        '.ldb',     async (store) => shorten(await file(store, /ldb$/), 4000)],
  ['a table is empty',                            '.ldb',     async (store) => truncate(await file(store, /ldb$/))],
  ['a byte of a table is changed',                '.ldb',     async (store) => flip(await file(store, /ldb$/), 0.3)],
  ['a log is deleted',                            '.log',     async (store) => rm(await file(store, /log$/))],
  ['a log lost its end',                          '.log',     async (store) => shorten(await file(store, /log$/), 50)],
  ['the last byte of a log is changed',           '.log',     async (store) => flip(await file(store, /log$/), 1)],
  ['a byte of a log is changed',                  '.log',     async (store) => flip(await file(store, /log$/), 0.4)],
  ['a byte of a log is changed after a kill',    '.log',     async (store) => killed(store, flip(await file(store, /log$/), 0.4))],
  ['a table is cut short, after a kill',          '.ldb',     async (store) => killed(store, shorten(await file(store, /ldb$/), 9))],
  ['a log lacks its first record after a kill',   '.log',     (store) => killed(store, editRecords(store, ([, ...rest]) => rest))],
  ['a log lacks a record after a kill',           '.log',     (store) => killed(store, editRecords(store, (all) => all.toSpliced(2, 1)))],
  ['two records of a log are swapped after a kill', '.log',   (store) => killed(store, editRecords(store, ([a, b, c, ...rest]) => [a, c, b, ...rest]))],
  ['a record of a log is doubled after a kill',   '.log',     (store) => killed(store, editRecords(store, ([a, b, ...rest]) => [a, b, b, ...rest]))],
  ['the store is missing but the server key exists',     'CURRENT',  (store) => rm(store, { recursive: true })],
]

describe('the check for damage at the start', () => {
  let sound: string

  before(async () => {
    // The second start makes a table of the first one's log.
    const first = await startService()
    await first.post('/api/agents/', agent('maker'))
    for (let number = 0; number < 25; number += 1)
      await first.post('/api/zines/', zine(`a${number}`, { abstract: wordy(number) }))
    await first.close()
    const second = await startService({ DATA_DIR: first.dataDir })
    for (let number = 0; number < 10; number += 1)
      await second.post('/api/zines/', zine(`b${number}`, { abstract: wordy(number) }))
    await second.close()
    sound = first.dataDir
  })

  after(() => rm(sound, { recursive: true, force: true }))

  for (const [what, named, damage] of cases)
    it(`refuses the start and changes nothing when ${what}`, () =>
      withDirectory(async (directory) => {
        await cp(sound, directory, { recursive: true })
        const store = join(directory, 'store')
        await damage(store)
        const before = await contentOf(store)
        const refusal = await startService({ DATA_DIR: directory }).catch(asError)
        if (!(refusal instanceof DataCorruptedError)) throw new Error(`not refused: ${what}`)
        expect(refusal.message).to.include(store).and.include(named).and.include('restore FILE')
        expect(await contentOf(store)).to.deep.equal(before)
      }))

  it('ends the process and every command with one line about the damage', () =>
    withDirectory(async (directory) => {
      await cp(sound, directory, { recursive: true })
      await rm(join(directory, 'store'), { recursive: true })
      for (const args of [[], ['account', 'list'], ['rebase', 'http://other.example']]) {
        const { code, out, err } = await run(args, env(directory))
        expect(code).to.equal(1)
        expect(out).not.to.include('listening')
        expect(err.trim().split('\n')).to.have.length(1)
        expect(err).to.include('restore FILE')
        expect(await readdir(directory)).not.to.include('store')
      }
    }))

  it('accepts an incomplete write of a killed process and drops it', () =>
    withDirectory(async (directory) => {
      await cp(sound, directory, { recursive: true })
      const store = join(directory, 'store')
      // The last write is that of the stop, which is about the file of indexes.
      await killed(store, shorten(await file(store, /log$/), 200))
      const service = await serve(env(directory))
      const answer = await fetch(`${service.url}/api/zines/?page_size=1`)
      expect(await answer.json()).to.include({ count: 34 })
      await service.end('SIGTERM')
    }))

  it('accepts an undamaged store', () =>
    withDirectory(async (directory) => {
      await cp(sound, directory, { recursive: true })
      // Twice, since every start begins new files.
      for (let start = 0; start < 2; start += 1) {
        const service = await serve(env(directory))
        const answer = await fetch(`${service.url}/api/zines/?page_size=1`)
        expect(await answer.json()).to.include({ count: 35 })
        await service.end(start === 0 ? 'SIGKILL' : 'SIGTERM')
      }
    }))

  // It looks like the log of a process that was killed before it wrote that record.
  it('cannot find that the last record of a log is missing after a kill', () =>
    withDirectory(async (directory) => {
      await cp(sound, directory, { recursive: true })
      const store = join(directory, 'store')
      await killed(
        store,
        editRecords(store, (all) => all.slice(0, -1)),
      )
      await checkIntegrity(store, [])
    }))

  it('finds a changed byte anywhere in a table', () =>
    withDirectory(async (directory) => {
      await cp(sound, directory, { recursive: true })
      const store = join(directory, 'store')
      const table = await file(store, /ldb$/)
      const bytes = await readFile(table)
      for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 500)) {
        await writeFile(table, flipped(bytes, at))
        const failure = await checkIntegrity(store, []).catch(asError)
        // The footer is filled up with zeros that nobody reads.
        if (at < bytes.length - 48 || at >= bytes.length - 8)
          expect(failure, `byte ${at}`).to.be.instanceOf(DataCorruptedError)
      }
      await writeFile(table, bytes)
      await checkIntegrity(store, [])
    }))
})

const asError = (error: unknown): unknown => error

const env = (directory: string) => ({
  DATA_DIR: directory,
  PORT: '0',
  BASE_URL: 'https://zines.example',
  SPARQL_WORKERS: '0',
})

// Words that do not repeat, so that the table has several blocks and its compression has work.
const wordy = (seed: number): string =>
  Array.from({ length: 200 }, (_, place) => ((seed + 7) * (place + 13) * 7919).toString(36)).join(
    ' ',
  )

/** The first file of the store with such a name. */
async function file(store: string, name: RegExp): Promise<string> {
  const found = (await readdir(store)).sort().find((one) => name.test(one))
  if (found === undefined) throw new Error(`${store} has no ${String(name)}`)
  return join(store, found)
}

async function shorten(path: string, bytes: number): Promise<void> {
  await truncate(path, (await readFile(path)).length - bytes)
}

/** Changes the byte so far into the file. */
async function flip(path: string, share: number): Promise<void> {
  const bytes = await readFile(path)
  const at = Math.min(bytes.length - 1, Math.floor(bytes.length * share))
  const handle = await open(path, 'r+')
  await handle.write(flipped(bytes, at), at, 1, at)
  await handle.close()
}

type LogRecord = Buffer | undefined

/** Changes the records in the first block of the log, each with its header; the others are removed. */
async function editRecords(
  store: string,
  edit: (records: readonly LogRecord[]) => readonly LogRecord[],
): Promise<void> {
  const path = await file(store, /log$/)
  const bytes = (await readFile(path)).subarray(0, 32 * 1024)
  const records: Buffer[] = []
  let end = 0
  // A header has the checksum, the length, and the type, which is 1 for a whole record.
  for (let at = 0; at + 7 < bytes.length && bytes[at + 6] === 1; at = end) {
    end = at + 7 + bytes.readUInt16LE(at + 4)
    records.push(Buffer.from(bytes.subarray(at, end)))
  }
  expect(records).to.have.length.above(3)
  // Removed records leave space for one that is doubled.
  await writeFile(path, Buffer.concat(edit(records.slice(0, -1)).flatMap((one) => one ?? [])))
}

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 0x55
  return changed
}

/** What was killed left no note of how it ended. */
async function killed(store: string, damage: Promise<void>): Promise<void> {
  await damage
  await rm(join(store, 'CLOSED'))
}

/** All files but those that looking alone writes. */
async function contentOf(store: string): Promise<readonly (readonly [string, string])[]> {
  const names = (await readdir(store).catch(() => [])).filter((name) => !name.startsWith('LO'))
  return Promise.all(
    names.sort().map(async (name) => [name, await readFile(join(store, name), 'latin1')] as const),
  )
}
