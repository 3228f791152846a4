// Whether LevelDB's files are all there and as they were written, asked before LevelDB opens them. By
// itself it makes an empty store where CURRENT is missing, passes over what is damaged in a log, and
// never compares the checksums of its tables.

import { createHash } from 'node:crypto'
import { open, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { DataCorruptedError, DataDirectoryInUseError, DiskFailedError } from '../errors.js'
import { type Manifest, findCorruptBlock, readLog, readManifest } from './leveldb-files.js'

/**
 * Looks at every file that the directory's store is made of; a directory without a store is well.
 * @param evidence files that are there only where a store has been
 * @throws HomeDamaged, StorageFailed that name the file
 * @throws HomeInUse when another process is at work there
 */
export async function checkIntegrity(
  directory: string,
  evidence: readonly string[],
): Promise<void> {
  const before = await stateOf(directory)
  const damage = await damageIn(directory, evidence).catch(nameMissing)
  if (!damage) return
  // What changes under our eyes is not damaged, but at work in another process.
  if (before !== (await stateOf(directory)))
    throw new DataDirectoryInUseError(`${directory} is in use by another process`)
  throw new DataCorruptedError(`${damage}. ${wayBack}`)
}

/**
 * What the logs say that LevelDB is about to read, a batch each, in their order; nothing where no store
 * is, or none that can be read.
 */
export async function readWriteAheadLog(directory: string): Promise<readonly Buffer[]> {
  const names = await namesIn(directory)
  if (!names.includes('CURRENT')) return []
  const manifest = await manifestOf(join(directory, await currentOf(directory)))
  if (typeof manifest === 'string') return []
  const logs = await Promise.all(
    logsOf(manifest, names).map((name) => contentOf(join(directory, name))),
  )
  return logs.flatMap((bytes) => readLog(bytes).records)
}

/** With a capital or without. */
const ignoring = 'gnoring error'

/**
 * What LevelDB passed over when it opened the store last, in its own words: where it cannot read a log,
 * it takes it for one that ends there, and goes on. The half of a record that a kill left is none of it.
 */
export async function readRecoveryError(directory: string): Promise<string | undefined> {
  const told = (await contentOf(join(directory, 'LOG'))).toString()
  const line = told.split('\n').find((one) => one.includes(ignoring) && one.includes('IO error'))
  return line?.slice(line.indexOf(ignoring) + ignoring.length).replace(/^\)?:? /, '')
}

/**
 * Notes what the files that grow are, once the store is closed: whether a log lost its end cannot be
 * told from the log alone. The note is void as soon as the store has been opened again, since every
 * opening begins another manifest.
 */
export async function writeCloseChecksums(directory: string): Promise<void> {
  // Where it cannot be written, as on a full disk, the logs are judged as those of one that was killed.
  await note(directory).catch(() => undefined)
}

type Sums = Readonly<Record<string, string>>

const closedNote = 'CLOSED'

const wayBack =
  'Nothing was opened or changed. Keep the data directory for whoever may look into it, and ' +
  'restore a backup into another one: npx zine-catalogue restore FILE'

