// The filters of pages of lists: what each choice leaves is what it says, a further value narrows
// the list, and where nothing is left the page says what to do.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { WITH_INDEX, useService } from '../../service.js'
import { type Element, open } from '../../views/browser.js'

const textOf = ({ text }: Element): string => text.replace(/\s+/g, ' ').trim()

describe('the filters of a list of zines', () => {
  const service = useService()

  before(async () => {
    const create = async (name: string, record: object) => {
      const { status, text } = await service().post(`/api/${name}/`, record)
      expect(status, text).to.equal(201)
    }
    await create('agents', agent('maker'))
    await create('repositories', repository('attic'))
    const zines: readonly object[] = [
      { subject: ['punk', 'feminism'], genre: ['perzine', 'fanzine'], language: ['en', 'es'] },
      { subject: ['punk', 'feminism', 'art'], genre: ['perzine'], date: ['1994'] },
      { subject: ['punk', 'music'], genre: ['fanzine'], date: ['1994', '2003'], format: ['mini'] },
      { subject: ['feminism', 'art'], language: ['es'], date: ['1989-1991'] },
      { subject: ['art'], format: ['mini', 'digital'], content_advice: ['nudity', 'violence'] },
      { subject: ['music', 'art'], date: ['2003'], content_advice: ['violence'] },
      { subject: ['punk'], genre: ['perzine'], language: ['es', 'fr'] },
    ]
    for (const [index, fields] of zines.entries()) {
      const id = `z-${index}`
      await create('zines', zine(id, fields))
      if (index % 2 === 0)
        await create(
          'holdings',
          holding(id, { zine_id: id, repository_id: 'attic', digital_available: index === 2 }),
        )
    }
  })

  const pageOf = (query: string): Promise<Element> => open(service(), `/api/zines/${query}`)

  const countOn = (page: Element): number =>
    Number(/^\d+/.exec(textOf(page.all('p', 'count')[0] ?? page))?.[0])

  const facet = (page: Element, name: string): Element | undefined =>
    page.all('section', 'facet').find(({ attributes }) => attributes.id === `facet-${name}`)

  const linkNamed = (page: Element, name: RegExp): string =>
    page.all('a').find((link) => name.test(textOf(link)))?.attributes.href ?? `no link ${name}`

  for (const query of [
    ...['', '?subject=punk', '?subject__all=punk,feminism', '?subject__in=punk'],
    ...(WITH_INDEX ? ['?q=zine'] : []),
    ...['?subject__in=punk,music', '?subject__all=art&language=es', '?language__in=es,fr'],
    ...['?genre=perzine&genre__all=fanzine', '?format__in=mini', '?format__all=mini,digital'],
    ...['?decade=1990', '?decade=1990&year=1994', '?undated=true&subject=punk'],
    ...['?has_holding=true&subject=art', '?repository=attic&subject__in=art,music'],
    ...[
      '?content_advice__not_in=nudity',
      '?content_advice=violence',
      '?year__gte=1990&subject=art',
    ],
    ...['?search=zine&subject=punk&page_size=2'],
  ])
    it(`say how many zines each choice leaves, of ${query || 'all'}`, async () => {
      const page = await pageOf(query)
      const count = countOn(page)
      const choices = page
        .all('section', 'facet')
        .flatMap((section) => section.all('li').flatMap((item) => item.all('a')))
      expect(choices).to.have.length.greaterThan(3)
      for (const choice of choices) {
        const [, sign, number] = /([+−]?)(\d+)$/.exec(textOf(choice)) ?? []
        // What is chosen already says that it can be removed.
        if (choice.attributes['aria-current'] === 'true') {
          expect(textOf(choice)).to.match(/^Remove .* ×$/)
          continue
        }
        // Some are not counted where the store is asked for each count.
        if (number === undefined && !WITH_INDEX) continue
        const left = { '': 0, '+': count, '−': count }[sign ?? ''] ?? NaN
        const change = sign === '−' ? -Number(number) : Number(number)
        const found = countOn(await open(service(), choice.attributes.href ?? ''))
        expect(found, textOf(choice)).to.equal(left + change)
        if (sign !== '−') expect(found, textOf(choice)).not.to.equal(0)
      }
    })

  for (const [name, first, second] of [
    ['subject', 'Punk', 'Feminism'],
    ['genre', 'Perzine', 'Fanzine'],
    ['language', 'Spanish', 'French'],
  ] as const)
    it(`find what has both of two values of the filter ${name}, or any where that is asked`, async () => {
      let page = await pageOf('')
      for (const label of [first, second]) {
        const choice = facet(page, name)
          ?.all('a')
          .find((link) => new RegExp(`^${label}\\b`).test(textOf(link)))
        page = await open(service(), choice?.attributes.href ?? label)
      }
      const codes = new URLSearchParams(
        page
          .all('link')
          .map(hrefOf)
          .find((href) => href.includes('__all'))
          ?.split('?')[1],
      )
      const both = (codes.get(`${name}__all`) ?? '').split(',')
      expect(both).to.have.lengthOf(2)
      const jsonCount = async (query: string) =>
        (await service().get(`/api/zines/?${query}`)).body.count
      expect(countOn(page)).to.equal(await jsonCount(`${name}__all=${both.join(',')}`))
      const any = await open(service(), linkNamed(page, /^Any of these/))
      expect(countOn(any)).to.equal(await jsonCount(`${name}__in=${both.join(',')}`))
      expect(countOn(any)).to.be.greaterThan(countOn(page))
    })

  it('can ask for any of several values from the first one on', async () => {
    const page = await pageOf('?subject=punk')
    const any = await open(service(), linkNamed(page, /^Any of these/))
    expect(countOn(any)).to.equal(countOn(page))
    const wider = await open(
      service(),
      facet(any, 'subject')
        ?.all('a')
        .find((link) => textOf(link).startsWith('Art +'))?.attributes.href ?? '',
    )
    expect(countOn(wider)).to.equal(7)
    // Without one of them, it still asks for any.
    const one = await open(service(), linkNamed(wider, /^Remove Subject: Art/))
    expect(linkNamed(one, /^All of these/)).to.equal('/api/zines/?subject=punk#facet-subject')
  })

  it('lead, each with its first link, to the results', async () => {
    const page = await pageOf('?subject=punk')
    const [results] = page.all('section', 'results')
    expect(results?.attributes).to.include({ id: 'results', tabindex: '-1' })
    const facets = page.all('section', 'facet')
    expect(facets).to.have.length.greaterThan(5)
    for (const one of facets) {
      const [first] = one.all('a')
      expect([first?.text, first?.attributes.href]).to.deep.equal([
        'Skip to the results',
        '#results',
      ])
    }
  })

  it('lead back to where they are on the page', async () => {
    const page = await pageOf('?subject=punk')
    for (const section of page.all('section', 'facet'))
      for (const item of section.all('li'))
        for (const { attributes } of item.all('a'))
          expect(attributes.href).to.match(new RegExp(`#${section.attributes.id}$`))
  })

  it('are kept on the pages of charts and of the map', async () => {
    const page = await pageOf('?subject=punk&language__in=es,fr&ordering=title')
    for (const name of ['In charts', 'On the map'])
      expect(linkNamed(page, new RegExp(name))).to.match(
        /\?subject=punk&language__in=es(?:,|%2C)fr$/,
      )
  })

  for (const [query, last, left] of [
    ['?subject__all=music,feminism', 'Subject: Feminism', '?subject=music'],
    ['?language=en&decade=1890', 'Decade: 1890s', '?language=en'],
    [
      '?language=fr&subject__all=art,punk&genre=perzine',
      'Genre: Perzine',
      '?language=fr&subject__all=art,punk',
    ],
    ['?genre=fanzine&subject=art&page_size=5', 'Subject: Art', '?genre=fanzine&page_size=5'],
  ] as const)
    it(`offer to remove the one that was chosen last, of ${query}`, async () => {
      const page = await pageOf(query)
      expect(countOn(page)).to.equal(0)
      const [notice] = page.all('div', 'notice')
      expect(notice?.text).to.include('No zines match these filters.')
      expect(textOf(notice?.all('a')[0] ?? page)).to.equal(`Remove “${last}”`)
      const href = decodeURIComponent(notice?.all('a')[0]?.attributes.href ?? '')
      expect(href).to.equal(`/api/zines/${left}`)
      // Each other one is removed by its chip.
      const chips = page.all('ul', 'chosen').flatMap((list) => list.all('a'))
      expect(chips.map(textOf)).to.include(`Remove ${last} ×`)
    })

  it('say nothing of filters where a list without any is empty', async () => {
    const page = await open(service(), '/api/agents/')
    expect(page.text).not.to.include('match these filters')
  })
})

const hrefOf = ({ attributes }: Element): string => attributes.href ?? ''
