// Makes the JSON of records, and caches what everybody may see, on a record's own page and in lists: in memory or in a file
// (json-entries.ts). After a record that it shows was written, it is renewed; after the record itself was, it is made
// again. JSON with private fields is made in record-reads.ts.

import { hash } from 'node:crypto'

import type { IsCurrent } from '../../cache.js'
import { createJsonRenewer, createJsonWriter } from '../../model/record/json-text.js'
import type { RecordValues } from '../../model/record/values.js'
import {
  type RecordLookup,
  type PublicView,
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
import type { JsonEntries, JsonEntry } from './json-entries.js'
import { type RecordReader, recordKey } from './record-cache.js'
import type { ResolveReferences } from './resolve-references.js'

/** A record's JSON, and a hash of it that changes with anything that it shows. */
export type RecordJson = { readonly json: string; readonly version: string }

/** The JSON of a record, and until when it is what the record would show. */
export type CachedRecordJson = RecordJson & { readonly isCurrent: IsCurrent }

export type JsonCache = {
  /** The record on its own; undefined when there is none. */
  detail(reference: Reference): Promise<CachedRecordJson | undefined>
  /** The same at once; undefined also where it cannot be read at once. */
  detailNow(reference: Reference): CachedRecordJson | undefined
  /** The records of one resource as lists show them, in the order given; missing ones are left out. */
  listItems(references: readonly Reference[]): Promise<string[]>
  /** Makes what is not cached of a record, in each view, where it can be read at once. */
  prepare(reference: Reference): void
}

/** How many records of a list are found before others may be answered: most are cached, and take less time than waiting. */
const recordsInStep = 8

/** The views that show everybody the same. */
const publicViews: readonly PublicView[] = ['detail', 'list']

type JsonCacheDependencies = {
  readonly resources: Resources
  readonly revision: Revision
  readonly records: RecordReader
  readonly resolve: ResolveReferences
  readonly entries: JsonEntries
}

export function createJsonCache({
  resources,
  revision,
  records,
  resolve,
  entries,
}: JsonCacheDependencies): JsonCache {
  const writeJson = createJsonWriter(resources)
  const renewJson = createJsonRenewer(resources)
  const { getNow } = records

  /**
   * What is cached, if it is current; else it is renewed or made, if it can be read at once.
   * @throws DiskFailedError
   */
  function findOrMake(
    reference: Reference,
    view: PublicView,
    read: RecordReader['getNow'],
  ): CachedRecordJson | undefined {
    const found = entries.get(view, reference)
    if (found && revision.isCurrent(found.readAt, found.recordKeys)) return toCurrent(found)
    if (!read) return undefined
    const readAt = revision.current()
    const recordKeys = [recordKey(reference)]
    const lookup: RecordLookup = (shown) => {
      recordKeys.push(recordKey(shown))
      return read(shown, true)
    }
    const resource = resources[reference.target]
    if (found) {
      const json = renewJson(found.json, { resource, view, lookup })
      return addEntry(reference, view, { json, recordKeys, readAt })
    }
    const values = read(reference, false)
    if (!values) return undefined
    const json = writeJson({ resource, values, lookup }, view)
    return addEntry(reference, view, { json, recordKeys, readAt })
  }

  const findNow = (reference: Reference, view: PublicView): CachedRecordJson | undefined =>
    unlessUnreadable(() => findOrMake(reference, view, getNow))

  // What all records show, one after the other, would only drive out of the cache what is used.
  function prepare(reference: Reference): void {
    if (!getNow) return
    const known = new Map<string, RecordValues | undefined>()
    const readOnce = (shown: Reference): RecordValues | undefined => {
      const key = recordKey(shown)
      if (!known.has(key)) known.set(key, getNow(shown, false))
      return known.get(key)
    }
    for (const view of publicViews) unlessUnreadable(() => findOrMake(reference, view, readOnce))
  }

  async function detail(reference: Reference): Promise<CachedRecordJson | undefined> {
    const now = findNow(reference, 'detail')
    if (now) return now
    const [made] = await makeAndCache([reference], 'detail')
    return made
  }

  async function listItems(references: readonly Reference[]): Promise<string[]> {
    const maybeYield = createYielder()
    const found: (CachedRecordJson | undefined)[] = []
    for (const reference of references) {
      found.push(findNow(reference, 'list'))
      if (found.length % recordsInStep === 0) await maybeYield()
    }
    const missing = references.filter((_, index) => !found[index])
    const made = (await makeAndCache(missing, 'list')).values()
    return found.flatMap((one) => (one ?? made.next().value)?.json ?? [])
  }

  /** The JSON of records of one resource, in their order; undefined for those that do not exist. */
  function makeAndCache(
    references: readonly Reference[],
    view: PublicView,
  ): Promise<readonly (CachedRecordJson | undefined)[]> {
    return readTogether(revision, references.map(recordKey), (readAt) =>
      makeAt(readAt, references, view),
    )
  }

  async function makeAt(
    readAt: RevisionNumber,
    references: readonly Reference[],
    view: PublicView,
  ): Promise<readonly (CachedRecordJson | undefined)[]> {
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
      return addEntry(reference, view, { json: writeJson(record, view), recordKeys, readAt })
    })
  }

  function addEntry(
    reference: Reference,
    view: PublicView,
    made: Omit<JsonEntry, 'version'>,
  ): CachedRecordJson {
    const whole = { ...made, version: view === 'list' ? '' : contentHash(made.json) }
    const current = toCurrent(whole)
    if (current.isCurrent()) entries.set(view, reference, whole)
    return current
  }

  const toCurrent = ({ json, version, readAt, recordKeys }: JsonEntry): CachedRecordJson => ({
    json,
    version,
    isCurrent: () => revision.isCurrent(readAt, recordKeys),
  })

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

  return {
    detail,
    detailNow: (reference) => findNow(reference, 'detail'),
    listItems,
    prepare,
  }
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
export const contentHash = (text: string | Buffer): string =>
  hash('sha256', text, 'base64url').slice(0, 27)
