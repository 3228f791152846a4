// The history of records: their versions, what each changed, and taking it back. Only accounts that
// may write the record see it. What versions are is left to catalogue/history.

import { ForbiddenError, NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { RecordVersion } from '../../catalogue/history/record-history.js'
import { fieldsThatDiffer } from '../../catalogue/history/value-differences.js'
import type { ChangeSource } from '../../catalogue/writes/committer.js'
import type { Redaction } from '../../catalogue/writes/redaction.js'
import { mayWrite } from '../../accounts/rights.js'
import { json } from '../../formats/common-formats.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { requiredMessage } from '../../model/record/input.js'
import { type FieldValue, type RecordValues, textValue } from '../../model/record/values.js'
import { type Resource, type Resources, unsetValue } from '../../model/resources.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { inQuery, pageOperation, recordSchema } from '../../http/operation.js'
import { readBody } from '../../http/request/body.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { pageOf, pageOfAll, paginate, parsePageQuery } from '../../http/request/pagination.js'
import {
  existsFor,
  readFor,
  requireWritable,
  writableRecords,
} from '../../http/request/record-rights.js'
import { queryParam } from '../../http/request/url.js'
import { sendText } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import { shownHistory } from './shown-history.js'
import {
  privately,
  readRestoreRequest,
  restoreSchema,
  sendPrivately,
  versionParam,
} from './version-requests.js'

type DeletedRecord = Awaited<ReturnType<Catalogue['deletionsOf']>>[number]

export type HistoryEndpointsDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
}

const fieldValueSchema: schema.SchemaOf<FieldValue> = {
  oneOf: [
    schema.nullable(schema.text()),
    schema.integer(),
    schema.boolean(),
    schema.listOf(schema.text()),
  ],
}

const changesSchema = schema.mapOf(
  schema.component(
    'FieldChange',
    'The value of a field before and after a change; null where the record did not exist.',
    { before: fieldValueSchema, after: fieldValueSchema },
  ),
  'The fields that the change wrote, by their names.',
)

const versionSchema = schema.component(
  'RecordVersion',
  'A version of a record, and the change that made it.',
  {
    version: schema.positive(),
    at: schema.time(),
    account: schema.nullable(schema.text('Who made the change, where an account was used.')),
    how: schema.nullable(schema.text('How the change came, such as `api` or `page`.')),
    batch: schema.nullable(schema.text('The batch that the change belongs to.')),
    change: schema.nullable(
      schema.text(
        '`created`, `updated`, `deleted`, `merged`, `hidden` or `shown`; null for the version at which the history begins.',
      ),
    ),
    changes: changesSchema,
    redacted: schema.listOf(schema.text(), 'The fields of which a value was removed for good.'),
  },
)

/** Not the schema of a present record: what a version referred to may not exist any more. */
const formerRecordSchema = schema.anyObject({
  additionalProperties: true,
  description: 'The record as GET showed it then, with its private fields.',
})

const deletedSchema = schema.component(
  'DeletedRecord',
  'A record that was deleted and does not exist now.',
  {
    kind: schema.text(),
    id: schema.text(),
    title: schema.text(),
    version: schema.nullable(schema.integer('The version that the deletion made.')),
    at: schema.nullable(schema.time()),
    account: schema.nullable(schema.text()),
    how: schema.nullable(schema.text()),
  },
)

const redactSchema = schema.component(
  'RedactRequest',
  'What is removed for good.',
  schema.partial({
    field: schema.text('The field that has the value, or had it once.'),
    value: schema.text('The value that is removed.'),
    past: schema.boolean('With `true`, all earlier versions are removed.'),
  }),
)

