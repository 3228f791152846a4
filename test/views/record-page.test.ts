// The pages of records and lists: an agent's relations to zines, and the issues of a title.

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { useService } from '../service.js'
import { open } from './browser.js'

describe('the page of', () => {
  const service = useService()

  before(async () => {
    for (const id of ['maker', 'press', 'idle'])
      await service().post('/api/agents/', agent(id, { display_name: `The ${id}` }))
    for (let issue = 1; issue <= 30; issue += 1)
      await service().post(
        '/api/zines/',
        zine(`profane-${String(issue)}`, {
          title: 'Profane Existence',
          issue_designation: `no. ${issue}`,
          publisher: ['press'],
          contributor: issue === 7 ? ['press'] : [],
        }),
      )
    await service().post('/api/zines/', zine('alone', { title: 'Alone', issue_designation: '' }))
  })

  const relations = async (id: string) =>
    (await open(service(), `/api/agents/${id}/`))
      .all('section', 'related')
      .map((section) => section.all('h2')[0]?.text.trim().replace(/\s+/g, ' '))

  it('an agent that only publishes lists what they published and contributed to', async () => {
    expect(await relations('press')).to.deep.equal(['Contributed to 1', 'Published 30'])
    const page = await open(service(), '/api/agents/press/')
    const links = page.all('a').map(({ attributes }) => attributes.href)
    expect(links).to.include('/api/zines/?publisher=press')
    const { body } = await service().get('/api/zines/?publisher=press')
    expect(body.count).to.equal(30)
  })

  it('an agent without zines says that there are none', async () => {
    expect(await relations('idle')).to.deep.equal(['Made 0'])
  })

  it('an issue names the issue in its heading and its title', async () => {
    const page = await open(service(), '/api/zines/profane-7/')
    expect(page.all('h1')[0]?.text.trim()).to.equal('Profane Existence, no. 7')
    expect(page.all('title')[0]?.text).to.include('Profane Existence, no. 7')
    const other = await open(service(), '/api/zines/alone/')
    expect(other.all('h1')[0]?.text.trim()).to.equal('Alone')
  })

  it('a title has its language, and its direction is found from its text', async () => {
    const page = await open(service(), '/api/zines/profane-7/')
    expect(page.all('h1')[0]?.attributes).to.include({ dir: 'auto', lang: 'en' })
  })

  it('a zine leads to the place that its place of publication names, which leads to its zines', async () => {
    const places = ['Portland, Oregon', 'Stapleton Parva']
    const made = zine('placed', { title: 'Somewhere', place_of_publication: places })
    await service().post('/api/zines/', made)
    const page = await open(service(), '/api/zines/placed/')
    const links = page.all('a').filter(({ text }) => places.includes(text.trim()))
    expect(links.map(({ attributes }) => attributes.href)).to.deep.equal([
      '/api/geography/places/5746545/',
    ])
    for (const place of ['5746545', '5744337', '6252001']) {
      const placePage = await open(service(), `/api/geography/places/${place}/`)
      const [box] = placePage.all('section', 'related')
      expect(box?.all('h2')[0]?.text.replace(/\s+/g, ' ').trim()).to.equal('Zines made here 1')
      expect(box?.all('a').map(({ attributes }) => attributes.href)).to.include(
        '/api/zines/placed/',
      )
    }
    await service().delete('/api/zines/placed/')
  })

  it('a record links each concept to its own page, which leads to the records that have it', async () => {
    const concepts = {
      ...{ subject: ['punk'], genre: ['perzine'], format: ['a5'], language: ['en'] },
      rights: ['cc0'],
    }
    await service().post('/api/zines/', zine('tagged', { title: 'A tag', ...concepts }))
    const page = await open(service(), '/api/zines/tagged/')
    const links = page.all('a').map(({ attributes }) => attributes.href ?? '')
    const concept = /^\/api\/(?:vocabularies|geography)\/[a-z-]+\/[^/]+\/$/
    const found = links.filter((link) => concept.test(link))
    expect(found).to.have.members([
      '/api/vocabularies/subjects/punk/',
      '/api/vocabularies/genres/perzine/',
      '/api/vocabularies/formats/a5/',
      '/api/vocabularies/rights-status/cc0/',
      '/api/geography/languages/en/',
    ])
    for (const link of found) {
      const { body } = await service().get(`${link}?format=json`)
      expect((await open(service(), link)).all('h1')[0]?.text).to.equal(body.label)
    }
    const subject = await open(service(), '/api/vocabularies/subjects/punk/')
    expect(subject.all('a').map(({ attributes }) => attributes.href)).to.include(
      '/api/zines/?subject=punk',
    )
    await service().delete('/api/zines/tagged/')
  })

  const issues = async (query: string) =>
    (await open(service(), `/api/zines/${query}`))
      .all('span', 'issue')
      .map(({ text }) => Number(text.replace(/\D/g, '')))

  it('a list by title has the issues in the order of their numbers, over all pages', async () => {
    const pages = [
      await issues('?ordering=title&page_size=10&page=1'),
      await issues('?ordering=title&page_size=10&page=2'),
      await issues('?ordering=title&page_size=10&page=3'),
      await issues('?ordering=title&page_size=10&page=4'),
    ]
    expect(pages.flat()).to.deep.equal(Array.from({ length: 30 }, (_, index) => index + 1))
  })

  it('a list by title downwards has the issues downwards', async () => {
    expect((await issues('?ordering=-title&page_size=5')).slice(0, 5)).to.deep.equal([
      30, 29, 28, 27, 26,
    ])
  })

  it('a list by title as JSON keeps the order of the API', async () => {
    const { body } = await service().get('/api/zines/?ordering=title&page_size=4')
    expect(body.results.map(({ zine_id }: { zine_id: string }) => zine_id)).to.deep.equal([
      'alone',
      'profane-1',
      'profane-10',
      'profane-11',
    ])
  })
})
