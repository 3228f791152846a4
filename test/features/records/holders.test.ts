// Which libraries have a zine, as rows of lists say it.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { type Element, open } from '../../views/browser.js'

describe('a row of a zine', () => {
  const service = useService()

  /** The libraries of each zine. */
  const held: Readonly<Record<string, readonly string[]>> = {
    none: [],
    one: ['attic'],
    two: ['attic', 'cellar'],
    three: ['attic', 'cellar', 'loft'],
  }

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    for (const id of ['attic', 'cellar', 'loft'])
      await service().post(
        '/api/repositories/',
        repository(id, { repository_name: `The ${id}`, city: 'Portland' }),
      )
    for (const [id, libraries] of Object.entries(held)) {
      const place_of_publication = ['Portland, Oregon']
      await service().post('/api/zines/', zine(id, { title: `Rowed ${id}`, place_of_publication }))
      for (const repository_id of libraries)
        // Two copies in each: a library is named once.
        for (const copy of [1, 2])
          await service().post(
            '/api/holdings/',
            holding(`${id}-${repository_id}-${copy}`, { zine_id: id, repository_id }),
          )
    }
  })

  /** What the rows of zines on a page say of libraries, by their titles. */
  async function rowsOn(path: string): Promise<Readonly<Record<string, string>>> {
    const isZine = (row: Element) => row.all('a')[0]?.attributes.href?.startsWith('/api/zines/')
    const rows = (await open(service(), path)).all('article', 'summary').filter(isZine)
    return Object.fromEntries(
      rows.map((row) => [
        row.all('h3')[0]?.text.trim().replace('Rowed ', '').split(/\s/)[0] ?? '',
        row.all('p', 'held')[0]?.text ?? '',
      ]),
    )
  }

  const expected = {
    none: 'No library copy',
    one: 'Library: The attic',
    two: 'Libraries: The attic, The cellar',
    three: '3 libraries',
  }

  for (const [where, path] of [
    ['a list', '/api/zines/?view=list'],
    ['a list of covers', '/api/zines/?view=grid'],
    ['the results of a search in a list', '/api/zines/?q=rowed&view=list'],
    ['a search of the whole catalogue', '/api/search/?q=rowed'],
    ['the page of a maker', '/api/agents/maker/'],
    ['the page of a subject', '/api/vocabularies/genres/perzine/'],
    ['the page of a place', '/api/geography/places/5746545/'],
  ] as const)
    it(`names one or two libraries, else how many there are: on ${where}`, async () => {
      expect(await rowsOn(path)).to.include(expected)
    })

  it('names the other libraries on the page of one', async () => {
    expect(await rowsOn('/api/repositories/attic/')).to.include({
      one: '',
      two: 'Also at: The cellar',
      three: 'Also at: The cellar, The loft',
    })
  })

  it('does not name a library that is hidden', async () => {
    const hide = async (visibility: string) =>
      service().patch('/api/repositories/cellar/', { visibility })
    expect((await hide('hidden')).status).to.equal(200)
    try {
      expect(await rowsOn('/api/zines/?view=list')).to.include({
        two: 'Library: The attic',
        three: 'Libraries: The attic, The loft',
      })
      const page = await open(service(), '/api/zines/two/')
      expect(page.text).to.include('The attic').and.not.include('The cellar')
    } finally {
      await hide('public')
    }
    expect(await rowsOn('/api/zines/?view=list')).to.include(expected)
  })

  it('is the same in JSON as before, without libraries', async () => {
    const { body } = await service().get('/api/zines/?page_size=1')
    expect(body.results[0]).not.to.have.any.keys('holdings', 'libraries')
  })
})
