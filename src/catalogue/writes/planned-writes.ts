// Makes of a request to create, replace, change or remove a record what is to be written, after all
// checks. It writes nothing: record-writes.ts and batches.ts commit what is planned here.

import { type Message, FilledMessage, message } from '../../message.js'
import { NotFoundError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import {
  type ParsedInput,
  ValidationError,
  parseFull,
  parsePartial,
} from '../../model/record/input.js'
import { type FieldValue, type RecordValues, textValue } from '../../model/record/values.js'
import { readVisibility } from '../../model/record/visibility.js'
import {
  type Reference,
  type ViewName,
  referencesOfField,
  valuesIn,
} from '../../model/record/views.js'
import { type Resource, type Resources, mayNameDeleted } from '../../model/resources.js'
import { encodeSegment } from '../../rdf/terms.js'
import type { ForgottenIdentifiers } from '../../store/key-value/forgotten-identifiers.js'
import type { Store } from '../../store/store.js'
import type { Clock } from '../clock.js'
import { PreconditionFailedError } from '../errors.js'
import type { HiddenRecords } from '../records/hidden-records.js'
import { recordKey } from '../records/record-cache.js'
import { cascadesOf } from './cascade.js'
import { preservePrivateValues } from './privacy.js'
import { type RecordState, type RecordWrite, valuesOf } from './record-state.js'
import type { ValidateRecord } from './validation.js'
import { restoreWithheld } from './withheld-references.js'

/**
 * Whether a write may go on, by a version that the record has now: it is asked for each of them.
 */
export type Precondition = (version: string) => boolean

export type RequestBody = ReadonlyMap<string, unknown>

/** A body that depends on the values that the record has now, with its private ones. */
export type MakeBody = (before: RecordValues) => RequestBody

export type PlanOptions = {
  /**
   * The view that the client sees; with `private`, fields that were not sent are cleared by PUT.
   */
  readonly view?: ViewName | undefined
  readonly precondition?: Precondition | undefined
  /** The kinds of which the writer may name hidden records; all unless given. */
  readonly mayName?: ((kind: ResourceName) => boolean) | undefined
  /**
   * Agents that the record may refer to although they do not exist, as after their deletion,
   * besides those that it refers to already. Only `load` and restored versions set this; requests
   * never do.
   */
  readonly deletedAgents?: ReadonlySet<string> | undefined
  /** The record of another catalogue that a new record is made from: an address. */
  readonly derivedFrom?: string | undefined
}

/** Adds those of these terms that were taken away with the records that had them. */
export type BringBackTerms = (vocabulary: string, codes: readonly string[]) => Promise<void>

type PlannedWritesDependencies = {
  readonly store: Pick<Store, 'maxIdentifierBytes'>
  readonly resources: Resources
  readonly hiddenRecords: HiddenRecords
  readonly validate: ValidateRecord
  readonly forgottenIdentifiers: Pick<ForgottenIdentifiers, 'has'>
  readonly bringBackTerms?: BringBackTerms
  /** The time of the next write, later than any before. */
  readonly now: Clock
}

/** What a write makes of a record; only the fields in `parsed` are validated. */
type NewValues = {
  readonly values: RecordValues
  readonly parsed: ParsedInput
  readonly sent: RequestBody
}

export class PlannedWrites {
  readonly #store: Pick<Store, 'maxIdentifierBytes'>
  readonly #resources: Resources
  readonly #hidden: HiddenRecords
  readonly #validate: ValidateRecord
  readonly #forgottenIdentifiers: Pick<ForgottenIdentifiers, 'has'>
  readonly #bringBackTerms: BringBackTerms
  readonly #now: Clock

  constructor({
    store,
    resources,
    hiddenRecords,
    validate,
    forgottenIdentifiers,
    bringBackTerms = () => Promise.resolve(),
    now,
  }: PlannedWritesDependencies) {
    this.#store = store
    this.#resources = resources
    this.#hidden = hiddenRecords
    this.#validate = validate
    this.#forgottenIdentifiers = forgottenIdentifiers
    this.#bringBackTerms = bringBackTerms
    this.#now = now
  }

  /** A new record, and the check that it can be created, which throws a ValidationError. */
  parseNew(name: ResourceName, body: RequestBody) {
    const resource = this.#resources[name]
    const parsed = parseFull(resource, body)
    const { values, errors } = readVisibility({}, parsed.values, body)
    const idName = resource.id.name
    const reference: Reference = { target: name, id: textValue(values, idName) }

    const check = async (
      state: RecordState,
      { deletedAgents, mayName }: PlanOptions = {},
    ): Promise<void> => {
      const knownErrors = new Map(errors)
      const refusal = await this.#refusalOf(state, reference)
      if (refusal) knownErrors.set(idName, refusal)
      await this.#validate({ resource, values, parsed, knownErrors, deletedAgents, mayName, state })
      this.#checkIdLength(idName, reference.id)
    }

    /** @throws ValidationError with the messages of every field that fails */
    const plan = async (state: RecordState, options: PlanOptions = {}): Promise<RecordWrite> => {
      await check(state, options)
      const time = this.#now()
      const { derivedFrom } = options
      const origin = derivedFrom === undefined ? {} : { derived_from: derivedFrom }
      const after = { ...values, ...origin, created_at: time, updated_at: time }
      return { reference, before: undefined, after }
    }

    return { reference, check, plan }
  }

  /**
   * The reference to a record with these values and another identifier.
   * @throws ValidationError unless a record with the identifier could be created
   */
  async checkNewId(
    state: RecordState,
    name: ResourceName,
    values: RecordValues,
    id: unknown,
  ): Promise<Reference> {
    const resource = this.#resources[name]
    const idName = resource.id.name
    const parsed = parsePartial(resource, new Map([[idName, id]]))
    const reference = { target: name, id: textValue(parsed.values, idName) }
    const knownErrors = new Map<string, Message>()
    const refusal = parsed.errors.has(idName) ? undefined : await this.#refusalOf(state, reference)
    if (refusal) knownErrors.set(idName, refusal)
    await this.#validate({
      resource,
      values: { ...values, ...parsed.values },
      parsed,
      knownErrors,
      state,
    })
    this.#checkIdLength(idName, reference.id)
    return reference
  }

  /**
   * PUT: fields that were not sent are cleared.
   * @throws NotFoundError, PreconditionFailedError, ValidationError
   */
  replace(
    state: RecordState,
    reference: Reference,
    body: RequestBody | MakeBody,
    options: PlanOptions = {},
  ): Promise<RecordWrite> {
    const resource = this.#resources[reference.target]
    return this.#rewrite(state, reference, options, (before, restore) => {
      const sent = restore(typeof body === 'function' ? body(before) : body)
      const parsed = parseFull(resource, sent)
      if (options.view === 'private') return { values: parsed.values, parsed, sent }
      const values = preservePrivateValues(resource, before, parsed.values, sent)
      return { values, parsed: { ...parsed, values }, sent }
    })
  }

  /**
   * PATCH: fields that were not sent stay, and are not validated again.
   * @throws NotFoundError, PreconditionFailedError, ValidationError
   */
  change(
    state: RecordState,
    reference: Reference,
    body: RequestBody,
    options: PlanOptions = {},
  ): Promise<RecordWrite> {
    return this.#rewrite(state, reference, options, (before, restore) => {
      const sent = restore(body)
      const parsed = parsePartial(this.#resources[reference.target], sent)
      return { values: { ...before, ...parsed.values }, parsed, sent }
    })
  }

  /**
   * DELETE: the record, those that cannot be without it (docs/reference/records.md, "Delete
   * effects"), and the identifiers that lead to them.
   * @throws NotFoundError, PreconditionFailedError
   */
  async remove(
    state: RecordState,
    reference: Reference,
    { precondition }: PlanOptions = {},
  ): Promise<readonly RecordWrite[]> {
    if (!(await state.has(reference))) throw new NotFoundError()
    await checkPrecondition(state, reference, precondition)
    const removed = [
      reference,
      ...(await state.referrers(reference, cascadesOf(this.#resources, reference.target))),
    ]
    const values = await state.values(removed)
    const redirects = await state.redirectsTo(removed)
    return [
      ...removed.map((reference) => ({
        reference,
        before: values.get(recordKey(reference)),
        after: undefined,
      })),
      ...redirects.map(({ reference, into }) => ({
        reference,
        before: undefined,
        after: undefined,
        intoBefore: into,
      })),
    ]
  }

  /**
   * Gives a record the values of an earlier version; a record that does not exist is created with
   * them. Where it refers to a record that was merged since, it refers to the one that stayed.
   * Terms that went with it come back.
   * @param version without unknown fields; `created_at` stays what it was
   * @throws ValidationError for what cannot be any more, such as a holding of a deleted zine
   */
  async restore(
    state: RecordState,
    reference: Reference,
    version: RecordValues,
  ): Promise<RecordWrite> {
    const resource = this.#resources[reference.target]
    const before = await valuesOf(state, reference)
    const intoBefore = before ? undefined : await state.mergedInto(reference)
    const values = await followMerges(state, resource, version)
    const parsed = parseFull(resource, new Map(Object.entries(values)))
    const deletedAgents = new Set(
      resource.inputFields
        .filter(mayNameDeleted)
        .flatMap(({ name }) => values[name] ?? []) as string[],
    )
    for (const field of resource.inputFields) {
      const { vocabulary } = field
      const missingCodes =
        vocabulary && valuesIn(field, values).filter((code) => !vocabulary.find(code))
      if (missingCodes && missingCodes.length > 0)
        await this.#bringBackTerms(vocabulary.name, missingCodes)
    }
    await this.#validate({ resource, values, parsed, knownErrors: new Map(), deletedAgents, state })
    const updated_at = this.#now(textValue(before ?? values, 'updated_at'))
    const created_at = textValue(before ?? values, 'created_at') || updated_at
    return { reference, before, after: { ...values, created_at, updated_at }, intoBefore }
  }

  /** Why no new record can have an identifier. */
  async #refusalOf(state: RecordState, reference: Reference): Promise<Message | undefined> {
    if (await isTaken(state, reference)) return takenMessage(this.#resources[reference.target])
    return (await this.#forgottenIdentifiers.has(recordKey(reference)))
      ? message('This identifier was deleted permanently. No record can have it again.')
      : undefined
  }

  /** @throws ValidationError for an identifier that its shape allows and the store would cut off */
  #checkIdLength(field: string, id: string): void {
    const { maxIdentifierBytes = Infinity } = this.#store
    if (encodeSegment(id).length <= maxIdentifierBytes) return
    const tooLong = `Ensure this field has no more than ${maxIdentifierBytes} bytes when it is percent-encoded.`
    throw new ValidationError(new Map([[field, [tooLong]]]))
  }

  async #rewrite(
    state: RecordState,
    reference: Reference,
    { precondition, mayName = () => true, deletedAgents = noAgents }: PlanOptions,
    makeValues: (before: RecordValues, restore: (sent: RequestBody) => RequestBody) => NewValues,
  ): Promise<RecordWrite> {
    const resource = this.#resources[reference.target]
    const before = await valuesOf(state, reference)
    if (!before) throw new NotFoundError()
    await checkPrecondition(state, reference, precondition)
    let guessed = noAgents
    const {
      parsed,
      sent,
      values: newValues,
    } = makeValues(before, (body) => {
      const restored = restoreWithheld(
        { resource, before, isWithheld: this.#isWithheld, mayName },
        body,
      )
      guessed = restored.guessed
      return restored.body
    })
    const { values, errors } = readVisibility(before, newValues, sent)
    const idName = resource.id.name
    const knownErrors = new Map(errors)
    if (textValue(values, idName) !== reference.id && !parsed.errors.has(idName))
      knownErrors.set(idName, message('This field may not be changed.'))
    const keptIds = keptAgents(resource, before, values)
    const mayBeDeleted = new Set([...deletedAgents, ...keptIds].filter((id) => !guessed.has(id)))
    await this.#validate({
      resource,
      values,
      parsed,
      knownErrors,
      deletedAgents: mayBeDeleted,
      mayName,
      state,
    })
    const updated_at = this.#now(textValue(before, 'updated_at'))
    return {
      reference,
      before,
      after: { ...values, ...ofRecordNode(resource, before), updated_at },
    }
  }

  /** Whether readers are not told of a record. */
  readonly #isWithheld = (reference: Reference): boolean =>
    this.#hidden.has(reference) || this.#hidden.isGone(reference)
}

