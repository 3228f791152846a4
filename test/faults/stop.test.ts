// SIGTERM while much is under way.

import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { agent } from '../examples.js'
import { serve, tokenAt, withDirectory } from '../process.js'
import { clientAt, settingsOf } from './client.js'
import { openAccount } from './writers.js'

describe('SIGTERM', function () {
  this.timeout(120_000)

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
      const started = performance.now()
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
      expect((await ending).code).to.equal(0)
      // Clients that keep their connections busy do not hold it to the limit.
      expect(performance.now() - started).to.be.below(9_000)
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
      const started = performance.now()
      expect((await service.end('SIGTERM')).code).to.equal(0)
      expect(performance.now() - started).to.be.within(9_000, 20_000)
      expect(await cut).to.equal('cut off')
    }))
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
