// Limits what one connection may take: requests of a connection are handled one after the other, and a
// client that does not read its response is disconnected. What is answered is left to the listener.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type WaitingRequest = readonly [request: IncomingMessage, response: ServerResponse]

type Connection = {
  /** The response that is under way; undefined if there is none. */
  current: ServerResponse | undefined
  /** Requests that were sent before the responses to earlier ones (pipelining). */
  readonly waiting: WaitingRequest[]
}

export type ConnectionLimits = {
  /** How long a client may read nothing of a response, in milliseconds. */
  readonly writeTimeoutMs: number
  readonly maxConnections: number
}

/**
 * A connection takes a file descriptor, of which the store needs some too. Where nothing else is set, a
 * process has 1,024 of them.
 */
const defaultLimits: ConnectionLimits = { writeTimeoutMs: 60_000, maxConnections: 800 }

/**
 * Passes the requests of a server on to a listener, those of one connection one at a time: while one
 * waits, nothing more is read from the connection. Otherwise all responses to a thousand requests would
 * be made, and kept in memory, before the first is read.
 */
export function limitConnections(
  server: Server,
  listener: RequestListener,
  { writeTimeoutMs, maxConnections }: ConnectionLimits = defaultLimits,
): void {
  const connections = new WeakMap<Socket, Connection>()
  server.maxConnections = maxConnections

  server.on('connection', (socket: Socket) => {
    const connection: Connection = { current: undefined, waiting: [] }
    connections.set(socket, connection)
    // Node resumes reading by itself, such as when it drops the rest of a body.
    const resume = socket.resume.bind(socket)
    socket.resume = () => (connection.waiting.length > 0 ? socket : resume())
  })

  server.on('request', (request, response) => {
    const connection = connections.get(request.socket)
    if (!connection) return
    if (connection.current) {
      connection.waiting.push([request, response])
      request.socket.pause()
    } else handle(connection, request, response)
  })

  function handle(
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    connection.current = response
    // The server, the log, Koa and the streams of a download listen for the end of a response.
    response.setMaxListeners(20)
    response.once('close', () => handleNext(connection, request.socket))
    listener(request, response)
  }

  function handleNext(connection: Connection, socket: Socket): void {
    connection.current = undefined
    const next = socket.destroyed ? undefined : connection.waiting.shift()
    if (!next) return
    if (connection.waiting.length === 0) socket.resume()
    handle(connection, ...next)
  }

  server.timeout = writeTimeoutMs
  // Nothing was read or written for this time. A response that is still being made is waited for.
  server.on('timeout', (socket: Socket) => {
    const isWaitingForResponse = connections.get(socket)?.current !== undefined
    if (!isWaitingForResponse || socket.writableLength > 0) socket.destroy()
  })
}
