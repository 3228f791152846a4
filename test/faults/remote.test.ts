// A store elsewhere that is slow, refuses, answers half or not at all: the client is told the
// truth, and what was begun is brought to its end, one or the other.

import { expect } from 'chai'
import { Store as Oxigraph } from 'oxigraph'

import { agent, holding, repository, zine } from '../examples.js'
import { type Asked, type Fault, type TestEndpoint, startEndpoint } from '../sparql-engine.js'
import {
  type Answer,
  BASE_URL,
  type TestService,
  startReaderProcess,
  startService,
} from '../service.js'
import { unique } from '../http/catalogue.js'

/** What an engine does to one update, and whether it then has it. */
const faults: Readonly<Record<string, Fault>> = {
  'rejects with 400': (_, response) => void response.writeHead(400).end('no'),
  'fails with 500': (_, response) => void response.writeHead(500).end('no'),
  'executes and answers 500': (_, response, serve) => {
    response.writeHead(500).end('no')
    serve()
  },
  'closes the connection': (_, response) => void response.destroy(),
  'executes and closes the connection': (_, response, serve) => {
    response.destroy()
    serve()
  },
  'executes and sends half of the response': (_, response, serve) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    serve()
  },
  'never responds': () => undefined,
  'executes and never responds': (_, response, serve) => {
    response.writeHead = () => response
    response.end = () => response
    serve()
  },
  'is behind a proxy that answers 504': (_, response) => void response.writeHead(504).end(),
  'executes behind a proxy that answers 504': (_, response, serve) => {
    response.writeHead(504).end()
    serve()
  },
}

type Act = {
  readonly what: string
  /** Makes what it needs, and tells what then has to be whole. */
  readonly given: (service: TestService) => Promise<readonly string[]>
  readonly write: (service: TestService, paths: readonly string[]) => Promise<Answer>
}

const cascade: Act = {
  what: 'a cascade',
  async given(service) {
    const id = unique('zine')
    await service.post('/api/zines/', zine(id))
    const holdings = [unique('holding'), unique('holding'), unique('holding')]
    for (const one of holdings) await service.post('/api/holdings/', holding(one, { zine_id: id }))
    return [`/api/zines/${id}/`, ...holdings.map((one) => `/api/holdings/${one}/`)]
  },
  write: (service, [path = '']) => service.delete(path),
}

const acts: readonly Act[] = [
  {
    what: 'a create',
    given: () => Promise.resolve([`/api/zines/${unique('zine')}/`]),
    write: (service, [path = '']) =>
      service.post('/api/zines/', zine(path.split('/')[3] ?? '', { title: 'Made' })),
  },
  {
    what: 'a replace',
    async given(service) {
      const id = unique('zine')
      await service.post('/api/zines/', zine(id, { title: 'Old', abstract: 'Old' }))
      return [`/api/zines/${id}/`]
    },
    write: (service, [path = '']) =>
      service.put(path, zine(path.split('/')[3] ?? '', { title: 'New', source: ['New'] })),
  },
  cascade,
]

/** All of them for the one that has most to lose; to wait for an answer takes seconds. */
const placesOf = (how: string, what: string): readonly number[] => {
  if (what === 'a cascade') return [1, 2, 3, 4]
  return how.includes('never responds') ? [] : [3]
}

