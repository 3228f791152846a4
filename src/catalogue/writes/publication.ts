// What the public gets to know of the writes of a commit: a record that becomes hidden is deleted
// for it, and one that is shown again is created. What cannot be without a hidden record is hidden
// with it, and what else names it does so without telling that
// (docs/reference/records.md, "Hidden records"). Where they are kept: records/hidden-records.ts.

import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import type { RecordValues } from '../../model/record/values.js'
import { type Reference, referencesOfField } from '../../model/record/views.js'
import { visibilityOf } from '../../model/record/visibility.js'
import { type Resources, mayNameDeleted } from '../../model/resources.js'
import {
  type HiddenRecords,
  hiddenEntry,
  withheldEntry,
  withhold,
} from '../records/hidden-records.js'
import type { Clock } from '../clock.js'
import { recordKey } from '../records/record-cache.js'
import { cascadesOf } from './cascade.js'
import { type RecordState, type RecordWrite, fieldsReferringTo } from './record-state.js'

/** A write, and what the public gets to know of it. */
export type PublishedWrite = {
  readonly write: RecordWrite
  /** The write as the public sees it; undefined where it sees no record before or after. */
  readonly shown: RecordWrite | undefined
  /** Whether a record that exists before and after is hidden by it, or shown again. */
  readonly turned?: 'hidden' | 'shown'
  /** It follows from another one, and changes no value. */
  readonly isDerived: boolean
}

type PublicationDependencies = {
  readonly resources: Resources
  readonly hiddenRecords: HiddenRecords
  readonly stored: RecordState
}

export class Publication {
  readonly #resources: Resources
  readonly #hidden: HiddenRecords
  readonly #stored: RecordState
  /** The writes by the keys of their records. */
  readonly #writes: ReadonlyMap<string, RecordWrite>
  /** Those that follow from them. */
  readonly #derived = new Map<string, RecordWrite>()
  /** Whether nothing is hidden, or becomes so. */
  readonly #isPlain: boolean

  private constructor(
    { resources, hiddenRecords, stored }: PublicationDependencies,
    writes: readonly RecordWrite[],
  ) {
    this.#resources = resources
    this.#hidden = hiddenRecords
    this.#stored = stored
    this.#writes = new Map(writes.map((write) => [recordKey(write.reference), write]))
    this.#isPlain =
      hiddenRecords.isEmpty() &&
      writes.every(({ after }) => !after || visibilityOf(after) === 'public')
  }

