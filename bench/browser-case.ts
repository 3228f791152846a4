// The benchmark case `browser`: how soon pages are there in a browser on a slow phone, by Chromium's throttling: a
// processor of a quarter of the speed and 1.6 Mbit/s. The reference is a page of the same text without style and
// scripts, in turn with each page. The pages show a real collection where COLLECTION names one. Skipped where there is
// no Chromium.

import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type Browser, type Page, chromium } from 'playwright-core'

import type { Bench } from './case.js'
import { hasCollection, startCollectionService } from './collection.js'
import { type Figure, median } from './report.js'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

const processorSlowness = 4
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

const viewports = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
] as const

const collection = process.env.COLLECTION ?? ''

const pages: readonly (readonly [what: string, path: string])[] = [
  ['the home page', '/api/'],
  ['covers', '/api/zines/?view=grid'],
  ['a hundred covers', '/api/zines/?view=grid&page_size=100'],
  ['a list', '/api/zines/?view=list'],
  ['a search', '/api/search/?q=about'],
  ['the map', '/map'],
  ['charts', '/explore'],
  ['SPARQL', '/sparql'],
  ['subjects', '/api/vocabularies/subjects/'],
]

/** In milliseconds. */
type Visit = {
  /** When the largest content was painted. */
  readonly painted: number
  /** How long tasks took beyond 50 ms each, after the first content was painted. */
  readonly blocked: number
}

export async function browserCase(bench: Bench): Promise<Figure[]> {
  const isInstalled = await access(executablePath).then(
    () => true,
    () => false,
  )
  if (!isInstalled) {
    process.stderr.write('skipped: there is no Chromium (CHROMIUM names another)\n')
    return []
  }
  if (!hasCollection(collection)) return measurePages(bench.service.url, bench.rounds)
  const service = await startCollectionService(collection)
  try {
    const { count } = await zinesOf(service.url)
    const size: Figure = { row: 'browser', what: 'zines of the collection', value: count, unit: '' }
    return [size, ...(await measurePages(service.url, bench.rounds))]
  } finally {
    await service.end()
  }
}

async function measurePages(url: string, rounds: number): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const plain = await startPlainPages()
  try {
    const figures: Figure[] = []
    for (const [what, path] of [...pages, ['a zine', await pathOfZine(url)] as const])
      for (const viewport of viewports) {
        const { text, nodes } = await contentOf(browser, url + path)
        plain.setText(text)
        const visits: (readonly [page: Visit, reference: Visit])[] = []
        for (let round = 0; round < rounds; round += 1)
          visits.push([
            await visit(browser, url + path, viewport),
            await visit(browser, plain.url, viewport),
          ])
        figures.push(...figuresOf(`${what}, ${viewport.width} px`, nodes, visits))
      }
    return figures
  } finally {
    plain.close()
    await browser.close()
  }
}

async function pathOfZine(url: string): Promise<string> {
  const { results } = await zinesOf(url)
  return `/api/zines/${results[0]?.zine_id ?? ''}/`
}

async function zinesOf(url: string) {
  const response = await fetch(`${url}/api/zines/?ordering=title&page_size=1`)
  // The cast: the service describes its lists so.
  return (await response.json()) as { count: number; results: { zine_id: string }[] }
}

function figuresOf(
  what: string,
  nodes: number,
  visits: readonly (readonly [page: Visit, reference: Visit])[],
): readonly Figure[] {
  const painted = median(visits.map(([page]) => page.painted))
  return [
    {
      row: 'browser',
      what: `${what}: the largest paint`,
      value: painted,
      unit: 'ms',
      target: { at: 'most', value: 2500 },
      note: `${nodes} nodes`,
    },
    {
      row: 'browser',
      what: `${what}: to a page without style`,
      value: median(visits.map(([page, reference]) => page.painted / reference.painted)),
      unit: '×',
    },
    {
      row: 'browser',
      what: `${what}: blocked`,
      value: median(visits.map(([page]) => page.blocked)),
      unit: 'ms',
      target: { at: 'most', value: 300 },
      note: `without style ${median(visits.map(([, { blocked }]) => blocked)).toFixed(0)} ms`,
    },
  ]
}

/** The first visit of a browser. */
async function visit(browser: Browser, url: string, viewport: Size): Promise<Visit> {
  const context = await browser.newContext({ viewport })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
    await session.send('Emulation.setCPUThrottlingRate', { rate: processorSlowness })
    await page.goto(url, { waitUntil: 'networkidle' })
    return await timesOf(page)
  } finally {
    await context.close()
  }
}

type Size = (typeof viewports)[number]

const timesOf = (page: Page): Promise<Visit> =>
  page.evaluate(async () => {
    const entriesOf = (type: string): Promise<readonly PerformanceEntry[]> =>
      new Promise((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
        observer.observe({ type, buffered: true })
        // Nothing is told of what there is none of.
        setTimeout(() => resolve([]), 500)
      })
    const paints = await entriesOf('largest-contentful-paint')
    const tasks = await entriesOf('longtask')
    const [first] = performance.getEntriesByName('first-contentful-paint')
    const start = first?.startTime ?? 0
    return {
      painted: paints.at(-1)?.startTime ?? NaN,
      blocked: tasks
        .filter((task) => task.startTime + task.duration > start)
        .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
    }
  })

/** The text of a page, and how many elements it has. */
async function contentOf(browser: Browser, url: string) {
  const page = await browser.newPage()
  await page.goto(url)
  const content = await page.evaluate(() => ({
    text: document.body.innerText,
    nodes: document.querySelectorAll('*').length,
  }))
  await page.close()
  return content
}

/** Serves a page that has a text and nothing else. */
async function startPlainPages() {
  let text = ''
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    const lines = text.replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;')).split('\n')
    response.end(
      `<!doctype html><title>Text</title>${lines.map((line) => `<p>${line}</p>`).join('')}`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast: it listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    setText: (value: string) => (text = value),
    close: () => server.close(),
  }
}
