// A visitor changes the language of the pages by the link at their foot, and their scripts speak it too.

import { expect } from 'chai'

import { isWiderThanWindow, violationsOn } from './axe.js'
import type { Page } from 'playwright-core'

import { PASSWORD } from '../service.js'
import { signIn, useBrowser } from './browser.js'

describe('in a browser, a visitor who reads Spanish', () => {
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

describe('in a browser, an editor with a small screen', () => {
  const site = useBrowser()

  for (const height of [640, 740])
    it(`sees each field of a form with the focus on a screen of 360 × ${height} pixels`, async () => {
      const page = await site().visit('/api/zines/', { viewport: { width: 360, height } })
      await signIn(page, 'editor', PASSWORD)
      await page.goto('/manage/zines/new?lang=fr')
      for (const summary of await page.locator('details.field-group > summary').all())
        await summary.click()
      await page.locator('h1').click()
      const seen = new Set<string>()
      for (let presses = 0; presses < 120; presses += 1) {
        await page.keyboard.press('Tab')
        // The last Tab leaves the page.
        if (await page.evaluate(() => document.activeElement === document.body)) break
        const { name, isVisible } = await focused(page)
        expect(isVisible, name).to.equal(true)
        seen.add(name)
      }
      expect([...seen]).to.include.members(['Titre', 'Langue 1', 'Créer le fanzine'])
    })
})

/** What has the focus, and whether some of it is neither outside of the window nor behind something else. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement ?? document.body
    const { left, top, width, height } = one.getBoundingClientRect()
    const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
    const isVisible = parts.some((x) =>
      parts.some((y) =>
        one.contains(document.elementFromPoint(left + x * width, top + y * height)),
      ),
    )
    const label = one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : one.textContent
    return { name: one.getAttribute('aria-label') ?? label?.trim() ?? '', isVisible }
  })
