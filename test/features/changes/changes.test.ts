// The changes of all records over HTTP: pages, errors, waiting, what exports say of their place, and a
// copy of the catalogue that follows (docs/reference/changes.md, "Changes").

import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { changeKey } from '../../../src/store/key-value/change-log.js'
import { openKeyValueStore } from '../../../src/lib/key-value/key-value-store.js'
import { dataFiles } from '../../../src/config.js'
import { agent, holding, repository, zine } from '../../examples.js'
import { type Answer, type TestService, startService, useService } from '../../service.js'
import { type Resource, unique } from '../../http/catalogue.js'
import { beginCopy, expectComplete, followChanges, followToEnd } from '../../http/copy.js'
import { namesIn } from '../../http/raw-socket.js'
import { until } from '../../waiting.js'

type Listed = {
  sequence: number
  at: string
  kind: Resource['name']
  id: string
  change: string
  url: string
}

const at = (service: TestService, address: string): string => address.slice(service.url.length)

const resultsOf = ({ body }: Answer): readonly Listed[] => body.results as Listed[]

/** A little less than the time for which requests ask to wait. */
const waitMs = 29_000

const logEnd = async (service: TestService): Promise<number> =>
  Number((await service.ask('HEAD', '/api/changes/')).headers.get('x-log-position'))

describe('GET /api/changes/', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/repositories/', repository('library'))
    await service().post('/api/zines/', zine('zine'))
    await service().post('/api/holdings/', holding('copy'))
    await service().patch('/api/zines/zine/', { title: 'Other' })
    await service().delete('/api/zines/zine/')
    await service().post('/api/zines/', zine('a/b'))
  })

  it('lists every change in order, those of one commit after each other', async () => {
    const answer = await service().get('/api/changes/')
    expect(answer.status).to.equal(200)
    const found = resultsOf(answer)
    expect(found.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8])
    const described = found.map(({ change, kind, id }) => `${change} ${kind}/${id}`)
    expect(described.slice(0, 5)).to.deep.equal([
      'created agents/maker',
      'created repositories/library',
      'created zines/zine',
      'created holdings/copy',
      'updated zines/zine',
    ])
    expect(described.slice(5, 7)).to.have.members(['deleted zines/zine', 'deleted holdings/copy'])
    expect(Object.keys(found[5] ?? {})).to.deep.equal([
      ...['sequence', 'at', 'kind', 'id', 'change', 'url'],
    ])
    expect(found[7]?.url).to.equal(`${service().url}/api/zines/a%2Fb/`)
  })

  it('gives the time of the write, which is updated_at of the record', async () => {
    const { body } = await service().get('/api/agents/maker/')
    expect(resultsOf(await service().get('/api/changes/'))[0]?.at).to.equal(body.updated_at)
  })

  it('leads on with `next` until `next` is the address that was asked for', async () => {
    let path = '/api/changes/?limit=3'
    const sequences: number[][] = []
    for (;;) {
      const answer = await service().get(path)
      const next = at(service(), String(answer.body.next))
      expect(next).to.match(/^\/api\/changes\/\?limit=3&log=[\w-]+&since=\d+$/)
      expect(answer.headers.get('link')).to.equal(`<${answer.body.next}>; rel="next"`)
      if (next === path) break
      sequences.push(resultsOf(answer).map(({ sequence }) => sequence))
      path = next
    }
    expect(sequences).to.deep.equal([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8],
    ])
  })

  it('lists the changes of one kind, and its `next` is after all others', async () => {
    const answer = await service().get('/api/changes/?kind=holdings')
    expect(resultsOf(answer).map(({ id }) => id)).to.deep.equal(['copy', 'copy'])
    expect(answer.body.next).to.match(/since=8$/)
  })

  it('takes a `limit` over 1,000 as 1,000, and what is no number as 100', async () => {
    for (const limit of ['2000', 'x', '0', '-1', '']) {
      const answer = await service().get(`/api/changes/?limit=${limit}`)
      expect([limit, answer.status, resultsOf(answer).length]).to.deep.equal([limit, 200, 8])
    }
    expect(resultsOf(await service().get('/api/changes/?limit=2'))).to.have.length(2)
  })

  it('answers 400 where `since` is beyond the end or no number, or `kind` is unknown', async () => {
    for (const query of ['since=9', 'since=-1', 'since=x', 'since=1.5', 'since=1e1']) {
      const { status, body } = await service().get(`/api/changes/?${query}`)
      expect([query, status]).to.deep.equal([query, 400])
      expect(body.detail).to.match(/^`since`/)
    }
    const beyond = await service().get('/api/changes/?since=9')
    expect(beyond.body.detail).to.equal(
      '`since` is beyond the end of the log: its last change is 8.',
    )
    const kind = await service().get('/api/changes/?kind=zine')
    expect(kind.status).to.equal(400)
    expect(kind.body.detail).to.equal(
      '`kind` has to be one of zines, agents, repositories, holdings.',
    )
  })

  it('answers 409 where `log` is not its name, whatever `since` is', async () => {
    const { body: first } = await service().get('/api/changes/')
    expect((await service().get(`/api/changes/?log=${first.log}&since=8`)).status).to.equal(200)
    for (const since of [0, 8, 99]) {
      const { status, body } = await service().get(`/api/changes/?log=another&since=${since}`)
      expect(status).to.equal(409)
      expect(body.detail).to.match(/Begin again with an export/)
    }
  })

  it('has an ETag and `no-cache`, and answers 304 until there is another change', async () => {
    const path = '/api/changes/?since=8'
    const { headers } = await service().get(path)
    expect(headers.get('cache-control')).to.equal('no-cache')
    const conditional = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    expect((await service().get(path, conditional)).status).to.equal(304)
  })

  it('is never outdated, nor kept by the cache of responses', async () => {
    const end = await logEnd(service())
    for (let round = 0; round < 5; round += 1) {
      const path = `/api/changes/?since=${end}`
      expect(resultsOf(await service().get(path))).to.have.length(round)
      await service().patch('/api/agents/maker/', { biography: `Round ${round}` })
      expect(resultsOf(await service().get(path))).to.have.length(round + 1)
    }
  })

  it('is JSON for browsers too, and 406 in other formats', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const { headers } = await service().get('/api/changes/', { headers: { accept } })
    expect(headers.get('content-type')).to.match(/^application\/json\b/)
    expect((await service().get('/api/changes/?format=html')).status).to.equal(406)
  })

  it('tells of a change of private fields that there was one, and nothing else', async () => {
    const id = unique('agent')
    const secret = 'Quite Somebody Else'
    await service().post('/api/agents/', agent(id, { public: false, legal_name: secret }))
    await service().patch(`/api/agents/${id}/`, { legal_name: `${secret} Again` })
    await service().delete(`/api/agents/${id}/`)
    const end = await logEnd(service())
    for (const token of [null, service().tokens.admin]) {
      const answer = await service().get(`/api/changes/?since=${end - 3}`, { token })
      expect(answer.text).not.to.include(secret)
      expect(resultsOf(answer)).to.deep.equal(
        ['created', 'updated', 'deleted'].map((change, index) => ({
          sequence: end - 2 + index,
          at: resultsOf(answer)[index]?.at,
          kind: 'agents',
          id,
          change,
          url: `${service().url}/api/agents/${id}/`,
        })),
      )
    }
  })
})

