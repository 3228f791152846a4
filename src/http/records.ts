// The four resources over HTTP: the specification's six operations on each.

import { maySeePrivate } from '../accounts/rights.js'
import type { Catalogue, Found } from '../catalogue/catalogue.js'
import { printPrivate } from '../formats/json.js'
import { printList } from '../formats/press.js'
import type { Presses } from '../formats/presses.js'
import type { Addresses, ResourceName } from '../model/addresses.js'
import { textOf } from '../model/card.js'
import type { Resource, Resources } from '../model/facts.js'
import type { View } from '../model/read-shape.js'
import { encodeSegment } from '../rdf/terms.js'
import { idOf, pressOf, soughtOf } from './asked.js'
import { readBody } from './body.js'
import { expectationOf, send } from './conditional.js'
import type { Context, Endpoint, Handler } from './endpoint.js'
import { json } from './negotiate.js'
import { linkPages, pageRequestOf } from './pages.js'
import { lastOf, originOf } from './query.js'

/** What the addresses of a resource show to a browser. */
export type Pages = {
  readonly list: (name: ResourceName) => Handler
  readonly record: (name: ResourceName) => Handler
}

type Parts = {
  readonly addresses: Addresses
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly presses: Presses
  readonly pages: Pages
}

export const recordEndpoints = (parts: Parts): Endpoint[] =>
  Object.values(parts.resources).flatMap((resource) => [
    listEndpoint(parts, resource),
    recordEndpoint(parts, resource),
  ])

function listEndpoint(parts: Parts, { name, noun, description, id }: Resource): Endpoint {
  const { catalogue, pages, presses } = parts
  return {
    path: `/api/${name}/`,
    name: `${noun} List`,
    description,
    formats: presses[name],
    writes: name,
    page: pages.list(name),
    methods: {
      async GET(ctx) {
        const request = { ...soughtOf(ctx), ...pageRequestOf(ctx) }
        const press = pressOf(ctx, presses[name])
        const view = press.brief ? 'list' : 'detail'
        const { count, sheets } = await catalogue.list(name, request, view)
        const links = linkPages(ctx, request, count)
        ctx.set('X-Total-Count', String(count))
        send(ctx, printList(press, sheets, { count, links }))
      },
      async POST(ctx) {
        const body = await readBody(ctx)
        const view = viewOf(ctx, name)
        const created = await catalogue.create(name, body, { view })
        answer(ctx, parts, created, view)
        ctx.status = 201
        const segment = encodeSegment(textOf(created.sheet.card, id.name))
        ctx.set('Location', `${originOf(ctx)}/api/${name}/${segment}/`)
      },
    },
  }
}

function recordEndpoint(parts: Parts, { name, noun, description }: Resource): Endpoint {
  const { addresses, catalogue, pages, presses } = parts
  return {
    path: `/api/${name}/:id/`,
    name: `${noun} Instance`,
    description,
    formats: presses[name],
    writes: name,
    page: pages.record(name),
    methods: {
      async GET(ctx) {
        const view = viewOf(ctx, name)
        answer(ctx, parts, await catalogue.read(name, idOf(ctx), view), view)
        const [thing, record] = [
          addresses.thing(name, idOf(ctx)).value,
          addresses.record(name, idOf(ctx)).value,
        ]
        ctx.append('Link', `<${record}>; rel="describedby"; anchor="${thing}"`)
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
    answer(ctx, parts, written, view)
  }
}

function answer(ctx: Context, { resources, presses }: Parts, found: Found, view: View): void {
  const { sheet, version } = found
  if (view === 'private') {
    ctx.set('Cache-Control', 'private, no-store')
    send(ctx, printPrivate(resources, sheet), version)
  } else send(ctx, pressOf(ctx, presses[sheet.resource.name]).record(sheet), version)
}

/** Private fields are shown to those who may edit agents, on the agent's own page, when they ask. */
function viewOf(ctx: Context, name: ResourceName): View {
  const { account, format } = ctx.state
  // In JSON alone: what is kept as a file goes further than who asked for it.
  const asked = name === 'agents' && format.name === json.name && lastOf(ctx, 'private') === 'true'
  return asked && account && maySeePrivate(account) ? 'private' : 'detail'
}
