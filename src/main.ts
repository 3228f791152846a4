#!/usr/bin/env node
// The program `zine-catalogue`: chooses the command and loads its file. Only this file reads the
// environment, the arguments and the signals.

import { ExpectedError } from './errors.js'
import type { Command, CommandContext } from './app/commands/command.js'
import { usage } from './commands/usage.js'

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['serve', async (context) => (await import('./app/commands/serve.js')).serve(context)],
  ['load', async (context) => (await import('./app/commands/load.js')).load(context)],
  ['account', (context) => manageAccounts('account', context)],
  ['token', (context) => manageAccounts('token', context)],
  ['webhook', (context) => manageAccounts('webhook', context)],
  [
    'import',
    async (context) => (await import('./app/commands/import.js')).runImportCommand(context),
  ],
  ['publish', async (context) => (await import('./app/commands/publish.js')).publishCopy(context)],
  ['rebase', async (context) => (await import('./app/commands/offline.js')).rebase(context)],
  ['rebuild', async (context) => (await import('./app/commands/offline.js')).rebuild(context)],
  ['backup', async (context) => (await import('./app/commands/backup.js')).makeBackup(context)],
  ['restore', async (context) => (await import('./app/commands/backup.js')).restoreBackup(context)],
  [
    'remove-upgrade-backup',
    async (context) => (await import('./app/commands/offline.js')).removeUpgradeBackup(context),
  ],
  ['doctor', async (context) => (await import('./app/commands/doctor.js')).doctor(context)],
  ['help', help],
  ['--help', help],
])

try {
  const [name = 'serve', ...args] = process.argv.slice(2)
  const run = args.includes('--help') ? help : commands.get(name)
  if (!run) throw new ExpectedError(`Unknown command: ${name}\n\n${usage}`)
  await run(createContext(args))
} catch (error) {
  process.stderr.write(`${messageFor(error)}\n`)
  process.exitCode = 1
}

function createContext(args: readonly string[]): CommandContext {
  let stop: (() => void) | undefined
  return {
    args,
    env: process.env,
    stdin: process.stdin,
    isTerminal: process.stdout.isTTY,
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
    fail: () => void (process.exitCode = 1),
    exit: (code) => process.exit(code),
    onStop(newStop) {
      if (!stop) for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop?.())
      stop = newStop
    },
  }
}

async function manageAccounts(
  words: 'account' | 'token' | 'webhook',
  context: CommandContext,
): Promise<void> {
  const accounts = await import('./app/commands/accounts.js')
  return accounts.manageAccounts(words, context)
}

function help({ print }: CommandContext): Promise<void> {
  print(usage)
  return Promise.resolve()
}

/**
 * The message alone for errors that the person at the command line can repair; the stack for
 * others.
 */
function messageFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isExpected =
    error instanceof ExpectedError ||
    // Errors of the operating system, such as a port in use, and unknown options say all in the
    // message.
    'syscall' in error ||
    codeOf(error).startsWith('ERR_PARSE_ARGS')
  return isExpected ? error.message : (error.stack ?? error.message)
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? ''
}
