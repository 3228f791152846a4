// What the commands `account …` and `token …` take and print; `accountUsage` lists them.

import { Readable } from 'node:stream'

import { type Account, type TokenInfo, loginLabel } from '../accounts/accounts.js'
import { ExpectedError } from '../errors.js'
import {
  type CommandLine,
  type CommandLines,
  type OptionValues,
  formatTable,
} from '../lib/command-line.js'
import type { ControlRequest } from '../lib/control-socket.js'
import { readLine } from '../lib/read-line.js'
import type { AddedToken, NewInvitation } from './account-requests.js'
import { usageError } from './service-command.js'

const options = {
  rights: { role: { type: 'string' }, only: { type: 'string', multiple: true } },
  repository: { repository: { type: 'string' } },
  password: { 'password-stdin': { type: 'boolean' } },
  token: { label: { type: 'string' }, expires: { type: 'string' } },
} as const

export const accountCommandLines: CommandLines = new Map<string, CommandLine>([
  [
    'account add',
    {
      needed: ['NAME'],
      options: { ...options.rights, ...options.repository, ...options.password },
      parse: parseAdd,
      format: ({ name, role }: Account) => [`Added ${name}, ${role}.`],
    },
  ],
  [
    'account invite',
    {
      needed: ['NAME'],
      options: { ...options.rights, ...options.repository },
      parse: ([name], values) => ({
        command: 'invite',
        name,
        ...rightsOptions(values),
      }),
      format: ({ name, expires, url }: NewInvitation) => [
        `Invited ${name}. The link works once, until ${expires}:`,
        url,
      ],
    },
  ],
  [
    'account list',
    {
      needed: [],
      options: {},
      parse: () => ({ command: 'list' }),
      format: (accounts: readonly Account[]) => formatTable(accountColumns, accounts.map(toRow)),
    },
  ],
  [
    'account disable',
    {
      needed: ['NAME'],
      options: {},
      parse: ([name]) => ({ command: 'disable', name }),
      format: ({ name }: Account) => [`Disabled ${name}.`],
    },
  ],
  [
    'account enable',
    {
      needed: ['NAME'],
      options: {},
      parse: ([name]) => ({ command: 'enable', name }),
      format: ({ name }: Account) => [`Enabled ${name}.`],
    },
  ],
  [
    'account role',
    {
      needed: ['NAME'],
      options: { ...options.rights, ...options.repository },
      parse: ([name], values) => ({
        command: 'role',
        name,
        ...rightsOptions(values),
      }),
      format: ({ name, role, restrictedTo, repository }: Account) => {
        const of = repository === undefined ? '' : ` of the repository ${repository}`
        return restrictedTo.length > 0
          ? [`${name} is ${role} of ${restrictedTo.join(', ')}${of}.`]
          : [`${name} is ${role}.`]
      },
    },
  ],
  [
    'account password',
    {
      needed: ['NAME'],
      options: options.password,
      parse: async ([name], values, stdin) => ({
        command: 'password',
        name,
        password: await readPassword(stdin, values),
      }),
      format: ({ name }: Account) => [`Changed the password of ${name}, and ended all sessions.`],
    },
  ],
  [
    'token add',
    {
      needed: ['NAME'],
      options: { ...options.rights, ...options.token },
      parse: ([name], values) => ({
        command: 'add-token',
        name,
        ...tokenOptions(values),
      }),
      format: ({ account, info, token }: AddedToken) => [
        `Added the token ${info.label} of ${account.name}. It is shown this once:`,
        token,
      ],
    },
  ],
  [
    'token list',
    {
      needed: ['NAME'],
      options: {},
      parse: ([name]) => ({ command: 'tokens', name }),
      format: (tokens: readonly TokenInfo[]) => formatTable(tokenColumns, tokens.map(toTokenRow)),
    },
  ],
  [
    'token revoke',
    {
      needed: ['NAME'],
      further: 1,
      options: {},
      parse: ([name, label]) => ({ command: 'revoke', name, label }),
      format: ({ name }: Account, { label }) => [describeRevocation(name, label)],
    },
  ],
])

async function parseAdd(
  [name]: readonly string[],
  values: OptionValues,
  stdin: NodeJS.ReadableStream,
): Promise<ControlRequest> {
  return {
    command: 'add',
    name,
    ...rightsOptions(values),
    password: await readPassword(stdin, values),
  }
}

// An empty `--only` stays an empty name, which is refused. If it were dropped, an empty variable in
// a script would give the editor all resources.
function rightsOptions({ role, only, repository }: OptionValues) {
  if (typeof role !== 'string') throw usageError('--role is missing.')
  return {
    role,
    only: splitList(only),
    ...(typeof repository === 'string' ? { repository } : {}),
  }
}

const splitList = (only: OptionValues[string]): readonly string[] =>
  [only ?? []].flat().flatMap((list) => String(list).split(','))

function tokenOptions({ label, role, only, expires }: OptionValues) {
  if (typeof label !== 'string') throw usageError('--label is missing.')
  return {
    label,
    role: typeof role === 'string' ? role : undefined,
    only: splitList(only),
    days: expires === undefined ? undefined : parseDays(String(expires)),
  }
}

function parseDays(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  if (days === undefined) throw usageError('--expires takes a number of days, like 90d.')
  return Number(days)
}

function describeRevocation(name: string, label: unknown): string {
  if (typeof label !== 'string')
    return `Revoked all tokens of ${name}; the next login gives another.`
  const next = label === loginLabel ? '; the next login gives another' : ''
  return `Revoked the token ${label} of ${name}${next}.`
}

async function readPassword(
  stdin: NodeJS.ReadableStream,
  { 'password-stdin': isGiven }: OptionValues,
): Promise<string> {
  if (isGiven !== true)
    throw usageError(
      '--password-stdin is missing: the password is read from standard input, because other users can see the command line.',
    )
  try {
    return await readLine(stdin, maxPasswordBytes)
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error
    throw usageError(`The password cannot be used: ${error.message}.`, { cause: error })
  } finally {
    // Pausing is not enough: a pipe that its writer keeps open would keep this process running.
    if (stdin instanceof Readable) stdin.destroy()
  }
}

// In bytes: the longest password has 4096 UTF-16 units of at most three bytes each.
const maxPasswordBytes = 16 * 1024

const accountColumns = ['NAME', 'ROLE', 'ONLY', 'STATE', 'CREATED', 'LAST USED']

const tokenColumns = ['LABEL', 'ENDS IN', 'ROLE', 'ONLY', 'CREATED', 'LAST USED', 'EXPIRES']

function toRow({
  name,
  role,
  restrictedTo,
  repository,
  disabled,
  created,
  lastUsed,
}: Account): readonly string[] {
  const state = disabled ? 'disabled' : 'active'
  const only = restrictedTo.join(',') + (repository === undefined ? '' : ` of ${repository}`)
  return [name, role, only || '-', state, created, lastUsed ?? 'never']
}

const toTokenRow = (token: TokenInfo): readonly string[] => [
  token.label,
  token.lastFour,
  token.role ?? '-',
  token.restrictedTo.join(',') || '-',
  token.created,
  token.lastUsed ?? 'never',
  token.expires ?? 'never',
]
