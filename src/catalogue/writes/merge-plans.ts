// Plans a merge of two records, and a rename: one record stays, all that refers to the other one
// refers to it afterwards, and the identifier of the other one leads to it
// (docs/reference/history.md, "Merge and rename").

import { type Message, message } from '../../message.js'
import { NotFoundError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import { ValidationError, readString, requiredMessage } from '../../model/record/input.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import type { Clock } from '../clock.js'
import { recordKey } from '../records/record-cache.js'
import {
  type PlanOptions,
  type PlannedWrites,
  type RequestBody,
  checkPrecondition,
} from './planned-writes.js'
import {
  type RecordState,
  type RecordWrite,
  StagedState,
  fieldsReferringTo,
  valuesOf,
} from './record-state.js'

/** What a merge is asked for, as a client sent it. */
export type MergeRequest = {
  /** The identifier of the record that stays. */
  readonly into: unknown
  /** New values of the record that stays. */
  readonly fields: RequestBody
}

type MergePlansDependencies = {
  readonly resources: Resources
  readonly plans: PlannedWrites
  /** The time of the next write, later than any before. */
  readonly now: Clock
}

export class MergePlans {
  readonly #resources: Resources
  readonly #plans: PlannedWrites
  readonly #now: Clock

  constructor({ resources, plans, now }: MergePlansDependencies) {
    this.#resources = resources
    this.#plans = plans
    this.#now = now
  }

  /**
   * Merges a record into another one of its resource. The precondition is about the one that goes.
   * @throws NotFoundError, PreconditionFailedError, ValidationError
   */
  async merge(
    state: RecordState,
    from: Reference,
    { into: sent, fields }: MergeRequest,
    { precondition, view }: PlanOptions = {},
  ): Promise<{ readonly into: Reference; readonly writes: readonly RecordWrite[] }> {
    const before = await this.#requireRecord(state, from)
    await checkPrecondition(state, from, precondition)
    const into = { target: from.target, id: await this.#parseInto(state, from, sent) }
    const staged = new StagedState(state, this.#resources)
    if (fields.size > 0)
      await staged.stage([await this.#plans.change(staged, into, fields, { view })])
    await staged.stage(await this.redirect(staged, from, before, into.id))
    return { into, writes: staged.writes() }
  }

  /**
   * Gives a record another identifier, as if it were merged into a new one with the same values.
   * @throws NotFoundError, PreconditionFailedError, ValidationError
   */
  async rename(
    state: RecordState,
    from: Reference,
    id: unknown,
    { precondition }: PlanOptions = {},
  ): Promise<{ readonly into: Reference; readonly writes: readonly RecordWrite[] }> {
    const before = await this.#requireRecord(state, from)
    await checkPrecondition(state, from, precondition)
    const created = await this.#planCopy(state, from, before, id)
    const staged = new StagedState(state, this.#resources)
    await staged.stage([created])
    await staged.stage(await this.redirect(staged, from, before, created.reference.id))
    return { into: created.reference, writes: staged.writes() }
  }

  /**
   * Removes a record whose identifier is to lead to another one. What refers to it refers to that
   * one afterwards, and so do the identifiers that led to it.
   */
  async redirect(
    state: RecordState,
    from: Reference,
    before: RecordValues,
    into: string,
  ): Promise<readonly RecordWrite[]> {
    const redirects = await state.redirectsTo([from])
    return [
      { reference: from, before, after: undefined, into },
      ...redirects
        .filter(({ reference }) => recordKey(reference) !== recordKey({ ...from, id: into }))
        .map(({ reference }) => ({
          reference,
          before: undefined,
          after: undefined,
          into,
          intoBefore: from.id,
        })),
      ...(await this.#rewriteReferences(state, from, into)),
    ]
  }

  /** Writes of all records that refer to one, which then refer to another one. */
  async #rewriteReferences(
    state: RecordState,
    from: Reference,
    into: string,
  ): Promise<readonly RecordWrite[]> {
    const fields = fieldsReferringTo(this.#resources, from.target)
    const referrers = await state.referrers(from, fields)
    const values = await state.values(referrers)
    const rewrite = (reference: Reference, before: RecordValues): RecordWrite => {
      const ownFields = fields.filter(({ resource }) => resource === reference.target)
      const replaced = ownFields.map(({ field }) => [
        field,
        replaceIn(before[field], from.id, into),
      ])
      const updated_at = this.#now(textValue(before, 'updated_at'))
      // Object.fromEntries would make the values `any`.
      const after: RecordValues = {
        ...before,
        ...(Object.fromEntries(replaced) as RecordValues),
        updated_at,
      }
      return { reference, before, after }
    }
    const writes: RecordWrite[] = []
    const maybeYield = createYielder()
    for (const reference of referrers) {
      const before = values.get(recordKey(reference))
      if (before) writes.push(rewrite(reference, before))
      await maybeYield()
    }
    return writes
  }

  async #requireRecord(state: RecordState, reference: Reference): Promise<RecordValues> {
    const values = await valuesOf(state, reference)
    if (!values) throw new NotFoundError()
    return values
  }

  /** @throws ValidationError with messages under `into` */
  async #parseInto(state: RecordState, from: Reference, sent: unknown): Promise<string> {
    if (sent === undefined) throw invalid('into', requiredMessage)
    const { value, messages } = readString(sent)
    if (messages.length > 0) throw invalid('into', ...messages)
    const id = value.trim().normalize('NFC')
    const reference = { target: from.target, id }
    const { noun } = this.#resources[from.target]
    if (id === from.id) throw invalid('into', message('A record cannot be merged into itself.'))
    const isMergedInto = await state.mergedInto(reference)
    if (isMergedInto !== undefined)
      throw invalid('into', `${noun} '${id}' was merged into '${isMergedInto}'.`)
    if (!(await state.has(reference))) throw invalid('into', `${noun} '${id}' does not exist`)
    return id
  }

  /** A record with the same values under another identifier. @throws ValidationError under `id` */
  async #planCopy(
    state: RecordState,
    from: Reference,
    before: RecordValues,
    id: unknown,
  ): Promise<RecordWrite> {
    if (id === undefined) throw invalid('id', requiredMessage)
    try {
      const reference = await this.#plans.checkNewId(state, from.target, before, id)
      const updated_at = this.#now(textValue(before, 'updated_at'))
      const after = { ...before, [this.#idNameOf(from.target)]: reference.id, updated_at }
      return { reference, before: undefined, after }
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      throw invalid('id', ...(error.fieldErrors.get(this.#idNameOf(from.target)) ?? []))
    }
  }

  #idNameOf(name: ResourceName): string {
    return this.#resources[name].id.name
  }
}

const invalid = (field: string, ...messages: readonly Message[]): ValidationError =>
  new ValidationError(new Map([[field, messages]]))

/**
 * A reference, or a list of references, with one in place of another; each is kept once, in its
 * order.
 */
function replaceIn(
  value: RecordValues[string] | undefined,
  from: string,
  into: string,
): RecordValues[string] {
  if (value === from) return into
  if (typeof value !== 'object') return value ?? null
  return value && [...new Set(value.map((id) => (id === from ? into : id)))]
}
