// Records as JSON, on their own and in lists, as everybody may see them: kept until something that they
// show is written. What is kept is what `show` would say now, or it is not used.

import { createHash } from 'node:crypto'

import type { RecordValues } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import {
  type Reference,
  type ResolvedRecord,
  type ViewName,
  secondLevelReferencesOf,
  referencesOf,
  toView,
} from '../../model/record/views.js'
import { type RecordReader, recordKey } from './record-cache.js'
import { createCache } from '../../cache.js'
import type { ResolveReferences } from './resolve-references.js'

/** A record's JSON, and a mark that changes with anything that it shows. */
export type RecordJson = { readonly json: string; readonly version: string }

/** Whether what was read is still what would be read now. It may say no without need. */
export type IsCurrent = () => boolean

export type JsonCache = {
  /** The record on its own; undefined when there is none. */
  detail(reference: Reference): Promise<(RecordJson & { readonly holds: IsCurrent }) | undefined>
  /** Records of one resource as a list shows them, those that there are, in their order. */
  listItems(references: readonly Reference[]): Promise<string[]>
}

/** What an open view shows is shown to everybody, so that it can be kept. */
type PublicView = Exclude<ViewName, 'private'>

type CachedJson = RecordJson & {
  /** The keys of the records that it was made from, whether they were there or not. */
  readonly from: readonly string[]
  /** Until one of them is written. */
  readonly holds: IsCurrent
}

/** How much is kept: some 30,000 typical zines. */
const maxWeight = 96 * 1024 * 1024

type JsonCacheDependencies = {
  readonly resources: Resources
  readonly cards: RecordReader
  readonly gather: ResolveReferences
}

export function createJsonCache(
  { resources, cards, gather }: JsonCacheDependencies,
  most = maxWeight,
): JsonCache {
  const shelf = createCache<CachedJson>(
    most,
    ({ json, from }) => 2 * json.length + 100 * from.length + 200,
  )

  async function detail(reference: Reference): Promise<CachedJson | undefined> {
    const key = `detail ${recordKey(reference)}`
    const kept = currentlyCached(key)
    if (kept) return kept
    const [made] = await make([reference], 'detail')
    if (made) shelf.set(key, made)
    return made
  }

  async function listItems(references: readonly Reference[]): Promise<string[]> {
    const found = references.map((reference) => currentlyCached(`list ${recordKey(reference)}`))
    const missing = references.filter((_, index) => !found[index])
    const made = await make(missing, 'list')
    missing.forEach((reference, index) => {
      const one = made[index]
      if (one) shelf.set(`list ${recordKey(reference)}`, one)
    })
    const next = made.values()
    return found.flatMap((kept) => (kept ?? next.next().value)?.json ?? [])
  }

  function currentlyCached(key: string): CachedJson | undefined {
    const kept = shelf.get(key)
    return kept?.holds() ? kept : undefined
  }

  /** The records of one resource, anew. */
  async function make(
    references: readonly Reference[],
    view: PublicView,
  ): Promise<readonly (CachedJson | undefined)[]> {
    const [first] = references
    if (!first) return []
    const made = cards.revision()
    const resource = resources[first.target]
    const known = await cards.get(references)
    const there = references.map(known)
    const found = there.filter((card): card is RecordValues => card !== undefined)
    const records = (await gather(resource, found, view, 'get')).values()
    return references.map((reference, index) => {
      const record = there[index] && records.next().value
      if (!record) return undefined
      const from = namedBy(reference, record, view)
      return { ...toJson(record, view), from, holds: () => cards.unchangedSince(made, from) }
    })
  }

  function toJson(record: ResolvedRecord, view: PublicView): RecordJson {
    const json = JSON.stringify(toView(resources, record, view))
    return { json, version: view === 'list' ? '' : contentHash(json) }
  }

  const namedBy = (
    reference: Reference,
    { resource, values, lookup }: ResolvedRecord,
    view: ViewName,
  ): string[] =>
    [
      reference,
      ...referencesOf(resource, values, view),
      ...secondLevelReferencesOf(resources, resource, values, view, lookup),
    ].map(recordKey)

  return { detail, listItems }
}

/** A mark that two texts share only if they are the same. */
export const contentHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 27)
