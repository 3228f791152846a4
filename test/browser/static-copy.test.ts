// A copy opened from the file system: its search finds what the exact search of the service finds.

import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect } from 'chai'

import { publishCopy } from '../../src/app/commands/publish.js'
import { sampleFiles } from '../../src/features/first-run/sample.js'
import { readCollection } from '../collection.js'
import { image, sendPicture } from '../features/pictures/picture-files.js'
import { violationsInAllLooks } from './axe.js'
import { type Site, useBrowser } from './browser.js'
import { ofCollection, useCollection } from './real-collection.js'

const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))

/** Fields of the service's search that the index of a copy has. */
const fields = ['title', 'creator', 'subject'] as const

describe('A static copy in a browser', () => {
  const site = useBrowser({ DATA_DIR: dataDir })
  const copy = useCopy(() => site(), dataDir)
  let titles: readonly string[] = []

  before(async () => {
    for (const file of sampleFiles) {
      const kind = /(\w+)\.jsonl$/.exec(file)?.[1] ?? ''
      for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
        const body = JSON.parse(line) as { readonly title: string }
        const { status } = await site().service.ask('POST', `/api/${kind}/`, { body })
        expect(status).to.equal(201)
        if (kind === 'zines') titles = [...titles, body.title]
      }
    }
    const picture = await image(300, 400).png().toBuffer()
    const said = { alt: 'Two amplifiers', credit: 'Dot', public: 'true' }
    await sendPicture(site().service, '/api/zines/basement-shows/pictures/', picture, said)
    const records = [{ kind: 'zines', id: 'basement-shows', note: 'Start here' }]
    const list = { slug: 'shown', title: 'Shown in the hall', public: true, records }
    expect((await site().service.post('/api/lists/', list)).status).to.equal(201)
    await copy.publish()
  })

  it('finds by every word of the titles what the exact search of the service finds', () =>
    compare(site(), copy, wordsIn(titles)))

  it('opens a record from what it finds, and has filters', async () => {
    const page = await site().visit(copy.address('index.html'))
    await page.getByRole('searchbox', { name: 'Search zines' }).fill('staple')
    await page.getByRole('searchbox', { name: 'Search zines' }).press('Enter')
    await page.getByRole('link', { name: 'Against the Second Staple' }).click()
    expect(await page.locator('h1').textContent()).to.equal('Against the Second Staple')
    await page.getByRole('link', { name: 'Humor' }).first().click()
    expect(page.url()).to.match(/vocabularies\/subjects\/humor\.html$/)
    expect(site().complaints()).to.deep.equal([])
    await page.context().close()
  })

  it('shows pictures, and opens them', async () => {
    const page = await site().visit(copy.address('zines/basement-shows.html'))
    const picture = page.getByRole('img', { name: 'Two amplifiers' })
    await picture.scrollIntoViewIfNeeded()
    expect(await picture.evaluate(isLoaded)).to.equal(true)
    await picture.click()
    expect(page.url()).to.match(/pictures\/[0-9a-f]{20}\.jpg$/)
    expect(site().complaints()).to.deep.equal([])
    await page.context().close()
  })

  it('works in a subfolder of a web server', async () => {
    const server = await serveFolder(copy.folder(), '/zines/of/us/')
    const page = await site().visit(`${server.url}/zines/of/us/index.html`)
    await page.getByRole('searchbox', { name: 'Search zines' }).fill('basement')
    await page.getByRole('searchbox', { name: 'Search zines' }).press('Enter')
    await page.locator('#copy-results a').first().click()
    const picture = page.getByRole('img', { name: 'Two amplifiers' })
    expect(await picture.evaluate(isLoaded)).to.equal(true)
    await page.goto(`${server.url}/zines/of/us/lists/shown.html`)
    await page
      .getByRole('link', { name: /Basement/ })
      .first()
      .click()
    expect(page.url()).to.match(/\/zines\/of\/us\/zines\/basement-shows\.html$/)
    expect(server.missing).to.deep.equal([])
    expect(site().complaints()).to.deep.equal([])
    await page.context().close()
    await server.close()
  })

  for (const file of [
    'index.html',
    'search.html?q=zine',
    'agents.html',
    'zines/basement-shows.html',
    'lists.html',
    'lists/shown.html',
    'dataset.html',
    'map.html',
  ])
    it(`has no violations of WCAG on ${file}`, async () => {
      const page = await site().visit(copy.address(file))
      expect(await violationsInAllLooks(page)).to.deep.equal([])
      await page.context().close()
    })
})

