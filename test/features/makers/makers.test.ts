// Tests the list of makers from A to Z: letters, order, numbers of zines, and that no private name is in it.

import { expect } from 'chai'

import { useCatalogue } from '../../http/catalogue.js'

describe('the list of makers from A to Z', () => {
  const { service, given } = useCatalogue()

  before(async () => {
    const names: Readonly<Record<string, object>> = {
      dot: { display_name: 'Dot Matrix', sort_name: 'Matrix, Dot' },
      article: { display_name: 'The Émigrés' },
      e: { display_name: 'e e cummings' },
      digits: { display_name: '2 Fast' },
      hidden: {
        display_name: 'Ella',
        public: false,
        legal_name: 'Eve Closed',
        email: 'e@x.example',
      },
    }
    for (const [agent_id, fields] of Object.entries(names))
      await given.agent({ agent_id, ...fields })
    for (const creator of [['dot'], ['dot', 'hidden']]) await given.zine({ creator })
  })

  const makers = async (query = '') => {
    const { status, body, text } = await service().get(`/makers${query}`)
    expect(status, text).to.equal(200)
    return body
  }

  const filed = async (query: string): Promise<readonly string[]> =>
    (await makers(query)).results.map(({ filed_as, zines }: any) => `${filed_as} ${zines}`)

  it('has all letters with their numbers, those that are none last', async () => {
    const { letters, letter } = await makers()
    const found = letters.map((one: any) => `${one.letter}${one.count}`).join(' ')
    // The examples of other tests are makers too.
    expect(found).to.match(/\bE3\b.*\bM\d+\b.* #1$/)
    expect(letter).to.equal(letters[0].letter)
  })

  it('sorts names whatever their case, accents and articles', async () =>
    expect(await filed('?letter=E')).to.deep.equal(['e e cummings 0', 'Ella 1', 'The Émigrés 0']))

  it('files makers under their sort names, with the name that they have', async () => {
    const { results } = await makers('?letter=m')
    expect(results.find((one: any) => one.agent_id === 'dot')).to.deep.equal({
      agent_id: 'dot',
      display_name: 'Dot Matrix',
      filed_as: 'Matrix, Dot',
      zines: 2,
      url: `${service().url}/api/agents/dot/`,
    })
    expect(await filed('?letter=%23')).to.deep.equal(['2 Fast 0'])
  })

  it('is paged', async () => {
    const { count, next, previous, results } = await makers('?letter=E&page_size=2&page=2')
    expect([count, next, results.length]).to.deep.equal([3, null, 1])
    expect(previous).to.equal(`${service().url}/makers?letter=E&page_size=2`)
    expect((await service().get('/makers?letter=E&page=9')).status).to.equal(404)
  })

  it('is a 400 for what is no letter, and empty for one that no name begins with', async () => {
    expect((await service().get('/makers?letter=AB')).body).to.have.key('letter')
    expect((await makers('?letter=Q')).results).to.deep.equal([])
  })

  it('follows what is written', async () => {
    await given.agent({ agent_id: 'new', display_name: 'Queen' })
    expect(await filed('?letter=Q')).to.deep.equal(['Queen 0'])
    await service().patch('/api/agents/new/', { display_name: 'Quill' })
    expect(await filed('?letter=Q')).to.deep.equal(['Quill 0'])
    await service().delete('/api/agents/new/')
    expect(await filed('?letter=Q')).to.deep.equal([])
  })

  it('has no private name', async () => {
    for (const format of ['json', 'html']) {
      const { text } = await service().get(`/makers?letter=E&format=${format}`)
      expect(text).to.include('Ella').and.not.include('Closed').and.not.include('e@x.example')
    }
    expect((await makers('?letter=C')).results).to.deep.equal([])
  })
})
