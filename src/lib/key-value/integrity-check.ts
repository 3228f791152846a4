// Checks that LevelDB's files are complete and undamaged, before LevelDB opens them. LevelDB itself
// creates an empty store when CURRENT is missing, skips damaged parts of a log, and does not verify
// the checksums of its tables. leveldb-files.ts parses the files.

import { createHash } from 'node:crypto'
import { open, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { ifAbsent } from '../durable-file.js'
import {
  DataCorruptedError,
  DataDirectoryInUseError,
  DiskFailedError,
  fullDiskError,
} from './errors.js'
import {
  type Manifest,
  findCorruptBlock,
  readLog,
  readManifest,
  readSequence,
} from './leveldb-files.js'

/**
 * Checks every file of the store in a directory. A directory without a store is fine.
 * @param mustExistBeside files that exist only if the store does
 * @throws DataCorruptedError, DiskFailedError that name the file
 * @throws DataDirectoryInUseError when another process is changing the files
 */
export async function checkIntegrity(
  directory: string,
  mustExistBeside: readonly string[],
): Promise<void> {
  const before = await snapshotOf(directory)
  const damage = await findDamage(directory, mustExistBeside).catch(describeMissing)
  if (!damage) return
  // When the files change meanwhile, they are not damaged but in use by another process.
  if (before !== (await snapshotOf(directory)))
    throw new DataDirectoryInUseError(`${directory} is in use by another process`)
  throw new DataCorruptedError(`${damage}. ${recoveryHint}`)
}

/**
 * The records of the logs that LevelDB is about to read, each of them a batch, in their order.
 * Empty when there is no store, or none that can be read.
 */
export async function readWriteAheadLog(directory: string): Promise<readonly Buffer[]> {
  const names = await listFiles(directory)
  if (!names.includes('CURRENT')) return []
  const manifest = await loadManifest(join(directory, await readCurrent(directory)))
  if (typeof manifest === 'string') return []
  const logs = await Promise.all(
    liveLogs(manifest, names).map((name) => readContent(join(directory, name))),
  )
  return logs.flatMap((bytes) => readLog(bytes).records)
}

/** LevelDB writes it with a capital letter and without. */
const ignoringText = 'gnoring error'

/**
 * LevelDB's own message about what it skipped when it opened the store last. Where it cannot read a
 * log, it treats it as ending there. An incomplete record left by a killed process is not reported.
 */
export async function readRecoveryError(directory: string): Promise<string | undefined> {
  const messages = (await readContent(join(directory, 'LOG'))).toString()
  const line = messages
    .split('\n')
    .find((entry) => entry.includes(ignoringText) && entry.includes('IO error'))
  return line?.slice(line.indexOf(ignoringText) + ignoringText.length).replace(/^\)?:? /, '')
}

/**
 * Writes the checksums of the growing files after the store was closed. Whether a log lost its end
 * cannot be seen in the log alone. The checksums lapse when the store is opened again, because
 * every opening begins another manifest.
 */
export async function writeCloseChecksums(directory: string): Promise<void> {
  // When they cannot be written, as on a full disk, the logs are checked like those of a killed
  // process.
  await writeChecksums(directory).catch(() => undefined)
}

type Checksums = Readonly<Record<string, string>>

const checksumFile = 'CLOSED'

const recoveryHint =
  'Nothing was opened or changed. Keep the data directory for an examination, and ' +
  'restore a backup into another one: npx zine-catalogue restore FILE'

