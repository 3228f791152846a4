// The file format of a copy of a catalogue: JSON lines, compressed with gzip. The first line names
// the format and the time, each further line is an entry of the key-value store or a file, and the
// last line has the counts and the checksum. What goes into it: backup.ts.

import { ExpectedError } from '../errors.js'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, pipeline } from 'node:stream'
import { pipeline as pipelineDone } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

import { baseUrlKey } from '../store/key-value/keys.js'
import type { KeyValueWrite } from '../lib/key-value/key-value-store.js'
import { splitLines } from './lines.js'

/** A file of the data directory; `name` is its path below that directory. */
export type BackupFile = { readonly name: string; readonly content: Buffer }

export type ArchivePart = KeyValueWrite | BackupFile

/** Called for each part, one after the other. What it throws ends the reading. */
export type OnPart = (part: ArchivePart) => Promise<void> | void

/** What is in an archive. */
export type ArchiveSummary = {
  readonly format: string
  /** When it was made, as an ISO 8601 time. */
  readonly made: string
  /** The base URL that its records belong to. */
  readonly base: string
  readonly entries: number
  readonly files: number
}

/** The file cannot be written, is no archive, is damaged, or does not fit; the message says why. */
export class ArchiveError extends ExpectedError {}

/**
 * The bytes of an archive. The parts are taken as the bytes are read.
 * An error of the parts is an error of the stream.
 */
export function createArchive(parts: AsyncIterable<ArchivePart>): Readable {
  const text = Readable.from(serializeArchive(parts), { objectMode: false })
  // Without a callback an error would be thrown; the reader of the stream gets it anyway.
  return pipeline(text, createGzip(), () => undefined)
}

/**
 * Writes an archive to a new file, readable by its owner only: it holds private fields and the
 * hashes of passwords.
 * @throws EEXIST when there is a file already
 */
export function writeArchiveFile(file: string, archive: Readable): Promise<void> {
  return pipelineDone(archive, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
}

/** Reads an archive to its end. @throws what `readArchive` throws */
export async function readArchiveFile(
  file: string,
  onPart: OnPart = () => undefined,
): Promise<ArchiveSummary> {
  const source = createReadStream(file)
  try {
    return await readArchive(source, file, onPart)
  } finally {
    source.destroy()
  }
}

/**
 * Reads an archive to its end and passes on each part. Only the end tells whether the archive is
 * complete, so nothing lasting may be done with the parts of an archive that is read for the first
 * time.
 * @param name what messages call the source
 * @throws ArchiveError when it is no archive, damaged or incomplete
 */
export async function readArchive(
  source: Readable,
  name: string,
  onPart: OnPart,
): Promise<ArchiveSummary> {
  const reader = createArchiveReader(onPart)
  try {
    for await (const line of splitLines(await decompress(source))) await reader.readLine(line)
    return reader.finish()
  } catch (error) {
    if (!isFormatError(error)) throw error
    throw new ArchiveError(`${name} is not a complete archive: ${error.message}`, { cause: error })
  }
}

/** What the first line says of the format. */
const backupFormat = 'zine-catalogue backup 1'

/**
 * What the command `export` of earlier releases wrote, compressed or not: an archive without
 * sessions, and without files but those of pictures.
 */
export const exportFormat = 'zine-catalogue export 1'

type FirstLine = { readonly format: string; readonly made: string }

type LastLine = { readonly entries: number; readonly files: number; readonly sha256: string }

type PartLine =
  | { readonly key: string; readonly value: string }
  | { readonly file: string; readonly base64: string }

/** How much text is passed on at a time, in UTF-16 units. */
const batchSize = 256 * 1024

async function* serializeArchive(parts: AsyncIterable<ArchivePart>): AsyncGenerator<string> {
  const checksum = createHash('sha256')
  const counts = { entries: 0, files: 0 }
  const first: FirstLine = { format: backupFormat, made: new Date().toISOString() }
  let text = toLine(first)
  for await (const part of parts) {
    counts['key' in part ? 'entries' : 'files'] += 1
    text += toLine(
      'key' in part ? part : { file: part.name, base64: part.content.toString('base64') },
    )
    if (text.length < batchSize) continue
    checksum.update(text)
    yield text
    text = ''
  }
  checksum.update(text)
  const last: LastLine = { ...counts, sha256: checksum.digest('hex') }
  yield text + toLine(last)
}

const toLine = (value: object): string => `${JSON.stringify(value)}\n`

/** Reads line after line; `finish` checks that the lines are a whole archive. */
function createArchiveReader(onPart: OnPart) {
  const checksum = createHash('sha256')
  const counts = { entries: 0, files: 0 }
  let first: FirstLine | undefined
  let last: LastLine | undefined
  let base = ''

  async function readLine(bytes: Buffer): Promise<void> {
    if (last) throw new SyntaxError('there are lines after the last one')
    const line = parseLine(bytes)
    if ('sha256' in line) {
      last = line
      return
    }
    checksum.update(bytes).update('\n')
    if ('format' in line) {
      if (line.format !== backupFormat && line.format !== exportFormat)
        throw new SyntaxError(
          `its format, ${JSON.stringify(line.format)}, is not known to this release`,
        )
      first = line
    } else if (!first) throw new SyntaxError('its first line is missing')
    else await readPart(line)
  }

  async function readPart(line: PartLine): Promise<void> {
    if ('file' in line) {
      counts.files += 1
      return onPart({ name: line.file, content: Buffer.from(line.base64, 'base64') })
    }
    counts.entries += 1
    if (line.key === baseUrlKey) base = line.value
    return onPart(line)
  }

  function finish(): ArchiveSummary {
    if (!first || !last) throw new SyntaxError('its last line is missing')
    const isComplete =
      last.entries === counts.entries &&
      last.files === counts.files &&
      last.sha256 === checksum.digest('hex')
    if (!isComplete) throw new SyntaxError('its checksum is wrong')
    return { ...first, base, ...counts }
  }

  return { readLine, finish }
}

function parseLine(bytes: Buffer): FirstLine | PartLine | LastLine {
  const line: unknown = JSON.parse(bytes.toString())
  if (typeof line !== 'object' || line === null) throw new SyntaxError('a line is not an object')
  // A cast: the checksum shows that the line is what this program wrote.
  return line as FirstLine | PartLine | LastLine
}

/** Whether the content is at fault, and not the reading of it. */
const isFormatError = (error: unknown): error is Error =>
  error instanceof SyntaxError ||
  (error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('Z_'))

/** The bytes of the archive itself. No JSON text begins with the first byte of gzip's. */
async function decompress(source: Readable): Promise<AsyncIterable<Buffer>> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  const first = await chunks.next()
  async function* all(): AsyncGenerator<Buffer> {
    for (let next = first; !next.done; next = await chunks.next()) yield next.value
  }
  const isCompressed = first.value?.[0] === 0x1f
  // Without a callback an error would be thrown; the reader of the stream gets it anyway.
  return isCompressed ? pipeline(Readable.from(all()), createGunzip(), () => undefined) : all()
}
