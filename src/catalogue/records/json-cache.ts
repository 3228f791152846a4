// Makes the JSON of records, and caches what everybody may see, on a record's own page and in
// lists, until the record or one that it shows is written. JSON with private fields is made in
// record-reads.ts.

import { hash } from 'node:crypto'

import { type IsCurrent, createCache } from '../../lib/cache.js'
import { createJsonWriter } from '../../model/record/json-text.js'
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
import { createYielder } from '../../lib/scheduling.js'
import { DiskFailedError } from '../../lib/key-value/errors.js'
import { type Revision, type RevisionNumber, readTogether } from '../revision.js'
import { type RecordReader, recordKey } from './record-cache.js'
import type { ResolveReferences } from './resolve-references.js'

/** A record's JSON, and a hash of it that changes with anything that it shows. */
export type RecordJson = { readonly json: string; readonly version: string }

/** The JSON of a record, and until when it is what the record would show. */
export type CachedRecordJson = RecordJson & { readonly isCurrent: IsCurrent }

/** The weight of the whole cache in bytes: some 30,000 typical zines. */
const maxWeight = 96 * 1024 * 1024

/**
 * How many records of a list are found before others may be answered: most are cached, and take
 * less time than waiting.
 */
const recordsInStep = 8

type JsonCacheDependencies = {
  readonly resources: Resources
  readonly revision: Revision
  readonly records: RecordReader
  readonly resolve: ResolveReferences
}

/**
 * The JSON of a record in a view, and the keys of all records that were read for it, also of those
 * that do not exist.
 */
type MadeJson = {
  readonly json: string
  readonly readAt: RevisionNumber
  readonly recordKeys: readonly string[]
}

export class JsonCache {
  readonly #resources: Resources
  readonly #revision: Revision
  readonly #records: RecordReader
  readonly #resolve: ResolveReferences
  readonly #writeJson: ReturnType<typeof createJsonWriter>
  readonly #cache = createCache<CachedRecordJson>(maxWeight, ({ json }) => 2 * json.length + 800)
  readonly #getNow: RecordReader['getNow']

  constructor({ resources, revision, records, resolve }: JsonCacheDependencies) {
    this.#resources = resources
    this.#revision = revision
    this.#records = records
    this.#resolve = resolve
    this.#writeJson = createJsonWriter(resources)
    this.#getNow = records.getNow
  }

  /** The record on its own; undefined when there is none. */
  async detail(reference: Reference): Promise<CachedRecordJson | undefined> {
    const now = this.#findOrMake(reference, 'detail')
    if (now) return now
    const [record] = await this.#makeAndCache([reference], 'detail')
    return record
  }

  /** The same at once; undefined also where it cannot be read at once. */
  detailNow(reference: Reference): CachedRecordJson | undefined {
    return this.#findOrMake(reference, 'detail')
  }

  /**
   * The records of one resource as lists show them, in the order given; missing ones are left out.
   */
  async listItems(references: readonly Reference[]): Promise<string[]> {
    const maybeYield = createYielder()
    const items: (CachedRecordJson | undefined)[] = []
    for (const reference of references) {
      items.push(this.#findOrMake(reference, 'list'))
      if (items.length % recordsInStep === 0) await maybeYield()
    }
    const missing = references.filter((_, index) => !items[index])
    const others = (await this.#makeAndCache(missing, 'list')).values()
    return items.flatMap((item) => (item ?? others.next().value)?.json ?? [])
  }

  /** What is cached, if it is current; else it is made, if it can be read at once. */
  #findOrMake(reference: Reference, view: PublicView): CachedRecordJson | undefined {
    const cached = this.#cache.get(cacheKey(reference, view))
    const getNow = this.#getNow
    if (cached || !getNow) return cached
    const readAt = this.#revision.current()
    const recordKeys = [recordKey(reference)]
    const lookup: RecordLookup = (shown) => {
      recordKeys.push(recordKey(shown))
      return getNow(shown, 'again')
    }
    try {
      const values = getNow(reference, 'once')
      if (!values) return undefined
      const json = this.#writeJson(
        { resource: this.#resources[reference.target], values, lookup },
        view,
      )
      return this.#add(reference, view, { json, recordKeys, readAt })
    } catch (error) {
      if (error instanceof DiskFailedError) return undefined
      throw error
    }
  }

  /** The JSON of records of one resource, in their order; undefined for those that do not exist. */
  #makeAndCache(
    references: readonly Reference[],
    view: PublicView,
  ): Promise<readonly (CachedRecordJson | undefined)[]> {
    return readTogether(this.#revision, references.map(recordKey), (readAt) =>
      this.#makeAt(readAt, references, view),
    )
  }

  async #makeAt(
    readAt: RevisionNumber,
    references: readonly Reference[],
    view: PublicView,
  ): Promise<readonly (CachedRecordJson | undefined)[]> {
    const [first] = references
    if (!first) return []
    const lookup = await this.#records.get(references)
    const values = references.map(lookup)
    const present = values.filter((item): item is RecordValues => item !== undefined)
    const resolved = (
      await this.#resolve(this.#resources[first.target], present, view, 'again')
    ).values()
    return references.map((reference, index) => {
      const record = values[index] && resolved.next().value
      if (!record) return undefined
      const recordKeys = this.#keysOfShownRecords(reference, record, view)
      return this.#add(reference, view, { json: this.#writeJson(record, view), recordKeys, readAt })
    })
  }

  #add(
    reference: Reference,
    view: PublicView,
    { json, readAt, recordKeys }: MadeJson,
  ): CachedRecordJson {
    const isCurrent: IsCurrent = () => this.#revision.isCurrent(readAt, recordKeys)
    // The records of a list need no version.
    const record = { json, version: view === 'list' ? '' : contentHash(json), isCurrent }
    if (isCurrent()) this.#cache.set(cacheKey(reference, view), record, isCurrent)
    return record
  }

  #keysOfShownRecords(reference: Reference, record: ResolvedRecord, view: ViewName): string[] {
    return [
      reference,
      ...referencesOf(record.resource, record.values, view),
      ...secondLevelReferencesOf(this.#resources, record, view),
    ].map(recordKey)
  }
}

const cacheKey = (reference: Reference, view: PublicView): string =>
  `${view} ${recordKey(reference)}`

/** A hash for ETags: 160 bits of SHA-256 in base64url. */
export const contentHash = (text: string | Buffer): string =>
  hash('sha256', text, 'base64url').slice(0, 27)
