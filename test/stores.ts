// Chooses the store of the tests' services: the embedded one, or what TEST_STORE says. `endpoint`
// is a SPARQL endpoint in this process. The URL of an engine (with TEST_STORE_USER and
// TEST_STORE_PASSWORD) is shared by all services; since they have the same base URL, each gets its
// own graphs by a rewriting proxy.

import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { startEndpoint } from './sparql-engine.js'

type Settings = Readonly<Record<string, string>>

const { TEST_STORE, TEST_STORE_USER, TEST_STORE_PASSWORD } = process.env

/** By the data directory, so that a service that is started again finds what it left. */
const stores = new Map<string, Promise<{ readonly settings: Settings; stop(): Promise<void> }>>()

/** The settings that put a service over the store that was asked for. */
export async function storeFor(dataDir: string): Promise<Settings> {
  if (!TEST_STORE) return {}
  const store = stores.get(dataDir) ?? (TEST_STORE === 'endpoint' ? inProcess() : inEngine())
  stores.set(dataDir, store)
  return (await store).settings
}

if (TEST_STORE)
  after(async () => {
    for (const store of stores.values()) await (await store).stop()
  })

async function inProcess() {
  const endpoint = await startEndpoint()
  return { settings: { STORE: endpoint.url }, stop: () => endpoint.stop() }
}

/**
 * The base that all services have, and what stands in its place in the engine: as long as it is.
 */
const base = 'zines.example'
let bases = 0

/** Between the service and the engine, with another base for one than for the other. */
async function inEngine() {
  const run = Math.floor(Math.random() * 36 ** 3)
  const other = `z${run.toString(36).padStart(3, '0')}x${(bases++).toString(36).padStart(3, '0')}.test`
  const server = createServer((from, to) => void pass(from, to, other))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { pathname, search } = new URL(TEST_STORE ?? '')
  return {
    settings: {
      STORE: `http://127.0.0.1:${port}${pathname}${search}`,
      ...(TEST_STORE_USER && TEST_STORE_PASSWORD
        ? { STORE_USER: TEST_STORE_USER, STORE_PASSWORD: TEST_STORE_PASSWORD }
        : {}),
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function pass(from: IncomingMessage, to: ServerResponse, other: string): Promise<void> {
  const body = Buffer.from((await text(from)).replaceAll(base, other))
  const { host, port } = new URL(TEST_STORE ?? '')
  const asked = request({
    host: host.split(':')[0],
    port,
    method: 'POST',
    path: from.url,
    headers: { ...from.headers, host, 'content-length': body.length },
  })
  asked.on('error', () => to.destroy())
  asked.on('response', (answer) => {
    void text(answer).then((words) => {
      for (const name of ['content-length', 'transfer-encoding', 'connection'])
        Reflect.deleteProperty(answer.headers, name)
      to.writeHead(answer.statusCode ?? 502, answer.headers).end(words.replaceAll(other, base))
    })
  })
  asked.end(body)
}
