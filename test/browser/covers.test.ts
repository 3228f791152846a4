// Browsing covers: from the list of zines to a wall of covers and to a zine, by keyboard, on a desk and on a phone; and
// adding a picture.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, repository, zine } from '../examples.js'
import { image } from '../features/pictures/picture-files.js'
import { PASSWORD } from '../service.js'
import { isWiderThanWindow, violationsOn } from './axe.js'
import { keepPicture, signIn, useBrowser } from './browser.js'

const titles = [
  'Doris',
  'A very long title of a zine about riot grrl, bikes, bands and gardens, with a subtitle',
  'مجلة صغيرة عن المدينة',
  '東京の小さな雑誌をつくる人たちの記録',
  'Profane Existence',
]

const devices = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

describe('browsing covers', () => {
  const site = useBrowser()

  before(async () => {
    const { service } = site()
    await service.post('/api/agents/', agent('maker'))
    await service.post('/api/repositories/', repository('library'))
    for (let number = 0; number < 30; number += 1) {
      const title = titles[number % titles.length] ?? ''
      const fields = { title, issue_designation: `no. ${number}` }
      const { status } = await service.post('/api/zines/', zine(`zine-${number}`, fields))
      expect(status).to.equal(201)
    }
  })

  /** Presses Tab until the focused element has the text. */
  async function tabTo(page: Page, text: string): Promise<void> {
    for (let presses = 0; presses < 200; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(() => document.activeElement?.textContent.trim())
      if (focused === text) return
    }
    throw new Error(`Tab does not lead to ${text}`)
  }

  for (const device of devices) {
    const how = `${device.colorScheme}, ${device.viewport.width} px`

    it(`goes by keyboard to lines, to the covers, to a zine and back, and stays with covers (${how})`, async () => {
      const page = await site().visit('/api/zines/', device)
      for (const [name, view] of [
        ['List', 'list'],
        ['Covers', 'grid'],
      ] as const) {
        await tabTo(page, name)
        await page.keyboard.press('Enter')
        await page.waitForURL(`**view=${view}`)
        expect(await page.locator('.cover').count()).to.equal(25)
        await keepPicture(page, `covers-${view}-${device.viewport.width}`)
        expect(await violationsOn(page)).to.deep.equal([])
        expect(await isWiderThanWindow(page)).to.equal(false)
      }
      const [link] = await page.locator('.wall h3 a').all()
      const title = (await link?.textContent()) ?? ''
      await tabTo(page, title)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/api\/zines\/zine-\d+\//)
      expect(await page.locator('.record-cover .cover').isVisible()).to.equal(true)
      expect(await violationsOn(page)).to.deep.equal([])

      await page.goto('/api/zines/')
      expect(await page.locator('.cover').count()).to.equal(25)
      expect(site().complaints()).to.deep.equal([])
    })

    it(`leads from anywhere on a cover to its zine (${how})`, async () => {
      const page = await site().visit('/api/zines/?view=grid', device)
      await page
        .locator('.cover')
        .first()
        .click({ position: { x: 60, y: 120 }, force: true })
      await page.waitForURL(/\/api\/zines\/zine-\d+\//)
    })

    it(`draws every line of a title inside of its cover (${how})`, async () => {
      const page = await site().visit('/api/zines/?view=grid', device)
      await page.evaluate(() => document.fonts.ready)
      const tooWide = await page.locator('.cover').evaluateAll((covers) =>
        covers.flatMap((cover) => {
          const box = cover.getBoundingClientRect()
          return [...cover.querySelectorAll('text')]
            .filter((text) => {
              const { left, right, bottom } = text.getBoundingClientRect()
              return left < box.left || right > box.right || bottom > box.bottom
            })
            .map((text) => text.textContent)
        }),
      )
      expect(tooWide).to.deep.equal([])
    })
  }

  it('shows a picture that was added as the cover, and passes axe with it', async () => {
    const page = await site().visit('/api/zines/zine-1/')
    await signIn(page, 'admin', PASSWORD)
    await page.goto('/api/zines/zine-1/')
    await page.getByRole('link', { name: 'Pictures' }).click()
    const buffer = await image(700, 900).png().toBuffer()
    await page.getByLabel('File').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    const form = page.locator('form[enctype]')
    await form.getByLabel('Description').fill('A pink square')
    await form.getByLabel('Public').check()
    await form.getByRole('button', { name: 'Add picture' }).click()
    await page.getByText('The picture was added.').waitFor()
    expect(await violationsOn(page)).to.deep.equal([])
    await keepPicture(page, 'pictures')
    await page.goto('/api/zines/zine-1/')
    const cover = page.getByRole('img', { name: 'A pink square' })
    expect(await cover.evaluate((img) => (img as any).naturalWidth)).to.equal(467)
    expect(await violationsOn(page)).to.deep.equal([])
    await keepPicture(page, 'record-with-picture')
    expect(site().complaints()).to.deep.equal([])
  })
})
