// Exports of whole lists: their content, that they load back the same, and that they use little
// memory and end when the client goes away.

import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { expect } from 'chai'
import { parse } from 'csv-parse/sync'

import { openBackend } from '../../src/app/backend.js'
import type { Catalogue } from '../../src/catalogue/catalogue.js'
import { readConfig } from '../../src/config.js'
import { createExportSerializers, exportFormatsOf } from '../../src/formats/serializers.js'
import { createHttpApp } from '../../src/http/app.js'
import { loadAssets } from '../../src/http/middleware/static-files.js'
import { exportEndpoints } from '../../src/features/records/exports.js'
import { createFileSender } from '../../src/http/response/file.js'
import { type ResourceName, resourceNames } from '../../src/model/iris.js'
import type { ResolvedRecord } from '../../src/model/record/views.js'
import { agent, zine } from '../examples.js'
import { expectNoMark, SECRETS } from '../http/secrets.js'
import { run, withDirectory } from '../process.js'
import { type TestService, startService, useService } from '../service.js'
import { pairOf, resources, serializerDependencies } from './fixtures.js'
import { sheetOf } from './workbook-reader.js'
import { until } from '../waiting.js'

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

describe('exports', () => {
  const service = useService()
  const secret = { ...SECRETS, public: false }

  before(async () => {
    await postSample(service())
    await service().post('/api/agents/', agent('hidden', secret))
    await service().post('/api/zines/', zine('hidden', { creator: ['hidden'] }))
  })

  const getExport = (name: ResourceName, query: string) =>
    service().get(`/api/${name}/export/?${query}`)

  it('are attachments of the requested type without an ETag', async () => {
    // prettier-ignore
    const types = [
      ['format=csv', 'text/csv; charset=utf-8; header=present', 'zines.csv'],
      ['format=jsonl', 'application/jsonl', 'zines.jsonl'],
      ['format=dc', 'application/xml', 'zines.xml'],
      ['', 'application/json', 'zines.json'],
    ] as const
    for (const [query, type, file] of types) {
      const { status, headers } = await getExport('zines', query)
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

  it('answer 404 for an unknown format, and a list answers 406 for the format of exports only', async () => {
    expect((await getExport('zines', 'format=nothing')).status).to.equal(404)
    expect((await service().get('/api/zines/?format=jsonl')).status).to.equal(406)
    expect((await service().ask('POST', '/api/export/zines/')).status).to.equal(405)
  })

  it('have the records of the list with the same filters, search and order', async () => {
    for (const query of [
      '',
      'subject=punk',
      'search=the&ordering=title',
      'ordering=-title',
      'genre=none',
    ]) {
      const list = await service().get(`/api/zines/?page_size=100&${query}`)
      const file = await getExport('zines', `format=jsonl&page_size=2&page=2&${query}`)
      expect(linesOf(file.text).map((record) => record.zine_id)).to.deep.equal(
        list.body.results.map((record: any) => record.zine_id),
      )
      expect(file.headers.get('x-total-count')).to.equal(String(list.body.count))
    }
  })

  it('have all records in every format', async () => {
    const { body } = await service().get('/api/zines/')
    const csv: unknown[] = parse((await getExport('zines', 'format=csv')).text, { columns: true })
    expect(csv).to.have.length(body.count)
    expect((await getExport('zines', 'format=dc')).text.match(/<oai_dc:dc>/g)).to.have.length(
      body.count,
    )
    expect((await getExport('zines', 'format=json')).body.results).to.have.length(body.count)
  })

  it('guard cells against formulas with safe=1', async () => {
    await service().post('/api/agents/', agent('formula', { display_name: '=1+1' }))
    expect((await getExport('agents', 'format=csv&search=1%2B1')).text).to.include(',=1+1,')
    expect((await getExport('agents', 'format=csv&search=1%2B1&safe=1')).text).to.include(",'=1+1,")
    await service().delete('/api/agents/formula/')
  })

  it('have no private fields, whatever the account', async () => {
    const { admin } = service().tokens
    for (const name of resourceNames)
      for (const { name: format } of exportFormatsOf(name))
        for (const token of [null, admin]) {
          const path = `/api/${name}/export/?format=${format}&private=true`
          const headers = token === null ? {} : { authorization: `Token ${token}` }
          const answer = await fetch(service().url + path, { headers })
          expect(answer.status).to.equal(200)
          const bytes = Buffer.from(await answer.arrayBuffer())
          expectNoMark(format === 'xlsx' ? sheetOf(bytes) : String(bytes))
        }
    expect((await getExport('agents', `format=jsonl&search=${SECRETS.legal_name}`)).text).to.equal(
      '',
    )
  })

  it('leave their address to a record with the identifier export, and have a second address', async () => {
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
    it(`in ${format} load into an empty catalogue as the same records`, () =>
      withDirectory(async (directory) => {
        const env = { DATA_DIR: join(directory, 'data'), BASE_URL: 'https://zines.example' }
        const files: string[] = []
        for (const name of order) {
          const file = join(directory, `${name}.${format}`)
          await writeFile(file, (await getExport(name, `format=${format}`)).text)
          files.push(file)
        }
        const { code, err } = await run(['load', ...files], env)
        expect(code, err).to.equal(0)
        const other = await startService({ DATA_DIR: env.DATA_DIR })
        for (const name of order) {
          const [before, after] = await Promise.all(
            [service(), other].map(async (one) =>
              linesOf((await one.get(`/api/${name}/export/?format=jsonl`)).text)
                .map((record) => JSON.stringify({ ...record, updated_at: '' }))
                .sort(),
            ),
          )
          expect(after).to.deep.equal(before)
        }
        await other.close()
      }))
})

describe('a stream of a list', () => {
  it('reads records in batches, in order, without those removed meanwhile', () =>
    withDirectory(async (directory) => {
      const backend = await openBackend(readConfig({ DATA_DIR: directory }))
      const { catalogue } = backend
      const ids = Array.from({ length: 50 }, (_, index) => `agent-${10 + index}`)
      await Promise.all(
        ids.map((id) => catalogue.create('agents', new Map(Object.entries(agent(id))))),
      )
      const listQuery = { filters: new Map(), search: '', ordering: ['display_name'] }
      const stream = await catalogue.stream('agents', listQuery)
      expect(stream.count).to.equal(50)
      const batches: string[][] = []
      for await (const records of stream.batches) {
        batches.push(records.map(({ values }) => String(values.agent_id)))
        // Records are read batch by batch: this one is removed before its batch is read.
        if (batches.length === 1) {
          await catalogue.remove('agents', 'agent-59')
          await catalogue.create('agents', new Map(Object.entries(agent('agent-0'))))
        }
      }
      for (const some of batches) expect(some.length).to.be.at.most(20)
      expect(batches.flat()).to.deep.equal(ids.slice(0, 49))
      await backend.close()
    }))
})

describe('an export', () => {
  /** A service with an endless list of zines. */
  async function openEndless(count = 1) {
    const seen = { batches: 0, ended: false, failures: [] as unknown[] }
    const [record] = pairOf('zines')
    async function* endless(): AsyncGenerator<readonly ResolvedRecord[]> {
      try {
        for (;;) {
          seen.batches += 1
          yield Array.from({ length: 200 }, () => record)
          await new Promise(setImmediate)
        }
      } finally {
        seen.ended = true
      }
    }
    const catalogue = {
      stream: () => Promise.resolve({ count, batches: endless() }),
    } as unknown as Catalogue
    const serializers = createExportSerializers(serializerDependencies)
    const app = createHttpApp({
      endpoints: exportEndpoints({
        catalogue,
        changes: { position: () => Promise.resolve(undefined) },
        resources,
        serializers,
        sendFile: createFileSender(),
      }),
      assets: await loadAssets([]),
      authenticate: () => undefined,
      sessionOf: () => undefined,
      config: readConfig({}),
      onError: (error) => seen.failures.push(error),
    })
    const server = createServer(app)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return { server, seen, port: (server.address() as AddressInfo).port }
  }

  it('answers 503 to the ninth download of a client, until one of the eight ends', async () => {
    const { server, port } = await openEndless()
    const path = '/api/export/zines/?format=csv'
    const open = async () => {
      const request = get({ port, path, host: '127.0.0.1', agent: false })
      request.on('error', () => undefined)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return { request, response }
    }
    const downloads = []
    for (let count = 0; count < 8; count += 1) downloads.push(await open())
    expect(downloads.map(({ response }) => response.statusCode)).to.deep.equal(Array(8).fill(200))
    const { response: refused } = await open()
    expect([refused.statusCode, refused.headers['retry-after']]).to.deep.equal([503, '10'])
    downloads[0]?.request.destroy()
    let ninth = await open()
    // Soon the service sees that the first one has left.
    while (ninth.response.statusCode === 503) ninth = await open()
    expect(ninth.response.statusCode).to.equal(200)
    for (const { request } of [...downloads, ninth]) request.destroy()
    server.closeAllConnections()
    server.close()
  })

  it('waits for a client that does not read, and ends when the client disconnects', async () => {
    const { server, seen, port } = await openEndless()
    const path = '/api/export/zines/?format=csv'
    const request = get({ port, path, host: '127.0.0.1' })
    const [response] = await once(request, 'response')
    await once(response, 'readable')
    let before = -1
    // Until the buffers of both ends are full.
    for (let round = 0; round < 100 && before !== seen.batches; round += 1) {
      before = seen.batches
      await delay(100)
    }
    expect(seen.batches).to.equal(before)
    // A batch is 200 KB here, so that few batches fill the buffers of both ends.
    expect(seen.batches).to.be.below(200)
    expect(seen.ended).to.equal(false)
    request.destroy()
    await until(() => seen.ended)
    expect(seen.ended).to.equal(true)
    server.close()
  })

  it('as a workbook ends when the client disconnects, and has no Content-Encoding', async () => {
    const { server, seen, port } = await openEndless()
    const path = '/api/export/zines/?format=xlsx'
    const headers = { 'accept-encoding': 'gzip' }
    const request = get({ port, path, host: '127.0.0.1', headers })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.headers).not.to.have.property('content-encoding')
    await once(response, 'readable')
    await until(() => seen.batches > 0)
    request.destroy()
    await until(() => seen.ended)
    expect([seen.ended, seen.failures]).to.deep.equal([true, []])
    server.close()
  })

  it('as a workbook is refused when a sheet has no space for all records', async () => {
    const { server, seen, port } = await openEndless(1_048_576)
    const path = `http://127.0.0.1:${port}/api/export/zines/`
    const refused = await fetch(`${path}?format=xlsx`)
    expect([refused.status, await refused.json()]).to.deep.equal([
      400,
      {
        detail:
          'The list has 1048576 records, and a file in this format at most 1048575. Filter the list, or choose another format.',
      },
    ])
    expect(seen.batches).to.equal(0)
    server.close()
  })

  for (const coding of ['gzip', 'br'])
    it(`that is compressed with ${coding} ends when the client disconnects`, async () => {
      const { server, seen, port } = await openEndless()
      const path = '/api/export/zines/?format=csv'
      const headers = { 'accept-encoding': coding }
      const request = get({ port, path, host: '127.0.0.1', headers })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      expect(response.headers['content-encoding']).to.equal(coding)
      await once(response, 'readable')
      request.destroy()
      await until(() => seen.ended)
      expect([seen.ended, seen.failures]).to.deep.equal([true, []])
      server.close()
    })
})
