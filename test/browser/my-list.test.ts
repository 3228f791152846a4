// A reader keeps zines in a list of their own, which this browser alone has: by keyboard, by touch, and where there are
// no scripts; gives it to somebody by a link, and prints it.

import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'

import { agent, holding, repository, zine } from '../examples.js'
import { image, sendPicture } from '../features/pictures/picture-files.js'
import { isWiderThanWindow, violationsInAllLooks } from './axe.js'
import { keepPicture, useBrowser } from './browser.js'
import { allHands } from './hands.js'

const ids = ['a', 'b', 'c', 'd']
const path = '/my-list'

describe('a list of a reader', () => {
  const site = useBrowser()

  before(async () => {
    const { service } = site()
    const { post } = service
    await post('/api/agents/', agent('maker', { display_name: 'Ann' }))
    await post('/api/repositories/', repository('library', { repository_name: 'Zine library' }))
    for (const id of ids) await post('/api/zines/', zine(id, { title: `Zine ${id}` }))
    await post('/api/zines/', zine('x,y', { title: 'With a comma' }))
    await post('/api/zines/', zine('advised', { title: 'Advised', content_advice: ['nudity'] }))
    const copy = { zine_id: 'a', repository_id: 'library', call_number: 'Z 1' }
    await post('/api/holdings/', holding('copy', copy))
    for (const id of ['b', 'advised']) {
      const picture = await image(300, 500).png().toBuffer()
      const answer = await sendPicture(service, `/api/zines/${id}/pictures/`, picture, {
        public: 'true',
      })
      expect(answer.status).to.equal(201)
    }
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const keepButton = (within: Page | Locator, title = '') =>
    within.getByRole('button', { name: `Keep in my list: ${title}` }).first()
  const rows = (page: Page) => page.locator('.kept > li').filter({ visible: true })
  const titles = (page: Page) => rows(page).locator('h2').allTextContents()
  const status = (page: Page, text: string) =>
    page.locator('[data-part=status]').getByText(text).waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

  /** The page with zines kept, as their pages have them. */
  async function openWith(kept: readonly string[], options = {}): Promise<Page> {
    const page = await site().visit('/about/privacy', options)
    for (const id of kept) {
      await page.goto(`/api/zines/${id}/`)
      await keepButton(page).click()
      await page.locator('.take').getByRole('link', { name: 'Zines in your list' }).waitFor()
    }
    await page.goto(path)
    return page
  }

  for (const hands of allHands.filter(({ runsScripts }) => runsScripts))
    it(`is kept, ordered, emptied and taken back ${hands.name}`, async () => {
      const page = await site().visit('/api/zines/', hands.device)
      for (const id of ['a', 'b']) await hands.press(keepButton(page, `Zine ${id}`))
      await page.getByRole('link', { name: 'Zines in your list: 2' }).waitFor()
      await page.getByRole('status').filter({ hasText: 'Zines in your list: 2' }).waitFor()
      await page.goto('/api/zines/c/')
      await hands.press(keepButton(page.locator('.take'), 'Zine c'))
      await hands.press(page.getByRole('link', { name: 'Zines in your list: 3' }))
      await page.waitForURL(`**${path}`)
      expect(await titles(page)).to.deep.equal(['Zine a', 'Zine b', 'Zine c'])
      const [first] = await rows(page).allInnerTexts()
      expect(first).to.include('Ann · 1994').and.to.include('Zine library (Z 1)')
      await keepPicture(page, `my-list ${hands.name}`)

      await hands.press(button(page, 'Move Zine c up'))
      await status(page, 'Zine c: 2 of 3')
      expect(await focused(page)).to.equal('Move Zine c up')
      await hands.press(button(page, 'Move Zine c up'))
      expect(await titles(page)).to.deep.equal(['Zine c', 'Zine a', 'Zine b'])
      // There is no further way up.
      expect(await focused(page)).to.equal('Move Zine c down')

      await hands.press(button(page, 'Remove Zine a'))
      await status(page, 'Removed from your list: Zine a')
      expect(await focused(page)).to.equal('Remove Zine b')
      await hands.press(button(page, 'Undo'))
      await hands.press(button(page, 'Empty the list'))
      await page.getByText('Nothing is in your list yet.').waitFor()
      await hands.press(button(page, 'Undo'))
      expect(await titles(page)).to.deep.equal(['Zine c', 'Zine a', 'Zine b'])
      await page.reload()
      expect(await titles(page)).to.deep.equal(['Zine c', 'Zine a', 'Zine b'])
      await page.context().close()
    })

  it('is ordered by dragging too', async () => {
    const page = await openWith(['a', 'b', 'c'])
    const [first, , last] = await page.locator('.drag-handle').all()
    const [from, to] = [await first?.boundingBox(), await last?.boundingBox()]
    if (!from || !to) throw new Error('there are no handles')
    await page.mouse.move(from.x + 10, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + 10, to.y + 80, { steps: 5 })
    await page.mouse.up()
    await status(page, 'Zine a: 3 of 3')
    await page.reload()
    expect(await titles(page)).to.deep.equal(['Zine b', 'Zine c', 'Zine a'])
    await page.context().close()
  })

  it('is let go where it was kept, in rows that a search has replaced too', async () => {
    const page = await site().visit('/api/zines/?view=list')
    await keepButton(page, 'Zine d').click()
    await page.getByRole('searchbox').last().fill('Zine d')
    await page.waitForURL(/Zine/)
    await page.getByRole('button', { name: 'Remove from my list: Zine d' }).click()
    await keepButton(page, 'Zine d').waitFor()
    await page.goto(path)
    await page.getByText('Nothing is in your list yet.').waitFor()
    await page.context().close()
  })

  it('has no buttons where there are no scripts, and its page says why', async () => {
    const page = await site().visit('/api/zines/', { javaScriptEnabled: false })
    expect(await page.getByText('Keep in my list').count()).to.equal(0)
    await page.getByRole('link', { name: 'My list' }).click()
    expect(await page.locator('main').innerText()).to.include('This page works with scripts only')
    expect(await page.getByRole('button', { name: 'Empty the list' }).isVisible()).to.equal(false)
    await page.context().close()
  })

  it('is sent to nobody, neither when it is shown nor when its link is opened', async () => {
    const page = await openWith(['a', 'b'])
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
    await page.goto(path)
    const link = await page.locator('[data-part=link]').textContent()
    expect(link).to.equal(`${site().service.url}/my-list#zines=a,b`)
    await page.goto('/about/privacy')
    await page.goto(link ?? '')
    await page.getByRole('heading', { name: 'A list from a link' }).waitFor()
    const paths = asked
      .filter((address) => !address.startsWith('data:'))
      .map((address) => new URL(address.trim()).pathname)
      .filter((each) => !each.startsWith('/assets/'))
    expect(new Set(paths)).to.deep.equal(new Set([path, '/about/privacy']))
    // Playwright names the fragment, which no request has.
    expect(asked.filter((address) => /[?&].*zine/.test(address))).to.deep.equal([])
    await page.context().close()
  })

  it('opens from a link as it is, and is kept after those that were there', async () => {
    const page = await openWith(['b'])
    await page.goto('about:blank')
    await page.goto(`${path}#zines=a,x%2Cy,none,b`)
    expect(await titles(page)).to.deep.equal(['a', 'x,y', 'none', 'b'])
    expect(await rows(page).getByRole('button').count()).to.equal(0)
    await button(page, 'Show titles and covers').click()
    await rows(page).getByRole('link', { name: 'Zine a' }).waitFor()
    expect(await titles(page)).to.deep.equal(['Zine a', 'With a comma', 'none', 'Zine b'])
    await rows(page).getByText('Not in the catalogue any more').waitFor()
    await button(page, 'Keep these').click()
    await status(page, 'Added to your list: 3')
    expect(await titles(page)).to.deep.equal(['Zine b', 'Zine a', 'With a comma', 'none'])
    expect(new URL(page.url()).hash).to.equal('')
    await page.context().close()
  })

  it('says that a link names no zines, or too many', async () => {
    const page = await site().visit(`${path}#zines=%E0%A4%A`)
    await status(page, 'This link names no zines.')
    const many = Array.from({ length: 201 }, (_, index) => `z${index}`)
    await page.evaluate((hash) => (location.hash = hash), `#zines=${many.join()}`)
    await status(page, 'This link names more than 200 zines.')
    await button(page, 'Keep these').click()
    await status(page, 'Added to your list: 200')
    await page.goto('/api/zines/a/')
    await keepButton(page).click()
    await page.locator('.take').getByText('Your list has 200 zines, which is the most.').waitFor()
    await page.goto('about:blank')
    await page.goto(`${path}#zines=a`)
    await button(page, 'Keep these').click()
    await status(page, 'There is room for 0 more in your list.')
    await page.context().close()
  })

  it('keeps and says what is not in the catalogue any more, and follows what was merged', async () => {
    const { service } = site()
    for (const id of ['gone', 'hidden', 'merged'])
      await service.post('/api/zines/', zine(id, { title: `Zine ${id}` }))
    const page = await openWith(['gone', 'hidden', 'merged', 'a'])
    await service.delete('/api/zines/gone/')
    await service.patch('/api/zines/hidden/', { visibility: 'hidden' })
    await service.post('/api/zines/merged/merge/', { into: 'd' })
    await button(page, 'Check what has changed').click()
    await status(page, 'Checked. No longer in the catalogue: 2. At another address or merged: 1.')
    expect(await titles(page)).to.deep.equal(['Zine gone', 'Zine hidden', 'Zine d', 'Zine a'])
    expect(await rows(page).getByText('Not in the catalogue any more').count()).to.equal(2)
    await rows(page).getByText('Formerly merged').waitFor()
    await page.context().close()
  })

  it('has what the page of a zine says of it when it was last open', async () => {
    const page = await openWith(['c'])
    await site().service.patch('/api/zines/c/', { title: 'Another title' })
    await page.reload()
    expect(await titles(page)).to.deep.equal(['Zine c'])
    await page.goto('/api/zines/c/')
    await page.waitForFunction(() => localStorage.getItem('my-list')?.includes('Another title'))
    await page.goto(path)
    expect(await titles(page)).to.deep.equal(['Another title'])
    await site().service.patch('/api/zines/c/', { title: 'Zine c' })
    await page.context().close()
  })

  it('has the covers as they were, without those behind content advice', async () => {
    const page = await openWith(['a', 'b', 'advised'])
    await page.waitForFunction(() => localStorage.getItem('my-list')?.includes('data:image/jpeg'))
    await page.reload()
    const covers = await rows(page)
      .locator('.cover')
      .evaluateAll((all) => all.map((cover) => cover.querySelector('img')?.naturalWidth))
    expect(covers).to.deep.equal([undefined, 160, undefined])
    await page.context().close()
  })

  it('is the same in another tab', async () => {
    const page = await openWith(['a'])
    const other = await page.context().newPage()
    await other.goto('/api/zines/b/')
    await keepButton(other).click()
    await rows(page).getByRole('link', { name: 'Zine b' }).waitFor()
    await button(page, 'Empty the list').click()
    await keepButton(other, 'Zine b').waitFor()
    await page.context().close()
  })

  it('says when it is damaged, refused or has no room, and the page goes on', async () => {
    const page = await openWith(['a'])
    await page.evaluate(() => localStorage.setItem('my-list', '{"version":1,"zines":[{}]}'))
    await page.reload()
    await status(page, 'Your list in this browser is damaged and cannot be read.')
    await page.goto('/api/zines/a/')
    await keepButton(page).click()
    await page.locator('.take').getByText('damaged').click()
    await button(page, 'Delete it and start a new list').click()
    await page.getByText('Nothing is in your list yet.').waitFor()

    for (const [fails, said] of [
      ['setItem', 'This browser has no more room for your list.'],
      ['getItem', 'This browser keeps nothing for this site, and so no list.'],
    ] as const) {
      await page.context().addInitScript((name) => {
        Storage.prototype[name] = () => {
          throw new DOMException('', name === 'setItem' ? 'QuotaExceededError' : 'SecurityError')
        }
      }, fails)
      await page.goto('/api/zines/a/')
      await keepButton(page).click()
      await page.locator('.take').getByText(said).waitFor()
    }
    await page.goto(path)
    await status(page, 'This browser keeps nothing for this site, and so no list.')
    await page.context().close()
  })

  it('prints as titles with libraries and addresses, without buttons', async () => {
    const page = await openWith(['a', 'b'])
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).to.have.length(1)
    await page.emulateMedia({ media: 'print' })
    const text = await page.locator('body').innerText()
    expect(text).to.include('Zine library (Z 1)').and.to.include('/api/zines/a/')
    expect(await page.getByRole('button').count()).to.equal(0)
    expect(await page.locator('.masthead').isVisible()).to.equal(false)
    await page.context().close()
  })

  it('has pages without findings of axe, and not wider than a phone', async () => {
    const page = await openWith(['a', 'b'])
    expect(await violationsInAllLooks(page)).to.deep.equal([])
    await button(page, 'Remove Zine a').click()
    expect(await violationsInAllLooks(page)).to.deep.equal([])
    for (const address of [`${path}#zines=a,b`, '/api/zines/a/', '/api/zines/?view=grid']) {
      await page.goto('about:blank')
      await page.goto(address)
      expect(await violationsInAllLooks(page), address).to.deep.equal([])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await isWiderThanWindow(page)).to.equal(false)
    await page.context().close()
  })
})
