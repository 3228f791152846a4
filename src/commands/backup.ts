// Backups: everything that a data directory keeps, as one gzip file of JSON lines with its counts and
// checksum at its end. Made of a running service through its socket, of a stopped one from the home;
// restored into an empty data directory, after the whole file was found to be right.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

import { ExpectedError } from '../errors.js'
import { syncDirectory, writeFileDurably } from '../store/durable-file.js'
import { dataFiles } from '../config.js'
import { checkDataVersion } from '../store/key-value/base-url.js'
import { baseUrlKey, versionKey } from '../store/key-value/keys.js'
import { DataDirectoryInUseError } from '../store/errors.js'
import {
  type KeyValueWrite,
  type KeyValueStore,
  openKeyValueStore,
} from '../store/key-value/key-value-store.js'
import { askBackup } from './control-socket.js'

/** What a backup holds. */
export type Backup = {
  readonly made: string
  readonly base: string
  readonly entries: number
  readonly files: number
}

/** There is nothing to back up, a file is no backup or not a whole one, or the place is taken. */
export class BackupError extends ExpectedError {}

/**
 * The bytes of a backup: what the home holds when they are first asked for, which is a snapshot of
 * LevelDB's, so every write that was acknowledged before, and none that comes later; writes go on.
 */
export function backUp(home: KeyValueStore, dataDir: string): Readable {
  const gzip = createGzip()
  // Whoever reads is told of what fails by the stream itself.
  pipeline(Readable.from(piecesOf(home, dataDir), { objectMode: false }), gzip).catch(
    () => undefined,
  )
  return gzip
}

/**
 * Backs up the data directory to a file, which appears whole or not at all, whether the service runs or not.
 * @throws BackupRefused, ControlUnreachable
 */
export async function backUpTo(file: string, dataDir: string): Promise<Backup> {
  const home = await openDataDirectory(dataDir)
  try {
    const bytes = home ? backUp(home, dataDir) : await askBackup(dataFiles(dataDir).control)
    return await keep(bytes, file)
  } finally {
    await home?.close()
  }
}

/**
 * The home of a stopped service; undefined when the service runs.
 * @throws BackupRefused when there is none
 */
export async function openDataDirectory(dataDir: string): Promise<KeyValueStore | undefined> {
  const files = dataFiles(dataDir)
  const there = (await readdir(dataDir).catch(ifAbsent)) ?? []
  if (!there.some((name) => [files.home, files.tokenKey].includes(join(dataDir, name))))
    throw new BackupError(`there is no catalogue in ${dataDir}`)
  return openKeyValueStore(files.home, undefined, [files.tokenKey]).catch((error: unknown) => {
    if (error instanceof DataDirectoryInUseError) return undefined
    throw error
  })
}

/**
 * Reads a backup to its end, and tells each of its entries and files to whoever wants them.
 * @throws BackupRefused when it is no backup, or not a whole one
 */
export async function readBackup(file: string, take: OnPart = () => undefined): Promise<Backup> {
  const source = createReadStream(file)
  try {
    return await readBackupFrom(source, file, take)
  } finally {
    source.destroy()
  }
}

/** The same for bytes that come from anywhere; `file` is what they are called. */
export async function readBackupFrom(
  source: Readable,
  file: string,
  take: OnPart,
): Promise<Backup> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new BackupError(`${file} is not a whole backup: ${why}`, { cause })
  }
  const sum = createHash('sha256')
  const [counts, said] = [
    { entries: 0, files: 0 },
    { base: '', made: '' },
  ]
  let end: End | undefined
  const takeLine = async (line: Buffer): Promise<void> => {
    if (end) refuse('something follows its end')
    const part = JSON.parse(line.toString()) as Line
    if ('sha256' in part) {
      end = part
      return
    }
    sum.update(line).update('\n')
    if ('format' in part) {
      if (part.format !== format) refuse('it is of another form')
      said.made = part.made
    } else if (said.made === '') refuse('it does not begin as a backup does')
    else if ('file' in part) {
      counts.files += 1
      await take({ name: nameOf(part.file), content: Buffer.from(part.base64, 'base64') })
    } else {
      counts.entries += 1
      if (part.key === baseUrlKey) said.base = part.value
      await take(part)
    }
  }
  const bytes = source.pipe(createGunzip())
  source.once('error', (error) => bytes.destroy(error))
  try {
    for await (const line of linesOf(bytes)) await takeLine(line)
  } catch (error) {
    if (!isOfContent(error)) throw error
    refuse((error as Error).message, error)
  }
  if (!end) return refuse('its end is missing')
  const isRight =
    end.entries === counts.entries && end.files === counts.files && end.sha256 === sum.digest('hex')
  return isRight ? { ...said, ...counts } : refuse('its checksum is wrong')
}

/**
 * Makes a data directory of a backup, all or nothing.
 * @throws BackupRefused unless the file is whole and the directory empty or absent
 */
