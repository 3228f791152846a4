// `backup FILE` and `restore FILE`: all that a data directory holds. A running service sends its
// backup through the control socket, that of a stopped one is read from its store. A backup is
// restored into an empty data directory only. The file format is in archive-file.ts.

import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

import { createKey, readKey } from '../accounts/token.js'
import { ExpectedError } from '../errors.js'
import { ifAbsent, syncDirectory, writeFileDurably } from '../lib/durable-file.js'
import { dataFiles } from '../config.js'
import type { DataPart, EntryFiles } from '../store/data-part.js'
import { checkDataVersion, currentVersion } from '../store/key-value/data-version.js'
import {
  catalogueIdKey,
  derivationKey,
  indexFileKey,
  logNameKey,
  upgradeKey,
  versionKey,
} from '../store/key-value/keys.js'
import { DataDirectoryInUseError } from '../lib/key-value/errors.js'
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
  exportFormat,
  readArchiveFile,
  writeArchiveFile,
} from './archive-file.js'
import { requestBackup } from '../lib/control-socket.js'

/** A data directory with all that parts of the service keep in it. */
export type DataDirectory = { readonly dataDir: string; readonly parts: readonly DataPart[] }

/**
 * The bytes of a backup. It is a snapshot of the store, taken when the first bytes are read: it has
 * every write that was acknowledged before and none that comes later. Writes go on meanwhile. It
 * ends with an error when a value is removed for good meanwhile, which it could have.
 */
export function backUp(store: KeyValueStore, directory: DataDirectory): Readable {
  return createArchive(readParts(store, directory))
}

/**
 * Backs up the data directory to a file, whether the service runs or not. The file gets its name
 * when it is complete.
 * @throws ExpectedError, ControlConnectionError
 */
export async function backUpTo(file: string, directory: DataDirectory): Promise<ArchiveSummary> {
  const { dataDir } = directory
  const store = await findStoppedStore(dataDir)
  try {
    const archive = store
      ? backUp(store, directory)
      : await requestBackup(dataFiles(dataDir).control)
    return await saveBackup(archive, file)
  } finally {
    await store?.close()
  }
}

/**
 * Saves the bytes of a backup: writes beside the file, reads again what was written, and gives it
 * its name when it is complete.
 * @throws ExpectedError when the bytes are no complete backup, and the errors of the file system
 */
