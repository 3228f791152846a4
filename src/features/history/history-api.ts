// The history of records: their versions, what each changed, and taking it back. Only accounts that
// may write the record see it. What versions are is left to catalogue/history.

import { message } from '../../message.js'
import { ForbiddenError, NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { RecordVersion } from '../../catalogue/history/record-history.js'
import { fieldsThatDiffer } from '../../catalogue/history/value-differences.js'
import type { Redaction } from '../../catalogue/writes/redaction.js'
import type { RestoreRequest } from '../../catalogue/writes/restores.js'
import { mayWrite } from '../../accounts/rights.js'
import { json } from '../../formats/common-formats.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { requiredMessage } from '../../model/record/input.js'
import { type FieldValue, type RecordValues, textValue } from '../../model/record/values.js'
import { type Resource, type Resources, unsetValue } from '../../model/resources.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { readBody } from '../../http/request/body.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { pageOf, paginate, parsePageQuery } from '../../http/request/pagination.js'
import { requireWritable, writableRecords } from '../../http/request/record-rights.js'
import { queryParam } from '../../http/request/url.js'
import { sendJson, sendText } from '../../http/response/conditional.js'

type HistoryEndpointsDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
}

/** A field before and after a change; null where the record did not exist. */
type FieldChange = { readonly before: FieldValue; readonly after: FieldValue }

export const historyEndpoints = (dependencies: HistoryEndpointsDependencies): Endpoint[] => [
  ...Object.values(dependencies.resources).flatMap((resource) => [
    versionsEndpoint(dependencies, resource),
    versionEndpoint(dependencies, resource),
    ...(['restore', 'undo'] as const).map((action) =>
      actionEndpoint(dependencies, resource, action),
    ),
    redactEndpoint(dependencies, resource),
  ]),
  deletedEndpoint(dependencies),
]

function versionsEndpoint(
  { catalogue }: HistoryEndpointsDependencies,
  resource: Resource,
): Endpoint {
  const { name, noun } = resource
  return {
    path: `/api/${name}/:id/history/`,
    name: `${noun} History`,
    description:
      'The versions of the record, the oldest first: who made each, and what it changed. A deleted record has a history too.',
    formats: [json],
    resource: name,
    readsNeedRights: true,
    methods: {
      async GET(ctx) {
        const id = recordIdParam(ctx)
        await requireWritable(catalogue, ctx, { target: name, id })
        const versions = await catalogue.history(name, id)
        const query = parsePageQuery(ctx)
        const { count, results } = paginate(versions, query)
        const shown = results.map((version) => describeVersion(resource, version))
        sendPrivately(ctx, pageOf(ctx, query, count, shown))
      },
    },
  }
}

function versionEndpoint(
  { catalogue }: HistoryEndpointsDependencies,
  resource: Resource,
): Endpoint {
  const { name, noun } = resource
  return {
    path: `/api/${name}/:id/history/:version/`,
    name: `${noun} Version`,
    description:
      'The record as it was in this version. Names of other records, and labels, are those of today.',
    formats: [json],
    resource: name,
    readsNeedRights: true,
    methods: {
      async GET(ctx) {
        const [id, number] = [recordIdParam(ctx), versionParam(ctx)]
        await requireWritable(catalogue, ctx, { target: name, id })
        const versions = await catalogue.history(name, id)
        const found = versions.find(({ version }) => version === number)
        // Of a version whose past was removed, nothing is known.
        const isRemoved = found?.redacted.includes(resource.id.name)
        if (!found?.after || isRemoved) throw new NotFoundError()
        sendPrivately(ctx, await catalogue.showValues(name, found.after))
      },
    },
  }
}

const actions = {
  restore: {
    noun: 'Restoration',
    description:
      'Gives the record the values of this version. A deleted record comes back, with what its deletion took along. ' +
      'Private fields, and whether the record is public, stay as they are, unless the body is {"private": true}.',
    method: 'restoreVersion',
  },
  undo: {
    noun: 'Undoing',
    description:
      'Takes back what the change that made this version wrote, and keeps what was changed since. ' +
      'Where both wrote the same field, nothing is changed, and the answer is 409 with the fields.',
    method: 'undoVersion',
  },
} as const

function actionEndpoint(
  { catalogue }: HistoryEndpointsDependencies,
  { name, noun }: Resource,
  action: keyof typeof actions,
): Endpoint {
  const { noun: actionNoun, description, method } = actions[action]
  return {
    path: `/api/${name}/:id/history/:version/${action}/`,
    name: `${noun} ${actionNoun}`,
    description,
    formats: [json],
    resource: name,
    methods: {
      async POST(ctx) {
        const [id, version] = [recordIdParam(ctx), versionParam(ctx)]
        await requireWritable(catalogue, ctx, { target: name, id })
        await catalogue[method](name, id, version, await readRestoreRequest(ctx, action))
        // Undoing the creation of a record removes it.
        if (!(await catalogue.exists(name, id))) {
          ctx.status = 204
          return
        }
        ctx.set('Cache-Control', privately)
        sendText(ctx, (await catalogue.readJson(name, id)).json)
      },
    },
  }
}

