// Builds the OpenAPI document of the service from its endpoints, the fields of the resources and
// their vocabularies, so that new fields and endpoints are in it by themselves. Each part has its
// own file.

import type { Resources } from '../../model/resources.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { Document } from './document.js'
import { errorComponents, headers } from './error-responses.js'
import { pathsOf, tagOf } from './operations.js'
import { sharedParameters } from './parameters.js'
import { NestedSchemas } from './nested-schemas.js'
import { recordSchemas } from './record-schemas.js'
import { nameSchemas } from './components.js'
import { openApiHealthPaths } from './health-paths.js'

/** The members of package.json that the document uses. */
export type PackageInfo = {
  readonly version: string
  readonly description: string
  readonly license: string
}

export type OpenApiInput = {
  readonly about: PackageInfo
  readonly endpoints: readonly Endpoint[]
  readonly resources: Resources
}

export function buildDocument({ about, endpoints, resources }: OpenApiInput): Document {
  const nested = new NestedSchemas(resources)
  const { part, schemas } = nameSchemas({
    paths: { ...pathsOf(endpoints, resources), ...openApiHealthPaths },
    responses: errorComponents,
  })
  return {
    openapi: '3.0.3',
    info: {
      title: 'Zine Catalogue',
      version: about.version,
      description: `${about.description}.\n\n${conventions}`,
      license: { name: about.license, url: `https://spdx.org/licenses/${about.license}.html` },
    },
    tags: tagsOf(endpoints, resources),
    paths: part.paths,
    components: {
      schemas: {
        ...Object.fromEntries(
          Object.values(resources).flatMap((resource) => recordSchemas(nested, resource)),
        ),
        ...nested.components,
        ...schemas,
      },
      parameters: sharedParameters,
      headers,
      responses: part.responses,
      securitySchemes: {
        tokenAuth: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'Token-based authentication with required prefix "Token", as in `Token <ACCESS_TOKEN>`.',
        },
      },
    },
  }
}

const conventions = `\
Reading is public; writing needs the token of an account, from \`POST /api/auth/token/\`.

- A record has the identifier that was chosen when it was created. It changes only by a rename.
- An unset text reads as \`""\`, an unset array as \`[]\`, an unset number as \`null\`; the same values unset a field.
- Texts lose the white space at their ends and are normalised to NFC. Lengths are counted in code points.
- Every response to a GET of a record, a list or a document has a strong \`ETag\`; \`If-None-Match\` and \`If-Match\` are supported.
- HEAD is available wherever GET is. OPTIONS is available everywhere and answers with \`Allow\`.
- A path under \`/api/\` without its last slash redirects to the path with it: 301 for GET and HEAD, 308 for other methods.
- The body of an error is JSON, whatever the requested format. A GET or HEAD that prefers HTML gets a page instead.
`

const tagDescriptions: Readonly<Record<string, string>> = {
  auth: 'Tokens for accounts, and what they may do.',
  batches: 'Many writes at once, and undoing them.',
  imports: 'What libraries have, from files and other catalogues.',
  'import-profiles': 'Where the fields of sources go, saved under names.',
  webhooks: 'Addresses to which the changes of records are sent.',
  vocabularies: 'The controlled lists of the codes in records.',
  geography: 'Places, countries and languages.',
  reconcile: 'Names of other data, and the records that they stand for.',
  service: 'The service itself: its lists, its description and its health.',
}

function tagsOf(endpoints: readonly Endpoint[], resources: Resources): Document['tags'] {
  const descriptions = {
    ...tagDescriptions,
    ...Object.fromEntries(
      Object.values(resources).map(({ name, description }) => [name, description]),
    ),
  }
  return [...new Set(endpoints.map(tagOf))].map((name) => {
    const description = descriptions[name]
    return description === undefined ? { name } : { name, description }
  })
}
