// The key-value store: LevelDB in one directory, used by one process. A write is on the disk when
// its promise resolves, and is atomic. It knows nothing of RDF or records. integrity-check.ts
// checks LevelDB's files.

import { mkdir } from 'node:fs/promises'

import { ClassicLevel, type Iterator } from 'classic-level'

import { ExpectedError, stoppingError } from '../../errors.js'
import { type Limiter, createGroupQueue, createYielder, limitConcurrency } from '../scheduling.js'
import { removeFormerVersions } from './former-versions.js'
import {
  readWriteAheadLog,
  writeCloseChecksums,
  readRecoveryError,
  checkIntegrity,
} from './integrity-check.js'
import {
  DataDirectoryInUseError,
  DiskFailedError,
  DiskFullError,
  TooManyFilesError,
} from './errors.js'
import { readBatch } from './leveldb-files.js'
import { logEndsWith, checkFreeSpace } from './leveldb-log.js'
import { indexFileKey } from '../../store/key-value/keys.js'
import { type ReadCopy, createReadCopy } from './read-copy.js'

/** One change: the key gets this value, or is removed when `value` is undefined. */
export type KeyValueWrite = { readonly key: string; readonly value: string | undefined }

export type Entry = readonly [key: string, value: string]

/** Keys are sorted by their UTF-8 bytes. */
export type KeyValueStore = {
  /** @throws DiskFailedError when it cannot be read; the stored data are not affected */
  get(key: string): Promise<string | undefined>
  /**
   * The values of several keys as they are at one moment, in the order of the keys.
   * @throws DiskFailedError when they cannot be read
   */
  getMany(keys: readonly string[]): Promise<readonly (string | undefined)[]>
  /**
   * The same as `get`, at once. The system has most of what is read in memory; another read takes
   * as long as the disk takes for a few kilobytes, and nothing else runs meanwhile, so many are
   * read in steps.
   * @throws DiskFailedError when it cannot be read, or is being opened again
   */
  getNow(key: string): string | undefined
  /**
   * All entries whose key starts with the prefix, which is empty or ends in ASCII, sorted by key.
   * They are a snapshot of the time of the call: later writes do not change them, but for
   * `compact`, after which those that follow are as they are then.
   * @param after if given, only the entries with a greater key
   * @throws DiskFailedError when they cannot be read
   */
  entries(prefix: string, after?: string): AsyncIterable<Entry>
  /**
   * All entries, sorted by key, as they are at the time of the call.
   * @throws SnapshotEndedError when `compact` is called meanwhile
   * @throws DiskFailedError when they cannot be read
   */
  snapshot(): AsyncIterable<Entry>
  /**
   * The greatest key with the prefix; undefined when there is none.
   * @throws DiskFailedError when it cannot be read
   */
  lastKey(prefix: string): Promise<string | undefined>
  /**
   * Writes all entries or none, and resolves when they are on the disk. Writes that arrive during a
   * sync share the next sync.
   * @throws DiskFullError when the disk has no space: nothing was written, and a later write may
   * succeed
   * @throws DiskFailedError when the disk failed: no later write succeeds, and the process has to
   * stop. Whether the entries were written is known at the next start
   */
  write(entries: readonly KeyValueWrite[]): Promise<void>
  /**
   * Removes from the disk the former values of entries that were overwritten or deleted before the
   * call. When this resolves, no file has one.
   * @throws FormerVersionsLeftError when a file still has one
   * @throws DiskFullError, DiskFailedError
   */
  compact(): Promise<void>
  /** Whether the disk was full when it was opened, and still is: then it can only be read. */
  isReadOnly(): boolean
  close(): Promise<void>
}

/** Something was removed for good, which the snapshot had. */
export class SnapshotEndedError extends ExpectedError {
  constructor() {
    super('a value was removed for good meanwhile, and must not be in what was being read')
  }
}

/** A write of more entries is handed to LevelDB in steps. */
const maxEntriesInOneStep = 200

