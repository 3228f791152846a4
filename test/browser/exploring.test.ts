// Readers who look at the collection as a whole: charts with their files, years chosen in the chart of the home page, and
// places on the map; with the mouse, by keyboard and on a phone.

import { readFile } from 'node:fs/promises'

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import {
  createCollectionDirectory,
  createRecords,
  hasCollection,
  readCollection,
} from '../collection.js'
import { agent, zine } from '../examples.js'
import { useBrowser } from './browser.js'

const devices = [
  ['at a desk', { viewport: { width: 1280, height: 900 } }],
  ['on a phone', { viewport: { width: 390, height: 844 } }],
] as const

const countOf = async (page: Page): Promise<string> =>
  (await page.locator('.results .count').innerText()).trim()

describe('in a browser, a reader of charts', () => {
  const site = useBrowser()

  before(async () => {
    const { post } = site().service
    await post('/api/agents/', agent('maker'))
    for (const [id, date, genre] of [
      ['a', '1989', 'perzine'],
      ['b', '1994', 'perzine'],
      ['c', '1994', 'fanzine'],
      ['d', '1999', 'fanzine'],
    ] as const)
      await post('/api/zines/', zine(id, { date: [date], genre: [genre] }))
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  for (const [where, device] of devices)
    it(`chooses what is counted, follows a number by keyboard, and downloads it (${where})`, async () => {
      const page = await site().visit('/api/', device)
      await page.getByRole('link', { name: 'Explore in charts' }).press('Enter')
      await page.getByLabel('Rows').selectOption('Genre')
      await page.getByLabel('Columns').selectOption('Decade')
      await page.getByRole('button', { name: 'Show' }).press('Enter')
      await page.getByRole('heading', { name: 'Genre × decade' }).waitFor()
      expect(await page.locator('svg.stack rect').count()).to.equal(3)
      for (const [format, beginning] of [
        ['CSV', 'genre,Genre,Zines,1980s,1990s\r\n'],
        ['SVG', '<svg'],
      ] as const) {
        const download = page.waitForEvent('download')
        await page.getByRole('link', { name: format, exact: true }).click()
        const file = await download
        expect(file.suggestedFilename()).to.equal(`zines-genre-decade.${format.toLowerCase()}`)
        expect((await readFile(await file.path(), 'utf8')).startsWith(beginning)).to.equal(true)
      }
      await page.getByRole('link', { name: '2: Fanzine, 1990s' }).press('Enter')
      await page.locator('.results').waitFor()
      expect(await countOf(page)).to.equal('2 zines')
    })

  it('goes from the map to a city by keyboard, and zooms, without scripts', async () => {
    const made = zine('placed', { place_of_publication: ['Lima, Peru'] })
    await site().service.post('/api/zines/', made)
    const page = await site().visit('/map', { javaScriptEnabled: false })
    const boxOf = () => page.locator('svg.map').getAttribute('viewBox')
    const close = await boxOf()
    await page.getByRole('link', { name: 'World', exact: true }).press('Enter')
    await page.locator('a[aria-current=page]', { hasText: 'World' }).waitFor()
    expect(await boxOf()).not.to.equal(close)
    expect(await page.locator('.map-legend').innerText()).to.include('City that zines come from')
    await page.getByRole('link', { name: 'Lima', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Lima', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'The zines of this place on the map' }).press('Enter')
    await page.getByRole('heading', { name: 'Map', level: 1 }).waitFor()
    await page.getByText('1 of 1 zine is on the map.').waitFor()
    await site().service.delete('/api/zines/placed/')
  })

  it('follows a part of a bar', async () => {
    const page = await site().visit('/explore?rows=genre&columns=decade')
    await page.locator('svg.stack').last().locator('rect').last().click()
    await page.locator('.results').waitFor()
    expect(new URL(page.url()).searchParams.get('decade')).to.equal('1990')
  })

  it('draws over years of the home page, and is shown the zines of these years', async () => {
    const page = await site().visit('/api/')
    await page.locator('.timeline').scrollIntoViewIfNeeded()
    const { x = 0, y = 0, width = 0 } = (await page.locator('.timeline').boundingBox()) ?? {}
    // Eleven columns, from 1989 to 1999.
    await page.mouse.move(x + (width * 4.5) / 11, y + 150)
    await page.mouse.down()
    await page.mouse.move(x + (width * 7.5) / 11, y + 150, { steps: 5 })
    await page.mouse.up()
    expect(await page.getByLabel('From year', { exact: true }).inputValue()).to.equal('1993')
    expect(await page.getByLabel('To year', { exact: true }).inputValue()).to.equal('1996')
    await page.getByRole('button', { name: 'Show zines' }).click()
    await page.locator('.results').waitFor()
    expect(await countOf(page)).to.equal('2 zines')
  })

  it('chooses years with the handles by keyboard', async () => {
    const page = await site().visit('/api/')
    const [from, to] = [page.getByRole('slider').first(), page.getByRole('slider').last()]
    for (let presses = 0; presses < 6; presses += 1) await from.press('ArrowRight')
    expect(await from.getAttribute('aria-valuenow')).to.equal('1995')
    await to.press('Home')
    expect(await to.getAttribute('aria-valuenow')).to.equal('1995')
    await to.press('End')
    await to.press('Enter')
    await page.locator('.results').waitFor()
    expect(new URL(page.url()).search).to.include('year__gte=1995&year__lte=1999')
    expect(await countOf(page)).to.equal('1 zine')
  })

  it('chooses years without scripts', async () => {
    const page = await site().visit('/api/', { javaScriptEnabled: false })
    expect(await page.getByRole('slider').count()).to.equal(0)
    await page.getByLabel('To year').fill('1990')
    await page.getByRole('button', { name: 'Show zines' }).click()
    expect(await countOf(page)).to.equal('1 zine')
  })

  it('opens a single year by a click on its column', async () => {
    const page = await site().visit('/api/')
    await page.locator('.columns .column').first().click()
    await page.locator('.results').waitFor()
    expect(new URL(page.url()).searchParams.get('year')).to.equal('1989')
  })
})

const ofCollection = hasCollection ? '' : ' (skipped: COLLECTION_FILES is not set)'

describe(`in a browser, a reader of a real collection${ofCollection}`, () => {
  if (!hasCollection) {
    it('follows a place', function () {
      this.skip()
    })
    return
  }
  let dataDir = ''
  before(async () => {
    dataDir = await createCollectionDirectory()
  })
  const environment: Record<string, string> = {}
  before(() => (environment.DATA_DIR = dataDir))
  const site = useBrowser(environment)

  before(async () => {
    for (const kind of ['agents', 'repositories', 'zines', 'holdings'])
      await createRecords(site().service, kind, await readCollection(kind))
  })

  for (const [where, device] of devices)
    it(`follows a place from the map to its zines and to its page, by keyboard (${where})`, async () => {
      const page = await site().visit('/api/', device)
      await page.getByRole('link', { name: 'Map', exact: true }).press('Enter')
      await page.getByRole('heading', { name: 'Map', level: 1 }).waitFor()
      expect(await page.locator('svg.map circle').count()).to.be.greaterThan(200)
      const zines = page.getByRole('link', { name: /zines: Portland$/ }).first()
      const [number = ''] = (await zines.getAttribute('aria-label'))?.split(' ') ?? []
      await zines.press('Enter')
      await page.locator('.results').waitFor()
      expect(await countOf(page)).to.equal(`${number} zines`)
      await page.locator('.records h3 a').first().press('Enter')
      await page
        .getByRole('link', { name: /^Portland/ })
        .first()
        .press('Enter')
      await page.getByRole('heading', { name: 'Portland', level: 1 }).waitFor()
      expect(await page.locator('section.related h2').first().innerText()).to.match(
        new RegExp(`${number}$`),
      )
    })
})
