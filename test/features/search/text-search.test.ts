// Tests ?q= of lists: what it finds, how it folds words, in what order, and what stands beside it. ?search= is tested in
// search.test.ts. The matching itself is compared with a naive search in test/catalogue/text-search.test.ts.

import { expect } from 'chai'

import { WITH_INDEX } from '../../service.js'
import {
  type Resource,
  listPath,
  recordPath,
  resourceOf,
  useCatalogue,
} from '../../http/catalogue.js'
import { SECRETS } from '../../http/secrets.js'

const zines: Readonly<Record<string, object>> = {
  raven: { title: 'Raven, The', issue_designation: 'no. 12' },
  wing: { title: 'Wing', abstract: 'A raven and the sea.' },
  quill: { title: 'Quill & Ink', creator: ['zora'], subject: ['punk'], date: ['1994-05'] },
  cafe: { title: 'Café Łódź Straße', language: ['es'], date: ['undated'] },
  hyphen: { title: 'Zine-Making Manifesto', place_of_publication: ['Reykjavík, Iceland'] },
  dots: { title: 'D.I.Y. Stories', table_of_contents: "Women's kitchens -- Punk houses" },
  isbn: { title: 'Numbered', identifier: ['978-3-16-148410-0'], public_notes: ['Stapled twice'] },
  alt: { title: 'Named', alternative_title: ['Sobriquet'], series_title: ['Nocturnes'] },
  elided: { title: 'L’Anarchie', abstract: "Qu’est-ce que c'est? Storia dell'arte." },
  unspaced: { title: 'ミニコミ雑誌', abstract: 'นิตยสารทำมือ', date: ['2003-07'] },
  korean: { title: '한국독립출판' },
  signs: { title: '!!!', public_notes: ['★ with love ♥♥', '<>'] },
}

