// The roots of the API and of the reference lists: links to the lists below them.

import { geographyNames, vocabularyNames } from '../../model/declarations/read-files.js'
import { jsonAndRdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { type Iris, resourceNames } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { sendJson, sendText } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { RequestContext, Handler } from '../../http/context.js'
import { json } from '../../formats/common-formats.js'
import { requestOrigin } from '../../http/origin.js'
import { documentationPath, documentationRelation, entryPointTriples } from '../openapi/hydra.js'

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

const operations = {
  GET: {
    response: schema.mapOf(schema.url(), {
      $id: 'Root',
      description: 'The addresses of the lists, by their names.',
    }),
  },
}

/** The HTML pages of these endpoints. */
type RootPages = {
  readonly home: Handler
  readonly vocabularies: Handler
  readonly geography: Handler
}

type RootDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  readonly pages: RootPages
}

export const rootEndpoints = ({ iris, resources, pages }: RootDependencies): Endpoint[] => [
  entryPoint({ iris, resources, pages }),
  {
    path: '/api/vocabularies/',
    name: 'Vocabularies',
    description: 'Links to the controlled lists of the codes in records.',
    formats: [json],
    htmlHandler: pages.vocabularies,
    methods: { GET: (ctx) => sendJson(ctx, vocabularyLinks(ctx)) },
    operations,
  },
  {
    path: '/api/geography/',
    name: 'Geography',
    description: 'Links to the lists of places, countries and languages.',
    formats: [json],
    htmlHandler: pages.geography,
    methods: { GET: (ctx) => sendJson(ctx, geographyLinks(ctx)) },
    operations,
  },
]

/** The root of the API, which leads clients of Hydra to its description. */
function entryPoint({ iris, resources, pages }: RootDependencies): Endpoint {
  const { base } = iris
  const triples = entryPointTriples(iris, resources)
  const withDocumentation =
    (handler: Handler): Handler =>
    (ctx) => {
      ctx.state.links = [{ relation: documentationRelation, target: `${base}${documentationPath}` }]
      return handler(ctx)
    }
  return {
    path: '/api/',
    name: 'Api Root',
    description: 'A catalogue of zines, their makers, and the libraries that hold them.',
    formats: jsonAndRdfFormats,
    htmlHandler: withDocumentation(pages.home),
    methods: {
      GET: withDocumentation((ctx) => {
        if (ctx.state.format.name === json.name) sendJson(ctx, rootLinks(ctx))
        else
          sendText(
            ctx,
            serializeRdf(ctx.state.format, triples, { base, prefixes: prefixesUnder(base) }),
          )
      }),
    },
    operations,
  }
}

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
  ignoresAccept: true,
  htmlHandler: redirectHome,
  methods: { GET: redirectHome },
}

function redirectHome(ctx: RequestContext): void {
  ctx.status = 302
  ctx.set('Location', `${requestOrigin(ctx)}/api/`)
  ctx.body = ''
}
