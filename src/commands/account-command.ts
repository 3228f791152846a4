// The commands `account …`, `token …` and `webhook …`; `accountUsage` lists them. On a stopped
// service they work on the data directory, on a running one through control-socket.ts.

import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ParseArgsConfig } from 'node:util'
import { parseArgs } from 'node:util'

import { ExpectedError } from '../errors.js'
import { dataFiles } from '../config.js'
import type { Account, TokenInfo } from '../accounts/accounts.js'
import { loadInvitations } from '../accounts/invitations.js'
import { deriveSigningKey, readKey } from '../accounts/token.js'
import { loadAccounts, loginLabel } from '../accounts/accounts.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { DataDirectoryInUseError } from '../lib/key-value/errors.js'
import { loadChangeLog } from '../store/key-value/change-log.js'
import { type Webhook, loadWebhooks, webhookPurpose } from '../features/webhooks/webhooks.js'
import { openKeyValueStore } from '../lib/key-value/key-value-store.js'
import type { ControlRequest, ControlResult } from './control-socket.js'
import { sendControlRequest, runControlRequest, ControlConnectionError } from './control-socket.js'
import { readLine } from './read-line.js'
import { accountUsage } from './usage.js'

export type CommandIo = {
  readonly dataDir: string
  /**
   * The address of an invitation with a key, for a stopped service; a running one knows its own.
   */
  readonly invitationUrl: (key: string) => string
  /** The hosts that webhooks may name wherever they are. */
  readonly webhookHosts?: readonly string[]
  /** scrypt's N for new password hashes of a stopped service. */
  readonly passwordCost?: number
  readonly stdin: NodeJS.ReadableStream
  print(line: string): void
}

/** The command line is wrong; the message says why, and has the usage. */
const usageError = (reason: string, options?: ErrorOptions): ExpectedError =>
  new ExpectedError(`${reason}\n\n${accountUsage}`, options)

/**
 * Runs one command; `args` begin with `account`, `token` or `webhook`.
 * @throws ExpectedError, InvalidError, ControlConnectionError
 */
export async function runAccountCommand(args: readonly string[], io: CommandIo): Promise<void> {
  const words = args.slice(0, 2).join(' ')
  const command = commands.get(words)
  if (!command) throw usageError(words ? `Unknown command: ${words}` : 'A command is missing.')
  const { positionals, values } = parseArguments(args.slice(2), command.options)
  const request = await command.parse(positionals, values, io.stdin)
  const result = await runLocallyOrRemotely(io, request)
  for (const line of command.format(result, request)) io.print(line)
}

type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

type AccountCommand = {
  readonly options: NonNullable<ParseArgsConfig['options']>
  parse(
    positionals: readonly string[],
    values: OptionValues,
    stdin: NodeJS.ReadableStream,
  ): ControlRequest | Promise<ControlRequest>
  /** The lines to print. */
  format(result: ControlResult, request: ControlRequest): readonly string[]
}

const options = {
  rights: { role: { type: 'string' }, only: { type: 'string', multiple: true } },
  repository: { repository: { type: 'string' } },
  password: { 'password-stdin': { type: 'boolean' } },
  token: { label: { type: 'string' }, expires: { type: 'string' } },
} as const

