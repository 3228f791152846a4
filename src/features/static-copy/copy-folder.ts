// The folder of a copy. A file is written where its content changed; what an earlier copy left and
// this one does not have is removed. The list of files tells a copy from a folder with other things.
// It is written by a thread of its own (publish-worker.ts), which may wait for the disk: that takes less
// time for many small files than to have each step done by another thread.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { ExpectedError } from '../../errors.js'
import { ifAbsent } from '../../lib/durable-file.js'
import { checksumFile, isReadBack } from './copy-files.js'

const listFile = 'files.txt'

export type FolderChanges = {
  readonly files: number
  readonly written: number
  readonly removed: number
  readonly bytes: number
}

export class CopyFolder {
  readonly #directory: string
  readonly #before: ReadonlySet<string>
  readonly #files = new Set<string>()
  /** The checksums of the files that are read back. */
  readonly #checksums = new Map<string, string>()
  readonly #folders = new Set<string>()
  #written = 0
  #bytes = 0

  private constructor(directory: string, before: ReadonlySet<string>) {
    this.#directory = directory
    this.#before = before
  }

  /** @throws ExpectedError for a folder that has other things in it */
  static open(directory: string): CopyFolder {
    const names = unlessAbsent(() => readdirSync(directory))
    const list = unlessAbsent(() => readFileSync(join(directory, listFile), 'utf8'))
    if (names !== undefined && names.length > 0 && list === undefined)
      throw new ExpectedError(`${directory} is not empty, and has no copy of a catalogue`)
    const folder = new CopyFolder(directory, new Set(list?.split('\n').filter(Boolean)))
    // A copy that is cut off is known as one by the next.
    if (list === undefined) folder.#replace(listFile, Buffer.from(''))
    return folder
  }

  write(file: string, content: string | Buffer): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    this.#files.add(file)
    if (isReadBack(file))
      this.#checksums.set(file, createHash('sha256').update(bytes).digest('hex'))
    this.#bytes += bytes.length
    const isThere = this.#before.has(file)
    if (isThere && this.#read(file)?.equals(bytes)) return
    this.#written += 1
    if (isThere) this.#replace(file, bytes)
    else writeFileSync(this.#pathOf(file), bytes)
  }

  /** Removes what is not in the copy any more. */
  finish(): FolderChanges {
    const checksums = [...this.#checksums].sort(([a], [b]) => (a < b ? -1 : 1))
    this.write(checksumFile, checksums.map(([file, sum]) => `${sum}  ${file}\n`).join(''))
    const left = [...this.#before].filter((file) => !this.#files.has(file) && isInside(file))
    for (const file of left) rmSync(join(this.#directory, file), { force: true })
    const list = [...this.#files].sort().join('\n') + '\n'
    if (this.#read(listFile)?.toString() !== list) this.#replace(listFile, Buffer.from(list))
    return {
      files: this.#files.size,
      written: this.#written,
      removed: left.length,
      bytes: this.#bytes,
    }
  }

  #read(file: string): Buffer | undefined {
    return unlessAbsent(() => readFileSync(join(this.#directory, file)))
  }

  /** A reader of the folder never finds half a file in place of a whole one. */
  #replace(file: string, bytes: Buffer): void {
    const path = this.#pathOf(file)
    const unfinished = `${path}.unfinished`
    writeFileSync(unfinished, bytes)
    renameSync(unfinished, path)
  }

  /** The path of a file, whose folder is there then. */
  #pathOf(file: string): string {
    const path = join(this.#directory, file)
    const folder = dirname(path)
    if (!this.#folders.has(folder)) mkdirSync(folder, { recursive: true })
    this.#folders.add(folder)
    return path
  }
}

function unlessAbsent<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    // The cast: the file system throws no other errors.
    ifAbsent(error as NodeJS.ErrnoException)
    return undefined
  }
}

/** The list may have been changed by hand. */
const isInside = (file: string): boolean =>
  !file.startsWith('/') && !file.split(/[/\\]/).includes('..')
