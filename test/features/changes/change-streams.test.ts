// The changes of records for harvesters: IIIF Change Discovery at /activity/, and the Linked Data Event
// Stream at /ldes (docs/reference/rdf-formats.md, "Changes").

import { expect } from 'chai'
import { Parser, Store } from 'n3'

import { changeKey } from '../../../src/store/key-value/change-log.js'
import { openKeyValueStore } from '../../../src/lib/key-value/key-value-store.js'
import { dataFiles } from '../../../src/config.js'
import { readJsonld, readText } from '../../formats/parsers.js'
import { agent, zine } from '../../examples.js'
import { BASE_URL, type TestService, startService, useService } from '../../service.js'

/** The path of an IRI of the service. */
const pathOf = (iri: string): string => iri.slice(BASE_URL.length)

const page = (number: number) => ({
  id: `${BASE_URL}/activity/page/${number}`,
  type: 'OrderedCollectionPage',
})

/** Creates so many agents. */
async function fill(service: TestService, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await service.post('/api/agents/', agent(`agent-${index}`))
}

/** As if `HISTORY_KEEP` had forgotten these changes. */
async function forget(dataDir: string, count: number): Promise<void> {
  const store = await openKeyValueStore(dataFiles(dataDir).store)
  const keys = Array.from({ length: count }, (_, index) => changeKey(index + 1))
  await store.write(keys.map((key) => ({ key, value: undefined })))
  await store.close()
}

/** A member of the log that only a merge writes. */
async function addMerge(dataDir: string, sequence: number): Promise<void> {
  const store = await openKeyValueStore(dataFiles(dataDir).store)
  const change = {
    record: 'agents/agent-0',
    at: '2026-01-01T00:00:00.000000Z',
    how: 'merge',
    change: 'merged',
    into: 'agent-1',
  }
  await store.write([{ key: changeKey(sequence), value: JSON.stringify(change) }])
  await store.close()
}

describe('/activity/', () => {
  const service = useService()

  it('has one empty page before there is a change', async () => {
    const { body, headers } = await service().get('/activity/')
    expect(body).to.deep.equal({
      '@context': 'http://iiif.io/api/discovery/1/context.json',
      id: `${BASE_URL}/activity/`,
      type: 'OrderedCollection',
      totalItems: 0,
      first: page(1),
      last: page(1),
    })
    expect(headers.get('content-type')).to.equal(
      'application/ld+json; profile="http://iiif.io/api/discovery/1/context.json"',
    )
    expect((await service().get('/activity/page/1')).body.orderedItems).to.deep.equal([])
  })

  it('has an activity for each change, with what it is about', async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/zines/', zine('a/b'))
    await service().patch('/api/zines/a%2Fb/', { title: 'Other' })
    await service().delete('/api/zines/a%2Fb/')
    const { body } = await service().get('/activity/page/1')
    const changes = (await service().get('/api/changes/')).body.results as { at: string }[]
    expect(body).to.deep.include({ ...page(1), startIndex: 0 })
    expect(body.partOf).to.deep.equal({ id: `${BASE_URL}/activity/`, type: 'OrderedCollection' })
    expect(body).not.to.have.any.keys('next', 'prev')
    const object = {
      id: `${BASE_URL}/id/zines/a%2Fb`,
      type: 'http://id.loc.gov/ontologies/bibframe/Instance',
    }
    const record = {
      id: `${BASE_URL}/api/zines/a%2Fb/`,
      type: 'Dataset',
      format: 'application/ld+json',
    }
    expect(body.orderedItems.slice(1)).to.deep.equal(
      [
        ['Create', { ...object, seeAlso: [record] }],
        ['Update', { ...object, seeAlso: [record] }],
        ['Delete', object],
      ].map(([type, about], index) => ({
        id: `${BASE_URL}/activity/page/1#${index + 2}`,
        type,
        object: about,
        endTime: changes[index + 1]?.at,
      })),
    )
  })

  it('leads from page to page, and a full page stays as it is', async () => {
    await fill(service(), 200)
    const { body } = await service().get('/activity/')
    expect(body).to.deep.include({ totalItems: 204, first: page(1), last: page(3) })
    const pages = await Promise.all(
      [1, 2, 3].map((number) => service().get(pathOf(page(number).id))),
    )
    const items = pages.map((answer) => answer.body.orderedItems.length as number)
    expect(items).to.deep.equal([100, 100, 4])
    expect(pages.map((answer) => answer.body.prev as unknown)).to.deep.equal([
      ...[undefined, page(1), page(2)],
    ])
    expect(pages.map((answer) => answer.body.next as unknown)).to.deep.equal([
      ...[page(2), page(3), undefined],
    ])
    await service().post('/api/agents/', agent('late'))
    expect((await service().get('/activity/page/2')).headers.get('etag')).to.equal(
      pages[1]?.headers.get('etag'),
    )
    for (const number of ['0', '5', 'x', '01', '1.5'])
      expect((await service().get(`/activity/page/${number}`)).status, number).to.equal(404)
  })
})

