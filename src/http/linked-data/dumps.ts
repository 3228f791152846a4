// Dumps: all that is public, records and vocabularies, as one compressed file.

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
import { sendFile } from '../api/exports.js'

type DumpEndpointsDependencies = {
  readonly iris: Iris
  /** All that is public, as it is when the first piece is asked for. */
  readonly dump: () => NQuadChunks
}

const writers: Readonly<Record<DumpFile['format'], DumpWriter>> = {
  ntriples: dumpNTriples,
  turtle: dumpTurtle,
}

export const dumpEndpoints = ({ iris, dump }: DumpEndpointsDependencies): Endpoint[] =>
  dumpFiles.map(({ path, title, type, format }) => ({
    path,
    name: title,
    description: 'All records and vocabularies, as far as they are public.',
    // The file is the same for those who ask for what is in it.
    formats: [
      { name: format, type: gzip },
      { name: format, type },
    ],
    methods: {
      GET(ctx) {
        const content = pipeline(
          Readable.from(chunksInTurn(writers[format](dump(), iris)), { objectMode: false }),
          createGzip(),
          () => undefined,
        )
        sendFile(ctx, { name: path.slice(path.lastIndexOf('/') + 1), type: gzip, content })
      },
    },
  }))

const gzip = 'application/gzip'

const inTurn = createSerialQueue()

/** However many dumps are taken at a time, whoever asks for something else waits for one piece at most. */
async function* chunksInTurn(pieces: NQuadChunks): NQuadChunks {
  const source = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await inTurn(() => source.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await source.return?.()
  }
}
