// The copy that needs no server (docs/how-to/static-copy.md): its links, what is private, what a second run
// writes, and what an empty catalogue reads back from it.

import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { sampleFiles } from '../../../src/features/first-run/sample.js'
import { createRecords } from '../../collection.js'
import { agent, zine } from '../../examples.js'
import { BASE_URL, startService, type TestService } from '../../service.js'
import { contentOf, filesIn, importFrom, publishTo } from './copies.js'

/** Words that are in what the public does not see, and nowhere else. */
const secrets = ['Verborgenia', 'Heimlichkeit', 'secret@zines.example', 'Kellerschrank']

const [portland, oregon, unitedStates, california] = [5746545, 5744337, 6252001, 5332921]

describe('A static copy of the catalogue', () => {
  let service: TestService
  let dataDir = ''
  let copy = ''

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    copy = await mkdtemp(join(tmpdir(), 'zine-copy-'))
    service = await startService({ DATA_DIR: dataDir })
    for (const file of sampleFiles) {
      const kind = /(\w+)\.jsonl$/.exec(file)?.[1] ?? ''
      await createRecords(service, kind, await readLines(file))
    }
    await create(
      'agents',
      agent('shy-one', {
        public: false,
        legal_name: 'Heimlichkeit',
        email: 'secret@zines.example',
      }),
    )
    await create(
      'zines',
      zine('hidden-one', { title: 'Verborgenia', creator: ['shy-one'], visibility: 'hidden' }),
    )
    await create(
      'zines',
      zine('drafted-one', { title: 'Kellerschrank', creator: ['shy-one'], visibility: 'draft' }),
    )
    await create(
      'zines',
      zine('of-portland', { creator: ['shy-one'], place_of_publication: ['Portland, Oregon'] }),
    )
    await publishTo(copy, dataDir)
  })

  after(async () => {
    await service.stop()
    await rm(copy, { recursive: true })
  })

  const create = async (kind: string, body: object): Promise<void> => {
    const { status, text } = await service.ask('POST', `/api/${kind}/`, { body })
    expect(status, text).to.equal(201)
  }

  it('has pages whose links all lead to files of the folder or elsewhere', async () => {
    const files = await filesIn(copy)
    const pages = files.filter((file) => file.endsWith('.html'))
    const wrong: string[] = []
    for (const page of pages) {
      const text = await readFile(join(copy, page), 'utf8')
      for (const [, href = ''] of text.matchAll(/\s(?:href|src|action)="([^"]*)"/g)) {
        const [path = ''] = href.replaceAll('&amp;', '&').split(/[?#]/)
        const isElsewhere = /^[a-z]+:/.test(path) && !path.startsWith(BASE_URL)
        const target = normalize(join(dirname(page), decodeURIComponent(path)))
        if (path !== '' && !isElsewhere && !files.includes(target)) wrong.push(`${page}: ${href}`)
      }
    }
    expect(pages.length).to.be.greaterThan(100)
    expect(wrong).to.deep.equal([])
  })

  it('has a page of each public record, in the sample', async () => {
    const files = await filesIn(copy)
    for (const file of sampleFiles)
      for (const record of await readLines(file)) {
        const [id] = Object.values(record)
        const kind = /(\w+)\.jsonl$/.exec(file)?.[1] ?? ''
        expect(files).to.include(`${kind}/${String(id)}.html`)
      }
  })

  it('has the places that records name and what is above them, but nothing else within these', async () => {
    const folder = join(copy, 'geography', 'places')
    const places = await readdir(folder)
    expect(places).to.include.members([portland, oregon, unitedStates].map((id) => `${id}.html`))
    // California has no zine here, and is in the list of regions of the United States.
    expect(places).not.to.include(`${california}.html`)
    const page = await readFile(join(folder, `${unitedStates}.html`), 'utf8')
    expect(page).to.include(`href="${oregon}.html"`).and.include('<span>California</span>')
  })

  it('has no byte of what is hidden or private', async () => {
    for (const file of await filesIn(copy)) {
      const content = await contentOf(copy, file)
      for (const secret of secrets) expect(content.includes(secret), file).to.equal(false)
    }
  })

  it('has parts of the index of at most 200 KB', async () => {
    for (const file of await readdir(join(copy, 'search')))
      expect((await stat(join(copy, 'search', file))).size).to.be.lessThan(200_000)
  })

  /** What the next run writes, of the files that were there. */
  async function writtenAgain(): Promise<readonly string[]> {
    const old = new Date('2020-01-01')
    for (const file of await filesIn(copy)) await utimes(join(copy, file), old, old)
    await publishTo(copy, dataDir)
    const written: string[] = []
    for (const file of await filesIn(copy))
      if ((await stat(join(copy, file))).mtime > old) written.push(file)
    return written
  }

  it('is not written again where nothing changed', async () => {
    expect(await writtenAgain()).to.deep.equal([])
  })

  it('is written again only where something changed', async () => {
    const before = await filesIn(copy)
    await create('agents', agent('new-maker'))
    const written = await writtenAgain()
    const after = await filesIn(copy)
    expect(after.filter((file) => !before.includes(file))).to.deep.equal(['agents/new-maker.html'])
    expect(written).to.include.members(['agents/new-maker.html', 'data/agents.csv', 'SHA256SUMS'])
    // All others are as they were. Only the terms of its own kind count makers.
    const others = /^(?:zines|holdings|repositories|series|geography|search|assets)\//
    expect(written.filter((file) => others.test(file))).to.deep.equal([])
    expect(written.filter((file) => file.startsWith('vocabularies/'))).to.deep.equal([
      'vocabularies/agent-kinds.html',
      'vocabularies/agent-kinds/Person.html',
    ])
  })

  it('loses the page of a record that was deleted', async () => {
    const { status } = await service.ask('DELETE', '/api/agents/new-maker/')
    expect(status).to.equal(204)
    expect(await writtenAgain()).not.to.include('agents/new-maker.html')
    expect(await filesIn(copy)).not.to.include('agents/new-maker.html')
    expect((await contentOf(copy, 'files.txt')).toString()).not.to.include('new-maker')
  })

  it('is refused in a folder with other things', async () => {
    const other = await mkdtemp(join(tmpdir(), 'zine-copy-'))
    await writeFile(join(other, 'letter.txt'), 'Dear Doris')
    const failure = await publishTo(other, dataDir).catch(String)
    expect(failure).to.match(/is not empty/)
    expect(await readdir(other)).to.deep.equal(['letter.txt'])
    await rm(other, { recursive: true })
  })

  it('gives an empty catalogue the same public records', async () => {
    const emptyDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    await importFrom(copy, emptyDir)
    const second = await startService({ DATA_DIR: emptyDir })
    try {
      expect(await dumpOf(second)).to.deep.equal(await dumpOf(service))
    } finally {
      await second.stop()
    }
  })
})

const readLines = async (file: string): Promise<readonly object[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object)

/** All public triples but the times of writes, which are those of each catalogue. */
async function dumpOf({ url }: TestService): Promise<readonly string[]> {
  const answer = await fetch(`${url}/dumps/catalogue.nt.gz`)
  const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()
  return text
    .split('\n')
    .filter((line) => line !== '' && !/dc\/terms\/(?:created|modified)>/.test(line))
    .sort()
}
