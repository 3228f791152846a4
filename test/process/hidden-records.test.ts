// Hidden records and drafts stay hidden, and what is removed from them goes, wherever their data are: in a backup and what
// is restored from it, and after the data were moved to another base URL.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { rebaseData } from '../../src/app/offline-commands.js'
import { dataDirectoryOf } from '../../src/app/data-directory.js'
import { backUpTo, restore } from '../../src/commands/backup.js'
import { readConfig } from '../../src/config.js'
import { placesOf } from '../data-directory.js'
import { agent, holding, repository, zine } from '../examples.js'
import { type TestService, startService } from '../service.js'

const donor = 'Dora Donor'
const reason = 'At the request of the maker.'

describe('hidden records', () => {
  let directory: string

  const dataDir = (name: string) => join(directory, name)

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    await withService({}, async ({ post, patch }) => {
      await post(
        '/api/agents/',
        agent('drafted', { display_name: 'Moss', visibility: 'draft', legal_name: 'Ada Moss' }),
      )
      await post('/api/agents/', agent('maker'))
      await post('/api/repositories/', repository('library'))
      await post('/api/zines/', zine('shown', { creator: ['drafted', 'maker'] }))
      await post('/api/zines/', zine('hidden', { creator: ['drafted'], abstract: 'By Ada Moss.' }))
      await post(
        '/api/holdings/',
        holding('copy', { zine_id: 'hidden', repository_id: 'library', donor }),
      )
      const hiding = { visibility: 'hidden', hidden_reason: reason }
      expect((await patch('/api/zines/hidden/', hiding)).status).to.equal(200)
    })
  })

  afterEach(() => rm(directory, { recursive: true, force: true }))

  async function withService(
    env: Readonly<Record<string, string>>,
    work: (service: TestService) => Promise<void>,
  ): Promise<void> {
    const service = await startService({ DATA_DIR: dataDir('data'), STORE: 'embedded', ...env })
    try {
      await work(service)
    } finally {
      await service.close()
    }
  }

  const hiddenPaths = ['/api/agents/drafted/', '/api/zines/hidden/', '/api/holdings/copy/']

  async function expectHidden({ get, url, tokens }: TestService): Promise<void> {
    for (const path of hiddenPaths) {
      expect((await get(path)).status, path).to.equal(404)
      expect((await get(path, { token: tokens.editor })).status, path).to.equal(200)
    }
    const token = tokens.editor
    const { body: zineOfEditor } = await get('/api/zines/hidden/', { token })
    expect(zineOfEditor).to.include({ visibility: 'hidden', hidden_reason: reason })
    expect(zineOfEditor.creator[0].agent_id).to.equal('drafted')
    const { body: draft } = await get('/api/agents/drafted/?private=true', { token })
    expect(draft).to.include({ visibility: 'draft', legal_name: 'Ada Moss' })
    const { body: copy } = await get('/api/holdings/copy/?private=true', { token })
    expect(copy.donor).to.equal(donor)
    const { body: shown } = await get('/api/zines/shown/')
    expect(shown.creator.map((one: any) => one.agent_id)).to.deep.equal(['', 'maker'])
    const dump = await (await fetch(`${url}/dumps/catalogue.nt.gz`)).arrayBuffer()
    const told = [
      gunzipSync(dump).toString(),
      (await get('/api/changes/?since=0')).text,
      (await get('/api/zines/')).text,
    ].join('\n')
    expect(told)
      .to.include('shown')
      .and.not.match(/drafted|Ada Moss|Dora Donor/)
    expect((await get('/api/zines/')).body.count).to.equal(1)
  }

  async function expectShown({ patch, get }: TestService): Promise<void> {
    for (const path of ['/api/agents/drafted/', '/api/zines/hidden/'])
      expect((await patch(path, { visibility: 'public' })).status).to.equal(200)
    for (const path of hiddenPaths) expect((await get(path)).status, path).to.equal(200)
    const { body } = await get('/api/zines/shown/')
    expect(body.creator.map((one: any) => one.agent_id)).to.deep.equal(['drafted', 'maker'])
  }

  async function restoreTo(name: string): Promise<void> {
    const file = join(directory, `${name}.gz`)
    await backUpTo(file, dataDirectoryOf({ dataDir: dataDir('data') }))
    await restore(file, dataDirectoryOf({ dataDir: dataDir(name) }))
  }

  for (const LIST_INDEX of ['on', 'off'])
    it(`stay so after a restart with LIST_INDEX=${LIST_INDEX}, and can be shown`, () =>
      withService({ LIST_INDEX }, async (service) => {
        await expectHidden(service)
        await expectShown(service)
      }))

  it('stay so after a backup and its restore, and can be shown', async () => {
    await restoreTo('restored')
    await withService({ DATA_DIR: dataDir('restored') }, async (service) => {
      await expectHidden(service)
      await expectShown(service)
    })
  })

  it('stay so after the data were moved to another base URL, and can be shown', async () => {
    const moved = 'https://moved.example'
    await rebaseData(readConfig({ DATA_DIR: dataDir('data'), BASE_URL: moved }))
    await withService({ BASE_URL: moved }, async (service) => {
      await expectHidden(service)
      await expectShown(service)
    })
  })

  for (const place of ['data', 'restored'])
    it(`lose what is removed from them for good in what was ${place === 'data' ? 'written' : 'restored'}`, async () => {
      if (place === 'restored') await restoreTo(place)
      await withService({ DATA_DIR: dataDir(place) }, async ({ post }) => {
        for (const [path, field, value] of [
          ['/api/agents/drafted/', 'legal_name', 'Ada Moss'],
          ['/api/zines/hidden/', 'abstract', 'Ada Moss'],
          ['/api/holdings/copy/', 'donor', donor],
        ] as const) {
          const { status, text } = await post(`${path}redact/`, { field, value })
          expect(status, text).to.equal(204)
        }
        for (const text of ['Ada Moss', donor])
          expect(await placesOf(dataDir(place), text)).to.deep.equal([])
      })
    })

  it('are forgotten with their identifiers as others are', async () => {
    await withService({}, async ({ post, get, tokens }) => {
      const renaming = { id: 'moss', forget: true }
      expect((await post('/api/agents/drafted/rename/', renaming)).status).to.equal(200)
      expect(await placesOf(dataDir('data'), 'drafted')).to.deep.equal([])
      const { body } = await get('/api/zines/hidden/', { token: tokens.editor })
      expect(body.creator[0].agent_id).to.equal('moss')
      expect((await get('/api/agents/moss/')).status).to.equal(404)
    })
  })
})