/** What a record says of itself, which no request changes: when it was made, and from what. */
const ofRecordNode = ({ fields }: Resource, before: RecordValues): RecordValues =>
  Object.fromEntries(
    fields
      .filter(({ onRecordNode, name }) => onRecordNode && before[name] !== undefined)
      .map(({ name }) => [name, before[name] ?? null]),
  )

/** Whether an identifier is that of a record, or leads to one. */
const isTaken = async (state: RecordState, reference: Reference): Promise<boolean> =>
  (await state.has(reference)) || (await state.mergedInto(reference)) !== undefined

const takenMessage = ({ noun, id }: Resource): Message =>
  new FilledMessage('{noun} with this {name} already exists.', { noun, name: id.name })

const noAgents: ReadonlySet<string> = new Set()

/**
 * The agents that no field of a record names that did not name them before, so that they may have
 * been deleted.
 */
function keptAgents(
  resource: Resource,
  before: RecordValues,
  after: RecordValues,
): ReadonlySet<string> {
  const keptIds = new Set<string>()
  const named = new Set<string>()
  for (const field of resource.inputFields.filter(mayNameDeleted)) {
    const present = new Set(valuesIn(field, before))
    for (const id of valuesIn(field, after)) (present.has(id) ? keptIds : named).add(id)
  }
  return new Set([...keptIds].filter((id) => !named.has(id)))
}

/** The values with references to the records that stayed in place of those that were merged. */
async function followMerges(
  state: RecordState,
  resource: Resource,
  values: RecordValues,
): Promise<RecordValues> {
  const followed: Record<string, FieldValue> = { ...values }
  for (const field of resource.inputFields) {
    const references = referencesOfField(field, values)
    const ids = await Promise.all(
      references.map(async (reference) => (await state.mergedInto(reference)) ?? reference.id),
    )
    const isSame = references.every(({ id }, index) => id === ids[index])
    if (!isSame) followed[field.name] = field.repeatable ? [...new Set(ids)] : (ids[0] ?? '')
  }
  return followed
}

/** @throws PreconditionFailedError when no version of the record meets the precondition */
export async function checkPrecondition(
  state: RecordState,
  reference: Reference,
  precondition: Precondition | undefined,
): Promise<void> {
  if (precondition && !(await state.versions(reference)).some(precondition))
    throw new PreconditionFailedError()
}
