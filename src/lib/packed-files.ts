// What files have that their bytes do not show: the entries of a ZIP, the values of a Parquet file, and
// the values of an SQLite database that are cut in two. Each comes as a stream, so that a file may be
// of any size.

import { type FileHandle, open } from 'node:fs/promises'

import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { openPromise } from 'yauzl'

import { createYielder } from './scheduling.js'
import { overflowingValues } from './sqlite-pages.js'

type ByteStream = AsyncIterable<Uint8Array>

/** The streams of what a file has packed; none of other files. */
export async function* unpack(path: string): AsyncGenerator<ByteStream> {
  const handle = await open(path)
  try {
    yield* (await unpackerOf(path, handle))?.(path, handle) ?? []
  } finally {
    await handle.close()
  }
}

type Unpacker = (path: string, handle: FileHandle) => AsyncIterable<ByteStream>

type PackedKind = {
  /** The bytes with which a file begins. */
  readonly sign: string
  /** How its name ends; of any name without it. */
  readonly ending?: string
  readonly unpack: Unpacker
}

/**
 * Only files that the service itself has made have a name that ends so. Two hundred bytes of Parquet
 * can be more rows than fit into memory, and a database can lead from each page to all others, so no
 * upload is read as these.
 */
const packedKinds: readonly PackedKind[] = [
  { sign: 'PK\x03\x04', unpack: zipEntries },
  { sign: 'PAR1', ending: '.parquet', unpack: parquetValues },
  {
    sign: 'SQLite format 3\0',
    ending: '.sqlite',
    unpack: (_, handle) => overflowingValues(handle),
  },
]

async function unpackerOf(path: string, handle: FileHandle): Promise<Unpacker | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
  const start = buffer.toString('latin1', 0, bytesRead)
  return packedKinds.find(
    ({ sign, ending = '' }) => start.startsWith(sign) && path.endsWith(ending),
  )?.unpack
}

async function* zipEntries(path: string, handle: FileHandle): AsyncGenerator<ByteStream> {
  const zip = await openPromise(path, { autoClose: false })
  const limit = createLimit(unpackedLimit((await handle.stat()).size))
  try {
    for await (const entry of zip.eachEntry())
      if (entry.canDecodeFileData()) yield limit(await zip.openReadStreamPromise(entry))
  } finally {
    zip.close()
  }
}

/**
 * So many bytes of a ZIP are unpacked. Tables and texts are packed to a tenth or a fiftieth. Ten
 * megabytes that somebody made for it can be unpacked for days.
 */
const unpackedLimit = (bytes: number): number => Math.max(64 * 1024 * 1024, 200 * bytes)

/** Streams that have so many bytes together. @throws Error from the stream that has more */
function createLimit(bytes: number): (stream: ByteStream) => ByteStream {
  let left = bytes
  return async function* (stream) {
    for await (const chunk of stream) {
      left -= chunk.length
      if (left < 0) throw new Error(`it unpacks to more than ${bytes} bytes`)
      yield chunk
    }
  }
}

/** The values of each group of rows, as JSON. */
async function* parquetValues(path: string): AsyncGenerator<ByteStream> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const { num_rows: rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(rows)
    yield rowsAsJson(await parquetReadObjects({ file, metadata, rowStart, rowEnd }))
    rowStart = rowEnd
  }
}

async function* rowsAsJson(rows: readonly object[]): ByteStream {
  const maybeYield = createYielder()
  for (const row of rows) {
    yield Buffer.from(JSON.stringify(row, withoutBig))
    await maybeYield()
  }
}

/** JSON has no big integers. */
const withoutBig = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value
