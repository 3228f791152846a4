// Exports: a whole list in any format, filtered, searched and ordered like the list itself. It is
// streamed, so that its length does not matter.

import { Readable } from 'node:stream'

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { ChangeFeed } from '../../catalogue/history/change-feed.js'
import type { RecordStream } from '../../catalogue/lists.js'
import type { RecordSerializer } from '../../formats/serializer.js'
import type { Serializers } from '../../formats/serializers.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Endpoint } from '../../http/endpoint.js'
import { checkListParams, parseListQuery, selectSerializer } from '../../http/request/list-query.js'
import { completeRecords } from './complete-records.js'
import { httpErrors } from '../../http/errors.js'
import { contentType } from '../../http/response/conditional.js'
import { type SendFile, fileName } from '../../http/response/file.js'
import { setLogPosition } from '../../http/response/log-position.js'

type ExportEndpointsDependencies = {
  readonly catalogue: Catalogue
  readonly changes: Pick<ChangeFeed, 'position'>
  readonly resources: Resources
  readonly serializers: Serializers
  readonly sendFile: SendFile
}

/**
 * Each export has two paths. `/api/zines/export/` is easy to remember, but belongs to a record if
 * there is one with the identifier `export`. `/api/export/zines/` never belongs to a record.
 */
export const exportEndpoints = (dependencies: ExportEndpointsDependencies): Endpoint[] =>
  Object.values(dependencies.resources).flatMap((resource) => {
    const endpoint = exportEndpoint(dependencies, resource)
    const { name } = resource
    const matches = isNotARecord(dependencies.catalogue, name, 'export')
    return [
      { ...endpoint, path: `/api/${name}/export/`, matches },
      { ...endpoint, path: `/api/export/${name}/` },
    ]
  })

function exportEndpoint(
  { catalogue, changes, serializers, sendFile }: ExportEndpointsDependencies,
  resource: Resource,
): Omit<Endpoint, 'path'> {
  const { name, noun } = resource
  return {
    name: `${noun} Export`,
    description: `All matching ${name} in one file.`,
    formats: serializers[name],
    methods: {
      async GET(ctx) {
        checkListParams(ctx, resource)
        const serializer = selectSerializer(ctx, serializers[name], 'list', name)
        await setLogPosition(ctx, changes)
        const stream = await catalogue.stream(name, parseListQuery(ctx))
        const { maxRecords = Infinity, pack = toReadable } = serializer
        if (stream.count > maxRecords) throw httpErrors.tooManyRecords(stream.count, maxRecords)
        const complete = (batch: readonly ResolvedRecord[]) =>
          completeRecords(ctx, catalogue, serializer, batch)
        const records = { ...stream, batches: mapBatches(stream.batches, complete) }
        sendFile(ctx, {
          name: fileName(name, serializer),
          type: contentType(serializer),
          createContent: () => pack(serializeStream(serializer, records)),
        })
        if (serializer.needsStaffFields) ctx.set('Cache-Control', 'private, no-store')
        ctx.set('X-Total-Count', String(stream.count))
      },
    },
  }
}

const toReadable = (parts: AsyncIterable<string> | Iterable<string>): Readable =>
  Readable.from(parts, { objectMode: false })

async function* mapBatches(
  batches: RecordStream['batches'],
  complete: (records: readonly ResolvedRecord[]) => Promise<readonly ResolvedRecord[]>,
): RecordStream['batches'] {
  for await (const records of batches) yield await complete(records)
}

async function* serializeStream(
  serializer: RecordSerializer,
  { count, batches }: RecordStream,
): AsyncGenerator<string> {
  const list = { count, links: undefined }
  let index = 0
  yield serializer.listStart(list)
  for await (const records of batches)
    yield records.map((record) => serializer.listItem(record, index++, list)).join('')
  yield serializer.listEnd(list)
}

/** Whether a request is a read, and no record has this identifier. All writes are of a record. */
export function isNotARecord(
  catalogue: Catalogue,
  name: ResourceName,
  id: string,
): NonNullable<Endpoint['matches']> {
  return async ({ method }) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return false
    return !(await catalogue.exists(name, id))
  }
}
