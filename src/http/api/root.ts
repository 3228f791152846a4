// The front door: what there is, as links.

import { geographyNames, vocabularyNames } from '../../model/declarations/read-files.js'
import { resourceNames } from '../../model/iris.js'
import { sendJson } from '../response/conditional.js'
import type { Context, Endpoint, Handler } from '../endpoint.js'
import { json } from '../request/content-negotiation.js'
import { originOf } from '../request/url.js'

type Links = readonly (readonly [name: string, path: string])[]

const vocabularies: Links = vocabularyNames.map((name) => [name, `/api/vocabularies/${name}/`])

const geography: Links = ['places', ...geographyNames].map((name) => [
  name,
  `/api/geography/${name}/`,
])

const all: Links = [
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
    page: pages.home,
    methods: { GET: (ctx) => sendJson(ctx, rootLinks(ctx)) },
  },
  {
    path: '/api/vocabularies/',
    name: 'Vocabularies',
    description: 'The controlled lists from which records take their codes, as links.',
    formats: [json],
    page: pages.vocabularies,
    methods: { GET: (ctx) => sendJson(ctx, vocabularyLinks(ctx)) },
  },
  {
    path: '/api/geography/',
    name: 'Geography',
    description: 'The lists of places, countries and languages, as links.',
    formats: [json],
    page: pages.geography,
    methods: { GET: (ctx) => sendJson(ctx, geographyLinks(ctx)) },
  },
]

export const rootLinks = (ctx: Context) => linksOn(ctx, all)
export const vocabularyLinks = (ctx: Context) => linksOn(ctx, vocabularies)
export const geographyLinks = (ctx: Context) => linksOn(ctx, geography)

const linksOn = (ctx: Context, links: Links): Readonly<Record<string, string>> =>
  Object.fromEntries(links.map(([name, path]) => [name, originOf(ctx) + path]))

/** Whoever asks for the host alone is led to the home. */
export const doorEndpoint: Endpoint = {
  path: '/',
  name: 'Door',
  description: 'Leads to the home of the catalogue.',
  formats: [json],
  page: leadHome,
  methods: { GET: leadHome },
}

function leadHome(ctx: Context): void {
  ctx.status = 302
  ctx.set('Location', `${originOf(ctx)}/api/`)
  ctx.body = ''
}
