// The endpoints of the lists that editors make (docs/reference/records.md, "Lists of editors"). Browsers get
// the pages of lists-pages.tsx there.

import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { html, json } from '../../formats/common-formats.js'
import type { Resources } from '../../model/resources.js'
import { ForbiddenError } from '../../errors.js'
import type { Handler, RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { pageOperation } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { readBody } from '../../http/request/body.js'
import { sourceOfRequest } from '../../http/request/change-source.js'
import { pageOfAll } from '../../http/request/pagination.js'
import { mayEditLists } from '../../http/request/record-rights.js'
import { parsePrecondition, sendJson, sendText } from '../../http/response/conditional.js'
import type { AssetUrls } from '../../http/response/html.js'
import * as schema from '../../http/schemas.js'
import {
  curatedListPath,
  listBookletRoute,
  listRoute,
  listThingRoute,
  listsPath,
} from '../../views/links.js'
import { sendBooklet } from '../booklets/booklet.js'
import { maxRecords } from '../booklets/booklet-page.js'
import type { Covers } from '../covers/cover.js'
import type { CuratedList, CuratedLists } from './curated-lists.js'
import { type FormatDependencies, listFormats, serializeList } from './list-formats.js'
import { parseListInput, parseSlug } from './list-input.js'
import {
  listSchema,
  listToAddSchema,
  listToReplaceSchema,
  summarySchema,
  toRecords,
  toSummary,
} from './list-schemas.js'
import {
  findListed,
  isVisible,
  removeList,
  replaceList,
  requireList,
  versionSeen,
  visibleAmong,
  visibleLists,
  visibleRecords,
} from './listed-records.js'
import { sendListPage, sendListsPage } from './lists-pages.js'
import { redirectToOther } from '../../http/response/redirect.js'

export type ListDependencies = FormatDependencies & {
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly lists: CuratedLists
  readonly pictures: Covers
  readonly resources: Resources
}

export const listEndpoints = (dependencies: ListDependencies): Endpoint[] => [
  listsEndpoint(dependencies),
  listEndpoint(dependencies),
]

const listsEndpoint = (dependencies: ListDependencies): Endpoint => ({
  path: listsPath,
  name: 'Lists',
  description: 'The lists that editors made, in the order of their titles.',
  formats: [json],
  htmlHandler: (ctx) => sendListsPage(dependencies, ctx),
  methods: {
    GET(ctx) {
      const { account } = ctx.state
      const page = pageOfAll(ctx, visibleLists(dependencies.lists, account), toSummary)
      setCaching(ctx, account)
      sendJson(ctx, page)
    },
    async POST(ctx) {
      checkEditor(ctx)
      const { catalogue, lists } = dependencies
      const body = await readBody(ctx)
      const slug = parseSlug(body.get('slug'))
      const input = await parseListInput(catalogue, ctx.state.account, body)
      const list = await lists.add(slug, input, sourceOfRequest(ctx))
      await sendList(dependencies, ctx, list)
      ctx.status = 201
      ctx.set('Location', requestOrigin(ctx) + curatedListPath(slug))
    },
  },
  operations: {
    GET: pageOperation(schema.page('PaginatedCuratedListList', summarySchema)),
    POST: { request: listToAddSchema, response: listSchema, creates: true, errors: [409] },
  },
})

const listEndpoint = (dependencies: ListDependencies): Endpoint => ({
  path: listRoute,
  name: 'List',
  description: 'A list that editors made, with its records.',
  formats: listFormats,
  htmlHandler: (ctx) => sendListPage(dependencies, ctx),
  methods: {
    async GET(ctx) {
      await sendList(dependencies, ctx, requestedList(dependencies, ctx))
    },
    async PUT(ctx) {
      checkEditor(ctx)
      const { account } = ctx.state
      const list = requestedList(dependencies, ctx)
      const input = await parseListInput(dependencies.catalogue, account, await readBody(ctx))
      const by = { source: sourceOfRequest(ctx), isMet: parsePrecondition(ctx) }
      await sendList(dependencies, ctx, await replaceList(dependencies, account, list, input, by))
    },
    async DELETE(ctx) {
      checkEditor(ctx)
      const by = { source: sourceOfRequest(ctx), isMet: parsePrecondition(ctx) }
      await removeList(dependencies, ctx.state.account, requestedList(dependencies, ctx), by)
      ctx.status = 204
    },
  },
  operations: {
    GET: { response: listSchema },
    PUT: { request: listToReplaceSchema, response: listSchema, errors: [412] },
    DELETE: { errors: [412] },
  },
})

/** The addresses of a list that are no part of the API: its IRI, and its zines as a zine. */
export const listDocumentEndpoints = (dependencies: ListDependencies): Endpoint[] => [
  listThingEndpoint(dependencies),
  listBookletEndpoint(dependencies),
]

function listThingEndpoint(dependencies: ListDependencies): Endpoint {
  const redirectToList: Handler = (ctx) => {
    const { slug } = requestedThing(dependencies, ctx)
    const target = requestOrigin(ctx) + curatedListPath(slug)
    redirectToOther(ctx, target)
    ctx.state.links = [{ relation: 'describedby', target }]
  }
  return {
    path: listThingRoute,
    name: 'List as a Thing',
    description: 'The IRI of a list that editors made; redirects to the list.',
    formats: listFormats,
    ignoresAccept: true,
    htmlHandler: redirectToList,
    methods: { GET: redirectToList },
  }
}

const listBookletEndpoint = (dependencies: ListDependencies): Endpoint => ({
  path: listBookletRoute,
  name: 'List to Print',
  description: 'The zines of a list that editors made, as a zine to print, fold and cut or staple.',
  formats: [html],
  methods: {
    async GET(ctx) {
      const list = requestedList(dependencies, ctx)
      // Paper is handed on, so it has what everybody sees, also where an editor prints it.
      const shown = await visibleRecords(dependencies.catalogue, undefined, list)
      const zines = shown.flatMap(({ record }) =>
        record.resource.name === 'zines' ? [record] : [],
      )
      setCaching(ctx, ctx.state.account)
      await sendBooklet(ctx, dependencies, {
        title: list.title,
        path: curatedListPath(list.slug),
        records: zines.slice(0, maxRecords),
        count: zines.length,
      })
    },
  },
})

/** @throws NotFoundError, and HttpError 410 for one that the account saw before it was deleted */
function requestedThing({ lists }: ListDependencies, ctx: RequestContext): CuratedList {
  const slug = String(ctx.params.list)
  const deleted = lists.findDeleted(slug)
  if (deleted && isVisible(deleted, ctx.state.account)) throw httpErrors.gone()
  return requireList(lists, ctx.state.account, slug)
}

/** @throws NotFoundError */
const requestedList = ({ lists }: ListDependencies, ctx: RequestContext): CuratedList =>
  requireList(lists, ctx.state.account, String(ctx.params.list))

/** @throws ForbiddenError for who may not write all kinds of records */
export function checkEditor(ctx: RequestContext): void {
  if (!mayEditLists(ctx.state.account)) throw new ForbiddenError()
}

/** The version tells of records that are missing, so only those who edit the list get it. */
export async function sendList(
  dependencies: ListDependencies,
  ctx: RequestContext,
  list: CuratedList,
): Promise<void> {
  const { account } = ctx.state
  const listed = await findListed(dependencies.catalogue, account, list.records)
  const shown = visibleAmong(list, listed)
  const version = mayEditLists(account) ? versionSeen(list, listed) : undefined
  setCaching(ctx, account)
  if (ctx.state.format.name !== json.name) {
    sendText(ctx, serializeList(ctx.state.format, dependencies, list, shown), version)
    return
  }
  sendJson(
    ctx,
    {
      ...toSummary(list),
      text: list.text,
      records: toRecords(shown),
    },
    version,
  )
}

function setCaching(ctx: RequestContext, account: Account | undefined): void {
  ctx.set('Cache-Control', account ? 'private, no-store' : 'no-cache')
}
