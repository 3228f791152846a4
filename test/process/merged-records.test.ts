// A merged record leads to the other one after a restart, with and without the index in memory, after the
// data were moved to another base URL and after an export and import; and the doctor checks it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { loadModel } from '../../src/app/load-model.js'
import { rebaseData } from '../../src/app/offline-commands.js'
import { dataDirectoryOf } from '../../src/app/data-directory.js'
import { backUpTo, restore } from '../../src/commands/backup.js'
import { dataFiles, readConfig } from '../../src/config.js'
import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { derivationKey } from '../../src/store/key-value/keys.js'
import { checkEntries } from '../doctor.js'
import { agent, zine } from '../examples.js'
import { BASE_URL, type TestService, startService } from '../service.js'

describe('merged records', () => {
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    const service = await startService({ DATA_DIR: join(directory, 'data'), STORE: 'embedded' })
    for (const id of ['old', 'kept', 'maker']) await service.post('/api/agents/', agent(id))
    await service.post('/api/zines/', zine('toner', { creator: ['old'] }))
    const { status } = await service.post('/api/agents/old/merge/', { into: 'kept' })
    expect(status).to.equal(200)
    await service.close()
  })

  after(() => rm(directory, { recursive: true, force: true }))

  async function withService(
    env: Readonly<Record<string, string>>,
    work: (service: TestService) => Promise<void>,
  ): Promise<void> {
    const service = await startService({
      DATA_DIR: join(directory, 'data'),
      STORE: 'embedded',
      ...env,
    })
    try {
      await work(service)
    } finally {
      await service.close()
    }
  }

  async function expectMerged(service: TestService): Promise<void> {
    const answer = await service.get('/api/agents/old/')
    expect(answer.status).to.equal(301)
    expect(answer.headers.get('location')).to.equal(`${service.url}/api/agents/kept/`)
    expect((await service.get('/id/agents/old')).status).to.equal(301)
    expect((await service.get('/api/agents/')).body.count).to.equal(2)
    expect((await service.post('/api/agents/', agent('old'))).status).to.equal(400)
  }

  for (const LIST_INDEX of ['on', 'off'])
    it(`lead to the other after a restart with LIST_INDEX=${LIST_INDEX}`, () =>
      withService({ LIST_INDEX }, expectMerged))

  it('are in the dump as dcterms:isReplacedBy', () =>
    withService({}, async ({ url }) => {
      const dump = await (await fetch(`${url}/dumps/catalogue.nt.gz`)).arrayBuffer()
      expect(gunzipSync(dump).toString()).to.include(
        `<${BASE_URL}/id/agents/old> <http://purl.org/dc/terms/isReplacedBy> <${BASE_URL}/id/agents/kept> .\n`,
      )
    }))

  it('are found by SPARQL', () =>
    withService({ SPARQL_WORKERS: '1' }, async ({ get }) => {
      const query = `SELECT ?o { <${BASE_URL}/id/agents/old> <http://purl.org/dc/terms/isReplacedBy> ?o }`
      const { text } = await get(`/sparql?format=csv&query=${encodeURIComponent(query)}`)
      expect(text).to.include(`${BASE_URL}/id/agents/kept`)
    }))

  it('stay when the derived triples are brought up to date', async () => {
    const store = await openKeyValueStore(dataFiles(join(directory, 'data')).store)
    await store.write([{ key: derivationKey, value: undefined }])
    await store.close()
    await withService({}, expectMerged)
  })

  it('lead to the other after a backup and its restore', async () => {
    const file = join(directory, 'backup.gz')
    await backUpTo(file, dataDirectoryOf({ dataDir: join(directory, 'data') }))
    await restore(file, dataDirectoryOf({ dataDir: join(directory, 'restored') }))
    await withService({ DATA_DIR: join(directory, 'restored') }, expectMerged)
  })

  it('are reported by the doctor when they lead nowhere, or something refers to them', async () => {
    const { store: path } = dataFiles(join(directory, 'data'))
    const store = await openKeyValueStore(path)
    const entries = new Map<string, string>()
    for await (const [key, value] of store.entries('')) entries.set(key, value)
    await store.close()
    const openModel = (baseUrl: string) => loadModel({ baseUrl, dataDir: join(directory, 'data') })

    async function findingsAfter(changes: Readonly<Record<string, string | undefined>>) {
      const changed = new Map(entries)
      for (const [key, value] of Object.entries(changes))
        if (value === undefined) changed.delete(key)
        else changed.set(key, value)
      const sorted = [...changed].sort(([one], [other]) => (one < other ? -1 : 1))
      const findings = await checkEntries(sorted, openModel)
      return findings.map(({ level, key, what }) => `${level}: ${key}: ${what}`)
    }

    const quad = entries.get('record/agents/old') ?? ''
    expect(await findingsAfter({})).to.deep.equal([])
    expect(
      await findingsAfter({ 'record/agents/old': quad.replace('agents/kept', 'agents/gone') }),
    ).to.deep.equal(['error: record/agents/old: leads to agents/gone, which does not exist'])
    expect(await findingsAfter({ 'record/agents/older': quad })).to.deep.equal([
      'error: record/agents/older: is not what a merge writes',
    ])
    const second = quad.replace('agents/kept', 'agents/old').replace('agents/old', 'agents/oldest')
    expect(await findingsAfter({ 'record/agents/oldest': second })).to.deep.equal([
      'error: record/agents/oldest: leads to agents/old, which was merged too',
    ])
    const zineEntry = entries.get('record/zines/toner') ?? ''
    const naming = zineEntry.replaceAll('agents/kept', 'agents/old')
    const findings = await findingsAfter({ 'record/zines/toner': naming })
    // Its series has another IRI too, as it follows from the first creator.
    expect(findings.filter((finding) => !finding.includes('isPartOf'))).to.deep.equal([
      'note: record/zines/toner: agents/old does not exist',
    ])
  })

  it('lead to the other after the data were moved to another base URL', async () => {
    const moved = 'https://moved.example'
    await rebaseData(readConfig({ DATA_DIR: join(directory, 'data'), BASE_URL: moved }))
    await withService({ BASE_URL: moved }, expectMerged)
  })
})
