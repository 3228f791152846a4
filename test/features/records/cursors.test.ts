// Tests the pages of a list by ?cursor=: every record that stays is met exactly once, whoever writes
// meanwhile, in every order and format; and which cursors are refused.

import { expect } from 'chai'

import { WITH_INDEX } from '../../service.js'
import { links, pageLinks } from '../../http/raw-socket.js'
import {
  listPath,
  recordPath,
  resourceOf,
  resources,
  unique,
  useCatalogue,
} from '../../http/catalogue.js'

const ORDERINGS = {
  zines: [
    ...['', 'created_at', 'title', '-title', 'updated_at', '-updated_at,title'],
    ...['year', '-year', '-year,title'],
  ],
  agents: ['', 'created_at', 'display_name', '-display_name,created_at'],
  repositories: ['', 'repository_name', 'established', '-established', 'established,-created_at'],
  holdings: ['', 'created_at', 'call_number', '-call_number'],
} as const

/** Values that the orderings sort by: equal ones, none, and some that UTF-16 sorts otherwise. */
const TEXTS = ['b', 'a', 'b', '', '～', '🦄', 'a', '', 'É "\\', 'b']

/** The same for years. */
const YEARS: Readonly<Record<string, string>> = { a: '1994', b: '1998?', '🦄': '-0044' }

