// An editor orders the records of a list: drags them with a mouse and a finger, moves them by keyboard, and does both
// in a browser without scripts.

import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'

import { agent, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { violationsInAllLooks } from './axe.js'
import { keepPicture, signIn, useBrowser } from './browser.js'
import { allHands } from './hands.js'

const ids = ['a', 'b', 'c', 'd']
const path = '/manage/lists/edit/list'

describe('in a browser, an editor who orders a list', () => {
  const site = useBrowser()
  let page: Page

  before(async () => {
    const { post } = site().service
    await post('/api/agents/', agent('maker'))
    for (const id of ids) await post('/api/zines/', zine(id, { title: `Zine ${id}` }))
    await post('/api/lists/', { slug: 'list', ...list })
  })

  const list = {
    title: 'List',
    text: '',
    public: true,
    records: ids.map((id) => ({ kind: 'zines', id, note: `Note ${id}` })),
  }

  beforeEach(async () => {
    const { put } = site().service
    expect((await put('/api/lists/list/', list)).status).to.equal(200)
  })

  afterEach(async () => {
    await page.context().close()
    expect(site().complaints()).to.deep.equal([])
  })

  async function openForm(options: Parameters<ReturnType<typeof site>['visit']>[1] = {}) {
    page = await site().visit('/api/lists/', options)
    await signIn(page, 'editor', PASSWORD)
    await page.goto(path)
  }

  const titles = () => page.locator('[data-ordered] strong').allTextContents()
  const numbers = () =>
    page.locator('[name=number]').evaluateAll((all) => all.map((one: any) => one.value))
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).last()
  const stored = async () => {
    const { body } = await site().service.get('/api/lists/list/')
    return body.records.map(({ id, note }: any) => `${id}: ${note}`)
  }
  const handle = (title: string) =>
    page.locator('li').filter({ hasText: title }).locator('.drag-handle')
  const announced = (text: string) =>
    page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })
  async function middleOf(target: Locator) {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('it is not shown')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  /** Presses on one handle and moves to another, without letting go. */
  async function drag(title: string, to: string): Promise<void> {
    const { x, y } = await middleOf(handle(title))
    const target = await middleOf(handle(to))
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(target.x, (y + target.y) / 2)
    await page.mouse.move(target.x, target.y + (target.y > y ? 80 : -20), { steps: 5 })
  }

  it('drags a record with a mouse, and sends the form as before', async () => {
    await openForm({ viewport: { width: 1280, height: 1400 } })
    await drag('Zine a', 'Zine c')
    await page.mouse.up()
    expect(await titles()).to.deep.equal(['Zine b', 'Zine c', 'Zine a', 'Zine d'])
    expect(await numbers()).to.deep.equal(['1', '2', '3', '4'])
    await announced('Zine a: 3 of 4')
    await keepPicture(page, 'list-order')
    await drag('Zine d', 'Zine b')
    await page.mouse.up()
    await save().click()
    await page.waitForURL('**/api/lists/list/')
    expect(await stored()).to.deep.equal(['d: Note d', 'b: Note b', 'c: Note c', 'a: Note a'])
  })

  it('lets a record go back by Escape', async () => {
    await openForm({ viewport: { width: 1280, height: 1400 } })
    await drag('Zine a', 'Zine c')
    expect(await titles()).to.deep.equal(['Zine b', 'Zine c', 'Zine a', 'Zine d'])
    await page.keyboard.press('Escape')
    await page.mouse.move(0, 0)
    await page.mouse.up()
    expect(await titles()).to.deep.equal(['Zine a', 'Zine b', 'Zine c', 'Zine d'])
  })

  it('drags a record with a finger, while the page scrolls', async () => {
    await openForm({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const { x, y } = await middleOf(handle('Zine a'))
    const client = await page.context().newCDPSession(page)
    const touch = (type: string, points: readonly object[]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: points } as any)
    await touch('touchStart', [{ x, y }])
    await touch('touchMove', [{ x, y: y + 20 }])
    // At the lower edge of the window it goes on by itself.
    await touch('touchMove', [{ x, y: 830 }])
    await page.waitForFunction(
      () =>
        document.querySelector('[data-ordered] > li:last-child strong')?.textContent === 'Zine a',
    )
    await touch('touchEnd', [])
    await announced('Zine a: 4 of 4')
    await save().tap()
    await page.waitForURL('**/api/lists/list/')
    expect(await stored()).to.deep.equal(['b: Note b', 'c: Note c', 'd: Note d', 'a: Note a'])
  })

  it('follows numbers that were typed, and keeps those that were cleared', async () => {
    await openForm({ viewport: { width: 1280, height: 1400 } })
    await page.getByLabel('Number of Zine d').fill('0')
    await page.getByLabel('Number of Zine b').fill('')
    await page.getByRole('button', { name: 'Move Zine c up' }).click()
    // By its number, Zine d was first.
    expect(await titles()).to.deep.equal(['Zine d', 'Zine b', 'Zine c', 'Zine a'])
    expect(await numbers()).to.deep.equal(['1', '', '2', '3'])
    await save().click()
    await page.waitForURL('**/api/lists/list/')
    expect(await stored()).to.deep.equal(['d: Note d', 'c: Note c', 'a: Note a'])
  })

  for (const hands of allHands)
    it(`moves a record by its buttons ${hands.name}`, async () => {
      await openForm(hands.device)
      const up = page.getByRole('button', { name: 'Move Zine b up' })
      const down = page.getByRole('button', { name: 'Move Zine b down' })
      await hands.type(page.getByLabel('Note about Zine a'), 'Changed')
      await hands.press(up)
      await page.locator('[data-ordered] > li:first-child').getByText('Zine b').waitFor()
      if (hands.runsScripts) {
        expect(await down.evaluate((one) => one === document.activeElement)).to.equal(true)
        await announced('Zine b: 1 of 4')
      }
      for (const place of [2, 3]) {
        await hands.press(down)
        await page.locator(`[data-ordered] > li:nth-child(${place})`).getByText('Zine b').waitFor()
      }
      expect(new URL(page.url()).pathname).to.equal(path)
      await hands.press(save())
      await page.waitForURL('**/api/lists/list/')
      expect(await stored()).to.deep.equal(['a: Changed', 'c: Note c', 'b: Note b', 'd: Note d'])
    })

  it('has no handles without scripts', async () => {
    await openForm({ javaScriptEnabled: false })
    expect(await page.locator('.drag-handle').count()).to.equal(0)
  })

  it('has a form without findings of axe', async () => {
    await openForm()
    expect(await page.locator('.drag-handle').count()).to.equal(4)
    expect(await violationsInAllLooks(page)).to.deep.equal([])
  })
})
