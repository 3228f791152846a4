// Readers who search, with suggestions, filters and the menu of narrow screens, by mouse and by keyboard.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import {
  createCollectionDirectory,
  createRecords,
  hasCollection,
  readCollection,
} from '../collection.js'
import { agent, holding, repository, zine } from '../examples.js'
import { openMenu, tabTo, useBrowser } from './browser.js'
import { expectEssentials } from './essentials.js'

const desk = { viewport: { width: 1280, height: 900 } } as const
const phone = { viewport: { width: 390, height: 844 } } as const
const devices = [
  ['at a desk', desk],
  ['on a phone', phone],
] as const

/** The box at the head of every page; the home page has its own instead. */
const boxName = /^Search (?:the catalogue|zines, makers and libraries)$/

const searchBox = (page: Page) => page.getByRole('combobox', { name: boxName })

describe('in a browser, a reader', () => {
  const site = useBrowser({ LIST_INDEX: 'on' })

  before(async () => {
    const { post } = site().service
    await post('/api/agents/', agent('maker', { display_name: 'Jenna Freedman' }))
    await post('/api/repositories/', repository('library', { repository_name: 'The Cellar' }))
    for (const [id, title, subject] of [
      ['a', 'Cometbus', ['punk', 'music']],
      ['b', 'Doris', ['feminism']],
      ['c', 'Comet Tails', ['music']],
    ] as const)
      await post('/api/zines/', zine(id, { title, subject, date: ['1994'] }))
    await post('/api/holdings/', holding('copy', { zine_id: 'a', repository_id: 'library' }))
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  it('is suggested records and subjects while typing, and follows one by keyboard', async () => {
    const page = await site().visit('/api/')
    const box = searchBox(page)
    await box.pressSequentially('comet')
    const options = page.getByRole('listbox', { name: 'Suggestions' }).first().getByRole('option')
    await options.first().waitFor()
    expect(await box.getAttribute('aria-expanded')).to.equal('true')
    expect(await options.count()).to.equal(2)
    expect(await options.first().innerText()).to.match(/^Comet.* Zine · Jenna Freedman, 1994$/)
    await page.keyboard.press('ArrowDown')
    expect(await box.getAttribute('aria-activedescendant')).to.equal(
      await options.first().getAttribute('id'),
    )
    expect(await options.first().getAttribute('aria-selected')).to.equal('true')
    await page.keyboard.press('ArrowUp')
    expect(await box.getAttribute('aria-activedescendant')).to.equal(null)
    await page.keyboard.press('ArrowUp')
    expect(await options.nth(1).getAttribute('aria-selected')).to.equal('true')
    const name = (await options.nth(1).innerText()).split(' Zine')[0] ?? ''
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  })

  it('is suggested the right kind first: the maker by a name, the subject with its count', async () => {
    const page = await site().visit('/api/')
    const firstOf = async (typed: string, first: RegExp) => {
      await searchBox(page).fill(typed)
      await page.getByRole('option', { name: first }).waitFor()
      expect(await page.getByRole('option').first().innerText(), typed).to.match(first)
    }
    await firstOf('freedm', /^Jenna Freedman Maker · Person$/)
    await firstOf('femin', /^Feminism Subject · 1 zine$/)
  })

  it('is suggested subjects with notes in the language of the page', async () => {
    const page = await site().visit('/dataset', { ...desk, locale: 'es-ES' })
    await page.getByRole('combobox').pressSequentially('feminis')
    const first = page.getByRole('option').first()
    await first.waitFor()
    expect(await first.innerText()).to.equal('Feminismo Tema · 1 fanzine')
  })

  it('is suggested a title of one sign, and by a word inside a title in Japanese', async () => {
    for (const [id, title] of [
      ['star', '★'],
      ['study', '日本のジン文化研究'],
    ] as const)
      await site().service.post('/api/zines/', zine(id, { title }))
    const page = await site().visit('/api/')
    for (const [typed, title] of [
      ['★', '★'],
      ['文化', '日本のジン文化研究'],
    ] as const) {
      await searchBox(page).fill(typed)
      await page.getByRole('option', { name: title }).waitFor()
    }
    await page.getByRole('option').first().click()
    await page.getByRole('heading', { name: '日本のジン文化研究', level: 1 }).waitFor()
  })

  it('narrows what a search of all kinds found, by a filter beside it', async () => {
    const page = await site().visit('/api/search/?q=freedman', desk)
    await page
      .getByRole('complementary', { name: 'Filters' })
      .getByRole('link', { name: /^Music 2$/ })
      .click()
    await page.getByRole('heading', { name: 'Zines about music matching “freedman”' }).waitFor()
  })

  it('filters the subjects while typing, and opens what is folded by keyboard', async () => {
    const page = await site().visit('/api/vocabularies/subjects/', desk)
    const health = page.getByText('Reproductive health', { exact: true })
    expect(await health.isVisible()).to.equal(false)
    await tabTo(page, page.locator('summary', { hasText: /^Health \d+$/ }))
    await page.keyboard.press('Enter')
    await health.waitFor()
    await page.getByRole('searchbox', { name: 'Search subjects' }).pressSequentially('femininity')
    await page.locator('p.count').getByText('1 entry').waitFor()
    await page.getByRole('link', { name: 'Femininity', exact: true }).waitFor()
    expect(await page.locator('.folds').count()).to.equal(0)
  })

  it('opens what is folded, and searches the subjects, without scripts', async () => {
    const path = '/api/vocabularies/subjects/'
    const page = await site().visit(path, { ...phone, javaScriptEnabled: false })
    await page.locator('summary', { hasText: /^Health \d+$/ }).click()
    await page.getByText('Reproductive health', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search subjects' }).fill('femini')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Feminism', exact: true }).waitFor()
  })

  it('goes from a search to the page of the subject that it names', async () => {
    const page = await site().visit('/api/search/?q=feminism', phone)
    await page.getByRole('link', { name: 'Feminism', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Feminism', level: 1 }).waitFor()
  })

  it('searches for what was typed where no suggestion is chosen, and closes them', async () => {
    const page = await site().visit('/api/zines/b/')
    await searchBox(page).pressSequentially('freedman')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    await list.waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    expect(await searchBox(page).inputValue()).to.equal('freedman')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Results for “freedman”' }).waitFor()
    expect(await searchBox(page).inputValue()).to.equal('freedman')
    expect(await page.locator('mark').first().innerText()).to.equal('Freedman')
  })

  it('follows a suggestion by mouse', async () => {
    const page = await site().visit('/api/', phone)
    await searchBox(page).pressSequentially('doris')
    await page.getByRole('option', { name: /^Doris/ }).click()
    await page.getByRole('heading', { name: 'Doris', level: 1 }).waitFor()
  })

  it('sees words of records in suggestions as text', async () => {
    const title = '<img src=x onerror=document.title=1> hostile'
    await site().service.post('/api/zines/', zine('hostile', { title }))
    const page = await site().visit('/api/')
    await searchBox(page).pressSequentially('hostile')
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('option').first().innerText()).to.include(title)
    expect(await page.locator('.options img').count()).to.equal(0)
  })

  it('searches without scripts', async () => {
    const page = await site().visit('/api/', { ...phone, javaScriptEnabled: false })
    await page.getByRole('searchbox', { name: boxName }).fill('doris')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Results for “doris”' }).waitFor()
    await page.getByRole('link', { name: 'Zines 1' }).click()
    await page.getByText('Filters', { exact: true }).click()
    await page
      .getByRole('complementary')
      .getByRole('link', { name: /^Feminism/ })
      .click()
    await page.getByRole('heading', { name: 'Zines about feminism matching “doris”' }).waitFor()
  })

  describe('of a list whose zines have many subjects', () => {
    const path = '/api/zines/?q=manifold'
    const subject = [
      ...['ableism', 'abortion', 'activism', 'addiction', 'adhd', 'adoption', 'advertising'],
      ...['aging', 'alcohol', 'anarchism', 'anger', 'animals', 'anxiety', 'archives'],
    ]

    before(() => site().service.post('/api/zines/', zine('many', { title: 'Manifold', subject })))
    after(() => site().service.delete('/api/zines/many/'))

    const subjectsOf = (page: Page) => page.locator('#facet-subject li')
    const linkOf = (page: Page, name: string) =>
      page.locator('#facet-subject').getByRole('link', { name })

    it('sees them all in place, and goes on with the first that was not shown', async () => {
      const page = await site().visit(path, desk)
      expect(await subjectsOf(page).count()).to.equal(8)
      await linkOf(page, 'More of subject').press('Enter')
      await linkOf(page, 'Fewer of subject').waitFor()
      expect(await subjectsOf(page).count()).to.equal(14)
      expect(new URL(page.url()).search).to.equal('?q=manifold')
      const ninth = await subjectsOf(page).nth(8).getByRole('link').innerText()
      expect(await page.locator(':focus').innerText()).to.equal(ninth)
      await linkOf(page, 'Fewer of subject').click()
      await linkOf(page, 'More of subject').waitFor()
      expect(await subjectsOf(page).count()).to.equal(8)
    })

    it('sees them all without scripts, in the open drawer of a phone', async () => {
      const page = await site().visit(path, { ...phone, javaScriptEnabled: false })
      await page.getByText('Filters', { exact: true }).click()
      await linkOf(page, 'More of subject').click()
      await linkOf(page, 'Fewer of subject').waitFor()
      expect(await subjectsOf(page).count()).to.equal(14)
      await subjectsOf(page).last().getByRole('link').click()
      await page.getByRole('heading', { name: /^Zines about .* matching “manifold”$/ }).waitFor()
      // The one that is chosen comes first, then the most frequent.
      expect(await subjectsOf(page).count()).to.equal(8)
      const first = subjectsOf(page).first().locator('a')
      expect(await first.getAttribute('aria-current')).to.equal('true')
    })

    it('sees the page with them where they cannot be had alone', async () => {
      const page = await site().visit(path, desk)
      await page.route('**/*facet=subject*', (route, request) =>
        request.resourceType() === 'fetch' ? route.abort() : route.continue(),
      )
      await linkOf(page, 'More of subject').click()
      await page.waitForURL('**/api/zines/?q=manifold&facet=subject#facet-subject')
      expect(await subjectsOf(page).count()).to.equal(14)
      expect(site().complaints()).to.deep.equal(['Failed to load resource: net::ERR_FAILED'])
    })
  })

  it('opens menu and filters on a phone, and finds both open at a desk', async () => {
    const page = await site().visit('/api/zines/', phone)
    const section = page.getByRole('link', { name: 'Makers', exact: true })
    const filter = page.getByRole('complementary').getByRole('link', { name: /^Punk/ })
    expect([await section.isVisible(), await filter.isVisible()]).to.deep.equal([false, false])
    await page.getByText('Filters', { exact: true }).click()
    expect(await filter.isVisible()).to.equal(true)
    // The drawer is before the results.
    const [drawer, results] = [page.locator('.drawer'), page.locator('.results')]
    const topOf = async (one: typeof drawer) => (await one.boundingBox())?.y ?? 0
    expect(await topOf(drawer)).to.be.below(await topOf(results))
    await openMenu(page)
    expect(await section.isVisible()).to.equal(true)
    await page.setViewportSize(desk.viewport)
    await page.reload()
    expect([await section.isVisible(), await filter.isVisible()]).to.deep.equal([true, true])
    expect(await page.getByText('Menu', { exact: true }).isVisible()).to.equal(false)
  })

  it('keeps filters and the drawer while typing', async () => {
    const page = await site().visit('/api/zines/?subject=music', phone)
    await page.getByText('Filters (1)').click()
    await page.getByLabel('Search zines').pressSequentially('tails')
    await page.getByRole('heading', { name: 'Zines about music matching “tails”' }).waitFor()
    expect(await page.getByLabel('Order').locator('option').first().innerText()).to.equal(
      'Best match first',
    )
    expect(await page.locator('.drawer').getAttribute('open')).to.equal('')
    expect(await page.locator('.results .count').innerText()).to.equal('1 zine')
    expect(await page.getByLabel('Search zines').inputValue()).to.equal('tails')
  })
})

const dataDir = hasCollection ? await createCollectionDirectory() : ''

describe('in a browser, a reader of a real collection', () => {
  before(function () {
    if (hasCollection) return
    console.log('      skipped: COLLECTION_FILES is not set')
    this.skip()
  })

  const site = useBrowser(hasCollection ? { DATA_DIR: dataDir, LIST_INDEX: 'on' } : {})

  before(async () => {
    for (const kind of ['agents', 'repositories', 'zines', 'holdings'])
      await createRecords(site().service, kind, await readCollection(kind))
    // The collection that is known has no zines in Spanish.
    const { post } = site().service
    const added = { creator: ['freedman-jenna'], language: ['es'], subject: ['feminism'] }
    for (const [id, title, date] of [
      ['es-1', 'Chicas ruidosas', '1994'],
      ['es-2', 'Mujer entera', '1997-05'],
      ['es-3', 'Otra vez', '2004'],
    ] as const) {
      const { status, text } = await post(
        '/api/zines/',
        zine(id, { ...added, title, date: [date] }),
      )
      expect(status, text).to.equal(201)
    }
    const copy = { zine_id: 'es-2', repository_id: 'mctc', call_number: 'ES 2' }
    await post('/api/holdings/', holding('es-2-copy', copy))
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  for (const [where, device] of devices) {
    it(`finds zines by a maker with a misspelt name, by keyboard ${where}`, async () => {
      const page = await site().visit('/api/', device)
      await tabTo(page, searchBox(page))
      await page.keyboard.type('jena freedmann')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Results for “jena freedmann”' }).waitFor()
      const first = page.locator('.records > li').first()
      expect(await first.innerText()).to.match(/^Maker\s+Jenna Freedman/)
      const kinds = page.getByRole('navigation', { name: 'Results by kind' })
      await tabTo(page, kinds.getByRole('link', { name: /^Zines/ }))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Zines matching “jena freedmann”' }).waitFor()
      const lines = await page.locator('.records > li .line').allInnerTexts()
      expect(lines).to.have.length.above(9)
      for (const line of lines.slice(0, 5)) expect(line).to.include('Jenna Freedman')
      await tabTo(page, page.getByRole('link', { name: 'jenna freedman', exact: true }))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Zines matching “jenna freedman”' }).waitFor()
    })

    it(`finds Spanish zines on feminism of the 1990s and where to read them, by keyboard ${where}`, async () => {
      const page = await site().visit('/api/zines/', device)
      const choose = async (name: RegExp) => {
        const drawer = page.locator('.drawer > summary')
        if (await drawer.isVisible()) {
          await tabTo(page, drawer)
          await page.keyboard.press('Enter')
        }
        const choice = page.getByRole('complementary').getByRole('link', { name })
        await tabTo(page, choice)
        const before = page.url()
        await page.keyboard.press('Enter')
        await page.waitForURL((url) => url.href !== before)
      }
      await choose(/^Spanish/)
      await choose(/^Feminism 3$/)
      await choose(/^1990s 2$/)
      const title = 'Zines in Spanish about feminism, 1990s'
      expect(await page.locator('h1').innerText()).to.equal(title)
      expect(await page.title()).to.equal(`${title} · Zine Catalogue`)
      expect(await page.locator('.records h3').allInnerTexts()).to.have.members([
        'Chicas ruidosas',
        'Mujer entera',
      ])
      await choose(/^In a library 1$/)
      await tabTo(page, page.getByRole('link', { name: 'Mujer entera' }))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /^Where to read it/ }).waitFor()
      const held = await page.locator('.related').first().innerText()
      expect(held)
        .to.include('Minneapolis Community & Technical College Library')
        .and.include('ES 2')
    })
  }

  it('has the essentials of a zine on one and a half screens of a phone', async () => {
    const { body } = await site().service.get('/api/zines/?page_size=40&ordering=title')
    await expectEssentials(
      site(),
      body.results.map((one: any) => one.zine_id),
    )
  })

  it('is sent pages of a list that weigh less than 60 KB', async () => {
    const { url } = site().service
    for (const path of ['/api/zines/?page_size=100', '/api/zines/?q=girls&page_size=100']) {
      const headers = { accept: 'text/html', 'accept-encoding': 'gzip' }
      const answer = await fetch(url + path, { headers })
      expect(Number(answer.headers.get('content-length')), path).to.be.within(1000, 60_000)
    }
  })
})
