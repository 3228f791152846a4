// Tests the pages of a list: page_size, page, the links next and previous, and the Link header.

import { expect } from 'chai'

import { agent } from '../../examples.js'
import { useService } from '../../service.js'
import { unique, useCatalogue } from '../../http/catalogue.js'
import { links, pageLinks, sendRaw } from '../../http/raw-socket.js'

const EMPTY = { count: 0, next: null, previous: null, results: [] }

describe('pagination:', () => {
  const { service } = useCatalogue()
  const seven = unique('seven')
  const many = unique('many')

  before(async () => {
    for (const [word, count] of [
      [seven, 7],
      [many, 101],
    ] as const)
      await Promise.all(
        Array.from({ length: count }, () =>
          service().post(
            '/api/agents/',
            agent(unique('agent'), { display_name: `One of ${word}` }),
          ),
        ),
      )
  })

  const getPage = async (query: string) => service().get(`/api/agents/?${query}`)

  describe('a page', () => {
    it('has 25 records by default', async () => {
      const { body } = await getPage(`search=${many}`)
      expect([body.count, body.results.length]).to.deep.equal([101, 25])
    })

    // prettier-ignore
    for (const [pageSize, length] of [
      ['1',    1],
      ['30',   30],
      ['100',  100],
      ['101',  100],
      ['1000000', 100],
      ['99999999999999999999', 100],
      ['0',    25],
      ['-1',   25],
      ['all',  25],
      ['10.5', 25],
      ['',     25],
    ] as const)
      it(`has ${length} of 101 records for ?page_size=${pageSize}`, async () => {
        const { body } = await getPage(`search=${many}&page_size=${pageSize}`)
        expect([body.count, body.results.length]).to.deep.equal([101, length])
      })

    it('has the remaining records when it is the last', async () => {
      const { body } = await getPage(`search=${seven}&page_size=3&page=3`)
      expect([body.count, body.results.length]).to.deep.equal([7, 1])
    })
  })

  describe('the page number', () => {
    it('is 1 by default', async () => {
      const first = await getPage(`search=${seven}&page_size=3&page=1`)
      const bare = await getPage(`search=${seven}&page_size=3`)
      expect(first.body.results).to.deep.equal(bare.body.results)
    })

    it('leads through all records without repeating one', async () => {
      const pages = await Promise.all(
        [1, 2, 3].map((number) => getPage(`search=${seven}&page_size=3&page=${number}`)),
      )
      const ids = pages.flatMap((answer) => answer.body.results.map((one: any) => one.agent_id))
      expect(new Set(ids).size).to.equal(7)
      expect(ids).to.have.length(7)
    })

    for (const number of ['0', '-1', '4', '99999999999999999999', 'x', '1.5', '1x', 'last'])
      it(`${number} of a list of three pages answers 404 “Invalid page.”`, async () => {
        const answer = await getPage(
          `search=${seven}&page_size=3&page=${encodeURIComponent(number)}`,
        )
        expect(answer.status).to.equal(404)
        expect(answer.body).to.deep.equal({ detail: 'Invalid page.' })
      })

    it('1 of an empty list answers an empty page', async () => {
      const { status, body } = await getPage(`search=${unique('nothing')}&page=1`)
      expect(status).to.equal(200)
      expect(body).to.deep.equal(EMPTY)
    })

    it('2 of an empty list answers 404 “Invalid page.”', async () => {
      const { status, body } = await getPage(`search=${unique('nothing')}&page=2`)
      expect(status).to.equal(404)
      expect(body).to.deep.equal({ detail: 'Invalid page.' })
    })
  })

  describe('the links next and previous', () => {
    it('are both null on the only page', async () => {
      const { body } = await getPage(`search=${seven}`)
      expect([body.next, body.previous]).to.deep.equal([null, null])
    })

    it('are the second page and null on the first page', async () => {
      const { body } = await getPage(`search=${seven}&page_size=3`)
      expect(new URL(body.next).searchParams.get('page')).to.equal('2')
      expect(body.previous).to.equal(null)
    })

    it('are null and the page before on the last page', async () => {
      const { body } = await getPage(`search=${seven}&page_size=3&page=3`)
      expect(body.next).to.equal(null)
      expect(new URL(body.previous).searchParams.get('page')).to.equal('2')
    })

    it('have no page parameter where they lead to the first page', async () => {
      const { body } = await getPage(`search=${seven}&page_size=3&page=2`)
      expect(new URL(body.previous).searchParams.has('page')).to.be.false
    })

    it('are absolute URLs on the origin of the request', async () => {
      const { body } = await getPage(`search=${seven}&page_size=3&page=2`)
      for (const link of [body.next, body.previous])
        expect(link.startsWith(`${service().url}/api/agents/?`), link).to.be.true
    })

    it('are on the host of the Host header', async () => {
      const path = `/api/agents/?search=${seven}&page_size=3`
      const { body } = await sendRaw(service().url, [`GET ${path} HTTP/1.1`, 'Host: zines.test:81'])
      expect(JSON.parse(body).next.startsWith('http://zines.test:81/api/agents/?')).to.be.true
    })

    it('ignore X-Forwarded-Host without TRUST_PROXY', async () => {
      const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
      const { body } = await service().get(`/api/agents/?search=${seven}&page_size=3`, { headers })
      expect(new URL(body.next).origin).to.equal(service().url)
    })

    for (const others of [
      `search=${seven}`,
      `search=${seven}&ordering=-display_name`,
      `search=${seven}&kind=Person&public=true`,
      `search=One+of%20${seven}`,
      `search=${seven}&unknown=caf%C3%A9%26x`,
      `search=other&search=${seven}`,
      `search=${seven}&empty=&kind=`,
    ])
      it(`keep the parameters ${others}`, async () => {
        const { body } = await getPage(`${others}&page_size=3&page=2`)
        const expected = [...new URL(`http://x/?${others}&page_size=3`).searchParams].sort()
        const [next, previous] = [body.next, body.previous].map(
          (link) => new URL(link).searchParams,
        )
        next?.delete('page', '3')
        expect([...(next ?? [])].sort()).to.deep.equal(expected)
        expect([...(previous ?? [])].sort()).to.deep.equal(expected)
      })

    it('lead through all pages', async () => {
      const seen: string[] = []
      let path: string | null = `/api/agents/?search=${seven}&page_size=2`
      while (path) {
        const { body }: { body: any } = await service().get(path)
        seen.push(...body.results.map((one: any) => one.agent_id))
        path = body.next?.slice(service().url.length) ?? null
      }
      expect(seen).to.have.length(7)
      expect(new Set(seen).size).to.equal(7)
    })
  })

  describe('the Link header', () => {
    it('has the same next and prev as the body', async () => {
      const answer = await getPage(`search=${seven}&page_size=3&page=2`)
      const header = links(answer.headers)
      expect([header.get('next'), header.get('prev')]).to.deep.equal([
        answer.body.next,
        answer.body.previous,
      ])
    })

    it('has links to the first and the last page', async () => {
      const header = links((await getPage(`search=${seven}&page_size=3&page=2`)).headers)
      expect(new URL(header.get('first') ?? '').searchParams.has('page')).to.be.false
      expect(new URL(header.get('last') ?? '').searchParams.get('page')).to.equal('3')
    })

    it('has no prev on the first page', async () => {
      const { headers } = await getPage(`search=${seven}&page_size=3`)
      expect(pageLinks(headers)).to.deep.equal(['first', 'last', 'next'])
    })

    it('has no next on the last page', async () => {
      const { headers } = await getPage(`search=${seven}&page_size=3&page=3`)
      expect(pageLinks(headers)).to.deep.equal(['first', 'last', 'prev'])
    })

    for (const [length, relations, hasContentLocation] of [
      [10, ['alternate', 'first', 'last', 'next', 'prev'], true],
      [200, ['first', 'last', 'next', 'prev'], true],
      [500, ['next', 'prev'], true],
      [800, ['next', 'prev'], false],
      [2000, [], false],
    ] as const)
      it(`has ${relations.join(', ') || 'no link'} on a page whose URL has ${length} more characters`, async () => {
        const more = 'x'.repeat(length)
        const { headers, body } = await getPage(`search=${seven}&page_size=3&page=2&x=${more}`)
        expect([...links(headers).keys()].sort()).to.deep.equal(relations)
        expect(headers.has('content-location')).to.equal(hasContentLocation)
        const values = ['link', 'content-location'].map((name) => headers.get(name) ?? '')
        expect(values.join('').length).to.be.at.most(2000)
        expect(body.next).to.include(more).and.to.include('page=3')
      })

    for (const format of ['json', 'csv', 'turtle', 'jsonld', 'dc'])
      it(`is sent with the format ${format} too`, async () => {
        const answer = await getPage(`search=${seven}&page_size=3&page=2&format=${format}`)
        expect(answer.status, answer.text).to.equal(200)
        expect(pageLinks(answer.headers)).to.deep.equal(['first', 'last', 'next', 'prev'])
      })
  })
})

describe('pagination with TRUST_PROXY', () => {
  const service = useService({ TRUST_PROXY: 'true' })

  it('gives links on the host and scheme of the X-Forwarded headers', async () => {
    for (const id of [1, 2]) await service().post('/api/agents/', agent(`agent-${id}`))
    const headers = { 'x-forwarded-host': 'catalogue.example', 'x-forwarded-proto': 'https' }
    const { body } = await service().get('/api/agents/?page_size=1', { headers })
    expect(new URL(body.next).origin).to.equal('https://catalogue.example')
  })
})
