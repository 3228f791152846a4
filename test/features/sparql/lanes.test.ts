// Tests that long SPARQL queries do not delay the short queries of other clients.

import { expect } from 'chai'

import { useCatalogue } from '../../http/catalogue.js'
import { BOMB, ask } from './client.js'
import { until } from '../../waiting.js'

describe('a long SPARQL query', () => {
  const { service } = useCatalogue({
    SPARQL_WORKERS: '1',
    // Longer than this test: an endless query ends only when its client leaves.
    SPARQL_TIMEOUT: '3600',
    TRUST_PROXY: 'true',
  })

  /** How many endless queries are not answered yet. */
  let running = 0

  /** Starts an endless query of a client at this address. @returns a function that disconnects it */
  function startLongQuery(address: string): () => Promise<void> {
    const disconnected = new AbortController()
    const parameters = new URLSearchParams({ query: BOMB }).toString()
    running += 1
    const response = fetch(`${service().url}/sparql?${parameters}`, {
      headers: { 'x-forwarded-for': address },
      signal: disconnected.signal,
    })
      .catch(() => undefined)
      .finally(() => (running -= 1))
    return async () => {
      disconnected.abort()
      await response
    }
  }

  /** Expects that a short query is answered while the endless ones are not. */
  async function expectQuickAnswer(): Promise<void> {
    const before = running
    const { status, text } = await ask(service(), 'ASK { ?s ?p ?o }')
    expect(status, text).to.equal(200)
    expect([before > 0, running]).to.deep.equal([true, before])
  }

  async function busyWorkers(): Promise<number> {
    const { text } = await service().get('/metrics', { token: service().tokens.admin })
    return Number(/sparql_workers\{state="busy"\} (\d+)/.exec(text)?.[1])
  }

  it('of one client does not delay a short query of another', async () => {
    const disconnect = startLongQuery('192.0.2.1')
    await until(async () => (await busyWorkers()) > 0)
    await expectQuickAnswer()
    await disconnect()
  })

  it('of each of several clients does not delay a short query of another', async () => {
    const disconnect = ['192.0.2.2', '192.0.2.3', '192.0.2.4'].map(startLongQuery)
    await sleep(1500)
    for (let time = 0; time < 2; time += 1) await expectQuickAnswer()
    await Promise.all(disconnect.map((end) => end()))
  })

  it('of a client that disconnected does not occupy a worker', async () => {
    const disconnect = startLongQuery('192.0.2.5')
    await until(async () => (await busyWorkers()) === 1)
    await disconnect()
    await until(async () => (await busyWorkers()) === 0)
  })
})

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
