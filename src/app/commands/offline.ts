// `rebase` and `rebuild`, of a stopped service, and `remove-upgrade-backup`, of any.

import { createProgress } from '../../commands/progress.js'
import { ExpectedError } from '../../errors.js'
import { readConfig } from '../../config.js'
import { readStoppedConfig, rebaseData, scheduleRemoteRebuild } from '../offline-commands.js'
import { checkUpgradeIsFinished, removeUpgradeBackups } from '../upgrade.js'
import type { CommandContext } from './command.js'

/** @throws ExpectedError, DataDirectoryInUseError, ExpectedError */
export async function rebase({ args, env, print, warn }: CommandContext): Promise<void> {
  const [base, ...extra] = args
  if (base === undefined || extra.length > 0)
    throw new ExpectedError('usage: zine-catalogue rebase URL')
  const config = readConfig({ ...env, BASE_URL: base })
  const progress = createProgress('records moved', undefined)
  const records = await rebaseData(config, warn, (count) => progress.show(count))
  progress.end(records)
  print(
    `${records} records moved to ${config.baseUrl}; set BASE_URL=${config.baseUrl} from now on.`,
  )
}

/** @throws ExpectedError, DataDirectoryInUseError, ExpectedError, StoreUnavailableError */
export async function rebuild({ args, env, print }: CommandContext): Promise<void> {
  if (args.length > 0) throw new ExpectedError('usage: zine-catalogue rebuild')
  await scheduleRemoteRebuild(await readStoppedConfig(env))
  print('The next start of the service fills the store from DATA_DIR.')
}

/** @throws ExpectedError */
export async function removeUpgradeBackup({ args, env, print }: CommandContext): Promise<void> {
  if (args.length > 0) throw new ExpectedError('usage: zine-catalogue remove-upgrade-backup')
  const { dataDir } = readConfig(env)
  await checkUpgradeIsFinished(dataDir)
  const removed = await removeUpgradeBackups(dataDir)
  for (const path of removed) print(`removed ${path}`)
  if (removed.length === 0) print(`${dataDir} has no copy from before an upgrade`)
}
