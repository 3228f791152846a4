// The durable home: keys and values in LevelDB, one directory, one process. A write is on the disk
// when its promise is kept; what is written together is there together or not at all.
// It knows neither RDF nor records.

import { mkdir } from 'node:fs/promises'

import { ClassicLevel } from 'classic-level'

import { HomeInUse, StorageFailed, StorageFull } from './failures.js'

/** What one write does to one key: `value` is put there, or the key is removed. */
export type Entry = { readonly key: string; readonly value: string | undefined }

/** Where acknowledged things live. Keys sort by their UTF-8 bytes. */
export type Home = {
  get(key: string): Promise<string | undefined>
  /** All entries whose key starts with the prefix, in order of their keys. */
  entries(prefix: string): AsyncIterable<readonly [key: string, value: string]>
  /**
   * Writes all entries or none, and is kept only once they are on the disk. Writes that arrive while
   * another is being synced share the next sync.
   * @throws StorageFull when the disk has no space: nothing of it is written, and a later write may succeed
   * @throws StorageFailed when the disk failed: nothing more will be written, and the process has to stop
   */
  write(entries: readonly Entry[]): Promise<void>
  close(): Promise<void>
}

type Waiting = {
  readonly entries: readonly Entry[]
  readonly done: () => void
  readonly failed: (error: Error) => void
}

/**
 * Opens the home in a directory, which is made when it is absent.
 * @param broken is told, once, that the disk failed: the process has to stop
 * @throws HomeInUse when another process has it open
 */
export async function openHome(
  directory: string,
  broken: (failure: StorageFailed) => void = () => undefined,
): Promise<Home> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const level = new ClassicLevel(directory, { keyEncoding: 'utf8', valueEncoding: 'utf8' })
  try {
    await level.open()
  } catch (error) {
    if (codeOf((error as Error).cause) === 'LEVEL_LOCKED')
      throw new HomeInUse(`${directory} is in use by another process`, { cause: error })
    throw error
  }

  let waiting: Waiting[] = []
  let flushing: Promise<void> | undefined
  let failure: StorageFailed | undefined

  function write(entries: readonly Entry[]): Promise<void> {
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
        await level.batch(
          group.flatMap(({ entries }) => entries.map(toOperation)),
          { sync: true },
        )
        for (const { done } of group) done()
      } catch (cause) {
        const error = failureOf(cause)
        if (error instanceof StorageFailed) broken((failure = error))
        for (const { failed } of group) failed(error)
        // Those who came meanwhile are told the same: their write was never tried.
        if (failure) for (const { failed } of waiting.splice(0)) failed(failure)
      }
    }
    // At once, and not when its promise is kept: a writer who was told just now may write again first.
    flushing = undefined
  }

  return {
    get: (key) => level.get(key),
    entries: (prefix) => level.iterator({ gte: prefix, lt: prefix + '\u{10FFFF}' }),
    write,
    async close() {
      await flushing
      await level.close()
    },
  }
}

function toOperation({ key, value }: Entry) {
  return value === undefined
    ? ({ type: 'del', key } as const)
    : ({ type: 'put', key, value } as const)
}

// LevelDB tells a full disk from a broken one only in the text that the system gave it.
function failureOf(cause: unknown): StorageFull | StorageFailed {
  const message = cause instanceof Error ? cause.message : String(cause)
  return message.includes('No space left on device')
    ? new StorageFull('the disk is full', { cause })
    : new StorageFailed(`the disk failed: ${message}`, { cause })
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Error & { code?: string }).code : undefined
}
