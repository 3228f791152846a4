// `account …`, `token …` and `webhook …`: on a running or a stopped service.

import { runAccountCommand } from '../../commands/account-command.js'
import { readConfig } from '../../config.js'
import { editingLinks } from '../../views/links.js'
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
  await runAccountCommand([words, ...args], {
    dataDir,
    webhookHosts,
    invitationUrl: (key) => baseUrl + editingLinks.invitation(key),
    stdin,
    print,
  })
}
