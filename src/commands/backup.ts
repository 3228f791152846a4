// `backup FILE` and `restore FILE`: all that a data directory holds. A running service sends its
// backup through the control socket, that of a stopped one is read from its store. A backup is
// restored into an empty data directory only. The file format is in archive-file.ts.

import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'

import { ExpectedError } from '../errors.js'
import { siteFileNames } from '../branding/site-file-names.js'
import { syncDirectory, writeFileDurably } from '../lib/durable-file.js'
import { dataFiles } from '../config.js'
import { createPictureFiles, hashOf } from '../features/pictures/picture-files.js'
import { hashesOf, isHash, parsePictureEntry } from '../features/pictures/picture.js'
import { checkDataVersion } from '../store/key-value/base-url.js'
import { indexFileKey, logNameKey, prefixes, versionKey } from '../store/key-value/keys.js'
import { DataDirectoryInUseError } from '../store/errors.js'
import {
  type KeyValueWrite,
  type KeyValueStore,
  openKeyValueStore,
} from '../lib/key-value/key-value-store.js'
import {
  ArchiveError,
  type ArchivePart,
  type ArchiveSummary,
  type BackupFile,
  createArchive,
  readArchiveFile,
  writeArchiveFile,
} from './archive-file.js'
import { requestBackup } from './control-socket.js'

/**
 * The bytes of a backup. It is a snapshot of the store, taken when the first bytes are read: it has
 * every write that was acknowledged before and none that comes later. Writes go on meanwhile. It
 * ends with an error when a value is removed for good meanwhile, which it could have.
 */
export function backUp(store: KeyValueStore, dataDir: string): Readable {
  return createArchive('backup', readParts(store, dataDir), { compress: true })
}

/**
 * Backs up the data directory to a file, whether the service runs or not. The file gets its name
 * when it is complete.
 * @throws ExpectedError, ControlConnectionError
 */
export async function backUpTo(file: string, dataDir: string): Promise<ArchiveSummary> {
  const store = await createDataDirectory(dataDir)
  try {
    const archive = store ? backUp(store, dataDir) : await requestBackup(dataFiles(dataDir).control)
    return await saveChecked(archive, file)
  } finally {
    await store?.close()
  }
}

/**
 * The key-value store of a stopped service; undefined when the service runs.
 * @throws ExpectedError when the directory has no catalogue
 */
export async function createDataDirectory(dataDir: string): Promise<KeyValueStore | undefined> {
  const files = dataFiles(dataDir)
  const names = (await readdir(dataDir).catch(ifAbsent)) ?? []
  if (!names.some((name) => [files.store, files.tokenKey].includes(join(dataDir, name))))
    throw new ExpectedError(`there is no catalogue in ${dataDir}`)
  return openKeyValueStore(files.store, undefined, [files.tokenKey]).catch((error: unknown) => {
    if (error instanceof DataDirectoryInUseError) return undefined
    throw error
  })
}

/**
 * Fills an empty or absent data directory from a backup. When that fails, the directory is emptied.
 * @throws ArchiveError when the file is no complete backup
 * @throws ExpectedError when its data are of another version
 * @throws ExpectedError when the directory is not empty
 */
