// The forms for creating, changing and deleting records. Input is never lost: every error is shown
// on the form with its input. How the forms look is left to features/records/record-form-page.tsx.

import { createHash } from 'node:crypto'

import { type VNode, isValidElement } from 'preact'

import { isMessage, type Message, message } from '../../message.js'
import type { RememberedValues } from '../../accounts/remembered-values.js'
import { mayWrite } from '../../accounts/rights.js'
import type { Account } from '../../accounts/accounts.js'
import { cascadesOf } from '../../catalogue/writes/cascade.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { PreconditionFailedError } from '../../catalogue/errors.js'
import { fieldsThatDiffer } from '../../catalogue/history/value-differences.js'
import { ChangeAuthor, type LastChange, lastChangeOf } from './last-change.js'
import type { FoundRecord } from '../../catalogue/record-reads.js'
import { bodyOf, createRecord } from './create-record.js'
import {
  type EditConflict,
  RecordFormPage,
  type RecordFormProps,
  RemoveRecordPage,
  type FormInput,
  takenName,
} from './record-form-page.js'
import { editingLinks, editingRoutes, listPath, recordPath } from '../../views/links.js'
import type { Notice } from '../../views/form-layout.js'
import { recordHeading } from '../../views/components/record-summary.js'
import { textsIn } from '../../views/components/field-value.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { Reference, ResolvedRecord } from '../../model/record/views.js'
import { ValidationError } from '../../model/record/input.js'
import { firstPageQuery, recordIdParam } from '../../http/request/list-query.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type LookUpDependencies, takeOver, takenIn } from '../copy-cataloguing/look-up.js'
import { resolveTypedValues } from '../../http/request/typed-values.js'
import { isNameTyped, maxUnnamed, typedNameIn } from './typed-name.js'
import {
  type ChosenVisibility,
  countHiddenWith,
  readChosenVisibility,
  visibilityBody,
  visibilityIn,
} from './visibility.js'
import { type Referred, referToNew } from './referred-record.js'
import { proposeIdentifier, similarValues, usableValues, valuesToRemember } from './new-record.js'
import {
  type SignedInRequest,
  type FormDependencies,
  type Redirect,
  type SubmittedForm,
  createFormEndpoint,
  sourceOf,
} from '../../http/form-endpoint.js'
import { findFor, seesHidden, readFor } from '../../http/request/record-rights.js'
import { english, type Translator } from '../../messages/translator.js'
import { rich, t } from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'

type FormEndpointsDependencies = FormDependencies &
  LookUpDependencies & {
    readonly catalogue: Catalogue
    readonly resources: Resources
    readonly rememberedValues: RememberedValues
  }

export const recordFormEndpoints = (dependencies: FormEndpointsDependencies): Endpoint[] =>
  resourceNames.flatMap((name) => {
    const resource = dependencies.resources[name]
    return [
      createRecordForm(dependencies, resource),
      editRecordForm(dependencies, resource),
      removeRecordForm(dependencies, resource),
    ]
  })

/** The record of a form, which the account may edit. */
const readFormRecord = (
  catalogue: Catalogue,
  { ctx, account }: SignedInRequest,
  { name }: Resource,
): Promise<FoundRecord> =>
  readFor(catalogue, account, { target: name, id: recordIdParam(ctx) }, 'private')

type RecordFormState = Partial<
  Omit<RecordFormProps, 'resource' | 'resources' | 'lookup' | 'context' | 'input'>
>

async function recordFormPage(
  { catalogue, resources }: FormEndpointsDependencies,
  resource: Resource,
  { context, account }: Pick<SignedInRequest, 'context'> & { readonly account?: Account },
  { input, ...state }: RecordFormState & { readonly input: FormInput },
) {
  const lookup = await findFor(
    catalogue,
    account,
    resource.inputFields.flatMap(({ name, target }): Reference[] =>
      target ? (input.get(name) ?? []).map((id) => ({ target, id })) : [],
    ),
  )
  return (
    <RecordFormPage
      id={undefined}
      errors={new Map()}
      {...state}
      creatable={resourceNames.filter((name) => account && mayWrite(account, name))}
      {...{ context, resource, resources, input, lookup }}
    />
  )
}

