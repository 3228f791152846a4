// Checks a page in a browser with axe against WCAG 2.2 AA.

import axe from 'axe-core'
import type { Page } from 'playwright-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules whose findings depend on colours and sizes. */
const rulesOfLook = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
]

const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]

/** What one page is checked in: all rules in the first look, and in the others those of looks. */
const looks = sizes.flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ size, colorScheme })),
)

/** The violations that axe finds as the page is now, one line each. */
export const violationsOn = (page: Page): Promise<readonly string[]> =>
  run(page, { type: 'tag', values: rules })

/**
 * What axe finds in light and dark, on a desktop and on a phone, where the page is wider than its window, there and at
 * 400 %, and which states forced colours hide. The page is loaded once: how it looks is decided by its styles alone.
 */
export async function violationsInAllLooks(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const [index, { size, colorScheme }] of looks.entries()) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    // axe takes what is closed as hidden, on a wide screen too, where it is shown.
    await page.evaluate(() => {
      for (const one of document.querySelectorAll<HTMLDetailsElement>('.menu, .drawer'))
        one.open = true
      // At the end of a page, the buttons of a form cover nothing.
      scrollTo(0, document.body.scrollHeight)
    })
    const violations = await run(
      page,
      index === 0 ? { type: 'tag', values: rules } : { type: 'rule', values: rulesOfLook },
    )
    const look = `${colorScheme}, ${size.width} px`
    found.push(...violations.map((one) => `${look}: ${one}`))
    if (await isWiderThanWindow(page)) found.push(`${look}: wider than the window`)
  }
  return [...found, ...(await foundEnlarged(page)), ...(await foundInForcedColors(page))]
}

/** A window of 1280 pixels at 400 % has room for 320 (WCAG 1.4.10). */
async function foundEnlarged(page: Page): Promise<readonly string[]> {
  await page.setViewportSize({ width: 320, height: 256 })
  return (await isWiderThanWindow(page)) ? ['at 400 %: wider than the window'] : []
}

/** What is current or pressed and looks as its neighbours do where colours are forced. */
async function foundInForcedColors(page: Page): Promise<readonly string[]> {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  const found = await page.evaluate(() => {
    const states =
      '[aria-current]:not([aria-current=false]), [aria-pressed=true], [aria-selected=true]'
    const lookOf = (one: Element): string => {
      const { backgroundColor, color, borderBottomColor } = getComputedStyle(one)
      return [backgroundColor, color, borderBottomColor].join()
    }
    return [...document.querySelectorAll(states)].flatMap((one) => {
      const group = one.closest('ul, ol, nav, [role=tablist], p')
      const others = [...(group?.querySelectorAll(one.tagName) ?? [])]
      const neighbour = others.find((other) => !other.matches(states))
      const isSame = neighbour !== undefined && lookOf(neighbour) === lookOf(one)
      return isSame ? [one.outerHTML.slice(0, 200)] : []
    })
  })
  await page.emulateMedia({ forcedColors: 'none' })
  return found.map((html) => `forced colours: looks as its neighbours: ${html}`)
}

async function run(
  page: Page,
  runOnly: { readonly type: 'tag' | 'rule'; readonly values: readonly string[] },
): Promise<readonly string[]> {
  // The page's policy forbids scripts, but does not apply to evaluation by the debugger.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    // Swagger UI is excluded as a library; /api/schema/ has the same content and is checked.
    (only) => (window as any).axe.run({ exclude: ['.swagger-ui'] }, { runOnly: only }),
    runOnly,
  )
  return violations.flatMap((violation: any) =>
    violation.nodes.map((node: any) => `${violation.id}: ${node.html} ${node.failureSummary}`),
  )
}

/** Whether the page scrolls sideways, which none does at any width (WCAG 1.4.10). */
export const isWiderThanWindow = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth
  })
