// An HTTP load generator for the benchmarks: keeps its connections, and sends as fast as responses come
// or at a fixed rate. It uses plain sockets, so that two cores are enough for it and the measured process.

import { type Socket, connect } from 'node:net'

import { quantile } from './report.js'

export type BenchRequest = {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type LoadResult = {
  readonly perSecond: number
  /** Response times, in milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly count: number
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The mean size of a response with its headers, in bytes. */
  readonly bytes: number
}

export type LoadOptions = {
  readonly clients: number
  readonly milliseconds: number
  /** At least so many requests are sent, however long they take. */
  readonly minRequests?: number
  /** No more requests are sent, however short they take. */
  readonly maxRequests?: number
  /** The rate of all clients together; without it, as fast as responses come. */
  readonly perSecond?: number
}

/** Sends requests for some time. Responses must have a Content-Length. */
export async function runLoad(
  url: string,
  next: () => BenchRequest,
  { clients, milliseconds, perSecond, minRequests = 0, maxRequests = Infinity }: LoadOptions,
): Promise<LoadResult> {
  const times: number[] = []
  const statuses: Record<string, number> = {}
  let bytes = 0
  let sentRequests = 0
  const start = performance.now()
  const end = start + milliseconds
  const intervalMs = perSecond === undefined ? 0 : (1000 * clients) / perSecond

  async function runClient(number: number): Promise<void> {
    const connection = await openConnection(url)
    // With a fixed rate, the clients do not all send at once.
    let due = start + (intervalMs * number) / clients
    while ((performance.now() < end || sentRequests < minRequests) && sentRequests < maxRequests) {
      sentRequests += 1
      if (intervalMs > 0) await sleepUntil((due += intervalMs))
      const sent = performance.now()
      const { status, length } = await connection.send(next())
      times.push(performance.now() - sent)
      statuses[status] = (statuses[status] ?? 0) + 1
      bytes += length
    }
    connection.close()
  }

  await Promise.all(Array.from({ length: clients }, (_, number) => runClient(number)))
  const seconds = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
    count: times.length,
    statuses,
    bytes: bytes / times.length,
  }
}

type BenchResponse = { readonly status: number; readonly length: number; readonly body: string }

/** One connection, which carries one request at a time. */
async function openConnection(url: string) {
  const { hostname, port, host } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let waiting: { resolve(response: BenchResponse): void; reject(error: Error): void } | undefined
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const head = received.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, head + 2))
    const status = Number(received.slice(9, 12))
    const size = head + 4 + Number(length?.[1] ?? 0)
    if (!length && status !== 204)
      waiting?.reject(new Error(`no Content-Length: ${received.slice(0, head)}`))
    if (received.length < size) return
    const response = { status, length: size, body: received.slice(head + 4, size) }
    received = received.slice(size)
    waiting?.resolve(response)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the connection was closed')))
  await new Promise<void>((resolve, reject) => {
    waiting = { resolve: () => undefined, reject }
    socket.once('connect', resolve)
  })

  return {
    send: (request: BenchRequest): Promise<BenchResponse> =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(serializeRequest(request, host))
      }),
    close() {
      waiting = undefined
      socket.destroy()
    },
  }
}

function serializeRequest(
  { method = 'GET', path, headers = {}, body }: BenchRequest,
  host: string,
): string {
  const all = {
    host,
    accept: '*/*',
    'user-agent': 'bench',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

const sleepUntil = (time: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())))
