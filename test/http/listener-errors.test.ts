// Tests that an exception in a listener of a connection ends this connection, and nothing else.

import { once } from 'node:events'
import { type RequestListener, type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect } from 'chai'

import { catchListenerErrors } from '../../src/http/listener-errors.js'

const fault = new Error('a fault of a listener')

const throwFault = (): never => {
  throw fault
}

describe('an exception in a listener of a connection', () => {
  let server: Server
  let errors: unknown[]

  beforeEach(() => {
    errors = []
    server = createServer()
    catchListenerErrors(server, (error) => errors.push(error))
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  async function start(listener: RequestListener): Promise<void> {
    server.on('request', (request, response) => {
      if (request.url === '/well') response.end('well')
      else listener(request, response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }

  /** Opens a connection and sends a request that has a body. */
  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write('POST /faulty HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody')
    return socket
  }

  async function expectCaught(socket: Socket): Promise<void> {
    if (!socket.closed) await once(socket.resume(), 'close')
    while (errors.length === 0) await new Promise(setImmediate)
    expect(errors).to.deep.equal([fault])
    const { port } = server.address() as AddressInfo
    expect(await (await fetch(`http://127.0.0.1:${port}/well`)).text()).to.equal('well')
  }

  const cases: Readonly<Record<string, RequestListener>> = {
    'for the request itself': throwFault,
    'for the bytes of a body': (request) => void request.on('data', throwFault),
    'for the end of a body': (request) => void request.resume().on('end', throwFault),
    'for the end of a response': (_, response) => void response.once('finish', throwFault).end(),
    'for the close of a response': (_, response) => void response.once('close', throwFault).end(),
    'for the bytes of a connection': ({ socket }, response) => {
      socket.once('timeout', throwFault)
      response.flushHeaders()
      socket.setTimeout(1)
    },
  }
  for (const [what, listener] of Object.entries(cases))
    it(`${what} ends this connection and is reported`, async () => {
      await start(listener)
      await expectCaught(await open())
    })

  it('for a response whose client is gone is reported', async () => {
    await start((_, response) => {
      response.once('close', throwFault)
      response.write('half')
    })
    const socket = await open()
    await once(socket, 'data')
    socket.destroy()
    await expectCaught(socket)
  })

  it('for bytes that are no HTTP is reported', async () => {
    server.on('clientError', throwFault)
    await start(throwFault)
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('no HTTP\r\n\r\n')
    expect(await text(socket)).to.equal('')
    await expectCaught(socket)
  })

  it('is not kept from the server where it is about no connection', () => {
    server.on('error', throwFault)
    expect(() => server.emit('error', new Error('the port is in use'))).to.throw(fault)
    expect(errors).to.deep.equal([])
  })
})
