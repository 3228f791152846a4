// The durable home: keys and values in LevelDB, one directory, one process. A write is on the disk
// when its promise is kept; what is written together is there together or not at all.
// It knows neither RDF nor records.

import { mkdir } from 'node:fs/promises'

import { ClassicLevel } from 'classic-level'

import {
  readWriteAheadLog,
  writeCloseChecksums,
  readRecoveryError,
  checkIntegrity,
} from './integrity-check.js'
import { DataDirectoryInUseError, DiskFailedError, DiskFullError } from '../errors.js'
import { readBatch } from './leveldb-files.js'
import { logEndsWith, checkFreeSpace } from './leveldb-log.js'

/** What one write does to one key: `value` is put there, or the key is removed. */
export type KeyValueWrite = { readonly key: string; readonly value: string | undefined }

/** Where acknowledged things live. Keys sort by their UTF-8 bytes. */
export type KeyValueStore = {
  /** @throws StorageFailed when it cannot be read; what was kept is none the worse for it */
  get(key: string): Promise<string | undefined>
  /**
   * All entries whose key starts with the prefix, in order of their keys: those that there are when
   * this is called, whatever is written while they are taken.
   * @throws StorageFailed when they cannot be read
   */
  entries(prefix: string): AsyncIterable<readonly [key: string, value: string]>
  /**
   * Writes all entries or none, and is kept only once they are on the disk. Writes that arrive while
   * another is being synced share the next sync.
   * @throws StorageFull when the disk has no space: nothing of it is written, and a later write may succeed
   * @throws StorageFailed when the disk failed: nothing more will be written, and the process has to stop.
   * What was to be written is then there or not at the next start
   */
  write(entries: readonly KeyValueWrite[]): Promise<void>
  close(): Promise<void>
}

type PendingWrite = {
  readonly entries: readonly KeyValueWrite[]
  readonly done: () => void
  readonly failed: (error: Error) => void
}

/**
 * Opens the home in a directory, which is made when it is absent.
 * @param broken is told, once, that the disk failed: the process has to stop
 * @param evidence files that are there only where a home has been: beside them none is made
 * @throws HomeInUse when another process has it open
 * @throws StorageFull, StorageFailed when it cannot be opened
 * @throws HomeDamaged when files of it are missing or are not what was written
 */
