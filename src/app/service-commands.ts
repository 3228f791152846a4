// The command lines that work on a stopped or a running service, and what their requests do.

import { randomBytes } from 'node:crypto'

import { loadAccounts } from '../accounts/accounts.js'
import { loadInvitations } from '../accounts/invitations.js'
import { deriveSigningKey, readKey } from '../accounts/token.js'
import { accountCommandLines } from '../commands/account-command-lines.js'
import { accountRequests } from '../commands/account-requests.js'
import { type ServiceCommandIo, runServiceCommand } from '../commands/service-command.js'
import { dataFiles } from '../config.js'
import { webhookCommandLines, webhookRequests } from '../features/webhooks/webhook-commands.js'
import { loadWebhooks, webhookPurpose } from '../features/webhooks/webhooks.js'
import type { ControlCommands } from '../lib/control-socket.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { loadChangeLog } from '../store/key-value/change-log.js'

export type ServiceCommandSettings = ServiceCommandIo & {
  /**
   * The address of an invitation with a key, for a stopped service; a running one knows its own.
   */
  readonly invitationUrl: (key: string) => string
  /** The hosts that webhooks may name wherever they are. */
  readonly webhookHosts?: readonly string[]
  /** scrypt's N for new password hashes of a stopped service. */
  readonly passwordCost?: number
}

type ServiceTargets = Parameters<typeof accountRequests>[0] & Parameters<typeof webhookRequests>[0]

/** What the requests of all command lines do to these. */
export const serviceRequests = (targets: ServiceTargets): ControlCommands =>
  new Map([...accountRequests(targets), ...webhookRequests(targets)])

/**
 * Runs one command; `args` begin with `account`, `token` or `webhook`.
 * @throws ExpectedError, InvalidError, NotFoundError, ControlConnectionError
 */
export const manageService = (
  args: readonly string[],
  settings: ServiceCommandSettings,
): Promise<void> =>
  runServiceCommand(args, settings, {
    lines: new Map([...accountCommandLines, ...webhookCommandLines]),
    openRequests: (store) => openRequests(store, settings),
  })

async function openRequests(
  store: KeyValueStore,
  { dataDir, invitationUrl, webhookHosts = [], ...options }: ServiceCommandSettings,
): Promise<ControlCommands> {
  const { tokenKey } = dataFiles(dataDir)
  const accounts = await loadAccounts(store, tokenKey, options)
  const webhooks = await loadWebhooks(store, {
    // `loadAccounts` has made the key.
    signingKey: deriveSigningKey((await readKey(tokenKey)) ?? randomBytes(32), webhookPurpose),
    log: await loadChangeLog(store),
    hosts: webhookHosts,
  })
  const invitations = await loadInvitations(store, accounts)
  return serviceRequests({ accounts, webhooks, invitations, invitationUrl })
}
