// What readers come to the service for, each task whole: by keyboard at a desk, by touch on a phone, and without
// scripts; with the sample, and a real collection beside it where there is one.

import { readFile } from 'node:fs/promises'

import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'

import { until } from '../waiting.js'
import { allHands, unfold } from './hands.js'
import { useSample } from './real-collection.js'

const menu = '.menu > summary'
const filters = '.drawer > summary'

describe('in a browser', () => {
  const site = useSample()

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  for (const hands of allHands)
    describe(`a reader ${hands.name}`, () => {
      let page: Page
      const open = async (path: string) => (page = await site().visit(path, hands.device))
      const link = (name: string | RegExp) =>
        page.getByRole('main').getByRole('link', { name, exact: true }).first()
      const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
      const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first()
      const title = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })

      /** The text of the file that a link or button leads to. */
      async function download(target: Locator): Promise<string> {
        const begun = page.waitForEvent('download')
        await hands.press(target)
        return readFile(await (await begun).path(), 'utf8')
      }

      afterEach(() => page.context().close())

      it('finds a maker by another name', async () => {
        await open('/api/')
        const search = page.getByLabel(/^Search/).first()
        if (hands.runsScripts) await hands.pick(search, 'Quire-Bird', 'Pip Quire')
        else {
          await hands.type(search, 'Quire-Bird')
          await hands.press(button('Search'))
          await hands.press(link('Pip Quire'))
        }
        await title('Pip Quire').waitFor()
        await heading(/^Zines \(/).waitFor()
      })

      it('finds where a zine can be read in a country of their choice', async () => {
        await open('/api/zines/stapler-elegies-1/')
        await heading(/^Where to read it/).waitFor()
        await hands.choose(page.getByLabel('Your country'), 'Canada')
        await hands.press(page.locator('.where').getByRole('button').first())
        await page.waitForURL(/near=CA/)
        expect(await page.getByLabel('Your country').inputValue()).to.equal('CA')
      })

      it('narrows to zines of a decade about a subject, the newest first', async () => {
        await open('/api/zines/')
        for (const name of [/^Daily life \d/, /^1990s \d/]) {
          await unfold(hands, page, filters)
          const box = page.getByRole('complementary')
          const filter = box.getByRole('link', { name }).first()
          // A long facet shows the most frequent values first.
          if ((await filter.count()) === 0)
            await hands.press(box.getByRole('link', { name: 'More of subject' }))
          await filter.waitFor()
          const before = page.url()
          await hands.press(filter)
          await page.waitForURL((url) => url.href !== before)
          await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
        }
        await title('Zines about daily life, 1990s').waitFor()
        await hands.choose(page.getByLabel('Order'), 'Newest')
        await hands.press(page.locator('form.controls').getByRole('button'))
        await page.waitForURL(/ordering=-year/)
        const { search } = new URL(page.url())
        const { results } = (await site().service.get(`/api/zines/${search}`)).body
        const shown = await page.locator('.records h3 a').allInnerTexts()
        expect(shown).to.deep.equal(results.map((zine: { title: string }) => zine.title))
        expect(results).not.to.deep.equal([])
      })

      it('cites a zine in MLA', async () => {
        await open('/api/zines/stapler-elegies-1/')
        await hands.press(link('Cite'))
        await heading('MLA').waitFor()
        expect(await page.locator('[data-copy="MLA"]').innerText()).to.match(/^Toner, Marge/)
      })

      it('goes from an issue to the others of its series', async () => {
        await open('/api/zines/low-toner-1/')
        await hands.press(page.getByRole('link', { name: /All \d+ issues of/ }).first())
        await title('Toner Low, Replace Soon').waitFor()
        await hands.press(page.locator('main a[href="/api/zines/low-toner-2/"]').first())
        await title(/^Toner Low, Replace Soon/).waitFor()
        await page.waitForURL('**/low-toner-2/')
      })

      it('finds a copy by its call number', async () => {
        await open('/api/holdings/')
        await hands.type(page.getByLabel('Search copies'), '"Z TON 1"')
        await hands.press(page.locator('form.controls').getByRole('button'))
        await hands.press(page.locator('.records a[href="/api/holdings/gsa-0001/"]').first())
        await page.getByText('Z TON 1', { exact: true }).first().waitFor()
      })

      it('asks for a change of a maker without an account', async () => {
        await open('/api/agents/pip-quire/')
        await hands.press(page.getByRole('link', { name: /^Is this you\?/ }))
        await hands.press(page.getByLabel('Something else'))
        await hands.type(page.getByLabel('Your request'), `Please, ${hands.name}.`)
        await hands.press(button('Send request'))
        await heading('Request sent').waitFor()
      })

      it('reads the pages in another language, and stays with it', async () => {
        await open('/api/zines/')
        await hands.press(page.getByRole('link', { name: 'Français' }))
        await until(async () => (await page.locator('html').getAttribute('lang')) === 'fr')
        await unfold(hands, page, menu)
        await hands.press(page.getByRole('link', { name: 'Séries', exact: true }))
        await page.waitForURL('**/series')
        expect(await page.locator('html').getAttribute('lang')).to.equal('fr')
      })

      it('goes from the map to the zines of a place', async () => {
        await open('/map')
        const place = page.locator('main table a').first()
        const name = await place.innerText()
        await hands.press(place)
        await title(new RegExp(name)).waitFor()
        await page.locator('.records > li').first().waitFor()
      })

      it('runs an example query, and takes its table as CSV', async () => {
        await open('/sparql')
        await hands.press(link('How many zines are there in each language?'))
        await page.waitForURL(/query=/)
        await page.getByRole('cell', { name: 'English' }).first().waitFor()
        // Who comes through the field of the query gets the editor, which has a button.
        const file = await download(link('CSV').or(button('Download Results')))
        expect(file).to.match(/^"?language"?,"?zines"?\s+"?English/)
      })

      it('takes a list as a spreadsheet, and follows its feed', async () => {
        await open('/api/zines/?subject=daily-life')
        const { count } = (await site().service.get('/api/zines/?subject=daily-life')).body
        const lines = (await download(link('CSV'))).trimEnd().split('\r\n')
        expect(lines.length).to.be.above(count)
        const feed = await page
          .locator('link[type="application/atom+xml"]')
          .first()
          .getAttribute('href')
        const { status, text } = await site().service.get(feed ?? '')
        expect(status).to.equal(200)
        expect(text).to.include('<feed')
      })
    })
})
