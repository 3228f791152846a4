// HTTP as bytes, for what no well-behaved client sends, and for the headers that hold a list.

import { connect } from 'node:net'

export type RawAnswer = {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends these lines as the head of a request, on a connection of its own that it asks to close. */
export async function sendRaw(url: string, head: readonly string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => {
      socket.write([...head, 'Connection: close', '', ''].join('\r\n'))
    })
    // An answer that never ends fails the test that waits for it, and not the stopping of the service.
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
  return readAnswer(bytes.toString('utf8'))
}

function readAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end)
  const rest = text.slice(end + 4)
  const chunked = /^transfer-encoding: *chunked/im.test(head)
  return { status: Number(head.split(' ')[1]), head, body: chunked ? unchunk(rest) : rest }
}

/** Enough of the chunked coding for answers in ASCII. */
function unchunk(text: string): string {
  const [size] = text.split('\r\n', 1)
  const length = parseInt(size ?? '', 16)
  if (!length || size === undefined) return ''
  const start = size.length + 2
  return text.slice(start, start + length) + unchunk(text.slice(start + length + 2))
}

/** The targets of a Link header by their relation. */
export function links(headers: Headers): ReadonlyMap<string, string> {
  const found = (headers.get('link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?([a-z]+)"?/g)
  return new Map([...found].map(([, target, relation]) => [relation ?? '', target ?? '']))
}

/** The pages that a Link header leads to; the other formats, which every answer has, aside. */
export const pageLinks = (headers: Headers): string[] =>
  [...links(headers).keys()].filter((relation) => relation !== 'alternate').sort()

/** The names in a header that holds a list, such as Allow or Vary, in lower case. */
export const namesIn = (header: string | null) =>
  (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
