// Tests that a zine to print comes out of a browser as it is to be folded: the size of its sheets, how
// many there are, and where its pages are on them.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, zine } from '../examples.js'
import { isWiderThanWindow } from './axe.js'
import { useBrowser } from './browser.js'
import { phone } from './essentials.js'

describe('a zine to print, in a browser', () => {
  const site = useBrowser()

  before(async () => {
    const { post } = site().service
    await post('/api/agents/', agent('maker'))
    for (let number = 1; number <= 30; number += 1)
      await post(
        '/api/zines/',
        zine(`zine-${number}`, {
          title: `A zine with a title of so many words that they have to be cut, ${number}`,
        }),
      )
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const print = async (page: Page): Promise<string> =>
    (await page.pdf({ preferCSSPageSize: true })).toString('latin1')

  /** Where a page is on the first sheet that has it, in parts of the sheet from the top left. */
  const placeOf = (page: Page, number: number) =>
    page.locator(`.sheet-page[aria-label^="Page ${number} "]`).evaluate((element) => {
      const sheet = element.closest('.sheet')?.getBoundingClientRect()
      const { left, top, width, height } = element.getBoundingClientRect()
      if (!sheet) throw new Error('the page is on no sheet')
      const parts = [
        (left - sheet.left) / sheet.width,
        (top - sheet.top) / sheet.height,
        width / sheet.width,
        height / sheet.height,
      ]
      return parts.map((part) => Math.round(part * 1000) / 1000)
    })

  it('is one sheet of A4, across, with its pages in the eight fields', async () => {
    const page = await site().visit('/booklet')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.masthead').isVisible()).to.equal(false)
    expect(await placeOf(page, 1)).to.deep.equal([0.75, 0.5, 0.25, 0.5])
    expect(await placeOf(page, 2)).to.deep.equal([0.75, 0, 0.25, 0.5])
    expect(await placeOf(page, 5)).to.deep.equal([0, 0, 0.25, 0.5])
    expect(await placeOf(page, 6)).to.deep.equal([0, 0.5, 0.25, 0.5])
    expect(await placeOf(page, 8)).to.deep.equal([0.5, 0.5, 0.25, 0.5])
    const pdf = await print(page)
    expect(pdf.match(/\/Type \/Page\b/g)).to.have.length(1)
    expect(pdf).to.match(/\/MediaBox \[0 0 84[12][\d.]* 59[45][\d.]*\]/)
    await page.context().close()
  })

  it('has room on each page for what is on it', async () => {
    for (const sheet of ['fold', 'booklet']) {
      const page = await site().visit(`/booklet?sheet=${sheet}`)
      await page.emulateMedia({ media: 'print' })
      const outside = await page.locator('.sheet-page').evaluateAll((pages) =>
        pages.flatMap((element) => {
          const field = element.getBoundingClientRect()
          return [...element.querySelectorAll('h2, .where, .cover, .qr-code, .address')]
            .filter((part) => {
              const { top, bottom, left, right } = part.getBoundingClientRect()
              const isInside =
                top >= field.top &&
                bottom <= field.bottom &&
                left >= field.left &&
                right <= field.right
              return !isInside
            })
            .map((part) => `${element.getAttribute('aria-label')}: ${part.className}`)
        }),
      )
      expect(outside, sheet).to.deep.equal([])
      await page.context().close()
    }
  })

  it('is a booklet of three sheets of US letter, with two sides each', async () => {
    const page = await site().visit('/booklet')
    await page.getByLabel('Kind of zine').selectOption('booklet')
    await page.getByLabel('Paper').selectOption('letter')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/sheet=booklet/)
    const pdf = await print(page)
    expect(pdf.match(/\/Type \/Page\b/g)).to.have.length(6)
    expect(pdf).to.include('/MediaBox [0 0 792 612]')
    expect(await placeOf(page, 12)).to.deep.equal([0, 0, 0.5, 1])
    expect(await placeOf(page, 1)).to.deep.equal([0.5, 0, 0.5, 1])
    expect(await placeOf(page, 2)).to.deep.equal([0, 0, 0.5, 1])
    await page.context().close()
  })

  it('is not wider than a phone, where the sheets scroll', async () => {
    const page = await site().visit('/booklet', { viewport: phone })
    expect(await isWiderThanWindow(page)).to.equal(false)
    await page.context().close()
  })
})
