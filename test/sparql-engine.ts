// A SPARQL 1.1 endpoint for tests: a small server with its own Oxigraph store. It supports
// form-encoded queries and direct updates, and can be made to fail.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { Store as Oxigraph } from 'oxigraph'

export type Asked = {
  readonly kind: 'query' | 'update'
  readonly text: string
  /** The format that is asked for. */
  readonly accept: string
}

/**
 * What becomes of a request: `serve` does it; whoever does not call it, or only then answers, is a
 * fault.
 */
export type Fault = (
  asked: Asked,
  response: ServerResponse,
  serve: () => void,
) => void | Promise<void>

export type TestEndpoint = Awaited<ReturnType<typeof startEndpoint>>

export type Lock = {
  readonly scheme: 'Basic' | 'Digest'
  readonly user: string
  readonly password: string
}

export async function startEndpoint(lock?: Lock) {
  const oxigraph = new Oxigraph()
  const asked: Asked[] = []
  let fault: Fault | undefined
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (lock && !opens(lock, request)) {
      response.writeHead(401, { 'www-authenticate': challenges[lock.scheme] }).end('Who is there?')
      return
    }
    const { accept = '' } = request.headers
    const isUpdate = request.headers['content-type']?.startsWith('application/sparql-update')
    const one: Asked = isUpdate
      ? { kind: 'update', text: body, accept }
      : { kind: 'query', text: new URLSearchParams(body).get('query') ?? '', accept }
    asked.push(one)
    const serve = (): void => {
      try {
        serveTo(response, one)
      } catch (error) {
        response.writeHead(400).end((error as Error).message)
      }
    }
    if (fault) await fault(one, response, serve)
    else serve()
  }

  function serveTo(response: ServerResponse, one: Asked): void {
    if (one.kind === 'update') {
      oxigraph.update(one.text)
      if (!response.headersSent) response.writeHead(204).end()
      return
    }
    const results = oxigraph.query(one.text, { results_format: one.accept }) as string
    if (!response.headersSent) response.writeHead(200, { 'content-type': one.accept }).end(results)
  }

  return {
    url: `http://127.0.0.1:${port}/sparql`,
    oxigraph,
    /** What was asked since it was started, in order. */
    asked,
    /** From now on; nothing sets it right again. */
    failWith(how: Fault | undefined): void {
      fault = how
    },
    async stop(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    /** Listens again where it did, with what it had. */
    async restart(): Promise<void> {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

const nonce = 'a nonce'
const realm = 'engine'

const challenges = {
  Basic: `Basic realm="${realm}"`,
  Digest: `Digest realm="${realm}", nonce="${nonce}", qop="auth", algorithm=MD5, opaque="o"`,
}

function opens(
  { scheme, user, password }: Lock,
  { headers, method = '', url = '' }: IncomingMessage,
) {
  const authorization = headers.authorization ?? ''
  if (scheme === 'Basic')
    return authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const part = (name: string) => new RegExp(`${name}="?([^",]*)"?`).exec(authorization)?.[1] ?? ''
  const md5 = (value: string) => createHash('md5').update(value).digest('hex')
  const secret = md5(`${user}:${realm}:${password}`)
  const right = md5(
    `${secret}:${nonce}:${part('nc')}:${part('cnonce')}:auth:${md5(`${method}:${url}`)}`,
  )
  return authorization.startsWith('Digest ') && part('response') === right
}
