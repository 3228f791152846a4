// The last net under the listeners of a connection: an exception that one of them throws ends this
// connection and is reported. Node would end the process.

import type { EventEmitter } from 'node:events'
import { IncomingMessage, type Server } from 'node:http'
import { Socket } from 'node:net'

/** Called with an exception of a listener. */
export type OnListenerError = (error: unknown) => void

/**
 * To be called before other listeners are added, since it also guards each connection and each
 * request.
 */
export function catchListenerErrors(server: Server, onError: OnListenerError): void {
  const end = (socket: Socket, error: unknown): void => {
    onError(error)
    socket.destroy()
  }
  guard(server, (args, error) => {
    const socket = socketIn(args)
    // An error of the server itself, such as a port in use.
    if (!socket) throw error
    end(socket, error)
  })
  server.on('connection', (socket: Socket) => guard(socket, (_, error) => end(socket, error)))
  server.on('request', (request, response) => {
    const { socket } = request
    for (const emitter of [request, response]) guard(emitter, (_, error) => end(socket, error))
  })
}

/** Passes on what listeners of events throw. Node calls all of them through `emit`. */
function guard(emitter: EventEmitter, onThrown: (args: unknown[], error: unknown) => void): void {
  const emit = emitter.emit.bind(emitter)
  emitter.emit = (name: string | symbol, ...args: unknown[]) => {
    try {
      return emit(name, ...args)
    } catch (error) {
      onThrown(args, error)
      return true
    }
  }
}

/** The connection that an event of the server is about. */
function socketIn(args: readonly unknown[]): Socket | undefined {
  for (const value of args) {
    if (value instanceof Socket) return value
    if (value instanceof IncomingMessage) return value.socket
  }
  return undefined
}
