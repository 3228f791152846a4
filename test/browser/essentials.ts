// The essentials of the page of a zine, on a phone.

import { expect } from 'chai'

import type { Site } from './browser.js'

export const phone = { width: 390, height: 844 }

/**
 * Expects that the page of each zine has cover, title, libraries and Cite in this order, on one and
 * a half screens.
 */
export async function expectEssentials(site: Site, zines: readonly string[]): Promise<void> {
  expect(zines).not.to.be.empty
  const page = await site.visit('/about/privacy', { viewport: phone })
  for (const zine of zines) {
    await page.goto(`/api/zines/${encodeURIComponent(zine)}/`)
    const tops: number[] = []
    for (const part of ['.record-cover', 'h1', '.where', '[data-cite]']) {
      const box = await page.locator(part).boundingBox()
      if (!box) throw new Error(`the page of ${zine} has no ${part}`)
      tops.push(box.y)
      if (part === '[data-cite]') expect(box.y + box.height, zine).to.be.at.most(1.5 * phone.height)
    }
    expect(tops, zine).to.deep.equal([...tops].sort((a, b) => a - b))
  }
  await page.context().close()
}
