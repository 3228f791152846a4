// The roots of the API and of the reference lists: links to the lists below them.

import { geographyNames, vocabularyNames } from '../../model/declarations/read-files.js'
import { resourceNames } from '../../model/iris.js'
import { sendJson } from '../response/conditional.js'
import type { Endpoint } from '../endpoint.js'
import type { RequestContext, Handler } from '../context.js'
import { json } from '../../formats/common-formats.js'
import { requestOrigin } from '../origin.js'

type RootLinks = readonly (readonly [name: string, path: string])[]

const vocabularies: RootLinks = vocabularyNames.map((name) => [name, `/api/vocabularies/${name}/`])

const geography: RootLinks = ['places', ...geographyNames].map((name) => [
  name,
  `/api/geography/${name}/`,
])

const root: RootLinks = [
  ...resourceNames.map((name) => [name, `/api/${name}/`] as const),
  ...vocabularies,
  ...geography,
  ['schema', '/api/schema/'],
]

/** The HTML pages of these endpoints. */
export type RootPages = {
  readonly home: Handler
  readonly vocabularies: Handler
  readonly geography: Handler
}

export const rootEndpoints = (pages: RootPages): Endpoint[] => [
  {
    path: '/api/',
    name: 'Api Root',
    description: 'A catalogue of zines, their makers, and the libraries that hold them.',
    formats: [json],
    htmlHandler: pages.home,
    methods: { GET: (ctx) => sendJson(ctx, rootLinks(ctx)) },
  },
  {
    path: '/api/vocabularies/',
    name: 'Vocabularies',
    description: 'Links to the controlled lists of the codes in records.',
    formats: [json],
    htmlHandler: pages.vocabularies,
    methods: { GET: (ctx) => sendJson(ctx, vocabularyLinks(ctx)) },
  },
  {
    path: '/api/geography/',
    name: 'Geography',
    description: 'Links to the lists of places, countries and languages.',
    formats: [json],
    htmlHandler: pages.geography,
    methods: { GET: (ctx) => sendJson(ctx, geographyLinks(ctx)) },
  },
]

/** The links of each root as absolute URLs, by name. */
export const rootLinks = (ctx: RequestContext) => absoluteLinks(ctx, root)
export const vocabularyLinks = (ctx: RequestContext) => absoluteLinks(ctx, vocabularies)
export const geographyLinks = (ctx: RequestContext) => absoluteLinks(ctx, geography)

const absoluteLinks = (ctx: RequestContext, links: RootLinks): Readonly<Record<string, string>> =>
  Object.fromEntries(links.map(([name, path]) => [name, requestOrigin(ctx) + path]))

/** Redirects the root of the host to the home page. */
export const homeRedirect: Endpoint = {
  path: '/',
  name: 'Root',
  description: 'Redirects to the home page of the catalogue.',
  formats: [json],
  htmlHandler: redirectHome,
  methods: { GET: redirectHome },
}

function redirectHome(ctx: RequestContext): void {
  ctx.status = 302
  ctx.set('Location', `${requestOrigin(ctx)}/api/`)
  ctx.body = ''
}