export async function saveBackup(archive: Readable, file: string): Promise<ArchiveSummary> {
  const path = resolve(file)
  const unfinished = `${path}.${process.pid}.unfinished`
  try {
    await writeArchiveFile(unfinished, archive)
    const summary = await readArchiveFile(unfinished).catch((cause: unknown) => {
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

/**
 * The key-value store of a stopped service; undefined when the service runs.
 * @throws ExpectedError when the directory has no catalogue
 */
export async function findStoppedStore(dataDir: string): Promise<KeyValueStore | undefined> {
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
export async function restore(file: string, directory: DataDirectory): Promise<ArchiveSummary> {
  const { dataDir } = directory
  const names = ((await readdir(dataDir).catch(ifAbsent)) ?? []).filter(isOurs)
  if (names.length > 0)
    throw new ExpectedError(
      `${dataDir} is not empty (${names.slice(0, 3).join(', ')}). A backup is restored into an ` +
        'empty directory only: set DATA_DIR to another directory, or move this one away',
    )
  const summary = await readArchiveFile(file, (part) => {
    if ('name' in part) checkFileName(part.name, directory)
    else if (part.key === versionKey) checkDataVersion({ ...currentVersion, format: part.value })
    else if (part.key === derivationKey)
      checkDataVersion({ ...currentVersion, derivation: part.value })
  })
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await fill(directory, file, summary.format)
  } catch (error) {
    for (const name of (await readdir(dataDir)).filter(isOurs))
      await rm(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
  return summary
}

/** File systems make `lost+found` in their root directory. */
const isOurs = (name: string): boolean => name !== 'lost+found'

async function* readParts(
  store: KeyValueStore,
  { dataDir, parts }: DataDirectory,
): AsyncGenerator<ArchivePart> {
  const inEntries = parts.flatMap(({ entryFiles }) =>
    entryFiles ? [{ files: entryFiles, names: new Set<string>() }] : [],
  )
  for await (const [key, value] of store.snapshot()) {
    // They are about a file that is made anew, and about a copy of the store.
    if (key === indexFileKey || key === upgradeKey) continue
    yield { key, value }
    for (const { files, names } of inEntries)
      for (const name of files.namesIn(key, value)) names.add(name)
  }
  // The server key is the first file.
  for (const name of [
    ...(await ownFileNames(dataDir)),
    ...fileNamesOf(parts),
    ...(await folderNamesOf(parts)),
  ]) {
    const content = await readFile(join(dataDir, name)).catch(ifAbsent)
    if (content) yield { name, content }
  }
  // One that was removed meanwhile is left out.
  for (const { files, names } of inEntries)
    for (const name of names) {
      const content = await files.read(name)
      if (content) yield { name, content }
    }
}

const tokenKeyName = 'token.key'

/** The names of the server key and of the institution's own vocabularies. */
async function ownFileNames(dataDir: string): Promise<readonly string[]> {
  const names = (await readdir(dataFiles(dataDir).vocabularies).catch(ifAbsent)) ?? []
  return [tokenKeyName, ...names.map((name) => `vocabularies/${name}`).filter(isVocabulary)]
}

const isVocabulary = (name: string): boolean => /^vocabularies\/[^/\\\0]+\.ttl$/.test(name)

const fileNamesOf = (parts: readonly DataPart[]): readonly string[] =>
  parts.flatMap(({ fileNames }) => fileNames ?? [])

async function folderNamesOf(parts: readonly DataPart[]): Promise<readonly string[]> {
  const names: string[] = []
  for (const { folder } of parts)
    if (folder)
      names.push(
        ...((await folder.names().catch(ifAbsent)) ?? []).filter((name) => folder.isName(name)),
      )
  return names
}

const filesWith = (name: string, parts: readonly DataPart[]): EntryFiles | undefined =>
  parts.find(({ entryFiles }) => entryFiles?.isName(name))?.entryFiles

/** @throws ArchiveError for a name that no backup has: it could lead out of the data directory */
function checkFileName(name: string, { parts }: DataDirectory): void {
  const isKnown =
    name === tokenKeyName ||
    isVocabulary(name) ||
    fileNamesOf(parts).includes(name) ||
    parts.some(({ folder }) => folder?.isName(name))
  if (isKnown || filesWith(name, parts)) return
  throw new ArchiveError(`the backup has a file that no backup has: ${JSON.stringify(name)}`)
}

// The server key comes first: where it is, no start makes a new store while this goes on. The store
// gets its name last.
async function fill(directory: DataDirectory, file: string, format: string): Promise<void> {
  const { dataDir } = directory
  const { store, tokenKey } = dataFiles(dataDir)
  const unfinished = `${store}.unfinished`
  await readArchiveFile(file, async (part) => {
    if ('name' in part) await restoreFile(part, directory)
  })
  // An export has no server key, and a start with accounts and without a key fails.
  if (!(await readKey(tokenKey))) await createKey(tokenKey)
  await fillStore(unfinished, file, format)
  await rename(unfinished, store)
  await syncDirectory(dataDir)
}

/** How much is written at a time, in UTF-16 units. */
const batchSize = 256 * 1024

async function fillStore(directory: string, file: string, format: string): Promise<void> {
  const store = await openKeyValueStore(directory)
  try {
    let batch: KeyValueWrite[] = []
    let size = 0
    const write = async (): Promise<void> => {
      await store.write(batch)
      ;[batch, size] = [[], 0]
    }
    await readArchiveFile(file, async (part) => {
      if ('name' in part || isMadeAnew(part.key, format)) return
      batch.push(part)
      if ((size += part.key.length + (part.value?.length ?? 0)) > batchSize) await write()
    })
    await write()
  } finally {
    await store.close()
  }
}

/**
 * What follows the log by its name has to begin anew: what came after the backup is not in it. The
 * remote store belongs to the catalogue that was exported, and not to its copy.
 */
const isMadeAnew = (key: string, format: string): boolean =>
  key === logNameKey || (key === catalogueIdKey && format === exportFormat)

async function restoreFile(
  { name, content }: BackupFile,
  { dataDir, parts }: DataDirectory,
): Promise<void> {
  const files = filesWith(name, parts)
  if (files) {
    if (!(await files.write(name, content)))
      throw new ArchiveError(`the file is damaged: ${JSON.stringify(name)}`)
    return
  }
  const path = join(dataDir, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFileDurably(path, content)
  await syncDirectory(dirname(path))
}
