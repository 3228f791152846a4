// The second step of an import: where each field of the source goes, and what the source does not
// say.

import { message } from '../../message.js'
import { NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { allProfiles, findProfile } from './known-profiles.js'
import type { Account } from '../../accounts/accounts.js'
import { type Import, maxSourceName, sourceNameOf } from './import-state.js'
import type { Imports } from './imports.js'
import { unusedFields } from './mapping/source-fields.js'
import { type FieldRule, type MadeKind, type Profile, madeKinds, readings } from './profile.js'
import type { Field, Resources } from '../../model/resources.js'
import { titleOf } from '../../model/record/title.js'
import { textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import { editingLinks } from '../../views/links.js'
import { type ChosenRepository, ImportFieldPage, ImportFieldsPage } from './import-fields-page.js'
import { findFor } from '../../http/request/record-rights.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { parseListQueryText } from '../../http/request/list-query.js'
import { maxSize } from '../../http/request/pagination.js'
import { visibleImports } from './visible-imports.js'
import type { Redirect, SubmittedForm } from '../../http/form-endpoint.js'
import {
  type AnalysedRequest,
  type ImportPagesDependencies,
  type Shown,
  createAnalysedEndpoint,
  hereOn,
  missingFields,
  queryOf,
  stepStatuses,
} from './import-step.js'

export const importFieldsEndpoint = (dependencies: ImportPagesDependencies): Endpoint => {
  const { catalogue, resources } = dependencies

  async function render(request: Shown<AnalysedRequest>) {
    const { job, analysis, ctx } = request
    const chosen = queryOf(ctx).get('field')
    const field = chosen === null ? undefined : analysis.fields.find(({ name }) => name === chosen)
    if (field) return <ImportFieldPage {...request} resources={resources} field={field} />
    const missing = await analysis.missing()
    return (
      <ImportFieldsPage
        {...request}
        steps={stepStatuses(job, analysis, missing)}
        resources={resources}
        unused={unusedFields(analysis.fields)}
        shelves={analysis.shelves}
        missing={missingFields(job, analysis, missing)}
        repositories={await listRepositories(catalogue, resources)}
        profiles={(await allProfiles(dependencies)).map(({ name }) => name)}
        savedProfiles={(await dependencies.imports.profiles.profiles()).map(({ name }) => name)}
        sources={await listSources(dependencies.imports, request.account)}
        lookup={await findFor(catalogue, request.account, referencesIn(job.profile, resources))}
      />
    )
  }

  return createAnalysedEndpoint(dependencies, {
    step: 'fields',
    name: 'Fields of an Import',
    description: 'Where each field of the source goes.',
    render,
    submit: (request, form) =>
      (actions.get(form.get('do') ?? '') ?? saveFields)(dependencies, request, form),
  })
}

/** The sources of the imports that an account sees and that were written. */
async function listSources(imports: Imports, account: Account): Promise<readonly string[]> {
  const written = (await visibleImports(imports, account)).filter(({ batch }) => batch)
  return [...new Set(written.map(sourceNameOf))]
}

async function listRepositories(
  catalogue: Catalogue,
  resources: Resources,
): Promise<readonly ChosenRepository[]> {
  const query = {
    ...parseListQueryText(resources.repositories, '', undefined),
    page: 1,
    pageSize: maxSize,
  }
  const { records } = await catalogue.list('repositories', query)
  return records.map(({ values }) => ({
    id: textValue(values, resources.repositories.id.name),
    title: titleOf(resources, 'repositories', values),
  }))
}

/** The records that constants refer to. */
const referencesIn = ({ defaults }: Profile, resources: Resources): readonly Reference[] =>
  madeKinds.flatMap((kind) =>
    Object.entries(defaults[kind]).flatMap(([name, value]) => {
      const target = resources[kind].byName.get(name)?.target
      return target ? [value].flat().flatMap((id) => (id === null ? [] : [{ target, id }])) : []
    }),
  )

type Action = (
  dependencies: ImportPagesDependencies,
  request: AnalysedRequest,
  form: SubmittedForm,
) => Promise<Redirect>

const actions: ReadonlyMap<string, Action> = new Map([
  ['field', saveField],
  ['use-profile', takeProfile],
  ['save-profile', saveProfile],
  ['remove-profile', removeProfile],
])

const fieldsOf = ({ id }: Import): string => editingLinks.importStep(id, 'fields')

/** Saves what is said of the fields that go nowhere, of the library, identifiers and constants. */
async function saveFields(
  { imports, resources }: ImportPagesDependencies,
  { job, analysis }: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const { profile } = job
  const text = (name: string): string => (form.get(name) ?? '').trim()
  const targets = form.getAll('to')
  const chosen = new Map(
    form.getAll('from').flatMap((from, index) => {
      const to = targets[index] ?? ''
      return to === '' ? [] : [[from, to] as const]
    }),
  )
  const rules = unusedFields(analysis.fields).flatMap(({ name: from }): FieldRule[] => {
    const to = chosen.get(from) ?? text('rest')
    // The cast: other targets are refused by the parser of profiles.
    return to === '' ? [] : [{ from, to: to as FieldRule['to'] }]
  })
  const defaults = readDefaults(profile, resources, form)
  const items = text('items')
  await imports.change(
    job.id,
    new Map<string, unknown>([
      ...(rules.length > 0 ? [['rules', [...profile.rules, ...rules]] as const] : []),
      ['defaults', defaults],
      ...(form.has('shelf') ? [['shelves', { owned: readShelves(form) }] as const] : []),
      [
        'identifiers',
        {
          ...(form.has('zines') ? { zines: text('zines') } : {}),
          ...(form.has('holdings') ? { holdings: text('holdings') } : {}),
          ...(form.has('agents') ? { agents: text('agents') } : {}),
        },
      ],
      ...(form.has('items') ? [['items', items === '' ? undefined : items] as const] : []),
      ['emptyCells', form.has('emptyCells') ? 'clear' : undefined],
      ['newRecords', form.has('newRecords') ? 'draft' : undefined],
    ]),
    {
      revision: job.revision,
      sourceName: text('source_name').slice(0, maxSourceName) || undefined,
    },
  )
  return {
    to: form.get('do') === 'go-on' ? editingLinks.importStep(job.id, 'names') : fieldsOf(job),
    done: 'saved',
  }
}

function readShelves(form: SubmittedForm): Readonly<Record<string, boolean>> {
  const answers = form.getAll('owned')
  return Object.fromEntries(
    form
      .getAll('shelf')
      .flatMap((value, at) => (answers[at] ? [[value, answers[at] === 'true'] as const] : [])),
  )
}

type DefaultPatch = Record<MadeKind, Record<string, unknown>>

/** The constants that the form says; `none` removes one. */
function readDefaults(profile: Profile, resources: Resources, form: SubmittedForm): DefaultPatch {
  const patch: DefaultPatch = { zines: {}, holdings: {} }
  const set = (place: string, text: string): void => {
    const [kind, field] = fieldAt(resources, place)
    if (kind) patch[kind][field.name] = toConstant(field, text)
  }
  for (const place of form.getAll(form.has('all-empty') ? 'may-be-empty' : 'empty')) {
    const [kind, field] = fieldAt(resources, place)
    if (kind) patch[kind][field.name] = null
  }
  for (const [name, value] of form)
    if (name.startsWith('constant.') && value.trim() !== '') set(name.slice(9), value.trim())
  for (const place of form.getAll('forget')) {
    const [kind, field] = fieldAt(resources, place)
    if (kind) patch[kind][field.name] = 'none'
  }
  const added = (form.get('constant-value') ?? '').trim()
  if (added !== '') set(form.get('constant-field') ?? '', added)
  const repository = form.get('repository')
  if (repository !== null) {
    const known = profile.defaults.holdings.repository_id
    if (repository !== '') patch.holdings.repository_id = repository
    else if (known !== undefined) patch.holdings.repository_id = 'none'
  }
  return patch
}

/** The field at a place such as `zines.genre`. */
function fieldAt(
  resources: Resources,
  place: string,
): readonly [MadeKind, Field] | readonly [undefined, undefined] {
  const [name = '', field = ''] = place.split('.')
  const kind = madeKinds.find((madeKind) => madeKind === name)
  const targetField = kind && resources[kind].byName.get(field)
  return kind && targetField ? [kind, targetField] : [undefined, undefined]
}

/**
 * A constant as it was typed: a code or its label, and several separated by commas where a field
 * has several.
 */
function toConstant(field: Field, text: string): string | readonly string[] {
  const code = (value: string): string => codeOf(field, value)
  return field.repeatable
    ? (field.vocabulary ? text.split(',') : [text]).map((part) => code(part.trim())).filter(Boolean)
    : code(text)
}

/** The code of a label; a text that is no label stays as it is. */
export function codeOf({ vocabulary }: Pick<Field, 'vocabulary'>, text: string): string {
  if (!vocabulary || vocabulary.find(text)) return text
  const lowerCased = text.toLowerCase()
  return vocabulary.entries.find(({ label }) => label.toLowerCase() === lowerCased)?.code ?? text
}

/** Saves the rules of one field of the source. */
async function saveField(
  { imports }: ImportPagesDependencies,
  { job, analysis, ctx }: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const { rules } = job.profile
  const name = form.get('field') ?? ''
  const field = analysis.fields.find((other) => other.name === name)
  if (!field) throw new NotFoundError(message('There is no such field.'))
  const changed: (FieldRule | undefined)[] = [...rules]
  const added: FieldRule[] = []
  for (const [index, position] of form.getAll('position').entries()) {
    const known = position === '' ? undefined : rules[Number(position)]
    const rule = readRule(known ?? { from: name, to: 'nothing' }, form, index)
    if (known) changed[Number(position)] = rule
    else if (rule) added.push(rule)
  }
  await imports.change(
    job.id,
    new Map([['rules', [...changed.filter((rule) => rule !== undefined), ...added]]]),
    { revision: job.revision },
  )
  return { to: form.has('back') ? fieldsOf(job) : hereOn(ctx, job, 'fields'), done: 'saved' }
}

/** A rule as the form has it at a place; undefined if it goes nowhere. */
function readRule(known: FieldRule, form: SubmittedForm, index: number): FieldRule | undefined {
  const text = (name: string): string => form.get(`${name}.${index}`) ?? ''
  const to = text('to')
  if (to === '') return undefined
  const others = text('with')
    .split('|')
    .map((column) => column.trim())
    .filter(Boolean)
  const as = readings.find((reading) => reading === text('as'))
  return {
    from: known.from,
    // The cast: other targets are refused by the parser of profiles.
    to: to as FieldRule['to'],
    ...optional('with', others.length > 0 ? others : undefined),
    ...optional('join', text('join') === '' ? undefined : text('join')),
    ...optional('fallback', form.has(`fallback.${index}`) || undefined),
    ...optional('split', text('split') === '' ? undefined : text('split')),
    ...optional('prefix', text('prefix') === '' ? undefined : text('prefix')),
    ...optional('as', as),
    ...optional('relators', known.relators),
    ...optional('kind', known.kind),
  }
}

const optional = <Name extends keyof FieldRule>(name: Name, value: FieldRule[Name] | undefined) =>
  value === undefined ? {} : { [name]: value }

/** Uses another profile. Decisions about names and terms that it has not are kept. */
async function takeProfile(
  dependencies: ImportPagesDependencies,
  { job }: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const profile = await findProfile(dependencies, form.get('profile') ?? '')
  if (!profile) throw new NotFoundError(message('There is no such profile.'))
  const patch = new Map<string, unknown>(Object.entries(profile))
  // How the source is read stays.
  patch.delete('source')
  if (profile.items === undefined) patch.set('items', undefined)
  await dependencies.imports.change(job.id, patch, { revision: job.revision })
  return { to: fieldsOf(job), done: 'saved' }
}

async function saveProfile(
  { imports }: ImportPagesDependencies,
  { job }: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  const name = (form.get('name') ?? '').trim().slice(0, 100)
  if (name === '') throw httpErrors.badRequest(message('The profile needs a name.'))
  await imports.profiles.saveProfile({ ...job.profile, name })
  return { to: fieldsOf(job), done: 'profile-saved' }
}

async function removeProfile(
  { imports }: ImportPagesDependencies,
  { job }: AnalysedRequest,
  form: SubmittedForm,
): Promise<Redirect> {
  await imports.profiles.removeProfile(form.get('profile') ?? '')
  return { to: fieldsOf(job), done: 'profile-removed' }
}
