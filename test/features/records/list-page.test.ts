// Pages of lists: the data that they show as an example, and the filters that they keep until the next write.

import { expect } from 'chai'

import { translatorFor } from '../../../src/messages/translator.js'
import { agent, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { ACCEPT, read } from '../../views/browser.js'

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
      .find(({ attributes }) => attributes.id === `facet-${name}`)
      ?.text.replace(/\s+/g, ' ')

  const subjects = async (path: string) =>
    filterOf((await service().get(path, { headers: { accept: ACCEPT } })).text, 'subject')

  it('shows the first record as JSON, and how many it leaves out', async () => {
    const { body } = await service().get('/api/zines/')
    const page = await pageOf('/api/zines/')
    const shown = page.all('pre', 'json')[0]?.text ?? ''
    expect(shown).to.include('… and 4 records more')
    const { results, ...list } = body as { readonly results: readonly object[] }
    expect(JSON.parse(shown.replace(/,\s+… and 4 records more/, ''))).to.deep.equal({
      ...list,
      results: results.slice(0, 1),
    })
    const ofOne = await pageOf('/api/zines/?page_size=1')
    expect(ofOne.all('pre', 'json')[0]?.text).not.to.include('…')
  })

  it('says in its own language how many records it leaves out', async () => {
    for (const [language, left] of [
      ['es', '… y 4 registros más'],
      ['fr', '… et 4 notices de plus'],
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

  describe('where a filter has many values', () => {
    /** Each has one zine fewer than the one before. */
    const codes = [
      ...[
        'ableism',
        'abortion',
        'activism',
        'addiction',
        'adhd',
        'adoption',
        'advertising',
        'aging',
      ],
      ...['alcohol', 'anarchism', 'anger', 'animals', 'anxiety', 'archives', 'asexuality'],
    ]

    before(async () => {
      for (const [index] of codes.entries()) {
        const subject = codes.slice(0, codes.length - index)
        await service().post('/api/zines/', zine(`many-${index}`, { title: 'Many', subject }))
      }
    })

    const sectionOf = async (path: string) => {
      const page = await pageOf(path)
      const section = page
        .all('section', 'facet')
        .find((one) => one.attributes.id === 'facet-subject')
      const links = section?.all('a') ?? []
      const last = links.at(-1)
      return {
        page,
        isWhole: section?.classes.includes('whole'),
        counts: (section?.all('li') ?? []).map(({ text }) => Number(/\d+$/.exec(text.trim())?.[0])),
        link: last?.text.replace(/\s+/g, ' '),
        href: last?.attributes.href ?? '',
      }
    }

    it('shows the most frequent, and all where that is asked for', async () => {
      const path = '/api/zines/?search=many&page_size=5&page=2'
      const few = await sectionOf(path)
      expect(few.counts).to.deep.equal([15, 14, 13, 12, 11, 10, 9, 8])
      expect([few.isWhole, few.link]).to.deep.equal([false, 'More of subject'])
      expect(few.href).to.equal(`${path}&facet=subject#facet-subject`)
      const all = await sectionOf(few.href.replace(/#.*/, ''))
      expect(all.counts).to.deep.equal(codes.map((_, index) => codes.length - index))
      expect([all.isWhole, all.link]).to.deep.equal([true, 'Fewer of subject'])
      expect(all.href).to.equal(`${path}#facet-subject`)
      const [drawer] = all.page.all('details', 'drawer')
      expect(drawer?.attributes).to.have.property('open')
      // Other pages and lists begin with the most frequent again.
      const others = all.page
        .all('a')
        .filter(({ attributes }) => attributes.href?.includes('facet='))
      expect(others).to.deep.equal([])
    })

    it('shows all that are chosen', async () => {
      const chosen = codes.slice(-10)
      const { counts, page } = await sectionOf(`/api/zines/?subject__in=${chosen.join(',')}`)
      expect(counts.length).to.equal(10)
      const [section] = page.all('section', 'facet')
      const current = section?.all('a').filter(({ attributes }) => 'aria-current' in attributes)
      expect(current?.length).to.equal(10)
    })

    it('shows all of up to twelve', async () => {
      const twelve = codes.slice(0, 12)
      await service().post('/api/zines/', zine('twelve', { title: 'Twelve', subject: twelve }))
      const whole = await sectionOf('/api/zines/?search=twelve&facet=subject')
      expect(whole.counts.length).to.equal(12)
      expect(whole.isWhole).to.equal(false)
      await service().delete('/api/zines/twelve/')
    })
  })
})
