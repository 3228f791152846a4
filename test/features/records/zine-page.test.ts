// The page of a zine: what readers look for comes first, with the libraries that have the zine.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { type Element, browse, open, read } from '../../views/browser.js'

describe('the page of a zine', () => {
  const service = useService()

  const create = async (name: string, body: object): Promise<void> => {
    const { status, text } = await service().post(`/api/${name}/`, body)
    expect(status, text).to.equal(201)
  }

  before(async () => {
    for (let index = 1; index <= 8; index += 1)
      await create('agents', agent(`maker-${index}`, { display_name: `Maker ${index}` }))
    await create('agents', agent('maker'))
    const countries = { attic: 'CA', cellar: 'FR', loft: 'NZ', shed: 'CA' }
    for (const [id, country] of Object.entries(countries))
      await create(
        'repositories',
        repository(id, { repository_name: `The ${id}`, city: `City of ${id}`, country }),
      )
    await create(
      'zines',
      zine('ours', {
        title: 'Ours',
        issue_designation: 'no. 7',
        creator: ['maker-1', 'maker-2'],
        contributor: ['maker-3', 'maker-1'],
        publisher: ['maker-3'],
        date: ['Summer 1994'],
        abstract: 'About us.',
        subject: ['punk'],
        edition_statement: ['Second edition'],
      }),
    )
    await create('zines', zine('alone', { title: 'Alone', date: [], issue_designation: '' }))
    const makers = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `maker-${index}`)
    await create('zines', zine('crowd', { title: 'Crowd', creator: makers }))
    for (const repository_id of Object.keys(countries))
      await create(
        'holdings',
        holding(`ours-${repository_id}`, {
          zine_id: 'ours',
          repository_id,
          call_number: `Z ${repository_id}`,
          access_status: 'reading-room-only',
        }),
      )
    for (let index = 1; index <= 5; index += 1)
      await create(
        'holdings',
        holding(`crowd-${index}`, {
          zine_id: 'crowd',
          repository_id: 'attic',
          call_number: index === 1 ? '' : `C ${index}`,
          digital_available: index === 2,
          digital_url: index === 2 ? 'https://scans.example/crowd' : '',
        }),
      )
  })

  const where = (page: Element): Element => {
    const [section] = page.all('section', 'where')
    if (!section) throw new Error('the page does not say where the zine is')
    return section
  }

  const libraries = (page: Element): readonly string[] =>
    where(page)
      .all('h3')
      .map(({ text }) => text.trim())

  const words = (one: Element | undefined): string => (one?.text ?? '').replace(/\s+/g, ' ').trim()

  it('has cover, title with issue, makers, year, libraries and Cite in this order, then the rest', async () => {
    const text = words((await open(service(), '/api/zines/ours/')).all('main')[0])
    const parts = [
      ...['Drawn from the title', 'Ours, no. 7', 'by Maker 1, Maker 2', 'Summer 1994'],
      ...[
        'Where to read it (4)',
        'Cite',
        'Download',
        'Subject',
        'Punk',
        'Abstract',
        'Second edition',
      ],
    ]
    const places = parts.map((part) => text.indexOf(part))
    expect(places, text).not.to.include(-1)
    expect(places).to.deep.equal([...places].sort((a, b) => a - b))
  })

  it('names each maker once, as a link, and other roles as fields', async () => {
    const page = await open(service(), '/api/zines/ours/')
    const [byline] = page.all('p', 'byline')
    expect(byline?.all('a').map(({ attributes }) => attributes.href)).to.deep.equal([
      '/api/agents/maker-1/',
      '/api/agents/maker-2/',
    ])
    const fields = page.all('dl', 'fields')[0]?.all('dt').map(words)
    expect(fields).to.include.members(['Contributor', 'Publisher'])
    expect(fields?.filter((name) => ['Maker', 'Date', 'Issue'].includes(name))).to.be.empty
  })

  it('says how many makers there are besides six, and names all of them below', async () => {
    const page = await open(service(), '/api/zines/crowd/')
    expect(words(page.all('p', 'byline')[0])).to.match(/Maker 6 and 2 more$/)
    const maker = page.all('div').find((one) => one.all('dt').map(words).join() === 'Maker')
    expect(maker?.all('a')).to.have.lengthOf(8)
  })

  it('lists the libraries with place, call number and access, the copy behind the call number', async () => {
    const page = await open(service(), '/api/zines/ours/')
    expect(libraries(page)).to.deep.equal(['The attic', 'The cellar', 'The loft', 'The shed'])
    const [first] = where(page).all('li')
    expect(first && words(first)).to.match(
      /^The attic ?City of attic, Canada ?Call number: Z attic ?Reading room only/,
    )
    expect(first?.all('a').map(({ attributes }) => attributes.href)).to.deep.equal([
      '/api/repositories/attic/',
      '/api/holdings/ours-attic/',
    ])
  })

  it('folds libraries after the third, and copies of one library', async () => {
    const ours = where(await open(service(), '/api/zines/ours/'))
    const [more] = ours.all('details')
    expect(more?.all('summary').map(words)).to.deep.equal(['1 more library'])
    expect(more?.all('h3').map(words)).to.deep.equal(['The shed'])
    const crowd = where(await open(service(), '/api/zines/crowd/'))
    expect(crowd.all('h2').map(words)).to.deep.equal(['Where to read it (1)'])
    expect(crowd.all('summary').map(words)).to.deep.equal(['2 more copies'])
  })

  it('leads to the copy that can be read online, and to one without a call number', async () => {
    const links = where(await open(service(), '/api/zines/crowd/')).all('a')
    const linkTo = (text: string) => links.find((one) => words(one) === text)?.attributes
    expect(linkTo('Read it online')).to.include({ href: 'https://scans.example/crowd' })
    expect(linkTo('About this copy')).to.include({ href: '/api/holdings/crowd-1/' })
  })

  it('says that no library has it', async () => {
    const section = where(await open(service(), '/api/zines/alone/'))
    expect(words(section)).to.match(/^Where to read it \(0\) ?No library copy$/)
  })

  it('has first the libraries of the country that the reader chose, and remembers it', async () => {
    const browser = browse(service().url)
    const { text, headers } = await browser.get('/api/zines/ours/?near=NZ')
    expect(libraries(read(text))[0]).to.equal('The loft')
    expect(headers.get('set-cookie')).to.match(/^zine_country=NZ; .*samesite=lax; httponly$/i)
    const later = read((await browser.get('/api/zines/ours/')).text)
    expect(libraries(later)).to.deep.equal(['The loft', 'The attic', 'The cellar', 'The shed'])
    const chosen = later.all('option').find(({ attributes }) => 'selected' in attributes)
    expect(chosen?.attributes.value).to.equal('NZ')
    await browser.get('/api/zines/ours/?near=')
    expect(browser.cookies.has('zine_country')).to.equal(false)
    expect(libraries(read((await browser.get('/api/zines/ours/')).text))[0]).to.equal('The attic')
  })

  for (const near of ['ZZ', '__proto__', '<b>', ''])
    it(`takes no country that there is not: ${JSON.stringify(near)}`, async () => {
      const browser = browse(service().url)
      const path = `/api/zines/ours/?near=${encodeURIComponent(near)}`
      const { status, headers, text } = await browser.get(path)
      expect([status, headers.get('set-cookie')]).to.deep.equal([200, null])
      expect(libraries(read(text))[0]).to.equal('The attic')
    })

  it('offers the choice of a country where there are libraries of several', async () => {
    const forms = async (id: string) =>
      where(await open(service(), `/api/zines/${id}/`)).all('form')
    expect(await forms('crowd')).to.be.empty
    const [form] = await forms('ours')
    expect(form?.attributes).to.include({ method: 'get', action: '/api/zines/ours/' })
    expect(form?.all('option').map(({ attributes }) => attributes.value)).to.deep.equal([
      ...['', 'CA', 'FR', 'NZ'],
    ])
  })

  it('keeps the choice of a country out of its links to data', async () => {
    const browser = browse(service().url)
    const page = read((await browser.get('/api/zines/ours/?near=NZ')).text)
    const links = page.all('nav', 'formats').flatMap((nav) => nav.all('a'))
    expect(links).not.to.be.empty
    for (const { attributes } of links) expect(attributes.href).not.to.include('near')
    expect(page.all('details', 'request')[0]?.text).not.to.include('near')
  })

  it('has all formats in one menu', async () => {
    const page = await open(service(), '/api/zines/ours/')
    const [menu] = page.all('details', 'format-menu')
    expect(menu?.all('summary').map(words)).to.deep.equal(['Download'])
    const links = menu?.all('a').map(words)
    expect(links).to.include.members(['JSON', 'BibTeX', 'MARCXML', 'Turtle'])
    expect(page.all('nav', 'formats')).to.have.lengthOf(1)
  })

  it('says where a cover is drawn', async () => {
    const [figure] = (await open(service(), '/api/zines/ours/')).all('figure', 'drawn-cover')
    expect(figure?.all('div', 'drawn')).to.have.lengthOf(1)
    expect(figure?.all('figcaption').map(words)).to.deep.equal([
      'Drawn from the title. There is no picture of the cover yet.',
    ])
  })

  it('is called by its title and issue in the form that edits it', async () => {
    const browser = browse(service().url)
    await browser.signIn('editor')
    const { text } = await browser.get('/manage/zines/edit/ours')
    expect(read(text).all('h1')[0]?.text).to.equal('Edit zine Ours, no. 7')
  })

  it('has its content advice before the cover', async () => {
    await create('zines', zine('advised', { title: 'Advised', content_advice_note: ['Blood'] }))
    const text = words((await open(service(), '/api/zines/advised/')).all('main')[0])
    expect(text.indexOf('Blood')).to.be.within(0, text.indexOf('Drawn from the title'))
  })
})

