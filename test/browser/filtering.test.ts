// Readers who filter lists by keyboard, with scripts and without.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, zine } from '../examples.js'
import { tabTo, useBrowser } from './browser.js'

describe('in a browser, a reader who filters a list', () => {
  const site = useBrowser()

  before(async () => {
    const { post } = site().service
    await post('/api/agents/', agent('maker'))
    for (const [id, subject, date] of [
      ['a', ['punk', 'music'], '1994'],
      ['b', ['feminism', 'punk'], '1995'],
      ['c', ['music'], '2001'],
    ] as const)
      await post('/api/zines/', zine(id, { title: `Zine ${id}`, subject, date: [date] }))
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const filter = (page: Page, name: RegExp) =>
    page.getByRole('complementary').getByRole('link', { name })
  const focused = (page: Page) => page.locator(':focus')
  const told = (page: Page, text: string) =>
    page.locator('[role=status]').getByText(text, { exact: true }).waitFor({ state: 'attached' })
  const query = (page: Page) => new URL(page.url()).search

  it('keeps the focus, is told the count, and narrows with a second subject', async () => {
    const page = await site().visit('/api/zines/')
    expect(await page.locator('[role=status]').allInnerTexts()).to.deep.equal([''])
    await tabTo(page, filter(page, /^Punk 2/))
    await page.keyboard.press('Enter')
    await told(page, '2 zines')
    expect(await focused(page).innerText()).to.match(/^Remove\s+Punk\s+×$/)
    await filter(page, /^Music 1/).press('Enter')
    await told(page, '1 zine')
    expect(await focused(page).innerText()).to.match(/^Remove\s+Music\s+×$/)
    expect(await page.locator('h1').innerText()).to.equal('Zines about punk and music')
    expect(decodeURIComponent(query(page))).to.equal('?subject__all=punk,music')
    await filter(page, /^Any of these/).press('Enter')
    await told(page, '3 zines')
    expect(await focused(page).innerText()).to.match(/^All of these/)
    await focused(page).press('Enter')
    await told(page, '1 zine')
  })

  it('goes to the results by one key from any filter', async () => {
    const page = await site().visit('/api/zines/')
    await tabTo(page, filter(page, /^Punk 2/))
    await page.keyboard.press('Escape')
    expect(await focused(page).getAttribute('id')).to.equal('results')
    await page.keyboard.press('Tab')
    expect(await focused(page).evaluate((one) => one.closest('.results') !== null)).to.equal(true)
  })

  it('removes one filter after the other by its chip, and then is at the results', async () => {
    const page = await site().visit('/api/zines/?subject__all=punk,music')
    const chip = (name: string) => page.getByRole('link', { name: `Remove ${name}` })
    await chip('Subject: Punk').press('Enter')
    await told(page, '2 zines')
    expect(await focused(page).innerText()).to.match(/^Remove\s+Subject: Music/)
    await page.keyboard.press('Enter')
    await told(page, '3 zines')
    expect(await focused(page).getAttribute('id')).to.equal('results')
    expect(query(page)).to.equal('')
  })

  it('gets each list again by the buttons of the browser', async () => {
    const page = await site().visit('/api/zines/?ordering=title')
    await filter(page, /^Punk 2/).press('Enter')
    await told(page, '2 zines')
    await page.goBack()
    await page.locator('.results .count').getByText('3').waitFor()
    expect(query(page)).to.equal('?ordering=title')
    await page.goForward()
    await page.locator('.results .count').getByText('2').waitFor()
    expect(await page.locator('h1').innerText()).to.equal('Zines about punk')
  })

  it('searches within what was filtered, and in the language that is chosen then', async () => {
    const page = await site().visit('/api/zines/')
    await filter(page, /^Punk 2/).press('Enter')
    await told(page, '2 zines')
    await page.getByLabel('Search zines').pressSequentially('b')
    await page.locator('h1').getByText('Zines about punk matching “b”').waitFor()
    await told(page, '1 zine')
    await page.getByRole('link', { name: 'Français' }).click()
    await page.locator('html[lang=fr]').waitFor()
    expect(query(page)).to.include('subject=punk').and.to.include('q=b')
  })

  it('is led to the page of the list where it cannot be shown in place', async () => {
    const page = await site().visit('/api/zines/')
    await page.route('**/*subject=punk*', (route, request) =>
      request.resourceType() === 'fetch' ? route.abort() : route.continue(),
    )
    await filter(page, /^Punk 2/).press('Enter')
    await page.waitForURL('**/api/zines/?subject=punk#facet-subject')
    expect(site().complaints()).to.deep.equal(['Failed to load resource: net::ERR_FAILED'])
  })

  it('goes on where the filter is, and from there to the results, without scripts', async () => {
    const page = await site().visit('/api/zines/', { javaScriptEnabled: false })
    await filter(page, /^Punk 2/).press('Enter')
    await page.waitForURL('**/api/zines/?subject=punk#facet-subject')
    await page.keyboard.press('Tab')
    expect(await focused(page).innerText()).to.equal('Skip to the results')
    expect(await focused(page).evaluate((one) => one.closest('section')?.id)).to.equal(
      'facet-subject',
    )
    await page.keyboard.press('Enter')
    await page.waitForURL('**/api/zines/?subject=punk#results')
    await page.keyboard.press('Tab')
    expect(await focused(page).evaluate((one) => one.closest('.results') !== null)).to.equal(true)
  })
})
