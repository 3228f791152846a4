// The OpenAPI document over HTTP, as YAML unless JSON is asked for (docs/reference/formats.md,
// "OpenAPI"). Its content is built by openapi/document-builder.ts.

import { readFile } from 'node:fs/promises'

import { stringify } from 'yaml'

import { json, yaml } from '../../formats/common-formats.js'
import type { Format } from '../../formats/serializer.js'
import type { Resources } from '../../model/resources.js'
import type { Handler, RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { inQuery } from '../../http/operation.js'
import { requestOrigin } from '../../http/origin.js'
import { sendText } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import { type PackageInfo, buildDocument } from './document-builder.js'
import type { Document } from './document.js'
import { withJsonOnly } from './json-only.js'
import { type OperationGroup, groupOperations } from './operation-groups.js'

const schemaFormats: readonly Format[] = [
  yaml,
  { name: yaml.name, type: 'application/vnd.oai.openapi' },
  json,
  { name: json.name, type: 'application/vnd.oai.openapi+json' },
]

type OpenApiEndpointDependencies = {
  readonly about: PackageInfo
  /** All endpoints but this one, which is added. */
  readonly endpoints: readonly Endpoint[]
  readonly resources: Resources
  /** Creates the HTML page that shows the document. */
  readonly pageOf: (description: ApiDescription) => Handler
}

/** What a page needs to show the OpenAPI document. */
type ApiDescription = {
  readonly title: string
  readonly description: string
  readonly groups: readonly OperationGroup[]
  readonly formats: readonly Format[]
  /** The whole document as YAML, with the origin of the request. */
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
        const document = ctx.query.media === json.name ? jsonOnly : everything
        const format = ctx.state.format.name === json.name ? 'json' : 'yaml'
        sendText(ctx, document[format](serversFor(ctx)))
      },
    },
    operations: {
      GET: {
        response: schema.anyObject('An OpenAPI 3.0.3 document.'),
        parameters: [
          inQuery(
            'media',
            'With `json`, the document has the operations that answer JSON, and of their answers the JSON alone: for generators of typed clients.',
            schema.choice([json.name]),
          ),
        ],
      },
    },
  }
  const document = buildDocument({ about, endpoints: [...endpoints, endpoint], resources })
  const everything = createSerializers(document)
  const jsonOnly = createSerializers(withJsonOnly(document))
  const { title, description } = document.info
  const page = pageOf({
    title,
    description,
    groups: groupOperations(document),
    formats: schemaFormats,
    yamlFor: (ctx) => everything.yaml(serversFor(ctx)),
  })
  return endpoint
}

/**
 * The document is serialized once, when it is first asked for: as YAML that takes longer than the
 * rest of the start of the service. Only the origin in `servers`, which every client can choose, is
 * put before the rest each time.
 */
function createSerializers({ openapi, ...rest }: Document) {
  let restAsYaml: string | undefined
  let restAsJson: string | undefined
  return {
    yaml(servers: object) {
      restAsYaml ??= stringify(rest, { aliasDuplicateObjects: false, lineWidth: 0 })
      return stringify({ openapi, servers }) + restAsYaml
    },
    json(servers: object) {
      restAsJson ??= JSON.stringify(rest)
      return `${JSON.stringify({ openapi, servers }).slice(0, -1)},${restAsJson.slice(1)}`
    },
  }
}

const serversFor = (ctx: RequestContext): readonly object[] => [{ url: requestOrigin(ctx) }]

/** Reads package.json. */
export async function readPackageInfo(file: string): Promise<PackageInfo> {
  return JSON.parse(await readFile(file, 'utf8')) as PackageInfo
}
