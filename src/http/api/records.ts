// The four resources over HTTP: the specification's six operations on each.

import { maySeePrivate } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { RecordNotFoundError } from '../../catalogue/errors.js'
import type { FoundRecord } from '../../catalogue/record-reads.js'
import { type ListInfo, serializeListInSteps } from '../../formats/serializer.js'
import type { Serializers } from '../../formats/serializers.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import { textValue } from '../../model/record/values.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { ViewName } from '../../model/record/views.js'
import { encodeSegment } from '../../rdf/terms.js'
import { collectInSteps } from '../../scheduling.js'
import { recordIdParam, selectSerializer, parseListQuery } from '../request/list-query.js'
import { readBody } from '../request/body.js'
import { parseIfMatch, sendText, sendRecordJson } from '../response/conditional.js'
import type { RequestContext, Endpoint, Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import { type PageQuery, setPageLinks, parsePageQuery } from '../request/pagination.js'
import { queryParam, requestOrigin } from '../request/url.js'

/** What the addresses of a resource show to a browser. */
export type RecordPages = {
  readonly list: (name: ResourceName) => Handler
  readonly record: (name: ResourceName) => Handler
}

type RecordEndpointsDependencies = {
  readonly iris: Iris
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly serializers: Serializers
  readonly pages: RecordPages
}

export const recordEndpoints = (parts: RecordEndpointsDependencies): Endpoint[] =>
  Object.values(parts.resources).flatMap((resource) => [
    listEndpoint(parts, resource),
    recordEndpoint(parts, resource),
  ])

function listEndpoint(
  parts: RecordEndpointsDependencies,
  { name, noun, description, id }: Resource,
): Endpoint {
  const { catalogue, pages, serializers } = parts
  return {
    path: `/api/${name}/`,
    name: `${noun} List`,
    description,
    formats: serializers[name],
    resource: name,
    htmlHandler: pages.list(name),
    methods: {
      async GET(ctx) {
        const request = { ...parseListQuery(ctx), ...parsePageQuery(ctx) }
        const serializer = selectSerializer(ctx, serializers[name])
        ctx.state.isCurrent = catalogue.currentUntilNextWrite()
        if (isJson(ctx)) {
          const { count, items } = await catalogue.listJson(name, request)
          const listed = listedIn(ctx, request, count)
          sendText(
            ctx,
            `${serializer.listStart(listed)}${items.join(',')}${serializer.listEnd(listed)}`,
          )
          return
        }
        const view = serializer.listsUseListView ? 'list' : 'detail'
        const { count, records } = await catalogue.list(name, request, view)
        // In some formats a hundred records take a tenth of a second.
        const pieces = await collectInSteps(
          serializeListInSteps(serializer, records, listedIn(ctx, request, count)),
        )
        sendText(ctx, pieces.join(''))
      },
      async POST(ctx) {
        const body = await readBody(ctx)
        const view = requestedView(ctx, name)
        const created = await catalogue.create(name, body, { view })
        answer(ctx, parts, created, view)
        ctx.status = 201
        const segment = encodeSegment(textValue(created.record.values, id.name))
        ctx.set('Location', `${requestOrigin(ctx)}/api/${name}/${segment}/`)
      },
    },
  }
}

/** What is said of a list beside its records, in its headers too. */
function listedIn(ctx: RequestContext, request: PageQuery, count: number): ListInfo {
  ctx.set('X-Total-Count', String(count))
  return { count, links: setPageLinks(ctx, request, count) }
}

function recordEndpoint(
  parts: RecordEndpointsDependencies,
  { name, noun, description }: Resource,
): Endpoint {
  const { iris, catalogue, pages, serializers } = parts
  return {
    path: `/api/${name}/:id/`,
    name: `${noun} Instance`,
    description,
    formats: serializers[name],
    resource: name,
    htmlHandler: pages.record(name),
    methods: {
      async GET(ctx) {
        const view = requestedView(ctx, name)
        let isCurrent = catalogue.currentUntilNextWrite()
        if (view === 'detail' && isJson(ctx)) {
          const cached = await catalogue.readJson(name, recordIdParam(ctx))
          ;({ isCurrent } = cached)
          sendRecordJson(ctx, cached)
        } else answer(ctx, parts, await catalogue.read(name, recordIdParam(ctx), view), view)
        const [thing, record] = [
          iris.thing(name, recordIdParam(ctx)).value,
          iris.record(name, recordIdParam(ctx)).value,
        ]
        ctx.append('Link', `<${record}>; rel="describedby"; anchor="${thing}"`)
        // Who else asks the same may be shown more.
        if (!wantsPrivate(ctx)) ctx.state.isCurrent = isCurrent
      },
      PUT: (ctx) => rewrite(ctx, 'replace'),
      PATCH: (ctx) => rewrite(ctx, 'change'),
      async DELETE(ctx) {
        await catalogue.remove(name, recordIdParam(ctx), { precondition: parseIfMatch(ctx) })
        ctx.status = 204
      },
    },
  }

  async function rewrite(ctx: RequestContext, how: 'replace' | 'change'): Promise<void> {
    const id = recordIdParam(ctx)
    // That the record does not exist is reported before errors of the body.
    if (!(await catalogue.exists(name, id))) throw new RecordNotFoundError()
    const body = await readBody(ctx)
    const view = requestedView(ctx, name)
    const written = await catalogue[how](name, id, body, { view, precondition: parseIfMatch(ctx) })
    answer(ctx, parts, written, view)
  }
}

function answer(
  ctx: RequestContext,
  { serializers }: RecordEndpointsDependencies,
  found: FoundRecord,
  view: ViewName,
): void {
  const { record, version } = found
  if (view === 'private') ctx.set('Cache-Control', 'private, no-store')
  if (isJson(ctx)) sendRecordJson(ctx, found)
  else
    sendText(ctx, selectSerializer(ctx, serializers[record.resource.name]).record(record), version)
}

const isJson = ({ state: { format } }: RequestContext): boolean => format.name === json.name

/** Private fields are shown to those who may edit agents, on the agent's own page, when they ask. */
function requestedView(ctx: RequestContext, name: ResourceName): ViewName {
  const { account } = ctx.state
  // In JSON alone: what is kept as a file goes further than who asked for it.
  const asked = name === 'agents' && isJson(ctx) && wantsPrivate(ctx)
  return asked && account && maySeePrivate(account) ? 'private' : 'detail'
}

const wantsPrivate = (ctx: RequestContext): boolean => queryParam(ctx, 'private') === 'true'
