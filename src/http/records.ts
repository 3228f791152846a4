// The four resources over HTTP: the specification's six operations on each.

import { maySeePrivate } from '../accounts/rights.js'
import type { Catalogue, ListRequest, Shown } from '../catalogue/catalogue.js'
import type { ResourceName } from '../model/addresses.js'
import type { Resource, Resources } from '../model/facts.js'
import type { View } from '../model/read-shape.js'
import { encodeSegment } from '../rdf/terms.js'
import { readBody } from './body.js'
import { etagOf, expectationOf, sendJson } from './conditional.js'
import type { Context, Endpoint } from './endpoint.js'
import { json } from './negotiate.js'
import { pageObject, pageRequestOf } from './pages.js'
import { lastOf, originOf, queryOf } from './query.js'

export const recordEndpoints = (catalogue: Catalogue, resources: Resources): Endpoint[] =>
  Object.values(resources).flatMap((resource) => [
    listEndpoint(catalogue, resource),
    recordEndpoint(catalogue, resource),
  ])

function listEndpoint(catalogue: Catalogue, { name, noun, description, id }: Resource): Endpoint {
  return {
    path: `/api/${name}/`,
    name: `${noun} List`,
    description,
    formats: [json],
    writes: name,
    methods: {
      async GET(ctx) {
        const request = listRequestOf(ctx)
        const page = await catalogue.list(name, request)
        sendJson(ctx, pageObject(ctx, request, page))
      },
      async POST(ctx) {
        const body = await readBody(ctx)
        const view = viewOf(ctx, name)
        const created = await catalogue.create(name, body, { view })
        answer(ctx, 201, created, view)
        const segment = encodeSegment(created.showing[id.name] as string)
        ctx.set('Location', `${originOf(ctx)}/api/${name}/${segment}/`)
      },
    },
  }
}

function recordEndpoint(catalogue: Catalogue, { name, noun, description }: Resource): Endpoint {
  return {
    path: `/api/${name}/:id/`,
    name: `${noun} Instance`,
    description,
    formats: [json],
    writes: name,
    methods: {
      async GET(ctx) {
        const view = viewOf(ctx, name)
        const { showing, version } = await catalogue.read(name, idOf(ctx), view)
        keepFromCaches(ctx, view)
        sendJson(ctx, showing, version)
      },
      PUT: (ctx) => rewrite(ctx, 'replace'),
      PATCH: (ctx) => rewrite(ctx, 'change'),
      async DELETE(ctx) {
        await catalogue.remove(name, idOf(ctx), { expects: expectationOf(ctx) })
        ctx.status = 204
      },
    },
  }

  async function rewrite(ctx: Context, how: 'replace' | 'change'): Promise<void> {
    const id = idOf(ctx)
    // An absent record is told before a bad body.
    await catalogue.read(name, id)
    const body = await readBody(ctx)
    const view = viewOf(ctx, name)
    const written = await catalogue[how](name, id, body, { view, expects: expectationOf(ctx) })
    answer(ctx, 200, written, view)
  }
}

function answer(ctx: Context, status: number, { showing, version }: Shown, view: View): void {
  keepFromCaches(ctx, view)
  ctx.status = status
  ctx.set('ETag', etagOf(version, ctx.state.format.name))
  ctx.body = showing
}

/** Private fields are shown to those who may edit agents, on the agent's own page, when they ask. */
function viewOf(ctx: Context, name: ResourceName): View {
  const { account } = ctx.state
  const asked = name === 'agents' && lastOf(ctx, 'private') === 'true'
  return asked && account && maySeePrivate(account) ? 'private' : 'detail'
}

function keepFromCaches(ctx: Context, view: View): void {
  if (view === 'private') ctx.set('Cache-Control', 'private, no-store')
}

const idOf = (ctx: Context): string => ctx.params.id ?? ''

function listRequestOf(ctx: Context): ListRequest {
  const query = queryOf(ctx)
  return {
    filters: query,
    search: query.get('search') ?? '',
    ordering: (query.get('ordering') ?? '').split(',').map((name) => name.trim()),
    ...pageRequestOf(ctx),
  }
}