export async function restore(file: string, dataDir: string): Promise<Backup> {
  const there = ((await readdir(dataDir).catch(ifAbsent)) ?? []).filter(
    (name) => name !== 'lost+found',
  )
  if (there.length > 0)
    throw new BackupError(
      `${dataDir} is not empty (${there.slice(0, 3).join(', ')}): a backup is restored into an ` +
        'empty directory alone. Name another as DATA_DIR, or move this one away',
    )
  const backup = await readBackup(file, (part) => {
    if ('key' in part && part.key === versionKey) checkDataVersion(part.value)
  })
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await fill(dataDir, file)
  } catch (error) {
    for (const name of await readdir(dataDir))
      if (name !== 'lost+found') await rm(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
  return backup
}

/** Who is told of each part; what it throws ends the reading. */
export type OnPart = (part: KeyValueWrite | BackupFile) => Promise<void> | void

export type BackupFile = { readonly name: string; readonly content: Buffer }

type End = { readonly entries: number; readonly files: number; readonly sha256: string }

type Line =
  | { readonly format: string; readonly made: string }
  | { readonly key: string; readonly value: string }
  | { readonly file: string; readonly base64: string }
  | End

const format = 'zine-catalogue backup 1'

/** How much is handed on at a time, in characters or bytes. */
const piece = 256 * 1024

async function* piecesOf(home: KeyValueStore, dataDir: string): AsyncGenerator<string> {
  const sum = createHash('sha256')
  const counts = { entries: 0, files: 0 }
  let text = ''
  const add = (line: Line): void => {
    text += `${JSON.stringify(line)}\n`
  }
  const taken = (): string => {
    sum.update(text)
    const taken = text
    text = ''
    return taken
  }

  add({ format, made: new Date().toISOString() })
  for await (const [key, value] of home.entries('')) {
    add({ key, value })
    counts.entries += 1
    if (text.length > piece) yield taken()
  }
  for (const { name, content } of await filesOf(dataDir)) {
    add({ file: name, base64: content.toString('base64') })
    counts.files += 1
    yield taken()
  }
  yield taken()
  yield `${JSON.stringify({ ...counts, sha256: sum.digest('hex') })}\n`
}

/** What a data directory keeps beside the home: the key, and the institution's own terms. */
async function filesOf(dataDir: string): Promise<readonly BackupFile[]> {
  const { tokenKey, vocabularies } = dataFiles(dataDir)
  const terms = (await readdir(vocabularies).catch(ifAbsent)) ?? []
  const files = [
    tokenKey,
    ...terms.filter((name) => name.endsWith('.ttl')).map((name) => join(vocabularies, name)),
  ]
  const read = await Promise.all(
    files.map(async (file) => ({
      name: file === tokenKey ? tokenKeyName : `vocabularies/${basename(file)}`,
      content: await readFile(file).catch(ifAbsent),
    })),
  )
  return read.flatMap(({ name, content }) => (content ? [{ name, content }] : []))
}

const tokenKeyName = 'token.key'

/** @throws BackupRefused for a name that would lead out of the data directory */
function nameOf(name: string): string {
  if (name === tokenKeyName || /^vocabularies\/[^/\\\0]+\.ttl$/.test(name)) return name
  throw new BackupError(`the backup has a file that none has: ${JSON.stringify(name)}`)
}

/** Writes beside the file, reads again what was written, and only then gives it its name. */
async function keep(bytes: Readable, file: string): Promise<Backup> {
  const path = resolve(file)
  const unfinished = `${path}.${process.pid}.unfinished`
  try {
    await pipeline(bytes, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }))
    const backup = await readBackup(unfinished).catch((cause: unknown) => {
      throw cause instanceof BackupError
        ? new BackupError(`nothing was backed up: ${cause.message}`, { cause })
        : cause
    })
    await rename(unfinished, path)
    await syncDirectory(dirname(path))
    return backup
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

// The key first: beside it nobody makes a new store while this goes on. The store gets its name last.
async function fill(dataDir: string, file: string): Promise<void> {
  const { home: directory } = dataFiles(dataDir)
  const unfinished = `${directory}.unfinished`
  const files: BackupFile[] = []
  await readBackup(file, (part) => {
    if ('name' in part) files.push(part)
  })
  for (const { name, content } of files) await restoreFile(join(dataDir, name), content)

  const home = await openKeyValueStore(unfinished)
  try {
    let batch: KeyValueWrite[] = []
    let size = 0
    const write = async (): Promise<void> => {
      await home.write(batch)
      ;[batch, size] = [[], 0]
    }
    await readBackup(file, async (part) => {
      if ('name' in part) return
      batch.push(part)
      if ((size += part.key.length + (part.value?.length ?? 0)) > piece) await write()
    })
    await write()
  } finally {
    await home.close()
  }
  await rename(unfinished, directory)
  await syncDirectory(dataDir)
}

async function restoreFile(file: string, content: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFileDurably(file, content)
  await syncDirectory(dirname(file))
}

// Not `readline`, which ends lines at U+2028 too, and JSON may have that inside of strings.
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)])
      parts = []
      start = end + 1
    }
    parts.push(chunk.subarray(start))
  }
  if (parts.some(({ length }) => length > 0)) yield Buffer.concat(parts)
}

/** Whether what failed is the file's content, and not the reading of it. */
const isOfContent = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  error instanceof TypeError ||
  ((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_')

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
