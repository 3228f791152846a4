// Clients that keep their connections and ask as fast as they are answered, or at a pace. Plain sockets,
// so that two cores are enough for them and what they measure; a timing is exact to the microsecond.

import { type Socket, connect } from 'node:net'

export type Asking = {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Figures = {
  readonly perSecond: number
  /** How long an answer took, in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly count: number
  /** The number of answers of each status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The mean size of an answer with its head, in bytes. */
  readonly bytes: number
}

type Load = {
  readonly clients: number
  readonly milliseconds: number
  /** How many requests there are at least, however long they take. */
  readonly least?: number
  /** How many requests in all there are in a second; as many as are answered where it is not said. */
  readonly pace?: number
}

/** Asks for a time, and tells how it went. Answers have to say their length. */
export async function load(
  url: string,
  next: () => Asking,
  { clients, milliseconds, pace, least = 0 }: Load,
): Promise<Figures> {
  const took: number[] = []
  const statuses: Record<string, number> = {}
  let bytes = 0
  const start = performance.now()
  const end = start + milliseconds
  const between = pace === undefined ? 0 : (1000 * clients) / pace

  async function ask(number: number): Promise<void> {
    const line = await openLine(url)
    // Those who keep a pace do not all come at once.
    let due = start + (between * number) / clients
    while (performance.now() < end || took.length < least) {
      if (between > 0) await until((due += between))
      const asked = performance.now()
      const { status, length } = await line.ask(next())
      took.push(performance.now() - asked)
      statuses[status] = (statuses[status] ?? 0) + 1
      bytes += length
    }
    line.close()
  }

  await Promise.all(Array.from({ length: clients }, (_, number) => ask(number)))
  const seconds = (performance.now() - start) / 1000
  took.sort((a, b) => a - b)
  const share = (part: number): number => took[Math.ceil(took.length * part) - 1] ?? NaN
  return {
    perSecond: took.length / seconds,
    p50: share(0.5),
    p99: share(0.99),
    max: share(1),
    count: took.length,
    statuses,
    bytes: bytes / took.length,
  }
}

export type Answer = { readonly status: number; readonly length: number; readonly body: string }

/** One connection, on which one question is asked at a time. */
async function openLine(url: string) {
  const { hostname, port, host } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let waiting: { done(answer: Answer): void; failed(error: Error): void } | undefined
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
      waiting?.failed(new Error(`no length: ${received.slice(0, head)}`))
    if (received.length < size) return
    const answer = { status, length: size, body: received.slice(head + 4, size) }
    received = received.slice(size)
    waiting?.done(answer)
  })
  socket.on('error', (error) => waiting?.failed(error))
  socket.on('close', () => waiting?.failed(new Error('the connection was closed')))
  await new Promise<void>((done, failed) => {
    waiting = { done: () => undefined, failed }
    socket.once('connect', done)
  })

  return {
    ask: (asking: Asking): Promise<Answer> =>
      new Promise((done, failed) => {
        waiting = { done, failed }
        socket.write(write(asking, host))
      }),
    close() {
      waiting = undefined
      socket.destroy()
    },
  }
}

function write({ method = 'GET', path, headers = {}, body }: Asking, host: string): string {
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

const until = (time: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())))
