// The command line for accounts and tokens: the usage below says what there is. It works on the data
// directory of a stopped service, and through its socket while it runs.

import { Readable } from 'node:stream'
import type { ParseArgsConfig } from 'node:util'
import { parseArgs } from 'node:util'

import { ExpectedError } from '../errors.js'
import { dataFiles } from '../config.js'
import type { Account } from '../accounts/accounts.js'
import { openAccounts } from '../accounts/accounts.js'
import type { KeyValueStore } from '../store/key-value/key-value-store.js'
import { DataDirectoryInUseError } from '../store/errors.js'
import { openKeyValueStore } from '../store/key-value/key-value-store.js'
import type { ControlRequest } from './control-socket.js'
import { askControl, runControlRequest, ControlConnectionError } from './control-socket.js'
import { LineError, readLine } from './read-line.js'

export type CommandIo = {
  readonly dataDir: string
  readonly stdin: NodeJS.ReadableStream
  print(line: string): void
}

export const accountUsage = `usage: zine-catalogue account add NAME --role admin|editor|viewer [--only zines,holdings] --password-stdin
       zine-catalogue account list
       zine-catalogue account role NAME --role admin|editor|viewer [--only zines,holdings]
       zine-catalogue account password NAME --password-stdin
       zine-catalogue account disable NAME
       zine-catalogue account enable NAME
       zine-catalogue token revoke NAME`

/** The command line cannot be read; the message says why, and how it is written. */
export class UsageError extends ExpectedError {
  constructor(wrong: string, options?: ErrorOptions) {
    super(`${wrong}\n\n${accountUsage}`, options)
  }
}

/**
 * Runs one command; `args` begin with `account` or `token`.
 * @throws UsageError, AccountRefused, ControlUnreachable, ControlFailed, KeyRefused
 */
export async function runAccountCommand(args: readonly string[], io: CommandIo): Promise<void> {
  const words = args.slice(0, 2).join(' ')
  const command = commands.get(words)
  if (!command) throw new UsageError(words ? `Unknown command: ${words}` : 'A command is missing.')
  const { positionals, values } = parse(args.slice(2), command.options)
  const request = await command.read(positionals, values, io.stdin)
  const accounts = await runLocallyOrRemotely(io.dataDir, request)
  for (const line of command.tell(accounts)) io.print(line)
}

type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

type AccountCommand = {
  readonly options: NonNullable<ParseArgsConfig['options']>
  read(
    positionals: readonly string[],
    values: OptionValues,
    stdin: NodeJS.ReadableStream,
  ): ControlRequest | Promise<ControlRequest>
  tell(accounts: readonly Account[]): readonly string[]
}

const options = {
  rights: { role: { type: 'string' }, only: { type: 'string', multiple: true } },
  password: { 'password-stdin': { type: 'boolean' } },
} as const

const commands: ReadonlyMap<string, AccountCommand> = new Map<string, AccountCommand>([
  [
    'account add',
    {
      options: { ...options.rights, ...options.password },
      read: readAdd,
      tell: (accounts) => accounts.map(({ name, role }) => `Added ${name}, ${role}.`),
    },
  ],
  [
    'account list',
    {
      options: {},
      read: (positionals) => {
        rejectExtraArguments(positionals, 0)
        return { command: 'list' }
      },
      tell: table,
    },
  ],
  [
    'account disable',
    {
      options: {},
      read: (positionals) => ({ command: 'disable', name: nameIn(positionals) }),
      tell: (accounts) => accounts.map(({ name }) => `Disabled ${name}.`),
    },
  ],
  [
    'account enable',
    {
      options: {},
      read: (positionals) => ({ command: 'enable', name: nameIn(positionals) }),
      tell: (accounts) => accounts.map(({ name }) => `Enabled ${name}.`),
    },
  ],
  [
    'account role',
    {
      options: options.rights,
      read: (positionals, values) => ({
        command: 'role',
        name: nameIn(positionals),
        ...rightsIn(values),
      }),
      tell: (accounts) =>
        accounts.map(({ name, role, only }) =>
          only.length > 0 ? `${name} is ${role} of ${only.join(', ')}.` : `${name} is ${role}.`,
        ),
    },
  ],
  [
    'account password',
    {
      options: options.password,
      read: async (positionals, values, stdin) => ({
        command: 'password',
        name: nameIn(positionals),
        password: await passwordFrom(stdin, values),
      }),
      tell: (accounts) =>
        accounts.map(({ name }) => `Changed the password of ${name}, and ended all sessions.`),
    },
  ],
  [
    'token revoke',
    {
      options: {},
      read: (positionals) => ({ command: 'revoke', name: nameIn(positionals) }),
      tell: (accounts) =>
        accounts.map(({ name }) => `Revoked the token of ${name}; the next login gives another.`),
    },
  ],
])

