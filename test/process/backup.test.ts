// Backups: a restored service gives the same responses as the one that was backed up.

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { readArchiveFile } from '../../src/commands/archive-file.js'
import { dataDirectoryOf } from '../../src/app/data-directory.js'
import { backUpTo } from '../../src/commands/backup.js'
import {
  agent,
  fullAgent,
  fullHolding,
  fullRepository,
  fullZine,
  holding,
  pngPixel,
  repository,
  zine,
} from '../examples.js'
import { adminSettings, run, serve, tokenAt, withDirectory } from '../process.js'
import { PASSWORD, useService } from '../service.js'

const BASE_URL = 'https://zines.example'

const lists = ['agents', 'zines', 'repositories', 'holdings'] as const

describe('a backup', () => {
  it('restores a service that gives the same responses', () =>
    withCatalogue(async ({ directory, url, token, stop }) => {
      const [running, stopped] = [join(directory, '1.gz'), join(directory, '2.gz')]
      const data = { DATA_DIR: join(directory, 'data') }
      const before = await allOf(url, token)
      const made = await run(['backup', running], data)
      expect(made.code, made.err).to.equal(0)
      expect((await stat(running)).mode & 0o777).to.equal(0o600)
      expect(await readdir(directory)).to.have.members(['1.gz', 'data'])

      // Of the stopped service it is the same.
      await stop()
      expect((await run(['backup', stopped], data)).code).to.equal(0)
      expect(await partsOf(stopped)).to.deep.equal(await partsOf(running))

      const restored = { DATA_DIR: join(directory, 'deep', 'restored') }
      const { code, out, err } = await run(['restore', running], restored)
      expect(code, err).to.equal(0)
      expect(out).to.include(BASE_URL)
      const second = await serve({ ...restored, SPARQL_WORKERS: '0' })
      // The token of before, and a login, both of an account that came with the backup.
      expect(await allOf(second.url, token)).to.deep.equal(before)
      expect(await tokenAt(second.url)).to.equal(token)
      expect((await fetch(`${second.url}/api/vocabularies/subjects/soup/`)).status).to.equal(200)
      expect(await (await fetch(`${second.url}/about`)).text()).to.equal('# About soup\n')
      expect(await readFile(join(restored.DATA_DIR, 'catalogues.json'), 'utf8')).to.equal(
        catalogues,
      )
      const logo = await (await fetch(`${second.url}/logo.png`)).arrayBuffer()
      expect(Buffer.from(logo)).to.deep.equal(pngPixel)
      await second.end('SIGTERM')
    }))

  it('has every write that was acknowledged before it began, while writes go on', () =>
    withCatalogue(async ({ directory, url, token }) => {
      const file = join(directory, 'backup.gz')
      const acknowledged: string[] = []
      let isOver = false
      const write = async (): Promise<void> => {
        for (let number = 0; !isOver; number += 1) {
          await send(url, token, 'POST', '/api/agents/', agent(`w${number}`))
          acknowledged.push(`w${number}`)
        }
      }
      const writing = write()
      await new Promise((resolve) => setTimeout(resolve, 500))
      const before = [...acknowledged]
      const made = await run(['backup', file], { DATA_DIR: join(directory, 'data') })
      const during = acknowledged.length - before.length
      isOver = true
      await writing
      await send(url, token, 'POST', '/api/agents/', agent('late'))
      expect(made.code, made.err).to.equal(0)
      expect(before).not.to.have.length(0)
      expect(during).to.be.greaterThan(0)
      const keys = (await partsOf(file)).map(([key]) => key)
      expect(keys).to.include.members(before.map((id) => `record/agents/${id}`))
      expect(keys).not.to.include('record/agents/late')
    }))

  describe('of a small catalogue', () => {
    const service = useService()
    let directory: string
    let file: string

    before(async () => {
      await service().post('/api/agents/', agent('maker'))
      await service().post('/api/zines/', zine('z1'))
      directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
      file = join(directory, 'backup.gz')
      await backUpTo(file, dataDirectoryOf(service()))
    })

    after(() => rm(directory, { recursive: true, force: true }))

    it('is restored neither into a directory that is not empty nor from an incomplete file', async () => {
      const { dataDir } = service()
      const there = await run(['restore', file], { DATA_DIR: dataDir })
      expect(there.code).to.equal(1)
      expect(there.err).to.include(dataDir).and.include('is not empty')

      const cut = join(directory, 'cut.gz')
      const bytes = await readFile(file)
      await writeFile(cut, bytes.subarray(0, bytes.length - 100))
      const refused = await run(['restore', cut], { DATA_DIR: join(directory, 'absent') })
      expect(refused.code).to.equal(1)
      expect(refused.err.trim().split('\n')).to.have.length(1)
      expect(refused.err).to.include(`${cut} is not a complete archive`)
      expect(await readdir(directory)).not.to.include('absent')
    })

    it('is found to be damaged wherever it was cut or changed', async () => {
      const bytes = await readFile(file)
      const bad = join(directory, 'bad.gz')
      const step = Math.ceil(bytes.length / 60)
      const harmless: number[] = []
      for (let at = 10; at < bytes.length; at += step)
        for (const content of [bytes.subarray(0, at), flipped(bytes, at)]) {
          await writeFile(bad, content)
          // Some bits, such as those that fill a byte, say nothing.
          if (contentOf(content)?.equals(gunzipSync(bytes))) harmless.push(at)
          else expect(await errorMessageOf(bad), `byte ${at}`).to.include(bad)
        }
      expect(harmless.length).to.be.below(5)
      // Where gzip has nothing to say, the counts and the checksum have.
      const text = gunzipSync(bytes).toString()
      const lines = text.trimEnd().split('\n')
      const changed: readonly (readonly [string, string])[] = [
        ['last line is missing', lines.slice(0, -1).join('\n')],
        ['checksum', lines.toSpliced(3, 1).join('\n')],
        ['checksum', text.replace('Zine z1', 'Zine z2')],
        ['lines after the last', `${text}${lines[1] ?? ''}\n`],
        ['first line is missing', lines.slice(1).join('\n')],
      ]
      for (const [why, content] of changed) {
        await writeFile(bad, gzipSync(content))
        expect(await errorMessageOf(bad)).to.include(why)
      }
    })
  })

  it('of a later data version, or with a path outside the data directory, is refused', () =>
    withDirectory(async (directory) => {
      const cases = [
        [{ key: 'meta/version', value: '2' }, 'later release'],
        [{ file: '../evil', base64: '' }, '../evil'],
        [{ file: 'vocabularies/../../evil.ttl', base64: '' }, 'evil'],
        [{ file: 'site/other.html', base64: '' }, 'site/other.html'],
      ] as const
      for (const [line, why] of cases) {
        const file = join(directory, 'made.gz')
        const head = { format: 'zine-catalogue backup 1', made: '2026-01-01T00:00:00.000Z' }
        const text = `${JSON.stringify(head)}\n${JSON.stringify(line)}\n`
        const sha256 = createHash('sha256').update(text).digest('hex')
        const counts = 'key' in line ? { entries: 1, files: 0 } : { entries: 0, files: 1 }
        await writeFile(file, gzipSync(`${text}${JSON.stringify({ ...counts, sha256 })}\n`))
        const { code, err } = await run(['restore', file], { DATA_DIR: join(directory, 'new') })
        expect(code).to.equal(1)
        expect(err.trim().split('\n'), err).to.have.length(1)
        expect(err).to.include(why)
        expect(await readdir(directory)).to.deep.equal(['made.gz'])
      }
    }))

  // The command `export` of release 0.1 wrote the file, with the test's accounts.
  describe('that an earlier release called an export', () => {
    const exported = 'test/process/exported-catalogue.jsonl.gz'

    for (const isCompressed of [true, false])
      it(`is restored ${isCompressed ? 'with' : 'without'} gzip, with accounts, private fields and pictures`, () =>
        withDirectory(async (directory) => {
          const file = join(directory, 'exported')
          const content = await readFile(exported)
          await writeFile(file, isCompressed ? content : gunzipSync(content))
          const data = { DATA_DIR: join(directory, 'data') }
          const { code, out, err } = await run(['restore', file], data)
          expect(code, err).to.equal(0)
          expect(out).to.include(BASE_URL)

          const service = await serve({ ...data, SPARQL_WORKERS: '0' })
          const token = await tokenAt(service.url, PASSWORD)
          const get = async (path: string) => {
            const headers = { authorization: `Token ${token}` }
            const response = await fetch(service.url + path, { headers })
            expect(response.status, path).to.equal(200)
            return response
          }
          expect(await (await get('/api/agents/secret/?private=true')).json()).to.include({
            legal_name: 'Hidden Name',
          })
          expect(await (await get('/api/zines/b/')).json()).to.include({
            title: '“Füße” \\ "\n🦄',
            abstract: 'Changed',
          })
          expect(await (await get('/api/zines/b/history/')).json()).to.include({ count: 2 })
          const picture = '/iiif/images/13452fd35389f263d195/full/max/0/default.jpg'
          expect((await (await get(picture)).arrayBuffer()).byteLength).to.be.above(0)
          await service.end('SIGTERM')
          const checked = await run(['doctor'], data)
          expect(checked.code, checked.out).to.equal(0)
        }))

    it('is not restored where it is damaged', () =>
      withDirectory(async (directory) => {
        const whole = gunzipSync(await readFile(exported)).toString()
        const broken: Readonly<Record<string, string>> = {
          'cut off': whole.slice(0, -40),
          'without its end': whole.split('\n').slice(0, -2).join('\n') + '\n',
          'with a line less': whole.split('\n').toSpliced(1, 1).join('\n'),
          changed: whole.replace('maker', 'faker'),
          'of something else': '{"a":1}\n',
          empty: '',
        }
        for (const [how, text] of Object.entries(broken)) {
          const file = join(directory, 'broken.jsonl')
          await writeFile(file, text)
          const { code, err } = await run(['restore', file], { DATA_DIR: join(directory, 'data') })
          expect(code, how).to.equal(1)
          expect(err, how).to.include('broken.jsonl')
          expect(await readdir(directory), how).to.deep.equal(['broken.jsonl'])
        }
      }))
  })

  it('of a directory without a catalogue is an error', () =>
    withDirectory(async (directory) => {
      const none = join(directory, 'none')
      const { code, err } = await run(['backup', join(directory, 'b.gz')], { DATA_DIR: none })
      expect(code).to.equal(1)
      expect(err).to.include(`there is no catalogue in ${none}`)
      expect(await readdir(directory)).to.deep.equal([])
    }))
})