const commands: ReadonlyMap<string, AccountCommand> = new Map<string, AccountCommand>([
  [
    'account add',
    {
      options: { ...options.rights, ...options.repository, ...options.password },
      parse: parseAdd,
      format: ({ accounts }) => accounts.map(({ name, role }) => `Added ${name}, ${role}.`),
    },
  ],
  [
    'account invite',
    {
      options: { ...options.rights, ...options.repository },
      parse: (positionals, values) => ({
        command: 'invite',
        name: nameArgument(positionals),
        ...rightsOptions(values),
      }),
      format: ({ invitation }) =>
        invitation
          ? [
              `Invited ${invitation.name}. The link works once, until ${invitation.expires}:`,
              invitation.url,
            ]
          : [],
    },
  ],
  [
    'account list',
    {
      options: {},
      parse: (positionals) => {
        rejectExtraArguments(positionals, 0)
        return { command: 'list' }
      },
      format: ({ accounts }) => formatTable(accountColumns, accounts.map(toRow)),
    },
  ],
  [
    'account disable',
    {
      options: {},
      parse: (positionals) => ({ command: 'disable', name: nameArgument(positionals) }),
      format: ({ accounts }) => accounts.map(({ name }) => `Disabled ${name}.`),
    },
  ],
  [
    'account enable',
    {
      options: {},
      parse: (positionals) => ({ command: 'enable', name: nameArgument(positionals) }),
      format: ({ accounts }) => accounts.map(({ name }) => `Enabled ${name}.`),
    },
  ],
  [
    'account role',
    {
      options: { ...options.rights, ...options.repository },
      parse: (positionals, values) => ({
        command: 'role',
        name: nameArgument(positionals),
        ...rightsOptions(values),
      }),
      format: ({ accounts }) =>
        accounts.map(({ name, role, restrictedTo, repository }) => {
          const of = repository === undefined ? '' : ` of the repository ${repository}`
          return restrictedTo.length > 0
            ? `${name} is ${role} of ${restrictedTo.join(', ')}${of}.`
            : `${name} is ${role}.`
        }),
    },
  ],
  [
    'account password',
    {
      options: options.password,
      parse: async (positionals, values, stdin) => ({
        command: 'password',
        name: nameArgument(positionals),
        password: await readPassword(stdin, values),
      }),
      format: ({ accounts }) =>
        accounts.map(({ name }) => `Changed the password of ${name}, and ended all sessions.`),
    },
  ],
  [
    'token add',
    {
      options: { ...options.rights, ...options.token },
      parse: (positionals, values) => ({
        command: 'add-token',
        name: nameArgument(positionals),
        ...tokenOptions(values),
      }),
      format: ({ accounts, tokens = [], token = '' }) => [
        ...tokens.map(
          ({ label }) =>
            `Added the token ${label} of ${accounts[0]?.name ?? ''}. It is shown this once:`,
        ),
        token,
      ],
    },
  ],
  [
    'token list',
    {
      options: {},
      parse: (positionals) => ({ command: 'tokens', name: nameArgument(positionals) }),
      format: ({ tokens = [] }) => formatTable(tokenColumns, tokens.map(toTokenRow)),
    },
  ],
  [
    'token revoke',
    {
      options: {},
      parse(positionals) {
        rejectExtraArguments(positionals, 2)
        const [, label] = positionals
        return { command: 'revoke', name: nameArgument(positionals.slice(0, 1)), label }
      },
      format: ({ accounts }, request) => {
        const label = 'label' in request ? request.label : undefined
        return accounts.map(({ name }) => describeRevocation(name, label))
      },
    },
  ],
  [
    'webhook add',
    {
      options: { kind: { type: 'string' } },
      parse(positionals, { kind }) {
        rejectExtraArguments(positionals, 2)
        const [, url] = positionals
        if (url === undefined) throw usageError('URL is missing.')
        return {
          command: 'add-webhook',
          name: nameArgument(positionals.slice(0, 1)),
          url,
          kind: typeof kind === 'string' ? kind : undefined,
        }
      },
      format: ({ webhooks = [], secret = '' }) => [
        ...webhooks.map(({ id }) => `Added the webhook ${id}. Its secret is shown this once:`),
        secret,
      ],
    },
  ],
  [
    'webhook list',
    {
      options: {},
      parse(positionals) {
        rejectExtraArguments(positionals, 1)
        return { command: 'webhooks', name: positionals[0] }
      },
      format: ({ webhooks = [] }) => formatTable(webhookColumns, webhooks.map(toWebhookRow)),
    },
  ],
  [
    'webhook enable',
    {
      options: {},
      parse: (positionals) => ({ command: 'enable-webhook', id: idArgument(positionals) }),
      format: ({ webhooks = [] }) => webhooks.map(({ id }) => `Enabled the webhook ${id}.`),
    },
  ],
  [
    'webhook remove',
    {
      options: {},
      parse: (positionals) => ({ command: 'remove-webhook', id: idArgument(positionals) }),
      format: () => ['Removed the webhook.'],
    },
  ],
])