describe('?q=', function () {
  const { service, given } = useCatalogue()

  before(async function () {
    if (!WITH_INDEX) this.skip()
    await given.agent({
      agent_id: 'zora',
      display_name: 'Zora Quist',
      alternative_names: ['Zed the Printer'],
    })
    for (const [zine_id, fields] of Object.entries(zines)) await given.zine({ zine_id, ...fields })
    await given.holding({ zine_id: 'wing', call_number: 'SHELF 77b', barcode: '3990001' })
  })

  const search = async (name: Resource['name'], query: string) => {
    const { status, body, text } = await service().get(`${listPath(name)}?page_size=100&${query}`)
    expect(status, text).to.equal(200)
    const { idField } = resourceOf(name)
    return { ids: body.results.map((one: any) => one[idField]) as string[], body }
  }
  const find = async (q: string) => (await search('zines', `q=${encodeURIComponent(q)}`)).ids

  // prettier-ignore
  const found: readonly (readonly [what: string, q: string, ids: readonly string[]])[] = [
    ['a word of the title', 'manifesto', ['hyphen']],
    ['words of several fields', 'quill zora', ['quill']],
    ['a word of the abstract behind one of the title', 'raven', ['raven', 'wing']],
    ['an inverted article', 'the raven 12', ['raven']],
    ['a leading article that the title does not have', 'the quill', ['quill']],
    ['accents', 'cafe', ['cafe']],
    ['letters that are no accents', 'lodz strasse', ['cafe']],
    ['an ampersand', 'quill and ink', ['quill']],
    ['a hyphen, joined', 'zinemaking', ['hyphen']],
    ['a hyphen, in parts', 'zine making', ['hyphen']],
    ['full stops', 'diy stories', ['dots']],
    ['an apostrophe', 'womens kitchen', ['dots']],
    ['plurals', 'story', ['dots']],
    ['the maker', 'zora quist', ['quill']],
    ['another name of the maker', 'zed printer', ['quill']],
    ['the label of a subject', 'punk quill', ['quill']],
    ['the label of a language', 'spanish', ['cafe']],
    ['the decade', '1990s zora', ['quill']],
    ['the place', 'reykjavik', ['hyphen']],
    ['notes', 'stapled', ['isbn']],
    ['an identifier', '978-3-16-148410-0', ['isbn']],
    ['an identifier without hyphens', '9783161484100', ['isbn']],
    ['the identifier of the record', 'dots', ['dots']],
    ['the alternative title', 'sobriquet', ['alt']],
    ['the series', 'nocturnes', ['alt']],
    ['the call number of a holding', 'shelf 77b', ['wing']],
    ['the barcode of a holding', '3990001', ['wing']],
    ['a phrase', '"punk houses"', ['dots']],
    ['a phrase that is not there', '"houses punk"', []],
    ['a word that must not occur', 'raven -sea', ['raven']],
    ['a word in a field', 'title:raven', ['raven']],
    ['a phrase in a field', 'creator:"zora quist"', ['quill']],
    ['a field that is no field', 'nofield:raven', []],
    ['the beginning of the last word', 'manif', ['hyphen']],
    ['one letter off', 'manefesto', ['hyphen']],
    ['two letters off', 'sobrakuet', ['alt']],
    ['a word written as two', 'noct urnes', ['alt']],
    ['the beginning of one letter', 'quist z', ['quill']],
    ['the beginning of one letter behind a comma', 'quist, z', ['quill']],
    ['a word without its article', '"anarchie"', ['elided']],
    ['a word with its article', "l'anarchie", ['elided']],
    ['a word with its article, joined', 'lanarchie', ['elided']],
    ['a word with another article', 'd’anarchie', ['elided']],
    ['the beginning of a word with its article', 'l’anar', ['elided']],
    ['a word with its article, one letter off', "l'anarchei", ['elided']],
    ['a word behind a long article', 'est arte', ['elided']],
    ['a phrase with an article', '"storia dell’arte"', ['elided']],
    ['a word inside a script without spaces', '雑誌', ['unspaced']],
    ['a letter inside a script without spaces', 'コ', ['unspaced']],
    ['words inside Thai', 'นิตยสาร ทำมือ', ['unspaced']],
    ['a word inside Korean', '독립', ['korean']],
    ['no letters that do not follow each other', '雑コ', []],
    ['an issue in other words', 'raven issue 12', ['raven']],
    ['an issue in other words', 'raven Nr. 12', ['raven']],
    ['a field with a space behind its colon', 'title: wing', ['wing']],
    ['a month by name', 'july 2003', ['unspaced']],
    ['a month by name, in another language', '2003 juillet', ['unspaced']],
    ['no month of another year', 'july 2004', []],
    ['a title of signs', '!!!', ['signs']],
    ['the beginning of signs', '♥', ['signs']],
    ['several signs', '★ <>', ['signs']],
    ['no signs that do not occur', '?!', []],
  ]
  for (const [what, q, ids] of found)
    it(`finds ${what}: ${q}`, async () => expect(await find(q)).to.deep.equal(ids))

  it('finds nothing for a beginning that is not of the last word', async () =>
    expect(await find('manif zin -zine')).to.deep.equal([]))

  it('is no search where it is blank', async () => {
    const { body } = await search('zines', 'q=%20')
    expect(body.results.length).to.be.greaterThan(Object.keys(zines).length)
    expect(body).to.have.all.keys('count', 'next', 'previous', 'results')
  })

  it('is ordered by another field where that is asked', async () => {
    const { ids } = await search('zines', 'q=raven&ordering=-title')
    expect(ids).to.deep.equal(['wing', 'raven'])
    expect((await search('zines', 'q=raven&ordering=-relevance')).ids).to.deep.equal([
      'wing',
      'raven',
    ])
  })

  it('applies beside search and filters', async () => {
    expect((await search('zines', 'q=raven&search=sea')).ids).to.deep.equal(['wing'])
    expect((await search('zines', 'q=quill&subject=punk')).ids).to.deep.equal(['quill'])
    expect((await search('zines', 'q=quill&subject=travel')).ids).to.deep.equal([])
  })

  it('is paged by number, the best first, and by cursor, the newest first', async () => {
    const pages = ['page_size=1&page=2', 'page_size=1&cursor=']
    const [second, first] = await Promise.all(
      pages.map(async (page) => (await service().get(`/api/zines/?q=raven&${page}`)).body),
    )
    expect(second.results[0].zine_id).to.equal('wing')
    expect(first.results[0].zine_id).to.equal('wing')
    const next = await service().get(first.next.slice(service().url.length))
    expect(next.body.results[0].zine_id).to.equal('raven')
    expect(next.body.next).to.equal(null)
  })

  it('is taken by exports', async () => {
    const { text } = await service().get('/api/zines/export/?q=raven&format=csv')
    expect(text.match(/^(?:raven|wing),/gm)).to.deep.equal(['raven,', 'wing,'])
  })

  it('says what was likely meant, where few are found', async () => {
    const { body } = await search('zines', 'q=manefesto')
    expect(body.did_you_mean).to.equal('manifesto')
    expect((await search('zines', 'q=manifesto')).body).not.to.have.property('did_you_mean')
  })

  it('takes no more than 32 words', async () => {
    const words = Array.from({ length: 33 }, (_, index) => `w${index}`).join('+')
    const { status, body } = await service().get(`/api/zines/?q=${words}`)
    expect(status).to.equal(400)
    expect(body).to.have.key('q')
  })

  it('finds agents, repositories and holdings', async () => {
    expect((await search('agents', 'q=zed+printer')).ids).to.deep.equal(['zora'])
    expect((await search('repositories', 'q=repository_name:library')).ids).to.include('library')
    expect((await search('holdings', 'q=3990001')).ids).to.have.length(1)
    expect((await search('holdings', 'q=wing+77b')).ids).to.have.length(1)
  })

  describe('after a write', () => {
    it('finds what was written, and not what it replaced', async () => {
      const { zine_id } = await given.zine({ title: 'Palimpsest' })
      expect(await find('palimpsest')).to.deep.equal([zine_id])
      const path = recordPath('zines', zine_id)
      await service().patch(path, { title: 'Vellum' })
      expect(await find('vellum')).to.deep.equal([zine_id])
      expect(await find('"palimpsest"')).to.deep.equal([])
      await service().delete(path)
      expect(await find('"vellum"')).to.deep.equal([])
    })

    it('finds zines by the new name of their maker', async () => {
      const { agent_id } = await given.agent({ display_name: 'Former Moniker' })
      const { zine_id } = await given.zine({ creator: [agent_id] })
      expect(await find('moniker')).to.deep.equal([zine_id])
      const changes = { display_name: 'Present Sobriety' }
      await service().patch(recordPath('agents', agent_id), changes)
      expect(await find('sobriety')).to.deep.equal([zine_id])
      expect(await find('"moniker"')).to.deep.equal([])
    })

    it('finds a zine by a holding that is created, until it is deleted', async () => {
      const { zine_id } = await given.zine()
      const { holding_id } = await given.holding({ zine_id, barcode: 'bar5551212' })
      expect(await find('bar5551212')).to.deep.equal([zine_id])
      await service().delete(recordPath('holdings', holding_id))
      expect(await find('"bar5551212"')).to.deep.equal([])
    })
  })

  describe('of several kinds, where records match equally well', () => {
    const ids = ['tie-a', 'tie-b', 'tie-c', 'tie-d']

    const foundBy = async (path: string) => {
      const { body } = await service().get(path)
      return (body.results ?? body).map((one: any) => one.id ?? one.zine_id)
    }

    it('is in the order of the identifiers, also after writes', async () => {
      for (const zine_id of ids.toReversed()) await given.zine({ zine_id, title: 'Tessellated' })
      const paths = [
        '/api/search/?q=tessellated',
        '/api/suggest/?q=tessell',
        '/api/zines/?q=tessellated',
      ]
      for (const path of paths) expect(await foundBy(path), path).to.deep.equal(ids)
      for (const zine_id of ['tie-c', 'tie-a'])
        await service().patch(recordPath('zines', zine_id), { issue_designation: 'no. 5' })
      for (const zine_id of ['tie-c', 'tie-a'])
        await service().patch(recordPath('zines', zine_id), { issue_designation: '' })
      for (const path of paths) expect(await foundBy(path), path).to.deep.equal(ids)
    })
  })

  describe('the private names of an agent', () => {
    const searches = Object.values(SECRETS).flatMap((secret) => [secret, secret.slice(0, 5)])

    it('are found by nobody', async () => {
      const { agent_id } = await given.agent({ public: false, ...SECRETS, display_name: 'Hidden' })
      const { zine_id } = await given.zine({ creator: [agent_id] })
      for (const secret of searches)
        for (const token of [null, ...Object.values(service().tokens)])
          for (const path of ['/api/agents/?', '/api/zines/?', '/api/search/?', '/api/suggest/?']) {
            const asked = `${path}q=${encodeURIComponent(secret)}`
            const { text } = await service().get(asked, { token })
            expect(text, asked).not.to.include(agent_id)
            expect(text, asked).not.to.include(zine_id)
          }
    })

    it('are found while they are public', async () => {
      const { agent_id } = await given.agent({ legal_name: 'Ottoline Vane' })
      expect((await search('agents', 'q=ottoline+vane')).ids).to.deep.equal([agent_id])
      await service().patch(recordPath('agents', agent_id), { public: false })
      expect((await search('agents', 'q="ottoline+vane"')).ids).to.deep.equal([])
    })
  })
})

describe('?q= without an index of words', () => {
  const { service } = useCatalogue({ LIST_INDEX: 'off' })

  it('is answered 501, in words', async () => {
    for (const path of ['/api/zines/?q=x', '/api/search/?q=x', '/api/suggest/?q=x']) {
      const { status, body } = await service().get(path)
      expect(status, path).to.equal(501)
      expect(body.detail).to.include('search')
    }
  })
})