export async function openKeyValueStore(
  directory: string,
  broken: (failure: DiskFailedError) => void = () => undefined,
  evidence: readonly string[] = [],
): Promise<KeyValueStore> {
  await checkIntegrity(directory, evidence)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const logged = await readWriteAheadLog(directory)
  // It begins to open by itself as soon as it is made.
  const level = new ClassicLevel(directory, { keyEncoding: 'utf8', valueEncoding: 'utf8' })
  try {
    await openWhole(logged)
  } catch (error) {
    await level.close()
    if (codeOf((error as Error).cause) === 'LEVEL_LOCKED')
      throw new DataDirectoryInUseError(`${directory} is in use by another process`, {
        cause: error,
      })
    throw failureOf(error)
  }

  // LevelDB forgets what it passes over: the log is gone as soon as it is open. It was read here before,
  // so that nothing is lost by it; but such a disk is nothing to go on with.
  /** @throws StorageFailed, and what LevelDB fails with */
  async function openWhole(logged: readonly Buffer[]): Promise<void> {
    await level.open()
    const lost = await readRecoveryError(directory)
    if (lost === undefined) return
    const steps = logged.flatMap(readBatch).map(toOperation)
    await level.batch(steps, { keyEncoding: 'buffer', valueEncoding: 'buffer', sync: true })
    throw new DiskFailedError(`the disk failed: ${lost}`)
  }

  let waiting: PendingWrite[] = []
  let flushing: Promise<void> | undefined
  let failure: DiskFailedError | undefined
  /** Whether the disk was full when LevelDB wrote last. */
  let isTorn = false
  let mending: Promise<void> | undefined

  function write(entries: readonly KeyValueWrite[]): Promise<void> {
    if (failure) return Promise.reject(failure)
    if (entries.length === 0) return Promise.resolve()
    const written = new Promise<void>((done, failed) => waiting.push({ entries, done, failed }))
    flushing ??= flush()
    return written
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      try {
        await put(group.flatMap(({ entries }) => entries))
        for (const { done } of group) done()
      } catch (error) {
        giveUpOn(error)
        for (const { failed } of group) failed(error as Error)
        // Those who came meanwhile are told the same: their write was never tried.
        if (failure) for (const { failed } of waiting.splice(0)) failed(failure)
      }
    }
    // In the same breath: who was just told, and writes at once, would find it flushing and wait for ever.
    flushing = undefined
  }

  function giveUpOn(error: unknown): void {
    if (failure || !(error instanceof DiskFailedError)) return
    failure = error
    broken(error)
  }

  /** @throws StorageFull, StorageFailed */
  async function put(entries: readonly KeyValueWrite[]): Promise<void> {
    if (isTorn) await mend()
    try {
      await level.batch(entries.map(toOperation), { sync: true })
    } catch (cause) {
      const error = failureOf(cause)
      if (error instanceof DiskFailedError) throw error
      isTorn = true
      // A sync that found no space is a sync that failed, and what it was about may be there or not.
      if (await isLast(entries))
        throw new DiskFailedError('the disk failed: no space was left for a sync', { cause })
      throw error
    }
  }

  async function isLast(entries: readonly KeyValueWrite[]): Promise<boolean> {
    const { key, value = key } = entries.at(-1) ?? { key: '' }
    try {
      return await logEndsWith(directory, value)
    } catch (cause) {
      throw failureOf(cause)
    }
  }

  // LevelDB goes on behind the half of a record that it had space for as if it were whole, and nothing
  // of what follows is found at the next start; and where it lacked space to compact, it never writes
  // again. Opened anew, it leaves the half out and begins another log. Whoever walks through the
  // entries meanwhile is broken off.
  function mend(): Promise<void> {
    mending ??= reopen().finally(() => (mending = undefined))
    return mending
  }

  /** @throws StorageFull, StorageFailed */
  async function reopen(): Promise<void> {
    try {
      // While it is full, it is better open than closed: it can be read.
      await checkFreeSpace(directory)
      await level.close()
      await openWhole(await readWriteAheadLog(directory))
    } catch (cause) {
      const error = failureOf(cause)
      giveUpOn(error)
      throw error
    }
    isTorn = false
  }

  /** Opens it again where there was no space to do so. @throws StorageFull, StorageFailed */
  async function ready(): Promise<void> {
    if (isTorn && level.status !== 'open') await mend()
  }

  async function* later(prefix: string) {
    await ready()
    yield* taken(level.iterator(under(prefix)))
  }

  return {
    async get(key) {
      await ready()
      return level.get(key).catch(fail)
    },
    entries: (prefix) =>
      level.status === 'open' ? taken(level.iterator(under(prefix))) : later(prefix),
    write,
    async close() {
      await flushing
      await level.close()
      isTorn = false
      if (!failure) await writeCloseChecksums(directory)
    },
  }
}

async function* taken<Taken>(entries: AsyncIterable<Taken>): AsyncIterable<Taken> {
  try {
    yield* entries
  } catch (cause) {
    fail(cause)
  }
}

function fail(cause: unknown): never {
  throw failureOf(cause)
}

// Each look at the disk waits for a thread and a turn, so it is for some fifty records and not for five.
const under = (prefix: string) => ({
  gte: prefix,
  lt: prefix + '\u{10FFFF}',
  highWaterMarkBytes: 128 * 1024,
})

function toOperation<Text>({
  key,
  value,
}: {
  readonly key: Text
  readonly value: Text | undefined
}) {
  return value === undefined
    ? ({ type: 'del', key } as const)
    : ({ type: 'put', key, value } as const)
}

// LevelDB tells a full disk from a broken one only in the text that the system gave it.
function failureOf(cause: unknown): DiskFullError | DiskFailedError {
  if (cause instanceof DiskFailedError) return cause
  const message = textOf(cause)
  return /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/.test(message)
    ? new DiskFullError('the disk is full', { cause })
    : new DiskFailedError(`the disk failed: ${message}`, { cause })
}

/** What it is at bottom: that a database is not open is no more than the consequence. */
const textOf = (error: unknown): string =>
  error instanceof Error ? (error.cause ? textOf(error.cause) : error.message) : String(error)

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Error & { code?: string }).code : undefined
}
