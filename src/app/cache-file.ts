// Opens a file for what is kept beside the memory, and goes on without one where there is no room
// for it.

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Logger } from 'pino'

import { type FileCache, openFileCache } from '../lib/file-cache.js'

type CacheFileOptions = {
  /** What the log calls it. */
  readonly name: string
  readonly log?: Logger | undefined
}

/** @returns undefined where there can be none, as on a full disk; the log says so */
export async function tryToOpenFileCache(
  path: string,
  { name, log }: CacheFileOptions,
): Promise<FileCache | undefined> {
  const onError = (error: unknown): void => log?.warn({ err: error }, name)
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return await openFileCache(path, { onError })
  } catch (error) {
    onError(error)
    return undefined
  }
}
