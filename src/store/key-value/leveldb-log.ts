// What LevelDB does not tell of its log, which has all that was written since it was last compacted
// (leveldb: doc/log_format.md): how much of it reached the disk, and whether there is space to start it anew.

import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const block = 32 * 1024

/** Every block begins with the header of what is in it. */
const header = 7

/** Whether the text is the last thing in the log. */
export async function logEndsWith(directory: string, text: string): Promise<boolean> {
  const file = (await logsIn(directory)).at(-1)
  if (!file) return false
  const end = Buffer.from(text)
  const handle = await open(file)
  try {
    return (await tailOf(handle, end.length)).subarray(-end.length).equals(end)
  } finally {
    await handle.close()
  }
}

/** The last of what was logged: so many bytes or more, without the headers between them. */
async function tailOf(handle: FileHandle, length: number): Promise<Buffer> {
  const { size } = await handle.stat()
  const blocks = Math.ceil(length / (block - header)) + 1
  const start = Math.max(0, Math.ceil(size / block) - blocks) * block
  const { buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
  const parts: Buffer[] = []
  for (let at = 0; at < buffer.length; at += block)
    parts.push(buffer.subarray(at + header, at + block))
  return Buffer.concat(parts)
}

/**
 * Finds out whether there is space for what opening writes: the logs as tables, and somewhat more.
 * @throws what the system says when there is not
 */
export async function checkFreeSpace(directory: string): Promise<void> {
  const sizes = await Promise.all(
    (await logsIn(directory)).map(async (file) => (await stat(file)).size),
  )
  const file = join(directory, 'room')
  const handle = await open(file, 'w')
  try {
    await handle.writeFile(Buffer.alloc(sizes.reduce((sum, size) => sum + size, more)))
    await handle.sync()
  } finally {
    await handle.close()
    await rm(file, { force: true })
  }
}

const more = 1024 * 1024

/** The logs, the newest last. */
async function logsIn(directory: string): Promise<string[]> {
  const numbered = (await readdir(directory)).filter((name) => /^\d+\.log$/.test(name))
  return numbered
    .sort((a, b) => parseInt(a, 10) - parseInt(b, 10))
    .map((name) => join(directory, name))
}
