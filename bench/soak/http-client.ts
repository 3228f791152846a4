// The HTTP client of the soak test: keeps its connections, and can disconnect in the middle of a response.

import { Agent, type IncomingMessage, request } from 'node:http'

export type ClientResponse = {
  readonly status: number
  readonly text: string
  readonly milliseconds: number
}

export type RequestOptions = {
  readonly method?: string
  readonly accept?: string
  readonly body?: string
  readonly anonymous?: boolean
  /** Disconnects as soon as the first bytes arrive. */
  readonly disconnect?: boolean
}

export type Call = (path: string, options?: RequestOptions) => Promise<ClientResponse>

export function createClient(url: string, token: string) {
  let connections = new Agent({ keepAlive: true })

  const call: Call = (path, options = {}) => {
    const { method = 'GET', accept, body, anonymous, disconnect } = options
    const started = performance.now()
    const headers = {
      ...(accept ? { accept } : {}),
      ...(body
        ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
        : {}),
      ...(anonymous ? {} : { authorization: `Token ${token}` }),
    }
    return new Promise((resolve, reject) => {
      const sent = request(url + path, { method, headers, agent: connections })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The service closes connections that are idle for five seconds, perhaps just now.
        const isClosed = sent.reusedSocket && error.code === 'ECONNRESET'
        if (isClosed && method === 'GET' && !disconnect) call(path, options).then(resolve, reject)
        else reject(error)
      })
      sent.once('response', (response: IncomingMessage) => {
        let text = ''
        const end = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            milliseconds: performance.now() - started,
          })
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          if (!disconnect) return
          end()
          sent.destroy()
        })
        response.once('end', end)
        response.on('error', reject)
      })
      sent.end(body)
    })
  }

  return {
    call,
    closeConnections(): void {
      connections.destroy()
      connections = new Agent({ keepAlive: true })
    },
  }
}
