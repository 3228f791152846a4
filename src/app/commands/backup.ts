// `backup` and `restore`.

import { ExpectedError } from '../../errors.js'
import type { ArchiveSummary } from '../../commands/archive-file.js'
import { backUpTo, restore } from '../../commands/backup.js'
import { readConfig } from '../../config.js'
import { dataDirectoryOf } from '../data-directory.js'
import type { CommandContext } from './command.js'

/** @throws ExpectedError, and what backUpTo throws */
export async function makeBackup({ args, env, print }: CommandContext): Promise<void> {
  const file = fileArgument('backup', args)
  print(`${summaryOf(await backUpTo(file, dataDirectoryOf(readConfig(env))))} backed up to ${file}`)
}

/** @throws ExpectedError, and what restore throws */
export async function restoreBackup({ args, env, print }: CommandContext): Promise<void> {
  const directory = dataDirectoryOf(readConfig(env))
  const backup = await restore(fileArgument('restore', args), directory)
  print(
    `${summaryOf(backup)}, as of ${backup.made}, restored to ${directory.dataDir}; ` +
      `start it with BASE_URL=${backup.base}`,
  )
}

function fileArgument(command: string, args: readonly string[]): string {
  const [file, ...extra] = args
  if (file === undefined || extra.length > 0)
    throw new ExpectedError(`usage: zine-catalogue ${command} FILE`)
  return file
}

function summaryOf({ entries, files }: ArchiveSummary): string {
  return `${entries} entries and ${files} files`
}
