// Looks at a file without a name that a process has open. Linux shows it in /proc.

import { readdir, readlink, stat } from 'node:fs/promises'

/** The size of the file that a process has open and that was removed from a directory; undefined where there is none. */
export async function sizeOfNameless(
  directory: string,
  pid: number | 'self' = 'self',
): Promise<number | undefined> {
  for (const descriptor of await readdir(`/proc/${pid}/fd`)) {
    const path = `/proc/${pid}/fd/${descriptor}`
    const target = await readlink(path).catch(() => '')
    if (target.startsWith(directory) && target.endsWith('(deleted)')) return (await stat(path)).size
  }
  return undefined
}

/** Skips a test that looks at such a file where it cannot be seen. */
export function skipWithoutProc(context: Mocha.Context): void {
  if (process.platform === 'linux') return
  console.log('      skipped: there is no /proc')
  context.skip()
}