function createRecordForm(dependencies: FormEndpointsDependencies, resource: Resource): Endpoint {
  const { catalogue, rememberedValues } = dependencies
  const { name, noun } = resource
  const idIn = (input: FormInput): string => input.get(resource.id.name)?.[0] ?? ''
  const withoutId = (input: FormInput): FormInput => new Map([...input, [resource.id.name, []]])

  /** The input with a proposed identifier where it has none. */
  async function proposed(input: FormInput): Promise<[FormInput, RecordFormState]> {
    if (idIn(input) !== '') return [input, {}]
    const proposedId = await proposeIdentifier(catalogue, resource, input)
    const ids = proposedId === '' ? [] : [proposedId]
    return [new Map([...input, [resource.id.name, ids]]), { proposedId }]
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.create(name),
    name: `New ${noun}`,
    description: `A form for a new ${noun.toLowerCase()}.`,
    isAllowed: (account) => mayWrite(account, name),
    async render(request) {
      const other = name === 'zines' ? await takeOver(dependencies, request) : undefined
      const takenOver = isMessage(other) ? undefined : other
      const first = await firstInput(dependencies, resource, request, takenOver?.values)
      const [input, state] = await proposed(first)
      return recordFormPage(dependencies, resource, request, {
        input,
        ...state,
        source: takenOver?.source,
        mayLookUp: name === 'zines' && !takenOver && dependencies.otherCatalogues.areNamed,
        notice: isMessage(other) ? { tone: 'wrong', text: other } : undefined,
      })
    },
    renderSignedOut: (request, form) =>
      recordFormPage(dependencies, resource, request, {
        input: readFormInput(form, resource),
        notice: signedOut,
        proposedId: form.get('.proposed') ?? '',
        source: takenIn(form),
        visibility: readChosenVisibility(form),
      }),
    async submit(request, form) {
      const source = name === 'zines' ? takenIn(form) : undefined
      const visibility = readChosenVisibility(form)
      const sent = await readTypedInput(dependencies, request, { resource, form })
      const proposedId = form.get('.proposed') ?? ''
      const changed = await applyButtons(dependencies, request, { resource, form, input: sent })
      if (isValidElement(changed)) return changed
      if (changed)
        return recordFormPage(dependencies, resource, request, {
          ...changed,
          proposedId,
          source,
          visibility,
        })
      const [input, proposal] =
        idIn(sent) === proposedId ? await proposed(withoutId(sent)) : [sent, {}]
      const state = { ...proposal, source, visibility }
      const isConfirmed = form.get('.confirm') === 'yes'
      const result = await createRecord(catalogue, request, {
        resource,
        input,
        visibility,
        isConfirmed,
        derivedFrom: source?.address,
      })
      if (!('id' in result)) {
        if (result.errors.size > 0) request.ctx.status = 400
        const shown = { input, ...state, ...result, isConfirmed }
        return recordFormPage(dependencies, resource, request, shown)
      }
      await rememberedValues.remember(request.account.name, valuesToRemember(resource, input))
      const { id } = result
      const to = form.has('.next') ? editingLinks.similar(name, id) : recordPath(name, id)
      return { to, done: 'created' }
    },
  })
}

function editRecordForm(dependencies: FormEndpointsDependencies, resource: Resource): Endpoint {
  const { catalogue } = dependencies
  const { name, noun } = resource
  return createFormEndpoint(dependencies, {
    path: editingRoutes.edit(name),
    name: `Edit ${noun}`,
    description: `A form to change a ${noun.toLowerCase()}.`,
    record: name,
    async render(request) {
      const snapshot = await readFormRecord(catalogue, request, resource)
      const input = toFormInput(resource, snapshot.record.values)
      const state = formStateOf(resource, request, snapshot)
      return recordFormPage(dependencies, resource, request, { ...state, input })
    },
    async renderSignedOut(request, form) {
      const opened = form.get('.opened') ?? ''
      const visibility = readChosenVisibility(form)
      const state = { id: recordIdParam(request.ctx), opened, visibility, notice: signedOut }
      return recordFormPage(dependencies, resource, request, {
        ...state,
        input: readFormInput(form, resource),
      })
    },
    submit: (request, form) => saveChanges(dependencies, resource, request, form),
  })
}