describe('a remote store', () => {
  let endpoint: TestEndpoint
  let service: TestService
  /** Answers lists by queries of the store. */
  let withoutIndex: Awaited<ReturnType<typeof startReaderProcess>>

  before(async () => {
    endpoint = await startEndpoint()
    service = await startService({ STORE: endpoint.url, STORE_TIMEOUT: '1' })
    withoutIndex = await startReaderProcess(service, { LIST_INDEX: 'off' })
    for (const id of ['maker', 'other']) await service.post('/api/agents/', agent(id))
    await service.post('/api/repositories/', repository('library'))
  })

  after(async () => {
    await withoutIndex.stop()
    await service.stop()
    await endpoint.stop()
  })

  const shownAt = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await service.get(path)).text))

  /** Waits until nothing is pending: then a write that changes nothing of these is taken. */
  async function settled(): Promise<void> {
    for (;;) {
      const { status } = await service.patch('/api/agents/other/', { biography: unique('b') })
      if (status === 200) return
      expect(status).to.equal(503)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  for (const [how, fault] of Object.entries(faults))
    for (const { what, given, write } of acts) {
      // The entries, the quads, the switch, and the first of what is then taken away.
      for (const place of placesOf(how, what))
        it(`that ${how} at update ${place} of ${what} leaves the data consistent and the client correctly informed`, async () => {
          const paths = await given(service)
          const before = await shownAt(paths)
          let updates = 0
          endpoint.failWith((asked, response, serve) =>
            asked.kind === 'update' && ++updates >= place && updates < place + 2
              ? fault(asked, response, serve)
              : serve(),
          )
          const answer = await write(service, paths)
          endpoint.failWith(undefined)
          await settled()

          const after = await shownAt(paths)
          if (answer.status < 300) expect(after).not.to.deep.equal(before)
          else {
            expect(answer.status, answer.text).to.be.oneOf([503, 504])
            expect(answer.headers.get('retry-after')).to.equal('2')
            if (answer.status === 503) {
              expect(answer.text).to.include('nothing was written')
              expect(after).to.deep.equal(before)
            } else expect(answer.text).to.include('may safely be made again')
          }
          const isNew = after.map((text, index) => text !== before[index])
          // All of a cascade, or nothing.
          expect(new Set(isNew).size).to.equal(1)
          await expectTruth(endpoint, service)

          // The same again comes to the same as if nothing had happened.
          const again = await write(service, paths)
          expect(again.status, again.text).to.be.oneOf(isNew[0] ? [200, 400, 404] : [200, 201, 204])
          await expectTruth(endpoint, service)
        })
    }

  it('that cannot be reached is reported, and nothing is written', async () => {
    await endpoint.stop()
    const id = unique('zine')
    const write = await service.post('/api/zines/', zine(id))
    const read = await withoutIndex.get('/api/zines/')
    const fromIndex = await service.get('/api/zines/')
    await endpoint.restart()
    expect([write.status, write.body]).to.deep.equal([
      503,
      { detail: 'The store did not take it; nothing was written.' },
    ])
    expect([read.status, read.body]).to.deep.equal([503, { detail: 'The store does not answer.' }])
    expect(fromIndex.status).to.equal(200)
    expect((await service.post('/api/zines/', zine(id))).status).to.equal(201)
    await expectTruth(endpoint, service)
  })

  for (const [how, fault] of Object.entries(faults))
    it(`that ${how} for a query is reported, and not taken for an empty list`, async () => {
      endpoint.failWith((asked, response, serve) =>
        asked.kind === 'query' ? fault(asked, response, serve) : serve(),
      )
      const { status, body } = await withoutIndex.get('/api/zines/?search=anything')
      endpoint.failWith(undefined)
      expect([status, body]).to.deep.equal([503, { detail: 'The store does not answer.' }])
    })

  it('that returns half of the rows is reported', async () => {
    endpoint.failWith((_, response) => {
      response.writeHead(200, { 'content-type': 'application/sparql-results+json' })
      response.end('{"head":{"vars":["s"]},"results":{"bindings":[{"s":')
    })
    const { status } = await withoutIndex.get('/api/zines/?search=anything')
    endpoint.failWith(undefined)
    expect(status).to.equal(503)
  })

  it('that is slow is waited for', async () => {
    endpoint.failWith((_, __, serve) => void setTimeout(serve, 100))
    const { status } = await service.post('/api/zines/', zine(unique('zine')))
    endpoint.failWith(undefined)
    expect(status).to.equal(201)
  })

  it('that rejects one of many simultaneous writes makes the others', async () => {
    const bad = unique('bad')
    endpoint.failWith((asked, response, serve) => {
      if (asked.kind === 'update' && asked.text.includes(bad)) response.writeHead(400).end('no')
      else serve()
    })
    const ids = [bad, ...Array.from({ length: 12 }, () => unique('zine'))]
    const answers = await Promise.all(ids.map((id) => service.post('/api/zines/', zine(id))))
    endpoint.failWith(undefined)
    expect(answers.map(({ status }) => status)).to.deep.equal([503, ...ids.slice(1).map(() => 201)])
    await expectTruth(endpoint, service)
  })

  for (const place of [1, 2, 3, 4, 5])
    it(`is made consistent by a start after the process ended at update ${place} of a cascade`, async () => {
      const first = await startService({
        STORE: endpoint.url,
        STORE_TIMEOUT: '1',
        BASE_URL: 'https://other.example',
      })
      await first.post('/api/agents/', agent('maker'))
      await first.post('/api/repositories/', repository('library'))
      const paths = await cascade.given(first)
      let updates = 0
      endpoint.failWith((asked, response, serve) => {
        // From then on it does nothing, until the process is gone.
        if (asked.kind === 'update' && ++updates >= place) response.destroy()
        else serve()
      })
      const answer = await first.delete(paths[0] ?? '')
      await first.close()
      endpoint.failWith(undefined)
      expect(answer.status).to.be.oneOf([204, 504])
      const second = await startService({ ...first.env, BASE_URL: 'https://other.example' })
      for (const path of paths) expect((await second.get(path)).status).to.equal(404)
      await expectTruth(endpoint, second, 'https://other.example')
      await second.stop()
      endpoint.oxigraph.update('CLEAR GRAPH <https://other.example/graphs/records>')
    })

  it('that lost acknowledged data is filled anew by the next start', async () => {
    const env = { BASE_URL: 'https://lost.example', STORE: endpoint.url }
    const first = await startService(env)
    await first.post('/api/agents/', agent('kept'))
    const before = endpoint.oxigraph.dump({ format: 'application/n-quads' })
    await first.post('/api/agents/', agent('lost'))
    await first.close()
    // As after a failure of its power.
    endpoint.oxigraph.update('DROP ALL')
    endpoint.oxigraph.load(before, { format: 'application/n-quads' })
    const second = await startService({ ...env, DATA_DIR: first.dataDir })
    expect((await second.get('/api/agents/')).body.count).to.equal(2)
    await expectTruth(endpoint, second, env.BASE_URL)
    await second.stop()
  })

  it('that holds another catalogue or a later state is not overwritten', async () => {
    const env = { BASE_URL: 'https://mine.example', STORE: endpoint.url }
    const mine = await startService(env)
    await mine.post('/api/agents/', agent('mine'))
    await mine.close()
    const failure = await startService(env).then(
      () => undefined,
      (error: unknown) => error as Error,
    )
    expect(failure?.message).to.include('npx zine-catalogue rebuild')
    const again = await startService({ ...env, DATA_DIR: mine.dataDir })
    expect((await again.get('/api/agents/')).body.count).to.equal(1)
    await again.stop()
  })

  it('with an incomplete commit is read without that commit', async () => {
    const reader = await startReaderProcess(service)
    const paths = await cascade.given(service)
    const before = await Promise.all(paths.map(async (path) => (await reader.get(path)).text))
    let updates = 0
    // All is put in, but what would show it.
    endpoint.failWith((asked, response, serve) => {
      if (asked.kind === 'update' && ++updates > 1) response.destroy()
      else serve()
    })
    expect((await service.delete(paths[0] ?? '')).status).to.equal(504)
    const during = await Promise.all(paths.map(async (path) => (await reader.get(path)).text))
    expect(during).to.deep.equal(before)
    endpoint.failWith(undefined)
    await settled()
    // A refused write has the reader learn of all commits.
    await reader.put('/api/nothing/', {})
    for (const path of paths) expect((await reader.get(path)).status).to.equal(404)
    await reader.stop()
  })

  it('gets no request that some engines do not support', () => {
    for (const { kind, text } of endpoint.asked) expectPlain(kind, text)
  })

  it('never holds private data', () => {
    const dump = endpoint.oxigraph.dump({ format: 'application/n-quads' })
    expect(dump).not.to.include('graphs/private')
  })
})

