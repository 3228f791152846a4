// `import`: a file of another system, or another catalogue; or an archive that `export` wrote.

import { type ImportCommand, readImportCommand, runImport } from '../../commands/import.js'
import { type ImportTarget, httpImportTarget, localTarget } from '../../commands/import-targets.js'
import { importData, readStoppedConfig } from '../offline-commands.js'
import type { CommandContext } from './command.js'
import { openStopped, readToken } from './stopped-service.js'

type ArchiveImport = Extract<ImportCommand, { readonly name: 'archive' }>

/** @throws ExpectedError, ArchiveError, DataDirectoryInUseError */
export async function runImportCommand(context: CommandContext): Promise<void> {
  const command = await readImportCommand(context.args)
  if (command.name === 'archive') return importArchive(command, context)
  const target = await openTarget(command, context)
  try {
    if (!(await runImport(command, target, context))) context.fail()
  } finally {
    await target.close()
  }
}

async function openTarget(
  command: Exclude<ImportCommand, ArchiveImport>,
  context: CommandContext,
): Promise<ImportTarget> {
  const { url } = command
  if (url !== undefined) return httpImportTarget(url, await readToken(command, context))
  const backend = await openStopped(context)
  return { ...localTarget(backend.imports), close: () => backend.close() }
}

async function importArchive(
  { file, replace }: ArchiveImport,
  { env, print }: CommandContext,
): Promise<void> {
  const { records, accounts } = await importData(await readStoppedConfig(env), file, { replace })
  print(`${records} records and ${accounts} accounts read from ${file}.`)
}
