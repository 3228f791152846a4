// Writes files that are on the disk when the promise resolves.

import { open } from 'node:fs/promises'

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
