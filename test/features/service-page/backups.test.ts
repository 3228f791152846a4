// Backups into a folder: when they are made, which are kept, and what is told of one that fails.

import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { readArchiveFile } from '../../../src/commands/archive-file.js'
import { readConfig } from '../../../src/config.js'
import { Backups, fileNameAt } from '../../../src/features/service-page/backups.js'
import { agent } from '../../examples.js'
import { type TestService, startService } from '../../service.js'
import { until } from '../../waiting.js'

const hour = 3_600_000

const start = Date.parse('2026-03-01T04:00:00Z')

describe('backups into a folder', () => {
  let directory: string
  let clock: number
  let services: TestService[]

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-backups-'))
    clock = start
    services = []
  })
  afterEach(async () => {
    for (const service of services) await service.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const backupNames = async (): Promise<readonly string[]> => (await readdir(directory)).sort()

  async function startWith(env: Readonly<Record<string, string>>): Promise<TestService> {
    const service = await startService(
      { BACKUP_DIR: directory, ...env },
      { backupTiming: { now: () => clock, look: 5 } },
    )
    services.push(service)
    return service
  }

  it('are made when they are due, are whole, and only the newest are kept', async () => {
    await writeFile(join(directory, 'notes.txt'), 'not a backup')
    await writeFile(join(directory, `${fileNameAt(start - 9 * hour)}.77.unfinished`), 'of a kill')
    const service = await startWith({ BACKUP_EVERY: '6h', BACKUP_KEEP: '2' })
    const made = [fileNameAt(start)]
    await until(async () => (await backupNames()).length === 2)
    expect(await backupNames()).to.deep.equal(['notes.txt', ...made].sort())
    await service.post('/api/agents/', agent('maker'))
    for (const hours of [6, 12]) {
      clock = start + hours * hour
      made.push(fileNameAt(clock))
      await until(async () => (await backupNames()).includes(fileNameAt(clock)))
    }
    const kept = ['notes.txt', ...made.slice(-2)].sort()
    await until(async () => (await backupNames()).length === kept.length)
    expect(await backupNames()).to.deep.equal(kept)
    const keys: string[] = []
    await readArchiveFile(join(directory, made.at(-1) ?? ''), (part) => {
      if ('key' in part) keys.push(part.key)
    })
    expect(keys).to.include('record/agents/maker')
    const metrics = await service.get('/metrics')
    expect(metrics.text).to.include('zine_catalogue_backups_total{outcome="made"} 3')
    expect(metrics.text).to.include(`zine_catalogue_last_backup_seconds ${clock / 1000}`)
  })

  it('that failed are told to administrators, and tried again after an hour', async () => {
    const folder = join(directory, 'folder')
    const target = join(directory, 'not', 'there')
    await symlink(target, folder)
    const service = await startWith({ BACKUP_DIR: folder, BACKUP_EVERY: '1d' })
    const feed = await service.post('/api/auth/feeds/', { label: 'phone' })
    const { pathname, search } = new URL(feed.body.url)
    const tasks = async (): Promise<string> => (await service.get(pathname + search)).text
    await until(async () => (await tasks()).includes('A backup failed'))
    const metrics = await service.get('/metrics')
    expect(metrics.text).to.include('zine_catalogue_backups_total{outcome="failed"} 1')
    await mkdir(target, { recursive: true })
    clock += hour
    await until(async () => (await readdir(target)).includes(fileNameAt(clock)))
    await until(async () => !(await tasks()).includes('A backup failed'))
  })

  it('are reckoned from the newest file, whatever made it and however often the service starts', async () => {
    const status = async (files: readonly string[]): Promise<string | undefined> => {
      for (const file of files) await writeFile(join(directory, file), '')
      const backups = new Backups({
        settings: { directory, every: 24 * hour, keep: 7 },
        save: () => Promise.resolve(),
        onDone: () => undefined,
        onError: () => undefined,
        stopping: new AbortController().signal,
        timing: { now: () => clock, look: 1000 },
      })
      return (await backups.status()).next
    }
    const after = (hours: number): string => new Date(start + hours * hour).toISOString()
    expect(await status([])).to.equal(after(0))
    expect(await status([fileNameAt(start - 20 * hour)])).to.equal(after(4))
    // The clock was wrong when this was made.
    expect(await status([fileNameAt(start + 900 * hour)])).to.equal(after(24))
  })

  it('are never made two at once, and the one just made is never removed', async () => {
    let [running, most] = [0, 0]
    const backups = new Backups({
      settings: { directory, every: undefined, keep: 1 },
      async save(file) {
        most = Math.max(most, (running += 1))
        await writeFile(file, 'whole')
        running -= 1
      },
      onDone: () => undefined,
      onError: (error) => expect.fail(error.message),
      stopping: new AbortController().signal,
      timing: { now: () => clock, look: 1000 },
    })
    await writeFile(join(directory, fileNameAt(start + 900 * hour)), 'of the future')
    for (let count = 0; count < 3; count += 1) backups.begin()
    await backups.close()
    expect(most).to.equal(1)
    expect(await backupNames()).to.deep.equal([fileNameAt(start)])
    expect(await readFile(join(directory, fileNameAt(start)), 'utf8')).to.equal('whole')
  })

  it('take a time in hours or days, and only with a folder', () => {
    const read = (env: Readonly<Record<string, string>>) => readConfig(env).backups
    expect(read({})).to.equal(undefined)
    expect(read({ BACKUP_DIR: directory })).to.deep.include({ every: 24 * hour, keep: 7 })
    expect(read({ BACKUP_DIR: directory, BACKUP_EVERY: '12h' })?.every).to.equal(12 * hour)
    expect(read({ BACKUP_DIR: directory, BACKUP_EVERY: 'off' })?.every).to.equal(undefined)
    for (const [env, words] of [
      [{ BACKUP_DIR: directory, BACKUP_EVERY: '90m' }, 'BACKUP_EVERY is "90m"'],
      [{ BACKUP_DIR: directory, BACKUP_KEEP: '0' }, 'BACKUP_KEEP is "0"'],
      [{ BACKUP_EVERY: '1d' }, 'BACKUP_DIR is not'],
    ] as const)
      expect(() => read(env)).to.throw(words)
  })
})
