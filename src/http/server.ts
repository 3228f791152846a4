// Opens the HTTP server with its timeouts and limits, and closes it without dropping requests. It
// answers 503 until it is given the application of app.ts.

import { once } from 'node:events'
import { type RequestListener, type Server, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

import { message } from '../message.js'
import { limitConnections } from './connection-limits.js'
import { sendPlainError } from './plain-error-page.js'
import { type OnListenerError, catchListenerErrors } from './listener-errors.js'
import { answerParserErrors, maxHeaderSize, withFramingChecks } from './protocol-errors.js'
import { createUploads } from './uploads.js'

/**
 * Opens a server that is listening.
 * @param onError called with what a listener of a connection throws
 * @param limits other timeouts, for tests
 * @throws Error if the port cannot be opened
 */
export async function openServer(
  { host, port }: { readonly host: string; readonly port: number },
  onError: OnListenerError,
  limits: Partial<typeof timeouts> = {},
) {
  const { uploadTimeout, ...nodeTimeouts } = { ...timeouts, ...limits }
  // A request without a host is answered in protocol-errors.ts.
  const server = createServer({ ...nodeTimeouts, maxHeaderSize, requireHostHeader: false })
  catchListenerErrors(server, onError)
  const uploads = createUploads(uploadTimeout)
  const close = createCloser(server)
  let listener: RequestListener = sendStarting
  limitConnections(
    server,
    withFramingChecks((request, response) => {
      uploads.begin(request)
      listener(request, response)
    }),
  )
  answerParserErrors(server, uploads.has)
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: urlOf(server),
    /** Sets what answers requests from now on. */
    answerBy(application: RequestListener): void {
      listener = application
    },
    /** Closes once the requests in flight are answered, and gives the number of those that were not. */
    close,
  }
}

// For slow clients, in milliseconds. Node's own limit for a request is five minutes. Node checks
// the limits of headers and requests at intervals only, by default every 30 s, which would be added
// to them. Idle connections stay open longer than the 60 s of common load balancers, which would
// else send a request as they are closed.
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  uploadTimeout: 1_800_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
}

const sendStarting: RequestListener = (request, response) => {
  const isHealthCheck = ['/healthz', '/readyz'].includes(request.url ?? '')
  const body = isHealthCheck
    ? { status: 'starting' }
    : { detail: message('The service is starting. Try again soon.') }
  sendPlainError(request, response, { status: 503, body, headers: { 'Retry-After': '1' } })
}

/**
 * Requests that take longer are cut off when the service stops, so that it ends within ten seconds.
 */
const maxClosingMs = 8_000

/**
 * Tracks a server's requests, and returns the function that closes it once they are answered, and
 * gives the number of those that were cut off.
 */
function createCloser(server: Server): () => Promise<number> {
  const pendingResponses = new Set<ServerResponse>()
  let isClosing = false

  // A client that sends one request after the other over a connection would keep it open.
  const closeAfterResponse = (response: ServerResponse): void =>
    void (response.shouldKeepAlive = false)

  server.on('request', (_, response) => {
    pendingResponses.add(response)
    response.once('close', () => {
      pendingResponses.delete(response)
      if (isClosing) server.closeIdleConnections()
    })
    if (isClosing) closeAfterResponse(response)
  })

  return async () => {
    isClosing = true
    pendingResponses.forEach(closeAfterResponse)
    const closed = once(server, 'close')
    // http.Server.close() closes idle connections at once, also those whose request has arrived but
    // is not read yet. So the listening socket is closed first, and pending requests get 50 ms.
    NetServer.prototype.close.call(server)
    await sleep(50)
    await setImmediate()
    server.close()
    let cutOff = 0
    const timeout = setTimeout(() => {
      cutOff = pendingResponses.size
      server.closeAllConnections()
    }, maxClosingMs)
    await closed
    clearTimeout(timeout)
    return cutOff
  }
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
