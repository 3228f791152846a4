// What readers look for on the page of a zine is there at once, on a phone too.

import { expect } from 'chai'

import { loadSample } from '../views/browser.js'
import { holding, repository, zine } from '../examples.js'
import { useBrowser } from './browser.js'
import { expectEssentials, phone } from './essentials.js'

describe('the page of a zine on a phone', () => {
  const site = useBrowser()

  before(async () => {
    const { service } = site()
    await loadSample(service)
    const title =
      'Everything that happened between the launderette and the last bus home, and after'
    await service.post('/api/zines/', zine('many', { title, creator: ['marge-toner'] }))
    for (let index = 1; index <= 40; index += 1) {
      const country = ['CA', 'FR', 'MX'][index % 3]
      await service.post('/api/repositories/', repository(`lib-${index}`, { country }))
      const copy = { zine_id: 'many', repository_id: `lib-${index}` }
      await service.post('/api/holdings/', holding(`many-${index}`, copy))
    }
  })

  it('has the essentials of each zine of the sample on one and a half screens', async () => {
    const { body } = await site().service.get('/api/zines/?page_size=100')
    expect(body.results).not.to.be.empty
    await expectEssentials(
      site(),
      body.results.map((one: any) => one.zine_id),
    )
  })

  it('has them there with forty libraries and a long title', async () => {
    await expectEssentials(site(), ['many'])
    const page = await site().visit('/api/zines/many/', { viewport: phone })
    await page.getByText('37 more libraries').click()
    expect(await page.locator('.where h3').filter({ visible: true }).count()).to.equal(40)
    await page.context().close()
  })

  it('has first the libraries of the country that was chosen, by keyboard and without JavaScript', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await site().visit('/api/zines/many/', { viewport: phone, javaScriptEnabled })
      const country = page.getByLabel('Your country')
      await country.focus()
      await page.keyboard.type('Mexico')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/near=MX/)
      const places = await page.locator('.where > ul > li > .line').allInnerTexts()
      expect(places).to.have.lengthOf(3)
      for (const place of places) expect(place).to.match(/Mexico$/)
      await page.goto('/api/zines/stapler-elegies-1/')
      expect(await page.getByLabel('Your country').inputValue()).to.equal('MX')
      await page.context().close()
    }
  })

  it('opens the menu of formats by keyboard', async () => {
    const page = await site().visit('/api/zines/stapler-elegies-1/')
    const link = page.getByRole('link', { name: 'BibTeX', exact: true })
    expect(await link.isVisible()).to.equal(false)
    await page.locator('.format-menu summary').focus()
    await page.keyboard.press('Enter')
    await link.waitFor()
    expect(site().complaints()).to.deep.equal([])
  })
})
