// The front door: what there is, as links.

import { geographyNames, vocabularyNames } from '../model/declarations.js'
import { resourceNames } from '../model/addresses.js'
import { sendJson } from './conditional.js'
import type { Endpoint } from './endpoint.js'
import { json } from './negotiate.js'
import { originOf } from './query.js'

const links: readonly (readonly [name: string, path: string])[] = [
  ...resourceNames.map((name) => [name, `/api/${name}/`] as const),
  ...vocabularyNames.map((name) => [name, `/api/vocabularies/${name}/`] as const),
  ...['places', ...geographyNames].map((name) => [name, `/api/geography/${name}/`] as const),
  ['schema', '/api/schema/'],
]

export const rootEndpoint: Endpoint = {
  path: '/api/',
  name: 'Api Root',
  description: 'A catalogue of zines, of those who make them, and of where they are kept.',
  formats: [json],
  methods: {
    GET(ctx) {
      sendJson(ctx, Object.fromEntries(links.map(([name, path]) => [name, originOf(ctx) + path])))
    },
  },
}
