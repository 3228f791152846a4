// Data directories of earlier releases (test/data-versions/) open with this one: nothing is lost, and
// what they were before stands beside them until it is removed.

import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { type KeyValueStore, openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { currentVersion, versionText } from '../../src/store/key-value/data-version.js'
import { derivationKey, upgradeKey, versionKey } from '../../src/store/key-value/keys.js'
import {
  entriesOf,
  expectAnswers,
  releases,
  unpack,
  upgradeBackup,
} from '../data-versions/archives.js'
import { placesOf } from '../data-directory.js'
import { settingsOf } from '../faults/client.js'
import { run, serve, withDirectory } from '../process.js'
import { until } from '../waiting.js'

/** Changes a stopped store. */
async function changeStore(
  dataDir: string,
  change: (store: KeyValueStore) => Promise<void>,
): Promise<void> {
  const store = await openKeyValueStore(join(dataDir, 'store'))
  await change(store)
  await store.close()
}

describe('a data directory of an earlier release', () => {
  it('is in the archives for each release that had another data version', () => {
    expect(releases).to.include.members(['796205b', 'd4e7d38', '8d20ff4', '5da0211', 'f916151'])
  })

  for (const release of releases)
    it(`of ${release} keeps everything, is upgraded once, and leaves a copy of what it was`, () =>
      withDirectory(async (directory) => {
        const { dataDir, expected } = unpack(release, directory)
        const before = await entriesOf(join(dataDir, 'store'))
        const isOlder = before.get(derivationKey) !== currentVersion.derivation
        const first = await serve(settingsOf(dataDir))
        const client = await expectAnswers(first.url, expected)
        const changed = await client.ask('PATCH', '/api/zines/doris/', { abstract: 'Later.' })
        expect(changed.status).to.equal(200)
        const { out } = await first.end('SIGTERM')
        const doctor = await run(['doctor'], { DATA_DIR: dataDir })
        expect(doctor.code, doctor.out).to.equal(0)
        expect(out.includes('were brought from version')).to.equal(isOlder)
        expect((await readdir(dataDir)).includes(upgradeBackup)).to.equal(isOlder)
        if (!isOlder) return
        const copy = join(dataDir, upgradeBackup)
        expect(out).to.include(`${copy} has the data as they were`)

        const second = await serve(settingsOf(dataDir))
        const again = await second.end('SIGTERM')
        expect(again.out).not.to.include('were brought from version')
        expect(again.out).to.include(`${copy} has the data as they were`)
        expect(await entriesOf(join(copy, 'store'))).to.deep.equal(before)
        const removed = await run(['remove-upgrade-backup'], { DATA_DIR: dataDir })
        expect(removed.out).to.equal(`removed ${copy}\n`)
        expect(await readdir(dataDir)).not.to.include(upgradeBackup)
      }))
})

describe('the copy that an upgrade makes', () => {
  it('is made by a command that opens the data first too, which says so', () =>
    withDirectory(async (directory) => {
      const { dataDir } = unpack('d4e7d38', directory)
      const env = { DATA_DIR: dataDir, BASE_URL: 'https://zines.example' }
      const { code, err } = await run(['import', 'list'], env)
      expect(code, err).to.equal(0)
      expect(err).to.include(`${join(dataDir, upgradeBackup)} has the data as they were`)
    }))

  it('is not made of data with another base URL, whose start is refused', () =>
    withDirectory(async (directory) => {
      const { dataDir } = unpack('d4e7d38', directory)
      const refused = await run([], { ...settingsOf(dataDir), BASE_URL: 'https://other.example' })
      expect(refused.code).to.equal(1)
      expect(await readdir(dataDir)).not.to.include(upgradeBackup)
    }))

  it('is made again where an upgrade was taken back and work went on', () =>
    withDirectory(async (directory) => {
      const { dataDir } = unpack('d4e7d38', directory)
      await (await serve(settingsOf(dataDir))).end('SIGTERM')
      // As if the copy had been put back, and the earlier release had written this.
      await changeStore(dataDir, (store) =>
        store.write([
          { key: derivationKey, value: '3' },
          { key: 'meta/log', value: 'later' },
        ]),
      )
      await (await serve(settingsOf(dataDir))).end('SIGTERM')
      const copied = await entriesOf(join(dataDir, upgradeBackup, 'store'))
      expect(copied.get('meta/log')).to.equal('later')
    }))

  it('is not removed by the command while the upgrade is not finished', () =>
    withDirectory(async (directory) => {
      const { dataDir } = unpack('d4e7d38', directory)
      await (await serve(settingsOf(dataDir))).end('SIGTERM')
      await changeStore(dataDir, (store) => store.write([{ key: upgradeKey, value: '1.10' }]))
      const { code, err } = await run(['remove-upgrade-backup'], { DATA_DIR: dataDir })
      expect([code, err]).to.deep.equal([
        1,
        'the upgrade is not finished; start the service, which goes on with it\n',
      ])
      expect(await readdir(dataDir)).to.include(upgradeBackup)
    }))

  it('goes when something is removed for good, which it has too', () =>
    withDirectory(async (directory) => {
      const { dataDir, expected } = unpack('8d20ff4', directory)
      const service = await serve(settingsOf(dataDir))
      const client = await expectAnswers(service.url, expected)
      const text = 'Ada Lovelace'
      expect(await placesOf(join(dataDir, upgradeBackup), text)).not.to.deep.equal([])
      const { status } = await client.ask('POST', '/api/agents/hidden-name/redact/', {
        field: 'legal_name',
        value: text,
      })
      expect(status).to.equal(204)
      expect(await placesOf(dataDir, text)).to.deep.equal([])
      await service.end('SIGTERM')
    }))

  it('goes when the history of its time is forgotten', () =>
    withDirectory(async (directory) => {
      const { dataDir } = unpack('8d20ff4', directory)
      await (await serve(settingsOf(dataDir))).end('SIGTERM')
      const path = join(dataDir, upgradeBackup)
      const day = 86_400
      const made = (await stat(path)).mtimeMs / 1000
      await utimes(path, made, made - 2 * day)
      await (await serve({ ...settingsOf(dataDir), HISTORY_KEEP: '3d' })).end('SIGTERM')
      expect(await readdir(dataDir)).to.include(upgradeBackup)
      const service = await serve({ ...settingsOf(dataDir), HISTORY_KEEP: '1d' })
      await until(async () => !(await readdir(dataDir)).includes(upgradeBackup))
      await service.end('SIGTERM')
    }))
})

describe('data of a later version', () => {
  const later = [
    [versionKey, '2', '2.10'],
    [derivationKey, '11', '1.11'],
  ] as const

  for (const [key, value, version] of later)
    it(`${version} are refused with a sentence, and not changed`, () =>
      withDirectory(async (directory) => {
        const { dataDir } = unpack(releases.at(0) ?? '', directory)
        await (await serve(settingsOf(dataDir))).end('SIGTERM')
        await changeStore(dataDir, (store) => store.write([{ key, value }]))
        const before = await entriesOf(join(dataDir, 'store'))
        const env = { ...settingsOf(dataDir), BASE_URL: 'https://zines.example' }
        const message =
          `the data are of version ${version}; this service reads version ${versionText(currentVersion)}: ` +
          'run the later release that wrote them, or restore a backup from before it'
        for (const args of [[], ['import', 'list'], ['rebase', 'https://other.example']]) {
          const { code, err } = await run(args, env)
          expect(code, args.join(' ')).to.equal(1)
          expect(err).to.equal(`${message}\n`)
        }
        const doctor = await run(['doctor'], env)
        expect(doctor.out).to.include(`the data are of version ${version}`)
        expect(await entriesOf(join(dataDir, 'store'))).to.deep.equal(before)
        const archive = join(directory, 'backup.gz')
        expect((await run(['backup', archive], env)).code).to.equal(0)
        const restored = await run(['restore', archive], { DATA_DIR: join(directory, 'other') })
        expect(restored.err).to.equal(`${message}\n`)
      }))
})
