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
import { readLine } from './read-line.js'

/** A request, as it is sent: which command, and what the command takes. */
export type ControlRequest = ControlFields & { readonly command: string }

/** What came with a request. The command checks each field that it uses. */
export type ControlFields = Readonly<Record<string, unknown>>

/**
 * Does what a request says, and gives what JSON can have.
 * @throws InvalidError, NotFoundError when it is refused
 */
export type ControlCommand = (fields: ControlFields) => object | Promise<object>

/** By the names that requests have. */
export type ControlCommands = ReadonlyMap<string, ControlCommand>

/** There is no socket, or no process listens on it. Nothing was done. */
export class ControlConnectionError extends ExpectedError {}

/** @throws InvalidError, NotFoundError, and ExpectedError when there is no such command */
export async function runControlRequest(
  commands: ControlCommands,
  request: unknown,
): Promise<object> {
  return commandOf(commands, request)(request as ControlFields)
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
  commands: ControlCommands,
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
      return { result: await runControlRequest(commands, JSON.parse(line)) }
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
export async function sendControlRequest(path: string, request: ControlRequest): Promise<object> {
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

type ControlResponse =
  { readonly result: object } | { readonly refused: string } | { readonly failed: string }

/** The errors that say why a request is refused. */
const refusals = [InvalidError, NotFoundError]

// Enough for a password of 4096 characters, each of them escaped, and the other fields.
const maxRequestLength = 128 * 1024
const maxResponseLength = 64 * 1024 * 1024
const timeoutMs = 60_000

// `sun_path` has 108 bytes on Linux and 104 elsewhere, the last of them a NUL. libuv truncates
// longer paths without an error, so the socket would be somewhere else.
const maxSocketPathLength = process.platform === 'linux' ? 107 : 103

function commandOf(commands: ControlCommands, request: unknown): ControlCommand {
  const command =
    typeof request === 'object' && request !== null && 'command' in request && request.command
  return commands.get(String(command)) ?? notUnderstoodError()
}

export function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(stringIn) : notUnderstoodError()
}

export function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : notUnderstoodError()
}

export function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : notUnderstoodError()
}

export const optional = <Value>(
  read: (value: unknown) => Value,
  value: unknown,
): Value | undefined => (value === undefined ? undefined : read(value))

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

function resultIn(response: ControlResponse): object {
  if ('result' in response) return response.result
  if ('refused' in response) throw new InvalidError(response.refused)
  throw new ExpectedError(`The service could not do it: ${response.failed}.`)
}
