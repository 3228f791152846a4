// What pages give a reader's browser to keep of a zine: what everyone sees of it, and of hidden zines nothing.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { expectNoMark, SECRETS } from '../../http/secrets.js'
import { useService } from '../../service.js'
import { type Element, browse, open, read } from '../../views/browser.js'

describe('what a browser keeps of a zine', () => {
  const service = useService({ BASE_URL: 'http://localhost' })

  before(async () => {
    const { post } = service()
    await post('/api/agents/', agent('maker', { display_name: 'Ann', ...SECRETS }))
    await post('/api/zines/', zine('zine', { title: 'A "zine" <b>', issue_designation: 'no. 1' }))
    await post('/api/zines/', zine('hidden', { visibility: 'hidden' }))
    for (const number of [1, 2, 3, 4, 5, 6, 7]) {
      const id = `library-${number}`
      await post('/api/repositories/', repository(id))
      const copy = { zine_id: 'zine', repository_id: id, call_number: `Z ${number}` }
      await post('/api/holdings/', holding(id, copy))
    }
  })

  const keptOn = (page: Element): readonly unknown[] =>
    page.all('div', 'keep').map(({ attributes }) => JSON.parse(attributes['data-keep'] ?? ''))

  it('is its title, makers, dates and libraries with call numbers, on its page and in rows', async () => {
    const expected = {
      id: 'zine',
      title: 'A "zine" <b>, no. 1',
      line: 'Ann · 1994',
      language: 'en',
      libraries: [1, 2, 3, 4, 5].map((number) => `Library library-${number} (Z ${number})`),
      more: 2,
    }
    for (const path of ['/api/zines/zine/', '/api/zines/?view=list', '/api/zines/?view=grid'])
      expect(keptOn(await open(service(), path)), path).to.deep.equal([expected])
  })

  it('is nothing of a hidden zine, nor what is private, for an editor too', async () => {
    const browser = browse(service().url)
    await browser.signIn('editor')
    const openSignedIn = async (path: string): Promise<Element> =>
      read((await browser.get(path)).text)
    const page = await openSignedIn('/api/zines/hidden/')
    expect(page.text).to.include('Hidden: only editors see this record.')
    const records = [{ kind: 'zines', id: 'hidden' }]
    const list = { slug: 'list', title: 'List', text: '', public: true, records }
    expect((await service().post('/api/lists/', list)).status).to.equal(201)
    const listPage = await openSignedIn('/api/lists/list/')
    expect(listPage.text).to.include('Zine hidden')
    for (const kept of [...keptOn(page), ...keptOn(listPage)])
      expect(JSON.stringify(kept)).not.to.include('hidden')
    for (const path of ['/api/zines/zine/?private=true', '/api/zines/', '/api/agents/maker/'])
      expectNoMark(JSON.stringify(keptOn(await openSignedIn(path))))
  })

  it('is nothing of other records', async () => {
    for (const path of ['/api/agents/', '/api/repositories/', '/api/holdings/'])
      expect(keptOn(await open(service(), path)), path).to.deep.equal([])
  })
})
