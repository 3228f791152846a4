// The home page: its numbers are those of the lists they link to, also after a write.

import { expect } from 'chai'

import { type VNode, h } from 'preact'

import { HomePage, yearRange } from '../../../src/features/home/home-page.js'
import { renderPage } from '../../../src/views/render.js'
import { agent, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { type Element, loadSample, open } from '../../views/browser.js'

/** The number in a text such as `Punk 1,234`. */
const numberIn = (text: string): number => {
  const [number] = /\d+(?=\D*$)/.exec(text.replaceAll(',', '')) ?? []
  return Number(number)
}

const contextOf = () => ({
  ...{ origin: 'http://localhost', path: '/api/', query: '', account: undefined, csrf: '' },
  sections: [],
  assetUrl: (name: string) => name,
  inlineStyle: () => undefined,
})

describe('the home page of an empty catalogue', () => {
  const service = useService()

  it('shows the first steps and no charts', async () => {
    const page = await open(service(), '/api/')
    expect(page.all('section', 'first-steps')).to.have.lengthOf(1)
    expect(page.all('main').flatMap((main) => main.all('svg'))).to.deep.equal([])
    expect(
      page
        .all('ul', 'counts')[0]
        ?.all('strong')
        .map(({ text }) => text),
    ).to.deep.equal(Array.from({ length: 4 }, () => '0'))
  })

  it('says how to create an account only where there is none', async () => {
    expect((await open(service(), '/api/')).text).not.to.include('Create an account')
    const counts = { zines: 0, agents: 0, repositories: 0, holdings: 0 }
    const props = { context: contextOf(), counts, breakdowns: [], years: [], daily: [], newest: [] }
    const page = h(HomePage, { ...props, formats: [], json: '{}', hasAccounts: false } as never)
    expect(renderPage(page as VNode)).to.include('Create an account')
  })

  it('shows the first zine as soon as it is created', async () => {
    await open(service(), '/api/')
    await service().post('/api/agents/', agent('maker'))
    const first = { title: 'Toner', date: ['1971'], subject: ['feminism', 'punk'] }
    await service().post('/api/zines/', zine('toner', first))
    const page = await open(service(), '/api/')
    expect(page.all('section', 'first-steps')).to.deep.equal([])
    expect(page.all('section', 'newest')[0]?.text).to.include('Toner').and.include('Maker maker')
    expect(page.all('section', 'daily')[0]?.text).to.include('Toner')
    expect(page.all('section', 'breakdown')[0]?.text).to.include('Feminism')
    await service().delete('/api/zines/toner/')
    expect((await open(service(), '/api/')).text).not.to.include('Toner')
  })
})

describe('the home page of the sample', () => {
  const service = useService()
  before(() => loadSample(service()))

  const counted = async (address: string): Promise<number> =>
    (await service().get(address, { headers: { accept: 'application/json' } })).body.count

  const expectCounts = async (links: readonly Element[], numberOf: (link: Element) => number) => {
    expect(links).not.to.be.empty
    for (const link of links) {
      const address = link.attributes.href ?? ''
      expect(numberOf(link), address).to.equal(await counted(address))
    }
  }

  it('has the number of records of every resource', async () => {
    const page = await open(service(), '/api/')
    const links = page.all('ul', 'counts').flatMap((list) => list.all('a'))
    await expectCounts(links, (link) => Number(link.all('strong')[0]?.text))
  })

  it('has values with the counts of their lists, the most frequent first', async () => {
    const page = await open(service(), '/api/')
    const rows = page.all('section', 'breakdown')
    expect(rows).to.have.lengthOf(5)
    for (const row of rows) {
      const links = row.all('a').filter((link) => link.all('span', 'count').length > 0)
      await expectCounts(links, (link) => numberIn(link.all('span', 'count')[0]?.text ?? ''))
      const counts = row.all('span', 'count').map(({ text }) => numberIn(text))
      expect(counts).to.deep.equal([...counts].sort((a, b) => b - a))
    }
  })

  it('has one search, and twenty covers that lead to zines before any figure', async () => {
    const page = await open(service(), '/api/')
    const searches = page.all('*').filter(({ attributes }) => attributes.role === 'search')
    expect(searches).to.have.lengthOf(1)
    const [daily] = page.all('section', 'daily')
    const links = daily?.all('a') ?? []
    expect(new Set(links.map(({ attributes }) => attributes.href)).size).to.equal(20)
    for (const link of links) {
      expect(link.all('div', 'cover')).to.have.lengthOf(1)
      const { body } = await service().get(link.attributes.href ?? '')
      expect(link.all('span', 'visually-hidden')[0]?.text).to.include(body.title)
    }
    const parts = page.all('*').flatMap(({ attributes }) => attributes.class ?? [])
    expect(parts.indexOf('daily')).to.be.above(-1).and.below(parts.indexOf('counts'))
  })

  it('has a column for each year, and the same counts in a list', async () => {
    const page = await open(service(), '/api/')
    const columns = page.all('svg', 'columns').flatMap((chart) => chart.all('a'))
    await expectCounts(columns, (link) => numberIn(link.all('title')[0]?.text ?? ''))
    const texts = columns.map((link) => link.all('title')[0]?.text ?? '')
    for (const text of texts) expect(text).to.match(/: (?:1 zine|(?!1 )[\d,]+ zines)$/)
    expect(texts.some((text) => text.endsWith(': 1 zine'))).to.equal(true)
    const listed = page.all('details', 'numbers').flatMap((list) => list.all('li'))
    for (const item of listed) {
      const [link] = item.all('a')
      expect(numberIn(item.text)).to.equal(await counted(link?.attributes.href ?? ''))
    }
    const iris = listed.flatMap((item) => item.all('a').map(({ attributes }) => attributes.href))
    expect(iris).to.include.members(columns.map(({ attributes }) => attributes.href))
  })

  it('hides its charts from keyboards and screen readers, which have the lists', async () => {
    const page = await open(service(), '/api/')
    for (const svg of page.all('svg')) {
      expect(svg.attributes['aria-hidden']).to.equal('true')
      for (const link of svg.all('a')) expect(link.attributes.tabindex).to.equal('-1')
    }
  })

  it('is not alone: vocabulary pages have the counts of their lists too', async () => {
    for (const path of [
      '/api/vocabularies/subjects/',
      '/api/vocabularies/genres/',
      '/api/vocabularies/access-status/',
      '/api/geography/countries/',
      '/api/geography/languages/',
    ]) {
      const page = await open(service(), path)
      const listed = page.all('span', 'used').flatMap((uses) => uses.all('a'))
      const links = [...listed, ...page.all('a', 'used')]
      await expectCounts(links, ({ text }) => numberIn(text.split(' ')[0] ?? ''))
    }
  })
})

describe('the years of the chart', () => {
  const mark = (label: string, count = 1) => ({ label, count, href: `/${label}` })

  it('are consecutive, including years without zines', () => {
    const { columns, otherYears } = yearRange([mark('1999', 3), mark('1996'), mark('1997', 2)])
    expect(columns.map(({ year, count }) => [year, count])).to.deep.equal([
      [1996, 1],
      [1997, 2],
      [1998, 0],
      [1999, 3],
    ])
    expect(otherYears).to.deep.equal([])
  })

  it('begin at the earliest year, as decades where there are more than a hundred years', () => {
    const { columns } = yearRange([
      mark('1884', 2),
      mark('188X', 2),
      mark('1990', 40),
      mark('199X', 44),
    ])
    expect(columns.map(({ label, count }) => [label, count])).to.deep.include.members([
      ['1880s', 2],
      ['1890s', 0],
      ['1990s', 44],
    ])
    expect(columns).to.have.lengthOf(12)
  })

  it('leave out years that no zine can be from; these are listed', () => {
    const { columns, decades, otherYears } = yearRange([
      mark('0196', 2),
      mark('1960'),
      mark('1990', 40),
      mark('199X', 44),
      mark('205X', 4),
      mark('9999', 30),
    ])
    expect([columns[0]?.year, columns.at(-1)?.year]).to.deep.equal([1960, 1990])
    expect(otherYears.map(({ label, href }) => [label, href])).to.deep.equal([
      ['0196', '/0196'],
      ['2050s', '/205X'],
      ['9999', '/9999'],
    ])
    expect(decades.map(({ label, mark }) => [label, mark?.href])).to.deep.equal([
      ['1960s', undefined],
      ['1970s', undefined],
      ['1980s', undefined],
      ['1990s', '/199X'],
    ])
  })

  it('are none without dates', () => {
    expect(yearRange([])).to.deep.equal({ columns: [], decades: [], otherYears: [] })
  })
})