describe('A static copy of a real collection', () => {
  const site = useCollection()
  const copy = useCopy(() => site())

  it(ofCollection('finds what the exact search of the service finds'), async () => {
    await copy.publish()
    const zines = await readCollection<{ readonly title: string }>('zines')
    const words = wordsIn(zines.map(({ title }) => title))
    // Every fiftieth of them, the same in every run.
    await compare(
      site(),
      copy,
      words.filter((_, index) => index % 50 === 0),
    )
  })
})

/** Publishes to a folder that is removed after the block. */
function useCopy(site: () => Site, data?: string) {
  let folder = ''
  after(() => folder !== '' && rm(folder, { recursive: true }))
  return {
    async publish(): Promise<void> {
      folder = await mkdtemp(join(tmpdir(), 'zine-copy-'))
      await publishCopy({
        args: [folder],
        env: { DATA_DIR: data ?? site().service.dataDir, BASE_URL: 'http://localhost' },
        stdin: process.stdin,
        isTerminal: false,
        print: () => undefined,
        warn: () => undefined,
        fail: () => undefined,
        exit: () => expect.fail('exit'),
        onStop: () => undefined,
      })
    },
    folder: (): string => folder,
    address: (file: string): string => `${pathToFileURL(folder).href}/${file}`,
  }
}

const isLoaded = async (image: SVGElement | HTMLElement): Promise<boolean> => {
  // The cast: it has the role of an image.
  const shown = image as HTMLImageElement
  await shown.decode()
  return shown.naturalWidth > 0
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
}

/** A web server as they are: it knows a type by the ending of a file, and does not guess. */
async function serveFolder(folder: string, prefix: string) {
  const missing: string[] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname
    const file = path.startsWith(prefix) ? path.slice(prefix.length) : undefined
    readFile(join(folder, decodeURIComponent(file ?? '-'))).then(
      (content) => {
        const type = types[extname(path)] ?? 'application/octet-stream'
        response.setHeader('Content-Type', type)
        response.setHeader('X-Content-Type-Options', 'nosniff')
        response.end(content)
      },
      () => {
        missing.push(path)
        response.statusCode = 404
        response.end()
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast: it listens at a port.
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, missing, close }
}

const wordsIn = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.flatMap((text) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? []))].sort()

async function compare(
  site: Site,
  copy: { readonly address: (file: string) => string },
  words: readonly string[],
): Promise<void> {
  expect(words.length).to.be.greaterThan(20)
  const { service } = site
  const page = await site.visit(copy.address('search.html'))
  for (const word of words) {
    const expected = new Set<string>()
    for (const field of fields) {
      const q = encodeURIComponent(`${field}:"${word}"`)
      for (let path = `/api/zines/?page_size=100&fields=zine_id&q=${q}`; path !== '';) {
        const { body } = await service.ask('GET', path)
        for (const { zine_id } of body.results) expected.add(String(zine_id))
        path =
          body.next === null
            ? ''
            : new URL(String(body.next)).pathname + new URL(String(body.next)).search
      }
    }
    await page.goto(copy.address(`search.html?q=${encodeURIComponent(`"${word}"`)}`))
    await page.locator('#copy-results[data-done]').waitFor({ state: 'attached' })
    const more = page.getByRole('button', { name: 'Show more' })
    for (let shown = 50; shown < expected.size; shown += 50) {
      await more.click()
      await page.locator(`#copy-results > li:nth-child(${shown + 1})`).waitFor()
    }
    const links = page.locator('#copy-results a')
    const found = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    const pages = [...expected].map((id) => `zines/${id}.html`)
    expect(found.sort(), word).to.deep.equal(pages.sort())
  }
  await page.context().close()
}
