// The files of pictures in the data directory. The name of a file is the hash of its content, so
// that a file is written once and never changed.

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { limitConcurrency } from '../../lib/scheduling.js'
import { ifAbsent, syncDirectory, writeFileDurably } from '../../lib/durable-file.js'
import { isHash } from './picture.js'

export type PictureFiles = ReturnType<typeof createPictureFiles>

/** @param root the directory of all pictures, which may not exist */
export function createPictureFiles(root: string) {
  const pathOf = (hash: string): string => join(root, hash.slice(0, 2), hash)
  /**
   * A file must not be removed while the same one is written, so this is done one after another.
   */
  const inTurn = limitConcurrency(1)

  async function write(hash: string, content: Buffer): Promise<void> {
    const path = pathOf(hash)
    const directory = dirname(path)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const unfinished = `${path}.${randomBytes(6).toString('hex')}.unfinished`
    try {
      await writeFileDurably(unfinished, content)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    // Also the directories above, which may be new.
    for (const folder of [directory, root, dirname(root)]) await syncDirectory(folder)
  }

  return {
    /**
     * Writes a file, which is on the disk when this resolves.
     * @throws the errors of the file system
     */
    write: (hash: string, content: Buffer): Promise<void> => inTurn(() => write(hash, content)),
    /** The content of a file; undefined if it is not there. */
    read: (hash: string): Promise<Buffer | undefined> => readFile(pathOf(hash)).catch(ifAbsent),
    /** Removes a file unless it is needed when its turn comes. */
    remove: (hash: string, isNeeded: () => boolean): Promise<void> =>
      inTurn(async () => {
        if (!isNeeded()) await rm(pathOf(hash), { force: true })
      }),
    /** Removes the files that nobody needs, such as those of an upload that was not finished. */
    async removeOthers(needed: ReadonlySet<string>): Promise<void> {
      for (const folder of await readdir(root).catch(() => []))
        for (const name of await readdir(join(root, folder)).catch(() => []))
          if (!isHash(name) || !needed.has(name))
            await rm(join(root, folder, name), { force: true })
    },
  }
}

export const hashOf = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex')
