// The ways in which a person uses a page in tests: with the keyboard alone at a desk, by touch on a phone, and with a
// mouse in a browser that runs no scripts. No step is done by a script of the page.

import type { Browser, Locator, Page } from 'playwright-core'

import { tabTo } from './browser.js'

/** What a person does with a page. */
export type Hands = {
  readonly name: string
  readonly device: Parameters<Browser['newContext']>[0]
  readonly runsScripts: boolean
  /** Follows a link, presses a button, or ticks a box. */
  press(target: Locator): Promise<void>
  /** Types into a field, in place of what it has. */
  type(field: Locator, text: string): Promise<void>
  /** Chooses from a menu by its text, or the beginning of it. */
  choose(menu: Locator, text: string): Promise<void>
  /** Types a part of a name, and takes a suggestion; without scripts, types the whole name. */
  pick(field: Locator, typed: string, name: string): Promise<void>
}

const keyboard: Hands = {
  name: 'by keyboard',
  device: { viewport: { width: 1280, height: 900 } },
  runsScripts: true,
  async press(target) {
    const { keyboard: keys } = target.page()
    const type = await target.evaluate((element) =>
      element instanceof HTMLInputElement ? element.type : '',
    )
    if (type === 'radio') return chooseRadio(target)
    await reach(target)
    await keys.press(type === 'checkbox' ? 'Space' : 'Enter')
  },
  async type(field, text) {
    await reach(field)
    await field.page().keyboard.press('Control+a')
    await field.page().keyboard.type(text)
  },
  async choose(menu, text) {
    await reach(menu)
    await menu.page().keyboard.type(text)
  },
  async pick(field, typed, name) {
    await this.type(field, typed)
    const option = suggestion(field.page(), name)
    await option.waitFor()
    const { keyboard: keys } = option.page()
    const isChosen = () => option.and(option.page().locator('[aria-selected=true]')).count()
    const count = await option.page().getByRole('option').count()
    for (let presses = 0; presses <= count && (await isChosen()) === 0; presses += 1)
      await keys.press('ArrowDown')
    await keys.press('Enter')
  },
}

const touch: Hands = {
  name: 'by touch',
  device: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  runsScripts: true,
  press: (target) => target.tap(),
  async type(field, text) {
    await field.tap()
    await field.page().keyboard.press('Control+a')
    await field.page().keyboard.type(text)
  },
  // The menu that a phone opens is not part of the page.
  async choose(menu, text) {
    await menu.tap()
    await selectByText(menu, text)
  },
  async pick(field, typed, name) {
    await this.type(field, typed)
    await suggestion(field.page(), name).tap()
  },
}

const mouse: Hands = {
  name: 'without scripts',
  device: { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false },
  runsScripts: false,
  press: (target) => target.click(),
  type: (field, text) => field.fill(text),
  choose: selectByText,
  pick: (field, _typed, name) => field.fill(name),
}

export const allHands: readonly Hands[] = [keyboard, touch, mouse]

const suggestion = (page: Page, name: string): Locator =>
  page.getByRole('option', { name: new RegExp(`^${name}`) }).first()

async function selectByText(menu: Locator, text: string): Promise<void> {
  const labels = await menu.locator('option').allTextContents()
  const label = labels.find((each) => each.trim().startsWith(text))
  await menu.selectOption({ label: label ?? text })
}

/** A group of radio buttons has one stop of Tab; arrows choose within it. */
async function chooseRadio(target: Locator): Promise<void> {
  const page = target.page()
  const name = await target.getAttribute('name')
  const group = page.locator(`input[type=radio][name="${name}"]`)
  const stop = (await group.and(page.locator(':checked')).count()) > 0 ? ':checked' : '*'
  await reach(group.and(page.locator(stop)).first())
  for (let presses = 0; presses < (await group.count()); presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Space')
}

/** Moves the focus by Tab until it is there. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor()
  const hasFocus = await target.evaluate((element) => element === document.activeElement)
  if (!hasFocus) await tabTo(target.page(), target, 600)
}

/** Opens what is folded, such as the menu or the filters on a phone, so that what is in it is seen. */
export async function unfold(hands: Hands, page: Page, summary: string): Promise<void> {
  const fold = page.locator(summary).first()
  const isOpen = () => fold.evaluate((element) => element.parentElement?.hasAttribute('open'))
  if ((await fold.isVisible()) && !(await isOpen())) await hands.press(fold)
}
