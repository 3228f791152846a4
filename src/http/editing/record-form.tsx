// Creating, changing and deleting records by forms. What was typed is never lost: whatever cannot be
// done is told on the form, with everything still in it.

import { maySeePrivate, mayWrite } from '../../accounts/rights.js'
import type { Account } from '../../accounts/accounts.js'
import { cascades } from '../../catalogue/cascade.js'
import type { Catalogue, FoundRecord } from '../../catalogue/catalogue.js'
import { PreconditionFailedError } from '../../catalogue/errors.js'
import {
  type EditConflict,
  RecordFormPage,
  type RecordFormProps,
  RemoveRecordPage,
  type FormInput,
} from '../../views/pages/record-form.js'
import { editingLinks, editingRoutes, listPath, recordPath } from '../../views/links.js'
import { recordTitle } from '../../views/components/record-summary.js'
import { textsIn } from '../../views/components/field-value.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { Reference, ResolvedRecord, ViewName } from '../../model/record/views.js'
import { ValidationError } from '../../model/record/input.js'
import { firstPageQuery, recordIdParam } from '../request/list-query.js'
import type { Endpoint } from '../endpoint.js'
import {
  type SignedInRequest,
  type FormDependencies,
  type Redirect,
  type SubmittedForm,
  createFormEndpoint,
} from './form-endpoint.js'

type FormEndpointsDependencies = FormDependencies & {
  readonly catalogue: Catalogue
  readonly resources: Resources
}

export const recordFormEndpoints = (parts: FormEndpointsDependencies): Endpoint[] =>
  resourceNames.flatMap((name) => {
    const resource = parts.resources[name]
    return [
      createRecordForm(parts, resource),
      editRecordForm(parts, resource),
      removeRecordForm(parts, resource),
    ]
  })

/** Who may see private fields also writes them. */
const viewOf = (account: Account, name: ResourceName): ViewName =>
  name === 'agents' && maySeePrivate(account) ? 'private' : 'detail'

type RecordFormState = Partial<Omit<RecordFormProps, 'resource' | 'resources' | 'cards' | 'visit'>>

async function recordFormPage(
  { catalogue, resources }: FormEndpointsDependencies,
  resource: Resource,
  { visit }: Pick<SignedInRequest, 'visit'>,
  typed: FormInput,
  shown: RecordFormState = {},
) {
  const cards = await catalogue.find(
    resource.inputFields.flatMap(({ name, target }): Reference[] =>
      target ? (typed.get(name) ?? []).map((id) => ({ target, id })) : [],
    ),
  )
  return (
    <RecordFormPage
      id={undefined}
      failures={new Map()}
      {...shown}
      {...{ visit, resource, resources, typed, cards }}
    />
  )
}

function createRecordForm(parts: FormEndpointsDependencies, resource: Resource): Endpoint {
  const { catalogue } = parts
  const { name, noun } = resource
  return createFormEndpoint(parts, {
    path: editingRoutes.create(name),
    name: `New ${noun}`,
    description: `A form for a new ${noun.toLowerCase()}.`,
    isAllowed: (account) => mayWrite(account, name),
    render: (caller) => recordFormPage(parts, resource, caller, emptyInput(resource, caller)),
    renderSignedOut: (caller, form) =>
      recordFormPage(parts, resource, caller, readFormInput(form, resource), { notice: signedOut }),
    async submit(caller, form) {
      const typed = readFormInput(form, resource)
      const again = applyRowButtons(form, typed)
      if (again) return recordFormPage(parts, resource, caller, again)
      const duplicates =
        form.get('.confirm') === 'yes' ? [] : await duplicatesOf(parts, resource, typed)
      if (duplicates.length > 0)
        return recordFormPage(parts, resource, caller, typed, { duplicates })
      try {
        const view = viewOf(caller.account, name)
        const { record } = await catalogue.create(name, bodyOf(resource, typed), { view })
        return { to: recordPath(name, textValue(record.values, resource.id.name)) }
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error
        caller.ctx.status = 400
        return recordFormPage(parts, resource, caller, typed, { failures: error.failures })
      }
    },
  })
}

function editRecordForm(parts: FormEndpointsDependencies, resource: Resource): Endpoint {
  const { catalogue } = parts
  const { name, noun } = resource
  return createFormEndpoint(parts, {
    path: editingRoutes.edit(name),
    name: `Edit ${noun}`,
    description: `A form to change a ${noun.toLowerCase()}.`,
    isAllowed: (account) => mayWrite(account, name),
    async render(caller) {
      const found = await catalogue.read(
        name,
        recordIdParam(caller.ctx),
        viewOf(caller.account, name),
      )
      const typed = typedFrom(resource, found.record.values)
      return recordFormPage(parts, resource, caller, typed, shownOf(caller, found))
    },
    async renderSignedOut(caller, form) {
      const version = form.get('.version') ?? ''
      const shown = { id: recordIdParam(caller.ctx), version, notice: signedOut }
      return recordFormPage(parts, resource, caller, readFormInput(form, resource), shown)
    },
    submit: (caller, form) => save(parts, resource, caller, form),
  })
}

