// The lists of editors that a record is in, on its page: for whom, and under which identifier.

import { expect } from 'chai'

import { agent, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { browse, look } from '../../views/browser.js'

describe('the page of a record', () => {
  const service = useService({ BASE_URL: 'http://localhost' })

  async function makeList(slug: string, id: string, isPublic = true): Promise<void> {
    const records = [{ kind: 'zines', id }]
    const body = { slug, title: `List ${slug}`, public: isPublic, records }
    const { status, text } = await service().post('/api/lists/', body)
    expect(status, text).to.equal(201)
  }

  const pageOf = async (id: string): Promise<string> =>
    (await look(service(), `/api/zines/${id}/`)).text

  before(async () => {
    await service().post('/api/agents/', agent('ann'))
    for (const id of ['a', 'b', 'c', 'old'])
      await service().post('/api/zines/', zine(id, { title: `Zine ${id}`, creator: ['ann'] }))
  })

  it('says nothing of lists that it is not in', async () => {
    await makeList('other', 'b')
    expect(await pageOf('a')).not.to.include('On these lists')
  })

  it('leads to the lists that it is in, until it is in them no more', async () => {
    await makeList('mine', 'a')
    expect(await pageOf('a')).to.include('<a href="/api/lists/mine/" dir="auto">List mine</a>')
    await service().put('/api/lists/mine/', { title: 'List mine', public: true, records: [] })
    expect(await pageOf('a')).not.to.include('On these lists')
  })

  it('says to editors alone that it is in a list that is not public', async () => {
    await makeList('closed', 'b', false)
    expect(await pageOf('b'))
      .to.include('List other')
      .and.not.include('List closed')
    for (const name of ['editor', 'zines-editor']) {
      const browser = browse(service().url)
      await browser.signIn(name)
      const { text } = await browser.get('/api/zines/b/')
      expect(text.includes('List closed'), name).to.equal(name === 'editor')
    }
    await service().put('/api/lists/other/', { title: 'List other', public: false, records: [] })
    expect(await pageOf('b')).not.to.include('On these lists')
  })

  it('has the lists that name it by a former identifier', async () => {
    await makeList('named', 'old')
    await service().post('/api/zines/old/rename/', { id: 'newer' })
    await service().post('/api/zines/newer/rename/', { id: 'newest' })
    expect(await pageOf('newest')).to.include('List named')
  })

  it('shows ten lists, and how many more there are', async () => {
    for (let number = 1; number <= 12; number += 1) await makeList(`many-${number}`, 'c')
    const text = await pageOf('c')
    expect(text.match(/href="\/api\/lists\/many-/g)).to.have.length(10)
    expect(text).to.include('and 2 more')
  })
})