async function note(directory: string): Promise<void> {
  const current = await currentOf(directory)
  const names = await namesIn(directory)
  const files = [current, ...names.filter(isLog)]
  const sums = await Promise.all(files.map(async (name) => [name, await sumOf(directory, name)]))
  const handle = await open(join(directory, closedNote), 'w', 0o600)
  try {
    await handle.writeFile(JSON.stringify({ current, sums: Object.fromEntries(sums) as Sums }))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function damageIn(
  directory: string,
  evidence: readonly string[],
): Promise<string | undefined> {
  const names = await namesIn(directory)
  const missing = (name: string): string => `${join(directory, name)} is missing`
  if (!names.includes('CURRENT')) {
    const left = names.find((name) => isLog(name) || isTable(name))
    if (left) return `${missing('CURRENT')}, though there is ${left}`
    const known = await firstThere(evidence)
    return known && `${missing('CURRENT')}: there is no store, though ${known} is of one`
  }
  const current = await currentOf(directory)
  if (!/^MANIFEST-\d+$/.test(current)) return `${join(directory, 'CURRENT')} names no manifest`
  if (!names.includes(current)) return missing(current)
  return (
    (await changedSince(directory, current, names)) ?? (await brokenIn(directory, current, names))
  )
}

/** What is not as it was when the store was closed; nothing where it was not closed, but killed. */
async function changedSince(directory: string, current: string, names: readonly string[]) {
  const note = await readNote(join(directory, closedNote))
  if (note?.current !== current) return undefined
  for (const [name, sum] of Object.entries(note.sums)) {
    if (!names.includes(name)) return `${join(directory, name)} is missing`
    if ((await sumOf(directory, name)) !== sum)
      return `${join(directory, name)} is not as it was when the store was closed`
  }
  return undefined
}

async function brokenIn(directory: string, current: string, names: readonly string[]) {
  const manifest = await manifestOf(join(directory, current))
  if (typeof manifest === 'string') return manifest
  for (const [number, size] of manifest.tables) {
    const name = [`${padded(number)}.ldb`, `${padded(number)}.sst`].find((one) =>
      names.includes(one),
    )
    if (!name) return `${join(directory, `${padded(number)}.ldb`)} is missing`
    const bytes = await contentOf(join(directory, name))
    if (bytes.length !== size)
      return `${join(directory, name)} has ${bytes.length} bytes and should have ${size}`
    const at = findCorruptBlock(bytes)
    if (at !== undefined) return `${join(directory, name)} is damaged at byte ${at}`
  }
  const logs = logsOf(manifest, names)
  if (manifest.log > 0 && !logs.includes(`${padded(manifest.log)}.log`))
    return `${join(directory, `${padded(manifest.log)}.log`)} is missing`
  for (const name of logs) {
    const { broken } = readLog(await contentOf(join(directory, name)))
    if (broken && !broken.torn) return `${join(directory, name)} is damaged at byte ${broken.at}`
  }
  return undefined
}

async function manifestOf(file: string): Promise<Manifest | string> {
  const { records, broken } = readLog(await contentOf(file))
  if (records.length === 0 || (broken && !broken.torn))
    return `${file} is damaged at byte ${broken?.at ?? 0}`
  try {
    return readManifest(records)
  } catch (error) {
    return `${file} cannot be read: ${(error as Error).message}`
  }
}

/** The logs that hold what is in no table yet, oldest first. */
const logsOf = ({ log }: Manifest, names: readonly string[]): readonly string[] =>
  names
    .filter((name) => isLog(name) && Number.parseInt(name, 10) >= log)
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))

const isLog = (name: string): boolean => /^\d+\.log$/.test(name)

const isTable = (name: string): boolean => /^\d+\.(?:ldb|sst)$/.test(name)

const padded = (number: number): string => String(number).padStart(6, '0')

async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory).catch(ifAbsent)) ?? []
}

const currentOf = async (directory: string): Promise<string> =>
  (await contentOf(join(directory, 'CURRENT'))).toString('latin1').trim()

const sumOf = async (directory: string, name: string): Promise<string> =>
  createHash('sha256')
    .update(await contentOf(join(directory, name)))
    .digest('hex')

/** @throws StorageFailed that names the file, which the system does not when it fails in the middle of it */
async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const cause = error as NodeJS.ErrnoException
    if (cause.code === 'ENOENT') throw cause
    throw new DiskFailedError(`the disk failed: ${file} cannot be read: ${cause.message}`, {
      cause,
    })
  }
}

/** The names and sizes of all files, to see whether somebody else is at work here. */
async function stateOf(directory: string): Promise<string> {
  const names = (await namesIn(directory)).filter((name) => !/^(?:LOG|LOCK)/.test(name))
  const states = await Promise.all(
    names.sort().map(async (name) => {
      const state = await stat(join(directory, name)).catch(ifAbsent)
      return [name, state?.size, state?.mtimeMs]
    }),
  )
  return JSON.stringify(states)
}

/** The note, unless it is not there or was cut short when it was written. */
async function readNote(
  file: string,
): Promise<{ readonly current: string; readonly sums: Sums } | undefined> {
  try {
    // A cast, for what it says is only compared.
    return JSON.parse(await readFile(file, 'utf8')) as { current: string; sums: Sums }
  } catch {
    return undefined
  }
}

async function firstThere(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await stat(file).catch(ifAbsent)) return file
  return undefined
}

/** A file that went while it was about to be read. */
function nameMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error
  return `${error.path ?? 'a file'} is missing`
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