const shownOf = ({ ctx }: SignedInRequest, found: FoundRecord): RecordFormState => ({
  id: recordIdParam(ctx),
  version: versionOf(found),
})

// When the record itself was last written: what it shows of others may change without being its own.
const versionOf = ({ record }: FoundRecord): string => textValue(record.values, 'updated_at')

/** Writes what the form has that the record has not; and nothing over what somebody else wrote meanwhile. */
async function save(
  parts: FormEndpointsDependencies,
  resource: Resource,
  caller: SignedInRequest,
  form: SubmittedForm,
) {
  const { catalogue } = parts
  const { name } = resource
  const id = recordIdParam(caller.ctx)
  const view = viewOf(caller.account, name)
  const typed = readFormInput(form, resource)
  const version = form.get('.version') ?? ''
  const shown = { id, version }
  const again = applyRowButtons(form, typed)
  if (again) return recordFormPage(parts, resource, caller, again, shown)

  const found = await catalogue.read(name, id, view)
  const differing = differencesIn(resource, found.record.values, typed)
  if (versionOf(found) !== version) {
    caller.ctx.status = 409
    const others = differing.map((field) => difference(field, found.record))
    return recordFormPage(parts, resource, caller, typed, { ...shownOf(caller, found), others })
  }
  try {
    const body = bodyOf({ ...resource, inputFields: differing }, typed)
    const expects = (versions: readonly string[]): boolean => versions.includes(found.version)
    if (differing.length > 0) await catalogue.change(name, id, body, { view, expects })
    return { to: recordPath(name, id) }
  } catch (error) {
    // Between our reading and our writing: what it is now is told as if it had been before.
    if (error instanceof PreconditionFailedError) return save(parts, resource, caller, form)
    if (!(error instanceof ValidationError)) throw error
    caller.ctx.status = 400
    return recordFormPage(parts, resource, caller, typed, { ...shown, failures: error.failures })
  }
}

const difference = (field: Field, { values }: ResolvedRecord): EditConflict => ({
  field,
  now: textsIn(field, values).join('\n'),
})

/** The fields for which something else is typed than the record says. */
const differencesIn = (
  resource: Resource,
  card: RecordValues,
  typed: FormInput,
): readonly Field[] =>
  resource.inputFields.filter(
    (field) =>
      field !== resource.id &&
      JSON.stringify(typed.get(field.name) ?? []) !== JSON.stringify(typedOf(field, card)),
  )

function removeRecordForm(parts: FormEndpointsDependencies, resource: Resource): Endpoint {
  const { catalogue, resources } = parts
  const { name, noun } = resource

  async function page({ ctx, visit }: SignedInRequest, shown: { readonly isChanged?: true } = {}) {
    const id = recordIdParam(ctx)
    const found = await catalogue.read(name, id)
    return (
      <RemoveRecordPage
        {...{ visit, resource, id }}
        title={recordTitle(found.record, resources)}
        version={versionOf(found)}
        effects={await effectsOf(catalogue, name, id)}
        notice={
          shown.isChanged && {
            tone: 'look',
            text: 'Somebody else changed this record meanwhile. Look again before you delete it.',
          }
        }
      />
    )
  }

  return createFormEndpoint(parts, {
    path: editingRoutes.remove(name),
    name: `Delete ${noun}`,
    description: `Tells what goes with a ${noun.toLowerCase()}, and deletes it.`,
    isAllowed: (account) => mayWrite(account, name),
    render: (caller) => page(caller),
    async submit(caller, form): Promise<Redirect | Awaited<ReturnType<typeof page>>> {
      const id = recordIdParam(caller.ctx)
      const found = await catalogue.read(name, id)
      if (versionOf(found) !== form.get('.version')) return page(caller, { isChanged: true })
      try {
        const expects = (versions: readonly string[]): boolean => versions.includes(found.version)
        await catalogue.remove(name, id, { expects })
      } catch (error) {
        if (error instanceof PreconditionFailedError) return page(caller, { isChanged: true })
        throw error
      }
      return { to: listPath(name) }
    },
  })
}

/** What a deletion does to others (specification: Delete effects). */
async function effectsOf(catalogue: Catalogue, name: ResourceName, id: string) {
  const counted = async (from: ResourceName, by: string) => {
    const filters = { [by]: id }
    const { count } = await catalogue.list(from, firstPageQuery(1, { filters }))
    return { count, path: listPath(from, filters) }
  }
  const gone = await Promise.all(
    cascades[name].map(async ({ resource, field }) => {
      const { count, path } = await counted(resource, field)
      const what = count === 1 ? resource.replace(/s$/, '') : resource
      return {
        count,
        path,
        text: `And ${count.toLocaleString('en')} ${what} will be deleted with it.`,
      }
    }),
  )
  const left = name === 'agents' ? [await counted('zines', 'creator')] : []
  return [
    ...gone,
    ...left.map(({ count, path }) => ({
      count,
      path,
      text: `${count.toLocaleString('en')} ${count === 1 ? 'zine' : 'zines'} will go on naming it, by an identifier that leads nowhere.`,
    })),
  ].filter(({ count }) => count > 0)
}

