// What the commands `account …` and `token …` do to the accounts of a service.

import type { Account, Accounts, NewAccount, TokenInfo } from '../accounts/accounts.js'
import type { Invitations } from '../accounts/invitations.js'
import {
  type ControlCommand,
  type ControlCommands,
  type ControlFields,
  numberIn,
  optional,
  stringIn,
  stringsIn,
} from '../lib/control-socket.js'

type AccountTargets = {
  readonly accounts: Accounts
  readonly invitations: Pick<Invitations, 'invite'>
  /** The address of an invitation with this key. */
  readonly invitationUrl: (key: string) => string
}

export type AddedToken = {
  readonly account: Account
  readonly info: TokenInfo
  readonly token: string
}

export type NewInvitation = {
  readonly name: string
  readonly expires: string
  readonly url: string
}

export const accountRequests = (targets: AccountTargets): ControlCommands => {
  const { accounts, invitations, invitationUrl } = targets
  return new Map<string, ControlCommand>([
    ['add', (fields) => accounts.add(newAccount(fields))],
    ['list', () => accounts.list()],
    ['disable', ({ name }) => accounts.disable(stringIn(name))],
    ['enable', ({ name }) => accounts.enable(stringIn(name))],
    [
      'role',
      ({ name, role, only, repository }) =>
        accounts.setRights(
          stringIn(name),
          stringIn(role),
          stringsIn(only),
          optional(stringIn, repository),
        ),
    ],
    ['password', ({ name, password }) => accounts.setPassword(stringIn(name), stringIn(password))],
    [
      'add-token',
      ({ name, label, role, only, days }): Promise<AddedToken> =>
        accounts.addToken(stringIn(name), {
          label: stringIn(label),
          role: optional(stringIn, role),
          restrictedTo: stringsIn(only),
          days: optional(numberIn, days),
        }),
    ],
    ['tokens', ({ name }) => accounts.tokensOf(stringIn(name))],
    ['revoke', ({ name, label }) => accounts.revoke(stringIn(name), optional(stringIn, label))],
    [
      'invite',
      async ({ name, role, only, repository }): Promise<NewInvitation> => {
        const { invitation, key } = await invitations.invite({
          name: stringIn(name),
          role: stringIn(role),
          restrictedTo: stringsIn(only),
          repository: optional(stringIn, repository),
        })
        return { name: invitation.name, expires: invitation.expires, url: invitationUrl(key) }
      },
    ],
  ])
}

function newAccount({ name, password, role, only, repository }: ControlFields): NewAccount {
  return {
    name: stringIn(name),
    password: stringIn(password),
    role: stringIn(role),
    restrictedTo: stringsIn(only),
    repository: optional(stringIn, repository),
  }
}
