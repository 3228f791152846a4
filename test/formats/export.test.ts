// Whole lists as files: what is in them, that they come back the same, and that they neither take
// more memory nor go on longer than somebody reads.

import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { expect } from 'chai'
import { parse } from 'csv-parse/sync'

import { openBackend } from '../../src/app/backend.js'
import type { Catalogue } from '../../src/catalogue/catalogue.js'
import { readConfig } from '../../src/config.js'
import { createExportSerializers } from '../../src/formats/serializers.js'
import { createHttpApp } from '../../src/http/app.js'
import { openAssets } from '../../src/http/middleware/static-files.js'
import { exportEndpoints } from '../../src/http/api/exports.js'
import { type ResourceName, resourceNames } from '../../src/model/iris.js'
import type { ResolvedRecord } from '../../src/model/record/views.js'
import { agent, zine } from '../examples.js'
import { expectNoMark, SECRETS } from '../http/secrets.js'
import { run, withDirectory } from '../process.js'
import { type TestService, startService, useService } from '../service.js'
import { iris, mapper, pairOf, resources } from './fixtures.js'

const order = ['agents', 'repositories', 'zines', 'holdings'] as const

const linesOf = (text: string): any[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

async function postSample(service: TestService): Promise<void> {
  for (const name of order)
    for (const record of linesOf(await readFile(`sample/${name}.jsonl`, 'utf8'))) {
      const { status, text } = await service.post(`/api/${name}/`, record)
      expect(status, text).to.equal(201)
    }
}

describe('exports', function () {
  this.timeout(60_000)
  const service = useService()
  const secret = { ...SECRETS, public: false }

  before(async () => {
    await postSample(service())
    await service().post('/api/agents/', agent('hidden', secret))
    await service().post('/api/zines/', zine('hidden', { creator: ['hidden'] }))
  })

  const take = (name: ResourceName, query: string) => service().get(`/api/${name}/export/?${query}`)

  it('are files without an ETag, of the type that was asked for', async () => {
    // prettier-ignore
    const types = [
      ['format=csv', 'text/csv; charset=utf-8; header=present', 'zines.csv'],
      ['format=jsonl', 'application/jsonl', 'zines.jsonl'],
      ['format=dc', 'application/xml', 'zines.xml'],
      ['', 'application/json', 'zines.json'],
    ] as const
    for (const [query, type, file] of types) {
      const { status, headers } = await take('zines', query)
      expect(status).to.equal(200)
      expect(headers.get('content-type')).to.match(new RegExp(`^${type}`))
      expect(headers.get('content-disposition')).to.equal(`attachment; filename="${file}"`)
      expect(headers.has('etag')).to.equal(false)
      expect(headers.get('vary')).to.include('Accept')
    }
    const { headers } = await service().get('/api/agents/export/', {
      headers: { accept: 'text/csv' },
    })
    expect(headers.get('content-type')).to.include('text/csv')
  })

  it('are in formats that there are, and no list has the one that is theirs alone', async () => {
    expect((await take('zines', 'format=nothing')).status).to.equal(404)
    expect((await service().get('/api/zines/?format=jsonl')).status).to.equal(406)
    expect((await service().ask('POST', '/api/export/zines/')).status).to.equal(405)
  })

  it('are the list that the same query gives, filters, search and order included', async () => {
    for (const query of [
      '',
      'subject=punk',
      'search=the&ordering=title',
      'ordering=-title',
      'genre=none',
    ]) {
      const list = await service().get(`/api/zines/?page_size=100&${query}`)
      const file = await take('zines', `format=jsonl&page_size=2&page=2&${query}`)
      expect(linesOf(file.text).map((record) => record.zine_id)).to.deep.equal(
        list.body.results.map((record: any) => record.zine_id),
      )
      expect(file.headers.get('x-total-count')).to.equal(String(list.body.count))
    }
  })

  it('are whole in every format', async () => {
    const { body } = await service().get('/api/zines/')
    const csv: unknown[] = parse((await take('zines', 'format=csv')).text, { columns: true })
    expect(csv).to.have.length(body.count)
    expect((await take('zines', 'format=dc')).text.match(/<oai_dc:dc>/g)).to.have.length(body.count)
    expect((await take('zines', 'format=json')).body.results).to.have.length(body.count)
  })

  it('guard their cells when they are asked to', async () => {
    await service().post('/api/agents/', agent('formula', { display_name: '=1+1' }))
    expect((await take('agents', 'format=csv&search=1%2B1')).text).to.include(',=1+1,')
    expect((await take('agents', 'format=csv&search=1%2B1&safe=1')).text).to.include(",'=1+1,")
    await service().delete('/api/agents/formula/')
  })

  it('have nothing private in them, whoever asks', async () => {
    const { admin } = service().tokens
    for (const name of resourceNames)
      for (const format of ['csv', 'jsonl', 'json', 'dc'])
        for (const token of [null, admin]) {
          const path = `/api/${name}/export/?format=${format}&private=true`
          const { status, text } = await service().get(path, { token })
          expect(status).to.equal(200)
          expectNoMark(text)
        }
    expect((await take('agents', `format=jsonl&search=${SECRETS.legal_name}`)).text).to.equal('')
  })

  it('give their address to a record of that name, and keep another', async () => {
    const path = '/api/repositories/export/'
    const record = {
      repo_id: 'export',
      repository_name: 'Export',
      repository_kind: 'distro',
      country: 'US',
    }
    expect((await service().post('/api/repositories/', record)).status).to.equal(201)
    expect((await service().get(path)).body.repository_name).to.equal('Export')
    expect((await service().patch(path, { city: 'X' })).body.city).to.equal('X')
    const all = await service().get('/api/export/repositories/?format=jsonl')
    expect(linesOf(all.text).map((one) => one.repo_id)).to.include('export')
    expect((await service().delete(path)).status).to.equal(204)
    expect((await service().get(path)).body).to.have.keys('count', 'next', 'previous', 'results')
    expect((await service().delete(path)).status).to.equal(404)
  })

  for (const format of ['csv', 'jsonl'])
    it(`as ${format} come back the same when they are loaded into an empty catalogue`, () =>
      withDirectory(async (directory) => {
        const env = { DATA_DIR: join(directory, 'data'), BASE_URL: 'https://zines.example' }
        const files: string[] = []
        for (const name of order) {
          const file = join(directory, `${name}.${format}`)
          await writeFile(file, (await take(name, `format=${format}`)).text)
          files.push(file)
        }
        const { code, err } = await run(['load', ...files], env)
        expect(code, err).to.equal(0)
        const other = await startService({ DATA_DIR: env.DATA_DIR })
        for (const name of order) {
          const [before, after] = await Promise.all(
            [service(), other].map(async (one) =>
              linesOf((await one.get(`/api/${name}/export/?format=jsonl`)).text)
                .map((record) => JSON.stringify(record))
                .sort(),
            ),
          )
          expect(after).to.deep.equal(before)
        }
        await other.close()
      }))
})

describe('a list that is walked through', () => {
  it('is read some records at a time, in its order, without those that were removed since', () =>
    withDirectory(async (directory) => {
      const collection = await openBackend(readConfig({ DATA_DIR: directory }))
      const { catalogue } = collection
      const ids = Array.from({ length: 50 }, (_, index) => `agent-${10 + index}`)
      await Promise.all(
        ids.map((id) => catalogue.create('agents', new Map(Object.entries(agent(id))))),
      )
      const sought = { filters: new Map(), search: '', ordering: ['display_name'] }
      const walk = await catalogue.stream('agents', sought)
      expect(walk.count).to.equal(50)
      const taken: string[][] = []
      for await (const records of walk.batches) {
        taken.push(records.map(({ values }) => String(values.agent_id)))
        // What is not read yet is not in memory either: this one is gone before its turn.
        if (taken.length === 1) {
          await catalogue.remove('agents', 'agent-59')
          await catalogue.create('agents', new Map(Object.entries(agent('agent-0'))))
        }
      }
      for (const some of taken) expect(some.length).to.be.at.most(20)
      expect(taken.flat()).to.deep.equal(ids.slice(0, 49))
      await collection.close()
    }))
})

describe('an export', () => {
  /** A service whose zines never end. */
  async function openEndless() {
    const seen = { batches: 0, ended: false, failures: [] as unknown[] }
    const [sheet] = pairOf('zines')
    async function* endless(): AsyncGenerator<readonly ResolvedRecord[]> {
      try {
        for (;;) {
          seen.batches += 1
          yield Array.from({ length: 200 }, () => sheet)
          await new Promise(setImmediate)
        }
      } finally {
        seen.ended = true
      }
    }
    const catalogue = {
      stream: () => Promise.resolve({ count: 1, batches: endless() }),
    } as unknown as Catalogue
    const serializers = createExportSerializers({ resources, iris, mapper })
    const counter = createHttpApp({
      endpoints: exportEndpoints({ catalogue, resources, serializers }),
      assets: await openAssets([]),
      authenticate: () => undefined,
      sessionOf: () => undefined,
      config: readConfig({}),
      failed: (error) => seen.failures.push(error),
    })
    const server = createServer(counter)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, seen, port: (server.address() as AddressInfo).port }
  }

  it('waits for a client that does not read, and ends with one that goes away', async () => {
    const { server, seen, port } = await openEndless()
    const path = '/api/export/zines/?format=csv'
    const request = get({ port, path, host: '127.0.0.1' })
    const [response] = await once(request, 'response')
    await once(response, 'readable')
    let before = -1
    // Until the buffers between here and there are full.
    for (let round = 0; round < 100 && before !== seen.batches; round += 1) {
      before = seen.batches
      await delay(100)
    }
    expect(seen.batches).to.equal(before)
    // A batch is 200 KB here; what is under way fits into the buffers of the two ends.
    expect(seen.batches).to.be.below(200)
    expect(seen.ended).to.equal(false)
    request.destroy()
    for (let round = 0; round < 50 && !seen.ended; round += 1) await delay(20)
    expect(seen.ended).to.equal(true)
    server.close()
  })
})
