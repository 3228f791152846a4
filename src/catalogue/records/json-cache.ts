// Makes the JSON of records, and caches what everybody may see, on a record's own page and in lists,
// until a record that it shows is written. JSON with private fields is made in catalogue.ts.

import { createHash } from 'node:crypto'

import { type IsCurrent, createCache } from '../../cache.js'
import type { RecordValues } from '../../model/record/values.js'
import {
  type Reference,
  type ResolvedRecord,
  type ViewName,
  referencesOf,
  secondLevelReferencesOf,
  toView,
} from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { Revision } from '../revision.js'
import { type RecordReader, recordKey } from './record-cache.js'
import type { ResolveReferences } from './resolve-references.js'

/** A record's JSON, and a hash of it that changes with anything that it shows. */
export type RecordJson = { readonly json: string; readonly version: string }

/** The JSON of a record, and until when it is what the record would show. */
export type CachedRecordJson = RecordJson & { readonly isCurrent: IsCurrent }

export type JsonCache = {
  /** The record on its own; undefined when there is none. */
  detail(reference: Reference): Promise<CachedRecordJson | undefined>
  /** The records of one resource as lists show them, in the order given; missing ones are left out. */
  listItems(references: readonly Reference[]): Promise<string[]>
}

/** The views that show everybody the same. */
type PublicView = Exclude<ViewName, 'private'>

type CachedJson = CachedRecordJson & {
  /** The keys of all records that were read for it, also of those that do not exist. */
  readonly recordKeys: readonly string[]
}

/** The weight of the whole cache, in bytes: some 30,000 typical zines. */
const defaultMaxWeight = 96 * 1024 * 1024

type JsonCacheDependencies = {
  readonly resources: Resources
  readonly revision: Revision
  readonly records: RecordReader
  readonly resolve: ResolveReferences
}

export function createJsonCache(
  { resources, revision, records, resolve }: JsonCacheDependencies,
  maxWeight = defaultMaxWeight,
): JsonCache {
  const cache = createCache<CachedJson>(
    maxWeight,
    ({ json, recordKeys }) => 2 * json.length + 100 * recordKeys.length + 200,
  )

  const cacheKey = (view: PublicView, reference: Reference): string =>
    `${view} ${recordKey(reference)}`

  async function detail(reference: Reference): Promise<CachedJson | undefined> {
    const cached = cache.get(cacheKey('detail', reference))
    if (cached) return cached
    const [made] = await makeAndCache([reference], 'detail')
    return made
  }

  async function listItems(references: readonly Reference[]): Promise<string[]> {
    const cached = references.map((reference) => cache.get(cacheKey('list', reference)))
    const missing = references.filter((_, index) => !cached[index])
    const made = (await makeAndCache(missing, 'list')).values()
    return cached.flatMap((found) => (found ?? made.next().value)?.json ?? [])
  }

  /** The JSON of records of one resource, in their order; undefined for those that do not exist. */
  async function makeAndCache(
    references: readonly Reference[],
    view: PublicView,
  ): Promise<readonly (CachedJson | undefined)[]> {
    const [first] = references
    if (!first) return []
    const readAt = revision.current()
    const lookup = await records.get(references)
    const values = references.map(lookup)
    const existing = values.filter((one): one is RecordValues => one !== undefined)
    const resolved = (await resolve(resources[first.target], existing, view, 'get')).values()
    return references.map((reference, index) => {
      const record = values[index] && resolved.next().value
      if (!record) return undefined
      const recordKeys = keysOfShownRecords(reference, record, view)
      const isCurrent = (): boolean => revision.isCurrent(readAt, recordKeys)
      const made = { ...toJson(record, view), recordKeys, isCurrent }
      if (isCurrent()) cache.set(cacheKey(view, reference), made, isCurrent)
      return made
    })
  }

  function toJson(record: ResolvedRecord, view: PublicView): RecordJson {
    const json = JSON.stringify(toView(resources, record, view))
    return { json, version: view === 'list' ? '' : contentHash(json) }
  }

  const keysOfShownRecords = (
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

/** A hash for ETags: 160 bits of SHA-256 in base64url. */
export const contentHash = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 27)