const signedOut = {
  tone: 'look',
  text: (
    <p>
      You were signed out meanwhile. Nothing is lost:{' '}
      <a href={editingLinks.login} target="_blank" rel="opener">
        sign in in another tab
      </a>
      , come back here, and save again.
    </p>
  ),
} as const

/** The values that the form has for each field; empty rows are none. */
const readFormInput = (form: SubmittedForm, resource: Resource): FormInput =>
  new Map(
    resource.inputFields.map((field) => {
      const values = form.getAll(field.name).map(normalizeLineBreaks)
      if (field.kind === 'boolean') return [field.name, [String(values.includes('true'))]]
      return [field.name, values.filter((value) => value.trim() !== '')]
    }),
  )

/** A record as it stands in its form. */
const typedFrom = (resource: Resource, card: RecordValues): FormInput =>
  new Map(resource.inputFields.map((field) => [field.name, typedOf(field, card)]))

const typedOf = (field: Field, card: RecordValues): readonly string[] =>
  field.kind === 'boolean'
    ? [String(card[field.name] === true)]
    : textsIn(field, card).map(normalizeLineBreaks)

// Browsers send every line break as two characters, and cannot show the others.
const normalizeLineBreaks = (value: string): string => value.replace(/\r\n?/g, '\n')

/** A new record, with what the address says of it: a link may lead to the form of a certain zine's holding. */
function emptyInput(resource: Resource, { ctx }: SignedInRequest): FormInput {
  const given = new URLSearchParams(ctx.querystring)
  return new Map(
    resource.inputFields.map(({ name, defaultValue, kind }) => {
      const values = given.getAll(name).filter(Boolean)
      if (values.length > 0) return [name, values]
      if (defaultValue !== undefined) return [name, [String(defaultValue)]]
      return [name, kind === 'boolean' ? ['false'] : []]
    }),
  )
}

/** As a client of the API would send it. */
const bodyOf = (
  resource: Pick<Resource, 'inputFields'>,
  typed: FormInput,
): ReadonlyMap<string, unknown> =>
  new Map(
    resource.inputFields.map((field): [string, unknown] => {
      const values = typed.get(field.name) ?? []
      if (field.repeatable) return [field.name, values]
      const value = values[0] ?? ''
      return [field.name, field.kind === 'integer' && value === '' ? null : value]
    }),
  )

/** What a button for rows asks for, done; undefined when the form is to be saved. */
function applyRowButtons(form: SubmittedForm, typed: FormInput): FormInput | undefined {
  const [up, drop] = ['.up', '.drop'].map((name) => rowIn(form.get(name)))
  if (up) return withRows(typed, up.name, (rows) => movedUp(rows, up.index))
  if (drop)
    return withRows(typed, drop.name, (rows) => rows.filter((_, index) => index !== drop.index))
  // Every field has a row for another value already.
  return form.has('.more') ? typed : undefined
}

function rowIn(text: string | null): { readonly name: string; readonly index: number } | undefined {
  const match = /^(\w+):(\d+)$/.exec(text ?? '')
  return match?.[1] && match[2] ? { name: match[1], index: Number(match[2]) } : undefined
}

const withRows = (
  typed: FormInput,
  name: string,
  change: (rows: readonly string[]) => readonly string[],
): FormInput => new Map([...typed, [name, change(typed.get(name) ?? [])]])

const movedUp = (rows: readonly string[], index: number): readonly string[] =>
  rows.map((row, at) => (at === index - 1 ? rows[index] : at === index ? rows[at - 1] : row) ?? row)

const shownDuplicates = 5

/** Records that may be the one that is about to be made: of the same name, or of the same zine in the same place. */
async function duplicatesOf(
  { catalogue }: FormEndpointsDependencies,
  resource: Resource,
  typed: FormInput,
): Promise<readonly ResolvedRecord[]> {
  const { title } = resource
  if (!title) {
    const filters = Object.fromEntries(
      resource.inputFields
        .filter(({ target, filterable }) => target && filterable)
        .map(({ name }) => [name, typed.get(name)?.[0] ?? '']),
    )
    if (Object.values(filters).includes('')) return []
    return (await catalogue.list(resource.name, firstPageQuery(shownDuplicates, { filters })))
      .records
  }
  const name = typed.get(title.name)?.[0] ?? ''
  // The longest words are the rarest, and a search has a limit.
  const search = name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .sort((a, b) => b.length - a.length)
    .slice(0, 6)
    .join(' ')
    .trim()
  if (search === '') return []
  const { records } = await catalogue.list(resource.name, firstPageQuery(50, { search }))
  const isSame = ({ values }: ResolvedRecord): boolean =>
    comparableTitle(textValue(values, title.name)) === comparableTitle(name)
  return records.filter(isSame).slice(0, shownDuplicates)
}

/** A name without what differs between two who write it down. */
const comparableTitle = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim()
