// `import`: a file of another system, another catalogue, or a folder that `publish` has written.

import { stat } from 'node:fs/promises'

import { type ImportCommand, readImportCommand, runImport } from '../../commands/import.js'
import { type ImportTarget, httpImportTarget, localTarget } from '../../commands/import-targets.js'
import { ExpectedError } from '../../errors.js'
import { recordFilesOf } from '../../features/static-copy/copy-files.js'
import { load } from './load.js'
import type { CommandContext } from './command.js'
import { openStopped, readToken } from './stopped-service.js'

/** @throws ExpectedError */
export async function runImportCommand(context: CommandContext): Promise<void> {
  const command = readImportCommand(context.args)
  const files = await filesOfCopy(command)
  // Its records are those of this service already, and need no profile.
  if (files) return load({ ...context, args: [...files, ...serviceArguments(command)] })
  const target = await openTarget(command, context)
  try {
    if (!(await runImport(command, target, context))) context.fail()
  } finally {
    await target.close()
  }
}

/** The records of a folder that `publish` has written. @throws ExpectedError for another folder */
async function filesOfCopy(command: ImportCommand): Promise<readonly string[] | undefined> {
  if (command.name !== 'source' || !('file' in command.source)) return undefined
  const { file } = command.source
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return undefined
  const files = await recordFilesOf(file)
  if (!files) throw new ExpectedError(`${file} is a folder, and no copy that publish has written`)
  return files
}

const serviceArguments = ({ url, token, tokenFile }: ImportCommand): readonly string[] => [
  ...(url === undefined ? [] : ['--url', url]),
  ...(token === undefined ? [] : ['--token', token]),
  ...(tokenFile === undefined ? [] : ['--token-file', tokenFile]),
]

async function openTarget(command: ImportCommand, context: CommandContext): Promise<ImportTarget> {
  const { url } = command
  if (url !== undefined) return httpImportTarget(url, await readToken(command, context))
  const backend = await openStopped(context)
  return { ...localTarget(backend.imports), close: () => backend.close() }
}
