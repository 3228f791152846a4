// The files of a copy from which its records are read back.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { resourceNames } from '../../model/iris.js'
import { dataFileOf } from './copy-addresses.js'

/** The files of a copy with its records; undefined for what is no folder of a copy. */
export async function recordFilesOf(directory: string): Promise<readonly string[] | undefined> {
  const files = resourceNames.map((name) => join(directory, dataFileOf(name, 'jsonl')))
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)))
  return found.every((file) => file?.isFile()) ? files : undefined
}
