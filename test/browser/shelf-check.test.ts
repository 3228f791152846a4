// A librarian checks a shelf: by ticking, by typing codes, and with the camera of a phone, also where there is no
// network.

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, holding, repository, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { until } from '../waiting.js'
import { signIn, tabTo, useBrowser } from './browser.js'
import { violationsInAllLooks } from './axe.js'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const path = '/manage/inventory?library=here'
const ids = ['one', 'two', 'three']

/** Chromium has no detector on all systems, and the test machine no camera. */
function fakeCamera(): void {
  const global = globalThis as any
  global.inFrontOfCamera = []
  global.BarcodeDetector = class {
    static getSupportedFormats = () => Promise.resolve(['code_128'])
    detect = () => Promise.resolve(global.inFrontOfCamera)
  }
  navigator.mediaDevices.getUserMedia = () => {
    const canvas = document.createElement('canvas')
    canvas.getContext('2d')?.fillRect(0, 0, 10, 10)
    return Promise.resolve(canvas.captureStream())
  }
}

const isInventory = /\/manage\/inventory/

describe('in a browser, a librarian at a shelf', () => {
  const site = useBrowser()
  let page: Page

  before(async () => {
    const { post } = site().service
    await post('/api/agents/', agent('maker'))
    await post('/api/repositories/', repository('here'))
    await post('/api/zines/', zine('zine'))
    for (const id of ids) {
      const copy = { zine_id: 'zine', repository_id: 'here', call_number: `Z ${id}` }
      await post('/api/holdings/', holding(id, { ...copy, barcode: `code-${id}` }))
    }
  })

  beforeEach(async () => {
    for (const id of ids) await site().service.patch(`/api/holdings/${id}/`, { last_seen: '' })
  })

  afterEach(async () => {
    await page.context().close()
    const complaints = site().complaints()
    // Chromium reports each request that finds no network.
    expect(
      complaints.filter((one) => !/ERR_(?:INTERNET_DISCONNECTED|FAILED)/.test(one)),
    ).to.deep.equal([])
  })

  const open = async (options: Parameters<ReturnType<typeof site>['visit']>[1]) => {
    page = await site().visit('/api/zines/', options)
    await signIn(page, 'editor', PASSWORD)
    await page.goto(path)
  }
  const tick = (id: string) => page.locator(`input[name=id][value=${id}]`)
  const status = (text: string | RegExp) =>
    page.locator('.shelf-check [role=status]').filter({ hasText: text }).waitFor()
  const seen = async () => {
    const { get, tokens } = site().service
    const days = await Promise.all(
      ids.map(async (id) => {
        const { body } = await get(`/api/holdings/${id}/?private=true`, { token: tokens.editor })
        return body.last_seen === undefined ? [] : [id]
      }),
    )
    return days.flat()
  }
  /** Holds a code in front of the camera until it is read. */
  const show = (code: string) =>
    page.evaluate((rawValue) => ((globalThis as any).inFrontOfCamera = [{ rawValue }]), code)

  it('ticks what is there, and lists what is missing, without JavaScript', async () => {
    await open({ javaScriptEnabled: false })
    expect(await page.locator('.shelf-check').isVisible()).to.equal(false)
    await tick('two').check()
    await page.getByLabel('Show only what is not ticked').check()
    expect(await tick('two').isVisible()).to.equal(false)
    expect(await tick('one').isVisible()).to.equal(true)
    await page.getByRole('button', { name: 'Seen today' }).click()
    await page.getByText('1 copy is marked as seen.').waitFor()
    await page.getByLabel('Not seen since').fill('2000-01-01')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.count').getByText('2 copies').waitFor()
    expect(await tick('two').count()).to.equal(0)
  })

  it('types codes with a scanner or the keyboard alone', async () => {
    await open({})
    await tabTo(page, page.getByLabel('Barcode or call number of a copy that is there'))
    for (const [code, said] of [
      ['code-one', 'code-one: found. Ticked: 1 of 3. Missing: 2.'],
      ['Z two', 'Z two: found. Ticked: 2 of 3. Missing: 1.'],
      ['other', 'other is not on this page.'],
    ] as const) {
      await page.keyboard.type(code)
      await page.keyboard.press('Enter')
      await status(said)
    }
    await tabTo(page, page.getByRole('button', { name: 'Seen today' }))
    await page.keyboard.press('Enter')
    await status('2 copies are marked as seen.')
    expect(await seen()).to.deep.equal(['one', 'two'])
  })

  it('is told where the browser reads no barcodes', async () => {
    await open(phone)
    await page.evaluate(() => delete (globalThis as any).BarcodeDetector)
    await page.getByRole('button', { name: 'Read with the camera' }).tap()
    await status('This browser cannot read barcodes with the camera.')
  })

  it('reads barcodes with the camera of a phone', async () => {
    await open(phone)
    await page.evaluate(fakeCamera)
    const camera = page.getByRole('button', { name: 'Read with the camera' })
    await camera.tap()
    await page.locator('video').waitFor()
    for (const id of ['one', 'three']) {
      await show(`code-${id}`)
      await status(`code-${id}: found.`)
      expect(await tick(id).isChecked()).to.equal(true)
    }
    await tick('three').uncheck()
    await camera.tap()
    await status('1 copy is marked as seen.')
    expect(await page.locator('video').isVisible()).to.equal(false)
    expect(await seen()).to.deep.equal(['one'])
  })

  it('goes on without a network, and sends later what nobody else changed', async () => {
    await open(phone)
    // The page is kept once its worker has it.
    await until(() =>
      page.evaluate(async (address) => {
        const { active } = await navigator.serviceWorker.ready
        return (
          active?.state === 'activated' && !!(await caches.match(address, { ignoreVary: true }))
        )
      }, path),
    )
    // On a busy machine, what a new page sent at once got through although it was offline.
    await page.route(isInventory, (route) =>
      route.request().method() === 'POST' ? route.abort('internetdisconnected') : route.fallback(),
    )
    await page.context().setOffline(true)
    await page.reload()
    await page.evaluate(fakeCamera)
    await page.getByRole('button', { name: 'Read with the camera' }).tap()
    for (const id of ['one', 'two']) {
      await show(`code-${id}`)
      await status(`code-${id}: found.`)
    }
    await page.getByRole('button', { name: 'Read with the camera' }).tap()
    await status('Kept on this device: 2. They are sent when the network is back.')
    await page.reload()
    expect(await tick('one').isChecked()).to.equal(true)
    expect(await seen()).to.deep.equal([])

    await site().service.patch('/api/holdings/two/', { condition: 'Torn.' })
    await page.unroute(isInventory)
    await page.context().setOffline(false)
    await status('1 copy is marked as seen.')
    await status('two: The record has been changed since it was read.')
    expect(await tick('two').isChecked()).to.equal(false)
    expect(await seen()).to.deep.equal(['one'])
    expect(await page.evaluate(() => localStorage.getItem('inventory editor'))).to.equal('[]')
  })

  it('leaves no page on the device after signing out', async () => {
    await open(phone)
    const isKept = () => page.evaluate(() => caches.has('inventory'))
    await until(isKept)
    await page.getByText('Menu', { exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    await until(async () => !(await isKept()))
  })

  it('has a page without findings of axe', async () => {
    await open({})
    expect(await violationsInAllLooks(page)).to.deep.equal([])
  })
})