describe('a log whose oldest changes were removed', () => {
  it('answers 410 for them, and says where to begin again', async () => {
    const before = await startService()
    for (const id of ['a', 'b', 'c', 'd']) await before.post('/api/agents/', agent(id))
    await before.close()
    const store = await openKeyValueStore(dataFiles(before.dataDir).store)
    await store.write([1, 2].map((sequence) => ({ key: changeKey(sequence), value: undefined })))
    await store.close()
    const service = await startService({ ...before.env, DATA_DIR: before.dataDir })
    try {
      for (const query of ['', '?since=1', '?since=0&wait=5', '?kind=holdings']) {
        const { status, body } = await service.get(`/api/changes/${query}`)
        expect([query, status]).to.deep.equal([query, 410])
        expect(body.detail).to.equal(
          'Changes before number 3 are not kept. Begin again with an export, and go on with the changes after its X-Log-Position.',
        )
      }
      const kept = await service.get('/api/changes/?since=2')
      expect(resultsOf(kept).map(({ id }) => id)).to.deep.equal(['c', 'd'])
    } finally {
      await service.stop()
    }
  })
})

describe('waiting for a change', () => {
  const service = useService()

  const waitAfter = (since: number, query = '&wait=30') =>
    service().get(`/api/changes/?since=${since}${query}`)

  it('ends as soon as there is one', async () => {
    const waiting = waitAfter(await logEnd(service()))
    await sleep(100)
    const started = performance.now()
    await service().post('/api/agents/', agent(unique('agent')))
    const answer = await waiting
    expect(performance.now() - started).to.be.below(waitMs)
    expect(resultsOf(answer)).to.have.length(1)
    expect(answer.headers.get('cache-control')).to.equal('no-store')
    // What it tells of is there.
    expect((await service().get(at(service(), resultsOf(answer)[0]?.url ?? ''))).status).to.equal(
      200,
    )
  })

  it('goes on while there are only changes of other kinds', async () => {
    let isDone = false
    const waiting = waitAfter(await logEnd(service()), '&wait=30&kind=repositories').finally(
      () => (isDone = true),
    )
    await sleep(50)
    await service().post('/api/agents/', agent(unique('agent')))
    await sleep(200)
    expect(isDone).to.equal(false)
    await service().post('/api/repositories/', repository(unique('repository')))
    const found = resultsOf(await waiting)
    expect(found.map(({ kind }) => kind)).to.deep.equal(['repositories'])
  })

  it('is over after so many seconds, with an empty page', async () => {
    const end = await logEnd(service())
    const started = performance.now()
    const answer = await waitAfter(end, '&wait=1')
    expect(performance.now() - started).to.be.above(900)
    expect([answer.status, answer.body.results]).to.deep.equal([200, []])
    expect(answer.body.next).to.match(new RegExp(`since=${end}$`))
  })

  it('does not begin where there is a change, nor without a number', async () => {
    for (const query of ['since=0&wait=30', `since=${await logEnd(service())}&wait=x`]) {
      const started = performance.now()
      expect((await service().get(`/api/changes/?${query}`)).status).to.equal(200)
      expect(performance.now() - started).to.be.below(waitMs)
    }
  })

  it('is possible for 200 requests, and clients that hang up free their places', async () => {
    const end = await logEnd(service())
    const path = `/api/changes/?since=${end}&wait=30`
    const hangUp = new AbortController()
    const refused: number[] = []
    const waiting = Array.from({ length: 210 }, () =>
      fetch(service().url + path, { signal: hangUp.signal }).then(
        ({ status }) => refused.push(status),
        () => undefined,
      ),
    )
    await until(() => refused.length >= 10)
    const late = await waitAfter(end)
    expect([late.status, late.headers.get('retry-after')]).to.deep.equal([503, '10'])
    expect(late.body.detail).to.match(/^Too many requests wait/)
    // Without waiting, the answer is there.
    expect((await waitAfter(end, '')).status).to.equal(200)
    hangUp.abort()
    await Promise.all(waiting)
    expect(refused).to.deep.equal(Array.from({ length: 10 }, () => 503))
    await until(async () => (await waitAfter(end, '&wait=1')).status === 200)
  })

  it('ends at once with an empty page when the service stops', async () => {
    const other = await startService()
    const end = await logEnd(other)
    const waiting = Array.from({ length: 5 }, () => other.get(`/api/changes/?since=${end}&wait=30`))
    await sleep(300)
    const started = performance.now()
    await other.stop()
    expect(performance.now() - started).to.be.below(waitMs)
    for (const { status, body } of await Promise.all(waiting))
      expect([status, body.results]).to.deep.equal([200, []])
  })
})

