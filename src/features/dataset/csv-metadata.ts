// The description of the CSV of records, for programs that turn tables into RDF or check them
// (docs/reference/csv.md, "CSV on the Web"). Every answer in CSV leads to its own.

import { json } from '../../formats/common-formats.js'
import { csvMetadata, csvMetadataPath, describeTable } from '../../formats/csv-metadata.js'
import { jsonld } from '../../formats/jsonld/jsonld.js'
import type { Iris } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import { requestOrigin } from '../../http/origin.js'
import { readFieldNames } from '../../http/request/field-selection.js'
import { paramsOf, queryParam } from '../../http/request/url.js'
import { sendText } from '../../http/response/conditional.js'

type CsvMetadataDependencies = { readonly iris: Iris; readonly resources: Resources }

export const csvMetadataEndpoints = (dependencies: CsvMetadataDependencies): Endpoint[] =>
  Object.values(dependencies.resources).map((resource) => ({
    path: csvMetadataPath(resource.name),
    name: `Columns of ${resource.name}`,
    description: `What the columns of the CSV of ${resource.name} mean, for the table whose address is \`url\`.`,
    formats: [csvMetadata, jsonld, json],
    methods: {
      GET(ctx) {
        const url = tableAddress(ctx, resource)
        const columns = readFieldNames(paramsOf(url.search).get('fields') ?? '')
        const description = describeTable(dependencies, { url: url.href, resource, columns })
        sendText(ctx, JSON.stringify(description, undefined, 2))
      },
    },
  }))

/**
 * The address in the parameter `url`.
 * @throws HttpError 400 where it is of no table of the resource
 */
function tableAddress(ctx: RequestContext, { name }: Resource): URL {
  const origin = requestOrigin(ctx)
  const address = queryParam(ctx, 'url')
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
  const isTable =
    url?.origin === new URL(origin).origin && tablePath.exec(url.pathname)?.slice(1).includes(name)
  if (!isTable)
    throw httpErrors.invalidField('url', `Enter the address of ${name} as CSV on this server.`)
  return url
}

/** An export, a list or a record, with the name of the resource. */
const tablePath = /^\/api\/(?:export\/([a-z]+)|([a-z]+)(?:\/[^/]+)?)\/$/
