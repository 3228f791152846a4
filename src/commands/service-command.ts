// Runs a command line that works on a stopped service, in its data directory, or on a running one,
// through lib/control-socket.ts. Which command lines there are: app/service-commands.ts.

import { parseArgs } from 'node:util'

import { dataFiles } from '../config.js'
import { ExpectedError } from '../errors.js'
import type { CommandLine, CommandLines } from '../lib/command-line.js'
import {
  ControlConnectionError,
  type ControlCommands,
  type ControlRequest,
  runControlRequest,
  sendControlRequest,
} from '../lib/control-socket.js'
import { DataDirectoryInUseError } from '../lib/key-value/errors.js'
import { type KeyValueStore, openKeyValueStore } from '../lib/key-value/key-value-store.js'
import { accountUsage } from './usage.js'

export type ServiceCommandIo = {
  readonly dataDir: string
  readonly stdin: NodeJS.ReadableStream
  print(line: string): void
}

export type ServiceCommands = {
  readonly lines: CommandLines
  /** What the requests of the lines do to a stopped service. */
  readonly openRequests: (store: KeyValueStore) => Promise<ControlCommands>
}

/** The command line is wrong; the message says why, and has the usage. */
export const usageError = (reason: string, options?: ErrorOptions): ExpectedError =>
  new ExpectedError(`${reason}\n\n${accountUsage}`, options)

/**
 * Runs one command; `args` begin with its words.
 * @throws ExpectedError, InvalidError, NotFoundError, ControlConnectionError
 */
export async function runServiceCommand(
  args: readonly string[],
  io: ServiceCommandIo,
  { lines, openRequests }: ServiceCommands,
): Promise<void> {
  const words = args.slice(0, 2).join(' ')
  const line = lines.get(words)
  if (!line) throw usageError(words ? `Unknown command: ${words}` : 'A command is missing.')
  const { positionals, values } = parseArguments(args.slice(2), line)
  const request = await line.parse(positionals, values, io.stdin)
  const result = await runLocallyOrRemotely(io.dataDir, request, openRequests)
  for (const text of line.format(result, request)) io.print(text)
}

function parseArguments(args: string[], { needed, further = 0, options }: CommandLine) {
  const parsed = parseOptions(args, options)
  const { positionals } = parsed
  const extra = positionals[needed.length + further]
  if (extra !== undefined) throw usageError(`Unexpected argument: ${extra}`)
  const missing = needed[positionals.length]
  if (missing !== undefined) throw usageError(`${missing} is missing.`)
  return parsed
}

function parseOptions(args: string[], options: CommandLine['options']) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (cause) {
    throw usageError((cause as Error).message, { cause })
  }
}

// The key-value store is tried first: whether it can be opened shows for certain whether the
// service runs, while a socket may be left over from a process that was killed.
async function runLocallyOrRemotely(
  dataDir: string,
  request: ControlRequest,
  openRequests: ServiceCommands['openRequests'],
): Promise<object> {
  const files = dataFiles(dataDir)
  const store = await openKeyValueStore(files.store, undefined, [files.tokenKey]).catch(
    (error: unknown) => {
      if (error instanceof DataDirectoryInUseError) return undefined
      throw error
    },
  )
  if (!store) return runInService(dataDir, request)
  try {
    return await runControlRequest(await openRequests(store), request)
  } finally {
    await store.close()
  }
}

async function runInService(dataDir: string, request: ControlRequest): Promise<object> {
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