const formStateOf = (
  resource: Resource,
  { ctx }: SignedInRequest,
  snapshot: FoundRecord,
): RecordFormState => ({
  id: recordIdParam(ctx),
  opened: JSON.stringify({
    ...Object.fromEntries(fieldHashes(toFormInput(resource, snapshot.record.values))),
    visibility: hashVisibility(visibilityIn(snapshot)),
  }),
  visibility: visibilityIn(snapshot),
})

/**
 * A hash of the values of each field. The form carries those of the record that it was opened with,
 * so that a change by its sender is told from a change by somebody else.
 */
const fieldHashes = (input: FormInput): ReadonlyMap<string, string> =>
  new Map([...input].map(([name, values]) => [name, hashValues(values)]))

const hashValues = (values: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 12)

const hashVisibility = ({ visibility, reason }: ChosenVisibility): string =>
  hashValues([visibility, reason])

/** The hashes that a form carries; none of what is not such a form. */
function parseOpened(text: string): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text) as object))
  } catch {
    return new Map()
  }
}

// The time of the last write of the record itself. Its ETag also changes with the records it refers
// to.
const versionOf = ({ record }: FoundRecord): string => textValue(record.values, 'updated_at')

/**
 * Writes the fields that the sender changed. Fields that only somebody else changed since the form
 * was opened keep their new values; the form is shown again if both changed the same field.
 */
async function saveChanges(
  dependencies: FormEndpointsDependencies,
  resource: Resource,
  request: SignedInRequest,
  form: SubmittedForm,
): Promise<VNode | Redirect> {
  const { catalogue } = dependencies
  const { name } = resource
  const id = recordIdParam(request.ctx)
  // The account may edit the record, or the form would not have come here.
  const view = 'private'
  const snapshot = await readFormRecord(catalogue, request, resource)
  const current = toFormInput(resource, snapshot.record.values)
  const typed = await readTypedInput(dependencies, request, { resource, form, current })
  const input = withTheirs(form, { typed, current })
  const visibility = readChosenVisibility(form)
  const state = { id, opened: form.get('.opened') ?? '', visibility }
  const rearranged = await applyButtons(dependencies, request, { resource, form, input })
  if (isValidElement(rearranged)) return rearranged
  if (rearranged)
    return recordFormPage(dependencies, resource, request, { ...state, ...rearranged })

  const opened = parseOpened(state.opened)
  const { changed, conflicting } = compareInput(resource, opened, current, input)
  if (conflicting.length > 0) {
    request.ctx.status = 409
    const merged = new Map([...current, ...changed.map((field) => entryOf(input, field))])
    return recordFormPage(dependencies, resource, request, {
      input: merged,
      ...formStateOf(resource, request, snapshot),
      visibility,
      conflicts: await describeConflicts(catalogue, snapshot.record, conflicting),
    })
  }
  try {
    const isTurned = isVisibilityChanged(opened, snapshot, visibility)
    if (isTurned) await requireFewHiddenWith(dependencies, snapshot, visibility)
    const body = new Map([
      ...bodyOf({ ...resource, inputFields: changed }, input),
      ...(isTurned ? visibilityBody(visibility) : []),
    ])
    const precondition = (version: string): boolean => version === snapshot.version
    if (body.size > 0)
      await catalogue.change(name, id, body, {
        view,
        precondition,
        mayName: seesHidden(request.account),
        source: sourceOf(request),
      })
    return { to: recordPath(name, id), done: body.size > 0 ? 'saved' : 'unchanged' }
  } catch (error) {
    // Changed between this read and this write: handled as if it had been changed before.
    if (error instanceof PreconditionFailedError)
      return saveChanges(dependencies, resource, request, form)
    if (!(error instanceof ValidationError)) throw error
    request.ctx.status = 400
    return recordFormPage(dependencies, resource, request, {
      input,
      ...state,
      errors: error.fieldErrors,
    })
  }
}

