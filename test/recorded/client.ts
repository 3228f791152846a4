// Asks the recorded service, one request after the other, and records every answer. What differs from run to run is taken
// out of answers here and nowhere else (`withoutVolatile`).

import { Agent, request as sendRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

import { BASE_URL } from '../service.js'
import { type Answer, type Recording, hashOf } from './recording.js'

/** Who asks, by the headers that say so. */
export type Client = {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Those of a browser, to which answers add. */
  readonly cookies?: Map<string, string>
}

export type Request = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export type Ask = (client: Client, path: string, request?: Request) => Promise<Answer>

/**
 * @param url the origin that answers
 * @param watcher the headers of an account that sees all imports
 */
export function createAsk(url: string, recording: Recording, watcher: Client['headers']): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let seconds = 0

  async function send(path: string, { method = 'GET', headers, body = '' }: Request) {
    const length = { host: new URL(BASE_URL).host, 'content-length': Buffer.byteLength(body) }
    const sent = sendRequest(url + path, { agent, method, headers: { ...headers, ...length } })
    const answered = new Promise<Answer>((resolve, reject) => {
      sent.on('error', reject).on('response', (response) => {
        const { statusCode: status = 0, headersDistinct } = response
        buffer(response).then(
          (bytes) => resolve(withoutVolatile({ status, headers: headersDistinct, body: bytes })),
          reject,
        )
      })
    })
    sent.end(body)
    return answered
  }

  return async function ask(client, path, request = {}) {
    const { method = 'GET' } = request
    const asked = [client.name, method, path, ...detailsOf(request)].join(' ')
    const key = recording.newKey(asked)
    const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(method)
    if (isWrite) seconds++
    const id = hashOf(key)
    const cookie = [...(client.cookies ?? [])].map((pair) => pair.join('=')).join('; ')
    const headers = {
      ...client.headers,
      ...(cookie === '' ? {} : { cookie }),
      ...request.headers,
      'x-recorded': `${seconds} ${id}`,
    }
    const answer = await send(path, { ...request, headers })
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
      client.cookies?.set(name, value)
    }
    await recording.add(key, answer)
    if (isWrite && path.includes('/imports')) await endOfImports()
    return answer
  }

  /** The work on an import goes on after the answer. */
  async function endOfImports(): Promise<void> {
    // With an identifier of its own, so that the service draws none.
    const headers = { ...watcher, 'x-request-id': 'waiting-for-imports' }
    while ((await send('/api/imports/?page_size=100', { headers })).body.includes('"progress":{'))
      await setTimeout(20)
  }
}

/** What tells requests to the same path apart: their headers, and the beginning of their bodies. */
const detailsOf = ({ headers = {}, body = '' }: Request): string[] => [
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ...(body.length === 0 ? [] : [JSON.stringify(body.toString().slice(0, 500))]),
]

/** Without the time of the answer. */
const withoutVolatile = ({ status, headers, body }: Answer): Answer => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'date')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
  body,
})