async function writeChecksums(directory: string): Promise<void> {
  const current = await readCurrent(directory)
  const names = await listFiles(directory)
  const files = [current, ...names.filter(isLog)]
  const sums = await Promise.all(
    files.map(async (name) => [name, await checksumOf(directory, name)]),
  )
  const handle = await open(join(directory, checksumFile), 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify({ current, sums: Object.fromEntries(sums) as Checksums }))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function findDamage(
  directory: string,
  mustExistBeside: readonly string[],
): Promise<string | undefined> {
  const names = await listFiles(directory)
  const missing = (name: string): string => `${join(directory, name)} is missing`
  if (!names.includes('CURRENT')) {
    const left = names.find((name) => isLog(name) || isTable(name))
    if (left) return `${missing('CURRENT')}, though there is ${left}`
    const known = await firstExisting(mustExistBeside)
    return known && `${missing('CURRENT')}: there is no store, though ${known} belongs to one`
  }
  const current = await readCurrent(directory)
  if (!/^MANIFEST-\d+$/.test(current)) return `${join(directory, 'CURRENT')} names no manifest`
  if (!names.includes(current)) return missing(current)
  return (
    (await findChangeSinceClose(directory, current, names)) ??
    (await findCorruption(directory, current, names))
  )
}

/** A change since the store was closed. Nothing is known if the process was killed instead. */
async function findChangeSinceClose(directory: string, current: string, names: readonly string[]) {
  const closed = await readChecksums(join(directory, checksumFile))
  if (closed?.current !== current) return undefined
  for (const [name, sum] of Object.entries(closed.sums)) {
    if (!names.includes(name)) return `${join(directory, name)} is missing`
    if ((await checksumOf(directory, name)) !== sum)
      return `${join(directory, name)} has changed since the store was closed`
  }
  return undefined
}

async function findCorruption(directory: string, current: string, names: readonly string[]) {
  const manifest = await loadManifest(join(directory, current))
  if (typeof manifest === 'string') return manifest
  for (const [number, size] of manifest.tables) {
    const name = [`${padded(number)}.ldb`, `${padded(number)}.sst`].find((fileName) =>
      names.includes(fileName),
    )
    if (!name) return `${join(directory, `${padded(number)}.ldb`)} is missing`
    const bytes = await readContent(join(directory, name))
    if (bytes.length !== size)
      return `${join(directory, name)} has ${bytes.length} bytes and should have ${size}`
    const at = findCorruptBlock(bytes)
    if (at !== undefined) return `${join(directory, name)} is damaged at byte ${at}`
  }
  const logs = liveLogs(manifest, names)
  if (manifest.log > 0 && !logs.includes(`${padded(manifest.log)}.log`))
    return `${join(directory, `${padded(manifest.log)}.log`)} is missing`
  /**
   * The sequence number that the next record must have; a lower one is possible in the first log.
   */
  let next: number | undefined
  let mayHaveGap = false
  for (const name of logs) {
    const file = join(directory, name)
    const { records, broken } = readLog(await readContent(file))
    if (broken && !broken.isTruncatedTail) return `${file} is damaged at byte ${broken.at}`
    for (const record of records) {
      if (record.length < batchHeaderSize) return `${file} is damaged: a record is too short`
      const sequence = readSequence(record)
      const isInOrder =
        next === undefined
          ? sequence.first <= manifest.lastSequence + 1
          : sequence.first === next || (mayHaveGap && sequence.first > next)
      if (!isInOrder)
        return `${file} is damaged: its writes are not complete, or not in their order`
      next = sequence.next
      mayHaveGap = false
    }
    // An incomplete record had sequence numbers too.
    mayHaveGap = broken !== undefined
  }
  return undefined
}

/** The manifest that LevelDB goes on with. @throws DiskFailedError when it cannot be read */
export async function readLiveManifest(directory: string): Promise<Manifest> {
  const manifest = await loadManifest(join(directory, await readCurrent(directory)))
  if (typeof manifest === 'string') throw new DiskFailedError(`the disk failed: ${manifest}`)
  return manifest
}

/** A log record begins with its sequence number and the number of its steps. */
const batchHeaderSize = 12

async function loadManifest(file: string): Promise<Manifest | string> {
  const { records, broken } = readLog(await readContent(file))
  if (records.length === 0 || (broken && !broken.isTruncatedTail))
    return `${file} is damaged at byte ${broken?.at ?? 0}`
  try {
    return readManifest(records)
  } catch (error) {
    return `${file} cannot be read: ${(error as Error).message}`
  }
}

/** The logs with the writes that are in no table yet, oldest first. */
const liveLogs = ({ log }: Manifest, names: readonly string[]): readonly string[] =>
  names
    .filter((name) => isLog(name) && Number.parseInt(name, 10) >= log)
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))

export const isLog = (name: string): boolean => /^\d+\.log$/.test(name)

export const isTable = (name: string): boolean => /^\d+\.(?:ldb|sst)$/.test(name)

const padded = (number: number): string => String(number).padStart(6, '0')

export async function listFiles(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(ifAbsent)) ?? []
}

const readCurrent = async (directory: string): Promise<string> =>
  (await readContent(join(directory, 'CURRENT'))).toString('latin1').trim()

const checksumOf = async (directory: string, name: string): Promise<string> =>
  createHash('sha256')
    .update(await readContent(join(directory, name)))
    .digest('hex')

/**
 * @throws DiskFailedError that names the file; the system's error lacks it when a read fails midway
 */
export async function readContent(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const cause = error as NodeJS.ErrnoException
    if (cause.code === 'ENOENT') throw cause
    const full = fullDiskError(cause)
    if (full) throw full
    throw new DiskFailedError(`the disk failed: ${file} cannot be read: ${cause.message}`, {
      cause,
    })
  }
}

/** The names, sizes and times of all files, to see whether another process changes them. */
async function snapshotOf(directory: string): Promise<string> {
  const names = (await listFiles(directory)).filter((name) => !/^(?:LOG|LOCK)/.test(name))
  const states = await Promise.all(
    names.sort().map(async (name) => {
      const state = await stat(join(directory, name)).catch(ifAbsent)
      return [name, state?.size, state?.mtimeMs]
    }),
  )
  return JSON.stringify(states)
}

/** The checksums; undefined when the file is missing or incomplete. */
async function readChecksums(
  file: string,
): Promise<{ readonly current: string; readonly sums: Checksums } | undefined> {
  try {
    // The cast: its values are only compared.
    return JSON.parse(await readFile(file, 'utf8')) as { current: string; sums: Checksums }
  } catch {
    return undefined
  }
}

async function firstExisting(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await stat(file).catch(ifAbsent)) return file
  return undefined
}

/** The message about a file that was removed before it could be read. */
function describeMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error
  return `${error.path ?? 'a file'} is missing`
}
