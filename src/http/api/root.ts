// The front door: what there is, as links.

import { geographyNames, vocabularyNames } from '../../model/declarations/read-files.js'
import { resourceNames } from '../../model/iris.js'
import { sendJson } from '../response/conditional.js'
import type { RequestContext, Endpoint, Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import { requestOrigin } from '../request/url.js'

type RootLinks = readonly (readonly [name: string, path: string])[]

const vocabularies: RootLinks = vocabularyNames.map((name) => [name, `/api/vocabularies/${name}/`])

const geography: RootLinks = ['places', ...geographyNames].map((name) => [
  name,
  `/api/geography/${name}/`,
])

const all: RootLinks = [
  ...resourceNames.map((name) => [name, `/api/${name}/`] as const),
  ...vocabularies,
  ...geography,
  ['schema', '/api/schema/'],
]

/** What a page shows in place of the links, for each of these addresses. */
export type RootPages = {
  readonly home: Handler
  readonly vocabularies: Handler
  readonly geography: Handler
}

export const rootEndpoints = (pages: RootPages): Endpoint[] => [
  {
    path: '/api/',
    name: 'Api Root',
    description: 'A catalogue of zines, of those who make them, and of where they are kept.',
    formats: [json],
    htmlHandler: pages.home,
    methods: { GET: (ctx) => sendJson(ctx, rootLinks(ctx)) },
  },
  {
    path: '/api/vocabularies/',
    name: 'Vocabularies',
    description: 'The controlled lists from which records take their codes, as links.',
    formats: [json],
    htmlHandler: pages.vocabularies,
    methods: { GET: (ctx) => sendJson(ctx, vocabularyLinks(ctx)) },
  },
  {
    path: '/api/geography/',
    name: 'Geography',
    description: 'The lists of places, countries and languages, as links.',
    formats: [json],
    htmlHandler: pages.geography,
    methods: { GET: (ctx) => sendJson(ctx, geographyLinks(ctx)) },
  },
]

export const rootLinks = (ctx: RequestContext) => linksOn(ctx, all)
export const vocabularyLinks = (ctx: RequestContext) => linksOn(ctx, vocabularies)
export const geographyLinks = (ctx: RequestContext) => linksOn(ctx, geography)

const linksOn = (ctx: RequestContext, links: RootLinks): Readonly<Record<string, string>> =>
  Object.fromEntries(links.map(([name, path]) => [name, requestOrigin(ctx) + path]))

/** Whoever asks for the host alone is led to the home. */
export const homeRedirect: Endpoint = {
  path: '/',
  name: 'Door',
  description: 'Leads to the home of the catalogue.',
  formats: [json],
  htmlHandler: redirectHome,
  methods: { GET: redirectHome },
}

function redirectHome(ctx: RequestContext): void {
  ctx.status = 302
  ctx.set('Location', `${requestOrigin(ctx)}/api/`)
  ctx.body = ''
}
