// Pages of lists: the data that they show as an example, and the filters that they keep until the next write.

import { expect } from 'chai'

import { translatorFor } from '../../src/messages/translator.js'
import { agent, zine } from '../examples.js'
import { useService } from '../service.js'
import { ACCEPT, read } from './browser.js'

describe('the page of a list', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await service().post('/api/zines/', zine(id, { subject: ['feminism'] }))
  })

  const pageOf = async (path: string, language = 'en') => {
    const headers = { accept: ACCEPT, 'accept-language': language }
    return read((await service().get(path, { headers })).text)
  }

  /** A filter of a page of zines, with its choices. */
  const filterOf = (text: string, name: string): string | undefined =>
    read(text)
      .all('section', 'facet')
      .find(({ attributes }) => attributes['data-facet'] === name)
      ?.text.replace(/\s+/g, ' ')

  const subjects = async (path: string) =>
    filterOf((await service().get(path, { headers: { accept: ACCEPT } })).text, 'subject')

  it('shows the first three records as JSON, and how many it leaves out', async () => {
    const { body } = await service().get('/api/zines/')
    const page = await pageOf('/api/zines/')
    const shown = page.all('pre', 'json')[0]?.text ?? ''
    expect(shown).to.include('… and 2 records more')
    const { results, ...list } = body as { readonly results: readonly object[] }
    expect(JSON.parse(shown.replace(/,\s+… and 2 records more/, ''))).to.deep.equal({
      ...list,
      results: results.slice(0, 3),
    })
    const ofThree = await pageOf('/api/zines/?page_size=3')
    expect(ofThree.all('pre', 'json')[0]?.text).not.to.include('…')
  })

  it('says in its own language how many records it leaves out', async () => {
    for (const [language, left] of [
      ['es', '… y 2 registros más'],
      ['fr', '… et 2 notices de plus'],
    ] as const) {
      const page = await pageOf('/api/zines/', language)
      expect(page.all('pre', 'json')[0]?.text).to.include(left)
    }
  })

  it('has its filters in the language of each visitor', async () => {
    for (const language of ['es', 'en', 'fr'] as const) {
      const headers = { accept: ACCEPT, 'accept-language': language }
      const { text } = await service().get('/api/zines/?page_size=4', { headers })
      expect(filterOf(text, 'held')).to.include(translatorFor(language).t('In no library'))
    }
  })

  it('counts anew after a write, on each of its pages', async () => {
    const first = '/api/zines/?search=zine&page_size=2'
    const second = `${first}&page=2&ordering=title`
    const before = await subjects(first)
    expect(await subjects(second)).to.equal(before)
    await service().patch('/api/zines/b/', { subject: ['punk'] })
    for (const path of [second, first]) expect(await subjects(path)).not.to.equal(before)
    await service().patch('/api/zines/b/', { subject: ['feminism'] })
    expect(await subjects(first)).to.equal(before)
  })

  it('counts what each list has', async () => {
    expect(await subjects('/api/zines/?search=zine')).to.match(/Feminism 5/)
    expect(await subjects('/api/zines/?search=nothing')).not.to.match(/Feminism 5/)
  })
})