describe('/ldes', () => {
  const service = useService()
  const ldes = 'https://w3id.org/ldes#'
  const tree = 'https://w3id.org/tree#'
  const dcterms = 'http://purl.org/dc/terms/'
  const activityStreams = 'https://www.w3.org/ns/activitystreams#'

  const read = async (path: string) => {
    const answer = await service().get(path)
    expect(answer.status, answer.text).to.equal(200)
    const store = new Store(new Parser().parse(answer.text))
    const one = (subject: string, property: string): string | undefined =>
      store.getObjects(subject, property, null)[0]?.value
    return { ...answer, store, one }
  }

  /** The pages from the first on, as a client of event streams follows them. */
  async function follow(): Promise<{ members: string[]; caching: (string | null)[] }> {
    const { one } = await read('/ldes')
    const members: string[] = []
    const caching: (string | null)[] = []
    let address = one(`${BASE_URL}/ldes`, `${tree}view`)
    while (address !== undefined) {
      const found = await read(pathOf(address))
      caching.push(found.headers.get('cache-control'))
      for (const member of found.store.getObjects(`${BASE_URL}/ldes`, `${tree}member`, null))
        members.push(member.value)
      address = found.one(found.one(address, `${tree}relation`) ?? '', `${tree}node`)
    }
    return { members, caching }
  }

  it('is an event stream that says where it begins, and what its versions and times are', async () => {
    const { one, headers } = await read('/ldes')
    expect(headers.get('content-type')).to.match(/^text\/turtle\b/)
    const stream = `${BASE_URL}/ldes`
    const { body } = await service().get('/api/changes/')
    expect(one(stream, `${ldes}timestampPath`)).to.equal(`${dcterms}created`)
    expect(one(stream, `${ldes}versionOfPath`)).to.equal(`${dcterms}isVersionOf`)
    expect(one(stream, `${tree}view`)).to.equal(`${BASE_URL}/ldes/page/1?log=${body.log}`)
    expect((await follow()).members).to.deep.equal([])
  })

  it('has a version object for each change', async () => {
    await service().post('/api/agents/', agent('maker', { public: false, legal_name: 'Hidden' }))
    await service().patch('/api/agents/maker/', { legal_name: 'Hidden Again' })
    await service().delete('/api/agents/maker/')
    const { members } = await follow()
    const { one, text } = await read('/ldes/page/1')
    expect(members.map((member) => member.split('#')[1])).to.deep.equal(['1', '2', '3'])
    const { results } = (await service().get('/api/changes/')).body
    for (const [index, type] of ['Create', 'Update', 'Delete'].entries()) {
      const member = members[index] ?? ''
      const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
      expect(one(member, rdfType)).to.equal(activityStreams + type)
      expect(one(member, `${dcterms}isVersionOf`)).to.equal(`${BASE_URL}/id/agents/maker`)
      expect(one(member, `${dcterms}created`)).to.equal(results[index].at)
      expect(one(member, 'http://schema.org/position')).to.equal(String(index + 1))
    }
    expect(text).not.to.include('Hidden')
  })

  it('is the same graph as JSON-LD', async () => {
    const turtle = await service().get('/ldes/page/1?format=turtle')
    const jsonld = await service().get('/ldes/page/1?format=jsonld')
    expect(await readJsonld(jsonld.text)).to.deep.equal(readText(turtle.text, 'text/turtle'))
  })

  it('leads to a further page, which may be empty, once a page is full and never changes', async () => {
    await fill(service(), 97)
    const { members, caching } = await follow()
    expect(members).to.have.length(100)
    expect(caching).to.deep.equal(['public, max-age=31536000, immutable', 'no-cache'])
    const { headers } = await service().get(pathOf(members[0]?.split('#')[0] ?? ''))
    await service().patch('/api/agents/agent-1/', { display_name: 'Other' })
    const later = await follow()
    expect(later.members).to.have.length(101)
    const again = await service().get(pathOf(members[0]?.split('#')[0] ?? ''))
    expect(again.headers.get('etag')).to.equal(headers.get('etag'))
    // This address would be another page after a backup was restored.
    const unnamed = await service().get('/ldes/page/1')
    expect(unnamed.headers.get('cache-control')).to.equal('no-cache')
  })

  it('answers 409 for a page of another log, and 404 where there is no page yet', async () => {
    expect((await service().get('/ldes/page/1?log=another')).status).to.equal(409)
    expect((await service().get('/ldes/page/3')).status).to.equal(404)
    expect((await service().get('/ldes/page/x')).status).to.equal(404)
  })
})

describe('a log of changes that begins later, and has a merge', () => {
  it('begins with its first page in /activity/ and /ldes, and is 410 before that', async () => {
    const before = await startService()
    await fill(before, 105)
    await before.close()
    await forget(before.dataDir, 102)
    await addMerge(before.dataDir, 106)
    const service = await startService({ ...before.env, DATA_DIR: before.dataDir })
    try {
      const { body } = await service.get('/activity/')
      expect(body).to.deep.include({ totalItems: 4, first: page(2), last: page(2) })
      const activities = (await service.get('/activity/page/2')).body
      expect(activities).not.to.have.any.keys('prev', 'next')
      expect(activities.orderedItems).to.have.length(4)
      const type = 'http://xmlns.com/foaf/0.1/Agent'
      expect(activities.orderedItems[3]).to.deep.include({
        type: 'Move',
        object: { id: `${BASE_URL}/id/agents/agent-0`, type },
        target: { id: `${BASE_URL}/id/agents/agent-1`, type },
      })
      expect((await service.get('/ldes')).text).to.include('/ldes/page/2?log=')
      const { text } = await service.get('/ldes/page/2')
      expect(text).to.match(/a as:Move/)
      expect(text).to.include(`as:target <${BASE_URL}/id/agents/agent-1>`)
      for (const path of ['/activity/page/1', '/ldes/page/1'])
        expect((await service.get(path)).status, path).to.equal(410)
    } finally {
      await service.stop()
    }
  })
})
