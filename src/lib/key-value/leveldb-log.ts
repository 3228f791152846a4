// Two facts that LevelDB does not report: whether an entry reached its log (leveldb:
// doc/log_format.md), and whether there is enough space to open the store again. leveldb-files.ts
// parses whole logs.

import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const blockSize = 32 * 1024

/** Every block begins with a header. */
const headerSize = 7

/** Whether the text is the last thing in the log. */
export async function logEndsWith(directory: string, text: string): Promise<boolean> {
  const file = (await listLogs(directory)).at(-1)
  if (!file) return false
  const end = Buffer.from(text)
  const handle = await open(file)
  try {
    return (await readTail(handle, end.length)).subarray(-end.length).equals(end)
  } finally {
    await handle.close()
  }
}

/** At least this many bytes of the end of the log, without the headers between them. */
async function readTail(handle: FileHandle, length: number): Promise<Buffer> {
  const { size } = await handle.stat()
  const blocks = Math.ceil(length / (blockSize - headerSize)) + 1
  const start = Math.max(0, Math.ceil(size / blockSize) - blocks) * blockSize
  const { buffer } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
  const parts: Buffer[] = []
  for (let at = 0; at < buffer.length; at += blockSize)
    parts.push(buffer.subarray(at + headerSize, at + blockSize))
  return Buffer.concat(parts)
}

/**
 * Checks that there is space for what opening writes: the logs as tables, and 1 MB more.
 * @throws the system's error when there is not
 */
export async function checkFreeSpace(directory: string): Promise<void> {
  const sizes = await Promise.all(
    (await listLogs(directory)).map(async (file) => (await stat(file)).size),
  )
  const file = join(directory, 'free-space-check')
  const handle = await open(file, 'w')
  try {
    await handle.writeFile(Buffer.alloc(sizes.reduce((sum, size) => sum + size, extraBytes)))
    await handle.sync()
  } finally {
    await handle.close()
    await rm(file, { force: true })
  }
}

const extraBytes = 1024 * 1024

/** The paths of the logs, the newest last. */
async function listLogs(directory: string): Promise<string[]> {
  const numbered = (await readdir(directory)).filter((name) => /^\d+\.log$/.test(name))
  return numbered
    .sort((a, b) => parseInt(a, 10) - parseInt(b, 10))
    .map((name) => join(directory, name))
}
