// Dumps: all public records and vocabularies as one compressed file.

import { Readable, pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'

import {
  type DumpWriter,
  type NQuadChunks,
  dumpNTriples,
  dumpTurtle,
} from '../../formats/rdf/dump.js'
import type { Iris } from '../../model/iris.js'
import type { DumpFile } from '../../model/dataset-description.js'
import { dumpFiles } from '../../model/dataset-description.js'
import { createSerialQueue } from '../../scheduling.js'
import type { Endpoint } from '../endpoint.js'
import type { SendFile } from '../response/file.js'

type DumpEndpointsDependencies = {
  readonly iris: Iris
  /** All public data, as of the time when the first chunk is read. */
  readonly dump: () => NQuadChunks
  readonly sendFile: SendFile
}

const writers: Readonly<Record<DumpFile['format'], DumpWriter>> = {
  ntriples: dumpNTriples,
  turtle: dumpTurtle,
}

export const dumpEndpoints = ({ iris, dump, sendFile }: DumpEndpointsDependencies): Endpoint[] =>
  dumpFiles.map(({ path, title, type, format }) => ({
    path,
    name: title,
    description: 'All public records and vocabularies.',
    // The file can be requested by its own type and by the type of its content.
    formats: [
      { name: format, type: gzip },
      { name: format, type },
    ],
    methods: {
      GET(ctx) {
        const createContent = (): Readable =>
          pipeline(
            Readable.from(chunksInTurn(writers[format](dump(), iris)), { objectMode: false }),
            createGzip(),
            () => undefined,
          )
        sendFile(ctx, { name: path.slice(path.lastIndexOf('/') + 1), type: gzip, createContent })
      },
    },
  }))

const gzip = 'application/gzip'

const queue = createSerialQueue()

/** Reads one chunk at a time over all dumps, so that other requests never wait for more than one. */
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
