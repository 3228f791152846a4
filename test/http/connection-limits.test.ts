// Tests the limits of one connection: pipelined requests, clients that read nothing, and the number of
// connections.

import { once } from 'node:events'
import { type RequestListener, type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket, type TcpNetConnectOpts, connect } from 'node:net'
import { Writable, pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { expect } from 'chai'

import { type ConnectionLimits, limitConnections } from '../../src/http/connection-limits.js'

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const lastRequest = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

describe('the limits of a connection', () => {
  let server: Server
  const sockets: Socket[] = []

  async function start(listener: RequestListener, limits: Partial<ConnectionLimits> = {}) {
    server = createServer()
    const defaults = { writeTimeoutMs: 60_000, maxConnections: 100, lingerMs: 60_000 }
    limitConnections(server, listener, { ...defaults, ...limits })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    server.closeAllConnections()
    server.close()
  })

  async function open(options: Partial<TcpNetConnectOpts> = {}): Promise<Socket> {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', ...options })
    socket.on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  async function readAll(socket: Socket): Promise<string> {
    let text = ''
    for await (const chunk of socket.setEncoding('latin1')) text += chunk as string
    return text
  }

  it('let pipelined requests be handled one after the other, in their order', async () => {
    let [running, most, count] = [0, 0, 0]
    await start((_, response) => {
      running += 1
      most = Math.max(most, running)
      count += 1
      const body = `number ${count};`
      setTimeout(() => {
        running -= 1
        response.end(body)
      }, 1)
    })
    const socket = await open()
    socket.write(request.repeat(99) + lastRequest)
    const numbers = [...(await readAll(socket)).matchAll(/number (\d+);/g)].map(([, n]) =>
      Number(n),
    )
    expect(numbers).to.deep.equal(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(most).to.equal(1)
  })

  it('answer pipelined requests with bodies that are not read', async () => {
    await start((_, response) => void response.end('done;'))
    const socket = await open()
    const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`
    socket.write(post.repeat(20) + lastRequest)
    expect((await readAll(socket)).match(/done;/g)).to.have.length(21)
  })

  // The listener for the end of the response read `request.socket`, which was null, and the process ended.
  it('answer a request that was destroyed before its answer was sent', async () => {
    const full = () => new Writable({ write: (_chunk, _encoding, done) => done(new Error('full')) })
    await start((request, response) => {
      pipeline(request, full(), () => {
        response.statusCode = 507
        response.end('full;')
      })
    })
    const socket = await open()
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nhalf`)
    expect(await readAll(socket)).to.match(/^HTTP\/1\.1 507 [^]*full;$/)
  })

  // The connection was reset, and whether the client read the answer depended on who was faster.
  it('let a client read the last answer while it still sends', async () => {
    await start((request, response) => {
      request.once('data', () => {
        response.writeHead(413, { connection: 'close' })
        response.end('too large;')
      })
    })
    const socket = await open({ allowHalfOpen: true })
    let answer = ''
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()))
    const ended = once(socket, 'end')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    // More than the system keeps for somebody who does not read.
    for (let sent = 0; sent < 400; sent += 1) if (!socket.write(chunk)) await once(socket, 'drain')
    await ended
    expect(answer).to.include('too large;')
  })

  it('do not wait for long for a client that sends on', async () => {
    await start(
      (request, response) => {
        request.once('data', () => response.writeHead(413, { connection: 'close' }).end())
      },
      { lingerMs: 1 },
    )
    const socket = await open()
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    const closed = once(socket, 'close')
    const sending = setInterval(() => socket.write('1\r\nx\r\n'), 1)
    socket.resume()
    await closed
    clearInterval(sending)
  })

  it('stop reading a connection while its requests wait', async () => {
    let socketOfServer: Socket | undefined
    await start(({ socket }) => (socketOfServer = socket))
    const socket = await open()
    socket.write(request.repeat(200_000))
    await delay(500)
    expect(socketOfServer?.bytesRead).to.be.within(1, 300_000)
  })

  it('disconnect a client that reads nothing of its response', async () => {
    await start((_, response) => void response.end(Buffer.alloc(50_000_000)), {
      writeTimeoutMs: 300,
    })
    const socket = (await open()).pause()
    const closed = once(server, 'connection-closed')
    server.once('timeout', () => setImmediate(() => server.emit('connection-closed')))
    socket.write(request)
    await closed
    const count = await new Promise<number>((resolve, reject) =>
      server.getConnections((error, number) => (error ? reject(error) : resolve(number))),
    )
    expect(count).to.equal(0)
  })

  it('wait for a response that takes longer than the write timeout to begin', async () => {
    await start((_, response) => void setTimeout(() => response.end('late'), 800), {
      writeTimeoutMs: 200,
    })
    const socket = await open()
    socket.write(lastRequest)
    expect(await readAll(socket)).to.include('late')
  })

  it('close connections beyond the greatest number', async () => {
    await start((_, response) => void response.end(), { maxConnections: 2 })
    const [, , third] = [await open(), await open(), await open()]
    if (!third.closed) await once(third, 'close')
    expect(third.closed).to.equal(true)
  })
})
