// Tests that long SPARQL queries do not delay the short queries of other clients.

import { expect } from 'chai'

import { useCatalogue } from '../http/catalogue.js'
import { BOMB, ask } from './client.js'

describe('a long SPARQL query', function () {
  this.timeout(60_000)
  const { service } = useCatalogue({
    SPARQL_WORKERS: '1',
    SPARQL_TIMEOUT: '20',
    TRUST_PROXY: 'true',
  })

  /** Starts an endless query of a client at this address. @returns a function that disconnects it */
  function startLongQuery(address: string): () => Promise<void> {
    const disconnected = new AbortController()
    const parameters = new URLSearchParams({ query: BOMB }).toString()
    const response = fetch(`${service().url}/sparql?${parameters}`, {
      headers: { 'x-forwarded-for': address },
      signal: disconnected.signal,
    }).catch(() => undefined)
    return async () => {
      disconnected.abort()
      await response
    }
  }

  async function expectQuickAnswer(): Promise<void> {
    const start = performance.now()
    const { status, text } = await ask(service(), 'ASK { ?s ?p ?o }')
    expect(status, text).to.equal(200)
    expect(performance.now() - start).to.be.below(8000)
  }

  async function busyWorkers(): Promise<number> {
    const { text } = await service().get('/metrics', { token: service().tokens.admin })
    return Number(/sparql_workers\{state="busy"\} (\d+)/.exec(text)?.[1])
  }

  it('of one client does not delay a short query of another', async () => {
    const disconnect = startLongQuery('192.0.2.1')
    await sleep(300)
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
    await sleep(300)
    expect(await busyWorkers()).to.equal(1)
    await disconnect()
    let busy = 1
    for (let time = 0; time < 50 && busy > 0; time += 1) {
      await sleep(100)
      busy = await busyWorkers()
    }
    expect(busy).to.equal(0)
  })
})

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
