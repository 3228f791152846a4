// The four resources over HTTP: the specification's six operations on each.

import { maySeePrivate } from '../../accounts/rights.js'
import type { Catalogue, Found } from '../../catalogue/catalogue.js'
import { type Listed, piecesOf } from '../../formats/serializer.js'
import type { Presses } from '../../formats/serializers.js'
import type { Addresses, ResourceName } from '../../model/iris.js'
import { textOf } from '../../model/record/values.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { View } from '../../model/record/views.js'
import { encodeSegment } from '../../rdf/terms.js'
import { inSteps } from '../../scheduling.js'
import { idOf, pressOf, soughtOf } from '../request/list-query.js'
import { readBody } from '../request/body.js'
import { expectationOf, send, sendPrinted } from '../response/conditional.js'
import type { Context, Endpoint, Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import { type PageRequest, linkPages, pageRequestOf } from '../request/pagination.js'
import { lastOf, originOf } from '../request/url.js'

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
        ctx.state.holds = catalogue.unchanged()
        if (isJson(ctx)) {
          const { count, items } = await catalogue.printList(name, request)
          const listed = listedIn(ctx, request, count)
          send(ctx, `${press.open(listed)}${items.join(',')}${press.close(listed)}`)
          return
        }
        const view = press.brief ? 'list' : 'detail'
        const { count, sheets } = await catalogue.list(name, request, view)
        // In some formats a hundred records take a tenth of a second.
        const pieces = await inSteps(piecesOf(press, sheets, listedIn(ctx, request, count)))
        send(ctx, pieces.join(''))
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

/** What is said of a list beside its records, in its headers too. */
function listedIn(ctx: Context, request: PageRequest, count: number): Listed {
  ctx.set('X-Total-Count', String(count))
  return { count, links: linkPages(ctx, request, count) }
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
        let holds = catalogue.unchanged()
        if (view === 'detail' && isJson(ctx)) {
          const printed = await catalogue.print(name, idOf(ctx))
          ;({ holds } = printed)
          sendPrinted(ctx, printed)
        } else answer(ctx, parts, await catalogue.read(name, idOf(ctx), view), view)
        const [thing, record] = [
          addresses.thing(name, idOf(ctx)).value,
          addresses.record(name, idOf(ctx)).value,
        ]
        ctx.append('Link', `<${record}>; rel="describedby"; anchor="${thing}"`)
        // Who else asks the same may be shown more.
        if (!asksForPrivate(ctx)) ctx.state.holds = holds
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

function answer(ctx: Context, { presses }: Parts, found: Found, view: View): void {
  const { sheet, version } = found
  if (view === 'private') ctx.set('Cache-Control', 'private, no-store')
  if (isJson(ctx)) sendPrinted(ctx, found)
  else send(ctx, pressOf(ctx, presses[sheet.resource.name]).record(sheet), version)
}

const isJson = ({ state: { format } }: Context): boolean => format.name === json.name

/** Private fields are shown to those who may edit agents, on the agent's own page, when they ask. */
function viewOf(ctx: Context, name: ResourceName): View {
  const { account } = ctx.state
  // In JSON alone: what is kept as a file goes further than who asked for it.
  const asked = name === 'agents' && isJson(ctx) && asksForPrivate(ctx)
  return asked && account && maySeePrivate(account) ? 'private' : 'detail'
}

const asksForPrivate = (ctx: Context): boolean => lastOf(ctx, 'private') === 'true'
