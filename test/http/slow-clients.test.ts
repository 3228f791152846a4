// Clients that send slowly: how long the server waits for the headers and for the body.

import { once } from 'node:events'
import { connect } from 'node:net'

import { expect } from 'chai'

import { openServer } from '../../src/http/server.js'

// Shorter than those of the service, which checks connections as often.
const limits = { headersTimeout: 500, requestTimeout: 1500, uploadTimeout: 6000 }

const rethrow = (error: unknown): void => {
  throw error
}

/** Without an interval of its own for its checks, Node closes such connections up to 30 s later. */
const soonMs = 20_000

describe('a client that sends slowly', () => {
  let server: Awaited<ReturnType<typeof openServer>>

  before(async () => {
    server = await openServer({ host: '127.0.0.1', port: 0 }, rethrow, limits)
    server.answerBy((request, response) => {
      request.resume().on('end', () => response.end('complete'))
    })
  })

  after(() => server.close())

  /** Sends the text, and waits until the server closes the connection. */
  async function send(text: string): Promise<{ response: string; milliseconds: number }> {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const started = performance.now()
    let response = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (response += chunk))
    socket.on('error', () => undefined)
    socket.write(text)
    await once(socket, 'close')
    return { response, milliseconds: performance.now() - started }
  }

  const cases = [
    ['headers', 'POST / HTTP/1.1\r\nHost: x\r\n', limits.headersTimeout],
    [
      'a body',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
      limits.requestTimeout,
    ],
  ] as const
  const upload =
    'POST /api/imports/?filename=x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf'

  it('has more time for a file of an import, and not for ever', async () => {
    const { milliseconds } = await send(upload)
    expect(milliseconds).to.be.within(limits.uploadTimeout, limits.uploadTimeout + soonMs)
  })

  for (const [what, text, limit] of cases)
    it(`is disconnected soon after the time limit for ${what}`, async () => {
      const { response, milliseconds } = await send(text)
      expect(milliseconds).to.be.within(limit, limit + soonMs)
      expect(response).to.match(/^(?:HTTP\/1\.1 408 |$)/)
    })
})