describe('?cursor=', () => {
  const { service, given } = useCatalogue()

  /** The records of all pages from a path on, one array for each page. */
  async function readPages(path: string, between?: () => Promise<void>): Promise<any[][]> {
    const pages: any[][] = []
    let next: string | null = path
    while (next) {
      const { status, body, text }: any = await service().get(next)
      expect(status, text).to.equal(200)
      pages.push(body.results)
      next = body.next?.slice(service().url.length) ?? null
      await between?.()
    }
    return pages
  }

  for (const { name } of resources)
    describe(`on the list of ${name}`, () => {
      const word = unique('cursor')
      const time = { since: '', before: '' }
      /** Only the records of this block, also of holdings, which have no search. */
      const ownPath = () =>
        `${listPath(name)}?updated_since=${time.since}&updated_before=${time.before}`

      const ownFields = (text: string): object =>
        ({
          zines: { title: `${word} ${text}`, date: text in YEARS ? [YEARS[text]] : ['n.d.'] },
          agents: { display_name: `${word} ${text}` },
          repositories: { repository_name: word, established: text },
          holdings: { call_number: text },
        })[name]

      before(async () => {
        for (const text of TEXTS) {
          const { updated_at } = await given.record(resourceOf(name), ownFields(text))
          time.since ||= updated_at
        }
        time.before = (await given.record(resourceOf(name))).updated_at
      })

      it('answers the page object of a list, with previous null', async () => {
        const { body } = await service().get(`${ownPath()}&page_size=3&cursor=`)
        expect(body).to.have.all.keys('count', 'next', 'previous', 'results')
        expect([body.count, body.previous, body.results.length]).to.deep.equal([10, null, 3])
        const { body: byNumber } = await service().get(`${ownPath()}&page_size=3`)
        expect(body.results).to.deep.equal(byNumber.results)
      })

      it('keeps count, and previous null, on every page', async () => {
        const { body } = await service().get(`${ownPath()}&page_size=4&cursor=`)
        const { body: second } = await service().get(body.next.slice(service().url.length))
        expect([second.count, second.previous]).to.deep.equal([10, null])
      })

      for (const ordering of ORDERINGS[name])
        for (const size of [1, 3, 10])
          it(`leads through the list in pages of ${size}, ordered by “${ordering}”`, async () => {
            const path = `${ownPath()}&ordering=${ordering}`
            const pages = await readPages(`${path}&page_size=${size}&cursor=`)
            const { body } = await service().get(`${path}&page_size=100`)
            expect(body.count).to.equal(10)
            expect(pages.flat()).to.deep.equal(body.results)
            expect(pages).to.have.length(Math.ceil(10 / size))
          })
    })

  for (const resource of resources)
    describe(`on the list of ${resource.name}, while others write,`, () => {
      const { name, idField } = resource
      const create = async () => (await given.record(resource))[idField] as string
      const remove = (id: string | undefined) => service().delete(recordPath(name, id ?? ''))
      const readIds = async (path: string, between?: () => Promise<void>) =>
        (await readPages(path, between)).flat().map((record) => record[idField] as string)

      it('does not miss the first record of page 2 when a record of page 1 is deleted', async () => {
        for (let count = 0; count < 4; count += 1) await create()
        const path = `${listPath(name)}?page_size=2`
        const [first, , third] = await readIds(`${path}&cursor=`)
        const { body } = await service().get(`${path}&cursor=`)
        await remove(first)
        const { body: second } = await service().get(body.next.slice(service().url.length))
        expect(second.results[0][idField]).to.equal(third)
      })

      it('goes on where the last record of the page was, when that is deleted', async () => {
        for (let count = 0; count < 4; count += 1) await create()
        const path = `${listPath(name)}?page_size=2`
        const [, last, third] = await readIds(`${path}&cursor=`)
        const { body } = await service().get(`${path}&cursor=`)
        await remove(last)
        const { body: second } = await service().get(body.next.slice(service().url.length))
        expect(second.results[0][idField]).to.equal(third)
      })

      for (const ordering of ['', 'created_at'])
        it(`meets every record that stays exactly once, ordered by “${ordering}”`, async () => {
          const stay: string[] = []
          const leave: string[] = []
          for (let count = 0; count < 8; count += 1) {
            leave.push(await create())
            stay.push(await create())
          }
          const path = `${listPath(name)}?page_size=3&ordering=${ordering}&cursor=`
          let created = 0
          const met = await readIds(path, async () => {
            await remove(leave.pop())
            if (created++ < 10) await create()
          })
          const expected = ordering === '' ? stay.toReversed() : stay
          expect(met.filter((id) => stay.includes(id))).to.deep.equal(expected)
        })
    })

  describe('with q, while others write,', function () {
    const word = unique('searched')
    const wordBy = unique('maker')
    const idsOf = (page: any[]) => page.map(({ zine_id }) => zine_id as string)

    before(function () {
      if (!WITH_INDEX) this.skip()
    })

    for (const ordering of ['', 'created_at', '-title'])
      it(`meets every zine that stays exactly once, ordered by “${ordering}”`, async () => {
        const { agent_id } = await given.agent({ display_name: wordBy })
        const stay: string[] = []
        const leave: string[] = []
        const create = async (count: number) => {
          const text = `${word} ${'and more '.repeat(count % 3)}`
          const fields = { title: `${9 - count} ${text}`, abstract: text, creator: [agent_id] }
          return (await given.zine(fields)).zine_id
        }
        for (let count = 0; count < 8; count += 1) {
          leave.push(await create(count))
          stay.push(await create(count))
        }
        let turn = 0
        const path = `/api/zines/?q=${word}+${wordBy}&page_size=3&ordering=${ordering}&cursor=`
        const pages = await readPages(path, async () => {
          turn += 1
          await service().delete(recordPath('zines', leave.pop() ?? ''))
          // How much each word counts depends on all records.
          await given.zine({ title: `${word} ${word}` })
          await service().patch(recordPath('agents', agent_id), {
            display_name: `${wordBy} ${'Quill '.repeat(turn)}`,
          })
        })
        const met = idsOf(pages.flat()).filter((id) => stay.includes(id))
        expect(met).to.deep.equal(ordering === '' ? stay.toReversed() : stay)
      })

    it('takes words as they are typed, since writes decide which others are near', async () => {
      const { zine_id } = await given.zine({ title: 'Chrysanthemum' })
      const { body: byNumber } = await service().get('/api/zines/?q=chrysanthemun')
      expect(idsOf(byNumber.results)).to.deep.equal([zine_id])
      const { body } = await service().get('/api/zines/?q=chrysanthemun&cursor=')
      expect([body.count, body.next, body.did_you_mean]).to.deep.equal([0, null, 'chrysanthemum'])
    })

    for (const ordering of ['relevance', '-relevance', 'title,relevance'])
      it(`is no order of ${ordering}, in words`, async () => {
        const path = `/api/zines/?q=${word}&ordering=${ordering}`
        expect((await service().get(path)).status).to.equal(200)
        const { status, body } = await service().get(`${path}&cursor=`)
        expect(status).to.equal(400)
        expect(body).to.deep.equal({
          ordering: [
            'A list that is read by cursor is not ordered by relevance, which changes with every write.',
          ],
        })
      })
  })

  it('meets every zine of an Atom feed once, also those that are changed meanwhile', async () => {
    const word = unique('feed')
    const ids: string[] = []
    for (let count = 0; count < 6; count += 1)
      ids.push((await given.zine({ title: `${word} ${count}` })).zine_id)
    const met: string[] = []
    let next = `/api/zines/?search=${word}&format=atom&page_size=2&cursor=`
    while (next !== '') {
      const { status, text, headers } = await service().get(next)
      expect(status, text).to.equal(200)
      met.push(...ids.filter((id) => text.includes(`/${id}</id>`)).toReversed())
      next = links(headers).get('next')?.slice(service().url.length) ?? ''
      await service().patch(recordPath('zines', ids[0] ?? ''), { abstract: `read ${met.length}` })
    }
    expect(met).to.deep.equal(ids.toReversed())
  })

  describe('with a search, a filter and an order', () => {
    const word = unique('found')

    before(async () => {
      for (const title of ['c', 'a', 'd', 'b'])
        await given.zine({ title: `${title} ${word}`, language: ['pl'] })
      await given.zine({ title: `e ${word}`, language: ['en'] })
    })

    it('has the matching records only, and keeps the parameters in next', async () => {
      const path = `/api/zines/?search=${word}&language=pl&ordering=title&page_size=3`
      const { body } = await service().get(`${path}&cursor=`)
      const next = new URL(body.next)
      expect(next.origin).to.equal(service().url)
      expect([...next.searchParams.keys()]).to.deep.equal([
        'search',
        'language',
        'ordering',
        'page_size',
        'cursor',
      ])
      const pages = await readPages(`${path}&cursor=`)
      const titles = pages.flat().map(({ title }) => title[0])
      expect(titles).to.deep.equal(['a', 'b', 'c', 'd'])
    })

    it('goes on with another page size', async () => {
      const path = `/api/zines/?search=${word}&ordering=-title`
      const { body } = await service().get(`${path}&page_size=1&cursor=`)
      const cursor = new URL(body.next).searchParams.get('cursor')
      const { body: rest } = await service().get(`${path}&page_size=100&cursor=${cursor}`)
      expect(rest.results.map(({ title }: any) => title[0])).to.deep.equal(['d', 'c', 'b', 'a'])
      expect([rest.count, rest.next]).to.deep.equal([5, null])
    })

    it('answers an empty page of an empty list', async () => {
      const { status, body } = await service().get(`/api/zines/?search=${unique('none')}&cursor=`)
      expect(status).to.equal(200)
      expect(body).to.deep.equal({ count: 0, next: null, previous: null, results: [] })
    })

    for (const format of ['json', 'jsonld', 'turtle', 'csv', 'dc', 'marcxml', 'bibtex'])
      it(`has only next among the links of the format ${format}, and no link on the last page`, async () => {
        const path = `/api/zines/?search=${word}&page_size=3&format=${format}`
        const first = await service().get(`${path}&cursor=`)
        expect(first.status, first.text).to.equal(200)
        expect(first.headers.get('x-total-count')).to.equal('5')
        expect(pageLinks(first.headers)).to.deep.equal(['next'])
        const next = links(first.headers).get('next') ?? ''
        const second = await service().get(next.slice(service().url.length))
        expect(second.status, second.text).to.equal(200)
        expect(pageLinks(second.headers)).to.deep.equal([])
        expect(second.text).not.to.equal(first.text)
      })

    it('has the next of the body in the Link header', async () => {
      const answer = await service().get(`/api/zines/?search=${word}&page_size=3&cursor=`)
      expect(links(answer.headers).get('next')).to.equal(answer.body.next)
    })

    it('has next in the Link header also between records with long titles and identifiers', async () => {
      const long = unique('long')
      for (const first of ['a', 'b', 'c'])
        await given.zine({
          zine_id: `${first}${long}${'雑'.repeat(80)}`,
          title: `${first}${long}${'雑'.repeat(480)}`,
        })
      for (const ordering of ['title', '-title', '-created_at', '-title,created_at']) {
        const path = `/api/zines/?search=${long}&page_size=1&format=csv&ordering=${ordering}`
        const first = await service().get(`${path}&cursor=`)
        const next = links(first.headers).get('next') ?? ''
        expect(next.length).to.be.within(1, 300)
        const second = await service().get(next.slice(service().url.length))
        expect(second.text.split('\r\n')[1]).to.match(/^b/)
        expect(pageLinks(second.headers)).to.deep.equal(['next'])
      }
    })

    it('names one collection on all pages in RDF', async () => {
      const path = `/api/zines/?search=${word}&page_size=3&format=ntriples`
      const collections = new Set<string>()
      for (let next = `${path}&cursor=`; next !== '';) {
        const answer = await service().get(next)
        for (const [, iri = ''] of answer.text.matchAll(/<([^>]*)> <[^>]*totalItems>/g))
          collections.add(iri)
        next = links(answer.headers).get('next')?.slice(service().url.length) ?? ''
      }
      expect([...collections]).to.deep.equal([
        `${service().url}/api/zines/?search=${word}#collection`,
      ])
    })

    it('answers 304 while nothing is written, and 200 after a write', async () => {
      const path = `/api/zines/?search=${word}&page_size=3&cursor=`
      const { headers } = await service().get(path)
      const condition = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
      expect((await service().get(path, condition)).status).to.equal(304)
      await given.zine({ title: `f ${word}` })
      expect((await service().get(path, condition)).status).to.equal(200)
    })
  })

  describe('answers 400', () => {
    const word = unique('refused')

    before(async () => {
      for (const title of ['a', 'b', 'c']) await given.zine({ title: `${title} ${word}` })
    })

    /** A cursor of the list of zines by title. */
    async function validCursor(): Promise<string> {
      const { body } = await service().get(
        `/api/zines/?search=${word}&ordering=title&page_size=1&cursor=`,
      )
      return new URL(body.next).searchParams.get('cursor') ?? ''
    }

    for (const page of ['1', '2', 'x'])
      it(`with page=${page}`, async () => {
        const cursor = await validCursor()
        for (const one of ['', cursor]) {
          const path = `/api/zines/?ordering=title&page=${page}&cursor=${one}`
          const { status, body } = await service().get(path)
          expect(status).to.equal(400)
          expect(body).to.deep.equal({ detail: 'A list is read either by page or by cursor.' })
        }
      })

    for (const [how, change] of [
      ['cut short', (cursor: string) => cursor.slice(0, -4)],
      ['continued', (cursor: string) => `${cursor}AAAA`],
      ['with another character', (cursor: string) => `${cursor}!`],
      ['with a space', (cursor: string) => `${cursor.slice(0, 9)}%20${cursor.slice(9)}`],
      ['changed in the middle', (cursor: string) => `${cursor.slice(0, 20)}x${cursor.slice(21)}`],
      ['of one character', () => 'x'],
      ['of a number', () => '2'],
      ['of no UTF-8', () => '_____________w'],
      ['of JSON', () => Buffer.from('["a","b"]').toString('base64url')],
    ] as const)
      it(`for a cursor ${how}`, async () => {
        const changed = change(await validCursor())
        const path = `/api/zines/?ordering=title&cursor=${changed}`
        const { status, body } = await service().get(path)
        expect(status).to.equal(400)
        expect(body).to.deep.equal({ detail: 'Invalid cursor.' })
      })

    for (const path of [
      '/api/zines/?',
      '/api/zines/?ordering=-title&',
      '/api/zines/?ordering=title,created_at&',
      '/api/agents/?ordering=title&',
    ])
      it(`for a cursor of another list, at ${path}`, async () => {
        const { status, body } = await service().get(`${path}cursor=${await validCursor()}`)
        expect(status).to.equal(400)
        expect(body).to.deep.equal({ detail: 'Invalid cursor.' })
      })

    it('in every format', async () => {
      for (const format of ['csv', 'turtle', 'marcxml'])
        expect((await service().get(`/api/zines/?format=${format}&cursor=x`)).status).to.equal(400)
    })
  })
})
