// The worklists: their counts, and the lists and forms that they lead to.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { WITH_INDEX, useService } from '../../service.js'
import { browse, read } from '../../views/browser.js'

describe('the worklists', () => {
  const service = useService({ BASE_URL: 'http://localhost' })

  before(async () => {
    const { post, ask } = service()
    await post('/api/agents/', agent('maker'))
    await post('/api/agents/', agent('nobody', { display_name: 'Unknown maker' }))
    await post('/api/agents/', agent('gone'))
    await post('/api/repositories/', repository('library'))
    const zines: readonly (readonly [id: string, values: object])[] = [
      ['whole', {}],
      ['undated', { date: ['undated'] }],
      ['unknown', { creator: ['nobody'] }],
      ['general', { subject: ['zines'] }],
      ['general-too', { subject: ['zines'] }],
      ['broken', { creator: ['maker', 'gone'] }],
      ['twin', { title: 'Twin' }],
      ['twin-2', { title: 'Twin' }],
    ]
    for (const [id, values] of zines) {
      const { status, text } = await post('/api/zines/', zine(id, { title: id, ...values }))
      expect(status, text).to.equal(201)
    }
    for (const id of ['whole', 'undated'])
      await post('/api/holdings/', holding(`copy-${id}`, { zine_id: id }))
    await ask('DELETE', '/api/agents/gone/')
  })

  const open = async (name: string) => {
    const browser = browse(service().url)
    await browser.signIn(name)
    const { status, text } = await browser.get('/manage/worklists')
    expect(status).to.equal(200)
    return { browser, page: read(text) }
  }

  it('count what needs work', async () => {
    const { page } = await open('editor')
    const shown = page.all('h2').map((heading) => heading.text.replace(/\s+/g, ' ').trim())
    expect(shown).to.deep.equal([
      'No library copy 6',
      'Undated 1',
      'Unknown maker 1',
      'Only a general subject 2',
      'Broken reference 1',
      'Likely duplicates 1',
      'Hidden records 0',
    ])
  })

  it('lead to a list with as many zines, and to a batch edit of them', async () => {
    const { browser, page } = await open('editor')
    const links = page
      .all('ul', 'worklists')[0]
      ?.all('a')
      .map(({ attributes }) => attributes.href ?? '')
    expect(links).to.include('/api/zines/?only_general_subject=true')
    for (const link of links ?? []) expect((await browser.get(link)).status, link).to.equal(200)
    const list = await browser.get('/api/zines/?only_general_subject=true')
    expect(
      read(list.text)
        .all('label', 'choice')
        .map(({ text }) => text),
    ).to.include('Tick all 2')
    const edit = await browser.get('/manage/batch/zines?only_general_subject=true')
    expect(read(edit.text).text).to.match(/\b2 zines\b/)
  })

  it('are facets of the list, with as many as it has, for those who may edit zines', async function () {
    if (!WITH_INDEX) this.skip()
    const facetsOn = async (name: string, query = '') => {
      const browser = browse(service().url)
      if (name !== '') await browser.signIn(name)
      const { text } = await browser.get(`/api/zines/${query}`)
      const [box] = read(text)
        .all('section', 'facet')
        .filter((section) => section.all('h2')[0]?.text === 'Worklists')
      return box?.all('li').map((item) => item.text.replace(/\s+/g, ' ').trim())
    }
    expect(await facetsOn('editor')).to.deep.equal([
      'Unknown maker 1',
      'Only a general subject 2',
      'Broken reference 1',
    ])
    expect(await facetsOn('editor', '?search=general')).to.deep.equal(['Only a general subject 2'])
    expect(await facetsOn('')).to.equal(undefined)
    expect(await facetsOn('viewer')).to.equal(undefined)
  })

  it('are removed from a list like every filter', async () => {
    const browser = browse(service().url)
    await browser.signIn('editor')
    const { text } = await browser.get('/api/zines/?unknown_maker=true&search=unknown')
    const links = read(text).all('ul', 'chosen')[0]?.all('a') ?? []
    const worklist = links.find((link) => link.text.includes('Worklists: Unknown maker'))
    expect(worklist?.attributes.href).to.equal('/api/zines/?search=unknown')
  })

  it('offer no edit to those who may not edit zines', async () => {
    await service().accounts.add({
      name: 'shelver',
      password: 'correct horse battery staple',
      role: 'editor',
      restrictedTo: ['holdings'],
    })
    const { page } = await open('shelver')
    const links = page.all('a').map(({ attributes }) => attributes.href ?? '')
    expect(links).to.include('/api/zines/?undated=true')
    expect(links.filter((link) => link.startsWith('/manage/batch/'))).to.deep.equal([])
  })
})
