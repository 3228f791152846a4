// Atom feeds of lists: what RFC 4287 requires, over HTTP as feed readers ask for them.

import { expect } from 'chai'

import { agent, holding, zine } from '../examples.js'
import { BASE_URL } from '../service.js'
import { useCatalogue } from '../http/catalogue.js'
import { complaintsOf, textsIn } from './xmllint.js'

/** An XPath of elements of Atom by their names. */
const path = (...names: readonly string[]): string =>
  names.map((name) => `/*[local-name()="${name}"]`).join('')

const entries = path('feed', 'entry')

/** The address of a link of the feed. */
const linkOf = (relation: string): string => `${path('feed', 'link')}[@rel="${relation}"]/@href`

describe('the Atom feed of a list', () => {
  const { service } = useCatalogue()
  const read = async (query: string, name = 'zines') => {
    const answer = await service().get(`/api/${name}/?format=atom${query}`)
    expect(answer.status, answer.text).to.equal(200)
    return answer.text
  }

  before(async () => {
    await service().post(
      '/api/agents/',
      agent('dot', { display_name: 'Dot & <Matrix>', public: false, legal_name: 'Hidden Name' }),
    )
    await service().post('/api/agents/', agent('gone', { display_name: 'Not Here Any More' }))
    for (const [id, more] of [
      ['first', {}],
      ['second', { creator: ['dot', 'gone'], abstract: 'On <toner> & ink.', date: ['2026'] }],
      ['third', { issue_designation: '3', genre: ['minicomic'] }],
    ] as const)
      await service().post('/api/zines/', zine(id, more))
    await service().post('/api/holdings/', holding('copy', { zine_id: 'third' }))
    await service().delete('/api/agents/gone/')
    await service().patch('/api/zines/first/', { title: 'Changed last' })
  })

  it('is well-formed in every list, with what a feed and an entry must have', async function () {
    for (const name of ['zines', 'agents', 'repositories', 'holdings']) {
      const xml = await read('', name)
      expect(complaintsOf(this, xml)).to.equal('')
      for (const element of ['id', 'title', 'updated', 'author', 'generator'])
        expect(textsIn(this, xml, path('feed', element)), `${name} ${element}`).to.have.length(1)
      const count = textsIn(this, xml, entries).length
      expect(count).to.be.greaterThan(0)
      for (const element of ['id', 'title', 'updated', 'published']) {
        const texts = textsIn(this, xml, entries + path(element))
        expect(texts.filter(Boolean), `${name} ${element}`).to.have.length(count)
      }
      const links = textsIn(this, xml, `${entries}${path('link')}[@rel="alternate"]/@href`)
      expect(links).to.have.length(count)
      const times = textsIn(this, xml, entries + path('updated'))
      for (const time of times) expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      expect(textsIn(this, xml, path('feed', 'updated'))).to.deep.equal([times[0]])
    }
  })

  it('has the media type of Atom, by ?format= and by Accept, and an ETag', async () => {
    const accept = { headers: { accept: 'application/atom+xml' } }
    for (const answer of [
      await service().get('/api/zines/?format=atom'),
      await service().get('/api/zines/', accept),
    ]) {
      expect(answer.headers.get('content-type')).to.equal('application/atom+xml; charset=utf-8')
      expect(answer.headers.get('etag')).to.match(/^"atom-/)
    }
  })

  it('begins with what was changed last, unless an order is given', async function () {
    const ids = async (query: string) =>
      textsIn(this, await read(query), entries + path('id')).map((id) => id.split('/').at(-1))
    expect(await ids('')).to.deep.equal(['first', 'third', 'second', 'second-zine', 'zine'])
    expect(await ids('&ordering=title')).to.deep.equal([
      ...['first', 'second', 'second-zine', 'third', 'zine'],
    ])
    expect(await ids('&genre=minicomic')).to.deep.equal(['third'])
    await service().patch('/api/agents/maker/', { biography: 'Still here.' })
    const [newest] = textsIn(this, await read('', 'agents'), entries + path('id'))
    expect(newest).to.equal(`${BASE_URL}/id/agents/maker`)
  })

  it('names an entry by its IRI, its title with the issue, its makers and a summary', async function () {
    const xml = await read('&search=Zine')
    const of = (id: string, ...names: readonly string[]) =>
      textsIn(
        this,
        xml,
        `${entries}[*[local-name()="id"]="${BASE_URL}/id/zines/${id}"]${path(...names)}`,
      )
    expect(of('third', 'title')).to.deep.equal(['Zine third, 3'])
    expect(of('second', 'author', 'name')).to.deep.equal(['Dot & <Matrix>'])
    expect(of('second', 'summary')).to.deep.equal([
      'Dot & <Matrix>, name withheld · 2026\nOn <toner> & ink.',
    ])
    expect(xml).not.to.include('Hidden Name')
    const copies = await read('', 'holdings')
    expect(textsIn(this, copies, entries + path('title'))).to.include('Zine third')
  })

  it('leads to its pages in the same format, and is one feed on all of them', async function () {
    const first = await read('&page_size=3&search=zine')
    const next = new URL(textsIn(this, first, linkOf('next'))[0] ?? '')
    expect(next.searchParams.get('format')).to.equal('atom')
    const second = (await service().get(next.pathname + next.search)).text
    for (const [xml, relations] of [
      [first, ['alternate', 'self', 'first', 'next', 'last']],
      [second, ['alternate', 'self', 'first', 'previous', 'last']],
    ] as const) {
      expect(textsIn(this, xml, `${path('feed', 'link')}/@rel`)).to.deep.equal(relations)
      expect(textsIn(this, xml, path('feed', 'id'))).to.deep.equal([
        `${BASE_URL}/api/zines/?search=zine`,
      ])
      expect(textsIn(this, xml, path('feed', 'title'))).to.deep.equal([
        'Zine Catalogue: zines, search: zine',
      ])
    }
    expect(textsIn(this, first, linkOf('self'))).to.deep.equal(
      textsIn(this, second, linkOf('first')),
    )
    // By Accept too, its links ask for the format.
    const { text } = await service().get('/api/zines/', {
      headers: { accept: 'application/atom+xml' },
    })
    expect(textsIn(this, text, linkOf('self'))[0]).to.match(/\?format=atom$/)
  })

  it('is well-formed without entries, too', async function () {
    const xml = await read('&search=nothing-has-this')
    expect(complaintsOf(this, xml)).to.equal('')
    expect(textsIn(this, xml, entries)).to.deep.equal([])
    expect(textsIn(this, xml, path('feed', 'updated'))).to.deep.equal(['1970-01-01T00:00:00Z'])
  })

  it('is a format of lists alone', async () => {
    for (const address of [
      '/api/zines/first/',
      '/api/export/zines/',
      '/api/zines/export/',
      '/id/zines/first',
      '/api/vocabularies/subjects/',
    ])
      expect((await service().get(`${address}?format=atom`)).status, address).to.equal(406)
    const { text } = await service().get('/api/zines/first/?format=html')
    expect(text).not.to.include('atom+xml')
  })

  it('is named by the page of the list, with its filters', async () => {
    const accept = { headers: { accept: 'text/html' } }
    const { text } = await service().get('/api/zines/?genre=perzine&page=1', accept)
    expect(text).to.match(
      /<link rel="alternate" type="application\/atom\+xml" title="Zines of the genre perzine: what is new" href="\/api\/zines\/\?genre=perzine&amp;format=atom"\/>/,
    )
  })
})