function redactEndpoint(
  { catalogue }: HistoryEndpointsDependencies,
  { name, noun }: Resource,
): Endpoint {
  return {
    path: `/api/${name}/:id/redact/`,
    name: `${noun} Redaction`,
    description:
      'Removes a value of a field from the record and from all its versions, or with {"past": true} all earlier versions, for good. ' +
      'Only administrators may do this. The history says that something was removed and by whom, not what.',
    formats: [json],
    resource: name,
    methods: {
      async POST(ctx) {
        const { account } = ctx.state
        if (account?.role !== 'admin') throw new ForbiddenError()
        const id = recordIdParam(ctx)
        const redaction = parseRedaction(await readBody(ctx))
        const source = { account: account.name, how: 'redaction' } as const
        await catalogue.redact({ target: name, id }, redaction, source)
        ctx.status = 204
      },
    },
  }
}

/** @throws HttpError 400 */
function parseRedaction(body: ReadonlyMap<string, unknown>): Redaction {
  if (body.get('past') === true) return { past: true }
  const [field, value] = [body.get('field'), body.get('value')]
  if (typeof field !== 'string') throw httpErrors.invalidField('field', requiredMessage)
  if (typeof value !== 'string' || value.trim() === '')
    throw httpErrors.invalidField('value', requiredMessage)
  return { field, value: value.normalize('NFC').trim() }
}

/** @throws HttpError 400 for another value of `private` than true and false */
async function readRestoreRequest(
  ctx: RequestContext,
  how: RestoreRequest['source']['how'],
): Promise<RestoreRequest> {
  const withPrivate = (await readBody(ctx)).get('private') ?? false
  if (typeof withPrivate !== 'boolean')
    throw httpErrors.invalidField('private', message('Must be a valid boolean.'))
  return { withPrivate, source: { account: ctx.state.account?.name, how } }
}

function deletedEndpoint({ catalogue, resources }: HistoryEndpointsDependencies): Endpoint {
  return {
    path: '/api/deleted/',
    name: 'Deleted Records',
    description:
      'The records that were deleted and do not exist now, the last deletion first, as far as the account may write them.',
    formats: [json],
    readsNeedRights: true,
    methods: {
      async GET(ctx) {
        const query = parsePageQuery(ctx)
        const all = await catalogue.deletedRecords(kindsToShow(ctx))
        const writable = await writableRecords(catalogue, ctx.state.account, all)
        const { count, results } = paginate(writable, query)
        const deletions = await catalogue.deletionsOf(results)
        const shown = deletions.map(({ reference: { target, id }, deletion }) => {
          const { title } = resources[target]
          return {
            kind: target,
            id,
            title: title && deletion?.before ? textValue(deletion.before, title.name) : '',
            version: deletion?.version ?? null,
            at: deletion?.at ?? null,
            account: deletion?.account ?? null,
            how: deletion?.how ?? null,
          }
        })
        sendPrivately(ctx, pageOf(ctx, query, count, shown))
      },
    },
  }
}

/**
 * @throws HttpError 400 for a kind that does not exist, 403 for one that the account may not write
 */
function kindsToShow(ctx: RequestContext): readonly ResourceName[] {
  const { account } = ctx.state
  const writable = resourceNames.filter((name) => account && mayWrite(account, name))
  const kind = queryParam(ctx, 'kind')
  if (kind === '') return writable
  if (!resourceNames.some((name) => name === kind))
    throw httpErrors.badRequest(`There is no kind ${kind}.`)
  const found = writable.filter((name) => name === kind)
  if (found.length === 0) throw new ForbiddenError()
  return found
}

/** The number in the path. @throws NotFoundError if it is none */
function versionParam(ctx: RequestContext): number {
  const text = ctx.params.version ?? ''
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new NotFoundError()
  return Number(text)
}

const describeVersion = (
  resource: Resource,
  { version, at, account, how, batch, change, before, after, redacted }: RecordVersion,
) => ({
  version,
  at,
  account: account ?? null,
  how: how ?? null,
  batch: batch ?? null,
  change: change ?? null,
  // The version at which the history begins was made by no known change.
  changes: change ? changesOf(resource, before, after) : {},
  redacted,
})

/** The fields that a change wrote. Where there was no record before or after, the value is null. */
function changesOf(
  resource: Resource,
  before: RecordValues | undefined,
  after: RecordValues | undefined,
): Readonly<Record<string, FieldChange>> {
  return Object.fromEntries(
    fieldsThatDiffer(resource, before, after).map((field) => {
      const valueIn = (values: RecordValues | undefined): FieldValue =>
        values ? (values[field.name] ?? unsetValue(field)) : null
      return [field.name, { before: valueIn(before), after: valueIn(after) }]
    }),
  )
}

/** Sends what only some accounts may see. */
function sendPrivately(ctx: RequestContext, value: unknown): void {
  ctx.set('Cache-Control', privately)
  sendJson(ctx, value)
}

const privately = 'private, no-store'