function parseArguments(args: string[], options: AccountCommand['options']) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw usageError((cause as Error).message, { cause })
  }
}

async function parseAdd(
  positionals: readonly string[],
  values: OptionValues,
  stdin: NodeJS.ReadableStream,
): Promise<ControlRequest> {
  return {
    command: 'add',
    name: nameArgument(positionals),
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

function describeRevocation(name: string, label: string | undefined): string {
  if (label === undefined) return `Revoked all tokens of ${name}; the next login gives another.`
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

function nameArgument(positionals: readonly string[]): string {
  rejectExtraArguments(positionals, 1)
  const [name] = positionals
  if (name === undefined) throw usageError('NAME is missing.')
  return name
}

function idArgument(positionals: readonly string[]): string {
  rejectExtraArguments(positionals, 1)
  const [id] = positionals
  if (id === undefined) throw usageError('ID is missing.')
  return id
}

function rejectExtraArguments(positionals: readonly string[], expected: number): void {
  const extra = positionals[expected]
  if (extra !== undefined) throw usageError(`Unexpected argument: ${extra}`)
}

// The key-value store is tried first: whether it can be opened shows for certain whether the
// service runs, while a socket may be left over from a process that was killed.
async function runLocallyOrRemotely(
  io: CommandIo,
  request: ControlRequest,
): Promise<ControlResult> {
  const files = dataFiles(io.dataDir)
  const store = await openKeyValueStore(files.store, undefined, [files.tokenKey]).catch(
    (error: unknown) => {
      if (error instanceof DataDirectoryInUseError) return undefined
      throw error
    },
  )
  return store ? runLocally(store, io, request) : runInService(io.dataDir, request)
}

async function runLocally(
  store: KeyValueStore,
  { dataDir, invitationUrl, webhookHosts = [], ...options }: CommandIo,
  request: ControlRequest,
): Promise<ControlResult> {
  const { tokenKey } = dataFiles(dataDir)
  try {
    const accounts = await loadAccounts(store, tokenKey, options)
    const webhooks = await loadWebhooks(store, {
      // `loadAccounts` has made the key.
      signingKey: deriveSigningKey((await readKey(tokenKey)) ?? randomBytes(32), webhookPurpose),
      log: await loadChangeLog(store),
      hosts: webhookHosts,
    })
    const invitations = await loadInvitations(store, accounts)
    return await runControlRequest({ accounts, webhooks, invitations, invitationUrl }, request)
  } finally {
    await store.close()
  }
}

async function runInService(dataDir: string, request: ControlRequest): Promise<ControlResult> {
  try {
    return await sendControlRequest(dataFiles(dataDir).control, request)
  } catch (error) {
    if (!(error instanceof ControlConnectionError)) throw error
    throw new ControlConnectionError(
      `${dataDir} is in use by another process, but ${error.message}. ` +
        'A service that is starting or stopping does not respond: try again in a moment.',
      { cause: error },
    )
  }
}

const accountColumns = ['NAME', 'ROLE', 'ONLY', 'STATE', 'CREATED', 'LAST USED']

const tokenColumns = ['LABEL', 'ENDS IN', 'ROLE', 'ONLY', 'CREATED', 'LAST USED', 'EXPIRES']

function formatTable(
  columns: readonly string[],
  cells: readonly (readonly string[])[],
): readonly string[] {
  const rows = [columns, ...cells]
  const widths = rows.reduce<readonly number[]>(
    (before, row) => row.map((cell, column) => Math.max(before[column] ?? 0, width(cell))),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd(),
  )
}

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

const webhookColumns = ['ID', 'ACCOUNT', 'URL', 'KIND', 'SENT UP TO', 'STATE']

const toWebhookRow = (webhook: Webhook): readonly string[] => [
  webhook.id,
  webhook.account,
  webhook.url,
  webhook.kind ?? '-',
  String(webhook.since),
  [webhook.state, webhook.reason ?? webhook.failure?.message ?? []].flat().join(': '),
]

function width(cell: string): number {
  return Array.from(cell).length
}
