// What readers come to the service for, each task whole: by keyboard at a desk and by touch on a phone, with a real
// collection and the sample beside it.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { loadSample } from '../views/browser.js'
import { until } from '../waiting.js'
import { bothHands, unfold } from './hands.js'
import { ofCollection, useCollection } from './real-collection.js'

const menu = '.menu > summary'

describe('with a real collection and the sample', () => {
  const site = useCollection()

  before(() => loadSample(site().service))

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  for (const hands of bothHands)
    describe(`a reader ${hands.name}`, () => {
      let page: Page
      const open = async (path: string) => (page = await site().visit(path, hands.device))
      const link = (name: string | RegExp) =>
        page.getByRole('main').getByRole('link', { name, exact: true }).first()
      const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first()
      const box = () => page.getByRole('combobox', { name: /^Search/ }).first()

      afterEach(() => page.context().close())

      it(ofCollection('finds a maker from the search box by another name'), async () => {
        await open('/api/')
        await hands.type(box(), 'Quire-Bird')
        await hands.take(page.getByRole('option', { name: /Pip Quire/ }).first())
        await page.getByRole('heading', { level: 1, name: 'Pip Quire' }).waitFor()
        await heading(/^Zines \(/).waitFor()
      })

      it(ofCollection('finds where a zine can be read in a country of their choice'), async () => {
        await open('/api/zines/stapler-elegies-1/')
        await heading(/^Where to read it/).waitFor()
        await hands.choose(page.getByLabel('Your country'), 'Canada')
        await hands.press(page.locator('.where').getByRole('button').first())
        await page.waitForURL(/near=CA/)
        expect(await page.getByLabel('Your country').inputValue()).to.equal('CA')
      })

      it(ofCollection('cites a zine in MLA'), async () => {
        await open('/api/zines/stapler-elegies-1/')
        await hands.press(link('Cite'))
        await heading('MLA').waitFor()
        expect(await page.locator('[data-copy="MLA"]').innerText()).to.match(/^Toner, Marge/)
      })

      it(ofCollection('finds a copy by its call number'), async () => {
        await open('/api/holdings/')
        await hands.type(page.getByLabel('Search copies'), 'Z00103')
        await page.keyboard.press('Enter')
        await page.locator('.results .count').getByText('1 copy').waitFor()
        await hands.press(page.locator('.records a[href^="/api/holdings/"]').first())
        await page.getByText('Z00103', { exact: true }).first().waitFor()
      })

      it(ofCollection('reads the pages in another language, and stays with it'), async () => {
        await open('/api/zines/')
        await hands.press(page.getByRole('link', { name: 'Français' }))
        await until(async () => (await page.locator('html').getAttribute('lang')) === 'fr')
        await unfold(hands, page, menu)
        await hands.press(page.getByRole('link', { name: 'Séries', exact: true }))
        await page.waitForURL('**/series')
        expect(await page.locator('html').getAttribute('lang')).to.equal('fr')
      })
    })
})
