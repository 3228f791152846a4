// A client over HTTP that keeps its connections, and can hang up in the middle of an answer.

import { Agent, type IncomingMessage, request } from 'node:http'

export type ClientResponse = {
  readonly status: number
  readonly text: string
  readonly milliseconds: number
}

export type Ask = {
  readonly method?: string
  readonly accept?: string
  readonly body?: string
  readonly anonymous?: boolean
  /** Hangs up as soon as something comes. */
  readonly leave?: boolean
}

export type Call = (path: string, ask?: Ask) => Promise<ClientResponse>

export function createClient(url: string, token: string) {
  let connections = new Agent({ keepAlive: true })

  const call: Call = (path, ask = {}) => {
    const { method = 'GET', accept, body, anonymous, leave } = ask
    const started = performance.now()
    const headers = {
      ...(accept ? { accept } : {}),
      ...(body
        ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
        : {}),
      ...(anonymous ? {} : { authorization: `Token ${token}` }),
    }
    return new Promise((done, failed) => {
      const sent = request(url + path, { method, headers, agent: connections })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // A connection that nobody used for five seconds may be closed just when somebody does.
        const isClosed = sent.reusedSocket && error.code === 'ECONNRESET'
        if (isClosed && method === 'GET' && !leave) call(path, ask).then(done, failed)
        else failed(error)
      })
      sent.once('response', (response: IncomingMessage) => {
        let text = ''
        const end = (): void =>
          done({
            status: response.statusCode ?? 0,
            text,
            milliseconds: performance.now() - started,
          })
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          if (!leave) return
          end()
          sent.destroy()
        })
        response.once('end', end)
        response.on('error', failed)
      })
      sent.end(body)
    })
  }

  return {
    call,
    /** Closes what is kept open. */
    hangUp(): void {
      connections.destroy()
      connections = new Agent({ keepAlive: true })
    },
  }
}
