// Tests what is counted of two facets of zines: as JSON, CSV and SVG, and that each number is that of its list.

import { expect } from 'chai'

import { WITH_INDEX } from '../../service.js'
import { read } from '../../views/browser.js'
import { unique, useCatalogue } from '../../http/catalogue.js'

describe('exploring zines by two facets', () => {
  const { service, given } = useCatalogue()
  const word = unique('explored')

  before(async () => {
    const zines: Readonly<Record<string, object>> = {
      a: { subject: ['punk', 'travel'], date: ['1989', '1991'], genre: ['perzine'] },
      b: { subject: ['punk'], date: ['1994-05'], genre: ['fanzine', 'perzine'], format: ['mini'] },
      c: { subject: ['food'], date: ['199X'], genre: ['fanzine'], language: ['es'] },
      d: { subject: ['travel'], date: ['undated'], genre: ['perzine'], creator: [`${word}-m`] },
    }
    await given.agent({
      agent_id: `${word}-m`,
      display_name: '=1+1',
      public: false,
      legal_name: 'Closed Name',
    })
    for (const [zine_id, fields] of Object.entries(zines))
      await given.zine({ zine_id: `${word}-${zine_id}`, title: `Title ${word}`, ...fields })
    const { repo_id } = await given.repository({ repo_id: `${word}-attic`, country: 'CA' })
    const access = { access_status: 'restricted' }
    await given.holding({ zine_id: `${word}-a`, repository_id: repo_id, ...access })
    await given.holding({ zine_id: `${word}-a`, repository_id: 'library' })
    await given.holding({ zine_id: `${word}-b`, repository_id: 'library', ...access })
  })

  const path = (query: string): string => `/explore?search=${word}&${query}`

  const explore = async (query: string) => {
    const { status, body, text } = await service().get(path(query))
    expect(status, text).to.equal(200)
    return body
  }

  it('counts each pair of values, decades in their order', async () =>
    expect(await explore('rows=decade&columns=genre')).to.deep.equal({
      count: 4,
      rows: {
        facet: 'decade',
        values: [
          { value: '1980', label: '1980s', count: 1 },
          { value: '1990', label: '1990s', count: 3 },
        ],
      },
      columns: {
        facet: 'genre',
        values: [
          { value: 'perzine', label: 'Perzine', count: 3 },
          { value: 'fanzine', label: 'Fanzine', count: 2 },
        ],
      },
      cells: [
        [1, 0],
        [2, 2],
      ],
    }))

  it('begins with decades and genres', async () => {
    const { rows, columns } = await explore('')
    expect([rows.facet, columns.facet]).to.deep.equal(['decade', 'genre'])
  })

  it('counts rows alone', async () => {
    const { columns, cells, rows } = await explore('rows=subject&columns=none')
    expect([columns, cells]).to.deep.equal([null, []])
    expect(rows.values.map(({ value, count }: any) => `${value} ${count}`)).to.deep.equal([
      'punk 2',
      'travel 2',
      'food 1',
    ])
  })

  it('counts the values of holdings and of their repositories', async () => {
    const { rows, columns, cells } = await explore('rows=country&columns=access')
    expect(rows.values.map(({ label }: any) => label)).to.deep.equal(['United States', 'Canada'])
    expect(columns.values.map(({ value }: any) => value)).to.deep.equal(['restricted'])
    expect(cells).to.deep.equal([[2], [1]])
  })

  it('applies all filters but those of its rows and columns', async () => {
    const { count, rows } = await explore('rows=subject&columns=none&subject=food&year__gte=1990')
    expect([count, rows.values.map(({ value }: any) => value)]).to.deep.equal([
      3,
      ['punk', 'food', 'travel'],
    ])
  })

  it('has no more rows than asked', async () => {
    const { rows } = await explore('rows=subject&columns=none&limit=2')
    expect(rows.values.map(({ value }: any) => value)).to.deep.equal(['punk', 'travel'])
  })

  it('is a 400 for a facet that there is none of', async () => {
    for (const [name, query] of [
      ['rows', 'rows=colour'],
      ['columns', 'columns=constructor'],
    ] as const) {
      const { status, body } = await service().get(path(query))
      expect(status).to.equal(400)
      expect(body).to.have.key(name)
    }
    expect((await service().get('/explore?year__gte=soon')).status).to.equal(400)
  })

  it('tells which parameters it does not know', async () => {
    const { headers } = await service().get('/explore?rows=genre&colour=red')
    expect(headers.get('X-Ignored-Parameters')).to.equal('colour')
  })

  it('is a table in CSV, safe for spreadsheets on request', async () => {
    const { text, headers } = await service().get(path('rows=creator&columns=genre&format=csv'))
    expect(headers.get('Content-Type')).to.match(/^text\/csv/)
    expect(headers.get('Content-Disposition')).to.include('zines-creator-genre.csv')
    expect(text.split('\r\n')).to.deep.equal([
      'creator,Maker,Zines,Perzine,Fanzine',
      'maker,Maker maker,3,2,2',
      `${word}-m,=1+1,1,1,0`,
      '',
    ])
    expect((await service().get(path('rows=creator&format=csv&safe=1'))).text).to.include(",'=1+1,")
  })

  it('is a chart in SVG with its title, its numbers and links to lists', async () => {
    const { text, headers } = await service().get(path('format=svg'))
    expect(headers.get('Content-Type')).to.match(/^image\/svg\+xml/)
    expect(headers.get('Content-Security-Policy')).to.equal("default-src 'none'")
    expect(text).to.include('Decade × genre').and.include('1980s: 1; 1990s: 3')
    expect(text).to.include(
      `${service().url}/api/zines/?search=${word}&amp;decade=1990&amp;genre=fanzine`,
    )
    expect(text).not.to.include('<script')
  })

  // prettier-ignore
  const pairs = [
    ['decade', 'genre'], ['year', 'language'], ['subject', 'repository'], ['country', 'subject'],
    ['access', 'country'], ['format', 'decade'], ['creator', 'subject'],
  ]
  for (const [rows, columns] of pairs)
    it(`counts in each cell of ${rows} and ${columns} what the list behind it has`, async () => {
      const { text } = await service().get(path(`rows=${rows}&columns=${columns}`), {
        headers: { accept: 'text/html' },
      })
      const [table] = read(text).all('table', 'cross')
      const links = table?.all('td').flatMap((cell) => cell.all('a')) ?? []
      expect(links.length).to.be.greaterThan(1)
      for (const { attributes, text: shown } of links) {
        const { body } = await service().get(attributes.href ?? '')
        expect(body.count, attributes.href).to.equal(Number(shown))
      }
    })

  it('shows its filters, which can be removed', async () => {
    const { text } = await service().get(path('subject=punk&columns=language'), {
      headers: { accept: 'text/html' },
    })
    const [chips] = read(text).all('ul', 'chosen')
    expect(chips?.text).to.include('Subject: Punk')
    const hrefs = chips?.all('a').map(({ attributes }) => attributes.href)
    expect(hrefs).to.include(`/explore?search=${word}&columns=language`)
  })

  it('shows no private name', async () => {
    for (const format of ['html', 'json', 'csv', 'svg']) {
      const { text } = await service().get(path(`rows=creator&columns=genre&format=${format}`))
      expect(text, format).to.include('=1+1').and.not.include('Closed Name')
    }
    if (WITH_INDEX) expect((await explore('q=closed+name')).count).to.equal(0)
  })
})