/**
 * Opens the store in a directory, which is created if needed.
 * @param onFatal is called once when the disk failed: the process has to stop
 * @param mustExistBeside files that exist only if the store does: with one of them, none is created
 * @throws DataDirectoryInUseError when another process has it open
 * @throws DiskFullError, DiskFailedError when it can be neither opened nor read
 * @throws DataCorruptedError when its files are missing or damaged
 */
export async function openKeyValueStore(
  directory: string,
  onFatal: (failure: DiskFailedError) => void = () => undefined,
  mustExistBeside: readonly string[] = [],
): Promise<KeyValueStore> {
  await checkIntegrity(directory, mustExistBeside)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const walRecords = await readWriteAheadLog(directory)
  let level = createLevel(directory)
  /** What is read while the disk is too full to open the store. */
  let readCopy: ReadCopy | undefined
  /** The records of the logs that LevelDB may have skipped since it was opened completely. */
  let unrepeated: readonly Buffer[] = []
  try {
    await openCompletely(walRecords)
  } catch (error) {
    await level.close()
    if (codeOf((error as Error).cause) === 'LEVEL_LOCKED')
      throw new DataDirectoryInUseError(`${directory} is in use by another process`, {
        cause: error,
      })
    const diskError = toDiskError(error)
    const isFull = diskError instanceof DiskFullError && !(diskError instanceof TooManyFilesError)
    if (!isFull) throw diskError
    try {
      await openReadCopy()
    } catch {
      await level.close()
      await removeReadCopy()
      throw diskError
    }
  }

  async function openReadCopy(): Promise<void> {
    readCopy = await createReadCopy(directory)
    level = createLevel(readCopy.directory)
    await level.open()
    const skipped = await readRecoveryError(readCopy.directory)
    if (skipped) throw new Error(skipped)
  }

  // LevelDB skips what it cannot read of its log, and deletes the log. The log was read here
  // before, so the skipped writes can be repeated. Repeating all of it gives the same state.
  /** @throws DiskFailedError, TooManyFilesError, and the errors of LevelDB */
  async function openCompletely(walRecords: readonly Buffer[]): Promise<void> {
    unrepeated = [...unrepeated, ...walRecords]
    await level.open()
    const failure: unknown = await readRecoveryError(directory).then(
      (message) => message && new Error(message),
      (error: unknown) => error,
    )
    if (failure) {
      const steps = unrepeated.flatMap(readBatch).map(toOperation)
      await level.batch(steps, { keyEncoding: 'buffer', valueEncoding: 'buffer', sync: true })
    }
    unrepeated = []
    if (failure) throw toDiskError(failure)
  }

  let isClosed = false
  let failure: DiskFailedError | undefined
  /** Whether the disk was full at LevelDB's last write. */
  let needsReopen = readCopy !== undefined
  let reopening: Promise<void> | undefined
  /** Whether indexes that were written beside the store may still be those of its records. */
  let isFirstWrite = true

  const inTurn = limitConcurrency(1)

  /** Runs one write at a time, and none after the disk failed. */
  const writeInTurn: Limiter = (work) =>
    inTurn(async () => {
      if (failure) throw failure
      try {
        return await work()
      } catch (error) {
        failForGood(error)
        throw error
      }
    })

  const putTogether = createGroupQueue<readonly KeyValueWrite[]>(writeInTurn, (group) =>
    put(group.flat()),
  )

  async function write(entries: readonly KeyValueWrite[]): Promise<void> {
    if (isClosed) throw stoppingError()
    if (entries.length > 0) await putTogether(entries)
  }

  /** Writes entries as they are, while nobody else writes. */
  const rewrite = (keys: readonly string[]): Promise<void> =>
    writeInTurn(async () => {
      const values = await level.getMany([...keys]).catch(fail)
      await put(keys.map((key, index) => ({ key, value: values[index] })))
    })

  function failForGood(error: unknown): void {
    if (failure || !(error instanceof DiskFailedError)) return
    failure = error
    onFatal(error)
  }

  /** @throws DiskFullError, DiskFailedError */
  async function put(wanted: readonly KeyValueWrite[]): Promise<void> {
    if (needsReopen) await reopenAfterFull()
    // Before the others, since it may be one of them.
    const entries = isFirstWrite ? [{ key: indexFileKey, value: undefined }, ...wanted] : wanted
    try {
      await writeBatch(entries)
      isFirstWrite = false
    } catch (cause) {
      const error = toDiskError(cause)
      if (error instanceof DiskFailedError) throw error
      needsReopen = true
      // When the sync found no space, the entries may be on the disk or not, as after any failed
      // sync.
      if (await isLastInLog(entries))
        throw new DiskFailedError('the disk failed: no space was left for a sync', { cause })
      throw error
    }
  }

  // Handing many entries to LevelDB takes long, so it is done in steps.
  async function writeBatch(entries: readonly KeyValueWrite[]): Promise<void> {
    if (entries.length <= maxEntriesInOneStep) {
      await level.batch(entries.map(toOperation), { sync: true })
      return
    }
    const batch = level.batch()
    const maybeYield = createYielder()
    for (const { key, value } of entries) {
      if (value === undefined) batch.del(key)
      else batch.put(key, value)
      await maybeYield()
    }
    await batch.write({ sync: true })
  }

  async function isLastInLog(entries: readonly KeyValueWrite[]): Promise<boolean> {
    const { key, value = key } = entries.at(-1) ?? { key: '' }
    // The length of a value stands between it and its key.
    const end = value === '' ? `${key}\0` : value
    try {
      return await logEndsWith(directory, end)
    } catch (cause) {
      throw toDiskError(cause)
    }
  }

  // After a full disk LevelDB appends to an incomplete record, and nothing behind that is found at
  // the next start; where it had no space to compact, it never writes again. Opened anew, it skips
  // the incomplete record and begins another log. Iterators that are open meanwhile end with an
  // error.
  function reopenAfterFull(): Promise<void> {
    reopening ??= reopen().finally(() => (reopening = undefined))
    return reopening
  }

  /** @throws DiskFullError, DiskFailedError */
  async function reopen(): Promise<void> {
    try {
      // While the disk is full, the store stays open, so that it can be read.
      await checkFreeSpace(directory)
      await readCopy?.checkOriginal()
      await level.close()
      const walRecords = await readWriteAheadLog(directory)
      if (readCopy) level = createLevel(directory)
      await openCompletely(walRecords)
      await removeReadCopy()
    } catch (cause) {
      const error = toDiskError(cause)
      failForGood(error)
      if (level.status !== 'open') await readCopy?.acceptOriginal()
      throw error
    }
    needsReopen = false
  }

  async function removeReadCopy(): Promise<void> {
    await readCopy?.remove()
    readCopy = undefined
  }

  /**
   * Opens it again if that failed before because the disk was full.
   * @throws DiskFullError, DiskFailedError
   */
  async function ensureOpen(): Promise<void> {
    if (isClosed) throw stoppingError()
    if (needsReopen && level.status !== 'open') await reopenAfterFull()
  }

  /** What reads tables, and so keeps LevelDB from dropping what was in them when it began. */
  const iterators = new Set<LevelIterator>()
  const compactInTurn = limitConcurrency(1)

  // The iterator is made at the time of the call.
  function iterate(prefix: string, after?: string): AsyncIterable<Entry> {
    return level.status === 'open'
      ? readAll(openIterator(prefix, after))
      : readAfterReopen(prefix, after)
  }

  function openIterator(prefix: string, after?: string): LevelIterator {
    const iterator = level.iterator(rangeOf(prefix, after))
    iterators.add(iterator)
    return iterator
  }

  async function* readAll(iterator: LevelIterator): AsyncGenerator<Entry> {
    try {
      yield* iterator
    } catch (cause) {
      throw iterators.has(iterator) ? toDiskError(cause) : new SnapshotEndedError()
    } finally {
      iterators.delete(iterator)
    }
  }

  async function* readAfterReopen(prefix: string, after?: string): AsyncGenerator<Entry> {
    await ensureOpen()
    yield* readAll(openIterator(prefix, after))
  }

  async function* goOnAfterCompaction(
    prefix: string,
    after: string | undefined,
    entries: AsyncIterable<Entry>,
  ): AsyncGenerator<Entry> {
    let last = after
    for (let part: AsyncIterable<Entry> | undefined = entries; part;)
      try {
        for await (const entry of part) {
          last = entry[0]
          yield entry
        }
        part = undefined
      } catch (error) {
        if (!(error instanceof SnapshotEndedError)) throw error
        part = iterate(prefix, last)
      }
  }

  async function endIterators(): Promise<void> {
    const ended = [...iterators]
    iterators.clear()
    await Promise.all(ended.map((iterator) => iterator.close()))
  }

  async function compactNow(): Promise<void> {
    await ensureOpen()
    await removeFormerVersions({
      directory,
      compactRange: (first, last) => level.compactRange(first, last).catch(fail),
      rewrite,
      endIterators,
      openIterator: () => level.keys(),
    })
  }

  return {
    async get(key) {
      await ensureOpen()
      return level.get(key).catch(fail)
    },
    async getMany(keys) {
      await ensureOpen()
      return level.getMany([...keys]).catch(fail)
    },
    getNow(key) {
      try {
        return level.getSync(Buffer.from(key), bytesToText)
      } catch (cause) {
        return fail(cause)
      }
    },
    entries: (prefix, after) => goOnAfterCompaction(prefix, after, iterate(prefix, after)),
    snapshot: () => iterate(''),
    async lastKey(prefix) {
      await ensureOpen()
      const keys = level.keys({ ...rangeOf(prefix), reverse: true, limit: 1 })
      return (await keys.all().catch(fail))[0]
    },
    write,
    // One after the other, each with all that was written before it was asked for.
    compact: () => compactInTurn(compactNow),
    isReadOnly: () => readCopy !== undefined,
    async close() {
      await compactInTurn(nothing)
      isClosed = true
      await inTurn(nothing)
      await level.close()
      needsReopen = false
      if (!failure && !readCopy) await writeCloseChecksums(directory)
      await removeReadCopy()
    },
  }
}

