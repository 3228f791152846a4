// Whole lists to keep: any filtered, searched and ordered list in any format, however long, sent as
// fast as the client takes it.

import { Readable } from 'node:stream'

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { RecordStream } from '../../catalogue/lists.js'
import type { RecordSerializer } from '../../formats/serializer.js'
import type { Serializers } from '../../formats/serializers.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import { selectSerializer, parseListQuery } from '../request/list-query.js'
import { contentType } from '../response/conditional.js'
import type { RequestContext, Endpoint } from '../endpoint.js'

type ExportEndpointsDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly serializers: Serializers
}

/**
 * Each export has two addresses. `/api/zines/export/` is the one to remember; but a client may call a
 * record `export`, and the specification gives that address to it. `/api/export/zines/` is no record's.
 */
export const exportEndpoints = (parts: ExportEndpointsDependencies): Endpoint[] =>
  Object.values(parts.resources).flatMap((resource) => {
    const endpoint = exportEndpoint(parts, resource)
    const { name } = resource
    return [
      { ...endpoint, path: `/api/${name}/export/`, matches: isNotARecord(parts.catalogue, name) },
      { ...endpoint, path: `/api/export/${name}/` },
    ]
  })

function exportEndpoint(
  { catalogue, serializers }: ExportEndpointsDependencies,
  { name, noun }: Resource,
): Omit<Endpoint, 'path'> {
  return {
    name: `${noun} Export`,
    description: `All ${name} that are asked for, on one page, as a file.`,
    formats: serializers[name],
    methods: {
      async GET(ctx) {
        const serializer = selectSerializer(ctx, serializers[name])
        const walk = await catalogue.stream(name, parseListQuery(ctx))
        sendFile(ctx, {
          name: `${name}.${serializer.extension ?? serializer.name}`,
          type: contentType(serializer),
          content: Readable.from(serializeStream(serializer, walk), { objectMode: false }),
        })
        ctx.set('X-Total-Count', String(walk.count))
      },
    },
  }
}

type ExportFile = { readonly name: string; readonly type: string; readonly content: Readable }

/**
 * Sends a file as it comes. Koa ends it when the client goes away, and breaks the connection off when
 * it fails, so that nobody takes a part for the whole. It has no ETag: that comes before the content.
 */
export function sendFile(ctx: RequestContext, { name, type, content }: ExportFile): void {
  ctx.status = 200
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  ctx.set('Cache-Control', 'no-cache')
  ctx.body = content
  ctx.type = type
}

async function* serializeStream(
  serializer: RecordSerializer,
  { count, batches }: RecordStream,
): AsyncGenerator<string> {
  const listed = { count, links: undefined }
  let index = 0
  yield serializer.listStart(listed)
  for await (const records of batches)
    yield records.map((record) => serializer.listItem(record, index++, listed)).join('')
  yield serializer.listEnd(listed)
}

/** Reads, as long as there is no record of that name; all that writes is about a record. */
function isNotARecord(catalogue: Catalogue, name: ResourceName): NonNullable<Endpoint['matches']> {
  return async ({ method }) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return false
    return !(await catalogue.exists(name, 'export'))
  }
}
