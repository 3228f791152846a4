// Forgets identifiers for good: one that leads to another record, or that of a deleted record with
// all its history. Nothing leads from it anywhere, and no record may have it again
// (docs/reference/history.md, "Forgetting an identifier").

import { randomUUID } from 'node:crypto'

import { message } from '../../message.js'
import { ConflictError, NotFoundError } from '../../errors.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import type { FieldValue, RecordValues } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import {
  type ChangeLog,
  type LoggedChange,
  entryOf,
  forgettingEntries,
} from '../../store/key-value/change-log.js'
import type { ForgottenIdentifiers } from '../../store/key-value/forgotten-identifiers.js'
import {
  type UnfinishedForgetting,
  type UnfinishedRedaction,
  isForgetting,
  unfinishedRedactionEntry,
} from '../../store/key-value/unfinished-redactions.js'
import type { FormerSeries } from '../former-series.js'
import type { HiddenRecords } from '../records/hidden-records.js'
import { recordKey, referenceOf } from '../records/record-cache.js'
import type { ChangeSource, CommitWrites } from './committer.js'
import type { RunExclusively } from './exclusive-work.js'
import { findFormerIdentifiers } from './former-identifiers.js'
import type { ForgottenIdentifier } from './redaction.js'
import type { RedactionCompletion } from './redaction-completion.js'
import { type RecordState, type RecordWrite, fieldsReferringTo, valuesOf } from './record-state.js'
import { rewriteHistory } from './rewritten-history.js'

type ForgettingsDependencies = {
  readonly changeLog: ChangeLog
  readonly resources: Resources
  readonly forgottenIdentifiers: ForgottenIdentifiers
  readonly hiddenRecords: Pick<HiddenRecords, 'tellsNothingOf'>
  readonly formerSeries: Pick<FormerSeries, 'entriesWithout'>
  readonly runExclusively: RunExclusively
  readonly completion: RedactionCompletion
  readonly commit: CommitWrites
}

/** What is written so that identifiers are forgotten. */
export type PlannedForgetting = {
  readonly writes: readonly RecordWrite[]
  readonly entries: readonly KeyValueWrite[]
  /** What is left to do after the commit. */
  readonly unfinished: UnfinishedForgetting
}

/** An identifier with the changes that are forgotten with it. */
type IdentifierHistory = ForgottenIdentifier & {
  readonly changes: readonly LoggedChange[]
  /** Whether a later record has it: then its earlier changes are forgotten, and nothing else. */
  readonly isUsedAgain?: boolean
}

export class Forgettings {
  readonly #changeLog: ChangeLog
  readonly #resources: Resources
  readonly #forgottenIdentifiers: ForgottenIdentifiers
  readonly #hidden: Pick<HiddenRecords, 'tellsNothingOf'>
  readonly #formerSeries: Pick<FormerSeries, 'entriesWithout'>
  readonly #runExclusively: RunExclusively
  readonly #completion: RedactionCompletion
  readonly #commit: CommitWrites

  constructor(dependencies: ForgettingsDependencies) {
    this.#changeLog = dependencies.changeLog
    this.#resources = dependencies.resources
    this.#forgottenIdentifiers = dependencies.forgottenIdentifiers
    this.#hidden = dependencies.hiddenRecords
    this.#formerSeries = dependencies.formerSeries
    this.#runExclusively = dependencies.runExclusively
    this.#completion = dependencies.completion
    this.#commit = dependencies.commit
  }

  /**
   * Forgets an identifier that leads to another record; or that of a deleted record, with the record
   * and the identifiers that it had before. When this resolves, no file of the data directory has
   * it, but where a record says it in a text. When it fails after it began, it is gone on with when
   * it is asked for again, and at the next start. An identifier that is forgotten stays so.
   * @throws NotFoundError when no record ever had it
   * @throws ConflictError when a record has it, or records still name the deleted one
   * @throws Error, and the errors of `Store.commit` and of what is called
   */
  async forget(reference: Reference, source: ChangeSource): Promise<void> {
    await this.#completion.completeThose((unfinished) => mayBeOf(unfinished, reference))
    const unfinished = await this.#runExclusively((state) => this.#begin(state, reference, source))
    if (unfinished) await this.#completion.complete(unfinished)
  }

  /**
   * Plans that the identifier that goes is forgotten by the commit that merges or renames its record.
   * @param writes those of the merge
   */
  async planWithMerge(
    state: RecordState,
    forgotten: ForgottenIdentifier,
    writes: readonly RecordWrite[],
  ): Promise<PlannedForgetting> {
    const { reference } = forgotten
    const changes = await this.#changeLog.ofRecord(recordKey(reference))
    const names = this.#namesOf([forgotten])
    const planned = await this.#plan(state, [{ ...forgotten, changes }])
    return {
      ...planned,
      writes: writes.map((write) =>
        recordKey(write.reference) === recordKey(reference)
          ? { ...write, isForgotten: true }
          : names.withoutInWrite(write),
      ),
    }
  }

