// Makes the JSON of records, and caches what everybody may see, on a record's own page and in lists,
// until a record that it shows is written. JSON with private fields is made in catalogue.ts.

import { hash } from 'node:crypto'

import { type IsCurrent, createCache } from '../../cache.js'
import { createJsonWriter } from '../../model/record/json-text.js'
import type { RecordValues } from '../../model/record/values.js'
import {
  type RecordLookup,
  type Reference,
  type ResolvedRecord,
  type ViewName,
  referencesOf,
  secondLevelReferencesOf,
} from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { createYielder } from '../../scheduling.js'
import { DiskFailedError } from '../../store/errors.js'
import { type Revision, type RevisionNumber, readTogether } from '../revision.js'
import { type RecordReader, recordKey } from './record-cache.js'
import type { ResolveReferences } from './resolve-references.js'

/** A record's JSON, and a hash of it that changes with anything that it shows. */
export type RecordJson = { readonly json: string; readonly version: string }

/** The JSON of a record, and until when it is what the record would show. */
export type CachedRecordJson = RecordJson & { readonly isCurrent: IsCurrent }

/** `wasCached`: whether it was asked for before, not long ago. */
export type FoundJson = { readonly found: CachedRecordJson; readonly wasCached: boolean }

export type JsonCache = {
  /** The record on its own; undefined when there is none. */
  detail(reference: Reference): Promise<CachedRecordJson | undefined>
  /** The same at once; undefined also where it cannot be read at once. */
  detailNow(reference: Reference): FoundJson | undefined
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
  const writeJson = createJsonWriter(resources)
  const cache = createCache<CachedJson>(
    maxWeight,
    ({ json, recordKeys }) => 2 * json.length + 100 * recordKeys.length + 200,
  )

  const cacheKey = (view: PublicView, reference: Reference): string =>
    `${view} ${recordKey(reference)}`

  const { getNow } = records

  /** @throws DiskFailedError */
  function makeNow(
    getShown: NonNullable<RecordReader['getNow']>,
    reference: Reference,
    view: PublicView,
  ): CachedJson | undefined {
    const readAt = revision.current()
    const values = getShown(reference, false)
    if (!values) return undefined
    const recordKeys = [recordKey(reference)]
    const lookup: RecordLookup = (shown) => {
      recordKeys.push(recordKey(shown))
      return getShown(shown, true)
    }
    const json = writeJson({ resource: resources[reference.target], values, lookup }, view)
    return addToCache(reference, view, { json, recordKeys, readAt })
  }

  function detailNow(reference: Reference): FoundJson | undefined {
    const cached = cache.get(cacheKey('detail', reference))
    if (cached) return { found: cached, wasCached: true }
    const made = getNow && unlessUnreadable(() => makeNow(getNow, reference, 'detail'))
    return made && { found: made, wasCached: false }
  }

  async function detail(reference: Reference): Promise<CachedRecordJson | undefined> {
    const now = detailNow(reference)
    if (now) return now.found
    const [made] = await makeAndCache([reference], 'detail')
    return made
  }

  async function listItems(references: readonly Reference[]): Promise<string[]> {
    const maybeYield = createYielder()
    const found: (CachedJson | undefined)[] = []
    for (const reference of references) {
      const cached = cache.get(cacheKey('list', reference))
      if (cached) found.push(cached)
      else {
        await maybeYield()
        found.push(getNow && unlessUnreadable(() => makeNow(getNow, reference, 'list')))
      }
    }
    const missing = references.filter((_, index) => !found[index])
    const made = (await makeAndCache(missing, 'list')).values()
    return found.flatMap((one) => (one ?? made.next().value)?.json ?? [])
  }

  /** The JSON of records of one resource, in their order; undefined for those that do not exist. */
  function makeAndCache(
    references: readonly Reference[],
    view: PublicView,
  ): Promise<readonly (CachedJson | undefined)[]> {
    return readTogether(revision, references.map(recordKey), (readAt) =>
      makeAt(readAt, references, view),
    )
  }

  async function makeAt(
    readAt: RevisionNumber,
    references: readonly Reference[],
    view: PublicView,
  ): Promise<readonly (CachedJson | undefined)[]> {
    const [first] = references
    if (!first) return []
    const lookup = await records.get(references)
    const values = references.map(lookup)
    const existing = values.filter((one): one is RecordValues => one !== undefined)
    const resolved = (await resolve(resources[first.target], existing, view, 'get')).values()
    return references.map((reference, index) => {
      const record = values[index] && resolved.next().value
      if (!record) return undefined
      const recordKeys = keysOfShownRecords(reference, record, view)
      return addToCache(reference, view, { json: writeJson(record, view), recordKeys, readAt })
    })
  }

  function addToCache(
    reference: Reference,
    view: PublicView,
    { json, recordKeys, readAt }: Pick<CachedJson, 'json' | 'recordKeys'> & { readAt: number },
  ): CachedJson {
    const isCurrent = (): boolean => revision.isCurrent(readAt, recordKeys)
    const version = view === 'list' ? '' : contentHash(json)
    const made = { json, version, recordKeys, isCurrent }
    if (isCurrent()) cache.set(cacheKey(view, reference), made, isCurrent)
    return made
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

  return { detail, detailNow, listItems }
}

/** What was made; undefined when the disk could not be read. */
function unlessUnreadable<Made>(make: () => Made): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof DiskFailedError) return undefined
    throw error
  }
}

/** A hash for ETags: 160 bits of SHA-256 in base64url. */
export const contentHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 27)
