// Checks a page in a browser with axe against WCAG 2.2 AA.

import axe from 'axe-core'
import type { Page } from 'playwright-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The violations that axe finds, one line each. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  // The page's policy forbids scripts, but does not apply to evaluation by the debugger.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    // Swagger UI is excluded as a library; /api/schema/ has the same content and is checked.
    (values) =>
      (window as any).axe.run({ exclude: ['.swagger-ui'] }, { runOnly: { type: 'tag', values } }),
    rules,
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