  /** @returns undefined when nothing is left to forget */
  async #begin(
    state: RecordState,
    reference: Reference,
    source: ChangeSource,
  ): Promise<UnfinishedRedaction | undefined> {
    if (await state.has(reference)) throw recordExists()
    const histories = await this.#historiesToForget(state, reference)
    if (!histories) {
      if (await this.#forgottenIdentifiers.has(recordKey(reference))) return undefined
      throw new NotFoundError()
    }
    const planned = await this.#plan(state, histories)
    await this.#commit(planned.writes, source, planned.entries)
    return planned.unfinished
  }

  /** Undefined when no record ever had the identifier, or it was forgotten. */
  async #historiesToForget(
    state: RecordState,
    reference: Reference,
  ): Promise<readonly IdentifierHistory[] | undefined> {
    const changes = await this.#changeLog.ofRecord(recordKey(reference))
    const into = await state.mergedInto(reference)
    if (into !== undefined) return [{ reference, into, changes }]
    if (changes.length === 0) return undefined
    await this.#requireUnnamed(state, reference)
    const former = await findFormerIdentifiers(this.#changeLog, state, reference)
    const histories: IdentifierHistory[] = [{ reference, changes }]
    for (const [key, formerChanges] of former) {
      const formerReference = referenceOf(key)
      const isUsedAgain =
        (await state.has(formerReference)) ||
        (await state.mergedInto(formerReference)) !== undefined
      histories.push({ reference: formerReference, changes: formerChanges, isUsedAgain })
    }
    return histories
  }

  /** @throws ConflictError when records name a record that was deleted */
  async #requireUnnamed(state: RecordState, reference: Reference): Promise<void> {
    const fields = fieldsReferringTo(this.#resources, reference.target)
    const referrers = await state.referrers(reference, fields)
    if (referrers.length > 0) throw stillNamed(referrers)
  }

  async #plan(
    state: RecordState,
    histories: readonly IdentifierHistory[],
  ): Promise<PlannedForgetting> {
    const unused = histories.filter(({ isUsedAgain }) => !isUsedAgain)
    const unfinished = {
      id: randomUUID(),
      forgotten: unused.map(({ reference, into }) => ({
        record: recordKey(reference),
        ...(into === undefined ? {} : { into }),
      })),
    }
    const forgottenChanges = histories.flatMap(({ changes }) => changes)
    return {
      writes: unused.map(({ reference, into }) => ({
        reference,
        before: undefined,
        after: undefined,
        intoBefore: into,
        isForgotten: true,
      })),
      entries: [
        ...forgettingEntries(forgottenChanges),
        ...unused.map(({ reference }) =>
          this.#forgottenIdentifiers.entryOf(
            recordKey(reference),
            !this.#hidden.tellsNothingOf(reference),
          ),
        ),
        ...(await this.#historiesWithout(state, unused, forgottenChanges)),
        ...(await this.#formerSeries.entriesWithout(unused)),
        unfinishedRedactionEntry(unfinished),
      ],
      unfinished,
    }
  }

  /** The changes of other records that name the identifiers, made anew without them. */
  async #historiesWithout(
    state: RecordState,
    forgotten: readonly ForgottenIdentifier[],
    forgottenChanges: readonly LoggedChange[],
  ): Promise<readonly KeyValueWrite[]> {
    const names = this.#namesOf(forgotten)
    const sequences = new Set(forgottenChanges.map(({ sequence }) => sequence))
    const keys = new Set<string>()
    const maybeYield = createYielder()
    for await (const change of this.#changeLog.read(0)) {
      if (!sequences.has(change.sequence) && names.areIn(change)) keys.add(change.record)
      await maybeYield()
    }
    const entries: KeyValueWrite[] = []
    for (const key of keys) {
      const reference = referenceOf(key)
      const all = await this.#changeLog.ofRecord(key)
      const changes = all.filter(({ sequence }) => !sequences.has(sequence))
      const current = await valuesOf(state, reference)
      const rewritten = rewriteHistory({ changes, current }, names.cleaning(reference.target))
      const anew = new Map(rewritten.changes.map((change) => [change.sequence, change]))
      for (const change of changes) {
        const clean = names.withoutTargets(anew.get(change.sequence) ?? change)
        if (clean !== change) entries.push(entryOf(clean))
      }
      await maybeYield()
    }
    return entries
  }

  #namesOf(forgotten: readonly ForgottenIdentifier[]): ForgottenNames {
    return new ForgottenNames(this.#resources, forgotten)
  }
}