/** Whether the sender chose who sees the record. Forms without the choice leave it as it is. */
function isVisibilityChanged(
  opened: ReadonlyMap<string, unknown>,
  snapshot: FoundRecord,
  chosen: ChosenVisibility,
): boolean {
  const sent = hashVisibility(chosen)
  const [before, now] = [opened.get('visibility'), hashVisibility(visibilityIn(snapshot))]
  return chosen.visibility !== '' && sent !== before && sent !== now
}

/**
 * Records with which many others are hidden have a page for it, which asks for the name.
 * @throws ValidationError
 */
async function requireFewHiddenWith(
  dependencies: FormEndpointsDependencies,
  { record: { resource, values }, hidden }: FoundRecord,
  { visibility }: ChosenVisibility,
): Promise<void> {
  if (visibility === 'public' || hidden) return
  const id = textValue(values, resource.id.name)
  const count = await countHiddenWith(dependencies, resource.name, id)
  if (count > maxUnnamed)
    throw new ValidationError(new Map([['visibility', [manyAreHidden(count)]]]))
}

const manyAreHidden = (count: number): Message =>
  message(
    '{count} records are hidden with it. Use “Hide or show” on its page, which asks for its name.',
    { count },
  )

/** The input with what the record has now, in the fields where the sender chose it. */
const withTheirs = (
  form: SubmittedForm,
  { typed, current }: Record<'typed' | 'current', FormInput>,
): FormInput =>
  new Map(
    [...typed].map(([name, values]) => [
      name,
      form.get(takenName(name)) === 'theirs' ? (current.get(name) ?? []) : values,
    ]),
  )

/** Who changed each of the fields last, and when, as far as the history says. */
async function describeConflicts(
  catalogue: Pick<Catalogue, 'history'>,
  current: ResolvedRecord,
  fields: readonly Field[],
): Promise<readonly EditConflict[]> {
  const { resource, values } = current
  const id = textValue(values, resource.id.name)
  const versions = (await catalogue.history(resource.name, id)).toReversed()
  return fields.map((field) => ({
    field,
    current,
    change: versions.find(
      ({ before, after }) =>
        before && fieldsThatDiffer({ inputFields: [field] }, before, after).length > 0,
    ),
  }))
}

/**
 * Compares three states of a record: what the form was opened with, what the record is now, and
 * what was sent. The identifier never differs.
 */
function compareInput(
  resource: Resource,
  opened: ReadonlyMap<string, unknown>,
  current: FormInput,
  input: FormInput,
): { readonly changed: readonly Field[]; readonly conflicting: readonly Field[] } {
  const [now, sent] = [fieldHashes(current), fieldHashes(input)]
  const changed = resource.inputFields.filter(
    ({ name }) =>
      name !== resource.id.name &&
      sent.get(name) !== opened.get(name) &&
      sent.get(name) !== now.get(name),
  )
  const conflicting = changed.filter(({ name }) => now.get(name) !== opened.get(name))
  return { changed, conflicting }
}

const entryOf = (input: FormInput, { name }: Field): readonly [string, readonly string[]] => [
  name,
  input.get(name) ?? [],
]

function removeRecordForm(dependencies: FormEndpointsDependencies, resource: Resource): Endpoint {
  const { catalogue, resources } = dependencies
  const { name, noun } = resource

  async function page(request: SignedInRequest, { typed = '', notice }: RemoveState = {}) {
    const { ctx, context, account } = request
    const id = recordIdParam(ctx)
    const snapshot = await readFor(catalogue, account, { target: name, id })
    const effects = await findEffects(dependencies, context.translator, name, id)
    return (
      <RemoveRecordPage
        {...{ context, resource, id, notice }}
        title={recordHeading(snapshot.record, resources)}
        version={versionOf(snapshot)}
        effects={effects.all}
        typedName={effects.deletedCount > maxUnnamed ? typed : undefined}
      />
    )
  }

  /** Whether the form has the name of a record that takes many others along. */
  async function isNameMissing({ record }: FoundRecord, form: SubmittedForm): Promise<boolean> {
    const id = textValue(record.values, resource.id.name)
    const { deletedCount } = await findEffects(dependencies, english, name, id)
    return deletedCount > maxUnnamed && !isNameTyped(form, recordHeading(record, resources))
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.remove(name),
    name: `Delete ${noun}`,
    description: `Tells what goes with a ${noun.toLowerCase()}, and deletes it.`,
    record: name,
    render: (request) => page(request),
    async submit(request, form): Promise<Redirect | Awaited<ReturnType<typeof page>>> {
      const id = recordIdParam(request.ctx)
      const snapshot = await readFor(catalogue, request.account, { target: name, id })
      const typed = typedNameIn(form)
      const changedMeanwhile = async (): Promise<Notice> => ({
        tone: 'look',
        text: <LookAgain change={await lastChangeOf(catalogue, { target: name, id })} />,
      })
      if (versionOf(snapshot) !== form.get('.version'))
        return page(request, { typed, notice: await changedMeanwhile() })
      if (await isNameMissing(snapshot, form)) {
        request.ctx.status = 400
        return page(request, { typed, notice: wrongName })
      }
      try {
        const precondition = (version: string): boolean => version === snapshot.version
        await catalogue.remove(name, id, { precondition, source: sourceOf(request) })
      } catch (error) {
        if (error instanceof PreconditionFailedError)
          return page(request, { typed, notice: await changedMeanwhile() })
        throw error
      }
      return { to: listPath(name), done: 'deleted' }
    },
  })
}

