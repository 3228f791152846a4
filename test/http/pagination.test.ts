// Pages of a list: their size, their number, and the links from one to the next.

import { expect } from 'chai'

import { agent } from '../examples.js'
import { useService } from '../service.js'
import { unique, useCatalogue } from './catalogue.js'
import { isOffered } from './formats.js'
import { links, pageLinks, sendRaw } from './raw-socket.js'

const EMPTY = { count: 0, next: null, previous: null, results: [] }

describe('pages', () => {
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

  const page = async (query: string) => service().get(`/api/agents/?${query}`)

  describe('sizes', () => {
    it('are 25 unless told otherwise', async () => {
      const { body } = await page(`search=${many}`)
      expect([body.count, body.results.length]).to.deep.equal([101, 25])
    })

    // prettier-ignore
    for (const [asked, got] of [
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
      it(`are ${got} when ${asked || 'nothing'} is asked for`, async () => {
        const { body } = await page(`search=${many}&page_size=${asked}`)
        expect([body.count, body.results.length]).to.deep.equal([101, got])
      })

    it('may be smaller on the last page', async () => {
      const { body } = await page(`search=${seven}&page_size=3&page=3`)
      expect([body.count, body.results.length]).to.deep.equal([7, 1])
    })
  })

  describe('numbers', () => {
    it('count from 1, the default', async () => {
      const first = await page(`search=${seven}&page_size=3&page=1`)
      const bare = await page(`search=${seven}&page_size=3`)
      expect(first.body.results).to.deep.equal(bare.body.results)
    })

    it('together hold every record once', async () => {
      const pages = await Promise.all(
        [1, 2, 3].map((number) => page(`search=${seven}&page_size=3&page=${number}`)),
      )
      const ids = pages.flatMap((answer) => answer.body.results.map((one: any) => one.agent_id))
      expect(new Set(ids).size).to.equal(7)
      expect(ids).to.have.length(7)
    })

    for (const number of ['0', '-1', '4', '99999999999999999999', 'x', '1.5', '1x', 'last'])
      it(`${number} is no page of three`, async () => {
        const answer = await page(`search=${seven}&page_size=3&page=${encodeURIComponent(number)}`)
        expect(answer.status).to.equal(404)
        expect(answer.body).to.deep.equal({ detail: 'Invalid page.' })
      })

    it('page 1 of nothing is an empty page', async () => {
      const { status, body } = await page(`search=${unique('nothing')}&page=1`)
      expect(status).to.equal(200)
      expect(body).to.deep.equal(EMPTY)
    })

    it('page 2 of nothing is no page', async () => {
      const { status, body } = await page(`search=${unique('nothing')}&page=2`)
      expect(status).to.equal(404)
      expect(body).to.deep.equal({ detail: 'Invalid page.' })
    })
  })

  describe('next and previous', () => {
    it('are both null on the only page', async () => {
      const { body } = await page(`search=${seven}`)
      expect([body.next, body.previous]).to.deep.equal([null, null])
    })

    it('lead on the first page to the second alone', async () => {
      const { body } = await page(`search=${seven}&page_size=3`)
      expect(new URL(body.next).searchParams.get('page')).to.equal('2')
      expect(body.previous).to.equal(null)
    })

    it('lead on the last page to the one before alone', async () => {
      const { body } = await page(`search=${seven}&page_size=3&page=3`)
      expect(body.next).to.equal(null)
      expect(new URL(body.previous).searchParams.get('page')).to.equal('2')
    })

    it('name no page where they lead to the first', async () => {
      const { body } = await page(`search=${seven}&page_size=3&page=2`)
      expect(new URL(body.previous).searchParams.has('page')).to.be.false
    })

    it('are absolute, on the origin that was asked', async () => {
      const { body } = await page(`search=${seven}&page_size=3&page=2`)
      for (const link of [body.next, body.previous])
        expect(link.startsWith(`${service().url}/api/agents/?`), link).to.be.true
    })

    it('are on the host that the client named', async () => {
      const path = `/api/agents/?search=${seven}&page_size=3`
      const { body } = await sendRaw(service().url, [`GET ${path} HTTP/1.1`, 'Host: zines.test:81'])
      expect(JSON.parse(body).next.startsWith('http://zines.test:81/api/agents/?')).to.be.true
    })

    it('take no host from a header that anyone can send', async () => {
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
      it(`keep ${others}`, async () => {
        const { body } = await page(`${others}&page_size=3&page=2`)
        const kept = [...new URL(`http://x/?${others}&page_size=3`).searchParams].sort()
        const [next, previous] = [body.next, body.previous].map(
          (link) => new URL(link).searchParams,
        )
        next?.delete('page', '3')
        expect([...(next ?? [])].sort()).to.deep.equal(kept)
        expect([...(previous ?? [])].sort()).to.deep.equal(kept)
      })

    it('lead through all pages and back', async () => {
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
    it('has the next and previous of the body', async () => {
      const answer = await page(`search=${seven}&page_size=3&page=2`)
      const header = links(answer.headers)
      expect([header.get('next'), header.get('prev')]).to.deep.equal([
        answer.body.next,
        answer.body.previous,
      ])
    })

    it('has the first and the last page', async () => {
      const header = links((await page(`search=${seven}&page_size=3&page=2`)).headers)
      expect(new URL(header.get('first') ?? '').searchParams.has('page')).to.be.false
      expect(new URL(header.get('last') ?? '').searchParams.get('page')).to.equal('3')
    })

    it('has no prev on the first page', async () => {
      const { headers } = await page(`search=${seven}&page_size=3`)
      expect(pageLinks(headers)).to.deep.equal(['first', 'last', 'next'])
    })

    it('has no next on the last page', async () => {
      const { headers } = await page(`search=${seven}&page_size=3&page=3`)
      expect(pageLinks(headers)).to.deep.equal(['first', 'last', 'prev'])
    })

    it('is left out where it would be longer than a proxy takes', async () => {
      const asked = (length: number) =>
        page(`search=${seven}&page_size=3&page=2&x=${'x'.repeat(length)}`)
      expect(links((await asked(500)).headers).size).to.equal(4)
      const long = await asked(2000)
      expect(long.headers.has('link')).to.be.false
      expect(long.body.next).to.include('x'.repeat(2000)).and.to.include('page=3')
    })

    for (const format of ['json', 'csv', 'turtle', 'jsonld', 'dc'].filter(isOffered))
      it(`comes with ${format} too`, async () => {
        const answer = await page(`search=${seven}&page_size=3&page=2&format=${format}`)
        expect(answer.status, answer.text).to.equal(200)
        expect(pageLinks(answer.headers)).to.deep.equal(['first', 'last', 'next', 'prev'])
      })
  })
})

describe('pages behind a proxy that is trusted', () => {
  const service = useService({ TRUST_PROXY: 'true' })

  it('are on the origin that the proxy was asked for', async () => {
    for (const id of [1, 2]) await service().post('/api/agents/', agent(`agent-${id}`))
    const headers = { 'x-forwarded-host': 'catalogue.example', 'x-forwarded-proto': 'https' }
    const { body } = await service().get('/api/agents/?page_size=1', { headers })
    expect(new URL(body.next).origin).to.equal('https://catalogue.example')
  })
})
