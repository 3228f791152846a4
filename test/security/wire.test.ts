// Bytes that are not HTTP or are ambiguous, and slow clients: the server answers with an error or closes the
// connection, handles no smuggled request, and goes on answering others.

import { type Socket, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

import { expect } from 'chai'

import { agent } from '../examples.js'
import { useCatalogue } from '../http/catalogue.js'
import { sendRaw } from '../http/raw-socket.js'

const NEXT = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

describe('the server', () => {
  const { service } = useCatalogue()

  afterEach('answers the next request and has handled no smuggled one', async () => {
    expect((await service().get('/healthz')).status).to.equal(200)
    expect((await service().get('/api/agents/smuggled/')).status).to.equal(404)
  })

  const open = (): Promise<Socket> => {
    const { hostname, port } = new URL(service().url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(socket))
      socket.once('error', reject)
    })
  }

  /** The statuses of all answers on one connection, until it is closed. */
  async function statuses(bytes: string | Buffer): Promise<number[]> {
    const socket = await open()
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
      socket.setTimeout(300_000, () => socket.destroy(new Error('no answer')))
      socket.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) =>
        // A reset connection has been rejected too.
        error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(received) : reject(error),
      )
      socket.on('close', () => resolve(received))
      socket.write(bytes)
    })
    return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  const smuggled = (): string => {
    const body = JSON.stringify(agent('smuggled'))
    return `POST /api/agents/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${service().tokens.admin}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  }

  const post = (...headers: readonly string[]): string =>
    [
      'POST /api/agents/ HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      ...headers,
      '',
      '',
    ].join('\r\n')

  // prettier-ignore
  const malformed: Readonly<Record<string, () => string | Buffer>> = {
    'a length and chunks':            () => `${post('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled()}`,
    'chunks and a length':            () => `${post('Transfer-Encoding: chunked', 'Content-Length: 0')}0\r\n\r\n${smuggled()}`,
    'two lengths':                    () => `${post('Content-Length: 0', 'Content-Length: 5')}${smuggled()}`,
    'two lengths in one':             () => `${post('Content-Length: 0, 5')}${smuggled()}`,
    'a length with a sign':           () => `${post('Content-Length: +0')}${smuggled()}`,
    'a negative length':              () => `${post('Content-Length: -1')}${smuggled()}`,
    'a hexadecimal length':           () => `${post('Content-Length: 0x0')}${smuggled()}`,
    'a length of 40 digits':        () => `${post(`Content-Length: ${'9'.repeat(40)}`)}${smuggled()}`,
    'a length with a space':          () => `${post('Content-Length : 0')}${smuggled()}`,
    'an unknown transfer coding':             () => `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${smuggled()}`,
    'chunks twice':                   () => `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${smuggled()}`,
    'chunks before a colon':          () => `${post('Transfer-Encoding : chunked')}0\r\n\r\n${smuggled()}`,
    'a chunk with an invalid size':   () => `${post('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n${smuggled()}`,
    'a chunk with a negative size':   () => `${post('Transfer-Encoding: chunked')}-1\r\n{}\r\n0\r\n\r\n${smuggled()}`,
    'a chunk of a huge size':         () => `${post('Transfer-Encoding: chunked')}${'f'.repeat(40)}\r\n{}\r\n0\r\n\r\n${smuggled()}`,
    'a chunk longer than it says':    () => `${post('Transfer-Encoding: chunked')}1\r\n{}\r\n0\r\n\r\n${smuggled()}`,
    'a chunk that ends in a line feed': () => `${post('Transfer-Encoding: chunked')}2\n{}\n0\n\n${smuggled()}`,
    'a folded header':                () => `GET /api/ HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n 2\r\n\r\n${smuggled()}`,
    'a header without a name':        () => `GET /api/ HTTP/1.1\r\nHost: x\r\n: 1\r\n\r\n${smuggled()}`,
    'a header without a colon':       () => `GET /api/ HTTP/1.1\r\nHost: x\r\nX-A\r\n\r\n${smuggled()}`,
    'a header with NUL':              () => `GET /api/ HTTP/1.1\r\nHost: x\r\nX-A: 1\0\r\n\r\n${smuggled()}`,
    'a carriage return in a header':  () => `GET /api/ HTTP/1.1\r\nHost: x\r\nX-A: 1\rX-B: 2\r\n\r\n${smuggled()}`,
    'a line before the request':      () => `X: y\r\nGET /api/ HTTP/1.1\r\nHost: x\r\n\r\n${smuggled()}`,
    'HTTP/0.9':                       () => 'GET /api/\r\n\r\n',
    'HTTP/2':                         () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/9.9':                       () => 'GET /api/ HTTP/9.9\r\nHost: x\r\n\r\n',
    'an invalid method':              () => 'G@T /api/ HTTP/1.1\r\nHost: x\r\n\r\n',
    'an endless method':              () => `${'G'.repeat(100_000)} /api/ HTTP/1.1\r\nHost: x\r\n\r\n`,
    'an endless target':              () => `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'random bytes':                   () => Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 167 + 13) % 256)),
    'TLS':                            () => Buffer.from('16030100c8010000c40303', 'hex'),
    'no host':                        () => 'GET /healthz HTTP/1.1\r\n\r\n',
    'bare line feeds and a length twice': () => `POST /api/agents/ HTTP/1.1\nHost: x\nContent-Length: 0\nContent-Length: 5\n\n${smuggled()}`,
  }

  for (const [what, bytes] of Object.entries(malformed))
    it(`rejects ${what} and closes the connection`, async () => {
      for (const status of await statuses(bytes())) expect(status).to.be.within(400, 499)
    })

  // prettier-ignore
  const odd: readonly (readonly [what: string, head: string, status: number])[] = [
    ['an absolute target',            'GET http://x/healthz HTTP/1.1\r\nHost: x',           200],
    ['an absolute target elsewhere',  'GET http://evil.example/api/ HTTP/1.1\r\nHost: x',   200],
    ['an asterisk',                   'OPTIONS * HTTP/1.1\r\nHost: x',                      404],
    ['a host with a path',            'GET /api/ HTTP/1.1\r\nHost: x/y',                    400],
    ['a host with a user',            'GET /api/ HTTP/1.1\r\nHost: a@x',                    400],
    ['an empty host',                 'GET /api/ HTTP/1.1\r\nHost: ',                       400],
    ['a host with a quote',           'GET /api/ HTTP/1.1\r\nHost: x"><script>',            400],
    ['a host of another alphabet',    'GET /api/ HTTP/1.1\r\nHost: \u00e9',                 400],
    ['TRACE',                         'TRACE /api/ HTTP/1.1\r\nHost: x',                    401],
    ['an unknown expectation',   'GET /api/ HTTP/1.1\r\nHost: x\r\nExpect: magic',     417],
  ]

  for (const [what, head, status] of odd)
    it(`answers ${what} with ${status}, and then the next request`, async () => {
      expect(await statuses(Buffer.from(`${head}\r\n\r\n${NEXT}`, 'latin1'))).to.deep.equal([
        status,
        200,
      ])
    })

  it('is not a proxy for CONNECT', async () => {
    const answers = await statuses(`CONNECT evil.example:80 HTTP/1.1\r\nHost: x\r\n\r\n${NEXT}`)
    expect(answers.filter((status) => status < 400)).to.deep.equal([])
  })

  it('answers pipelined requests in their order', async () => {
    const asked = ['/healthz', '/api/nothing/', '/api/zines/zine/', '/api/zines/none/', '/healthz']
    const bytes = asked.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('') + NEXT
    expect(await statuses(bytes)).to.deep.equal([200, 404, 200, 404, 200, 200])
  })

  it('answers a thousand pipelined requests', async () => {
    const answers = await statuses('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000) + NEXT)
    expect(answers).to.have.length(1001)
    expect(new Set(answers)).to.deep.equal(new Set([200]))
  })

  it('does not take the body of a GET for a second request', async () => {
    const body = smuggled()
    const head = `GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
    expect(await statuses(head + body + NEXT)).to.deep.equal([200, 200])
  })

  it('does not take the body of a rejected request for a second request', async () => {
    const body = smuggled()
    const head = post(`Content-Length: ${Buffer.byteLength(body)}`)
    expect((await statuses(head + body + NEXT))[0]).to.equal(401)
  })

  it('handles the pipelined requests of one connection without delaying others', async () => {
    const heavy = Array.from(
      { length: 300 },
      (_, at) =>
        `GET /api/vocabularies/subjects/?format=turtle&n=${at} HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    const all = statuses(heavy.join('') + NEXT)
    await delay(50)
    let areAnswered = false
    void all.then(() => (areAnswered = true))
    expect((await service().get('/healthz')).status).to.equal(200)
    expect(areAnswered).to.equal(false)
    expect(new Set(await all)).to.deep.equal(new Set([200]))
  })

  it('keeps idle connections open for longer than 60 s', async () => {
    const { headers } = await fetch(`${service().url}/healthz`)
    expect(headers.get('keep-alive')).to.equal('timeout=65')
  })

  it('answers an unknown method with 405 in JSON', async () => {
    const { status, head, body } = await sendRaw(service().url, ['FOO /api/ HTTP/1.1', 'Host: x'])
    expect(status).to.equal(405)
    expect(head)
      .to.match(/^allow: GET, /im)
      .and.to.match(/^content-type: application\/json$/im)
    expect(JSON.parse(body)).to.deep.equal({ detail: 'Method "FOO" not allowed.' })
  })

  // prettier-ignore
  const unclear: readonly (readonly [what: string, status: number, lines: readonly string[]])[] = [
    ['two Authorization headers',         400, ['Authorization: Token a', 'Authorization: Token b']],
    ['two equal Authorization headers',   400, ['Authorization: Basic a', 'authorization: Basic a']],
    ['1,100 header lines',                431, Array<string>(1100).fill('a: b')],
    ['the transfer coding gzip, chunked', 400, ['Content-Type: application/json', 'Transfer-Encoding: gzip, chunked']],
    ['a header that is too long',         431, [`X: ${'x'.repeat(20_000)}`]],
    ['a header without a colon',          400, ['X-A']],
  ]

  for (const [what, status, lines] of unclear)
    for (const method of ['GET', 'POST'])
      it(`answers a ${method} with ${what} with ${status} in JSON`, async () => {
        const head = [`${method} /api/zines/ HTTP/1.1`, 'Host: x', ...lines]
        const answer = await sendRaw(service().url, head)
        expect(answer.status).to.equal(status)
        expect(JSON.parse(answer.body).detail).to.be.a('string')
      })

  it('answers others while two hundred clients never finish or never read', async () => {
    const sockets = await Promise.all(Array.from({ length: 200 }, open))
    try {
      for (const [at, socket] of sockets.entries()) {
        socket.on('error', () => undefined)
        // A third sends half of the headers, a third half a body, a third does not read a large response.
        if (at % 3 === 0) socket.write('GET /api/zines/ HTTP/1.1\r\nHost: x\r\nX-')
        else if (at % 3 === 1) socket.write(`${post('Content-Length: 1000')}{"agent`)
        else socket.pause().write('GET /dumps/catalogue.nt.gz HTTP/1.1\r\nHost: x\r\n\r\n')
      }
      await delay(200)
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => service().get('/api/zines/zine/')),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal(Array<number>(20).fill(200))
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})
