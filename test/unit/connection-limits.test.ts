// Tests the limits of one connection: pipelined requests, clients that read nothing, and the number of
// connections.

import { once } from 'node:events'
import { type RequestListener, type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
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
    limitConnections(server, listener, { writeTimeoutMs: 60_000, maxConnections: 100, ...limits })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    server.closeAllConnections()
    server.close()
  })

  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
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
