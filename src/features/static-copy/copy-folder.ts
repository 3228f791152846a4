// The folder of a copy. A file is written where its content changed; what an earlier copy left and
// this one does not have is removed. The list of files tells a copy from a folder with other things.

import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
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
  readonly #folders = new Map<string, Promise<unknown>>()
  #written = 0
  #bytes = 0

  private constructor(directory: string, before: ReadonlySet<string>) {
    this.#directory = directory
    this.#before = before
  }

  /** @throws ExpectedError for a folder that has other things in it */
  static async open(directory: string): Promise<CopyFolder> {
    const names = await readdir(directory).catch(ifAbsent)
    const list = await readFile(join(directory, listFile), 'utf8').catch(ifAbsent)
    if (names !== undefined && names.length > 0 && list === undefined)
      throw new ExpectedError(`${directory} is not empty, and has no copy of a catalogue`)
    const folder = new CopyFolder(directory, new Set(list?.split('\n').filter(Boolean)))
    // A copy that is cut off is known as one by the next.
    if (list === undefined) await folder.#store(listFile, Buffer.from(''))
    return folder
  }

  async write(file: string, content: string | Buffer): Promise<void> {
    const bytes = Buffer.from(content)
    this.#files.add(file)
    if (isReadBack(file))
      this.#checksums.set(file, createHash('sha256').update(bytes).digest('hex'))
    this.#bytes += bytes.length
    const current = this.#before.has(file)
      ? await readFile(join(this.#directory, file)).catch(ifAbsent)
      : undefined
    if (current?.equals(bytes)) return
    this.#written += 1
    await this.#store(file, bytes)
  }

  /** Removes what is not in the copy any more. */
  async finish(): Promise<FolderChanges> {
    const checksums = [...this.#checksums].sort(([a], [b]) => (a < b ? -1 : 1))
    await this.write(checksumFile, checksums.map(([file, sum]) => `${sum}  ${file}\n`).join(''))
    const left = [...this.#before].filter((file) => !this.#files.has(file) && isInside(file))
    for (const file of left) await rm(join(this.#directory, file), { force: true })
    const list = [...this.#files].sort().join('\n') + '\n'
    const stored = await readFile(join(this.#directory, listFile), 'utf8').catch(ifAbsent)
    if (stored !== list) await this.#store(listFile, Buffer.from(list))
    return {
      files: this.#files.size,
      written: this.#written,
      removed: left.length,
      bytes: this.#bytes,
    }
  }

  async #store(file: string, bytes: Buffer): Promise<void> {
    const path = join(this.#directory, file)
    const folder = dirname(path)
    const made = this.#folders.get(folder) ?? mkdir(folder, { recursive: true })
    this.#folders.set(folder, made)
    await made
    // A reader of the folder never finds half a file.
    const unfinished = `${path}.unfinished`
    await writeFile(unfinished, bytes)
    await rename(unfinished, path)
  }
}

/** The list may have been changed by hand. */
const isInside = (file: string): boolean =>
  !file.startsWith('/') && !file.split(/[/\\]/).includes('..')
