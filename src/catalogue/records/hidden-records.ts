// The records that are hidden from everybody but those who may write records of their kind. For all
// that answers the public they do not exist: the store of records has nothing of them, so neither
// have the indexes, SPARQL and the feeds, which are told of a deletion. Their values are in entries
// of their own, and so are the references to them of records that everybody sees
// (docs/explanation/storage.md, "Hidden records"). What becomes hidden with a write:
// catalogue/writes/publication.ts.

import type { Field, Resources } from '../../model/resources.js'
import { withheld } from '../../model/record/rdf-mapper.js'
import type { RecordValues } from '../../model/record/values.js'
import { type Reference, referencesOfField, valuesIn } from '../../model/record/views.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../../store/key-value/keys.js'
import type { Commit } from '../../store/commit-listeners.js'
import { recordKey, referenceOf } from './record-cache.js'

/** A hidden record. */
export type HiddenRecord = {
  /** All its values, with its visibility and private fields. */
  readonly values: RecordValues
  /** Since when it is hidden. */
  readonly since: string
}

/** An identifier, and the one of the same kind that it leads to. */
type LeadingIdentifier = { readonly reference: Reference; readonly into: string }

/** A former identifier that leads to a hidden record, or was that of one. */
type HiddenRedirect = {
  readonly into: string
  /** It never leads anywhere for the public, since its own record was hidden. */
  readonly isHiddenItself?: true
}

/**
 * The identifier of a deleted record that was hidden, or one that led to it: what still refers to it
 * does not tell that.
 */
type GoneRecord = Pick<HiddenRedirect, 'isHiddenItself'> & { readonly isGone: true }

type HiddenEntry = HiddenRecord | HiddenRedirect | GoneRecord

/** What a record that everybody sees does not tell. */
export type WithheldReferences = {
  /** The fields with all their references. */
  readonly values: RecordValues
  /** The keys of the records that are not named. */
  readonly keys: readonly string[]
}

export type HiddenRecords = {
  /** Whether there is nothing hidden, so that nobody has to look for it. */
  isEmpty(): boolean
  has(reference: Reference): boolean
  /** Whether it was hidden when it was deleted, and is no more. */
  isGone(reference: Reference): boolean
  /** Whether the public is not even told that there was such an identifier. */
  tellsNothingOf(reference: Reference): boolean
  /** Those of these records that are hidden, by their keys. */
  read(references: readonly Reference[]): Promise<ReadonlyMap<string, HiddenRecord>>
  redirect(reference: Reference): HiddenRedirect | undefined
  /** Whether it is the identifier of a hidden record, or was before it led to another one. */
  isHiddenItself(reference: Reference): boolean
  /** The hidden identifiers that lead to one of these records. */
  redirectsTo(references: readonly Reference[]): readonly LeadingIdentifier[]
  /** What a record that everybody sees does not tell; undefined where it tells everything. */
  withheldBy(reference: Reference): WithheldReferences | undefined
  /**
   * The hidden records that refer to one, and those that everybody sees which do not tell that they
   * do.
   */
  referrersTo(reference: Reference): readonly Reference[]
  /** All hidden records. */
  all(): AsyncIterable<readonly [Reference, HiddenRecord]>
  /** Call after each commit. */
  onCommit(commit: Pick<Commit, 'entries'>): void
}

/** Reads which records are hidden. Only their references are kept in memory. */
export async function loadHiddenRecords(
  store: Pick<KeyValueStore, 'entries' | 'getMany'>,
  resources: Resources,
): Promise<HiddenRecords> {
  const hidden = new StoredHiddenRecords(store, resources)
  for (const prefix of [prefixes.hidden, prefixes.withheld])
    for await (const [key, value] of store.entries(prefix)) hidden.remember(key, value)
  return hidden
}

/** Those of a process that only reads records. */
export const noHiddenRecords: HiddenRecords = {
  isEmpty: () => true,
  has: () => false,
  isGone: () => false,
  tellsNothingOf: () => false,
  read: () => Promise.resolve(new Map()),
  redirect: () => undefined,
  isHiddenItself: () => false,
  redirectsTo: () => [],
  withheldBy: () => undefined,
  referrersTo: () => [],
  all: () => nothing(),
  onCommit: () => undefined,
}

async function* nothing(): AsyncGenerator<never> {
  // There is nothing hidden.
}

class StoredHiddenRecords implements HiddenRecords {
  /** By the keys of hidden records, those of the records that they refer to. */
  readonly #records = new Map<string, readonly string[]>()
  readonly #redirects = new Map<string, HiddenRedirect>()
  readonly #deleted = new Map<string, GoneRecord>()
  readonly #withheld = new Map<string, WithheldReferences>()
  /** By the keys of records, those of the records that refer to them, as `referrersTo` says. */
  readonly #referrers = new Map<string, Set<string>>()
  readonly #store: Pick<KeyValueStore, 'entries' | 'getMany'>
  readonly #resources: Resources

  constructor(store: Pick<KeyValueStore, 'entries' | 'getMany'>, resources: Resources) {
    this.#store = store
    this.#resources = resources
  }

  isEmpty(): boolean {
    const { size } = this.#records
    return size + this.#redirects.size + this.#deleted.size + this.#withheld.size === 0
  }

  has(reference: Reference): boolean {
    return this.#records.has(recordKey(reference))
  }

  isGone(reference: Reference): boolean {
    return this.#deleted.has(recordKey(reference))
  }

