// The way from the command line into a running service: a unix socket in its data directory. Who may
// open the socket is the authentication, so its mode is 600. One connection carries one request and
// one answer, each a line of JSON; but for a backup, which is answered with its bytes.

import { once } from 'node:events'
import { chmod, lstat, unlink } from 'node:fs/promises'
import type { Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { relative, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { ExpectedError } from '../errors.js'
import type { Account, Accounts, NewAccount } from '../accounts/accounts.js'
import { AccountError } from '../accounts/accounts.js'
import { readLine } from './read-line.js'

/** What the command line asks for. */
export type ControlRequest =
  | ({ readonly command: 'add' } & NewAccount)
  | { readonly command: 'list' }
  | { readonly command: 'disable' | 'enable' | 'revoke'; readonly name: string }
  | ({ readonly command: 'role' } & Pick<NewAccount, 'name' | 'role' | 'only'>)
  | ({ readonly command: 'password' } & Pick<NewAccount, 'name' | 'password'>)

/** No socket can be there, or nobody answers at it: nothing was done. */
export class ControlConnectionError extends ExpectedError {}

/** The service was asked and could not do it, or it is not known whether it did. */
export class ControlRequestError extends ExpectedError {}

/**
 * Does what is asked, and answers with the accounts it was about.
 * @throws AccountRefused
 */
export async function runControlRequest(
  accounts: Accounts,
  request: ControlRequest,
): Promise<readonly Account[]> {
  return commandOf(request)(accounts, request)
}

/**
 * Takes requests at the socket until it is closed. The caller holds the lock of the data directory,
 * before and until after: a socket that is there already was left by a process that is dead.
 * `failed` is told whatever goes wrong here, but not of accounts that were refused; `backUp` gives the
 * bytes of a backup.
 * @throws ControlUnreachable when the path is too long for a socket
 */
export async function serveControl(
  path: string,
  accounts: Accounts,
  failed: (error: Error) => void = (error) => process.emitWarning(error),
  backUp?: () => Readable,
): Promise<{ close(): Promise<void> }> {
  const address = socketAddress(path)
  const open = new Set<Socket>()
  const working = new Set<Promise<void>>()
  let closing = false
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    void take(socket)
  })

  async function take(socket: Socket): Promise<void> {
    // An error here means that who asked has gone; there is nobody to tell, and `close` follows.
    socket.on('error', () => undefined)
    socket.setTimeout(timeoutMs, () => socket.destroy())
    const line = await readLine(socket, maxRequestLength).catch((error: unknown) => error as Error)
    // What has not begun when the socket is closed is not begun: the home is closed next.
    if (closing || socket.destroyed) return
    if (backUp && line === backupRequest) {
      await send(socket, backUp())
      return
    }
    const work = reply(socket, line)
    working.add(work)
    await work
    working.delete(work)
  }

  // Nobody waits for its end where the service stops: whoever asked sees that it is not whole.
  async function send(socket: Socket, bytes: Readable): Promise<void> {
    socket.resume()
    await pipeline(bytes, socket).catch(unlessGone(failed))
  }

  async function reply(socket: Socket, line: string | Error): Promise<void> {
    // Hashing a password waits for its turn, which can be longer than one waits for a client.
    socket.setTimeout(0)
    const answer = await answerTo(line)
    socket.setTimeout(timeoutMs)
    // What else was sent is read and ignored: closing over it would reset the connection, and the
    // answer would be lost.
    socket.resume()
    await new Promise<void>((done) => socket.end(`${JSON.stringify(answer)}\n`, done))
  }

  async function answerTo(line: string | Error): Promise<ControlResponse> {
    try {
      if (line instanceof Error) throw line
      // carryOut looks at what it is given before it trusts it.
      return { accounts: await runControlRequest(accounts, JSON.parse(line) as ControlRequest) }
    } catch (error) {
      if (error instanceof AccountError) return { refused: error.message }
      const failure = error instanceof Error ? error : new Error(String(error))
      failed(failure)
      return { failed: failure.message }
    }
  }

  await removeSocket(address)
  await listen(server, address)
  server.on('error', failed)
  await chmod(address, 0o600)

  return {
    /** Answers what was asked so far, then removes the socket. */
    async close() {
      closing = true
      const closed = new Promise((done) => server.close(done))
      await Promise.all(working)
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/**
 * Asks the service that listens at the socket.
 * @throws AccountRefused, ControlUnreachable, ControlFailed
 */
export async function askControl(
  path: string,
  request: ControlRequest,
): Promise<readonly Account[]> {
  const socket = await connectTo(path)
  try {
    socket.write(`${JSON.stringify(request)}\n`)
    return accountsIn(await answerFrom(socket))
  } finally {
    socket.destroy()
  }
}

/**
 * Asks the service that listens at the socket for a backup: its bytes, which end early when it stops.
 * @throws ControlUnreachable
 */
export async function askBackup(path: string): Promise<Readable> {
  const socket = await connectTo(path)
  socket.write(`${backupRequest}\n`)
  return socket
}

const backupRequest = '{"command":"backup"}'

/** That whoever asked has gone is nothing to be told. */
const unlessGone =
  (failed: (error: Error) => void) =>
  (error: NodeJS.ErrnoException): void => {
    const isGone = /^(?:EPIPE|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/.test(error.code ?? '')
    if (!isGone) failed(error)
  }

type ControlResponse =
  | { readonly accounts: readonly Account[] }
  | { readonly refused: string }
  | { readonly failed: string }

type ControlFields = Readonly<Record<string, unknown>>

type ControlCommand = (accounts: Accounts, fields: ControlFields) => Promise<readonly Account[]>

// A password of 4096 characters, every one of them escaped, and all the rest.
const maxRequestLength = 128 * 1024
const maxResponseLength = 64 * 1024 * 1024
const timeoutMs = 60_000

// `sun_path` has 108 bytes on Linux and 104 elsewhere, the last of them a NUL. What is longer is cut
// off by libuv without a word, so the socket would be somewhere else.
const maxSocketPathLength = process.platform === 'linux' ? 107 : 103

const commands: ReadonlyMap<unknown, ControlCommand> = new Map<unknown, ControlCommand>([
  ['add', async (accounts, fields) => [await accounts.add(newAccount(fields))]],
  ['list', (accounts) => Promise.resolve(accounts.list())],
  ['disable', async (accounts, { name }) => [await accounts.disable(stringIn(name))]],
  ['enable', async (accounts, { name }) => [await accounts.enable(stringIn(name))]],
  [
    'role',
    async (accounts, { name, role, only }) => [
      await accounts.setRights(stringIn(name), stringIn(role), stringsIn(only)),
    ],
  ],
  [
    'password',
    async (accounts, { name, password }) => [
      await accounts.setPassword(stringIn(name), stringIn(password)),
    ],
  ],
  ['revoke', async (accounts, { name }) => [await accounts.revoke(stringIn(name))]],
])

function commandOf(request: unknown): ControlCommand {
  const command =
    typeof request === 'object' && request !== null && 'command' in request && request.command
  return commands.get(command) ?? notUnderstoodError()
}

function newAccount({ name, password, role, only }: ControlFields): NewAccount {
  return {
    name: stringIn(name),
    password: stringIn(password),
    role: stringIn(role),
    only: stringsIn(only),
  }
}

function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(stringIn) : notUnderstoodError()
}

function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : notUnderstoodError()
}

function notUnderstoodError(): never {
  throw new ControlRequestError('the request is not understood')
}

function socketAddress(path: string): string {
  const absolute = resolve(path)
  const fitting = [absolute, relative(process.cwd(), absolute)].find(fits)
  if (fitting !== undefined) return fitting
  throw new ControlConnectionError(
    `${absolute} is too long for a socket: its path may have ${maxSocketPathLength} bytes. ` +
      'Take a shorter data directory, or work from a directory nearer to it.',
  )
}

function fits(address: string): boolean {
  return Buffer.byteLength(address) <= maxSocketPathLength
}

// Only a socket is removed: anything else of that name is not ours, and listening will say so.
async function removeSocket(address: string): Promise<void> {
  try {
    if ((await lstat(address)).isSocket()) await unlink(address)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

// The socket is made inside `listen`, before it returns. The umask keeps it from others from its
// first moment, where a chmod alone would come after it. Not 0o177: directories that another thread
// makes in this moment would be closed to ourselves.
async function listen(server: Server, address: string): Promise<void> {
  const listening = once(server, 'listening')
  const umask = process.umask(0o077)
  try {
    server.listen(address)
  } finally {
    process.umask(umask)
  }
  await listening
}

async function connectTo(path: string): Promise<Socket> {
  const socket = connect(socketAddress(path))
  try {
    await once(socket, 'connect')
  } catch (cause) {
    const { code = 'an unknown reason' } = cause as NodeJS.ErrnoException
    throw new ControlConnectionError(`nobody answers at ${path} (${code})`, { cause })
  }
  // What breaks from here on is told by the answer that does not come.
  socket.on('error', () => undefined)
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer in time')))
  return socket
}

async function answerFrom(socket: Socket): Promise<ControlResponse> {
  try {
    // A cast, for at the other end is this program.
    return JSON.parse(await readLine(socket, maxResponseLength)) as ControlResponse
  } catch (cause) {
    throw new ControlRequestError(
      'The service did not answer: `account list` tells whether it did what was asked.',
      { cause },
    )
  }
}

function accountsIn(answer: ControlResponse): readonly Account[] {
  if ('accounts' in answer) return answer.accounts
  if ('refused' in answer) throw new AccountError(answer.refused)
  throw new ControlRequestError(`The service could not do it: ${answer.failed}.`)
}