describe('the place of an export in the log of changes', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/zines/', zine('zine'))
  })

  for (const path of [
    '/api/export/zines/',
    '/api/zines/export/?format=csv',
    '/api/agents/export/?format=jsonl',
    '/dumps/catalogue.nt.gz',
    '/dumps/catalogue.ttl.gz',
  ])
    it(`is in the headers of ${path}`, async () => {
      const { body } = await service().get('/api/changes/')
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await service().ask(method, path)
        expect(headers.get('x-log-position')).to.equal('2')
        expect(headers.get('x-log-name')).to.equal(body.log)
      }
    })

  it('may be read by pages of other origins', async () => {
    const { headers } = await service().get('/api/export/zines/')
    const exposed = namesIn(headers.get('access-control-expose-headers') ?? '')
    expect(exposed).to.include.members(['x-log-name', 'x-log-position'])
  })
})

describe('a copy of the catalogue', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/repositories/', repository('library'))
    for (let index = 0; index < 30; index += 1)
      await service().post('/api/zines/', zine(`zine-${index}`))
  })

  it('that follows `next` has exactly the records after random writes of many clients', async () => {
    const { url } = service()
    const load = { isOver: false }
    const writers = Array.from({ length: 8 }, (_, seed) => writeRandomly(service(), seed, 100))
    const writing = Promise.all(writers).finally(() => (load.isOver = true))
    let copy = await beginCopy(url)
    while (!load.isOver) copy = await followChanges(url, copy)
    await writing
    await expectComplete(url, await followToEnd(url, copy))
    expect(await logEnd(service())).to.be.greaterThan(300)
  })
})

/** Creates, changes and deletes records, with what goes with them. */
async function writeRandomly(service: TestService, seed: number, steps: number): Promise<void> {
  let state = seed + 1
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below
  const pick = () => `zine-${random(40)}`
  const steppers = [
    () => service.post('/api/zines/', zine(pick())),
    () => service.patch(`/api/zines/${pick()}/`, { title: `Title ${random(1000)}` }),
    () => service.put(`/api/zines/${pick()}/`, zine(pick(), { abstract: `${random(1000)}` })),
    () => service.delete(`/api/zines/${pick()}/`),
    () => service.post('/api/holdings/', holding(`copy-${random(60)}`, { zine_id: pick() })),
    () => service.post('/api/holdings/', holding(`copy-${random(60)}`, { zine_id: pick() })),
    () => service.post('/api/agents/', agent(`agent-${random(10)}`)),
    () => service.patch(`/api/agents/agent-${random(10)}/`, { display_name: `Name ${random(99)}` }),
    () => service.patch(`/api/zines/${pick()}/`, { contributor: [`agent-${random(10)}`] }),
    () => service.delete(`/api/agents/agent-${random(10)}/`),
  ]
  for (let step = 0; step < steps; step += 1) {
    const write = steppers[random(steppers.length)]
    if (!write) throw new Error('there is such a write')
    const { status, text } = await write()
    expect(status, text).to.be.below(500)
  }
}
