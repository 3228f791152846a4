// The versions of lists over HTTP, which only those who edit lists see: what each changed, taking
// it back, and the lists that were deleted.

import { ForbiddenError, NotFoundError } from '../../errors.js'
import { json } from '../../formats/common-formats.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { pageOperation } from '../../http/operation.js'
import { pageOf, pageOfAll, paginate, parsePageQuery } from '../../http/request/pagination.js'
import * as schema from '../../http/schemas.js'
import {
  deletedListsPath,
  listForgettingRoute,
  listHistoryRoute,
  listVersionRoute,
} from '../../views/links.js'
import {
  readRestoreRequest,
  restoreSchema,
  sendPrivately,
  versionParam,
} from '../history/version-requests.js'
import type { ListField } from './curated-lists.js'
import { type ListDependencies, checkEditor, sendList } from './lists-api.js'
import {
  deletedListSchema,
  describeDeleted,
  formerListSchema,
  listSchema,
  recordsSchema,
  toRecords,
} from './list-schemas.js'
import { fieldNames } from './list-undo.js'
import { type ShownListVersion, createVersionView } from './shown-versions.js'

const fieldValueSchema: schema.SchemaOf<
  string | boolean | null | schema.ValueOf<typeof recordsSchema>
> = { oneOf: [schema.nullable(schema.text()), schema.boolean(), recordsSchema] }

const changesSchema = schema.mapOf(
  schema.component(
    'CuratedListFieldChange',
    'A field of a list before and after a change; null where there was no list.',
    { before: fieldValueSchema, after: fieldValueSchema },
  ),
  'What the change wrote: `title`, `text`, `public` or `records`. Empty where the version before is not kept.',
)

const versionSchema = schema.component(
  'CuratedListVersion',
  'A version of a list, and the change that made it.',
  {
    version: schema.positive(),
    at: schema.time(),
    account: schema.nullable(schema.text('Who made the change.')),
    how: schema.nullable(schema.text('How it came: `api`, `page`, `load`, `restore` or `undo`.')),
    change: schema.nullable(
      schema.text(
        '`created`, `updated` or `deleted`; null for the version at which the history begins.',
      ),
    ),
    changes: changesSchema,
    redacted: schema.listOf(schema.text(), 'The fields of which a value was removed for good.'),
  },
)

export const listHistoryEndpoints = (dependencies: ListDependencies): Endpoint[] => [
  versionsEndpoint(dependencies),
  versionEndpoint(dependencies),
  takingBackEndpoint(dependencies, 'restore'),
  takingBackEndpoint(dependencies, 'undo'),
  forgettingEndpoint(dependencies),
  deletedEndpoint(dependencies),
]

const slugOf = (ctx: RequestContext): string => String(ctx.params.list)

const versionsEndpoint = ({ catalogue, lists }: ListDependencies): Endpoint => ({
  path: listHistoryRoute,
  name: 'List History',
  description:
    'The versions of a list, the oldest first: who made each, and what it changed. A deleted list has a history too.',
  formats: [json],
  readsNeedRights: true,
  methods: {
    async GET(ctx) {
      checkEditor(ctx)
      const versions = await lists.history(slugOf(ctx))
      const query = parsePageQuery(ctx)
      const { count, results } = paginate(versions, query)
      const show = createVersionView(catalogue, ctx.state.account)
      const offset = (query.page - 1) * query.pageSize
      const shown: schema.ValueOf<typeof versionSchema>[] = []
      for (const [index, version] of results.entries())
        shown.push(describeVersion(await show(version, versions[offset + index - 1])))
      sendPrivately(ctx, pageOf(ctx, query, count, shown))
    },
  },
  operations: {
    GET: pageOperation(schema.page('PaginatedCuratedListVersionList', versionSchema)),
  },
})

