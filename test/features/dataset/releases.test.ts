// Releases: what their files have and what they never have, read by programs that are not ours; how
// they are downloaded, and when they are withdrawn.

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'

import { CFB } from '@e965/xlsx'
import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import {
  asyncBufferFromUrl,
  parquetMetadata,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet'
import { Parser } from 'n3'
import sqlite from 'node-sqlite3-wasm'
import { parse as parseYaml } from 'yaml'

import type { ReleaseTiming } from '../../../src/features/dataset/releases/release-schedule.js'
import { useCatalogue } from '../../http/catalogue.js'
import { BASE_URL, type TestService, startService } from '../../service.js'
import { until } from '../../waiting.js'

const hour = 3_600_000

/** A clock that stands still until a test moves it. */
function createClock() {
  let time = Date.parse('2026-11-20T12:00:00Z')
  const timing: ReleaseTiming = { now: () => time, look: 50 }
  return { timing, move: (ms: number) => (time += ms) }
}

const bytesOf = async (service: TestService, path: string, headers = {}) => {
  const response = await fetch(service.url + path, { headers })
  const { status } = response
  return { status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The version of the newest release, once there is one that `isWanted`. */
async function versionOf(
  service: TestService,
  isWanted: (version: string) => boolean = () => true,
): Promise<string> {
  let version: string | undefined
  await until(async () => {
    const { status, bytes } = await bytesOf(service, '/dumps/CITATION.cff')
    if (status !== 200) return false
    version = String(parseYaml(bytes.toString()).version)
    return isWanted(version)
  })
  return version ?? ''
}

/** The rows of a query to the downloaded database. */
async function query(bytes: Buffer, sql: string): Promise<readonly unknown[]> {
  const directory = await mkdtemp(join(tmpdir(), 'release-'))
  try {
    const file = join(directory, 'catalogue.sqlite')
    await writeFile(file, bytes)
    const database = new sqlite.Database(file, { readOnly: true })
    try {
      return database.all(sql).map((row) => ({ ...row }))
    } finally {
      database.close()
    }
  } finally {
    await rm(directory, { recursive: true })
  }
}

const kinds = ['zines', 'agents', 'repositories', 'holdings'] as const

/** The bytes of a file, as hyparquet takes them. */
const arrayOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

/** The files of a ZIP, as SheetJS reads it. */
const filesOf = (zip: Buffer): ReadonlyMap<string, string> => {
  const { FileIndex, FullPaths } = CFB.read(zip, { type: 'buffer' })
  return new Map(
    FileIndex.map(({ content }: { content?: Uint8Array }, at: number) => [
      (FullPaths[at] ?? '').replace('Root Entry/', ''),
      Buffer.from(content ?? '').toString(),
    ]),
  )
}

describe('a release', () => {
  const { timing, move } = createClock()
  const { service, given } = useCatalogue({}, { releaseTiming: timing })
  let database: Buffer
  let zip: ReadonlyMap<string, string>
  let parquet: ReadonlyMap<string, Buffer>

  before(async () => {
    await versionOf(service())
    await given.agent({ agent_id: 'ada', display_name: 'Ada Fern', legal_name: 'Adelheid Farn' })
    await given.agent({
      ...{ agent_id: 'moss', display_name: 'Moss', legal_name: 'Maximilian Moos' },
      ...{ email: 'moss@example.org', public: true },
    })
    await given.zine({ zine_id: 'soup', title: 'Soup kitchén, "one"', creator: ['ada', 'moss'] })
    await given.repository({ repo_id: 'empty', holdings_count: 4 })
    await given.zine({ zine_id: 'draft', title: 'Unfinished secret', visibility: 'draft' })
    move(2 * hour)
    await versionOf(service(), (version) => version === '2026-11-20-140000')
    database = (await bytesOf(service(), '/dumps/catalogue.sqlite')).bytes
    zip = filesOf((await bytesOf(service(), '/dumps/catalogue-csv.zip')).bytes)
    const files = kinds.map(async (kind) => {
      const { bytes } = await bytesOf(service(), `/dumps/${kind}.parquet`)
      return [kind, bytes] as const
    })
    parquet = new Map(await Promise.all(files))
  })

  it('has its records in a database, joined by the tables of repeated fields', async () => {
    const rows = await query(
      database,
      `SELECT zines.title, agents.display_name FROM zines
       JOIN zines_creator USING (zine_id) JOIN agents ON agents.agent_id = zines_creator.value
       WHERE zine_id = 'soup' ORDER BY position`,
    )
    expect(rows).to.deep.equal([
      { title: 'Soup kitchén, "one"', display_name: 'Ada Fern' },
      { title: 'Soup kitchén, "one"', display_name: 'Moss' },
    ])
  })

  it('finds words in the database without regard to accents, in titles and names', async () => {
    const find = (words: string) =>
      query(
        database,
        `SELECT zine_id FROM zines WHERE rowid IN (SELECT rowid FROM zines_fts WHERE zines_fts MATCH '${words}')`,
      )
    expect(await find('kitchen fern')).to.deep.equal([{ zine_id: 'soup' }])
    expect(await find('secret')).to.deep.equal([])
  })

  it('has a database that is whole', async () => {
    expect(await query(database, 'PRAGMA integrity_check')).to.deep.equal([
      { integrity_check: 'ok' },
    ])
  })

  it('has a database that the SQLite of Node reads', async function () {
    // The cast: the types are those of a Node that does not have it yet.
    const sqlite: any = process.getBuiltinModule('node:sqlite' as 'fs')
    if (sqlite === undefined) {
      console.log('      skipped: this Node has no node:sqlite')
      this.skip()
    }
    const directory = await mkdtemp(join(tmpdir(), 'release-'))
    await writeFile(join(directory, 'catalogue.sqlite'), database)
    const opened = new sqlite.DatabaseSync(join(directory, 'catalogue.sqlite'))
    expect(opened.prepare("SELECT title FROM zines WHERE zine_id = 'soup'").get().title).to.equal(
      'Soup kitchén, "one"',
    )
    opened.close()
    await rm(directory, { recursive: true })
  })

  it('has CSV files with the columns that both of their descriptions have', () => {
    const { tables } = JSON.parse(zip.get('csv-metadata.json') ?? '')
    const { resources } = JSON.parse(zip.get('datapackage.json') ?? '')
    for (const name of kinds) {
      const [header = []]: string[][] = parse(zip.get(`${name}.csv`) ?? '')
      const table = tables.find(({ url }: { url: string }) => url === `${name}.csv`)
      const columns = table.tableSchema.columns.map(({ name }: { name: string }) => name)
      const resource = resources.find(({ path }: { path: string }) => path === `${name}.csv`)
      const fields = resource.schema.fields.map(({ name }: { name: string }) => name)
      expect(header).not.to.have.length(0)
      expect(header).to.deep.equal(columns)
      expect(fields).to.deep.equal(header)
    }
    const zines = parse<Record<string, string>>(zip.get('zines.csv') ?? '', { columns: true })
    expect(zines.find(({ zine_id }) => zine_id === 'soup')).to.include({
      title: 'Soup kitchén, "one"',
      creator: 'ada|moss',
    })
  })

  it('has Parquet files with the columns of the CSV, and lists for repeated fields', async () => {
    for (const name of kinds) {
      const [header = []]: string[][] = parse(zip.get(`${name}.csv`) ?? '')
      const { schema } = parquetMetadata(arrayOf(parquet.get(name) ?? Buffer.of()))
      const inner = ['list', 'element']
      const columns = schema.slice(1).filter((element) => !inner.includes(element.name))
      expect(columns.map((element) => element.name)).to.deep.equal(header)
    }
    const zines = await parquetRows('zines')
    const soup = zines.find(({ zine_id }) => zine_id === 'soup')
    expect(soup).to.include({ title: 'Soup kitchén, "one"', abstract: null })
    expect(soup?.creator).to.deep.equal(['ada', 'moss'])
    expect(soup?.creator_names).to.deep.equal(['Ada Fern', 'Moss'])
    expect(soup?.content_advice).to.deep.equal([])
    expect(soup?.created_at).to.be.an.instanceOf(Date)
  })

  it('has Parquet files with numbers and booleans, and those of kinds without records', async () => {
    const agents = await parquetRows('agents')
    expect(agents.find(({ agent_id }) => agent_id === 'moss')?.public).to.equal(true)
    const [repository] = await parquetRows('repositories')
    expect(repository?.holdings_count).to.equal(4n)
    expect(await parquetRows('holdings')).to.deep.equal([])
  })

  it('has Parquet files that say which version they are of', () => {
    for (const bytes of parquet.values()) {
      const { key_value_metadata: about = [] } = parquetMetadata(arrayOf(bytes))
      expect(about).to.deep.include({ key: 'version', value: '2026-11-20-140000' })
    }
  })

  it('has Parquet files of which programs read single columns from their addresses', async () => {
    const parts: number[] = []
    const file = await asyncBufferFromUrl({
      url: `${service().url}/dumps/zines.parquet`,
      async fetch(url, init) {
        const response = await fetch(url, init)
        if (response.status === 206) parts.push(Number(response.headers.get('content-length')))
        return response
      },
    })
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: 8 })
    const titles = await parquetReadObjects({ file, metadata, columns: ['title'] })
    expect(titles).to.deep.include({ title: 'Soup kitchén, "one"' })
    expect(parts).not.to.be.empty
    expect(parts.reduce((sum, part) => sum + part, 0)).to.be.below(file.byteLength)
  })

  async function parquetRows(name: string): Promise<Record<string, any>[]> {
    return parquetReadObjects({ file: arrayOf(parquet.get(name) ?? Buffer.of()) })
  }

  it('has nothing that is private, hidden or a draft, nor contact data that are public', async () => {
    // Parquet files are compressed.
    const rows = await Promise.all(kinds.map((kind) => parquetRows(kind)))
    const bytes = [database, ...parquet.values()].map((file) => file.toString('latin1'))
    const text = [inspect(rows, { depth: 9 }), ...zip.values(), ...bytes].join('\n')
    expect(text).to.include('Ada Fern')
    for (const secret of ['Adelheid', 'Maximilian', 'moss@example.org', 'Unfinished secret'])
      expect(text).not.to.include(secret)
  })

  const quadsAt = async (path: string) => {
    const { text } = await service().get(path, { headers: { accept: 'text/turtle' } })
    return new Parser({ format: 'text/turtle' }).parse(text)
  }

  it('is described with the size and checksum of each file', async () => {
    const quads = await quadsAt('/dumps/')
    const file = `${BASE_URL}/dumps/2026-11-20-140000/catalogue.sqlite`
    const valueOf = (subject: string, property: RegExp): string | undefined =>
      quads.find((quad) => quad.subject.value === subject && property.test(quad.predicate.value))
        ?.object.value
    expect(valueOf(file, /byteSize$/)).to.equal(String(database.length))
    expect(valueOf(`${file}#checksum`, /checksumValue$/)).to.equal(
      createHash('sha256').update(database).digest('hex'),
    )
  })

  it('is described with the dataset as it is with the other downloads', async () => {
    const [newest, older] = ['2026-11-20-140000', '2026-11-20-120000']
    const quads = await quadsAt('/dataset')
    const file = `${BASE_URL}/dumps/${newest}/zines.parquet`
    const about = quads.filter((quad) => quad.subject.value === file)
    const names = about.map((quad) => quad.predicate.value.replace(/^.*[#/]/, ''))
    expect(names).to.include.members(['byteSize', 'checksum', 'mediaType', 'version', 'license'])
    const distributions = quads.filter(({ predicate }) => predicate.value.endsWith('distribution'))
    const ofDataset = distributions.filter(({ subject }) => subject.value.endsWith('/dataset'))
    expect(ofDataset.map(({ object }) => object.value)).to.include(file)
    const downloads = await quadsAt('/dumps/')
    expect(downloads.some(({ subject }) => subject.value.includes(older))).to.equal(true)
    const missing = downloads.filter(
      (quad) => !quad.subject.value.includes(older) && !quads.some((other) => quad.equals(other)),
    )
    expect(missing).to.deep.equal([])
  })

  it('is an RO-Crate whose parts are its files', async () => {
    const { body } = await service().get('/dumps/ro-crate-metadata.json')
    const nodes: any[] = body['@graph']
    const root = nodes.find((node) => node['@id'] === './')
    expect(root.version).to.equal('2026-11-20-140000')
    const parts = root.hasPart.map((part: any) => part['@id'])
    const tables = kinds.map((kind) => `${kind}.parquet`)
    expect(parts).to.have.members([
      ...['catalogue.sqlite', 'catalogue-csv.zip', 'CITATION.cff'],
      ...tables,
    ])
    for (const part of parts) {
      const { bytes } = await bytesOf(service(), `/dumps/2026-11-20-140000/${part}`)
      const { sha256 } = nodes.find((node) => node['@id'] === part)
      expect(sha256).to.equal(createHash('sha256').update(bytes).digest('hex'))
    }
  })

  it('can be downloaded in parts, and not again by who has it', async () => {
    const path = '/dumps/catalogue.sqlite'
    const whole = await bytesOf(service(), path)
    const etag = whole.headers.get('etag') ?? ''
    const part = await bytesOf(service(), path, { range: 'bytes=100-', 'if-range': etag })
    expect(part.status).to.equal(206)
    expect(Buffer.concat([database.subarray(0, 100), part.bytes]).equals(database)).to.equal(true)
    const end = await bytesOf(service(), path, { range: 'bytes=-7' })
    expect(end.bytes.equals(database.subarray(-7))).to.equal(true)
    expect(end.headers.get('content-range')).to.equal(
      `bytes ${database.length - 7}-${database.length - 1}/${database.length}`,
    )
    const beyond = await bytesOf(service(), path, { range: `bytes=${database.length}-` })
    expect(beyond.status).to.equal(416)
    const other = await bytesOf(service(), path, { range: 'bytes=100-', 'if-range': '"other"' })
    expect(other.status).to.equal(200)
    expect((await bytesOf(service(), path, { 'if-none-match': etag })).status).to.equal(304)
  })

  it('is shown with its files and how to cite it', async () => {
    const { text } = await service().get('/dumps/', { headers: { accept: 'text/html' } })
    expect(text).to.include('href="/dumps/2026-11-20-140000/catalogue.sqlite"')
    // The first of the month is the one that stays.
    expect(text).to.include('version: 2026-11-20-120000')
  })
})

describe('releases', () => {
  const { timing, move } = createClock()
  const { service, given } = useCatalogue({ SNAPSHOTS: '2' }, { releaseTiming: timing })

  const status = async (version: string): Promise<number> =>
    (await bytesOf(service(), `/dumps/${version}/catalogue.sqlite`)).status

  const day = 24 * hour

  it('are made again when the data changed, and the first of each month is kept', async () => {
    const first = await versionOf(service())
    const title = 'A new one'
    const { body } = { body: await given.zine({ title }) }
    move(hour)
    const second = await versionOf(service(), (version) => version > first)
    await service().patch(`/api/zines/${String(body.zine_id)}/`, { body: { title: 'Newer' } })
    move(hour)
    await versionOf(service(), (version) => version > second)
    expect(await status(first)).to.equal(200)
    await until(async () => (await status(second)) === 404)
  })

  it('are made each month also when nothing changed, and no more are kept than wanted', async () => {
    const [first] = await snapshots()
    for (let months = 0; months < 2; months += 1) {
      const last = await versionOf(service())
      move(31 * day)
      await versionOf(service(), (version) => version > last)
    }
    await until(async () => (await status(first ?? '')) === 404)
    expect(await snapshots()).to.have.length(2)
  })

  it('are described at the address by which they are cited', async () => {
    const version = await versionOf(service())
    const { text } = await service().get('/dumps/CITATION.cff')
    expect(text).to.include(`/dumps/${version}/`)
    const answer = await service().get(`/dumps/${version}/`)
    expect(answer.status).to.equal(303)
    const [at = '', part = ''] = (answer.headers.get('location') ?? '').split('#')
    const { text: page } = await service().get(new URL(at).pathname, {
      headers: { accept: 'text/html' },
    })
    expect(page).to.include(`id="${part}"`)
  })

  it('stay when a draft is made or a record is deleted', async () => {
    const { zine_id: id } = await given.zine({ title: 'Deleted soon' })
    move(hour)
    const last = await versionOf(service())
    await given.zine({ title: 'Unfinished', visibility: 'draft' })
    await service().delete(`/api/zines/${String(id)}/`)
    expect(await status(last)).to.equal(200)
  })

  it('are all withdrawn when a record is hidden, and their addresses say so', async () => {
    const zine = String((await given.zine({ title: 'Regretted words' })).zine_id)
    move(hour)
    const last = await versionOf(service())
    const kept = await snapshots()
    expect(kept).not.to.be.empty
    move(hour)
    const hiding = { visibility: 'hidden', hidden_reason: 'The author asked.' }
    expect((await service().patch(`/api/zines/${zine}/`, hiding)).status).to.equal(200)
    for (const version of kept) expect(await status(version)).to.equal(410)
    await versionOf(service(), (version) => version > last)
    const files = await readdir(join(service().dataDir, 'releases'))
    expect(files).not.to.include.members([...kept])
    const { bytes } = await bytesOf(service(), '/dumps/catalogue.sqlite')
    expect(bytes.toString('latin1')).not.to.include('Regretted')
  })

  it('are all withdrawn when a value is removed for good', async () => {
    const agent = String((await given.agent({ display_name: 'Unwanted Name' })).agent_id)
    move(hour)
    await until(async () => {
      const { bytes } = await bytesOf(service(), '/dumps/catalogue.sqlite')
      return bytes.includes('Unwanted Name')
    })
    const path = `/api/agents/${agent}/`
    await service().patch(path, { display_name: 'Other' })
    const kept = await snapshots()
    move(hour)
    const body = { field: 'display_name', value: 'Unwanted Name' }
    expect((await service().post(`${path}redact/`, body)).status).to.equal(204)
    for (const version of kept) expect(await status(version)).to.equal(410)
    await versionOf(service())
    const { bytes } = await bytesOf(service(), '/dumps/catalogue.sqlite')
    expect(bytes.includes('Unwanted Name')).to.equal(false)
  })

  async function snapshots(): Promise<readonly string[]> {
    const { text } = await service().get('/dumps/', { headers: { accept: 'text/html' } })
    const [, listed = ''] = text.split('Monthly snapshots')
    const versions = [...listed.matchAll(/href="\/dumps\/([\d-]+)\/catalogue.sqlite"/g)]
    return versions.map(([, version = '']) => version)
  }
})

describe('the folder of releases', () => {
  it('keeps whole releases over a start, and no draft of a process that was killed', async () => {
    const { timing } = createClock()
    const first = await startService({}, { releaseTiming: timing })
    const version = await versionOf(first)
    await first.close()
    const folder = join(first.dataDir, 'releases')
    await mkdir(join(folder, 'draft-killed'))
    await writeFile(join(folder, 'draft-killed', 'catalogue.sqlite'), 'half')
    const second = await startService({ ...first.env }, { releaseTiming: timing })
    try {
      expect(await versionOf(second)).to.equal(version)
      expect(await readdir(folder)).to.deep.equal([version])
    } finally {
      await second.stop()
    }
  })
})