describe('the page of a copy', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post(
      '/api/repositories/',
      repository('attic', { repository_name: 'The Attic' }),
    )
    const languages = { title: 'Nuestro', issue_designation: 'n.º 7', language: ['es'] }
    await service().post('/api/zines/', zine('ours', languages))
    const copy = { zine_id: 'ours', repository_id: 'attic' }
    await service().post('/api/holdings/', holding('one', { ...copy, call_number: 'Z 1' }))
    await service().post('/api/holdings/', holding('two', { ...copy, call_number: '' }))
  })

  for (const [id, name] of [
    ['one', 'Nuestro, n.º 7 – The Attic, Z 1'],
    ['two', 'Nuestro, n.º 7 – The Attic'],
  ] as const)
    it(`is called by its zine, library and call number: ${name}`, async () => {
      for (const path of [`/api/holdings/${id}/`, `/api/holdings/${id}/citations/`]) {
        const page = await open(service(), path)
        expect(page.all('title')[0]?.text, path).to.include(name)
      }
      const [heading] = (await open(service(), `/api/holdings/${id}/`)).all('h1')
      expect(heading?.text.trim()).to.equal(name)
      const [title] = heading?.all('bdi') ?? []
      expect([title?.text, title?.attributes.lang]).to.deep.equal(['Nuestro, n.º 7', 'es'])
    })

  it('is told apart from other copies in their list, by the issue of its zine too', async () => {
    const page = await open(service(), '/api/holdings/')
    const rows = page.all('article', 'summary').map(({ text }) => text.replace(/\s+/g, ' ').trim())
    expect(
      rows.every((row) => row.includes('Nuestro n.º 7') && row.includes('The Attic')),
    ).to.equal(true)
    expect(rows.filter((row) => row.includes('Z 1'))).to.have.lengthOf(1)
  })
})