type Running = {
  readonly directory: string
  readonly url: string
  readonly token: string
  readonly stop: () => Promise<void>
}

/** Works beside a service with records of all kinds, whose data are in `data`. */
async function withCatalogue(work: (running: Running) => Promise<void>): Promise<void> {
  await withDirectory(async (directory) => {
    const data = join(directory, 'data')
    await mkdir(join(data, 'vocabularies'), { recursive: true })
    await writeFile(join(data, 'vocabularies', 'subjects.ttl'), soup)
    await mkdir(join(data, 'site'))
    await writeFile(join(data, 'site', 'about.md'), '# About soup\n')
    await writeFile(join(data, 'site', 'logo.png'), pngPixel)
    await writeFile(join(data, 'catalogues.json'), catalogues)
    const service = await serve({ DATA_DIR: data, SPARQL_WORKERS: '0', ...adminSettings })
    const token = await tokenAt(service.url)
    const records: readonly (readonly [list: string, record: object])[] = [
      ['agents', agent('maker')],
      ['agents', fullAgent('hidden', { public: false, email: 'h@example.org' })],
      ['agents', fullAgent('agent')],
      ['repositories', repository('library')],
      ['repositories', fullRepository('full')],
      ['zines', zine('z1', { subject: ['soup', 'punk'] })],
      ['zines', zine('z2')],
      ['zines', zine('z3')],
      [
        'zines',
        fullZine('a/b c\u2028d', {
          contributor: ['maker', 'agent'],
          creator: ['agent', 'maker'],
          publisher: [],
        }),
      ],
      ['holdings', holding('h1', { zine_id: 'z3' })],
      ['holdings', fullHolding('h2', { zine_id: 'z1', repository_id: 'full' })],
    ]
    for (const [list, record] of records)
      await send(service.url, token, 'POST', `/api/${list}/`, record)
    await send(service.url, token, 'PATCH', '/api/zines/z2/', { title: 'Changed since' })
    let stopped = false
    const stop = async (): Promise<void> => {
      if (!stopped) await service.end('SIGTERM')
      stopped = true
    }
    await work({ directory, url: service.url, token, stop })
    await stop()
  })
}