function parse(args: string[], options: AccountCommand['options']) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause })
  }
}

async function readAdd(
  positionals: readonly string[],
  values: OptionValues,
  stdin: NodeJS.ReadableStream,
): Promise<ControlRequest> {
  return {
    command: 'add',
    name: nameIn(positionals),
    ...rightsIn(values),
    password: await passwordFrom(stdin, values),
  }
}

// An empty `--only` stays an empty word, which is refused: were it dropped, a variable that a script
// forgot to fill would give the editor all resources.
function rightsIn({ role, only }: OptionValues) {
  if (typeof role !== 'string') throw new UsageError('--role is missing.')
  return { role, only: [only ?? []].flat().flatMap((list) => String(list).split(',')) }
}

async function passwordFrom(
  stdin: NodeJS.ReadableStream,
  { 'password-stdin': isAsked }: OptionValues,
): Promise<string> {
  if (isAsked !== true)
    throw new UsageError(
      '--password-stdin is missing: the password is read from standard input, since others can read the command line.',
    )
  try {
    return await readLine(stdin, maxPasswordLine)
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    throw new UsageError(`The password cannot be taken: ${error.message}.`, { cause: error })
  } finally {
    // Paused is not enough: a pipe that its writer holds open would hold the process too.
    if (stdin instanceof Readable) stdin.destroy()
  }
}

// The longest password, 4096 characters, takes at most three bytes for each of them.
const maxPasswordLine = 16 * 1024

function nameIn(positionals: readonly string[]): string {
  rejectExtraArguments(positionals, 1)
  const [name] = positionals
  if (name === undefined) throw new UsageError('NAME is missing.')
  return name
}

function rejectExtraArguments(positionals: readonly string[], expected: number): void {
  const extra = positionals[expected]
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`)
}

// The home is tried first: whether it can be opened tells for certain whether the service runs,
// where a socket may be left over from one that was killed.
async function runLocallyOrRemotely(
  dataDir: string,
  request: ControlRequest,
): Promise<readonly Account[]> {
  const files = dataFiles(dataDir)
  const home = await openKeyValueStore(files.home, undefined, [files.tokenKey]).catch(
    (error: unknown) => {
      if (error instanceof DataDirectoryInUseError) return undefined
      throw error
    },
  )
  return home ? runLocally(home, dataDir, request) : runInService(dataDir, request)
}

async function runLocally(
  home: KeyValueStore,
  dataDir: string,
  request: ControlRequest,
): Promise<readonly Account[]> {
  try {
    return await runControlRequest(await openAccounts(home, dataFiles(dataDir).tokenKey), request)
  } finally {
    await home.close()
  }
}

async function runInService(dataDir: string, request: ControlRequest): Promise<readonly Account[]> {
  try {
    return await askControl(dataFiles(dataDir).control, request)
  } catch (error) {
    if (!(error instanceof ControlConnectionError)) throw error
    throw new ControlConnectionError(
      `${dataDir} is in use by another process, but ${error.message}. ` +
        'A service that is starting or stopping does not answer: try again in a moment.',
      { cause: error },
    )
  }
}

function table(accounts: readonly Account[]): readonly string[] {
  const rows = [['NAME', 'ROLE', 'ONLY', 'STATE', 'CREATED', 'LAST USED'], ...accounts.map(toRow)]
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

function toRow({ name, role, only, disabled, created, lastUsed }: Account): readonly string[] {
  const state = disabled ? 'disabled' : 'active'
  return [name, role, only.join(',') || '-', state, created, lastUsed ?? 'never']
}

function width(cell: string): number {
  return Array.from(cell).length
}
