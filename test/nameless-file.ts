// Looks at a file without a name that a process has open. Linux shows it in /proc.

import { readFile, readdir, readlink, stat } from 'node:fs/promises'

/** The size of the file that a process has open and that was removed from a directory; undefined where there is none. */
export async function sizeOfNameless(
  directory: string,
  pid: number | 'self' = 'self',
): Promise<number | undefined> {
  const path = await findNameless(directory, pid)
  return path === undefined ? undefined : (await stat(path)).size
}

/** The text of such a file of this process; empty where there is none. */
export async function textOfNameless(directory: string): Promise<string> {
  const path = await findNameless(directory, 'self')
  return path === undefined ? '' : readFile(path, 'utf8')
}

async function findNameless(directory: string, pid: number | 'self'): Promise<string | undefined> {
  for (const descriptor of await readdir(`/proc/${pid}/fd`)) {
    const path = `/proc/${pid}/fd/${descriptor}`
    const target = await readlink(path).catch(() => '')
    if (target.startsWith(directory) && target.endsWith('(deleted)')) return path
  }
  return undefined
}

/** Skips a test that looks at such a file where it cannot be seen. */
export function skipWithoutProc(context: Mocha.Context): void {
  if (process.platform === 'linux') return
  console.log('      skipped: there is no /proc')
  context.skip()
}
