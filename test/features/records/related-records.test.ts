// The zines on the pages of makers, libraries, subjects and places: their order, and the menu of
// orders, there and on the pages of lists.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { type Element, open } from '../../views/browser.js'

describe('the zines on the page of', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/repositories/', repository('attic'))
    const zines = { b: ['1994'], a: ['1998', '1987'], d: ['undated'], c: ['c. 2003'] }
    for (const [id, date] of Object.entries(zines)) {
      const own = { creator: ['maker'], contributor: id === 'd' ? ['maker'] : [] }
      const place_of_publication = ['Portland, Oregon']
      await service().post(
        '/api/zines/',
        zine(id, { title: `No. ${id}`, date, subject: ['punk'], place_of_publication, ...own }),
      )
      await service().post('/api/holdings/', holding(id, { zine_id: id, repository_id: 'attic' }))
    }
  })

  /** The first list of zines of a page. */
  async function listOn(path: string): Promise<Element> {
    const [list] = (await open(service(), path)).all('section', 'related')
    if (!list) throw new Error(`${path} lists nothing`)
    return list
  }

  const zinesIn = (list: Element): string =>
    list
      .all('article')
      .map((one) => one.all('a')[0]?.attributes.href?.split('/').at(-2))
      .join('')

  const linksOf = (list: Element) => list.all('nav', 'orders')[0]?.all('a') ?? []

  const pages = {
    'a maker': '/api/agents/maker/',
    'a library': '/api/repositories/attic/',
    'a subject': '/api/vocabularies/subjects/punk/',
    'a place': '/api/geography/places/5746545/',
  }
  for (const [what, path] of Object.entries(pages)) {
    it(`${what} are the newest first, the undated last`, async () =>
      expect(zinesIn(await listOn(path))).to.equal('cbad'))

    it(`${what} come in each order of the menu, which says which it is`, async () => {
      const found: Record<string, string> = {}
      for (const { text, attributes } of linksOf(await listOn(path))) {
        const { href = '' } = attributes
        const list = await listOn(href)
        expect(href).to.match(new RegExp(`#${list.attributes.id ?? 'none'}$`))
        const current = linksOf(list).filter((link) => link.attributes['aria-current'] === 'true')
        expect(current.map((link) => link.text)).to.deep.equal([text])
        found[text] = zinesIn(list)
      }
      expect(found).to.deep.equal({
        Newest: 'cbad',
        Oldest: 'abcd',
        'By title': 'abcd',
        'Recently added': 'cdab',
      })
    })
  }

  it('a subject are the newest first for an order that there is none of', async () =>
    expect(zinesIn(await listOn('/api/vocabularies/subjects/punk/?ordering=colour'))).to.equal(
      'cbad',
    ))

  it('a maker have no menu of orders where there is one alone', async () => {
    const [made, contributed] = (await open(service(), '/api/agents/maker/')).all(
      'section',
      'related',
    )
    expect(made?.all('nav', 'orders')).to.have.lengthOf(1)
    expect(contributed?.all('article')).to.have.lengthOf(1)
    expect(contributed?.all('nav', 'orders')).to.have.lengthOf(0)
  })

  it('a list are recently added first, as in JSON, and can be ordered by year', async () => {
    const page = await open(service(), '/api/zines/')
    const ids = page
      .all('article')
      .map((one) => one.all('a')[0]?.attributes.href?.split('/').at(-2))
    expect(ids.join('')).to.equal('cdab')
    const { body } = await service().get('/api/zines/')
    expect(body.results.map((one: any) => one.zine_id).join('')).to.equal('cdab')
    const options = page.all('option').map(({ text, attributes }) => [attributes.value, text])
    expect(options.slice(0, 3)).to.deep.equal([
      ['', 'Recently added'],
      ['-year', 'Newest'],
      ['year', 'Oldest'],
    ])
    const chosen = (await open(service(), '/api/zines/?ordering=-year'))
      .all('option')
      .filter(({ attributes }) => 'selected' in attributes)
    expect(chosen.map(({ text }) => text)).to.deep.equal(['Newest'])
  })

  it('a list of makers has no order by year', async () => {
    const options = (await open(service(), '/api/agents/')).all('option')
    expect(options.map(({ text }) => text))
      .to.include('Recently added')
      .and.not.include('Newest')
  })
})