  /** Finds what follows from writes. The caller lets nobody else write what depends on them. */
  static async of(
    dependencies: PublicationDependencies,
    writes: readonly RecordWrite[],
  ): Promise<Publication> {
    const publication = new Publication(dependencies, writes)
    if (!publication.#isPlain) await publication.#derive()
    return publication
  }

  /** All writes, those that follow from others at the end. */
  writes(): readonly PublishedWrite[] {
    return [
      ...[...this.#writes.values()].map((write) => this.#publish(write, false)),
      ...[...this.#derived.values()]
        .map((write) => this.#publish(write, true))
        .filter(({ shown }) => shown),
    ]
  }

  /** What is kept of hidden records. */
  async entries(now: Clock): Promise<readonly KeyValueWrite[]> {
    if (this.#isPlain) return []
    const all = [...this.#writes.values(), ...this.#derived.values()]
    const since = now()
    const before = await this.#hidden.read(all.map(({ reference }) => reference))
    return all.flatMap((write) => [
      ...this.#hiddenEntries(write, before.get(recordKey(write.reference))?.since ?? since),
      ...this.#withheldEntries(write),
    ])
  }

  async #derive(): Promise<void> {
    const queue = [...this.#writes.values()]
    for (let write = queue.shift(); write; write = queue.shift())
      for (const follower of await this.#followersOf(write)) {
        const key = recordKey(follower.reference)
        if (this.#writes.has(key) || this.#derived.has(key)) continue
        this.#derived.set(key, follower)
        queue.push(follower)
      }
  }

  /** The writes of records that the public sees otherwise because of a write. */
  async #followersOf({ reference, before, after }: RecordWrite): Promise<readonly RecordWrite[]> {
    if (!after) return []
    if (this.#hidden.has(reference) === this.#isHidden(reference))
      return before ? [] : this.#unchanged(this.#hidden.referrersTo(reference))
    const { target } = reference
    const [dependents, naming, redirects] = await Promise.all([
      this.#stored.referrers(reference, cascadesOf(this.#resources, target)),
      this.#stored.referrers(reference, fieldsReferringTo(this.#resources, target)),
      this.#stored.redirectsTo([reference]),
    ])
    return [
      ...(await this.#unchanged([...dependents, ...naming])),
      ...redirects.map((redirect) => ({
        reference: redirect.reference,
        before: undefined,
        after: undefined,
        into: redirect.into,
        intoBefore: redirect.into,
      })),
    ]
  }

  /** Writes of records that keep their values. */
  async #unchanged(references: readonly Reference[]): Promise<readonly RecordWrite[]> {
    const values = await this.#stored.values(references)
    return references.flatMap((reference) => {
      const current = values.get(recordKey(reference))
      return current ? [{ reference, before: current, after: current }] : []
    })
  }

  /** Whether a record is hidden after the writes: by itself, or with one that it cannot be without. */
  readonly #isHidden = (reference: Reference): boolean => {
    const key = recordKey(reference)
    const write = this.#writes.get(key) ?? this.#derived.get(key)
    if (!write) return this.#hidden.has(reference)
    const { after } = write
    return (
      after !== undefined && (visibilityOf(after) !== 'public' || this.#isHiddenWith(write, after))
    )
  }

  #isHiddenWith({ reference }: RecordWrite, after: RecordValues): boolean {
    return this.#resources[reference.target].inputFields
      .filter(({ removedWith }) => removedWith)
      .some((field) => referencesOfField(field, after).some(this.#isHidden))
  }

  /** Whether nothing may be told of a record that others refer to. */
  readonly #isWithheld = (reference: Reference): boolean => {
    const isWritten = this.#writes.get(recordKey(reference))?.after !== undefined
    return this.#isHidden(reference) || (this.#hidden.isGone(reference) && !isWritten)
  }

  #publish(write: RecordWrite, isDerived: boolean): PublishedWrite {
    const { reference, before, after, intoBefore } = write
    if (this.#isPlain) return { write, shown: write, isDerived }
    const [wasHidden, isHidden] = [this.#hidden.has(reference), this.#isHidden(reference)]
    const shown = {
      reference,
      before: wasHidden ? undefined : before,
      after: isHidden ? undefined : after && this.#withoutHidden(reference, after),
      into: this.#isHiddenRedirect(write) ? undefined : write.into,
      intoBefore: this.#hidden.redirect(reference) ? undefined : intoBefore,
      ...(write.isForgotten && { isForgotten: true }),
    }
    const isSeen =
      [shown.before, shown.after, shown.into, shown.intoBefore].some(
        (state) => state !== undefined,
      ) ||
      // What keeps copies is told that there is something to drop, which it may have.
      (write.isForgotten === true && !this.#hidden.tellsNothingOf(reference))
    return {
      write,
      shown: isSeen ? shown : undefined,
      ...(before && after && wasHidden !== isHidden
        ? { turned: isHidden ? 'hidden' : 'shown' }
        : {}),
      isDerived,
    }
  }

  #withoutHidden({ target }: Reference, after: RecordValues): RecordValues {
    return withhold(this.#resources[target].inputFields, after, this.#isWithheld)
  }

  /** Whether the identifier was that of a hidden record, or leads to one. */
  #isHiddenRedirect(write: RecordWrite): boolean {
    const { reference, into } = write
    if (into === undefined) return false
    return this.#hidden.isHiddenItself(reference) || this.#isHidden({ ...reference, id: into })
  }

  #hiddenEntries(write: RecordWrite, since: string): readonly KeyValueWrite[] {
    const { reference, after } = write
    const into = write.isForgotten ? undefined : write.into
    const isHiddenItself = this.#hidden.isHiddenItself(reference)
      ? ({ isHiddenItself: true } as const)
      : {}
    if (after && this.#isHidden(reference))
      return [hiddenEntry(reference, { values: after, since })]
    if (into !== undefined && this.#isHiddenRedirect(write))
      return [hiddenEntry(reference, { into, ...isHiddenItself })]
    if (!this.#hidden.tellsNothingOf(reference)) return []
    const isRemoved = !after && into === undefined && !write.isForgotten
    return [hiddenEntry(reference, isRemoved ? { isGone: true, ...isHiddenItself } : undefined)]
  }

  #withheldEntries({ reference, after }: RecordWrite): readonly KeyValueWrite[] {
    const { inputFields } = this.#resources[reference.target]
    const values = after && !this.#isHidden(reference) ? after : {}
    const fields = inputFields
      .filter(mayNameDeleted)
      .filter((field) => referencesOfField(field, values).some(this.#isWithheld))
    if (fields.length > 0) {
      const keys = fields
        .flatMap((field) => referencesOfField(field, values))
        .filter(this.#isWithheld)
        .map(recordKey)
      const full = Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? []]))
      return [withheldEntry(reference, { values: full, keys })]
    }
    return this.#hidden.withheldBy(reference) ? [withheldEntry(reference, undefined)] : []
  }
}
