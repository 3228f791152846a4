// Writes files that are on the disk when the promise resolves, and reads those that may be absent.

import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a new file that only its owner can read. The caller makes its directory entry durable with
 * `syncDirectory`.
 * @throws EEXIST when the file exists already
 */
export async function writeFileDurably(file: string, content: Uint8Array): Promise<void> {
  // `wx` is O_EXCL: a symbolic link at this path is not followed.
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the creation, renaming and removal of files in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Writes a file, in place of the one that is there, so that a crash leaves the old or the new one.
 * Only its owner can read it. One write of a file at a time.
 */
export async function replaceFileDurably(file: string, content: Uint8Array): Promise<void> {
  const unfinished = `${file}.new`
  await rm(unfinished, { force: true })
  await writeFileDurably(unfinished, content)
  await rename(unfinished, file)
  await syncDirectory(dirname(file))
}

/** For `catch`: nothing where there is no file or folder. @throws any other error */
export function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
