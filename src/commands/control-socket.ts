// Lets the command line work on a running service, through a Unix socket in its data directory. The
// socket has mode 600, and whoever may open it is trusted. A connection carries one request and one
// response, each a line of JSON; the response to a backup request is the bytes of the backup.

import { once } from 'node:events'
import { chmod, lstat, unlink } from 'node:fs/promises'
import type { Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { relative, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { ExpectedError, InvalidError, NotFoundError } from '../errors.js'
import type { Account, Accounts, NewAccount, TokenInfo } from '../accounts/accounts.js'
import type { Invitations } from '../accounts/invitations.js'
import type { Webhook, Webhooks } from '../features/webhooks/webhooks.js'
import { readLine } from './read-line.js'

/** A request of the command line, as it is sent. */
export type ControlRequest =
  | ({ readonly command: 'add'; readonly name: string; readonly password: string } & RightsFields)
  | ({ readonly command: 'invite'; readonly name: string } & RightsFields)
  | { readonly command: 'list' }
  | { readonly command: 'disable' | 'enable' | 'tokens'; readonly name: string }
  | { readonly command: 'revoke'; readonly name: string; readonly label?: string | undefined }
  | {
      readonly command: 'add-token'
      readonly name: string
      readonly label: string
      readonly role?: string | undefined
      readonly only: readonly string[]
      readonly days?: number | undefined
    }
  | ({ readonly command: 'role'; readonly name: string } & RightsFields)
  | { readonly command: 'password'; readonly name: string; readonly password: string }
  | {
      readonly command: 'add-webhook'
      readonly name: string
      readonly url: string
      readonly kind?: string | undefined
    }
  | { readonly command: 'webhooks'; readonly name?: string | undefined }
  | { readonly command: 'enable-webhook' | 'remove-webhook'; readonly id: string }

type RightsFields = {
  readonly role: string
  readonly only: readonly string[]
  readonly repository?: string | undefined
}

/** What a request is answered with. */
export type ControlResult = {
  /** The accounts that it is about. */
  readonly accounts: readonly Account[]
  /** The tokens of the account, or the one that was added. */
  readonly tokens?: readonly TokenInfo[]
  /** The token that was added. */
  readonly token?: string
  readonly invitation?: { readonly name: string; readonly expires: string; readonly url: string }
  readonly webhooks?: readonly Webhook[]
  /** The secret of the webhook that was added. */
  readonly secret?: string
}

/** What requests are about. */
export type ControlTargets = {
  readonly accounts: Accounts
  readonly webhooks: Webhooks
  readonly invitations: Invitations
  /** The address of an invitation with this key. */
  readonly invitationUrl: (key: string) => string
}

/** There is no socket, or no process listens on it. Nothing was done. */
export class ControlConnectionError extends ExpectedError {}

/**
 * Runs the request.
 * @throws InvalidError, NotFoundError
 */
export async function runControlRequest(
  targets: ControlTargets,
  request: ControlRequest,
): Promise<ControlResult> {
  return commandOf(request)(targets, request)
}

/**
 * Serves requests on the socket until it is closed. The caller holds the lock of the data directory
 * from before until after, so an existing socket was left by a process that is dead.
 * @param onError called with every error except those that say why a request is refused
 * @param backUp gives the bytes of a backup
 * @throws ControlConnectionError when the path is too long for a socket
 */
export async function serveControl(
  path: string,
  targets: ControlTargets,
  onError: (error: Error) => void = (error) => process.emitWarning(error),
  backUp?: () => Readable,
): Promise<{ close(): Promise<void> }> {
  const address = socketAddress(path)
  const connections = new Set<Socket>()
  const replies = new Set<Promise<void>>()
  let isClosing = false
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    handleConnection(socket).catch((error: unknown) => {
      onError(error as Error)
      socket.destroy()
    })
  })

  async function handleConnection(socket: Socket): Promise<void> {
    // An error means that the client is gone; there is nobody to respond to, and `close` follows.
    socket.on('error', () => undefined)
    socket.setTimeout(timeoutMs, () => socket.destroy())
    const line = await readLine(socket, maxRequestLength).catch((error: unknown) => error as Error)
    // After closing no work begins, because the key-value store is closed next.
    if (isClosing || socket.destroyed) return
    if (backUp && line === backupRequest) {
      await sendBackup(socket, backUp())
      return
    }
    const reply = sendReply(socket, line)
    replies.add(reply)
    await reply
    replies.delete(reply)
  }

  // A service that stops does not wait for its end: the client sees that the backup is incomplete.
  async function sendBackup(socket: Socket, bytes: Readable): Promise<void> {
    socket.resume()
    await pipeline(bytes, socket).catch(unlessClientIsGone(onError))
  }

  async function sendReply(socket: Socket, line: string | Error): Promise<void> {
    // Hashing a password waits for its turn, which can take longer than this timeout.
    socket.setTimeout(0)
    const response = await respondTo(line)
    socket.setTimeout(timeoutMs)
    // Further bytes are read and ignored: closing a socket with unread bytes resets the connection,
    // and the response would be lost.
    socket.resume()
    await new Promise<void>((resolve) => socket.end(`${JSON.stringify(response)}\n`, resolve))
  }

  async function respondTo(line: string | Error): Promise<ControlResponse> {
    try {
      if (line instanceof Error) throw line
      // The cast: runControlRequest checks every field that it uses.
      return await runControlRequest(targets, JSON.parse(line) as ControlRequest)
    } catch (error) {
      if (refusals.some((kind) => error instanceof kind))
        return { refused: (error as Error).message }
      const failure = error instanceof Error ? error : new Error(String(error))
      onError(failure)
      return { failed: failure.message }
    }
  }

  await removeSocket(address)
  await listen(server, address)
  server.on('error', onError)
  await chmod(address, 0o600)

  return {
    /** Responds to the requests received so far, then removes the socket. */
    async close() {
      isClosing = true
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all(replies)
      for (const socket of connections) socket.destroy()
      await closed
    },
  }
}

