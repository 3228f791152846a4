// The connections over which files are sent, for imports and as pictures: these may take longer
// than other requests.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** The paths that files are sent to. */
const uploadPath =
  /^\/(?:(?:api|manage)\/imports\/?|api\/(?:zines|holdings)\/[^/?]+\/pictures\/|manage\/(?:zines|holdings)\/pictures\/[^/?]+)(?:\?|$)/

/** @param limitMs how long an upload may take */
export function createUploads(limitMs: number) {
  const sockets = new Set<Socket>()
  return {
    /** Notes the connection of a request that may send a file, until the request is complete. */
    begin(request: IncomingMessage): void {
      const { socket, method, url = '' } = request
      if (method !== 'POST' || !uploadPath.test(url)) return
      sockets.add(socket)
      const timer = setTimeout(() => socket.destroy(), limitMs).unref()
      request.once('close', () => {
        clearTimeout(timer)
        sockets.delete(socket)
      })
    },
    has: (socket: Socket): boolean => sockets.has(socket),
  }
}
