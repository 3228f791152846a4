// Limits what one connection may take: requests of a connection are handled one after the other, a
// client that does not read its response is disconnected, and one that still sends gets its
// response first. What is answered is left to the listener.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type WaitingRequest = readonly [request: IncomingMessage, response: ServerResponse]

type Connection = {
  /** The response that is under way; undefined if there is none. */
  current: ServerResponse | undefined
  /** Requests that were sent before the responses to earlier ones (pipelining). */
  readonly waiting: WaitingRequest[]
  /** Whether the last response was sent before its request had arrived. */
  isUnread: boolean
  /** Whether nothing more is answered. */
  isEnding: boolean
}

export type ConnectionLimits = {
  /** How long a client may read nothing of a response, in milliseconds. */
  readonly writeTimeoutMs: number
  readonly maxConnections: number
  /** How long a client may go on sending after the last response, in milliseconds. */
  readonly lingerMs: number
}

/**
 * A connection takes a file descriptor, of which the store needs some too. Where nothing else is
 * set, a process has 1,024 of them.
 */
const defaultLimits: ConnectionLimits = {
  writeTimeoutMs: 60_000,
  maxConnections: 800,
  lingerMs: 2_000,
}

/**
 * Passes the requests of a server on to a listener, those of one connection one at a time: while
 * one waits, nothing more is read from the connection. Otherwise all responses to a thousand
 * requests would be made, and kept in memory, before the first is read.
 */
export function limitConnections(
  server: Server,
  listener: RequestListener,
  { writeTimeoutMs, maxConnections, lingerMs }: ConnectionLimits = defaultLimits,
): void {
  const connections = new WeakMap<Socket, Connection>()
  server.maxConnections = maxConnections

  server.on('connection', (socket: Socket) => {
    const connection: Connection = {
      current: undefined,
      waiting: [],
      isUnread: false,
      isEnding: false,
    }
    connections.set(socket, connection)
    // Node resumes reading by itself, such as when it drops the rest of a body.
    const resume = socket.resume.bind(socket)
    socket.resume = () => (connection.waiting.length > 0 ? socket : resume())
    // Node closes a connection by this after its last response.
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => (connection.isUnread ? linger(connection, socket) : destroySoon())
  })

  server.on('request', (request, response) => {
    // Kept, since a request that was destroyed has none.
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection || connection.isEnding) return
    if (connection.current) {
      connection.waiting.push([request, response])
      socket.pause()
    } else handle(connection, socket, [request, response])
  })

  function handle(
    connection: Connection,
    socket: Socket,
    [request, response]: WaitingRequest,
  ): void {
    connection.current = response
    // The server, the log, Koa and the streams of a download listen for the end of a response.
    response.setMaxListeners(20)
    response.once('close', () => handleNext(connection, socket))
    // Before Node's own listener, which may close the connection.
    response.prependOnceListener('finish', () => {
      connection.isUnread = !request.complete
      if (!connection.isUnread) return
      request.resume()
      // The rest cannot be read, so there is no next request.
      if (request.destroyed) socket.destroySoon()
    })
    listener(request, response)
  }

  /**
   * Closes a connection when its client did. A connection that is closed while bytes of the client
   * are not read is reset, and the client may lose the response (RFC 9112, 9.6).
   */
  function linger(connection: Connection, socket: Socket): void {
    connection.isEnding = true
    socket.end()
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }

  function handleNext(connection: Connection, socket: Socket): void {
    connection.current = undefined
    const next = socket.destroyed ? undefined : connection.waiting.shift()
    if (!next) return
    if (connection.waiting.length === 0) socket.resume()
    handle(connection, socket, next)
  }

  server.timeout = writeTimeoutMs
  // Nothing was read or written for this time. A response that is still being made is waited for.
  server.on('timeout', (socket: Socket) => {
    const isWaitingForResponse = connections.get(socket)?.current !== undefined
    if (!isWaitingForResponse || socket.writableLength > 0) socket.destroy()
  })
}