/**
 * Sends the request to the service that listens on the socket.
 * @throws InvalidError, ControlConnectionError, ExpectedError
 */
export async function sendControlRequest(
  path: string,
  request: ControlRequest,
): Promise<ControlResult> {
  const socket = await connectTo(path)
  try {
    socket.write(`${JSON.stringify(request)}\n`)
    return resultIn(await readResponse(socket))
  } finally {
    socket.destroy()
  }
}

/**
 * Requests a backup from the service that listens on the socket. The bytes end early when it stops.
 * @throws ControlConnectionError
 */
export async function requestBackup(path: string): Promise<Readable> {
  const socket = await connectTo(path)
  socket.write(`${backupRequest}\n`)
  return socket
}

const backupRequest = '{"command":"backup"}'

/** Leaves out the errors that only say that the client has closed the connection. */
const unlessClientIsGone =
  (onError: (error: Error) => void) =>
  (error: NodeJS.ErrnoException): void => {
    const isGone = /^(?:EPIPE|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/.test(error.code ?? '')
    if (!isGone) onError(error)
  }

type ControlResponse = ControlResult | { readonly refused: string } | { readonly failed: string }

type ControlFields = Readonly<Record<string, unknown>>

type ControlCommand = (
  targets: ControlTargets,
  fields: ControlFields,
) => ControlResult | Promise<ControlResult>

/** The errors that say why a request is refused. */
const refusals = [InvalidError, NotFoundError]

/** A command whose result is the account that it is about. */
const aboutOne =
  (run: (accounts: Accounts, fields: ControlFields) => Promise<Account>): ControlCommand =>
  async ({ accounts }, fields) => ({ accounts: [await run(accounts, fields)] })

// Enough for a password of 4096 characters, each of them escaped, and the other fields.
const maxRequestLength = 128 * 1024
const maxResponseLength = 64 * 1024 * 1024
const timeoutMs = 60_000

// `sun_path` has 108 bytes on Linux and 104 elsewhere, the last of them a NUL. libuv truncates
// longer paths without an error, so the socket would be somewhere else.
const maxSocketPathLength = process.platform === 'linux' ? 107 : 103

const commands: ReadonlyMap<unknown, ControlCommand> = new Map<unknown, ControlCommand>([
  ['add', aboutOne((accounts, fields) => accounts.add(newAccount(fields)))],
  ['list', ({ accounts }) => ({ accounts: accounts.list() })],
  ['disable', aboutOne((accounts, { name }) => accounts.disable(stringIn(name)))],
  ['enable', aboutOne((accounts, { name }) => accounts.enable(stringIn(name)))],
  [
    'role',
    aboutOne((accounts, { name, role, only, repository }) =>
      accounts.setRights(
        stringIn(name),
        stringIn(role),
        stringsIn(only),
        optional(stringIn, repository),
      ),
    ),
  ],
  [
    'password',
    aboutOne((accounts, { name, password }) =>
      accounts.setPassword(stringIn(name), stringIn(password)),
    ),
  ],
  [
    'add-token',
    async ({ accounts }, { name, label, role, only, days }) => {
      const newToken = {
        label: stringIn(label),
        role: optional(stringIn, role),
        restrictedTo: stringsIn(only),
        days: optional(numberIn, days),
      }
      const { account, token, info } = await accounts.addToken(stringIn(name), newToken)
      return { accounts: [account], tokens: [info], token }
    },
  ],
  [
    'tokens',
    ({ accounts }, { name }) => ({ accounts: [], tokens: accounts.tokensOf(stringIn(name)) }),
  ],
  [
    'revoke',
    aboutOne((accounts, { name, label }) =>
      accounts.revoke(stringIn(name), optional(stringIn, label)),
    ),
  ],
  [
    'invite',
    async ({ invitations, invitationUrl }, { name, role, only, repository }) => {
      const { invitation, key } = await invitations.invite({
        name: stringIn(name),
        role: stringIn(role),
        restrictedTo: stringsIn(only),
        repository: optional(stringIn, repository),
      })
      const { expires } = invitation
      const url = invitationUrl(key)
      return { accounts: [], invitation: { name: invitation.name, expires, url } }
    },
  ],
  [
    'add-webhook',
    async ({ accounts, webhooks }, { name, url, kind }) => {
      const account = accounts.find(stringIn(name))
      if (!account) throw new InvalidError(`There is no account named "${stringIn(name)}".`)
      const webhook = await webhooks.add({
        account: account.name,
        url: stringIn(url),
        kind: optional(stringIn, kind),
      })
      return { accounts: [], webhooks: [webhook], secret: webhooks.secretOf(webhook.id) }
    },
  ],
  [
    'webhooks',
    ({ webhooks }, { name }) => ({
      accounts: [],
      webhooks: webhooks.list(optional(stringIn, name)),
    }),
  ],
  [
    'enable-webhook',
    async ({ webhooks }, { id }) => ({
      accounts: [],
      webhooks: [await webhooks.enable(stringIn(id))],
    }),
  ],
  [
    'remove-webhook',
    async ({ webhooks }, { id }) => {
      await webhooks.remove(stringIn(id))
      return { accounts: [] }
    },
  ],
])

function commandOf(request: unknown): ControlCommand {
  const command =
    typeof request === 'object' && request !== null && 'command' in request && request.command
  return commands.get(command) ?? notUnderstoodError()
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

function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(stringIn) : notUnderstoodError()
}

function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : notUnderstoodError()
}

