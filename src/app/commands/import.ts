// `import`: a file of another system, another catalogue, or a folder that `publish` has written.

import { stat } from 'node:fs/promises'

import { type ImportCommand, readImportCommand, runImport } from '../../commands/import.js'
import { type ImportTarget, httpImportTarget, localTarget } from '../../commands/import-targets.js'
import { ExpectedError } from '../../errors.js'
import type { CommandContext } from './command.js'
import { importCopy } from './import-copy.js'
import { openStopped, readToken } from './stopped-service.js'

/** @throws ExpectedError */
export async function runImportCommand(context: CommandContext): Promise<void> {
  const command = readImportCommand(context.args)
  const copy = await folderIn(command)
  if (copy !== undefined) return importCopy(copy, context)
  const target = await openTarget(command, context)
  try {
    if (!(await runImport(command, target, context))) context.fail()
  } finally {
    await target.close()
  }
}

/**
 * The folder that is imported, if it is one. Its records need no profile.
 * @throws ExpectedError for a running service, which takes no pictures with their identifiers
 */
async function folderIn(command: ImportCommand): Promise<string | undefined> {
  if (command.name !== 'source' || !('file' in command.source)) return undefined
  const { file } = command.source
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return undefined
  if (command.url !== undefined)
    throw new ExpectedError(
      'A copy is read into the data directory of a stopped service: leave out --url. ' +
        `A running one takes its records alone: zine-catalogue load ${file}/data/*.jsonl.gz --url …`,
    )
  return file
}

async function openTarget(command: ImportCommand, context: CommandContext): Promise<ImportTarget> {
  const { url } = command
  if (url !== undefined) return httpImportTarget(url, await readToken(command, context))
  const backend = await openStopped(context)
  return { ...localTarget(backend.imports), close: () => backend.close() }
}