const nothing = (): Promise<void> => Promise.resolve()

// The constructor begins to open it.
const createLevel = (directory: string) =>
  new ClassicLevel(directory, { keyEncoding: 'utf8', valueEncoding: 'utf8' })

type LevelIterator = Iterator<ClassicLevel, string, string>

// A key as text goes through a buffer of classic-level 3.0.0, which grows only when a key fills it
// to the last byte. One whose next character has more bytes than are left is cut there, and another
// entry is read. No other call has such a buffer.
const bytesToText = { keyEncoding: 'buffer', valueEncoding: 'utf8' } as const

function fail(cause: unknown): never {
  throw toDiskError(cause)
}

// Each read of the disk waits for a thread, so it is large enough for about fifty records instead
// of five.
const rangeOf = (prefix: string, after?: string) => ({
  ...(after === undefined ? { gte: prefix } : { gt: after }),
  ...(prefix === '' ? {} : { lt: firstAfter(prefix) }),
  highWaterMarkBytes: 128 * 1024,
})

/** The first key after all that start with a prefix, which ends in ASCII. */
const firstAfter = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)

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

// LevelDB distinguishes a full disk from a failed one only by the text of the system's error.
function toDiskError(cause: unknown): DiskFullError | DiskFailedError {
  if (cause instanceof DiskFailedError || cause instanceof TooManyFilesError) return cause
  const message = rootMessage(cause)
  if (isTooManyFiles(message)) return new TooManyFilesError('too many files are open', { cause })
  return /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/.test(message)
    ? new DiskFullError('the disk is full', { cause })
    : new DiskFailedError(`the disk failed: ${message}`, { cause })
}

const isTooManyFiles = (message: string): boolean =>
  /Too many open files|EMFILE|ENFILE/i.test(message)

/** The message of the first cause. LevelDB's own "not open" is only its consequence. */
const rootMessage = (error: unknown): string =>
  error instanceof Error ? (error.cause ? rootMessage(error.cause) : error.message) : String(error)

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Error & { code?: string }).code : undefined
}
