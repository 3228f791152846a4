// A real browser for tests: Debian's Chromium, driven through playwright-core. Tests that need it
// are skipped where it is not installed.

import { access } from 'node:fs/promises'

import { type Browser, type Locator, type Page, chromium } from 'playwright-core'

import { startService, type TestService } from '../service.js'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

// Without these, Chromium tries to reach hosts of its makers.
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type Site = {
  readonly service: TestService
  /** Opens a page in a context of its own, without cookies of others. */
  visit(path: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>
  /** The errors in the consoles of the pages since the last call. */
  complaints(): readonly string[]
}

/**
 * A service and a browser for a `describe` block; its tests are skipped where there is no Chromium.
 */
export function useBrowser(env: Readonly<Record<string, string>> = {}): () => Site {
  let site: (Site & { readonly browser: Browser }) | undefined
  let complaints: string[] = []

  before(async function () {
    if (!(await exists(executablePath))) {
      console.log('      skipped: there is no Chromium (CHROMIUM names another)')
      this.skip()
    }
    // With a https BASE_URL, cookies would be Secure and not come back over http.
    const service = await startService({ BASE_URL: 'http://localhost', ...env })
    const browser = await chromium.launch({ executablePath, args })
    site = {
      service,
      browser,
      async visit(path, options) {
        const context = await browser.newContext({ baseURL: service.url, ...options })
        context.setDefaultTimeout(300_000)
        const page = await context.newPage()
        page.on('console', (message) => {
          // Chromium reports error statuses in the console; tests check them on the page.
          const isAnswer = /status of (?:400|403|404|409|414)/.test(message.text())
          if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
        })
        page.on('pageerror', (error) => complaints.push(error.message))
        await page.goto(path)
        return page
      },
      complaints() {
        const all = complaints
        complaints = []
        return all
      },
    }
  })

  after(async () => {
    await site?.browser.close()
    await site?.service.stop()
  })

  return () => {
    if (!site) throw new Error('the browser is started in a before hook')
    return site
  }
}

/** Signs in by the form, as an account of the test service. */
export async function signIn(page: Page, name: string, password: string): Promise<void> {
  await openMenu(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.visitor form').waitFor({ state: 'attached' })
}

/** Presses Tab until an element has the focus. @throws Error if none has after many times */
export async function tabTo(page: Page, target: Locator, maxPresses = 150): Promise<void> {
  for (let presses = 0; presses < maxPresses; presses += 1) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((one) => one === document.activeElement)) return
  }
  throw new Error(`not reached by ${maxPresses} presses of Tab`)
}

/** Opens the menu, which on a wide screen is open anyway. */
export async function openMenu(page: Page): Promise<void> {
  const menu = page.locator('.menu > summary')
  if (await menu.isVisible()) await menu.click()
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Keeps a picture of the page in the folder that PICTURES names; none without it. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
