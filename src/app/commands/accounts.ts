// `account …`, `token …` and `webhook …`: on a running or a stopped service.

import { readConfig } from '../../config.js'
import { editingLinks } from '../../views/links.js'
import { manageService } from '../service-commands.js'
import type { CommandContext } from './command.js'

/**
 * @param words what stands before the arguments: `account`, `token` or `webhook`
 * @throws ExpectedError, InvalidError, ControlConnectionError
 */
export async function manageAccounts(
  words: 'account' | 'token' | 'webhook',
  { args, env, stdin, print }: CommandContext,
): Promise<void> {
  const { dataDir, baseUrl, webhookHosts } = readConfig(env)
  await manageService([words, ...args], {
    dataDir,
    webhookHosts,
    invitationUrl: (key) => baseUrl + editingLinks.invitation(key),
    stdin,
    print,
  })
}
