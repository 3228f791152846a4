// Workers for SPARQL that die, again and again, in all the ways that they can: whoever else asks is
// answered, and nothing of the dead is left.

import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { InvalidError, UnavailableError } from '../../src/errors.js'
import { tableFormats } from '../../src/features/sparql/result-formats.js'
import { WorkerPool } from '../../src/features/sparql/worker-pool.js'
import { createCommitListeners } from '../../src/store/commit-listeners.js'
import type { Store } from '../../src/store/store.js'
import { useCatalogue } from '../http/catalogue.js'
import { BOMB, ask } from '../features/sparql/client.js'

/** WORKER_DEATHS asks for more. */
const deaths = Number(process.env.WORKER_DEATHS ?? 8)

/** Takes more memory than a query may. */
const GLUTTON = 'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } ORDER BY ?a ?d'

describe('workers that end', function () {
  this.timeout(60_000 + deaths * 20_000)

  const graph = 'https://zines.example/graphs/public'
  const quads = Array.from(
    { length: 60 },
    (_, number) => `<https://zines.example/s> <https://zines.example/p> "${number}" <${graph}> .\n`,
  ).join('')

  /** A store of which the workers see only what their replica is made from. */
  const storeOf = (dump: Store['dump']) =>
    // The cast: a pool asks for nothing else.
    ({ dump, listeners: createCommitListeners(), size: () => 60 }) as unknown as Store

  const whole = storeOf(async function* () {
    yield await Promise.resolve(quads)
  })

  const open = (
    store: Store,
    timeout: number,
    how: { readonly maxRemoved?: number } = {},
  ): { pool: WorkerPool; reported: Error[] } => {
    const reported: Error[] = []
    const settings = {
      base: 'https://zines.example',
      graphs: [graph],
      workers: 1,
      timeout,
      limits: { rows: 50_000, bytes: 1_000_000 },
      ...how,
    }
    const pool = new WorkerPool(store, settings, (error) => reported.push(error))
    void pool.start()
    return { pool, reported }
  }

  let clients = 0
  /** Asks as a client of its own, who is gone when it has its answer. */
  async function query(pool: WorkerPool, text: string): Promise<string> {
    // Each client may use so many seconds of the workers.
    const client = `client ${(clients += 1)}`
    const gone = new AbortController()
    const question = { query: text, dataset: undefined, table: tableFormats[0], graph: undefined }
    try {
      const { bytes } = await pool.ask(question, { client, signal: gone.signal })
      return Buffer.from(bytes).toString()
    } finally {
      gone.abort()
    }
  }

  /** Asks again where a second is not enough, as on a machine with much else to do. */
  async function insist(pool: WorkerPool, text: string): Promise<string> {
    for (let time = 0; time < 10; time += 1) {
      const answer = await query(pool, text).catch((error: unknown) => error as Error)
      if (typeof answer === 'string') return answer
    }
    return query(pool, text)
  }

  /** What this process has of what workers are made of. */
  const held = () => ({
    ports: process.getActiveResourcesInfo().filter((name) => /Port|Worker/.test(name)).length,
    threads: process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0,
    files: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
  })

  it(`are replaced and leave nothing open (${deaths} times)`, async () => {
    // What the first worker of a process brings stays.
    const first = open(whole, 10)
    expect(await query(first.pool, 'ASK {}')).to.include('true')
    await first.pool.close()
    const before = held()

    const { pool } = open(whole, 1)
    for (let death = 0; death < deaths; death += 1) {
      const refused = await query(pool, death % 2 === 0 ? BOMB : GLUTTON).catch(
        (error: unknown) => error,
      )
      expect(refused).to.be.instanceOf(InvalidError)
      expect(await insist(pool, 'SELECT (COUNT(*) AS ?c) { ?s ?p ?o }')).to.include('"60"')
    }
    await pool.close()
    for (let death = 0; death < deaths; death += 1) {
      // Ended while it loads.
      await open(whole, 1).pool.close()
    }

    let after = held()
    for (let time = 0; time < 50 && after.threads > before.threads; time += 1) {
      await sleep(100)
      after = held()
    }
    expect(after.ports).to.be.at.most(before.ports)
    expect(after.threads).to.be.at.most(before.threads)
    // The test's own, such as its output, may come and go.
    expect(after.files).to.be.at.most(before.files + 3)
  })

  for (const [what, store] of [
    ['the data are malformed', storeOf(() => only('this is no N-Quads\n'))],
    ['the store cannot dump its data', storeOf(() => failing())],
  ] as const)
    it(`while they load because ${what} are reported and started again`, async () => {
      let isMended = false
      const { pool, reported } = open(
        storeOf((graphs) => (isMended ? whole : store).dump(graphs)),
        10,
      )
      while (reported.length < 2) await sleep(20)
      isMended = true
      expect(await query(pool, 'ASK {}')).to.include('true')
      await pool.close()
    })

  it('get a large commit in parts, and no query sees some of them', async () => {
    const listeners = createCommitListeners()
    const store = { ...whole, listeners } as unknown as Store
    const { pool } = open(store, 10)
    const count = 'SELECT (COUNT(*) AS ?c) { ?s ?p ?o }'
    expect(await query(pool, count)).to.include('"60"')
    const parts = Array.from({ length: 400 }, (_, part) => ({
      removed: '',
      added: Array.from(
        { length: 50 },
        (_item, number) =>
          `<https://zines.example/s> <https://zines.example/q> "${part} ${number}" <${graph}> .\n`,
      ).join(''),
    }))
    const telling = listeners.tell({ records: [], transient: parts })
    for (let number = 0; number < 20; number += 1)
      expect(await query(pool, count)).to.match(/"60"|"20060"/)
    await telling
    expect(await query(pool, count)).to.include('"20060"')
    await pool.close()
  })

  it('because their replica holds too much garbage are replaced without an interruption', async () => {
    const lines = new Set(quads.split('\n').slice(0, -1))
    const listeners = createCommitListeners()
    const listening = new Set<unknown>()
    const store = {
      ...storeOf(async function* () {
        yield await Promise.resolve([...lines].map((line) => `${line}\n`).join(''))
      }),
      listeners: {
        ...listeners,
        add(...[place, listener]: Parameters<typeof listeners.add>) {
          listening.add(listener)
          const stop = listeners.add(place, listener)
          return () => {
            listening.delete(listener)
            stop()
          }
        },
      },
    }
    const { pool, reported } = open(store, 10, { maxRemoved: 20 })
    const count = 'SELECT (COUNT(*) AS ?c) { ?s ?p ?o }'
    expect(await query(pool, count)).to.include('"60"')
    for (let number = 0; number < 200; number += 1) {
      const [removed = ''] = lines
      lines.delete(removed)
      const added = removed.replace(/"[^"]*"/, `"new ${number}"`)
      lines.add(added)
      const part = { removed: `${removed}\n`, added: `${added}\n` }
      await listeners.tell({ records: [], transient: [part] })
      expect(await query(pool, `ASK { ?s ?p "new ${number}" }`)).to.include('true')
      expect(await query(pool, count)).to.include('"60"')
    }
    expect(pool.workers().ended).to.be.above(0)
    const { free, busy } = pool.workers()
    expect(free + busy).to.be.within(1, 2)
    expect(reported).to.deep.equal([])
    await pool.close()
    expect(listening.size).to.equal(0)
  })

  it('make queries fail with UnavailableError when none is free', async () => {
    const never = storeOf(async function* () {
      await new Promise(() => undefined)
      yield ''
    })
    const { pool } = open(never, 1)
    const waiting = Array.from({ length: 32 }, () =>
      query(pool, 'ASK {}').catch((error: unknown) => error),
    )
    const refused = await query(pool, 'ASK {}').catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(UnavailableError)
    expect((refused as UnavailableError).retryAfter).to.be.above(0)
    await pool.close()
    for (const answer of await Promise.all(waiting))
      expect(answer).to.be.instanceOf(UnavailableError)
  })

  it('make queries fail with UnavailableError after a while when none has been ready yet', async () => {
    const never = storeOf(async function* () {
      await new Promise(() => undefined)
      yield ''
    })
    const { pool } = open(never, 60)
    const refused = await query(pool, 'ASK {}').catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(UnavailableError)
    expect((refused as UnavailableError).message).to.match(/still being loaded/)
    expect((refused as UnavailableError).retryAfter).to.be.above(0)
    await pool.close()
  })

  async function* only(text: string): AsyncGenerator<string> {
    yield await Promise.resolve(text)
  }

  async function* failing(): AsyncGenerator<string> {
    throw await Promise.resolve(new Error('the disk failed'))
  }
})

describe('a worker that breaks', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1', SPARQL_TIMEOUT: '10' })

  it('interrupts no response that is being sent, nor the REST API', async () => {
    const numbers = (name: string) =>
      `VALUES ?${name} { ${Array.from({ length: 200 }, (_, n) => n).join(' ')} }`
    const large = `SELECT ?a ?b (CONCAT("${'x'.repeat(100)}", STR(?a)) AS ?c) { ${numbers('a')} ${numbers('b')} }`
    const sent = request(`${service().url}/sparql?query=${encodeURIComponent(large)}`, {
      headers: { accept: 'text/csv' },
    }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(response.statusCode).to.equal(200)
    // Most of it has not been taken yet.
    response.pause()
    const bomb = ask(service(), BOMB, { token: service().tokens.viewer })
    await sleep(500)
    expect((await service().get('/api/zines/zine/')).status).to.equal(200)
    expect((await bomb).status).to.equal(400)
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string
    expect(text.trim().split('\n')).to.have.length(40_001)
    expect((await ask(service(), 'ASK {}')).status).to.equal(200)
  })
})
