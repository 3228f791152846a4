// The OpenAPI description over HTTP: YAML unless JSON is asked for (decisions: Reference lists).

import { readFile } from 'node:fs/promises'

import { stringify } from 'yaml'

import type { Resources } from '../../model/resources.js'
import { sendText } from '../response/conditional.js'
import type { RequestContext, Endpoint, Handler } from '../endpoint.js'
import type { Format } from '../../formats/serializer.js'
import { json } from '../request/content-negotiation.js'
import { type PackageInfo, documentOf } from './openapi/document-builder.js'
import type { Document } from './openapi/document.js'
import { requestOrigin } from '../request/url.js'

export const schemaFormats: readonly Format[] = [
  { name: 'yaml', type: 'application/yaml' },
  { name: 'yaml', type: 'application/vnd.oai.openapi' },
  json,
  { name: json.name, type: 'application/vnd.oai.openapi+json' },
]

type OpenApiEndpointDependencies = {
  readonly about: PackageInfo
  /** All but this one, which adds itself. */
  readonly endpoints: readonly Endpoint[]
  readonly resources: Resources
  /** The page that shows it. */
  readonly pageOf: (written: OpenApiDocument) => Handler
}

export type OpenApiDocument = {
  readonly document: Document
  readonly yamlFor: (ctx: RequestContext) => string
}

export function schemaEndpoint({
  about,
  endpoints,
  resources,
  pageOf,
}: OpenApiEndpointDependencies): Endpoint {
  const endpoint: Endpoint = {
    path: '/api/schema/',
    name: 'Schema',
    description: 'This description of the service, in OpenAPI 3.0.3.',
    formats: schemaFormats,
    htmlHandler: (ctx) => page(ctx),
    methods: {
      GET(ctx) {
        const write = writers[ctx.state.format.name === json.name ? 'json' : 'yaml']
        sendText(ctx, write(serversFor(ctx)))
      },
    },
  }
  // Each text is written once, but for the address that the client used, which is the client's to choose
  // and so nothing to remember texts by: it goes before the rest.
  const document = documentOf({ about, endpoints: [...endpoints, endpoint], resources })
  const { openapi, ...rest } = document
  const restAsYaml = stringify(rest, { aliasDuplicateObjects: false, lineWidth: 0 })
  const restAsJson = JSON.stringify(rest)
  const writers = {
    yaml: (servers: object) => stringify({ openapi, servers }) + restAsYaml,
    json: (servers: object) =>
      `${JSON.stringify({ openapi, servers }).slice(0, -1)},${restAsJson.slice(1)}`,
  }
  const page = pageOf({ document, yamlFor: (ctx) => writers.yaml(serversFor(ctx)) })
  return endpoint
}

const serversFor = (ctx: RequestContext): readonly object[] => [{ url: requestOrigin(ctx) }]

/** What package.json says. */
export async function readPackageInfo(file: string): Promise<PackageInfo> {
  return JSON.parse(await readFile(file, 'utf8')) as PackageInfo
}