const LookAgain = ({ change }: { readonly change: LastChange }) => (
  <>
    <ChangeAuthor change={change} /> {t('Look again before you delete it.')}
  </>
)

type RemoveState = { readonly typed?: string; readonly notice?: Notice }

const wrongName: Notice = {
  tone: 'wrong',
  text: message('Nothing was deleted: that is not the name. Type it exactly as it is shown below.'),
}

/** The effects of a deletion on other records (docs/reference/records.md, "Delete effects"). */
async function findEffects(
  { catalogue, resources }: Pick<FormEndpointsDependencies, 'catalogue' | 'resources'>,
  { plural, number, pluralPattern }: Translator,
  name: ResourceName,
  id: string,
) {
  const countReferring = async (from: ResourceName, filter: string) => {
    const filters = { [filter]: id }
    const { count } = await catalogue.list(from, firstPageQuery(1, { filters }))
    return { count, path: listPath(from, filters) }
  }
  const deleted = await Promise.all(
    cascadesOf(resources, name).map(async ({ resource, field }) => {
      const { count, path } = await countReferring(resource, field)
      const records = `${number(count)} ${pluralPattern(count, kindTexts[resource].noun.one, kindTexts[resource].noun.other)}`
      return {
        count,
        path,
        text: plural(
          count,
          '{records} will be deleted with it.',
          '{records} will be deleted with it.',
          {
            records,
          },
        ),
      }
    }),
  )
  const remaining =
    name === 'agents'
      ? await Promise.all(
          ['creator', 'contributor', 'publisher'].map((filter) => countReferring('zines', filter)),
        )
      : []
  const all = [
    ...deleted,
    ...remaining.map(({ count, path }) => ({
      count,
      path,
      text: plural(
        count,
        '{count} zine still names this maker. The name will no longer be shown there.',
        '{count} zines still name this maker. The name will no longer be shown there.',
      ),
    })),
  ].filter(({ count }) => count > 0)
  return { all, deletedCount: deleted.reduce((sum, { count }) => sum + count, 0) }
}

const SignedOutText = () => (
  <p>
    {rich(
      'You were signed out meanwhile. Nothing is lost: {signIn}, come back here, and save again.',
      {
        signIn: (
          <a href={editingLinks.login} target="_blank" rel="opener">
            {t('sign in in another tab')}
          </a>
        ),
      },
    )}
  </p>
)

const signedOut = {
  tone: 'look',
  text: <SignedOutText />,
} as const

/** The values of each field in a form, without empty rows. */
const readFormInput = (form: SubmittedForm, resource: Resource): FormInput =>
  new Map(
    resource.inputFields.map((field) => {
      const values = form.getAll(field.name).map(normalizeLineBreaks)
      if (field.kind === 'boolean') return [field.name, [String(values.includes('true'))]]
      return [field.name, values.filter((value) => value.trim() !== '')]
    }),
  )

type SentForm = {
  readonly resource: Resource
  readonly form: SubmittedForm
  /** What the record has now. */
  readonly current?: FormInput
}