const versionEndpoint = ({ catalogue, lists }: ListDependencies): Endpoint => ({
  path: listVersionRoute,
  name: 'List Version',
  description: 'A list as it was in this version, with the identifiers that its records have now.',
  formats: [json],
  readsNeedRights: true,
  methods: {
    async GET(ctx) {
      checkEditor(ctx)
      const number = versionParam(ctx)
      const versions = await lists.history(slugOf(ctx))
      const version = versions.find((candidate) => candidate.version === number)
      const show = createVersionView(catalogue, ctx.state.account)
      const { after } = version ? await show(version, undefined) : {}
      if (!after) throw new NotFoundError()
      const { title, isPublic, text, records } = after
      const former: schema.ValueOf<typeof formerListSchema> = {
        slug: slugOf(ctx),
        title,
        public: isPublic,
        text,
        records: toRecords(records),
      }
      sendPrivately(ctx, former)
    },
  },
  operations: { GET: { response: formerListSchema } },
})

const actions = {
  restore: {
    name: 'List Restoration',
    description:
      'Makes a list what it was in this version; a deleted list comes back. ' +
      'Whether it is public stays as it is, unless the body is {"private": true}.',
  },
  undo: {
    name: 'List Undoing',
    description:
      'Takes back what the change that made this version wrote, and keeps what was changed since. ' +
      'Where both wrote the same field, nothing is changed, and the answer is 409 with the fields.',
  },
} as const

const takingBackEndpoint = (
  dependencies: ListDependencies,
  action: keyof typeof actions,
): Endpoint => ({
  path: `${listVersionRoute}${action}/`,
  ...actions[action],
  formats: [json],
  methods: {
    async POST(ctx) {
      checkEditor(ctx)
      const request = await readRestoreRequest(ctx, action)
      const list = await dependencies.lists[action](slugOf(ctx), versionParam(ctx), request)
      // Undoing the creation of a list deletes it.
      if (list) await sendList(dependencies, ctx, list)
      else ctx.status = 204
    },
  },
  operations: {
    POST: {
      request: restoreSchema,
      isRequestOptional: true,
      response: listSchema,
      errors: [409],
      ...(action === 'undo' && { mayRemove: true }),
    },
  },
})

const forgettingEndpoint = ({ lists }: ListDependencies): Endpoint => ({
  path: listForgettingRoute,
  name: 'List Forgetting',
  description:
    'Removes a deleted list for good, with all its versions. Only administrators may do this.',
  formats: [json],
  methods: {
    async POST(ctx) {
      if (ctx.state.account?.role !== 'admin') throw new ForbiddenError()
      await lists.forgetDeleted(slugOf(ctx))
      ctx.status = 204
    },
  },
  operations: { POST: { errors: [409], done: 'The list is forgotten.' } },
})

const deletedEndpoint = ({ lists }: ListDependencies): Endpoint => ({
  path: deletedListsPath,
  name: 'Deleted Lists',
  description: 'The lists that were deleted and can be restored, the last deletion first.',
  formats: [json],
  readsNeedRights: true,
  methods: {
    GET(ctx) {
      checkEditor(ctx)
      sendPrivately(ctx, pageOfAll(ctx, lists.deleted(), describeDeleted))
    },
  },
  operations: {
    GET: pageOperation(schema.page('PaginatedDeletedCuratedListList', deletedListSchema)),
  },
})

const describeVersion = ({
  version,
  at,
  account,
  how,
  change,
  before,
  after,
  changed,
  redacted = [],
}: ShownListVersion): schema.ValueOf<typeof versionSchema> => ({
  version,
  at,
  account: account ?? null,
  how: how ?? null,
  change: change ?? null,
  changes: Object.fromEntries(
    changed.map((field) => [
      fieldNames[field],
      { before: valueIn(before, field), after: valueIn(after, field) },
    ]),
  ),
  redacted: redacted.map((field) => fieldNames[field]),
})

function valueIn(
  list: ShownListVersion['after'],
  field: ListField,
): schema.ValueOf<typeof fieldValueSchema> {
  if (!list) return null
  return field === 'records' ? toRecords(list.records) : list[field]
}