export async function restore(file: string, dataDir: string): Promise<ArchiveSummary> {
  const names = ((await readdir(dataDir).catch(ifAbsent)) ?? []).filter(isOurs)
  if (names.length > 0)
    throw new ExpectedError(
      `${dataDir} is not empty (${names.slice(0, 3).join(', ')}). A backup is restored into an ` +
        'empty directory only: set DATA_DIR to another directory, or move this one away',
    )
  const summary = await readArchiveFile(file, 'backup', (part) => {
    if ('name' in part) checkFileName(part.name)
    else if (part.key === versionKey) checkDataVersion(part.value)
  })
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await fill(dataDir, file)
  } catch (error) {
    for (const name of (await readdir(dataDir)).filter(isOurs))
      await rm(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
  return summary
}

/** File systems make `lost+found` in their root directory. */
const isOurs = (name: string): boolean => name !== 'lost+found'

async function* readParts(store: KeyValueStore, dataDir: string): AsyncGenerator<ArchivePart> {
  const hashes = new Set<string>()
  for await (const [key, value] of store.snapshot()) {
    // It is about a file that is made anew.
    if (key === indexFileKey) continue
    yield { key, value }
    for (const hash of fileHashesIn(key, value)) hashes.add(hash)
  }
  // The server key is the first file.
  yield* await readFiles(dataDir)
  yield* pictureFiles(hashes, dataDir)
}

/**
 * What a data directory holds beside the store: the server key, and the institution's own
 * vocabularies and site files.
 */
/** The files of pictures that an entry of the store names. */
export const fileHashesIn = (key: string, value: string): readonly string[] =>
  key.startsWith(prefixes.pictures) ? hashesOf(parsePictureEntry(value)) : []

/** The files of pictures, one after another. One that was removed meanwhile is left out. */
export async function* pictureFiles(
  hashes: Iterable<string>,
  dataDir: string,
): AsyncGenerator<BackupFile> {
  const files = createPictureFiles(dataFiles(dataDir).pictures)
  for (const hash of hashes) {
    const content = await files.read(hash)
    if (content) yield { name: `${picturesName}${hash}`, content }
  }
}

const picturesName = 'pictures/'

/** Writes a file of a picture into the data directory. @throws ArchiveError for any other file */
export async function restorePictureFile(
  { name, content }: BackupFile,
  dataDir: string,
): Promise<void> {
  const hash = name.slice(picturesName.length)
  if (!isPictureFile(name) || hashOf(content) !== hash)
    throw new ArchiveError(`the file is not a picture: ${JSON.stringify(name)}`)
  await createPictureFiles(dataFiles(dataDir).pictures).write(hash, content)
}

export const isPictureFile = (name: string): boolean =>
  name.startsWith(picturesName) && isHash(name.slice(picturesName.length))

/**
 * What a data directory holds beside the store: the server key and the institution's own
 * vocabularies.
 */
async function readFiles(dataDir: string): Promise<readonly BackupFile[]> {
  const { tokenKey, vocabularies, site, catalogues } = dataFiles(dataDir)
  const names = (await readdir(vocabularies).catch(ifAbsent)) ?? []
  const paths = [
    tokenKey,
    ...names.filter((name) => name.endsWith('.ttl')).map((name) => join(vocabularies, name)),
    ...siteFileNames.map((name) => join(site, name)),
    catalogues,
  ]
  const files = await Promise.all(
    paths.map(async (path) => ({
      name: relative(dataDir, path).replaceAll(sep, '/'),
      content: await readFile(path).catch(ifAbsent),
    })),
  )
  return files.flatMap(({ name, content }) => (content ? [{ name, content }] : []))
}

const tokenKeyName = 'token.key'

const cataloguesName = 'catalogues.json'

/** @throws ArchiveError for a name that no backup has: it could lead out of the data directory */
function checkFileName(name: string): void {
  if (isPictureFile(name)) return
  if (
    name === tokenKeyName ||
    name === cataloguesName ||
    /^vocabularies\/[^/\\\0]+\.ttl$/.test(name)
  )
    return
  if (siteFileNames.some((one) => name === `site/${one}`)) return
  throw new ArchiveError(`the backup has a file that no backup has: ${JSON.stringify(name)}`)
}

/**
 * Writes beside the file, reads again what was written, and gives it its name when it is complete.
 */
async function saveChecked(archive: Readable, file: string): Promise<ArchiveSummary> {
  const path = resolve(file)
  const unfinished = `${path}.${process.pid}.unfinished`
  try {
    await writeArchiveFile(unfinished, archive)
    const summary = await readArchiveFile(unfinished, 'backup').catch((cause: unknown) => {
      throw cause instanceof ArchiveError
        ? new ExpectedError(`nothing was backed up: ${cause.message}`, { cause })
        : cause
    })
    await rename(unfinished, path)
    await syncDirectory(dirname(path))
    return summary
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

// The server key comes first: where it is, no start makes a new store while this goes on. The store
// gets its name last.
async function fill(dataDir: string, file: string): Promise<void> {
  const { store: directory } = dataFiles(dataDir)
  const unfinished = `${directory}.unfinished`
  await readArchiveFile(file, 'backup', async (part) => {
    if (!('name' in part)) return
    checkFileName(part.name)
    await (isPictureFile(part.name)
      ? restorePictureFile(part, dataDir)
      : restoreFile(join(dataDir, part.name), part.content))
  })
  await fillStore(unfinished, file)
  await rename(unfinished, directory)
  await syncDirectory(dataDir)
}

/** How much is written at a time, in UTF-16 units. */
const batchSize = 256 * 1024

async function fillStore(directory: string, file: string): Promise<void> {
  const store = await openKeyValueStore(directory)
  try {
    let batch: KeyValueWrite[] = []
    let size = 0
    const write = async (): Promise<void> => {
      await store.write(batch)
      ;[batch, size] = [[], 0]
    }
    await readArchiveFile(file, 'backup', async (part) => {
      // What follows the log by its name has to begin anew: what came after the backup is not in
      // it.
      if ('name' in part || part.key === logNameKey) return
      batch.push(part)
      if ((size += part.key.length + (part.value?.length ?? 0)) > batchSize) await write()
    })
    await write()
  } finally {
    await store.close()
  }
}

async function restoreFile(file: string, content: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFileDurably(file, content)
  await syncDirectory(dirname(file))
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
