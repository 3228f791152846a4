// Takes changes back: undoes one change of a record or a whole commit, and restores earlier
// versions. Undoing keeps what was changed since, and is refused where that is not possible.

import { NotFoundError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import {
  reasonOf,
  visibilityNames,
  visibilityOf,
  withVisibility,
} from '../../model/record/visibility.js'
import { type Field, type Resources, unsetValue } from '../../model/resources.js'
import { UndoConflictError } from '../errors.js'
import type { RecordVersion } from '../history/record-history.js'
import { fieldsThatDiffer, isSameValue } from '../history/value-differences.js'
import { cascadesOf } from './cascade.js'
import type { MergePlans } from './merge-plans.js'
import type { PlannedWrites } from './planned-writes.js'
import { type RecordState, type RecordWrite, valuesOf } from './record-state.js'

/** A change of a record that is to be undone. */
export type ChangeToUndo = Pick<RecordVersion, 'before' | 'after' | 'redacted' | 'intoBefore'> & {
  readonly reference: Reference
}

export type RestoreOptions = {
  /** Whether private fields, and whether the record is public, are taken back too. */
  readonly withPrivate: boolean
}

type UndoDependencies = {
  readonly resources: Resources
  readonly plans: PlannedWrites
  readonly mergePlans: MergePlans
}

export class UndoPlans {
  readonly #resources: Resources
  readonly #plans: PlannedWrites
  readonly #mergePlans: MergePlans

  constructor({ resources, plans, mergePlans }: UndoDependencies) {
    this.#resources = resources
    this.#plans = plans
    this.#mergePlans = mergePlans
  }

  /**
   * Undoes a change. What was changed since stays as it is.
   * @returns nothing where the record is already as it was before the change
   * @throws UndoConflictError with the fields that the change wrote and somebody wrote again since
   */
  async undo(
    state: RecordState,
    change: ChangeToUndo,
    options: RestoreOptions,
  ): Promise<readonly RecordWrite[]> {
    const { reference, before, after, redacted } = change
    // The values before the change are not known any more.
    if (before && redacted.length > 0) throw new UndoConflictError(reference, redacted)
    const current = await valuesOf(state, reference)
    if (!before && !after) return current ? [] : this.#undoRedirect(state, change)
    if (!before) return after && current ? this.#undoCreation(state, change, after, current) : []
    if (!after) {
      if (current) return this.#requireSame(reference, before, current)
      return [await this.#plans.restore(state, reference, this.#complete(reference.target, before))]
    }
    if (!current) throw new UndoConflictError(reference, [])
    const values = this.#mergeBack(reference, { before, after, current }, options)
    return values ? [await this.#plans.restore(state, reference, values)] : []
  }

  /**
   * Gives a record the values of an earlier version.
   * @param options with the last values before its deletion, of a record that does not exist
   * @throws ValidationError for what cannot be any more
   */
  async restore(
    state: RecordState,
    reference: Reference,
    { after, redacted }: Pick<RecordVersion, 'after' | 'redacted'>,
    { last, ...options }: RestoreOptions & { readonly last: RecordValues | undefined },
  ): Promise<RecordWrite> {
    // The version that a deletion made has no values.
    if (!after) throw new NotFoundError()
    const current = (await valuesOf(state, reference)) ?? last
    if (!current) throw new NotFoundError()
    const keptFields = this.#resources[reference.target].fields.filter(
      (field) =>
        !isRestored(field, options) || field.onRecordNode === true || redacted.includes(field.name),
    )
    // An earlier version publishes no record that is hidden, and hides none.
    const names = [...keptFields.map(({ name }) => name), ...visibilityNames]
    const values = Object.fromEntries(names.map((name) => [name, current[name] ?? null]))
    return this.#plans.restore(
      state,
      reference,
      this.#complete(reference.target, { ...after, ...values }),
    )
  }

  /** The record is removed, or merged again into the one that it had been merged into before. */
  async #undoCreation(
    state: RecordState,
    { reference, intoBefore }: ChangeToUndo,
    after: RecordValues,
    current: RecordValues,
  ): Promise<readonly RecordWrite[]> {
    const changed = this.#namesThatDiffer(reference.target, after, current)
    if (intoBefore !== undefined && changed.length === 0) {
      await this.#requireTarget(state, reference, intoBefore)
      return this.#mergePlans.redirect(state, reference, current, intoBefore)
    }
    const dependents = [
      ...(await state.referrers(reference, cascadesOf(this.#resources, reference.target))),
      ...(await state.redirectsTo([reference])).map((redirect) => redirect.reference),
    ]
    if (changed.length > 0 || dependents.length > 0)
      throw new UndoConflictError(reference, changed, dependents)
    return this.#plans.remove(state, reference)
  }

  /** The identifier leads again to where it led before, or nowhere. */
  async #undoRedirect(
    state: RecordState,
    { reference, intoBefore }: ChangeToUndo,
  ): Promise<readonly RecordWrite[]> {
    const now = await state.mergedInto(reference)
    if (now === intoBefore) return []
    if (intoBefore !== undefined) await this.#requireTarget(state, reference, intoBefore)
    const [before, after] = [undefined, undefined]
    return [{ reference, before, after, into: intoBefore, intoBefore: now }]
  }

  /** @throws UndoConflictError unless an identifier can lead to this one */
  async #requireTarget(state: RecordState, reference: Reference, into: string): Promise<void> {
    const target = { ...reference, id: into }
    if (!(await state.has(target))) throw new UndoConflictError(target, [])
  }

  /**
   * Nothing has to be written.
   * @throws UndoConflictError unless a record that exists again is as it was
   */
  #requireSame(
    reference: Reference,
    before: RecordValues,
    current: RecordValues,
  ): readonly RecordWrite[] {
    const changed = this.#namesThatDiffer(reference.target, before, current)
    if (changed.length > 0) throw new UndoConflictError(reference, changed)
    return []
  }

  /** The current values without what the change wrote; undefined where nothing of it is left. */
  #mergeBack(
    reference: Reference,
    { before, after, current }: Record<'before' | 'after' | 'current', RecordValues>,
    options: RestoreOptions,
  ): RecordValues | undefined {
    const written = fieldsThatDiffer(this.#resources[reference.target], before, after).filter(
      (field) => isRestored(field, options),
    )
    const names = [
      ...written.map(({ name }) => name),
      ...visibilityNames.filter((name) => !isSameValue(before[name], after[name])),
    ]
    const left = names.filter((name) => !isSameValue(current[name], before[name]))
    const conflicts = left.filter((name) => !isSameValue(current[name], after[name]))
    if (conflicts.length > 0) throw new UndoConflictError(reference, conflicts)
    if (left.length === 0) return undefined
    const values = Object.fromEntries(left.map((name) => [name, before[name] ?? null]))
    return this.#complete(reference.target, { ...current, ...values })
  }

  #namesThatDiffer(name: ResourceName, values: RecordValues, other: RecordValues): string[] {
    return fieldsThatDiffer(this.#resources[name], values, other).map((field) => field.name)
  }

  /** The values with every field of the resource, unset ones too. */
  #complete(name: ResourceName, values: RecordValues): RecordValues {
    const ofFields = this.#resources[name].fields.map((field) => [
      field.name,
      values[field.name] ?? unsetValue(field),
    ])
    // The cast: Object.fromEntries makes the values `any`.
    const complete = Object.fromEntries(ofFields) as RecordValues
    return withVisibility(complete, visibilityOf(values), reasonOf(values))
  }
}

/** Restoring an earlier version publishes nothing that is private, unless that is asked for. */
const isRestored = (field: Field, { withPrivate }: RestoreOptions): boolean =>
  withPrivate || (!field.private && field.name !== 'public')
