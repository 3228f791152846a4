// The pages of records and lists: an agent's relations to zines, and the issues of a title.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { PASSWORD, useService } from '../../service.js'
import { type Browser, browse, look, open, read } from '../../views/browser.js'

/** What pages call the field `public` of agents. */
const label = 'Public'

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
    expect(await relations('press')).to.deep.equal(['Contributed to (1)', 'Published (30)'])
    const page = await open(service(), '/api/agents/press/')
    const links = page.all('a').map(({ attributes }) => attributes.href)
    expect(links).to.include('/api/zines/?publisher=press&ordering=-year')
    const { body } = await service().get('/api/zines/?publisher=press')
    expect(body.count).to.equal(30)
  })

  it('a maker has the first page of their zines, and leads to the others in their list', async () => {
    const page = await open(service(), '/api/agents/press/')
    const published = page.all('section', 'related').at(-1)
    expect(published?.all('article')).to.have.lengthOf(25)
    const pages = published?.all('nav', 'pager')[0]
    expect(pages?.text).to.include('Page 1 of 2')
    const next = pages?.all('a').find(({ attributes }) => attributes.rel === 'next')
    expect(next?.attributes.href).to.equal('/api/zines/?publisher=press&ordering=-year&page=2')
    const path = '/api/zines/?publisher=press&ordering=-year'
    const listed = (await service().get(path)).body.results
    const shown = published?.all('article').map((one) => one.all('a')[0]?.attributes.href)
    expect(shown).to.deep.equal(listed.map((one: any) => `/api/zines/${one.zine_id}/`))
  })

  it('a library lists its zines and those that no other library has', async () => {
    for (const id of ['attic', 'cellar', 'twin'])
      await service().post('/api/repositories/', repository(id))
    const held = { attic: ['profane-1', 'profane-2'], cellar: ['profane-2', 'alone'], twin: [] }
    for (const [repository_id, zines] of Object.entries(held))
      for (const zine_id of zines)
        await service().post(
          '/api/holdings/',
          holding(`${repository_id}-${zine_id}`, { zine_id, repository_id }),
        )
    const relationsOf = async (id: string) =>
      (await open(service(), `/api/repositories/${id}/`)).all('section', 'related')
    const [zines, alone, copies] = await relationsOf('cellar')
    expect(zines?.all('h2')[0]?.text).to.match(/Zines\s+\(2\)/)
    expect(alone?.all('h2')[0]?.text).to.match(/In no other library\s+\(1\)/)
    expect(alone?.text).to.include('Alone').and.not.include('Profane')
    expect(copies?.all('h2')[0]?.text).to.match(/Copies\s+\(2\)/)
    expect((await relationsOf('twin')).map((one) => one.all('h2')[0]?.text)).to.have.lengthOf(1)
  })

  it('a term has the first page of its zines, also where it is a format', async () => {
    const page = await open(service(), '/api/vocabularies/genres/perzine/')
    expect(page.all('section', 'related')[0]?.all('article')).to.have.lengthOf(25)
    expect(page.text).to.include('Page 1 of 2')
    await service().patch('/api/zines/alone/', { format: ['mini'] })
    const format = await open(service(), '/api/vocabularies/formats/mini/')
    const [zines] = format.all('section', 'related')
    expect(zines?.text).to.include('Alone').and.not.include('Profane')
  })

  it('an agent without zines says that there are none', async () => {
    expect(await relations('idle')).to.deep.equal(['Zines (0)'])
  })

  it('an issue names the issue in its heading and its title', async () => {
    const page = await open(service(), '/api/zines/profane-7/')
    expect(page.all('h1')[0]?.text.trim()).to.equal('Profane Existence, no. 7')
    expect(page.all('title')[0]?.text).to.include('Profane Existence, no. 7')
    const other = await open(service(), '/api/zines/alone/')
    expect(other.all('h1')[0]?.text.trim()).to.equal('Alone')
  })

  it('an agent has its pronouns next to the name', async () => {
    await service().post('/api/agents/', agent('alex', { pronouns: ['they/them', 'she/her'] }))
    const [name] = (await open(service(), '/api/agents/alex/')).all('div', 'name')
    expect(name?.all('h1')[0]?.text.trim()).to.equal('Maker alex')
    expect(name?.all('p', 'pronouns')[0]?.text.trim()).to.equal('they/them, she/her')
    expect((await open(service(), '/api/agents/idle/')).all('p', 'pronouns')).to.be.empty
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
      expect(box?.all('h2')[0]?.text.replace(/\s+/g, ' ').trim()).to.equal('Zines made here (1)')
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

  describe('an agent, and the list of them, where some are not public', () => {
    const onPages = ['/api/agents/discreet/', '/api/agents/', '/api/agents/?public=false'] as const
    let editor: Browser
    let zineEditor: Browser

    before(async () => {
      const discreet = agent('discreet', { display_name: 'Dot', public: false })
      await service().post('/api/agents/', discreet)
      editor = await signedIn('agents')
      zineEditor = await signedIn('zines')
    })

    async function signedIn(only: string): Promise<Browser> {
      const name = `of-${only}`
      const account = { name, password: PASSWORD, role: 'editor', restrictedTo: [only] }
      await service().accounts.add(account)
      const browser = browse(service().url)
      await browser.signIn(name)
      return browser
    }

    it('say to no reader who is not public, neither in words nor by a filter', async () => {
      for (const path of onPages)
        for (const get of [(at: string) => look(service(), at), zineEditor.get]) {
          const { text } = await get(path)
          const page = read(text)
          expect(page.text, path).to.include('Dot').and.not.include('"public"')
          expect(page.all('dt').map((dt) => dt.text.trim())).not.to.include(label)
          expect(page.text).not.to.include(label)
          expect(text).not.to.include('facet-public').and.not.include('?public=')
        }
    })

    it('list all for a reader, whatever the address says of it', async () => {
      const { text } = await look(service(), '/api/agents/?public=false')
      expect(read(text).text).to.include('The maker')
    })

    it('say it to editors of agents', async () => {
      for (const path of onPages) expect(read((await editor.get(path)).text).text).to.include(label)
    })

    it('have it in every answer of the API', async () => {
      expect((await service().get('/api/agents/discreet/')).body.public).to.equal(false)
      expect((await service().get('/api/agents/?public=false')).body.count).to.equal(1)
    })
  })
})
