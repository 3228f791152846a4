// Dumps: all public records and vocabularies as one compressed file.

import { randomUUID } from 'node:crypto'
import { Readable, pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'

import type { IsCurrent } from '../../lib/cache.js'
import type { ChangeFeed } from '../../catalogue/history/change-feed.js'
import {
  type DumpWriter,
  type NQuadChunks,
  dumpNTriples,
  dumpTurtle,
} from '../../formats/rdf/dump.js'
import type { Iris } from '../../model/iris.js'
import type { DumpFile } from '../../model/dataset-description.js'
import { dumpFiles } from '../../model/dataset-description.js'
import { createSerialQueue } from '../../lib/scheduling.js'
import type { Endpoint } from '../../http/endpoint.js'
import { clientHas } from '../../http/response/conditional.js'
import type { SendFile } from '../../http/response/file.js'
import { setLogPosition } from '../../http/response/log-position.js'

type DumpEndpointsDependencies = {
  readonly iris: Iris
  /** All public data, as of the time when the first chunk is read. */
  readonly dump: () => NQuadChunks
  readonly sendFile: SendFile
  readonly changes: Pick<ChangeFeed, 'position'>
  readonly catalogue: { readonly currentUntilNextWrite: (maxAgeMs?: number) => IsCurrent }
}

const writers: Readonly<Record<DumpFile['format'], DumpWriter>> = {
  ntriples: dumpNTriples,
  turtle: dumpTurtle,
}

export function dumpEndpoints({
  iris,
  dump,
  catalogue,
  changes,
  sendFile,
}: DumpEndpointsDependencies): Endpoint[] {
  const version = createVersion(catalogue)
  return dumpFiles.map(({ path, title, type, format }) => ({
    path,
    name: title,
    description: 'All public records and vocabularies.',
    // The file can be requested by its own type and by the type of its content.
    formats: [
      { name: format, type: gzip },
      { name: format, type },
    ],
    methods: {
      async GET(ctx) {
        const { tag, time } = version()
        ctx.status = 200
        // Weak, since the same data may be written in another order.
        ctx.set('ETag', `W/"${format}-${tag}"`)
        ctx.set('Last-Modified', time.toUTCString())
        if (clientHas(ctx, `"${format}-${tag}"`)) {
          ctx.status = 304
          return
        }
        await setLogPosition(ctx, changes)
        const createContent = (): Readable =>
          pipeline(
            Readable.from(chunksInTurn(writers[format](dump(), iris)), { objectMode: false }),
            createGzip(),
            () => undefined,
          )
        sendFile(ctx, { name: path.slice(path.lastIndexOf('/') + 1), type: gzip, createContent })
      },
    },
    operations: { GET: { file: true } },
  }))
}

type Version = { readonly tag: string; readonly time: Date; readonly isCurrent: IsCurrent }

/**
 * Returns the version of the data: a tag that changes with the next write and with each start, and
 * the time since which this process serves it. With a shared store, writes of others are noticed
 * after a minute.
 */
function createVersion({ currentUntilNextWrite }: DumpEndpointsDependencies['catalogue']) {
  let version: Version | undefined
  return (): Version => {
    if (version?.isCurrent() !== true)
      version = { tag: randomUUID(), time: new Date(), isCurrent: currentUntilNextWrite(60_000) }
    return version
  }
}

const gzip = 'application/gzip'

const queue = createSerialQueue()

/**
 * Reads one chunk at a time over all dumps, so that other requests never wait for more than one.
 */
async function* chunksInTurn(chunks: NQuadChunks): NQuadChunks {
  const source = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await queue(() => source.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await source.return?.()
  }
}