  tellsNothingOf(reference: Reference): boolean {
    const key = recordKey(reference)
    return this.#records.has(key) || this.#deleted.has(key) || this.#redirects.has(key)
  }

  async read(references: readonly Reference[]): Promise<ReadonlyMap<string, HiddenRecord>> {
    const keys = references.map(recordKey).filter((key) => this.#records.has(key))
    if (keys.length === 0) return new Map()
    const entries = await this.#store.getMany(keys.map((key) => prefixes.hidden + key))
    return new Map(
      keys.flatMap((key, index) => {
        const entry = parseHiddenEntry(entries[index] ?? '{}')
        return 'values' in entry ? [[key, entry] as const] : []
      }),
    )
  }

  redirect(reference: Reference): HiddenRedirect | undefined {
    return this.#redirects.get(recordKey(reference))
  }

  isHiddenItself(reference: Reference): boolean {
    const key = recordKey(reference)
    const former = this.#redirects.get(key) ?? this.#deleted.get(key)
    return this.#records.has(key) || former?.isHiddenItself === true
  }

  redirectsTo(references: readonly Reference[]): readonly LeadingIdentifier[] {
    const keys = new Set(references.map(recordKey))
    return [...this.#redirects].flatMap(([key, { into }]) => {
      const reference = referenceOf(key)
      return keys.has(recordKey({ ...reference, id: into })) ? [{ reference, into }] : []
    })
  }

  withheldBy(reference: Reference): WithheldReferences | undefined {
    return this.#withheld.get(recordKey(reference))
  }

  referrersTo(reference: Reference): readonly Reference[] {
    return [...(this.#referrers.get(recordKey(reference)) ?? [])].map(referenceOf)
  }

  async *all(): AsyncGenerator<readonly [Reference, HiddenRecord]> {
    for await (const [key, value] of this.#store.entries(prefixes.hidden)) {
      const entry = parseHiddenEntry(value)
      if ('values' in entry) yield [referenceOf(key.slice(prefixes.hidden.length)), entry]
    }
  }

  onCommit({ entries = [] }: Pick<Commit, 'entries'>): void {
    for (const { key, value } of entries) this.remember(key, value)
  }

  /** Takes an entry of the key-value store as it is now; others than those of hidden records too. */
  remember(key: string, value: string | undefined): void {
    if (key.startsWith(prefixes.hidden))
      this.#rememberHidden(key.slice(prefixes.hidden.length), value)
    else if (key.startsWith(prefixes.withheld))
      this.#rememberWithheld(key.slice(prefixes.withheld.length), value)
  }

  #rememberHidden(key: string, value: string | undefined): void {
    this.#redirects.delete(key)
    this.#deleted.delete(key)
    const before = this.#records.get(key) ?? []
    this.#records.delete(key)
    this.#removeReferrer(before, key)
    if (value === undefined) return
    const entry = parseHiddenEntry(value)
    if ('into' in entry) this.#redirects.set(key, entry)
    else if ('isGone' in entry) this.#deleted.set(key, entry)
    else {
      const { inputFields } = this.#resources[referenceOf(key).target]
      const keys = inputFields
        .flatMap((field) => referencesOfField(field, entry.values))
        .map(recordKey)
      this.#records.set(key, keys)
      for (const to of keys) this.#addReferrer(to, key)
    }
  }

  #rememberWithheld(key: string, value: string | undefined): void {
    const before = this.#withheld.get(key)?.keys ?? []
    this.#withheld.delete(key)
    this.#removeReferrer(before, key)
    if (value === undefined) return
    const entry = parseWithheldEntry(value)
    this.#withheld.set(key, entry)
    for (const to of entry.keys) this.#addReferrer(to, key)
  }

  /** A commit that hides a record removes its entry of what it withheld, and it refers to the same. */
  #removeReferrer(to: readonly string[], from: string): void {
    const left = new Set([
      ...(this.#records.get(from) ?? []),
      ...(this.#withheld.get(from)?.keys ?? []),
    ])
    for (const key of to) if (!left.has(key)) this.#referrers.get(key)?.delete(from)
  }

  #addReferrer(to: string, from: string): void {
    const known = this.#referrers.get(to)
    if (known) known.add(from)
    else this.#referrers.set(to, new Set([from]))
  }
}

export const hiddenEntry = (
  reference: Reference,
  entry: HiddenEntry | undefined,
): KeyValueWrite => ({
  key: prefixes.hidden + recordKey(reference),
  value: entry && JSON.stringify(entry),
})

export const withheldEntry = (
  reference: Reference,
  entry: WithheldReferences | undefined,
): KeyValueWrite => ({
  key: prefixes.withheld + recordKey(reference),
  value: entry && JSON.stringify(entry),
})

// The casts: the two above wrote them.
export const parseHiddenEntry = (value: string) => JSON.parse(value) as HiddenEntry

export const parseWithheldEntry = (value: string) => JSON.parse(value) as WithheldReferences

/**
 * The values of a record as they may be shown: without the references to records of which nothing
 * may be told.
 */
export function withhold(
  fields: readonly Field[],
  values: RecordValues,
  isWithheld: (reference: Reference) => boolean,
): RecordValues {
  const changed = fields.flatMap((field) => {
    const { target } = field
    const ids = target ? valuesIn(field, values) : []
    const shown = ids.map((id) => (target && isWithheld({ target, id }) ? withheld : id))
    if (shown.every((id, index) => id === ids[index])) return []
    return [[field.name, field.repeatable ? shown : withheld] as const]
  })
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) }
}
