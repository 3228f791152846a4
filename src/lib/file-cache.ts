// Keeps texts in a file without a name, found by their keys: what takes longer to make than to read
// again. The system removes the file when the process ends. A text that is set again takes new
// space, so everything is forgotten from time to time (docs/explanation/requests.md, "Caches").

import { readSync } from 'node:fs'
import { type FileHandle, open, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { limitConcurrency } from './scheduling.js'
import { TextTable } from './text-table.js'
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
export async function openFileCache(path: string, options: FileCacheOptions): Promise<FileCache> {
  await rm(path, { force: true })
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return new OpenFileCache(path, file, options)
}

class OpenFileCache implements FileCache {
  readonly #path: string
  readonly #file: FileHandle
  readonly #onError: (error: unknown) => void
  readonly #minFreeBytes: number
  readonly #spareBytes: number
  readonly #keys = new TextTable()
  // By the number of the key: where its text begins, in units, and how many bytes it has; 0 where
  // there is none.
  #starts = new Uint32Array()
  #lengths = new Uint32Array()
  /** How many units the file has, and how many of them belong to a key. */
  #end = 0
  #used = 0
  /** By the number of the key. */
  #waiting = new Map<number, string>()
  #waitingLength = 0
  /** What is being written. */
  #batch: ReadonlyMap<number, string> = new Map()
  #isUsable = true
  #checkedAt = -Infinity
  readonly #inTurn = limitConcurrency(1)
  #input = Buffer.alloc(16 * 1024)
  #output = Buffer.alloc(256 * 1024)

  constructor(path: string, file: FileHandle, options: FileCacheOptions) {
    this.#path = path
    this.#file = file
    this.#onError = options.onError
    this.#minFreeBytes = options.minFreeBytes ?? defaultMinFreeBytes
    this.#spareBytes = options.spareBytes ?? defaultSpareBytes
  }

  get(key: string): string | undefined {
    const number = this.#isUsable ? this.#keys.find(key) : undefined
    if (number === undefined) return undefined
    const unwritten = this.#waiting.get(number) ?? this.#batch.get(number)
    if (unwritten === '') return undefined
    return unwritten ?? this.#read(this.#starts[number] ?? 0, this.#lengths[number] ?? 0)
  }

  set(key: string, text: string): void {
    if (!this.#isUsable) return
    if (this.#waiting.size === 0) void this.#enqueue(() => this.#flush())
    const waitingText = this.#waitingLength > maxWaitingLength ? '' : text
    this.#waiting.set(this.#keys.add(key), waitingText)
    this.#waitingLength += waitingText.length
  }

  clear(): Promise<void> {
    return this.#enqueue(() => this.#forget())
  }

  async close(): Promise<void> {
    this.#isUsable = false
    await this.#enqueue(() => Promise.resolve())
    await this.#file.close()
  }

  #read(start: number, length: number): string | undefined {
    if (length === 0) return undefined
    if (length > this.#input.length) this.#input = Buffer.alloc(2 * length)
    try {
      const count = readSync(this.#file.fd, this.#input, 0, length, start * unit)
      return count === length ? this.#input.toString('utf8', 0, length) : undefined
    } catch (error) {
      this.#giveUp(error)
      return undefined
    }
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    return this.#inTurn(step).catch((error: unknown) => this.#giveUp(error))
  }

  async #flush(): Promise<void> {
    await sleep(collectMs)
    this.#batch = this.#waiting
    this.#waiting = new Map()
    this.#waitingLength = 0
    if (this.#isUsable && performance.now() - this.#checkedAt > checkIntervalMs)
      await this.#checkFreeSpace()
    if (this.#isUsable) await this.#writeBatch()
    this.#batch = new Map()
    if (this.#end > maxUnits) this.#giveUp(new Error('The file has become too long.'))
    if (this.#end - this.#used > this.#used + this.#spareBytes / unit) await this.#forget()
  }

  async #checkFreeSpace(): Promise<void> {
    this.#checkedAt = performance.now()
    const { bavail, bsize } = await statfs(dirname(this.#path))
    if (bavail * bsize < this.#minFreeBytes)
      this.#giveUp(new Error(`The disk has less than ${this.#minFreeBytes} free bytes.`))
  }

  async #writeBatch(): Promise<void> {
    let part: [number: number, length: number][] = []
    let filled = 0
    for (const [number, text] of this.#batch) {
      const length = Buffer.byteLength(text)
      if (part.length > 0 && filled + length > this.#output.length) {
        await this.#writePart(part, filled)
        part = []
        filled = 0
      }
      if (length > this.#output.length) this.#output = Buffer.alloc(2 * length)
      this.#output.write(text, filled)
      part.push([number, length])
      const next = filled + unitsOf(length) * unit
      // No rest of another text.
      this.#output.fill(0, filled + length, next)
      filled = next
    }
    await this.#writePart(part, filled)
  }

  async #writePart(
    part: readonly (readonly [number: number, length: number])[],
    bytes: number,
  ): Promise<void> {
    // What follows the last text may not fit.
    await writeAll(this.#file, this.#output.subarray(0, bytes), this.#end * unit)
    this.#starts = withRoom(this.#starts, this.#keys.length)
    this.#lengths = withRoom(this.#lengths, this.#keys.length)
    const replaced: Range[] = []
    for (const [number, length] of part) {
      replaced.push({ start: this.#starts[number] ?? 0, length: this.#lengths[number] ?? 0 })
      this.#used += unitsOf(length) - unitsOf(this.#lengths[number] ?? 0)
      this.#starts[number] = this.#end
      this.#lengths[number] = length
      this.#end += unitsOf(length)
    }
    // What was redacted is in no text any more, so it must not stay in the file either.
    for (const range of replaced) await this.#erase(range)
  }

  async #erase({ start, length }: Range): Promise<void> {
    if (length > 0) await writeAll(this.#file, Buffer.alloc(length), start * unit)
  }

  async #forget(): Promise<void> {
    this.#waiting = new Map()
    this.#waitingLength = 0
    this.#lengths.fill(0)
    this.#end = 0
    this.#used = 0
    await this.#file.truncate(0)
  }

  #giveUp(error: unknown): void {
    if (!this.#isUsable) return
    this.#isUsable = false
    this.#waiting = new Map()
    this.#batch = new Map()
    this.#onError(error)
    void this.#enqueue(() => this.#file.truncate(0))
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
