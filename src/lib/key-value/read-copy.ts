// A copy of a LevelDB directory from which the data can be read while the disk is full: LevelDB
// cannot open a store without writing. Tables are not copied but linked. key-value-store.ts opens
// the copy.

import { copyFile, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { DiskFailedError } from './errors.js'

export type ReadCopy = {
  readonly directory: string
  /**
   * @throws DiskFailedError when the original was changed, so that the data in memory are outdated
   */
  checkOriginal(): Promise<void>
  /** To be called after an attempt to open the original, which may have changed its files. */
  acceptOriginal(): Promise<void>
  remove(): Promise<void>
}

/** @throws the system's error when there is no store, or no space for the copy */
export async function createReadCopy(original: string): Promise<ReadCopy> {
  await stat(join(original, 'CURRENT'))
  // In memory where the system has such a directory: the one for temporary files may be on the full
  // disk.
  return copyInto('/dev/shm', original).catch(() => copyInto(tmpdir(), original))
}

async function copyInto(parent: string, original: string): Promise<ReadCopy> {
  const directory = await mkdtemp(join(parent, `zine-catalogue-read-${process.pid}-`))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    for (const name of await dataFiles(original))
      if (/\.(?:ldb|sst)$/.test(name)) await symlink(resolve(original, name), join(directory, name))
      else await copyFile(join(original, name), join(directory, name))
    let accepted = await stateOf(original)
    return {
      directory,
      async checkOriginal() {
        if ((await stateOf(original)) !== accepted)
          throw new DiskFailedError(`${original} was changed by another process meanwhile`)
      },
      async acceptOriginal() {
        accepted = await stateOf(original)
      },
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

const dataFiles = async (directory: string): Promise<string[]> =>
  (await readdir(directory))
    .filter((name) => /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:log|ldb|sst))$/.test(name))
    .sort()

/** The names, sizes and times of the files. */
async function stateOf(directory: string): Promise<string> {
  const names = await dataFiles(directory)
  const states = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(directory, name))
      return [name, size, mtimeMs]
    }),
  )
  return JSON.stringify(states)
}
