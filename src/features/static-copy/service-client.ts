// Asks the service of which a copy is made, as a visitor without an account.

import { Agent, get } from 'node:http'

export type ServiceAnswer = {
  readonly status: number
  readonly type: string
  readonly location: string
  readonly body: Buffer
}

/** @throws Error for an answer that says that the service failed */
export type AskService = (path: string, accept: string) => Promise<ServiceAnswer>

type ServiceAddress = {
  /** Where the service answers. */
  readonly origin: string
  /** The base of its addresses and IRIs. */
  readonly base: string
  readonly language: string
  /** So many requests are open at once. */
  readonly maxSockets: number
}

export function createServiceClient({ origin, base, language, maxSockets }: ServiceAddress) {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const { host, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  const common = { host, 'accept-language': language, 'accept-encoding': 'identity' }

  const ask: AskService = (path, accept) => {
    const url = origin + (path.startsWith(`${prefix}/`) ? path : prefix + path)
    return new Promise((resolve, reject) => {
      const request = get(url, { agent, headers: { accept, ...common } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const status = response.statusCode ?? 0
          if (status >= 500) {
            reject(new Error(`${path} was answered with ${status}`))
            return
          }
          resolve({
            status,
            type: response.headers['content-type'] ?? '',
            location: response.headers.location ?? '',
            body: Buffer.concat(chunks),
          })
        })
      })
      request.on('error', reject)
    })
  }
  return { ask, close: (): void => agent.destroy() }
}
