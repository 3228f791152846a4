// Sends requests as raw bytes, for tests of what an HTTP client library would not send, and reads
// headers that hold a list.

import { connect } from 'node:net'

export type RawAnswer = {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends these lines as the head of a request on a new connection, with `Connection: close`. */
export async function sendRaw(url: string, head: readonly string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => {
      socket.write([...head, 'Connection: close', '', ''].join('\r\n'))
    })
    // Without this timeout, an answer that never ends would keep the service from stopping.
    socket.setTimeout(300_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
  return parseAnswer(bytes.toString('utf8'))
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end)
  const rest = text.slice(end + 4)
  const chunked = /^transfer-encoding: *chunked/im.test(head)
  return { status: Number(head.split(' ')[1]), head, body: chunked ? unchunk(rest) : rest }
}

/** Decodes the chunked transfer coding, as far as answers in ASCII need it. */
function unchunk(text: string): string {
  const [size] = text.split('\r\n', 1)
  const length = parseInt(size ?? '', 16)
  if (!length || size === undefined) return ''
  const start = size.length + 2
  return text.slice(start, start + length) + unchunk(text.slice(start + length + 2))
}

/** The URLs of a Link header by their relation. */
export function links(headers: Headers): ReadonlyMap<string, string> {
  const matches = (headers.get('link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?([a-z]+)"?/g)
  return new Map([...matches].map(([, target, relation]) => [relation ?? '', target ?? '']))
}

/** The relations of a Link header in alphabetical order, without those to other formats and descriptions. */
export const pageLinks = (headers: Headers): string[] =>
  [...links(headers).keys()]
    .filter((relation) => relation !== 'alternate' && relation !== 'describedby')
    .sort()

/** The names in a header that holds a list, such as Allow or Vary, in lower case. */
export const namesIn = (header: string | null) =>
  (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
