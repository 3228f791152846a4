// Records as JSON, on their own and in lists, as everybody may see them: kept until something that they
// show is written. What is kept is what `show` would say now, or it is not used.

import { createHash } from 'node:crypto'

import type { Card } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import {
  type Reference,
  type Sheet,
  type View,
  furtherReferencesOf,
  referencesOf,
  show,
} from '../../model/record/views.js'
import { type CardReader, keyOf } from './record-cache.js'
import { openKept } from '../../cache.js'
import type { GatherSheets } from './resolve-references.js'

/** A record's JSON, and a mark that changes with anything that it shows. */
export type Printed = { readonly json: string; readonly version: string }

/** Whether what was read is still what would be read now. It may say no without need. */
export type Holds = () => boolean

export type Prints = {
  /** The record on its own; undefined when there is none. */
  record(reference: Reference): Promise<(Printed & { readonly holds: Holds }) | undefined>
  /** Records of one resource as a list shows them, those that there are, in their order. */
  items(references: readonly Reference[]): Promise<string[]>
}

/** What an open view shows is shown to everybody, so that it can be kept. */
type Open = Exclude<View, 'private'>

type Kept = Printed & {
  /** The keys of the records that it was made from, whether they were there or not. */
  readonly from: readonly string[]
  /** Until one of them is written. */
  readonly holds: Holds
}

/** How much is kept: some 30,000 typical zines. */
const limit = 96 * 1024 * 1024

type Parts = {
  readonly resources: Resources
  readonly cards: CardReader
  readonly gather: GatherSheets
}

export function openPrints({ resources, cards, gather }: Parts, most = limit): Prints {
  const shelf = openKept<Kept>(most, ({ json, from }) => 2 * json.length + 100 * from.length + 200)

  async function record(reference: Reference): Promise<Kept | undefined> {
    const key = `detail ${keyOf(reference)}`
    const kept = holding(key)
    if (kept) return kept
    const [made] = await make([reference], 'detail')
    if (made) shelf.keep(key, made)
    return made
  }

  async function items(references: readonly Reference[]): Promise<string[]> {
    const found = references.map((reference) => holding(`list ${keyOf(reference)}`))
    const missing = references.filter((_, index) => !found[index])
    const made = await make(missing, 'list')
    missing.forEach((reference, index) => {
      const one = made[index]
      if (one) shelf.keep(`list ${keyOf(reference)}`, one)
    })
    const next = made.values()
    return found.flatMap((kept) => (kept ?? next.next().value)?.json ?? [])
  }

  function holding(key: string): Kept | undefined {
    const kept = shelf.get(key)
    return kept?.holds() ? kept : undefined
  }

  /** The records of one resource, anew. */
  async function make(
    references: readonly Reference[],
    view: Open,
  ): Promise<readonly (Kept | undefined)[]> {
    const [first] = references
    if (!first) return []
    const made = cards.now()
    const resource = resources[first.target]
    const known = await cards.find(references)
    const there = references.map(known)
    const found = there.filter((card): card is Card => card !== undefined)
    const sheets = (await gather(resource, found, view, 'find')).values()
    return references.map((reference, index) => {
      const sheet = there[index] && sheets.next().value
      if (!sheet) return undefined
      const from = namedBy(reference, sheet, view)
      return { ...print(sheet, view), from, holds: () => cards.areAsAt(made, from) }
    })
  }

  function print(sheet: Sheet, view: Open): Printed {
    const json = JSON.stringify(show(resources, sheet, view))
    return { json, version: view === 'list' ? '' : markOf(json) }
  }

  const namedBy = (reference: Reference, { resource, card, cards }: Sheet, view: View): string[] =>
    [
      reference,
      ...referencesOf(resource, card, view),
      ...furtherReferencesOf(resources, resource, card, view, cards),
    ].map(keyOf)

  return { record, items }
}

/** A mark that two texts share only if they are the same. */
export const markOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 27)
