// Searches on pages: the box of every page, the page of a search of all kinds, and the filters of lists.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { unique } from '../../http/catalogue.js'
import { useService } from '../../service.js'
import { type Element, addressesIn, open, look } from '../../views/browser.js'

const textsOf = (elements: readonly Element[]): readonly string[] =>
  elements.map(({ text }) => text.replace(/\s+/g, ' ').trim())

const marked = (page: Element): readonly string[] => textsOf(page.all('mark'))

/** The choices of a filter, with their counts. */
const choicesOf = (page: Element, facet: string): readonly string[] =>
  textsOf(
    page
      .all('section', 'facet')
      .filter(({ attributes }) => attributes.id === `facet-${facet}`)
      .flatMap((section) => section.all('li')),
  )

const linkNamed = (page: Element, name: RegExp): string =>
  page.all('a').find(({ text }) => name.test(text.replace(/\s+/g, ' ').trim()))?.attributes.href ??
  `no link ${name}`

describe('pages that search for words', function () {
  const service = useService({ LIST_INDEX: 'on' })

  before(async () => {
    const { post } = service()
    const made = async (name: string, record: object) => {
      const { status, text } = await post(`/api/${name}/`, record)
      expect(status, text).to.equal(201)
    }
    await made('agents', agent('maker'))
    await made(
      'agents',
      agent('jenna', {
        display_name: 'Jenna Freedman',
        public: false,
        legal_name: 'Quixotania Secretly',
      }),
    )
    await made('repositories', repository('cellar', { repository_name: 'The Cellar' }))
    const zines = [
      [
        'lib',
        { title: 'Lower East Side', creator: ['jenna'], subject: ['libraries'], date: ['2009'] },
      ],
      [
        'chicas',
        {
          ...{ title: 'Chicas', language: ['es'], subject: ['feminism', 'punk'], date: ['1994'] },
          abstract: `${'Words. '.repeat(60)}Canciones de <b>Łódź</b> y más. ${'Words. '.repeat(60)}`,
        },
      ],
      ['mujer', { title: 'Mujer', language: ['es'], subject: ['feminism'], date: ['2001'] }],
      ['loud', { title: 'Loud', subject: ['punk'], date: ['1996-05'] }],
      ['when', { title: 'When', subject: ['punk'], date: ['undated'] }],
    ] as const
    for (const [id, more] of zines) await made('zines', zine(id, more))
    const copy = { zine_id: 'chicas', repository_id: 'cellar', call_number: 'ZX 77' }
    await made('holdings', holding('copy', copy))
  })

  describe('have in their masthead, or in the middle of the home page,', () => {
    it('a search that works without scripts, and what browsers need to add the search', async () => {
      for (const path of ['/api/', '/api/zines/lib/', '/manage/login', '/dataset']) {
        const page = await open(service(), path)
        // The home page has one search, in its middle.
        const [place] = path === '/api/' ? page.all('main') : page.all('header', 'masthead')
        const [form] = place?.all('form') ?? []
        expect([form?.attributes.action, form?.attributes.method]).to.deep.equal([
          '/api/search/',
          'get',
        ])
        expect(form?.all('input').map(({ attributes }) => attributes.name)).to.deep.equal(['q'])
        const [link] = page.all('link').filter(({ attributes }) => attributes.rel === 'search')
        expect(link?.attributes.href).to.equal('/opensearch.xml')
      }
    })

    it('what was searched, on the page of the search', async () => {
      const page = await open(service(), '/api/search/?q=lower+%22east%22')
      expect(page.all('input').map(({ attributes }) => attributes.value)).to.include('lower "east"')
    })
  })

  describe('for all kinds', () => {
    it('show one ranked list with the kind of each, and lead to the lists of each kind', async () => {
      const page = await open(service(), '/api/search/?q=chicas')
      expect(textsOf(page.all('p', 'kind'))).to.deep.equal(['Zine', 'Copy'])
      const kinds = page.all('nav', 'kinds').flatMap((nav) => nav.all('a'))
      expect(textsOf(kinds)).to.deep.equal(['Zines 1', 'Copies 1'])
      const [zines] = kinds
      expect(zines?.attributes.href).to.equal('/api/zines/?q=chicas')
      expect((await open(service(), '/api/zines/?q=chicas')).text).to.include('1 zine')
      expect(textsOf(page.all('title'))).to.deep.equal(['Search: chicas · Zine Catalogue'])
    })

    it('say where the words are, outside the title too', async () => {
      const page = await open(service(), '/api/search/?q=freedman+side')
      expect(textsOf(page.all('dl', 'snippets'))).to.deep.equal(['MakerJenna Freedman'])
      expect(marked(page)).to.deep.equal(['Side', 'Freedman'])
    })

    it('find a misspelt name and propose the right one', async () => {
      const page = await open(service(), '/api/search/?q=jena+freedmann')
      const [proposal] = page.all('p', 'did-you-mean')
      expect(proposal?.text).to.equal('Did you mean jenna freedman?')
      expect(addressesIn(page)).to.include('/api/search/?q=jenna+freedman')
      expect(marked(page)).to.include.members(['Jenna', 'Freedman'])
    })

    it('keep the capitals of what was typed in what they propose', async () => {
      for (const [q, proposed] of [
        ['Jena Freedmann', 'Jenna Freedman'],
        ['Jenna FREEDMANN', 'Jenna FREEDMAN'],
        ['jena Freedman', 'jenna Freedman'],
      ] as const) {
        const page = await open(service(), `/api/search/?${new URLSearchParams({ q })}`)
        const [proposal] = page.all('p', 'did-you-mean')
        expect(proposal?.text, q).to.equal(`Did you mean ${proposed}?`)
      }
    })

    it('have the subject itself before the records, with its count, and lead to its page', async () => {
      const page = await open(service(), '/api/search/?q=femini')
      const [hits] = page.all('ul', 'term-hits')
      expect(textsOf(hits?.all('li') ?? [])).to.deep.equal(['SubjectFeminism2 zines'])
      expect(addressesIn(page)).to.include('/api/vocabularies/subjects/feminism/')
      const further = await open(service(), '/api/search/?q=femini&page_size=1&page=2')
      expect(further.all('ul', 'term-hits')).to.deep.equal([])
    })

    it('find a subject by its name in another language', async () => {
      const page = await open(service(), '/api/search/?q=feminismo')
      expect(textsOf(page.all('ul', 'term-hits'))).to.deep.equal(['SubjectFeminism2 zines'])
      expect(textsOf(page.all('h3'))).to.include.members(['Chicas', 'Mujer'])
      const shown = 'SubjectFeminism (Feminismo)'
      expect(textsOf(page.all('dl', 'snippets'))).to.deep.equal([shown, shown])
    })

    it('have the filters of zines beside the results, which lead to the list of zines', async () => {
      const page = await open(service(), '/api/search/?q=feminism')
      expect(choicesOf(page, 'subject')).to.deep.equal(['Feminism 2', 'Punk 1'])
      const address = linkNamed(page, /^Punk 1$/)
      expect(address).to.match(/^\/api\/zines\/\?q=feminism&/)
      expect(textsOf((await open(service(), address)).all('h3'))).to.deep.equal(['Chicas'])
      const ofLibrary = await open(service(), '/api/search/?q=repository_name:cellar')
      expect(ofLibrary.all('aside', 'facets'), 'without zines').to.deep.equal([])
    })

    it('show texts of records as text, around the words', async () => {
      const page = await open(service(), '/api/search/?q=lodz+canciones')
      const [snippet = ''] = textsOf(page.all('dl', 'snippets'))
      expect(snippet).to.match(/^Abstract….*Canciones de <b>Łódź<\/b> y más\..*…$/)
      expect(snippet.length).to.be.below(220)
      expect(marked(page)).to.deep.equal(['Canciones', 'Łódź'])
    })

    it('find copies and say where', async () => {
      const page = await open(service(), '/api/zines/?q=%22zx+77%22')
      expect(textsOf(page.all('dl', 'snippets'))).to.deep.equal(['Call numberZX 77'])
    })

    it('say so where nothing is found, and what can be done', async () => {
      const page = await open(service(), '/api/search/?q=zzyzxxyz')
      expect(page.text).to.include('0 results')
      expect(page.text).to.include(
        'No results for “zzyzxxyz”, and nothing with a similar spelling.',
      )
    })

    it('offer each word alone where no record has all of them, and ways to browse', async () => {
      const page = await open(service(), '/api/search/?q=chicas+zzyzxxyz+lower')
      const alone = page.all('ul', 'tags').flatMap((list) => list.all('a'))
      expect(textsOf(alone).slice(0, 2)).to.deep.equal(['chicas 2', 'lower 1'])
      const addresses = addressesIn(page)
      expect(addresses).to.include('/api/search/?q=chicas')
      expect(addresses).to.include('/api/vocabularies/subjects/')
      expect(addresses).to.include('/map')
    })

    it('find no private names', async () => {
      for (const q of ['quixotania', 'quixotani', 'Quixotania Secretly', 'legal_name:quixotania']) {
        const { text } = await look(service(), `/api/search/?${new URLSearchParams({ q })}`)
        expect(text).not.to.include('/api/agents/jenna/')
      }
    })

    it('have pages as lists have', async () => {
      const page = await open(service(), '/api/search/?q=feminism&page_size=1')
      expect(page.text).to.include('Page 1 of 2')
      expect(addressesIn(page)).to.include('/api/search/?q=feminism&page_size=1&page=2')
      expect((await look(service(), '/api/search/?q=feminism&page=7')).status).to.equal(404)
    })

    it('answer a search with too many words as the API does', async () => {
      const { status, text } = await look(service(), `/api/search/?q=${'word+'.repeat(40)}`)
      expect(status).to.equal(400)
      expect(text).to.include('no more than 32 words')
    })
  })

  describe('of one kind', () => {
    it('search with q, the best match first unless another order is chosen', async () => {
      const page = await open(service(), '/api/zines/?q=feminism')
      const [form] = page.all('form').filter(({ attributes }) => 'data-live-form' in attributes)
      expect(form?.all('input').map(({ attributes }) => attributes.name)).to.deep.equal(['q'])
      const [chosen] = page.all('option').filter(({ attributes }) => 'selected' in attributes)
      expect(chosen?.text).to.equal('Best match first')
      expect(marked(page)).to.deep.equal(['Feminism', 'Feminism'])
      const titled = await open(service(), '/api/zines/?q=feminism&ordering=title')
      expect(textsOf(titled.all('h3'))).to.deep.equal(['Chicas', 'Mujer'])
    })

    it('say in their titles what they list', async () => {
      const page = await open(service(), '/api/zines/?language=es&subject=feminism&decade=1990')
      const title = 'Zines in Spanish about feminism, 1990s'
      expect(textsOf([...page.all('h1'), ...page.all('title')])).to.deep.equal([
        title,
        `${title} · Zine Catalogue`,
      ])
      expect(textsOf(page.all('h3'))).to.deep.equal(['Chicas'])
      const { text } = await look(service(), '/api/zines/?page=2&page_size=2')
      expect(text).to.include('<title>Zines, page 2 · ')
    })

    it('lead from a title to the library that has it', async () => {
      const page = await open(service(), '/api/zines/?repository=cellar')
      expect(textsOf(page.all('h1'))).to.deep.equal(['Zines at The Cellar'])
      expect(textsOf(page.all('h3'))).to.deep.equal(['Chicas'])
    })

    it('propose another spelling, with the filters kept', async () => {
      const page = await open(service(), '/api/zines/?q=feminizm&language=es')
      expect(addressesIn(page)).to.include('/api/zines/?q=feminism&language=es')
    })

    it('say what to do where nothing is found', async () => {
      const page = await open(service(), '/api/zines/?q=zzyzxxyz&decade=1990')
      expect(page.text).to.include(
        'No results for “zzyzxxyz”, and nothing with a similar spelling.',
      )
      expect(page.text).to.include('Remove one of the filters')
      expect(addressesIn(page)).to.include('/api/search/?q=zzyzxxyz')
      const filtered = await open(service(), '/api/zines/?decade=1890')
      expect(filtered.text).to.include('No zines match these filters.')
    })
  })

  describe('with filters', () => {
    it('count each choice under the other filters', async () => {
      const page = await open(service(), '/api/zines/?language=es')
      expect(choicesOf(page, 'subject')).to.deep.equal(['Feminism 2', 'Punk 1'])
      expect(choicesOf(page, 'decade')).to.deep.equal(['2000s 1', '1990s 1'])
      expect(choicesOf(page, 'repository')).to.deep.equal(['The Cellar 1'])
      expect(choicesOf(page, 'held')).to.deep.equal(['In a library 1', 'In no library 1'])
    })

    it('count what choosing a further value would find', async () => {
      const { body } = await service().get('/api/zines/facets/?facet=subject&language=es')
      const page = await open(service(), '/api/zines/?language=es')
      expect(choicesOf(page, 'subject')).to.deep.equal(
        body.subject.map((one: { label: string; count: number }) => `${one.label} ${one.count}`),
      )
    })

    it('take several values, of all or of any of them, and remove each', async () => {
      let page = await open(service(), '/api/zines/?subject=feminism')
      page = await open(service(), linkNamed(page, /^Punk 1/))
      expect(textsOf(page.all('h1'))).to.deep.equal(['Zines about feminism and punk'])
      expect(textsOf(page.all('h3'))).to.deep.equal(['Chicas'])
      expect(choicesOf(page, 'subject')).to.deep.equal(['Remove Feminism ×', 'Remove Punk ×'])
      const any = await open(service(), linkNamed(page, /^Any of these/))
      expect(textsOf(any.all('h1'))).to.deep.equal(['Zines about feminism or punk'])
      expect(any.text).to.include('4 zines')
      page = await open(service(), linkNamed(any, /^All of these/))
      expect(textsOf(page.all('h1'))).to.deep.equal(['Zines about feminism and punk'])
      page = await open(service(), linkNamed(page, /^Remove Subject: Feminism/))
      expect(textsOf(page.all('h1'))).to.deep.equal(['Zines about punk'])
      page = await open(service(), linkNamed(page, /^Remove Subject: Punk/))
      expect(page.text).to.include('5 zines')
    })

    it('take a decade in place of another, then a year of it, or no date at all', async () => {
      let page = await open(service(), '/api/zines/?decade=2000&q=punk')
      page = await open(service(), linkNamed(page, /^1990s \d/))
      expect(textsOf(page.all('h1'))).to.deep.equal(['Zines matching “punk”, 1990s'])
      expect(choicesOf(page, 'year')).to.deep.equal(['1996 1', '1994 1'])
      const year = await open(service(), linkNamed(page, /^1996 1/))
      expect(textsOf(year.all('h3'))).to.deep.equal(['Loud'])
      const undated = await open(service(), linkNamed(page, /^Undated 1/))
      expect(textsOf(undated.all('h3'))).to.deep.equal(['When'])
    })

    it('take a range of years by a form that keeps the other filters', async () => {
      const page = await open(service(), '/api/zines/?subject=punk&decade=1990&page_size=10')
      const [form] = page.all('form', 'year-range')
      const inputs = form?.all('input').map(({ attributes }) => [attributes.name, attributes.value])
      expect(inputs).to.deep.equal([
        ['subject', 'punk'],
        ['page_size', '10'],
        ['year__gte', ''],
        ['year__lte', ''],
      ])
      const ranged = await open(service(), '/api/zines/?year__gte=1995&year__lte=2005')
      expect(textsOf(ranged.all('h1'))).to.deep.equal(['Zines, 1995–2005'])
      expect(textsOf(ranged.all('h3'))).to.have.members(['Loud', 'Mujer'])
    })

    it('show and remove filters that are not counted', async () => {
      const page = await open(service(), '/api/zines/?contributor=maker&place=x&digital=false')
      const chosen = page.all('ul', 'chosen').flatMap((list) => list.all('a'))
      expect(textsOf(chosen).map((text) => text.replace(/ ×$/, ''))).to.deep.equal([
        'Remove Contributor: Maker maker',
        'Remove Place of publication: x',
        'Remove Available digitally: No',
        'Remove all',
      ])
      expect(chosen[0]?.attributes.href).to.equal('/api/zines/?place=x&digital=false')
    })

    it('show every further filter, with the label of its value', async () => {
      await service().post('/api/repositories/', repository('attic'))
      const filters = [
        ['only_in=attic', 'Only in: Library attic'],
        ['country=US', 'Country of the library: United States'],
        ['access=restricted', 'Access: Restricted'],
        ['series=toner', 'Series: toner'],
        ['place=5746545', 'Place of publication: Portland'],
        ['year__gte=1990', 'From year: 1990'],
        ['decade=1990&year__lte=1995', 'To year: 1995'],
        ['unknown_maker=true', 'Unknown maker: Yes'],
        ['subject=punk&subject__all=art', 'Subject: Punk'],
      ]
      for (const [query, label = ''] of filters) {
        const page = await open(service(), `/api/zines/?${query}`)
        const chosen = page.all('ul', 'chosen').flatMap((list) => list.all('a'))
        expect(textsOf(chosen), query).to.include(`Remove ${label} ×`)
      }
    })

    it('show a filter by codes once, though two parameters have them', async () => {
      const page = await open(service(), '/api/zines/?subject__in=punk&subject__all=art')
      const chosen = page.all('ul', 'chosen').flatMap((list) => list.all('a'))
      expect(textsOf(chosen)).to.deep.equal([
        'Remove Subject: Punk ×',
        'Remove Subject: Art ×',
        'Remove all',
      ])
    })

    it('say how many are chosen on the drawer of narrow screens', async () => {
      const page = await open(service(), '/api/zines/?subject__in=punk,art&decade=1990')
      const [drawer] = page.all('details', 'drawer')
      expect(textsOf(drawer?.all('summary') ?? [])[0]).to.equal('Filters (3)')
    })

    it('answer a value that no filter takes as the API does', async () => {
      const { status, text } = await look(service(), '/api/zines/?year__gte=soon')
      expect(status).to.equal(400)
      expect(text).to.include('Enter a year in four digits.')
    })
  })

  describe('of a hundred records', () => {
    it('weigh less than 60 KB compressed with a hundred records', async () => {
      const id = unique('weight')
      for (let index = 0; index < 100; index += 1)
        await service().post('/api/zines/', zine(`${id}-${index}`, { title: `Heavy ${index}` }))
      const { headers } = await fetch(`${service().url}/api/zines/?q=heavy&page_size=100`, {
        headers: { accept: 'text/html', 'accept-encoding': 'gzip' },
      })
      expect(headers.get('content-encoding')).to.equal('gzip')
      expect(Number(headers.get('content-length'))).to.be.within(1000, 60_000)
    })
  })
})

