// A copy of a closed store. Its tables are links to the same files, since LevelDB removes tables and
// never changes one; so the copy takes space only as the store changes. All other files are copied.

import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { syncDirectory } from '../durable-file.js'
import { checkIntegrity, isTable } from './integrity-check.js'

/**
 * Copies the store in a directory into a new one. When this resolves, the copy is on the disk and
 * was checked as a start checks a store.
 * @throws DataCorruptedError, DiskFailedError, the system's error
 */
export async function copyClosedStore(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of await readdir(from)) {
    // LevelDB makes its lock and its own log anew.
    if (/^LO(?:CK|G)/.test(name)) continue
    const copy = isTable(name) ? linkOrCopy : copyDurably
    await copy(join(from, name), join(to, name))
  }
  await syncDirectory(to)
  await checkIntegrity(to, [])
}

/** Some file systems have no links. */
const linkOrCopy = (from: string, to: string): Promise<void> =>
  link(from, to).catch(() => copyDurably(from, to))

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL)
  const handle = await open(to, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
