// Writes what is made of all records when the service starts, such as the record index, into a file
// beside the store when it stops, and reads it at the next start. The file is believed only if its
// hash is the one in the store, which the first write of any process removes, and if the same code
// and the same vocabularies made it. Otherwise everything is made anew.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

import { yieldToEventLoop } from '../lib/scheduling.js'
import { syncDirectory } from '../lib/durable-file.js'
import { indexFileKey } from '../store/key-value/keys.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { packageRoot, programDirectory } from '../lib/package-files.js'

/** Something that is made of all records. Its parts are plain values, maps and typed arrays. */
export type SavedIndex = {
  /** Nothing may be written meanwhile. */
  save(): AsyncIterable<unknown>
  /** Takes the parts in their order. */
  restore(parts: AsyncIterable<unknown>): Promise<void>
}

type IndexFileOptions = {
  readonly file: string
  readonly store: KeyValueStore
  /** What the indexes depend on besides the records and the code. */
  readonly dependsOn: string
  /** Called when the file cannot be read or written. */
  readonly onError: (error: unknown) => void
}

export async function createIndexFile(options: IndexFileOptions): Promise<IndexFile> {
  // Now, since the files of the program may be replaced while it runs.
  return new IndexFile(options, await describeOrigin(options.dependsOn))
}

export class IndexFile {
  readonly #file: string
  readonly #store: KeyValueStore
  readonly #onError: (error: unknown) => void
  readonly #origin: string
  #readHash: string | undefined
  #isRemoved = false

  /** @param origin what makes the indexes */
  constructor({ file, store, onError }: IndexFileOptions, origin: string) {
    this.#file = file
    this.#store = store
    this.#onError = onError
    this.#origin = origin
  }

  /**
   * Whether the file has the indexes of the records as they are. To be asked before anything is
   * written.
   */
  async isCurrent(): Promise<boolean> {
    const expected = await this.#store.get(indexFileKey)
    if (expected === undefined) return false
    try {
      if ((await hashOf(this.#file)) !== expected) return false
      for await (const head of readParts(this.#file)) {
        this.#readHash = head === this.#origin ? expected : undefined
        break
      }
      return this.#readHash !== undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#onError(error)
      return false
    }
  }

  /**
   * Fills the indexes, which have to be empty.
   * @returns whether they are; if not, they have to be made anew
   */
  async read(indexes: readonly SavedIndex[]): Promise<boolean> {
    const parts = readParts(this.#file)
    try {
      // What made it.
      await parts.next()
      for (const index of indexes) await index.restore(untilEnd(parts))
      return true
    } catch (error) {
      this.#onError(error)
      this.#readHash = undefined
      return false
    } finally {
      await parts.return(undefined)
    }
  }

  /**
   * Writes the file when nothing writes any more.
   * @param isUnchanged whether the indexes are as `read` left them
   */
  async write(indexes: readonly SavedIndex[], isUnchanged: boolean): Promise<void> {
    if (this.#isRemoved) return
    try {
      const hash =
        isUnchanged && this.#readHash !== undefined
          ? this.#readHash
          : await writeParts(this.#file, allParts(this.#origin, indexes))
      await this.#store.write([{ key: indexFileKey, value: hash }])
    } catch (error) {
      this.#onError(error)
    }
  }

  /**
   * Removes the file, which may have a value that was redacted. None is written any more: indexes
   * keep in memory what was removed from them.
   */
  async remove(): Promise<void> {
    this.#isRemoved = true
    for (const name of [this.#file, unfinishedName(this.#file)]) await rm(name, { force: true })
    await syncDirectory(dirname(this.#file))
  }
}

const unfinishedName = (file: string): string => `${file}.new`

/** Stands after the parts of each index. */
const end = null

async function* allParts(origin: string, indexes: readonly SavedIndex[]) {
  yield origin
  for (const index of indexes) {
    yield* index.save()
    yield end
  }
}

async function* untilEnd(parts: AsyncGenerator): AsyncGenerator {
  for (;;) {
    const part = await parts.next()
    if (part.done) throw new Error('the file of indexes ends too early')
    if (part.value === end) return
    yield part.value
  }
}

/** Each part is preceded by its length. @returns the SHA-256 of the file */
async function writeParts(file: string, parts: AsyncIterable<unknown>): Promise<string> {
  const hash = createHash('sha256')
  const unfinished = unfinishedName(file)
  await rm(unfinished, { force: true })
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    for await (const part of parts) {
      const content = serialize(part)
      const head = Buffer.alloc(lengthSize)
      head.writeUInt32LE(content.length)
      for (const bytes of [head, content]) {
        hash.update(bytes)
        await handle.writeFile(bytes)
      }
      await yieldToEventLoop()
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, file)
  await syncDirectory(dirname(file))
  return hash.digest('hex')
}

const lengthSize = 4

async function* readParts(file: string): AsyncGenerator {
  const handle = await open(file)
  try {
    for (;;) {
      const head = await readBytes(handle, lengthSize)
      if (!head) return
      const content = await readBytes(handle, head.readUInt32LE())
      if (!content) throw new Error(`${file} is cut short`)
      // The file has the hash that was stored when it was written.
      yield deserialize(content) as unknown
      await yieldToEventLoop()
    }
  } finally {
    await handle.close()
  }
}

/** So many bytes from where the last read ended; undefined at the end of the file. */
async function readBytes(handle: FileHandle, length: number): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled)
    if (bytesRead === 0) return undefined
    filled += bytesRead
  }
  return bytes
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
    hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** A hash of all that made the indexes, besides the records: the program and its declarations. */
async function describeOrigin(dependsOn: string): Promise<string> {
  const hash = createHash('sha256').update(`${process.versions.v8}\n${dependsOn}`)
  for (const directory of [
    programDirectory,
    ...['ontology', 'shapes'].map((name) => join(packageRoot, name)),
  ])
    for (const name of (await readdir(directory, { recursive: true })).sort())
      if (/\.(?:js|ttl)$/.test(name))
        hash.update(`\n${name}\n`).update(await readFile(join(directory, name)))
  return hash.digest('hex')
}
