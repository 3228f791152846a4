// SIGTERM while much is under way.

import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  Agent,
  createServer,
  request,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'
import sharp from 'sharp'

import { agent, zine } from '../examples.js'
import { type Environment, serve, tokenAt, withDirectory } from '../process.js'
import { type Client, clientAt, settingsOf } from './client.js'
import { openAccount } from './writers.js'

describe('SIGTERM', () => {
  it('under load finishes running requests, loses no acknowledged write, and exits with 0', () =>
    withDirectory(async (directory) => {
      const env = settingsOf(directory)
      const account = openAccount()
      const service = await serve(env)
      const client = await clientAt(service.url)
      await client.prepare()
      const load = Promise.allSettled(
        Array.from({ length: 16 }, (_, writer) => account.run(client, `w${writer}`)),
      )
      while (account.acknowledged() < 100) await sleep(10)

      // Under way for sure: half of each body was sent.
      const connections = new Agent({ keepAlive: true })
      const token = await tokenAt(service.url)
      const late = Array.from({ length: 8 }, (_, number) =>
        halfSent(service.url, token, connections, agent(`late-${number}`)),
      )
      for (const { taken } of late) await taken
      const ending = service.end('SIGTERM')
      await refusing(service.url)
      for (const { finish } of late) finish()
      for (const { answered } of late) {
        const [response] = (await answered) as [IncomingMessage]
        expect(response.statusCode).to.equal(201)
        // Or the client would send the next one to nobody.
        expect(response.headers.connection).to.equal('close')
        response.resume()
      }
      const { code, out } = await ending
      expect(code).to.equal(0)
      // Clients that keep their connections busy do not hold it to the limit.
      expect(out).not.to.include('cut off')
      connections.destroy()
      for (const outcome of await load)
        if (outcome.status === 'rejected' && !(outcome.reason instanceof TypeError))
          throw outcome.reason

      const again = await serve(env)
      const after = await clientAt(again.url)
      for (let number = 0; number < late.length; number += 1)
        expect((await after.get(`/api/agents/late-${number}/`)).status).to.equal(200)
      await account.check(after)
      expect((await again.end('SIGTERM')).code).to.equal(0)
    }))

  it('is not delayed for long by a client that never finishes its request', () =>
    withDirectory(async (directory) => {
      const service = await serve(settingsOf(directory))
      const token = await tokenAt(service.url)
      const { answered, taken } = halfSent(service.url, token, new Agent(), agent('never'))
      const cut = answered.then(
        () => 'answered',
        () => 'cut off',
      )
      await taken
      const { code, out } = await service.end('SIGTERM')
      expect(code).to.equal(0)
      expect(out).to.include('cut off at the end: 1')
      expect(await cut).to.equal('cut off')
    }))

  describe('ends with 0 during', () => {
    /** Begins work in a service, stops it while the work goes on, and starts it again. */
    async function stopDuring(
      env: Environment,
      begin: (client: Client) => Promise<unknown>,
      check: (client: Client) => Promise<void> = () => Promise.resolve(),
    ): Promise<void> {
      await withDirectory(async (directory) => {
        const settings = { ...settingsOf(directory), ...env }
        const service = await serve(settings)
        const client = await clientAt(service.url)
        await client.prepare()
        await begin(client)
        const { code, out } = await service.end('SIGTERM')
        expect(code, out).to.equal(0)
        expect(out).not.to.match(/"level":(?:50|60)/)
        const again = await serve(settings)
        await check(await clientAt(again.url))
        expect((await again.end('SIGTERM')).code).to.equal(0)
      })
    }

    /** An address that answers each request in this way, and tells of the first. */
    async function listen(listener: RequestListener) {
      const server = createServer(listener).listen(0, '127.0.0.1')
      after(() => server.closeAllConnections())
      after(() => server.close())
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      return { host: `127.0.0.1:${port}`, asked: once(server, 'request') }
    }

    const send = ({ url, token }: Client, path: string, body: RequestInit['body'], type: string) =>
      fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Token ${token}`, 'content-type': type },
        ...(body ? { body } : {}),
      })

    const linesOf = (count: number, more: object = {}): string =>
      Array.from({ length: count }, (_, number) =>
        JSON.stringify({ op: 'create', kind: 'zines', body: zine(`zine-${number}`, more) }),
      ).join('\n')

    // It went on for eight minutes.
    it('a harvest whose source asks to wait', async () => {
      const source = await listen((_, response) => {
        response.writeHead(503, { 'retry-after': '299' }).end()
      })
      let id = ''
      await stopDuring(
        { IMPORT_HOSTS: source.host },
        async ({ ask }) => {
          const address = { url: `http://${source.host}/oai` }
          const { status, body } = await ask('POST', '/api/imports/', address)
          expect(status).to.equal(201)
          ;({ id } = body)
          await source.asked
        },
        async ({ get }) => {
          expect((await get(`/api/imports/${id}/`)).body).to.include({
            state: 'failed',
            message: 'The service ended meanwhile.',
          })
        },
      )
    })

    it('the reading of a file', async () => {
      const row = 'A title,Somebody,1994,feminism\n'
      let id = ''
      await stopDuring(
        {},
        async (client) => {
          const file = `Title,Author,Year,Tags\n${row.repeat(400_000)}`
          const begun = await send(client, '/api/imports/', file, 'text/csv')
          ;({ id } = (await begun.json()) as { id: string })
        },
        async ({ get }) => {
          expect((await get(`/api/imports/${id}/`)).body.state).to.be.oneOf(['failed', 'open'])
        },
      )
    })

    it('a batch, of which all or nothing is written', () => {
      const id = randomUUID()
      let answer: Promise<Response>
      return stopDuring(
        {},
        async (client) => {
          answer = send(client, `/api/batches/?id=${id}`, linesOf(10_000), 'application/x-ndjson')
          // Under way, or written.
          while ((await client.get(`/api/batches/${id}/`)).status === 404) await sleep(5)
        },
        async ({ get }) => {
          const { status } = await answer
          expect(status).to.be.oneOf([200, 503])
          expect((await get('/api/zines/')).body.count).to.equal(status === 200 ? 10_000 : 0)
        },
      )
    })

    it('an export that nobody reads', () =>
      stopDuring({}, async (client) => {
        // More than the system keeps for a reader.
        const lines = linesOf(100, { abstract: randomBytes(70_000).toString('hex') })
        const written = await send(client, '/api/batches/', lines, 'application/x-ndjson')
        expect(written.status, await written.clone().text()).to.equal(200)
        await written.text()
        const sent = request(`${client.url}/api/export/zines/?format=jsonl`, { agent: new Agent() })
        sent.on('error', () => undefined)
        const [response] = (await once(sent.end(), 'response')) as [IncomingMessage]
        response.on('error', () => undefined)
        expect(response.statusCode).to.equal(200)
      }))

    it('a long SPARQL query', async () => {
      let answer: Promise<Response> | undefined
      await stopDuring({ SPARQL_WORKERS: '1', SPARQL_TIMEOUT: '600' }, async (client) => {
        const ask = (query: string) =>
          fetch(`${client.url}/sparql?${new URLSearchParams({ query }).toString()}`)
        while ((await ask('ASK {}')).status !== 200) await sleep(50)
        answer = ask('SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }')
        const metrics = async (): Promise<string> => (await fetch(`${client.url}/metrics`)).text()
        while (!(await metrics()).includes('workers{state="busy"} 1')) await sleep(5)
      })
      expect((await answer)?.status).to.equal(503)
    })

    it('the processing of a picture', () =>
      stopDuring({}, async (client) => {
        expect((await client.post('zines', zine('zine'))).status).to.equal(201)
        const noise = { raw: { width: 3000, height: 3000, channels: 3 } } as const
        const image = await sharp(randomBytes(27_000_000), noise).jpeg({ quality: 60 }).toBuffer()
        const form = new FormData()
        form.set('file', new Blob([new Uint8Array(image)]))
        void fetch(`${client.url}/api/zines/zine/pictures/`, {
          method: 'POST',
          headers: { authorization: `Token ${client.token}` },
          body: form,
        }).catch(() => undefined)
        await sleep(100)
      }))

    it('a delivery to a webhook that does not answer', async () => {
      const receiver = await listen(() => undefined)
      await stopDuring({ WEBHOOKS: 'on', WEBHOOK_HOSTS: receiver.host }, async (client) => {
        const webhook = { url: `http://${receiver.host}/` }
        expect((await client.ask('POST', '/api/webhooks/', webhook)).status).to.equal(201)
        expect((await client.post('zines', zine('zine'))).status).to.equal(201)
        await receiver.asked
      })
    })
  })
})

/** A POST of which half the body was sent; the service says when it has taken it. */
function halfSent(url: string, token: string, connections: Agent, record: object) {
  const body = JSON.stringify(record)
  const sent: ClientRequest = request(`${url}/api/agents/`, {
    method: 'POST',
    agent: connections,
    headers: {
      authorization: `Token ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  })
  sent.write(body.slice(0, 9))
  return {
    taken: once(sent, 'continue'),
    answered: once(sent, 'response'),
    finish: () => sent.end(body.slice(9)),
  }
}

/** Waits until nobody can connect any more. */
async function refusing(url: string): Promise<void> {
  for (;;) {
    const sent = request(`${url}/healthz`, { agent: new Agent() }).end()
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).to.be.oneOf(['ECONNREFUSED', 'ECONNRESET'])
      return
    }
  }
}
