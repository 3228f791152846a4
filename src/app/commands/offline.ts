// `rebase` and `rebuild`, of a stopped service.

import { ExpectedError } from '../../errors.js'
import { readConfig } from '../../config.js'
import { readStoppedConfig, rebaseData, scheduleRemoteRebuild } from '../offline-commands.js'
import type { CommandContext } from './command.js'

/** @throws ExpectedError, DataDirectoryInUseError, ExpectedError */
export async function rebase({ args, env, print }: CommandContext): Promise<void> {
  const [base, ...extra] = args
  if (base === undefined || extra.length > 0)
    throw new ExpectedError('usage: zine-catalogue rebase URL')
  const config = readConfig({ ...env, BASE_URL: base })
  const records = await rebaseData(config)
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