const soup = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<#soup> a skos:Concept ; skos:notation "soup" ; skos:prefLabel "Soup"@en .
`

const catalogues = '[{ "name": "Sister", "type": "service", "url": "https://zines.example.org" }]\n'

async function send(url: string, token: string, method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.status, await response.text()).to.be.within(200, 299)
}

/** Every list in its order, and every record with all that the token may see. */
async function allOf(url: string, token: string): Promise<unknown> {
  const headers = { authorization: `Token ${token}` }
  const read = async (path: string): Promise<any> =>
    JSON.parse((await (await fetch(url + path, { headers })).text()).replaceAll(url, ''))
  const all: unknown[] = []
  for (const list of lists) {
    const page = await read(`/api/${list}/?page_size=100`)
    all.push(page)
    for (const record of page.results) {
      const id = record.zine_id ?? record.agent_id ?? record.repo_id ?? record.holding_id
      all.push(await read(`/api/${list}/${encodeURIComponent(String(id))}/?private=true`))
    }
  }
  return all
}

async function partsOf(file: string): Promise<(readonly [string, string | undefined])[]> {
  const parts: (readonly [string, string | undefined])[] = []
  await readArchiveFile(file, (part) => {
    if ('key' in part) parts.push([part.key, part.value])
    else parts.push([part.name, part.content.toString('base64')])
  })
  return parts
}

async function errorMessageOf(file: string): Promise<string> {
  try {
    await readArchiveFile(file)
    return 'nothing'
  } catch (error) {
    return (error as Error).message
  }
}

function contentOf(gzipped: Buffer): Buffer | undefined {
  try {
    return gunzipSync(gzipped)
  } catch {
    return undefined
  }
}

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 0x10
  return changed
}