/** The same, with the codes and identifiers of what was typed by its label or title. */
const readTypedInput = (
  dependencies: FormEndpointsDependencies,
  { context }: SignedInRequest,
  { resource, form, current }: SentForm,
): Promise<FormInput> =>
  resolveTypedValues(dependencies, context.translator, {
    resource,
    input: readFormInput(form, resource),
    current,
  })

/** The form input that shows a record. */
const toFormInput = (resource: Resource, values: RecordValues): FormInput =>
  new Map(resource.inputFields.map((field) => [field.name, inputValuesOf(field, values)]))

const inputValuesOf = (field: Field, values: RecordValues): readonly string[] =>
  field.kind === 'boolean'
    ? [String(values[field.name] === true)]
    : // Without the places of what is withheld, which the form does not show.
      textsIn(field, values)
        .filter((text) => text !== '')
        .map(normalizeLineBreaks)

// Browsers send every line break as two characters, and cannot show other kinds.
const normalizeLineBreaks = (value: string): string => value.replace(/\r\n?/g, '\n')

/**
 * The input of a new record: values of the URL, since a link may lead to a new holding of a certain
 * zine; of the record of another catalogue, or of the one that `like` names; or those that the
 * account chose last.
 */
async function firstInput(
  { catalogue, rememberedValues }: FormEndpointsDependencies,
  resource: Resource,
  { ctx, account }: SignedInRequest,
  takenOver: FormInput | undefined,
): Promise<FormInput> {
  const params = new URLSearchParams(ctx.querystring)
  // Such an account writes holdings of this library only.
  if (account.repository !== undefined) params.set('repository_id', account.repository)
  const like = params.get('like')
  const valuesLike = async (id: string): Promise<RecordValues> =>
    (await readFor(catalogue, account, { target: resource.name, id })).record.values
  const firstValues =
    takenOver ??
    (like
      ? similarValues(resource, await valuesLike(like))
      : await usableValues(catalogue, resource, rememberedValues.of(account.name)))
  return new Map(
    resource.inputFields.map(({ name, defaultValue, kind }) => {
      const values = params.getAll(name).filter(Boolean)
      if (values.length > 0) return [name, values]
      const lines = (firstValues.get(name) ?? []).map(normalizeLineBreaks)
      if (lines.length > 0) return [name, lines]
      if (defaultValue !== undefined) return [name, [String(defaultValue)]]
      return [name, kind === 'boolean' ? ['false'] : []]
    }),
  )
}

/**
 * What a button changes that does not save the form: it moves or removes a row, or leads to a new
 * record that the form refers to. Undefined if the form is to be saved.
 */
async function applyButtons(
  dependencies: FormEndpointsDependencies,
  request: SignedInRequest,
  sent: SentForm & { readonly input: FormInput },
): Promise<VNode | Referred | { readonly input: FormInput } | undefined> {
  const input = applyRowButtons(sent.form, sent.input)
  return input ? { input } : referToNew(dependencies, request, sent)
}

/** The input after a button that moves or removes a row; undefined without such a button. */
function applyRowButtons(form: SubmittedForm, input: FormInput): FormInput | undefined {
  const [up, drop] = ['.up', '.drop'].map((name) => parseRow(form.get(name)))
  if (up) return withRows(input, up.name, (rows) => movedUp(rows, up.index))
  if (drop)
    return withRows(input, drop.name, (rows) => rows.filter((_, index) => index !== drop.index))
  // The form always has an empty row for each repeatable field.
  return form.has('.more') ? input : undefined
}

function parseRow(
  text: string | null,
): { readonly name: string; readonly index: number } | undefined {
  const match = /^(\w+):(\d+)$/.exec(text ?? '')
  return match?.[1] && match[2] ? { name: match[1], index: Number(match[2]) } : undefined
}

const withRows = (
  input: FormInput,
  name: string,
  change: (rows: readonly string[]) => readonly string[],
): FormInput => new Map([...input, [name, change(input.get(name) ?? [])]])

const movedUp = (rows: readonly string[], index: number): readonly string[] =>
  rows.map((row, at) => (at === index - 1 ? rows[index] : at === index ? rows[at - 1] : row) ?? row)
