// The two ways in which a person uses a page in tests: with the keyboard alone at a desk, and by touch on a phone. No
// step is done by a script of the page.

import type { Browser, Locator, Page } from 'playwright-core'

import { tabTo } from './browser.js'

/** What a person does with a page. */
export type Hands = {
  readonly name: string
  readonly device: Parameters<Browser['newContext']>[0]
  /** Follows a link, presses a button, or ticks a box. */
  press(target: Locator): Promise<void>
  /** Types into a field, in place of what it has. */
  type(field: Locator, text: string): Promise<void>
  /** Chooses from a menu by the beginning of its text. */
  choose(menu: Locator, text: string): Promise<void>
  /** Takes a suggestion, once it is shown. */
  take(option: Locator): Promise<void>
}

const keyboard: Hands = {
  name: 'by keyboard',
  device: { viewport: { width: 1280, height: 900 } },
  async press(target) {
    await reach(target)
    const isBox = await target.evaluate(
      (element) => element instanceof HTMLInputElement && /checkbox|radio/.test(element.type),
    )
    await target.page().keyboard.press(isBox ? 'Space' : 'Enter')
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
  async take(option) {
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
  press: (target) => target.tap(),
  async type(field, text) {
    await field.tap()
    await field.page().keyboard.press('Control+a')
    await field.page().keyboard.type(text)
  },
  // The menu that a phone opens is not part of the page.
  async choose(menu, text) {
    await menu.tap()
    const labels = await menu.locator('option').allTextContents()
    const label = labels.find((each) => each.trim().startsWith(text))
    await menu.selectOption({ label: label ?? text })
  },
  take: (option) => option.tap(),
}

export const bothHands: readonly Hands[] = [keyboard, touch]

/** Moves the focus by Tab until it is there. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor()
  const hasFocus = await target.evaluate((element) => element === document.activeElement)
  if (!hasFocus) await tabTo(target.page(), target, 600)
}

/** Opens what a phone has folded, such as its menu or its filters, so that a target is seen. */
export async function unfold(hands: Hands, page: Page, summary: string): Promise<void> {
  const fold = page.locator(summary)
  const isOpen = () => fold.evaluate((element) => element.parentElement?.hasAttribute('open'))
  if ((await fold.isVisible()) && !(await isOpen())) await hands.press(fold)
}