/** Finds forgotten identifiers in values and changes of other records, and removes them there. */
class ForgottenNames {
  /** The fields that may name them, by the resource that has the fields. */
  readonly #fields: ReadonlyMap<ResourceName, ReadonlyMap<string, ResourceName>>
  /** What stands in place of each, by its key; undefined for nothing. */
  readonly #places: ReadonlyMap<string, string | undefined>

  constructor(resources: Resources, forgotten: readonly ForgottenIdentifier[]) {
    this.#places = new Map(forgotten.map(({ reference, into }) => [recordKey(reference), into]))
    const targets = new Set(forgotten.map(({ reference }) => reference.target))
    this.#fields = new Map(
      resourceNames.map((name) => [
        name,
        new Map(
          resources[name].inputFields.flatMap(({ name: field, target }) =>
            target && targets.has(target) ? [[field, target] as const] : [],
          ),
        ),
      ]),
    )
  }

  /** Whether a change names one of them. Of a long identifier a change may have a part only. */
  areIn({ record, into, intoBefore, before = {} }: LoggedChange): boolean {
    const { target } = referenceOf(record)
    if ([into, intoBefore].some((id) => id !== undefined && this.#isForgotten(target, id)))
      return true
    return [...(this.#fields.get(target) ?? [])].some(([field, of]) =>
      this.#mayBeIn(before[field], of),
    )
  }

  /** How the values of a resource lose them. */
  cleaning(name: ResourceName) {
    const isDropped = [...this.#places.values()].includes(undefined)
    const fields = this.#fields.get(name) ?? new Map<string, ResourceName>()
    return {
      clean: (values: RecordValues) => this.#withoutInValues(fields, values),
      // Where another identifier stands in its place, the change can be undone as before.
      fields: isDropped ? [...fields.keys()] : [],
    }
  }

  /** The change, which leads nowhere any more or to the record that stays. */
  withoutTargets(change: LoggedChange): LoggedChange {
    const { target } = referenceOf(change.record)
    const { into, intoBefore, ...rest } = change
    const [after, before] = [this.#replace(target, into), this.#replace(target, intoBefore)]
    if (after === into && before === intoBefore) return change
    return {
      ...rest,
      ...(after === undefined ? {} : { into: after }),
      ...(before === undefined ? {} : { intoBefore: before }),
    }
  }

  /** The write, of which the log says nothing of them. */
  withoutInWrite(write: RecordWrite): RecordWrite {
    const { reference, before, intoBefore } = write
    return {
      ...write,
      before: before && this.cleaning(reference.target).clean(before),
      intoBefore: this.#replace(reference.target, intoBefore),
    }
  }

  #isForgotten(target: ResourceName, id: string): boolean {
    return this.#places.has(recordKey({ target, id }))
  }

  #mayBeIn(value: unknown, target: ResourceName): boolean {
    if (typeof value === 'string') return this.#isForgotten(target, value)
    if (Array.isArray(value)) return value.some((id) => this.#isForgotten(target, String(id)))
    return typeof value === 'object' && value !== null
  }

  #withoutInValues(fields: ReadonlyMap<string, ResourceName>, values: RecordValues): RecordValues {
    const changed = [...fields].flatMap(([field, target]) => {
      const had = values[field]
      const left = had === undefined ? had : this.#withoutInValue(had, target)
      return left === undefined || left === had ? [] : [[field, left] as const]
    })
    return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) }
  }

  #withoutInValue(value: FieldValue, target: ResourceName): FieldValue {
    if (typeof value === 'string') return this.#replace(target, value) ?? ''
    if (typeof value !== 'object' || !value?.some((id) => this.#isForgotten(target, id)))
      return value
    return [...new Set(value.flatMap((id) => this.#replace(target, id) ?? []))]
  }

  #replace(target: ResourceName, id: string | undefined): string | undefined {
    if (id === undefined || !this.#isForgotten(target, id)) return id
    return this.#places.get(recordKey({ target, id }))
  }
}

/** Whether what was begun may be the forgetting of an identifier, which may not be known any more. */
const mayBeOf = (unfinished: UnfinishedRedaction, reference: Reference): boolean =>
  isForgetting(unfinished) &&
  (unfinished.forgotten.length === 0 ||
    unfinished.forgotten.some(({ record }) => record === recordKey(reference)))

const recordExists = (): ConflictError =>
  new ConflictError(
    message('A record has this identifier. Rename it with `forget`, or delete it first.'),
  )

const stillNamed = (referrers: readonly Reference[]): ConflictError =>
  new ConflictError('Records still name the deleted record. Change them first.', {
    records: referrers.map(({ target, id }) => ({ kind: target, id })),
  })