export const historyEndpoints = (dependencies: HistoryEndpointsDependencies): Endpoint[] => [
  ...Object.values(dependencies.resources).flatMap((resource) => [
    versionsEndpoint(dependencies, resource),
    versionEndpoint(dependencies, resource),
    ...(['restore', 'undo'] as const).map((action) =>
      actionEndpoint(dependencies, resource, action),
    ),
    redactEndpoint(dependencies, resource),
    forgetEndpoint(dependencies, resource),
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
        const versions = await shownHistory(catalogue, ctx.state.account, { target: name, id })
        const show = (version: RecordVersion) => describeVersion(resource, version)
        sendPrivately(ctx, pageOfAll(ctx, versions, show))
      },
    },
    operations: { GET: pageOperation(schema.page('PaginatedRecordVersionList', versionSchema)) },
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
        const versions = await shownHistory(catalogue, ctx.state.account, { target: name, id })
        const match = versions.find(({ version }) => version === number)
        // Of a version whose past was removed, nothing is known.
        const isRemoved = match?.redacted.includes(resource.id.name)
        if (!match?.after || isRemoved) throw new NotFoundError()
        sendPrivately(ctx, await catalogue.showValues(name, match.after))
      },
    },
    operations: { GET: { response: formerRecordSchema } },
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
        const reference = { target: name, id }
        if (!(await existsFor(catalogue, ctx.state.account, reference))) {
          ctx.status = 204
          return
        }
        ctx.set('Cache-Control', privately)
        sendText(ctx, (await readFor(catalogue, ctx.state.account, reference)).json)
      },
    },
    operations: {
      POST: {
        request: restoreSchema,
        isRequestOptional: true,
        response: recordSchema(`${noun}Detail`),
        errors: [409],
        mayRemove: true,
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
        const source = sourceOf(ctx)
        const id = recordIdParam(ctx)
        const redaction = parseRedaction(await readBody(ctx))
        await catalogue.redact({ target: name, id }, redaction, source)
        ctx.status = 204
      },
    },
    operations: { POST: { request: redactSchema, done: 'The value is removed for good.' } },
  }
}

function forgetEndpoint(
  { catalogue }: HistoryEndpointsDependencies,
  { name, noun }: Resource,
): Endpoint {
  return {
    path: `/api/${name}/:id/forget/`,
    name: `${noun} Forgetting`,
    description:
      'Forgets for good an identifier that leads to another record, or a deleted record with its identifier and its history. ' +
      'Only administrators may do this. No record can have the identifier again, and its IRI answers 410.',
    formats: [json],
    resource: name,
    methods: {
      async POST(ctx) {
        const source = sourceOf(ctx)
        await catalogue.forget({ target: name, id: recordIdParam(ctx) }, source)
        ctx.status = 204
      },
    },
    operations: { POST: { errors: [409], done: 'The identifier is forgotten.' } },
  }
}

/** Who removes something for good. @throws ForbiddenError unless it is an administrator */
function sourceOf(ctx: RequestContext): ChangeSource {
  const { account } = ctx.state
  if (account?.role !== 'admin') throw new ForbiddenError()
  return { account: account.name, how: 'redaction' }
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
        const shown = deletions.map((deleted) => describeDeleted(resources, deleted))
        sendPrivately(ctx, pageOf(ctx, query, count, shown))
      },
    },
    operations: {
      GET: {
        ...pageOperation(
          schema.page('PaginatedDeletedRecordList', deletedSchema),
          inQuery('kind', 'Only records of this kind.', schema.choice(resourceNames)),
        ),
        errors: [400],
      },
    },
  }
}

function describeDeleted(
  resources: Resources,
  { reference: { target, id }, deletion }: DeletedRecord,
): schema.ValueOf<typeof deletedSchema> {
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
  const kinds = writable.filter((name) => name === kind)
  if (kinds.length === 0) throw new ForbiddenError()
  return kinds
}

const describeVersion = (
  resource: Resource,
  { version, at, account, how, batch, change, turned, before, after, redacted }: RecordVersion,
): schema.ValueOf<typeof versionSchema> => ({
  version,
  at,
  account: account ?? null,
  how: how ?? null,
  batch: batch ?? null,
  change: turned ?? change ?? null,
  // The version at which the history begins was made by no known change.
  changes: change ? changesOf(resource, before, after) : {},
  redacted,
})

/** The fields that a change wrote. Where there was no record before or after, the value is null. */
function changesOf(
  resource: Resource,
  before: RecordValues | undefined,
  after: RecordValues | undefined,
): schema.ValueOf<typeof changesSchema> {
  return Object.fromEntries(
    fieldsThatDiffer(resource, before, after).map((field) => {
      const valueIn = (values: RecordValues | undefined): FieldValue =>
        values ? (values[field.name] ?? unsetValue(field)) : null
      return [field.name, { before: valueIn(before), after: valueIn(after) }]
    }),
  )
}
