// A visitor changes the language of the pages by the link at their foot, and their scripts speak it too.

import { expect } from 'chai'

import { isWiderThanWindow, violationsOn } from './axe.js'
import { useBrowser } from './browser.js'

describe('in a browser, a visitor who reads Spanish', function () {
  this.timeout(60_000)
  const site = useBrowser()

  it('chooses it once, and finds every further page in it', async () => {
    const page = await site().visit('/api/zines/', { locale: 'fr' })
    expect(await page.locator('html').getAttribute('lang')).to.equal('fr')
    await page.getByRole('link', { name: 'Español' }).click()
    expect(await page.locator('html').getAttribute('lang')).to.equal('es')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).to.equal('/api/zines/')
    await page.goto('/api/')
    expect(await page.locator('html').getAttribute('lang')).to.equal('es')
    // The script of the search box has its texts from the page.
    expect(await page.locator('ul.options').first().getAttribute('aria-label')).to.equal(
      'Sugerencias',
    )
    expect(site().complaints()).to.deep.equal([])
  })

  for (const width of [390, 1280])
    for (const locale of ['es', 'fr'])
      it(`finds pages that are accessible and fit into ${width} pixels in ${locale}`, async () => {
        const viewport = { width, height: 900 }
        const page = await site().visit('/api/', { locale, viewport })
        for (const path of ['/api/', '/api/zines/', '/explore', '/manage/login', '/api/agents/']) {
          await page.goto(path)
          expect(await isWiderThanWindow(page), path).to.equal(false)
          expect(await violationsOn(page), path).to.deep.equal([])
        }
        expect(site().complaints()).to.deep.equal([])
      })
})
