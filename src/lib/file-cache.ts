// Keeps texts in a file without a name, found by their keys: what takes longer to make than to read
// again. The system removes the file when the process ends. A text that is set again takes new
// space, so everything is forgotten from time to time (docs/explanation/requests.md, "Caches").

import { readSync } from 'node:fs'
import { type FileHandle, open, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { limitConcurrency } from './scheduling.js'
import { createTextTable } from './text-table.js'
import { withRoom } from './typed-arrays.js'

export type FileCache = {
  /** The text of a key; undefined when there is none, or when it cannot be read. */
  get(key: string): string | undefined
  /**
   * Where the disk is too slow to take it, the key has no text afterwards, as with an empty one.
   */
  set(key: string, text: string): void
  /** Forgets everything. When this resolves, nothing of it is on the disk. */
  clear(): Promise<void>
  close(): Promise<void>
}

type FileCacheOptions = {
  /**
   * Called once when the disk failed or has too little space: its space is given back, and from
   * then on nothing is kept.
   */
  readonly onError: (error: unknown) => void
  /** So many bytes of the disk are left to others. */
  readonly minFreeBytes?: number
  /** How many bytes of the file may belong to no key, besides as many as belong to one. */
  readonly spareBytes?: number
}

const defaultMinFreeBytes = 256 * 1024 * 1024
const defaultSpareBytes = 64 * 1024 * 1024

/**
 * So long all texts that wait to be written may become. While a slow disk has not taken them,
 * others are not kept.
 */
const maxWaitingLength = 8 * 1024 * 1024

/** So long texts are collected that are then written together. */
const collectMs = 20

/** The space of the disk is looked at before what is written, but not more often. */
const checkIntervalMs = 250

/**
 * Texts begin at multiples of so many bytes, so that 32 bits can tell where, in a file of up to 64
 * GiB.
 */
const unit = 16
const maxUnits = 2 ** 32 - 2 ** 26

/**
 * Opens a new file and removes its name.
 * @param path of no file, or of one whose name a process did not come to remove
 */
export async function openFileCache(
  path: string,
  { onError, minFreeBytes = defaultMinFreeBytes, spareBytes = defaultSpareBytes }: FileCacheOptions,
): Promise<FileCache> {
  await rm(path, { force: true })
  const file = await open(path, 'wx+', 0o600)
  await rm(path)

  const keys = createTextTable()
  // By the number of the key: where its text begins, in units, and how many bytes it has; 0 where
  // there is none.
  let starts = new Uint32Array()
  let lengths = new Uint32Array()
  /** How many units the file has, and how many of them belong to a key. */
  let [end, used] = [0, 0]
  /** By the number of the key. */
  let waiting = new Map<number, string>()
  let waitingLength = 0
  /** What is being written. */
  let batch: ReadonlyMap<number, string> = new Map()
  let isUsable = true
  let checkedAt = -Infinity
  const inTurn = limitConcurrency(1)
  /** What is read, and what is written. */
  let [input, output] = [Buffer.alloc(16 * 1024), Buffer.alloc(256 * 1024)]

  function get(key: string): string | undefined {
    const number = isUsable ? keys.find(key) : undefined
    if (number === undefined) return undefined
    const unwritten = waiting.get(number) ?? batch.get(number)
    if (unwritten === '') return undefined
    return unwritten ?? read(starts[number] ?? 0, lengths[number] ?? 0)
  }

  function read(start: number, length: number): string | undefined {
    if (length === 0) return undefined
    if (length > input.length) input = Buffer.alloc(2 * length)
    try {
      const count = readSync(file.fd, input, 0, length, start * unit)
      return count === length ? input.toString('utf8', 0, length) : undefined
    } catch (error) {
      giveUp(error)
      return undefined
    }
  }

  function set(key: string, text: string): void {
    if (!isUsable) return
    if (waiting.size === 0) void enqueue(flush)
    const kept = waitingLength > maxWaitingLength ? '' : text
    waiting.set(keys.add(key), kept)
    waitingLength += kept.length
  }

  const enqueue = (step: () => Promise<void>): Promise<void> => inTurn(step).catch(giveUp)

  async function flush(): Promise<void> {
    await sleep(collectMs)
    batch = waiting
    waiting = new Map()
    waitingLength = 0
    if (isUsable && performance.now() - checkedAt > checkIntervalMs) await checkFreeSpace()
    if (isUsable) await writeBatch()
    batch = new Map()
    if (end > maxUnits) giveUp(new Error('The file has become too long.'))
    if (end - used > used + spareBytes / unit) await forget()
  }

  async function checkFreeSpace(): Promise<void> {
    checkedAt = performance.now()
    const { bavail, bsize } = await statfs(dirname(path))
    if (bavail * bsize < minFreeBytes)
      giveUp(new Error(`The disk has less than ${minFreeBytes} free bytes.`))
  }

  async function writeBatch(): Promise<void> {
    let part: [number: number, length: number][] = []
    let filled = 0
    for (const [number, text] of batch) {
      const length = Buffer.byteLength(text)
      if (part.length > 0 && filled + length > output.length) {
        await writePart(part, filled)
        part = []
        filled = 0
      }
      if (length > output.length) output = Buffer.alloc(2 * length)
      output.write(text, filled)
      part.push([number, length])
      const next = filled + unitsOf(length) * unit
      // No rest of another text.
      output.fill(0, filled + length, next)
      filled = next
    }
    await writePart(part, filled)
  }

  async function writePart(
    part: readonly (readonly [number: number, length: number])[],
    bytes: number,
  ): Promise<void> {
    // What follows the last text may not fit.
    await writeAll(file, output.subarray(0, bytes), end * unit)
    starts = withRoom(starts, keys.length)
    lengths = withRoom(lengths, keys.length)
    const replaced: Range[] = []
    for (const [number, length] of part) {
      replaced.push({ start: starts[number] ?? 0, length: lengths[number] ?? 0 })
      used += unitsOf(length) - unitsOf(lengths[number] ?? 0)
      starts[number] = end
      lengths[number] = length
      end += unitsOf(length)
    }
    // What was redacted is in no text any more, so it must not stay in the file either.
    for (const range of replaced) await erase(range)
  }

  async function erase({ start, length }: Range): Promise<void> {
    if (length > 0) await writeAll(file, Buffer.alloc(length), start * unit)
  }

  async function forget(): Promise<void> {
    waiting = new Map()
    waitingLength = 0
    lengths.fill(0)
    end = 0
    used = 0
    await file.truncate(0)
  }

  function giveUp(error: unknown): void {
    if (!isUsable) return
    isUsable = false
    waiting = new Map()
    batch = new Map()
    onError(error)
    void enqueue(() => file.truncate(0))
  }

  return {
    get,
    set,
    clear: () => enqueue(forget),
    async close() {
      isUsable = false
      await enqueue(() => Promise.resolve())
      await file.close()
    },
  }
}

/** Where a text is: from this unit, so many bytes. */
type Range = { readonly start: number; readonly length: number }

const unitsOf = (bytes: number): number => Math.ceil(bytes / unit)

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