/** The engine has all that the service keeps to show, and nothing else. */
async function expectTruth(
  endpoint: TestEndpoint,
  service: TestService,
  base = BASE_URL,
): Promise<void> {
  const inEngine = (graph: string): string[] =>
    linesOf(endpoint.oxigraph, (line) => line.endsWith(`<${base}/graphs/${graph}> .`))
  const response = await fetch(`${service.url}/dumps/catalogue.nt.gz`)
  const zipped = new Blob([await response.arrayBuffer()]).stream()
  const dump = await new Response(zipped.pipeThrough(new DecompressionStream('gzip'))).text()
  const kept = new Oxigraph()
  kept.load(dump, { format: 'application/n-triples' })
  const isOfRecord = (line: string): boolean =>
    line.startsWith(`<${base}/id/`) || line.startsWith(`<${base}/api/`)
  const shown = inEngine('public').map((line) => line.replace(/ <[^<>]*> \.$/, ' .'))
  expect(shown.sort()).to.deep.equal(linesOf(kept, isOfRecord).sort())
  const entries = inEngine('records')
    .filter((line) => line.includes('#entry>') && !line.includes('#commit-'))
    .map((line) => line.slice(0, line.indexOf('>')))
  expect(new Set(entries).size).to.equal(entries.length)
  const records = shown.filter((line) => line.includes('primaryTopic>')).length
  expect(entries.filter((line) => line.includes('/graphs/records/')).length).to.equal(records)
  // Each record is in a part as long as it exists.
  expect(inEngine('records').filter((line) => line.includes('#part>')).length).to.equal(records)
}

const linesOf = (store: Oxigraph, wanted: (line: string) => boolean): string[] =>
  store
    .dump({ format: 'application/n-quads' })
    .split('\n')
    .filter((line) => wanted(line))

/** What every engine does (its quirks that we know of are in the tests of the endpoint). */
function expectPlain(kind: Asked['kind'], text: string): void {
  expect(text).not.to.match(/\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#string>/)
  expect(text).not.to.match(/_:/)
  if (kind === 'query') return
  expect(text).to.match(/^(?:INSERT DATA|DELETE DATA|CLEAR SILENT GRAPH)/)
  expect(text.split('\n').length).to.be.lessThan(504)
  expect(text.match(/\bGRAPH <[^>]*> \{\n/g)?.length ?? 1).to.equal(1)
}
