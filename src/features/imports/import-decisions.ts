// What the pages of names and of terms have in common: which decisions a page shows, and where it
// leads on.

import { type ShownDecisions, decisionsPerPage } from './import-decisions-page.js'
import type { RequestContext } from '../../http/context.js'
import type { SubmittedForm } from '../../http/form-endpoint.js'
import { pageNumber, queryOf } from './import-step.js'

type Choice<Tab extends string, Item> = {
  readonly tabs: readonly Tab[]
  readonly tabOf: (item: Item) => Tab
  /** The tab that is shown unless the address names one. */
  readonly first: (counts: Readonly<Record<Tab, number>>) => Tab
}

/** The page of a tab that the address asks for; the last one if it asks for a later one. */
export function chooseDecisions<Tab extends string, Item>(
  ctx: RequestContext,
  all: readonly Item[],
  { tabs, tabOf, first }: Choice<Tab, Item>,
): ShownDecisions<Tab, Item> {
  // The cast: the entries are made of all tabs.
  const counts = Object.fromEntries(tabs.map((tab) => [tab, 0])) as Record<Tab, number>
  for (const item of all) counts[tabOf(item)] += 1
  const tabParam = queryOf(ctx).get('show')
  const tab = tabs.find((name) => name === tabParam) ?? first(counts)
  const page = Math.min(pageNumber(ctx), Math.max(1, Math.ceil(counts[tab] / decisionsPerPage)))
  const items = all.filter((item) => tabOf(item) === tab)
  const begin = (page - 1) * decisionsPerPage
  return { tab, counts, page, items: items.slice(begin, begin + decisionsPerPage) }
}

/**
 * The page of a tab with what comes after what was shown, when what was decided is no longer in it;
 * undefined if nothing does. What people leave as it is does not keep them on the page.
 */
export function pageAfter<Tab extends string, Item>(
  { tab, counts, page, items }: ShownDecisions<Tab, Item>,
  isDecided: (item: Item) => boolean,
): number | undefined {
  const decided = items.filter(isDecided).length
  const next = (page - 1) * decisionsPerPage + items.length - decided
  return next < counts[tab] - decided ? Math.floor(next / decisionsPerPage) + 1 : undefined
}

/** What was sent of a row of the page: what it is about, what was chosen, and what was typed. */
export type SentRow = {
  readonly of: string
  readonly choice: string
  readonly text: string
  readonly kind: string | undefined
}

/** @param name of the input that says what a row is about */
export const sentRows = (form: SubmittedForm, name: string): readonly SentRow[] =>
  form.getAll(name).map((of, index) => ({
    of,
    choice: form.get(`do.${index}`) ?? '',
    text: (form.get(`text.${index}`) ?? '').normalize('NFC').trim(),
    kind: form.get(`kind.${index}`) ?? undefined,
  }))
