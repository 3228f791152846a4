// Files that are on the disk before anybody is told of them.

import { open } from 'node:fs/promises'

/**
 * Writes a new file for its owner alone. That its directory knows of it is for `syncDirectory` to see to.
 * @throws EEXIST where there is a file already
 */
export async function writeFileDurably(file: string, content: Uint8Array): Promise<void> {
  // `wx` is O_EXCL: a link that somebody put there is not followed.
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Has a directory remember what was made, renamed or removed in it. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
