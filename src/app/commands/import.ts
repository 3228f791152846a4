// `import`: a file of another system, or another catalogue.

import { type ImportCommand, readImportCommand, runImport } from '../../commands/import.js'
import { type ImportTarget, httpImportTarget, localTarget } from '../../commands/import-targets.js'
import type { CommandContext } from './command.js'
import { openStopped, readToken } from './stopped-service.js'

/** @throws ExpectedError */
export async function runImportCommand(context: CommandContext): Promise<void> {
  const command = readImportCommand(context.args)
  const target = await openTarget(command, context)
  try {
    if (!(await runImport(command, target, context))) context.fail()
  } finally {
    await target.close()
  }
}

async function openTarget(command: ImportCommand, context: CommandContext): Promise<ImportTarget> {
  const { url } = command
  if (url !== undefined) return httpImportTarget(url, await readToken(command, context))
  const backend = await openStopped(context)
  return { ...localTarget(backend.imports), close: () => backend.close() }
}
