// Tests one writing and two reading processes over one remote store: clients see no difference
// between them (docs/explanation/remote-store.md, "One writer, many readers").

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../examples.js'
import { type TestEndpoint, startEndpoint } from '../sparql-engine.js'
import {
  PASSWORD,
  WITH_INDEX,
  type TestService,
  startReaderProcess,
  startService,
} from '../service.js'
import { unique } from './catalogue.js'
import { until } from '../waiting.js'

type Process = Pick<TestService, 'url' | 'ask' | 'get' | 'post' | 'put' | 'patch' | 'delete'>

describe('a writer and two readers over one store', () => {
  let endpoint: TestEndpoint | undefined
  let writer: TestService
  let readers: (Process & { stop(): Promise<void> })[]
  let all: Process[]

  before(async () => {
    endpoint = process.env.TEST_STORE ? undefined : await startEndpoint()
    writer = await startService({ TRUST_PROXY: 'true', ...(endpoint && { STORE: endpoint.url }) })
    readers = [await startReaderProcess(writer), await startReaderProcess(writer)]
    all = [writer, ...readers]
    await writer.post('/api/agents/', agent('maker'))
    await writer.post('/api/repositories/', repository('library'))
  })

  after(async () => {
    for (const reader of readers) await reader.stop()
    await writer.stop()
    await endpoint?.stop()
  })

  const first = (): Process => readers[0] as Process
  const second = (): Process => readers[1] as Process

  it('hide what is hidden, and find it for those who may write it', async () => {
    const [maker, id] = [unique('maker'), unique('zine')]
    await first().post('/api/agents/', agent(maker))
    await first().post('/api/zines/', zine(id, { creator: [maker] }))
    await first().patch(`/api/agents/${maker}/`, { visibility: 'hidden' })
    await soon(async () => {
      for (const other of all) {
        expect((await other.get(`/api/agents/${maker}/`)).status).to.equal(404)
        const { text } = await other.get(`/api/zines/${id}/`)
        expect(text).to.include('"creator":[{"agent_id":"","display_name":"","kind":""}]')
      }
    })
    for (const other of all) {
      const found = await other.get(`/api/agents/${maker}/`, { token: writer.tokens.editor })
      expect(found.body.visibility).to.equal('hidden')
    }
    if (!endpoint) return
    const query = `SELECT * WHERE { GRAPH ?g { ?s ?p ?o } FILTER(CONTAINS(STR(?o), "${maker}") || CONTAINS(STR(?s), "${maker}")) }`
    const answer = await fetch(endpoint.url, {
      method: 'POST',
      body: new URLSearchParams({ query }),
      headers: { accept: 'application/sparql-results+json' },
    })
    const { results } = (await answer.json()) as { results: { bindings: readonly unknown[] } }
    // Which records a commit wrote is noted, also of a deletion; nothing says what they were.
    expect(JSON.stringify(results.bindings)).not.to.include('Maker')
    expect(JSON.stringify(results.bindings)).not.to.include('/id/agents')
  })

  it('have the lists of editors, which the writer keeps', async () => {
    const slug = unique('list')
    const records = [{ kind: 'agents', id: 'maker' }]
    const body = { slug, title: 'Kept by the writer', public: true, records }
    expect((await first().post('/api/lists/', body)).status).to.equal(201)
    for (const { get } of all) {
      expect((await get(`/api/lists/${slug}/`, { token: null })).status).to.equal(200)
      expect((await get('/api/lists/', { token: null })).text).to.include(slug)
      expect((await get(`/api/agents/?list=${slug}`, { token: null })).body.count).to.equal(1)
    }
    expect((await first().ask('DELETE', `/api/lists/${slug}/`)).status).to.equal(204)
    const { admin: token } = writer.tokens
    for (const { get } of all)
      expect((await get('/api/deleted-lists/', { token })).text).to.include(slug)
  })

  it('show at once what was written through themselves, and soon what was written through others', async () => {
    for (const process of all) {
      const id = unique('zine')
      const made = await process.post('/api/zines/', zine(id, { title: 'Before' }))
      expect(made.status, made.text).to.equal(201)
      const byTitle = WITH_INDEX ? ['search=Before', 'q=before'] : ['search=Before']
      const byId = WITH_INDEX ? [`q=${id}`] : []
      const list = (query: string): string => `/api/zines/?${query}&page_size=100`
      const expectAll = async (check: (other: Process) => Promise<void>): Promise<void> => {
        await check(process)
        await soon(async () => {
          for (const other of all) await check(other)
        })
      }
      await expectAll(async (other) => {
        expect((await other.get(`/api/zines/${id}/`)).body).to.deep.equal(made.body)
        for (const query of [...byTitle, ...byId])
          expect((await other.get(list(query))).text).to.include(id)
      })
      const changed = await process.patch(`/api/zines/${id}/`, { title: 'After' })
      await expectAll(async (other) => {
        expect((await other.get(`/api/zines/${id}/`)).body).to.deep.equal(changed.body)
        for (const query of byTitle) expect((await other.get(list(query))).text).not.to.include(id)
      })
      expect((await process.delete(`/api/zines/${id}/`)).status).to.equal(204)
      await expectAll(async (other) => {
        expect((await other.get(`/api/zines/${id}/`)).status).to.equal(404)
        for (const query of [...byTitle, ...byId])
          expect((await other.get(list(query))).text).not.to.include(id)
      })
    }
  })

  it('are harvested alike', async () => {
    const query = '/oai?verb=ListIdentifiers&metadataPrefix=oai_dc'
    const answers = await Promise.all(all.map((process) => process.get(query)))
    const headers = answers.map(({ text }) => /<header>.*<\/header>/s.exec(text)?.[0])
    expect(headers[0]).to.include('oai:zines.example:agents/maker')
    expect(new Set(headers).size).to.equal(1)
    const [reader] = readers
    expect(answers[1]?.text).to.include(`>${reader?.url}/oai</request>`)
    const posted = await first().ask('POST', '/oai', {
      raw: 'verb=Identify',
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(posted.text).to.include('<Identify>')
  })

  it('find at once by its name what was written through any of them', async () => {
    const id = unique('agent')
    await first().post('/api/agents/', agent(id, { display_name: 'Ottilie Papercrane' }))
    const queries = '{"q0":{"query":"Papercrane, Ottilie","type":"agents"}}'
    for (const process of all) {
      const posted = await process.ask('POST', '/reconcile', {
        raw: new URLSearchParams({ queries }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        token: null,
      })
      const read = await process.get(`/reconcile?queries=${encodeURIComponent(queries)}`)
      for (const { status, text, body } of [posted, read]) {
        expect(status, text).to.equal(200)
        expect(body.q0.result[0]).to.include({ id: `agents/${id}`, match: true })
      }
      const { body: manifest } = await process.get('/reconcile')
      expect(manifest.view.url).to.include('/reconcile/view?id={{id}}')
      const preview = await process.get(`/reconcile/preview?id=agents%2F${id}`)
      expect(preview.headers.get('content-security-policy')).to.include('frame-ancestors *')
    }
  })

  it('lead from a merged record to the other, and know what was deleted', async () => {
    for (const process of all) {
      const [old, kept] = [unique('agent'), unique('agent')]
      for (const id of [old, kept]) await process.post('/api/agents/', agent(id))
      const id = unique('zine')
      await process.post('/api/zines/', zine(id, { creator: [old] }))
      const merged = await process.post(`/api/agents/${old}/merge/`, { into: kept })
      expect(merged.status, merged.text).to.equal(200)
      for (const other of all) {
        await caughtUp(other)
        const answer = await other.get(`/api/agents/${old}/`)
        expect(answer.status).to.equal(301)
        expect(answer.headers.get('location')).to.match(new RegExp(`/api/agents/${kept}/$`))
        expect((await other.get(`/id/agents/${old}`)).status).to.equal(301)
        const { creator } = (await other.get(`/api/zines/${id}/`)).body
        expect(creator[0].agent_id).to.equal(kept)
        expect((await other.post('/api/agents/', agent(old))).status).to.equal(400)
      }
      await process.delete(`/api/agents/${kept}/`)
      for (const other of all) {
        await caughtUp(other)
        for (const gone of [old, kept])
          expect((await other.get(`/id/agents/${gone}`)).status).to.equal(410)
        expect((await other.get('/id/agents/never-was')).status).to.equal(404)
      }
    }
  })

  it('answer two simultaneous POSTs of one identifier with one 201 and one 400', async () => {
    for (let round = 0; round < 10; round += 1) {
      const record = zine(unique('twin'))
      const answers = await Promise.all(
        [first(), second()].map((process) => process.post('/api/zines/', record)),
      )
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 400])
    }
  })

  it('give a record the same ETag, and answer 412 to a PATCH with an outdated one', async () => {
    const id = unique('zine')
    await first().post('/api/zines/', zine(id))
    for (const process of all) await caughtUp(process)
    const etags = await Promise.all(
      all.map(async (process) => (await process.get(`/api/zines/${id}/`)).headers.get('etag')),
    )
    expect(new Set(etags).size).to.equal(1)
    await second().patch(`/api/zines/${id}/`, { title: 'New' })
    const late = await first().patch(
      `/api/zines/${id}/`,
      { title: 'Newer' },
      { headers: { 'if-match': etags[0] ?? '' } },
    )
    expect(late.status).to.equal(412)
  })

  it('write, list and undo batches through any of them', async () => {
    const body = { kind: 'zines', ids: [unique('zine')], edit: { title: { set: 'After' } } }
    await writer.post('/api/zines/', zine(body.ids[0] ?? '', { title: 'Before' }))
    const made = await first().post('/api/batches/', body)
    expect(made.status, made.text).to.equal(200)
    const { admin: token } = writer.tokens
    const list = await second().get('/api/batches/', { token })
    expect(list.body.results[0].id).to.equal(made.body.id)
    const undone = await second().ask('POST', `/api/batches/${made.body.id}/undo/`)
    expect(undone.status, undone.text).to.equal(200)
    await caughtUp(first())
    expect((await first().get(`/api/zines/${body.ids[0]}/`)).body.title).to.equal('Before')
  })

  it('give links on the origin of the request', async () => {
    const id = unique('zine')
    const made = await first().post('/api/zines/', zine(id))
    expect(made.headers.get('location')).to.equal(`${first().url}/api/zines/${id}/`)
    expect((await second().get('/api/zines/?page_size=1')).body.next).to.include(second().url)
  })

  it('refuse a wrong request with the same status and body', async () => {
    const requests: [string, string, object][] = [
      ['POST', '/api/zines/', { body: { zine_id: '' } }],
      ['POST', '/api/zines/', { body: zine('x'), token: null }],
      ['POST', '/api/zines/', { raw: '{', headers: { 'content-type': 'application/json' } }],
      ['DELETE', '/api/zines/no-such/', {}],
      ['PUT', '/api/nothing/', { body: {} }],
      ['GET', '/api/zines/', { token: 'no-such' }],
      ['GET', '/api/zines/', { headers: { authorization: 'Token a b' } }],
      ['POST', '/api/auth/token/', { body: { username: 'admin', password: 'wrong' } }],
    ]
    for (const [method, path, options] of requests) {
      const [expected, ...others] = await Promise.all(
        all.map((process) => process.ask(method, path, options)),
      )
      for (const { status, text } of others)
        expect([method, path, status, text]).to.deep.equal([
          method,
          path,
          expected?.status,
          expected?.text,
        ])
      expect(expected?.status).to.be.greaterThan(399)
    }
  })

  it('issue the same token, and show private fields only to editors', async () => {
    const login = await first().post(
      '/api/auth/token/',
      { username: 'editor', password: PASSWORD },
      { token: null },
    )
    expect(login.body).to.deep.equal({ token: writer.tokens.editor })
    const id = unique('agent')
    const hidden = agent(id, { public: false, legal_name: 'Somebody Else' })
    await second().post('/api/agents/', hidden)
    const path = `/api/agents/${id}/?private=true`
    const read = await first().get(path, { token: writer.tokens.editor })
    expect(read.body.legal_name).to.equal('Somebody Else')
    for (const token of [null, writer.tokens.viewer])
      expect((await first().get(path, { token })).body).not.to.have.property('legal_name')
  })

  it('refuse the token of an account within two seconds after it is disabled', async () => {
    await writer.accounts.add({
      name: 'brief',
      password: PASSWORD,
      role: 'viewer',
      restrictedTo: [],
    })
    const token = await writer.accounts.login('brief', PASSWORD)
    expect((await first().get('/api/zines/', { token })).status).to.equal(200)
    await writer.accounts.disable('brief')
    await until(async () => (await first().get('/api/zines/', { token })).status === 401)
  })

  it('never show a DELETE of a zine with its holdings half done', async () => {
    // Each update is delayed by 10 ms, so that a reader could see it half done.
    endpoint?.failWith((_, __, serve) => void setTimeout(serve, 10))
    const id = unique('zine')
    await writer.post('/api/zines/', zine(id))
    const holdings = Array.from({ length: 12 }, () => unique('holding'))
    await Promise.all(
      holdings.map((one) => writer.post('/api/holdings/', holding(one, { zine_id: id }))),
    )
    let isDeleted = false
    const deleted = first()
      .delete(`/api/zines/${id}/`)
      .finally(() => (isDeleted = true))
    const deletedPaths = ['zines/' + id, ...holdings.map((one) => 'holdings/' + one)]
    let reads = 0
    const readWhileDeleting = async (): Promise<void> => {
      while (!isDeleted) {
        const before = deletedPaths[Math.floor(Math.random() * deletedPaths.length)] ?? ''
        const later = deletedPaths[Math.floor(Math.random() * deletedPaths.length)] ?? ''
        const one = await second().get(`/api/${before}/`)
        const other = await second().get(`/api/${later}/`)
        // Once one record is deleted, all the others are.
        if (one.status === 404) expect(other.status, `${before}, then ${later}`).to.equal(404)
        else if (before.startsWith('holdings') && one.body.zine)
          expect(one.body.zine.title).not.to.equal('')
        reads += 1
      }
    }
    await Promise.all([readWhileDeleting(), readWhileDeleting(), readWhileDeleting(), deleted])
    endpoint?.failWith(undefined)
    expect((await deleted).status).to.equal(204)
    await caughtUp(second())
    expect(reads).to.be.greaterThan(0)
    for (const one of deletedPaths)
      expect((await second().get(`/api/${one}/`)).status).to.equal(404)
    const remaining = await second().get(`/api/holdings/?zine_id=${id}`)
    expect(remaining.body.count).to.equal(0)
  })

  it('list the same changes, and wait for those that come through another process', async () => {
    const { body } = await writer.get('/api/changes/?limit=1000')
    const since = Number(new URL(body.next as string).searchParams.get('since'))
    for (const reader of [first(), second()]) {
      const { body: read } = await reader.get('/api/changes/?limit=1000')
      const results = JSON.stringify(body.results).replaceAll(writer.url, reader.url)
      expect(JSON.stringify(read.results)).to.equal(results)
      expect(read.next).to.include(reader.url)
    }
    const waiting = first().get(`/api/changes/?since=${since}&wait=30`)
    await second().post('/api/zines/', zine(unique('zine')))
    expect((await waiting).body.results).to.have.length(1)
  })

  it('end the wait at the writer when a client of the reader hangs up', async () => {
    const { headers } = await writer.ask('HEAD', '/api/changes/')
    const path = `/api/changes/?since=${headers.get('x-log-position')}&wait=30`
    const left = new AbortController()
    let refused = 0
    const waiting = Array.from({ length: 210 }, () =>
      fetch(first().url + path, { signal: left.signal }).then(
        () => (refused += 1),
        () => undefined,
      ),
    )
    await until(() => refused >= 10)
    expect((await writer.get(path)).status).to.equal(503)
    left.abort()
    await Promise.all(waiting)
    await until(async () => (await writer.get(path.replace('wait=30', 'wait=1'))).status === 200)
  })

  it('answer those that wait with an empty page when the reader stops', async () => {
    const reader = await startReaderProcess(writer)
    const { headers } = await reader.ask('HEAD', '/api/changes/')
    const waiting = reader.get(`/api/changes/?since=${headers.get('x-log-position')}&wait=30`)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const started = performance.now()
    await reader.stop()
    // It would wait for half a minute.
    expect(performance.now() - started).to.be.below(29_000)
    const { status, body } = await waiting
    expect([status, body.results]).to.deep.equal([200, []])
    // Who goes on with another process waits again.
    expect(body.next).to.match(/\?wait=30&/)
  })

  it('say the place of an export in the log of changes', async () => {
    const { body } = await writer.get('/api/changes/?limit=1000')
    for (const process of all)
      for (const path of ['/api/export/zines/', '/dumps/catalogue.nt.gz']) {
        const { headers } = await process.get(path)
        expect(headers.get('x-log-name')).to.equal(body.log)
        expect(body.next).to.match(new RegExp(`since=${headers.get('x-log-position')}$`))
      }
  })

  it('give the same lists, exports and dumps', async () => {
    await caughtUp(first())
    for (const path of [
      '/api/zines/',
      '/api/zines/export/?format=jsonl',
      '/api/agents/?ordering=display_name',
      '/api/zines/?q=title&ordering=-title',
      '/api/search/?q=title',
      '/api/suggest/?q=ti',
      '/api/zines/facets/?q=title',
    ])
      expect(withoutOrigin(await first().get(path), first())).to.equal(
        withoutOrigin(await writer.get(path), writer),
      )
    const [fromReader, fromWriter] = await Promise.all([first(), writer].map(readDump))
    expect(fromReader).to.equal(fromWriter)
  })
})

/** A write, also one that is refused, has a reader learn of all commits. */
const caughtUp = (process: Process) => process.put('/api/nothing/', {})

/** Checks again and again until it holds; readers learn of writes a moment later. */
async function soon(check: () => Promise<void>): Promise<void> {
  // With the last error, what does not come true is told before the time limit of all tests.
  const deadline = Date.now() + 300_000
  for (;;)
    try {
      await check()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
}

const withoutOrigin = ({ text }: { readonly text: string }, { url }: Process): string =>
  text.replaceAll(url, '')

async function readDump({ url }: Process): Promise<string> {
  const response = await fetch(`${url}/dumps/catalogue.nt.gz`)
  const zipped = new Blob([await response.arrayBuffer()]).stream()
  const lines = await new Response(zipped.pipeThrough(new DecompressionStream('gzip'))).text()
  return lines.split('\n').sort().join('\n')
}

describe('a reader whose writer has stopped', () => {
  let endpoint: TestEndpoint | undefined
  let reader: Process & { stop(): Promise<void> }
  let writer: TestService

  before(async () => {
    endpoint = process.env.TEST_STORE ? undefined : await startEndpoint()
    writer = await startService(endpoint && { STORE: endpoint.url })
    reader = await startReaderProcess(writer)
    await writer.post('/api/agents/', agent('maker'))
    await caughtUp(reader)
    // The index of words may still be filled.
    if (WITH_INDEX)
      await until(async () => (await reader.get('/api/search/?q=maker')).status === 200)
    await writer.close()
  })

  after(async () => {
    await reader.stop()
    await endpoint?.stop()
  })

  it('still answers GET requests', async () => {
    expect((await reader.get('/api/agents/maker/')).status).to.equal(200)
    expect((await reader.get('/api/agents/')).body.count).to.equal(1)
    if (WITH_INDEX) expect((await reader.get('/api/search/?q=maker')).body.count).to.equal(1)
  })

  it('exports without a place in the log of changes, which it answers 503 for', async () => {
    const { status, headers } = await reader.get('/api/export/agents/')
    expect([status, headers.get('x-log-position')]).to.deep.equal([200, null])
    expect((await reader.get('/api/changes/')).status).to.equal(503)
  })

  it('answers a POST with 503 “The store did not take it; nothing was written.”', async () => {
    const { status, body, headers } = await reader.post('/api/agents/', agent('other'))
    expect([status, body, headers.get('retry-after')]).to.deep.equal([
      503,
      { detail: 'The store did not take it; nothing was written.' },
      '2',
    ])
  })

  it('answers a request with a token with 503', async () => {
    const { status } = await reader.get('/api/agents/', { token: writer.tokens.viewer })
    expect(status).to.equal(503)
  })
})
