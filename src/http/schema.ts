// The OpenAPI description over HTTP: YAML unless JSON is asked for (decisions: Reference lists).

import { readFile } from 'node:fs/promises'

import { stringify } from 'yaml'

import type { Resources } from '../model/facts.js'
import { send } from './conditional.js'
import type { Endpoint } from './endpoint.js'
import type { Format } from '../formats/press.js'
import { json } from './negotiate.js'
import { type About, documentOf } from './openapi.js'
import { originOf } from './query.js'

const formats: readonly Format[] = [
  { name: 'yaml', type: 'application/yaml' },
  { name: 'yaml', type: 'application/vnd.oai.openapi' },
  json,
  { name: json.name, type: 'application/vnd.oai.openapi+json' },
]

type Described = {
  readonly about: About
  /** All but this one, which adds itself. */
  readonly endpoints: readonly Endpoint[]
  readonly resources: Resources
}

export function schemaEndpoint({ about, endpoints, resources }: Described): Endpoint {
  const endpoint: Endpoint = {
    path: '/api/schema/',
    name: 'Schema',
    description: 'This description of the service, in OpenAPI 3.0.3.',
    formats,
    methods: {
      GET(ctx) {
        const servers = [{ url: originOf(ctx) }]
        send(ctx, writers[ctx.state.format.name === json.name ? 'json' : 'yaml'](servers))
      },
    },
  }
  // Each text is written once, but for the address that the client used, which is the client's to choose
  // and so nothing to remember texts by: it goes before the rest.
  const { openapi, ...rest } = documentOf({ about, endpoints: [...endpoints, endpoint], resources })
  const restAsYaml = stringify(rest, { aliasDuplicateObjects: false, lineWidth: 0 })
  const restAsJson = JSON.stringify(rest)
  const writers = {
    yaml: (servers: object) => stringify({ openapi, servers }) + restAsYaml,
    json: (servers: object) =>
      `${JSON.stringify({ openapi, servers }).slice(0, -1)},${restAsJson.slice(1)}`,
  }
  return endpoint
}

/** What package.json says. */
export async function readAbout(file: string): Promise<About> {
  return JSON.parse(await readFile(file, 'utf8')) as About
}
