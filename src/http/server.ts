// Listens, lets slow clients go, and closes without leaving anybody unanswered. What is answered is
// said by others: until they are ready, that the service is starting.

import { once } from 'node:events'
import { type RequestListener, type Server, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** A server that is listening. @throws what listening does */
export async function openServer({ host, port }: { readonly host: string; readonly port: number }) {
  const server = createServer(timeouts)
  const close = createCloser(server)
  let listener: RequestListener = answerStarting
  server.on('request', (request, response) => listener(request, response))
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: urlOf(server),
    answerBy(answer: RequestListener): void {
      listener = answer
    },
    /** Finishes the requests in flight. */
    close,
  }
}

// Slow clients are let go (in milliseconds); Node's own limit for a request is five minutes.
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 }

const answerStarting: RequestListener = (request, response) => {
  const isWatching = ['/healthz', '/readyz'].includes(request.url ?? '')
  const body = isWatching ? { status: 'starting' } : { detail: 'Starting.' }
  response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1' })
  response.end(JSON.stringify(body))
}

/** Follows a server's requests, and gives what closes it once they are answered. */
function createCloser(server: Server): () => Promise<void> {
  const underWay = new Set<ServerResponse>()
  let isClosing = false

  // A client that asks again and again over one connection would not be done by itself.
  const askedLast = (response: ServerResponse): void => void (response.shouldKeepAlive = false)

  server.on('request', (_, response) => {
    underWay.add(response)
    response.once('close', () => {
      underWay.delete(response)
      if (isClosing) server.closeIdleConnections()
    })
    if (isClosing) askedLast(response)
  })

  return async () => {
    isClosing = true
    underWay.forEach(askedLast)
    const closed = once(server, 'close')
    // Node's own way for this kind of server hangs up at once on all who wait for no answer, and so on
    // those whose request has come but was not looked at. They are given a moment, and then a look.
    NetServer.prototype.close.call(server)
    await sleep(50)
    await setImmediate()
    server.close()
    // Whoever is slower than that to finish a request is cut off.
    const cut = setTimeout(() => server.closeAllConnections(), 10_000)
    await closed
    clearTimeout(cut)
  }
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