function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : notUnderstoodError()
}

const optional = <Value>(read: (value: unknown) => Value, value: unknown): Value | undefined =>
  value === undefined ? undefined : read(value)

function notUnderstoodError(): never {
  throw new ExpectedError('the request is not understood')
}

function socketAddress(path: string): string {
  const absolute = resolve(path)
  const shortEnough = [absolute, relative(process.cwd(), absolute)].find(fits)
  if (shortEnough !== undefined) return shortEnough
  throw new ControlConnectionError(
    `${absolute} is too long for a socket: its path may have ${maxSocketPathLength} bytes. ` +
      'Use a data directory with a shorter path, or run the command from a directory nearer to it.',
  )
}

function fits(address: string): boolean {
  return Buffer.byteLength(address) <= maxSocketPathLength
}

// Only a socket is removed. If a file of another kind has that name, listening fails.
async function removeSocket(address: string): Promise<void> {
  try {
    if ((await lstat(address)).isSocket()) await unlink(address)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

// The socket is made inside `listen`, before it returns. The umask protects it from the first
// moment; a chmod alone would come later. Not 0o177, since this process could not open directories
// that another of its threads makes at this moment.
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
    throw new ControlConnectionError(`no process listens on ${path} (${code})`, { cause })
  }
  // Later errors show as a response that does not arrive.
  socket.on('error', () => undefined)
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no response in time')))
  return socket
}

async function readResponse(socket: Socket): Promise<ControlResponse> {
  try {
    // A cast: the other end is this program.
    return JSON.parse(await readLine(socket, maxResponseLength)) as ControlResponse
  } catch (cause) {
    throw new ExpectedError(
      'The service did not respond. Run `account list` to see whether the change was made.',
      { cause },
    )
  }
}

function resultIn(response: ControlResponse): ControlResult {
  if ('accounts' in response) return response
  if ('refused' in response) throw new InvalidError(response.refused)
  throw new ExpectedError(`The service could not do it: ${response.failed}.`)
}
