// Limits the memory of a process, with a group of the memory controller of Linux (cgroup v1), and gives it one
// processor.

import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const controller = '/sys/fs/cgroup/memory'

export type MemoryLimit = {
  /** The command that starts another one within the limit. */
  readonly within: readonly string[]
  /** Call when no process is left in it. */
  remove(): Promise<void>
}

/** @returns undefined where this process may make no group */
export async function limitMemory(mebibytes: number): Promise<MemoryLimit | undefined> {
  try {
    const groups = await readFile('/proc/self/cgroup', 'utf8')
    // A group within that of this process, whose limits still hold.
    const [, own = '/'] = /^\d+:memory:(.*)$/m.exec(groups) ?? []
    const group = join(controller, own, `zine-bench-${process.pid}`)
    await mkdir(group)
    await writeFile(join(group, 'memory.limit_in_bytes'), String(mebibytes * 2 ** 20))
    const enter = `echo $$ > "${group}/cgroup.procs" && exec taskset --cpu-list 0 "$@"`
    return { within: ['sh', '-c', enter, 'sh'], remove: () => rmdir(group) }
  } catch {
    return undefined
  }
}