describe('pages of a service without an index of words', () => {
  const service = useService({ LIST_INDEX: 'off' })

  before(() => service().post('/api/agents/', agent('maker')))

  it('have no search of the whole catalogue', async () => {
    const page = await open(service(), '/api/')
    expect(page.all('header', 'masthead').flatMap((one) => one.all('form'))).to.deep.equal([])
    const [form] = page.all('main').flatMap((main) => main.all('form'))
    expect(form?.attributes.action).to.equal('/api/zines/')
    expect(form?.all('input')[0]?.attributes.name).to.equal('search')
  })

  it('search lists for parts of words, and filter them', async () => {
    await service().post('/api/zines/', zine('one', { title: 'Cometbus', subject: ['punk'] }))
    const page = await open(service(), '/api/zines/?search=omet&subject__in=punk,art')
    expect(textsOf(page.all('h3'))).to.deep.equal(['Cometbus'])
    const [form] = page.all('form').filter(({ attributes }) => 'data-live-form' in attributes)
    expect(form?.all('input').map(({ attributes }) => attributes.name)).to.include('search')
  })

  it('say that words are not searched', async () => {
    for (const path of ['/api/search/?q=x', '/api/zines/?q=x']) {
      const { status, text } = await look(service(), path)
      expect([path, status]).to.deep.equal([path, 501])
      expect(text).to.include('This service has no index of words')
    }
    const page = await open(service(), '/api/search/')
    expect(page.text).to.include('The whole catalogue cannot be searched here')
  })
})
