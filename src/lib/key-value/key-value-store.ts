// The key-value store: LevelDB in one directory, used by one process. A write is on the disk when
// its promise resolves, and is atomic. It knows nothing of RDF or records. integrity-check.ts
// checks LevelDB's files.

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { ClassicLevel, type Iterator } from 'classic-level'

import { ExpectedError, stoppingError } from '../../errors.js'
import { syncDirectory } from '../durable-file.js'
import { createGroupQueue, createYielder, limitConcurrency } from '../scheduling.js'
import { allKeys, removeFormerVersions } from './former-versions.js'
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
   * call, and the keys of those that were deleted. When this resolves, no file has one.
   * @throws Error when a file still has one
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

/**
 * The value of a key. Waiting for another thread takes longer than reading, but can wait until a
 * full disk has space.
 * @throws DiskFailedError when it cannot be read
 */
export function getSoonest(
  store: Pick<KeyValueStore, 'get' | 'getNow'>,
  key: string,
): string | undefined | Promise<string | undefined> {
  try {
    return store.getNow(key)
  } catch {
    return store.get(key)
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
  const store = new LevelStore(directory, onFatal)
  await store.open(walRecords)
  return store
}

class LevelStore implements KeyValueStore {
  readonly #directory: string
  readonly #onFatal: (failure: DiskFailedError) => void
  #level: ReturnType<typeof createLevel>
  /** What is read while the disk is too full to open the store. */
  #readCopy: ReadCopy | undefined
  /** The records of the logs that LevelDB may have skipped since it was opened completely. */
  #unrepeated: readonly Buffer[] = []
  #isClosed = false
  #failure: DiskFailedError | undefined
  /** Whether the disk was full at LevelDB's last write. */
  #needsReopen = false
  #reopening: Promise<void> | undefined
  /** Whether indexes that were written beside the store may still be those of its records. */
  #isFirstWrite = true
  readonly #inTurn = limitConcurrency(1)
  readonly #compactInTurn = limitConcurrency(1)
  readonly #putTogether = createGroupQueue<readonly KeyValueWrite[]>(
    (work) => this.#writeInTurn(work),
    (group) => this.#put(group.flat()),
  )
  /** What reads tables, and so keeps LevelDB from dropping what was in them when it began. */
  readonly #iterators = new Set<LevelIterator>()

  constructor(directory: string, onFatal: (failure: DiskFailedError) => void) {
    this.#directory = directory
    this.#onFatal = onFatal
    this.#level = createLevel(directory)
  }

  /** Opens it completely, or to be read when the disk is full. @throws as `openKeyValueStore` */
  async open(walRecords: readonly Buffer[]): Promise<void> {
    try {
      await this.#openCompletely(walRecords)
    } catch (error) {
      await this.#level.close()
      if (codeOf((error as Error).cause) === 'LEVEL_LOCKED')
        throw new DataDirectoryInUseError(`${this.#directory} is in use by another process`, {
          cause: error,
        })
      const diskError = toDiskError(error)
      const isFull = diskError instanceof DiskFullError && !(diskError instanceof TooManyFilesError)
      if (!isFull) throw diskError
      try {
        await this.#openReadCopy()
      } catch {
        await this.#level.close()
        await this.#removeReadCopy()
        throw diskError
      }
      this.#needsReopen = true
    }
  }

  async get(key: string): Promise<string | undefined> {
    await this.#ensureOpen()
    return this.#level.get(key).catch(fail)
  }

  async getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    await this.#ensureOpen()
    return this.#level.getMany([...keys]).catch(fail)
  }

  getNow(key: string): string | undefined {
    try {
      return this.#level.getSync(Buffer.from(key), bytesToText)
    } catch (cause) {
      return fail(cause)
    }
  }

  entries(prefix: string, after?: string): AsyncIterable<Entry> {
    return this.#goOnAfterCompaction(prefix, after, this.#iterate(prefix, after))
  }

  snapshot(): AsyncIterable<Entry> {
    return this.#iterate('')
  }

  async lastKey(prefix: string): Promise<string | undefined> {
    await this.#ensureOpen()
    const keys = this.#level.keys({ ...rangeOf(prefix), reverse: true, limit: 1 })
    return (await keys.all().catch(fail))[0]
  }

  async write(entries: readonly KeyValueWrite[]): Promise<void> {
    if (this.#isClosed) throw stoppingError()
    if (entries.length > 0) await this.#putTogether(entries)
  }

  // One after the other, each with all that was written before it was asked for.
  compact(): Promise<void> {
    return this.#compactInTurn(() => this.#compactNow())
  }

  isReadOnly(): boolean {
    return this.#readCopy !== undefined
  }

  async close(): Promise<void> {
    await this.#compactInTurn(nothing)
    this.#isClosed = true
    await this.#inTurn(nothing)
    await this.#level.close()
    this.#needsReopen = false
    if (!this.#failure && !this.#readCopy) await writeCloseChecksums(this.#directory)
    await this.#removeReadCopy()
  }

  async #openReadCopy(): Promise<void> {
    this.#readCopy = await createReadCopy(this.#directory)
    this.#level = createLevel(this.#readCopy.directory)
    await this.#level.open()
    const skipped = await readRecoveryError(this.#readCopy.directory)
    if (skipped) throw new Error(skipped)
  }

  // LevelDB skips what it cannot read of its log, and deletes the log. The log was read here
  // before, so the skipped writes can be repeated. Repeating all of it gives the same state.
  /** @throws DiskFailedError, TooManyFilesError, and the errors of LevelDB */
  async #openCompletely(walRecords: readonly Buffer[]): Promise<void> {
    this.#unrepeated = [...this.#unrepeated, ...walRecords]
    await this.#level.open()
    const failure: unknown = await readRecoveryError(this.#directory).then(
      (message) => message && new Error(message),
      (error: unknown) => error,
    )
    if (failure) {
      const steps = this.#unrepeated.flatMap(readBatch).map(toOperation)
      await this.#level.batch(steps, { keyEncoding: 'buffer', valueEncoding: 'buffer', sync: true })
    }
    this.#unrepeated = []
    if (failure) throw toDiskError(failure)
  }

  /** Runs one write at a time, and none after the disk failed. */
  #writeInTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      if (this.#failure) throw this.#failure
      try {
        return await work()
      } catch (error) {
        this.#failForGood(error)
        throw error
      }
    })
  }

  /** Writes entries as they are, while nobody else writes. */
  #rewrite(keys: readonly string[]): Promise<void> {
    return this.#writeInTurn(async () => {
      const values = await this.#level.getMany([...keys]).catch(fail)
      await this.#put(keys.map((key, index) => ({ key, value: values[index] })))
    })
  }

  #failForGood(error: unknown): void {
    if (this.#failure || !(error instanceof DiskFailedError)) return
    this.#failure = error
    this.#onFatal(error)
  }

  /** @throws DiskFullError, DiskFailedError */
  async #put(writes: readonly KeyValueWrite[]): Promise<void> {
    if (this.#needsReopen) await this.#reopenAfterFull()
    // Before the others, since it may be one of them.
    const entries = this.#isFirstWrite
      ? [{ key: indexFileKey, value: undefined }, ...writes]
      : writes
    try {
      await this.#writeBatch(entries)
      this.#isFirstWrite = false
    } catch (cause) {
      const error = toDiskError(cause)
      if (error instanceof DiskFailedError) throw error
      this.#needsReopen = true
      // When the sync found no space, the entries may be on the disk or not, as after any failed
      // sync.
      if (await this.#isLastInLog(entries))
        throw new DiskFailedError('the disk failed: no space was left for a sync', { cause })
      throw error
    }
  }

  // Handing many entries to LevelDB takes long, so it is done in steps.
  async #writeBatch(entries: readonly KeyValueWrite[]): Promise<void> {
    if (entries.length <= maxEntriesInOneStep) {
      await this.#level.batch(entries.map(toOperation), { sync: true })
      return
    }
    const batch = this.#level.batch()
    const maybeYield = createYielder()
    for (const { key, value } of entries) {
      if (value === undefined) batch.del(key)
      else batch.put(key, value)
      await maybeYield()
    }
    await batch.write({ sync: true })
  }

  async #isLastInLog(entries: readonly KeyValueWrite[]): Promise<boolean> {
    const { key, value = key } = entries.at(-1) ?? { key: '' }
    // The length of a value stands between it and its key.
    const end = value === '' ? `${key}\0` : value
    try {
      return await logEndsWith(this.#directory, end)
    } catch (cause) {
      throw toDiskError(cause)
    }
  }

  // After a full disk LevelDB appends to an incomplete record, and nothing behind that is found at
  // the next start; where it had no space to compact, it never writes again. Opened anew, it skips
  // the incomplete record and begins another log. Iterators that are open meanwhile end with an
  // error.
  #reopenAfterFull(): Promise<void> {
    this.#reopening ??= this.#reopen().finally(() => (this.#reopening = undefined))
    return this.#reopening
  }

  /** @throws DiskFullError, DiskFailedError */
  async #reopen(): Promise<void> {
    try {
      // While the disk is full, the store stays open, so that it can be read.
      await checkFreeSpace(this.#directory)
      await this.#readCopy?.checkOriginal()
      // Those that are open end, and are read on afterwards.
      this.#iterators.clear()
      await this.#level.close()
      const walRecords = await readWriteAheadLog(this.#directory)
      if (this.#readCopy) this.#level = createLevel(this.#directory)
      await this.#openCompletely(walRecords)
      await this.#removeReadCopy()
    } catch (cause) {
      const error = toDiskError(cause)
      this.#failForGood(error)
      if (this.#level.status !== 'open') await this.#readCopy?.acceptOriginal()
      throw error
    }
    this.#needsReopen = false
  }

  async #removeReadCopy(): Promise<void> {
    await this.#readCopy?.remove()
    this.#readCopy = undefined
  }

  /**
   * Opens it again if that failed before because the disk was full.
   * @throws DiskFullError, DiskFailedError
   */
  async #ensureOpen(): Promise<void> {
    if (this.#isClosed) throw stoppingError()
    if (this.#needsReopen && this.#level.status !== 'open') await this.#reopenAfterFull()
  }

  // The iterator is made at the time of the call.
  #iterate(prefix: string, after?: string): AsyncIterable<Entry> {
    return this.#level.status === 'open'
      ? this.#readAll(this.#openIterator(prefix, after))
      : this.#readAfterReopen(prefix, after)
  }

  #openIterator(prefix: string, after?: string): LevelIterator {
    const iterator = this.#level.iterator(rangeOf(prefix, after))
    this.#iterators.add(iterator)
    return iterator
  }

  async *#readAll(iterator: LevelIterator): AsyncGenerator<Entry> {
    try {
      yield* iterator
    } catch (cause) {
      throw this.#iterators.has(iterator) ? toDiskError(cause) : new SnapshotEndedError()
    } finally {
      this.#iterators.delete(iterator)
    }
  }

  async *#readAfterReopen(prefix: string, after?: string): AsyncGenerator<Entry> {
    await this.#ensureOpen()
    yield* this.#readAll(this.#openIterator(prefix, after))
  }

  async *#goOnAfterCompaction(
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
        part = this.#iterate(prefix, last)
      }
  }

  async #endIterators(): Promise<void> {
    const ended = [...this.#iterators]
    this.#iterators.clear()
    await Promise.all(ended.map((iterator) => iterator.close()))
  }

  async #compactNow(): Promise<void> {
    await this.#ensureOpen()
    const compactRange = (first: string, last: string): Promise<void> =>
      this.#level.compactRange(first, last).catch(fail)
    await removeFormerVersions({
      directory: this.#directory,
      compactRange,
      rewrite: (keys) => this.#rewrite(keys),
      endIterators: () => this.#endIterators(),
      openIterator: () => this.#level.keys(),
    })
    // LevelDB remembers the last key of what it merged, at each level: now that of another entry.
    const [key] = await this.#level.keys({ limit: 1 }).all().catch(fail)
    if (key !== undefined) await this.#rewrite([key])
    await compactRange(...allKeys)
    await this.#writeInTurn(() => this.#renewManifest())
  }

  // The manifest has the first and the last key of tables that are gone, and LevelDB's own log names
  // keys. Opened anew, it has a new manifest, and the log before has another name.
  async #renewManifest(): Promise<void> {
    this.#needsReopen = true
    await this.#reopenAfterFull()
    await rm(join(this.#directory, 'LOG.old'), { force: true })
    await syncDirectory(this.#directory)
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
