// Runs `publish` and `import` as the command line does, over a data directory of a test.

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { runImportCommand } from '../../../src/app/commands/import.js'
import { publishCopy } from '../../../src/app/commands/publish.js'
import type { CommandContext } from '../../../src/app/commands/command.js'
import { BASE_URL } from '../../service.js'

export const publishTo = (copy: string, dataDir: string, base = BASE_URL): Promise<string[]> =>
  run(publishCopy, [copy], dataDir, base)

/** @returns what it prints */
export const importFrom = (copy: string, dataDir: string, base = BASE_URL): Promise<string[]> =>
  run(runImportCommand, [copy], dataDir, base)

async function run(
  command: (context: CommandContext) => Promise<void>,
  args: readonly string[],
  dataDir: string,
  base: string,
): Promise<string[]> {
  const printed: string[] = []
  await command({
    args,
    env: { DATA_DIR: dataDir, BASE_URL: base },
    stdin: process.stdin,
    isTerminal: false,
    print: (line) => void printed.push(line),
    warn: (line) => void printed.push(line),
    fail: () => expect.fail(printed.join('\n')),
    exit: () => expect.fail('exit'),
    onStop: () => undefined,
  })
  return printed
}

/** The files below a folder, by their paths there. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** What a file of a copy says. */
export async function contentOf(copy: string, file: string): Promise<Buffer> {
  const bytes = await readFile(join(copy, file))
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes
}
