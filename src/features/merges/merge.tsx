// The forms that merge a record into another one, undo that, and rename a record; and the list of
// likely duplicates. How they look is left to features/merges/merge-page.tsx.

import type { VNode } from 'preact'

import type { Message } from '../../message.js'
import { ForbiddenError, NotFoundError } from '../../errors.js'
import type { Account } from '../../accounts/accounts.js'
import { mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { PreconditionFailedError, UndoConflictError } from '../../catalogue/errors.js'
import type { FoundRecord } from '../../catalogue/record-reads.js'
import type { RecordVersion } from '../../catalogue/history/record-history.js'
import type { MergeOptions } from '../../catalogue/writes/merges.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { type FieldErrors, ValidationError } from '../../model/record/input.js'
import { type FieldValue, type RecordValues, textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { textsIn } from '../../views/components/field-value.js'
import { NotUndone } from '../../views/components/undo-conflict.js'
import type { Notice } from '../../views/form-layout.js'
import { editingLinks, editingRoutes, recordPath } from '../../views/links.js'
import {
  ChangedMeanwhile,
  ChooseMergePage,
  CompareMergePage,
  DuplicatesPage,
  type KeptValue,
  type MergeField,
  RenamePage,
  UnmergePage,
} from './merge-page.js'
import { lastChangeOf } from '../records/last-change.js'
import type { Endpoint } from '../../http/endpoint.js'
import { findOnlyId } from '../../http/request/typed-values.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { readFor, viewFor } from '../../http/request/record-rights.js'
import { queryParam } from '../../http/request/url.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
  editingEndpoint,
} from '../../http/form-endpoint.js'
import { kindTexts } from '../../views/kind-texts.js'

type MergeFormDependencies = FormDependencies & {
  readonly catalogue: Catalogue
  readonly resources: Resources
}

export const mergeFormEndpoints = (dependencies: MergeFormDependencies): Endpoint[] => [
  duplicatesPage(dependencies),
  ...resourceNames.flatMap((name) => [
    new MergeForm(dependencies, dependencies.resources[name]).endpoint(),
    unmergeForm(dependencies, dependencies.resources[name]),
    renameForm(dependencies, dependencies.resources[name]),
  ]),
]

const mayForget = ({ role }: Account): boolean => role === 'admin'

/**
 * Who may edit the record also chooses which of its private fields stay.
 * @throws ForbiddenError when somebody else than an administrator forgets an identifier
 */
function optionsOf({ account }: SignedInRequest, form: SubmittedForm): MergeOptions {
  const forgets = form.get('forget') === 'yes'
  if (forgets && !mayForget(account)) throw new ForbiddenError()
  return { view: 'private', source: { account: account.name, how: 'merge' }, forgets }
}

/** What undoes a merge or a rename; nothing where the identifier is forgotten. */
const undoLink = (name: ResourceName, id: string, { forgets }: MergeOptions) =>
  forgets ? {} : { undo: editingLinks.unmerge(name, id) }

/** The form that compares a record with another one, and merges them. */
class MergeForm {
  readonly #dependencies: MergeFormDependencies
  readonly #catalogue: Catalogue
  readonly #resource: Resource
  readonly #name: ResourceName

  constructor(dependencies: MergeFormDependencies, resource: Resource) {
    this.#dependencies = dependencies
    this.#catalogue = dependencies.catalogue
    this.#resource = resource
    this.#name = resource.name
  }

  endpoint(): Endpoint {
    const { name, noun } = this.#resource
    return createFormEndpoint(this.#dependencies, {
      path: editingRoutes.merge(name),
      name: `Merge ${noun}`,
      description: `Compares a ${noun.toLowerCase()} with another one, and merges them.`,
      record: name,
      // The cast: without a form there is no redirect.
      render: async (request) =>
        await this.#pairPage(request, queryParam(request.ctx, 'into'), (pair) =>
          this.#comparePage(request, pair),
        ),
      submit: (request, form) =>
        this.#pairPage(request, form.get('into') ?? '', (pair) => this.#save(request, pair, form)),
    })
  }

  async #choosePage({ ctx, context }: SignedInRequest, snapshot: FoundRecord, notice?: Notice) {
    const id = recordIdParam(ctx)
    const ids = await this.#catalogue.likelyDuplicates(this.#name, id)
    const duplicates = await readAll(this.#catalogue, this.#name, ids.slice(0, maxSuggested))
    return (
      <ChooseMergePage
        {...{ context, duplicates, notice }}
        resources={this.#dependencies.resources}
        goes={snapshot.record}
        moved={await this.#catalogue.countReferrers(this.#name, id)}
      />
    )
  }

  async #comparePage(
    request: SignedInRequest,
    { goes, stays }: RecordPair,
    {
      notice,
      errors = new Map(),
      form,
    }: { notice?: Notice; errors?: FieldErrors; form?: SubmittedForm } = {},
  ): Promise<VNode> {
    const id = recordIdParam(request.ctx)
    return (
      <CompareMergePage
        {...{ notice, errors }}
        context={request.context}
        resources={this.#dependencies.resources}
        goes={goes.record}
        stays={stays.record}
        fields={differingFields(this.#resource, goes.record, stays.record, form)}
        moved={await this.#catalogue.countReferrers(this.#name, id)}
        mayForget={mayForget(request.account)}
        version={versionOf({ goes, stays })}
      />
    )
  }

  /** The comparison again, for records that somebody else changed since it was shown. */
  async #changedPage(
    request: SignedInRequest,
    pair: RecordPair,
    form: SubmittedForm,
  ): Promise<VNode> {
    request.ctx.status = 409
    const shown = (form.get('.version') ?? '').split(' ')
    const changes = await Promise.all(
      [pair.goes, pair.stays]
        .filter(({ record }, index) => updatedAt(record) !== shown[index])
        .map(async ({ record }) => {
          const id = textValue(record.values, this.#resource.id.name)
          const change = await lastChangeOf(this.#catalogue, { target: this.#name, id })
          return { record, change }
        }),
    )
    const { resources } = this.#dependencies
    const notice = { tone: 'look', text: <ChangedMeanwhile {...{ changes, resources }} /> } as const
    return this.#comparePage(request, pair, { notice, form })
  }

  /** The record that is named `into`; undefined if there is none, or if it is the same. */
  async #readInto(request: SignedInRequest, into: string) {
    if (into === recordIdParam(request.ctx)) return undefined
    const id = into.trim().normalize('NFC')
    const view = await viewFor(this.#catalogue, request.account, { target: this.#name, id })
    return this.#catalogue.read(this.#name, id, view).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined
      throw error
    })
  }

  /** The same, also for the title of a record, if no other one has it. */
  async #findInto(request: SignedInRequest, into: string) {
    const id = recordIdParam(request.ctx)
    const named = await this.#readInto(request, into)
    if (named || into === id) return named
    const only = await findOnlyId(this.#catalogue, this.#resource, into, id)
    return only === undefined ? undefined : this.#readInto(request, only)
  }

  async #pairPage(
    request: SignedInRequest,
    into: string,
    submit: (pair: RecordPair) => Promise<VNode | Redirect>,
  ): Promise<VNode | Redirect> {
    const goes = await readFor(
      this.#catalogue,
      request.account,
      { target: this.#name, id: recordIdParam(request.ctx) },
      'private',
    )
    if (into === '') return this.#choosePage(request, goes)
    const stays = await this.#findInto(request, into)
    if (stays) return submit({ goes, stays })
    request.ctx.status = 400
    const text = request.context.translator.t(kindTexts[this.#name].noOther, { id: into })
    return this.#choosePage(request, goes, { tone: 'wrong', text })
  }

  async #save(
    request: SignedInRequest,
    pair: RecordPair,
    form: SubmittedForm,
  ): Promise<VNode | Redirect> {
    const { goes, stays } = pair
    if (form.get('.version') !== versionOf(pair)) return this.#changedPage(request, pair, form)
    const id = recordIdParam(request.ctx)
    const into = textValue(stays.record.values, this.#resource.id.name)
    const fields = keptFields(this.#resource, goes.record, stays.record, form)
    const precondition = (version: string): boolean => version === goes.version
    try {
      const options = { ...optionsOf(request, form), precondition }
      await this.#catalogue.merge(this.#name, id, { into, fields }, options)
      return {
        to: recordPath(this.#name, into),
        done: 'merged',
        ...undoLink(this.#name, id, options),
      }
    } catch (error) {
      if (error instanceof PreconditionFailedError) return this.#changedPage(request, pair, form)
      if (!(error instanceof ValidationError)) throw error
      request.ctx.status = 400
      return this.#comparePage(request, pair, { errors: error.fieldErrors, form })
    }
  }
}

const maxSuggested = 20

type RecordPair = { readonly goes: FoundRecord; readonly stays: FoundRecord }

/** The times of the last writes of both. */
const versionOf = ({ goes, stays }: RecordPair): string =>
  [goes, stays].map(({ record }) => updatedAt(record)).join(' ')

const updatedAt = ({ values }: ResolvedRecord): string => textValue(values, 'updated_at')

/** The fields in which two records differ, with the choice of the form, or else the usual one. */
const differingFields = (
  resource: Resource,
  goes: ResolvedRecord,
  stays: ResolvedRecord,
  form?: SubmittedForm,
): MergeField[] =>
  resource.inputFields
    .filter((field) => field !== resource.id)
    .flatMap((field): MergeField[] => {
      const [goingTexts, stayingTexts] = [textsIn(field, goes.values), textsIn(field, stays.values)]
      if (JSON.stringify(goingTexts) === JSON.stringify(stayingTexts)) return []
      const hasBoth = field.repeatable && goingTexts.length > 0 && stayingTexts.length > 0
      const choices: readonly KeptValue[] = ['stays', 'goes', ...(hasBoth ? ['both' as const] : [])]
      const sent = choices.find((choice) => choice === form?.get(`keep.${field.name}`))
      return [{ field, choices, keep: sent ?? usualChoice(field, stayingTexts, hasBoth) }]
    })

/** Nothing that may become public is taken over unless somebody chooses it. */
function usualChoice(field: Field, stayingTexts: readonly string[], hasBoth: boolean): KeptValue {
  if (hasBoth) return 'both'
  return stayingTexts.length > 0 || field.private === 'unlessPublic' ? 'stays' : 'goes'
}

/** The new values of the record that stays, as a client of the API would send them. */
const keptFields = (
  resource: Resource,
  goes: ResolvedRecord,
  stays: ResolvedRecord,
  form: SubmittedForm,
): ReadonlyMap<string, unknown> =>
  new Map(
    differingFields(resource, goes, stays, form)
      .filter(({ keep }) => keep !== 'stays')
      .map(({ field, keep }) => [
        field.name,
        keep === 'goes'
          ? (goes.values[field.name] ?? null)
          : [...new Set([...listIn(stays.values, field), ...listIn(goes.values, field)])],
      ]),
  )

const listIn = (values: RecordValues, { name }: Field): readonly string[] => {
  const value: FieldValue | undefined = values[name]
  return Array.isArray(value) ? (value as readonly string[]) : []
}

function unmergeForm(dependencies: MergeFormDependencies, resource: Resource): Endpoint {
  const { catalogue, resources } = dependencies
  const { name, noun } = resource

  /** @throws NotFoundError unless the record was merged, and is not there */
  async function lastMerge(id: string): Promise<RecordVersion & { readonly into: string }> {
    const version = (await catalogue.history(name, id)).findLast(({ before }) => before)
    const into = await catalogue.mergedInto(name, id)
    if (version?.into === undefined || into === undefined) throw new NotFoundError()
    return { ...version, into }
  }

  async function page({ ctx, context }: SignedInRequest, conflict?: UndoConflictError) {
    const id = recordIdParam(ctx)
    const { into } = await lastMerge(id)
    const lookup = await catalogue.find(conflict ? [conflict.reference] : [])
    const text = conflict && <NotUndone {...{ conflict, resources, lookup }} />
    return <UnmergePage {...{ context, name, id, into }} notice={text && { tone: 'wrong', text }} />
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.unmerge(name),
    name: `Undo merge of ${noun}`,
    description: `Brings back a ${noun.toLowerCase()} that was merged or renamed.`,
    record: name,
    render: (request) => page(request),
    async submit(request) {
      const id = recordIdParam(request.ctx)
      const { version } = await lastMerge(id)
      const source = { account: request.account.name, how: 'undo' } as const
      try {
        await catalogue.undoVersion(name, id, version, { source, withPrivate: true })
      } catch (error) {
        if (!(error instanceof UndoConflictError)) throw error
        request.ctx.status = 409
        return page(request, error)
      }
      return { to: recordPath(name, id), done: 'unmerged' }
    },
  })
}

function renameForm(dependencies: MergeFormDependencies, resource: Resource): Endpoint {
  const { catalogue } = dependencies
  const { name, noun } = resource
  const page = (
    { ctx, context, account }: SignedInRequest,
    typed: string,
    messages: readonly Message[] = [],
  ): VNode => (
    <RenamePage
      {...{ context, resource, typed, messages }}
      id={recordIdParam(ctx)}
      mayForget={mayForget(account)}
    />
  )

  return createFormEndpoint(dependencies, {
    path: editingRoutes.rename(name),
    name: `Rename ${noun}`,
    description: `Gives a ${noun.toLowerCase()} another identifier.`,
    record: name,
    async render(request) {
      const id = recordIdParam(request.ctx)
      await readFor(catalogue, request.account, { target: name, id })
      return page(request, id)
    },
    async submit(request, form) {
      const id = recordIdParam(request.ctx)
      const typed = form.get('id') ?? ''
      try {
        const options = optionsOf(request, form)
        const { record: renamed } = await catalogue.rename(name, id, typed, options)
        const to = recordPath(name, textValue(renamed.record.values, resource.id.name))
        return { to, done: 'renamed', ...undoLink(name, id, options) }
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error
        request.ctx.status = 400
        return page(request, typed, error.fieldErrors.get('id'))
      }
    },
  })
}

/** How many groups a page shows, and how many records of each. */
const groupsPerPage = 50
const recordsPerGroup = 10

function duplicatesPage(dependencies: MergeFormDependencies): Endpoint {
  const { catalogue, resources } = dependencies
  const definition = {
    path: editingRoutes.duplicates,
    name: 'Likely duplicates',
    description: 'The records that share a name or an identifier.',
    isAllowed: (account: Account) => resourceNames.some((name) => mayWrite(account, name)),
    async render({ ctx, account, context }: SignedInRequest): Promise<VNode> {
      const names = (['agents', 'zines', 'repositories', 'holdings'] as const).filter((kindName) =>
        mayWrite(account, kindName),
      )
      const kind = queryParam(ctx, 'kind')
      const name = kind === '' ? names[0] : names.find((candidate) => candidate === kind)
      if (!name) throw new NotFoundError()
      const page = Math.max(1, Number.parseInt(queryParam(ctx, 'page'), 10) || 1)
      const all = await catalogue.duplicateGroups(name)
      const [start, end] = [(page - 1) * groupsPerPage, page * groupsPerPage]
      const groups = await Promise.all(
        all.slice(start, end).map(async ({ field, ids }) => ({
          field,
          records: await readAll(catalogue, name, ids.slice(0, recordsPerGroup)),
        })),
      )
      return (
        <DuplicatesPage
          {...{ context, name, resources, names, page }}
          // Some may have been deleted or merged since they were found.
          groups={groups.filter(({ records }) => records.length > 1)}
          count={all.length}
          hasNext={all.length > end}
        />
      )
    },
    submit: () => Promise.reject(new NotFoundError()),
  }
  const { GET } = createFormEndpoint(dependencies, definition).methods
  return { ...editingEndpoint(definition), methods: GET ? { GET } : {} }
}

/** The records that exist, as everybody sees them. */
async function readAll(
  catalogue: Catalogue,
  name: ResourceName,
  ids: readonly string[],
): Promise<readonly ResolvedRecord[]> {
  const records = await Promise.all(
    ids.map((id) =>
      catalogue.read(name, id).then(
        ({ record }) => [record],
        (error: unknown) => {
          if (error instanceof NotFoundError) return []
          throw error
        },
      ),
    ),
  )
  return records.flat()
}
