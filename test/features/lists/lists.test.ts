// The lists that editors make, over HTTP: as JSON, as pages and by their forms, and what the public
// sees of them.

import { expect } from 'chai'

import { agent, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { browse, look, open } from '../../views/browser.js'

type List = {
  readonly title: string
  readonly records: readonly { readonly kind: string; readonly id: string; readonly note: string }[]
}

describe('lists of editors', () => {
  const service = useService({ BASE_URL: 'http://localhost' })

  const entry = (id: string, note = '', kind = 'zines') => ({ kind, id, note })

  const asRdf = async (path: string): Promise<string> =>
    (await service().get(path, { headers: { accept: 'application/n-triples' }, token: null })).text

  const asEditor = () => ({ token: service().tokens.editor })

  async function makeList(slug: string, more: object = {}) {
    const records = [
      entry('b', 'The second first'),
      entry('a'),
      entry('ann', 'Made both', 'agents'),
    ]
    const body = {
      slug,
      title: `List ${slug}`,
      text: 'About *zines*.',
      public: true,
      records,
      ...more,
    }
    const answer = await service().post('/api/lists/', body)
    expect(answer.status, answer.text).to.equal(201)
    return answer
  }

  const idsOf = async (slug: string, token: string | null = null): Promise<readonly string[]> => {
    const { body } = await service().ask('GET', `/api/lists/${slug}/`, { token })
    return (body as List).records.map(({ id }) => id)
  }

  before(async () => {
    await service().post('/api/agents/', agent('ann', { display_name: 'Ann' }))
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      await service().post('/api/zines/', zine(id, { title: `Zine ${id}`, creator: ['ann'] }))
  })

  it('have their records in the order that was sent, each with its note', async () => {
    const { headers } = await makeList('order')
    expect(headers.get('location')).to.match(/\/api\/lists\/order\/$/)
    const { body } = await service().ask('GET', '/api/lists/order/', { token: null })
    expect((body as List).records).to.deep.equal([
      entry('b', 'The second first'),
      entry('a'),
      entry('ann', 'Made both', 'agents'),
    ])
  })

  it('show their text, their notes and the covers of zines on a page', async () => {
    await makeList('page')
    const { text } = await look(service(), '/api/lists/page/')
    expect(text).to.include('The second first')
    expect(text).to.include('<em>zines</em>')
    expect(text.match(/class="cover drawn/g)).to.have.length(2)
  })

  it('are replaced only by whoever saw the last version', async () => {
    const { headers } = await makeList('locked')
    const ifMatch = { 'if-match': headers.get('etag') ?? '' }
    const put = (title: string) =>
      service().ask('PUT', '/api/lists/locked/', {
        body: { title, public: true },
        headers: ifMatch,
      })
    expect((await put('First')).status).to.equal(200)
    expect((await put('Second')).status).to.equal(412)
    expect(((await service().get('/api/lists/locked/')).body as List).title).to.equal('First')
  })

  it('say all that is wrong with what was sent', async () => {
    const sent = { slug: 'wrong', title: ' ', public: 'yes', records: [entry('nothing')] }
    const { status, body: wrong } = await service().post('/api/lists/', sent)
    expect(status).to.equal(400)
    expect(wrong).to.have.all.keys('title', 'public', 'records')
  })

  it('take no slug that is taken', async () => {
    await makeList('taken')
    const body = { slug: 'taken', title: 'Another' }
    expect((await service().post('/api/lists/', body)).status).to.equal(409)
  })

  it('are found from the home page', async () => {
    const { text } = await look(service(), '/api/')
    expect(text).to.match(/<a href="\/api\/lists\/"/)
  })

  it('that are not public are nowhere for the public', async () => {
    await makeList('secret', { public: false, title: 'Behind the door' })
    const list = await service().ask('GET', '/api/lists/secret/', { token: null })
    expect(list.status).to.equal(404)
    expect((await open(service(), '/api/lists/')).text).not.to.include('Behind the door')
    const all = await service().ask('GET', '/api/lists/', { token: null })
    expect(all.text).not.to.include('secret')
    expect(await browse(service().url).get('/api/lists/secret/')).to.include({ status: 404 })
    expect((await service().get('/api/lists/secret/', asEditor())).status).to.equal(200)
  })

  it('leave a hidden record out for the public, with its note, and not for editors', async () => {
    await makeList('hides', { records: [entry('c', 'A private matter'), entry('a')] })
    const visibility = { visibility: 'hidden', hidden_reason: 'request' }
    const hidden = await service().ask('PATCH', '/api/zines/c/', { body: visibility })
    expect(hidden.status, hidden.text).to.equal(200)
    expect(await idsOf('hides')).to.deep.equal(['a'])
    const page = await look(service(), '/api/lists/hides/')
    expect(page.text).not.to.match(/Zine c|A private matter/)
    const { body } = await service().get('/api/lists/hides/', asEditor())
    expect((body as List).records[0]).to.deep.equal(entry('c', 'A private matter'))
  })

  it('leave a deleted record out, and follow a renamed one', async () => {
    await makeList('follows', { records: [entry('d'), entry('e')] })
    await service().ask('DELETE', '/api/zines/d/')
    const renamed = await service().post('/api/zines/e/rename/', { id: 'e-2' })
    expect(renamed.status, renamed.text).to.equal(200)
    expect(await idsOf('follows')).to.deep.equal(['e-2'])
  })

  it('keep the place of a deleted record while they are replaced', async () => {
    const made = zine('gone', { title: 'Gone', creator: ['ann'] })
    await service().post('/api/zines/', made)
    await makeList('keeps', { records: [entry('a'), entry('gone', 'A note'), entry('b')] })
    await service().delete('/api/zines/gone/')
    const body = { title: 'Keeps', public: true, records: [entry('b'), entry('a')] }
    const put = await service().put('/api/lists/keeps/', body)
    expect((put.body as List).records).to.deep.equal([entry('b'), entry('a')])
    expect((await service().post('/api/zines/', made)).status).to.equal(201)
    const { body: list } = await service().get('/api/lists/keeps/')
    expect((list as List).records).to.deep.equal([entry('b'), entry('gone', 'A note'), entry('a')])
  })

  it('are replaced and deleted only by whoever saw a record that was restored', async () => {
    const made = zine('returns', { creator: ['ann'] })
    await service().post('/api/zines/', made)
    await makeList('restored', { records: [entry('a'), entry('returns')] })
    await service().delete('/api/zines/returns/')
    const path = '/api/lists/restored/'
    const tagOf = async () => (await service().get(path, asEditor())).headers.get('etag') ?? ''
    const put = (tag: string) =>
      service().ask('PUT', path, {
        body: { title: 'Restored', public: true, records: [entry('a')] },
        headers: { 'if-match': tag },
      })
    const seen = await tagOf()
    expect((await service().post('/api/zines/', made)).status).to.equal(201)
    expect((await put(seen)).status).to.equal(412)
    const headers = { 'if-match': seen }
    expect((await service().ask('DELETE', path, { headers })).status).to.equal(412)
    expect(await idsOf('restored')).to.deep.equal(['a', 'returns'])
    expect((await put(await tagOf())).status).to.equal(200)
    expect(await idsOf('restored')).to.deep.equal(['a'])
  })

  it('lose a value that is redacted from a record', async () => {
    const name = 'Wilhelmina Legalname'
    await service().post('/api/agents/', agent('named', { display_name: 'N', legal_name: name }))
    const records = [entry('a', `By ${name}`)]
    await makeList('redacted', { title: `Of ${name}`, text: `Thanks, ${name}!`, records })
    const redaction = { field: 'legal_name', value: name }
    expect((await service().post('/api/agents/named/redact/', redaction)).status).to.equal(204)
    const { text } = await service().get('/api/lists/redacted/')
    expect(text).to.include('Thanks, ').and.not.to.include('Wilhelmina')
  })

  it('forget an identifier that is forgotten', async () => {
    await service().post('/api/zines/', zine('deadname', { title: 'New', creator: ['ann'] }))
    await makeList('forgets', { records: [entry('deadname')], text: 'See deadname.' })
    const rename = { id: 'new-name', forget: true }
    const renamed = await service().post('/api/zines/deadname/rename/', rename)
    expect(renamed.status, renamed.text).to.equal(200)
    const { body, text } = await service().get('/api/lists/forgets/')
    expect((body as List).records).to.deep.equal([entry('new-name')])
    expect(text).not.to.include('deadname')
  })

  it('are made, ordered and deleted by the forms, without a script', async () => {
    const browser = browse(service().url)
    await browser.signIn('admin')
    const made = await browser.send('/manage/lists/new', {
      slug: 'by-form',
      title: 'By form',
      text: '',
      public: 'true',
      more: 'zines/a\nhttp://localhost/api/zines/b/\n',
    })
    expect(made.status, made.text).to.equal(303)
    expect(await idsOf('by-form')).to.deep.equal(['a', 'b'])

    const form = '/manage/lists/edit/by-form'
    const version = /name="\.version" value="([^"]+)"/.exec((await browser.get(form)).text)?.[1]
    const fields = {
      '.version': version ?? '',
      do: 'save',
      title: 'By form',
      text: '',
      public: 'true',
      record: ['zines/a', 'zines/b'],
      number: ['2', '1'],
      note: ['Later', 'Sooner'],
    }
    const saved = await browser.send(form, fields)
    expect(saved.status, saved.text).to.equal(303)
    const { body } = await service().get('/api/lists/by-form/')
    expect((body as List).records).to.deep.equal([entry('b', 'Sooner'), entry('a', 'Later')])

    // The version that the form had is not the last one any more.
    const late = await browser.send(form, fields)
    expect(late.status).to.equal(412)
    expect(late.text).to.include('somebody else changed this list')

    const last = /name="\.version" value="([^"]+)"/.exec((await browser.get(form)).text)?.[1]
    const early = await browser.send(form, { '.version': version ?? '', do: 'delete' })
    expect(early.status).to.equal(412)
    const deleted = await browser.send(form, { '.version': last ?? '', do: 'delete' })
    expect(deleted.headers.get('location')).to.match(/^\/api\/lists\//)
    expect((await service().get('/api/lists/by-form/')).status).to.equal(404)
  })

  it('are not replaced by a form that was corrected after somebody else changed the list', async () => {
    await makeList('corrected')
    const browser = browse(service().url)
    await browser.signIn('admin')
    const form = '/manage/lists/edit/corrected'
    const versionIn = (text: string) => /name="\.version" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const version = versionIn((await browser.get(form)).text)
    const body = { title: 'Changed by somebody', public: true }
    expect((await service().put('/api/lists/corrected/', body)).status).to.equal(200)
    const fields = { '.version': version, do: 'save', text: '', public: 'true' }
    const refused = await browser.send(form, { ...fields, title: ' ' })
    expect(refused.status).to.equal(400)
    const corrected = { ...fields, title: 'Mine', '.version': versionIn(refused.text) }
    expect((await browser.send(form, corrected)).status).to.equal(412)
    const { body: list } = await service().get('/api/lists/corrected/')
    expect(list).to.include({ title: 'Changed by somebody' })
  })

  it('take the records that were ticked, each once, after those that they have', async () => {
    await makeList('ticked', { records: [entry('b', 'Stays')] })
    const browser = browse(service().url)
    await browser.signIn('admin')
    const record = await browser.get('/api/zines/a/')
    expect(record.text).to.include('/manage/lists/add?kind=zines&amp;id=a')
    expect((await browser.get('/api/zines/')).text).to.include('formaction="/manage/lists/add"')
    // `list` is what the list of records finds.
    const ticks = { kind: 'zines', id: ['a', 'b'], list: '' }
    const chosen = await browser.send('/manage/lists/add', ticks)
    expect(chosen.text).to.match(/<input type="radio" name="list" value="ticked"/)
    expect(chosen.text).to.include('Zine a')
    const sent = { more: 'zines/a\nzines/b', list: 'ticked' }
    expect((await browser.send('/manage/lists/add', sent)).status).to.equal(303)
    const { body } = await service().get('/api/lists/ticked/')
    expect((body as List).records).to.deep.equal([entry('b', 'Stays'), entry('a')])
    const fresh = await browser.send('/manage/lists/new', { ...sent, do: 'choose' })
    expect(fresh.text).to.include('zines/a\nzines/b</textarea>')
  })

  it('are ordered by buttons, which save nothing before Save is pressed', async () => {
    await makeList('moved', { records: [entry('a', 'First'), entry('b')] })
    const browser = browse(service().url)
    await browser.signIn('admin')
    const form = '/manage/lists/edit/moved'
    const version = /name="\.version" value="([^"]+)"/.exec((await browser.get(form)).text)?.[1]
    const fields = {
      '.version': version ?? '',
      title: 'Moved',
      text: '',
      public: 'true',
      record: ['zines/a', 'zines/b'],
      number: ['1', '2'],
      note: ['Changed', ''],
    }
    const { text } = await browser.send(form, { ...fields, '.down': '0' })
    const keys = [...text.matchAll(/name="record" value="([^"]+)"/g)].map(([, key]) => key)
    expect(keys).to.deep.equal(['zines/b', 'zines/a'])
    expect(text).to.include('value="Changed"').and.to.include('Zine a')
    expect(text).to.include(`name=".version" value="${version}"`)
    expect(await idsOf('moved')).to.deep.equal(['a', 'b'])
  })

  it('are an ordered list of schema.org in RDF, at their IRI too', async () => {
    await makeList('linked')
    const iri = await service().get('/id/lists/linked', { headers: { accept: 'text/turtle' } })
    expect(iri.status).to.equal(303)
    expect(iri.headers.get('location')).to.match(/\/api\/lists\/linked\/$/)
    const triples = await asRdf('/api/lists/linked/')
    const items = ['zines/b', 'zines/a', 'agents/ann']
    for (const [index, item] of items.entries()) {
      const node = `<http://localhost/id/lists/linked#item-${index + 1}>`
      const schemaOrg = 'http://schema.org'
      expect(triples).to.include(`${node} <${schemaOrg}/item> <http://localhost/id/${item}> .`)
      expect(triples).to.include(`${node} <${schemaOrg}/position> "${index + 1}"`)
    }
  })

  it('are a feed, and a zine to print', async () => {
    await makeList('feed')
    const headers = { accept: 'application/atom+xml' }
    const feed = await service().get('/api/lists/feed/', { headers, token: null })
    const ids = [...feed.text.matchAll(/<id>([^<]+)<\/id>/g)].map(([, id]) => id)
    const things = ['lists/feed', 'zines/b', 'zines/a', 'agents/ann']
    expect(ids).to.deep.equal(things.map((thing) => `http://localhost/id/${thing}`))
    expect((await look(service(), '/api/lists/feed/')).text).to.include('href="/booklet/feed"')
    const printed = await look(service(), '/booklet/feed')
    const pageOf = (number: number) =>
      new RegExp(`aria-label="Page ${number} of 8">.*?</section>`, 's').exec(printed.text)?.[0]
    expect(pageOf(2)).to.include('Zine b')
    expect(pageOf(3)).to.include('Zine a')
  })

  it('keep hidden records and lists that are not public out of every format', async () => {
    const hidden = zine('veiled', { title: 'Veiled title', creator: ['ann'] })
    await service().post('/api/zines/', hidden)
    await makeList('formats', { records: [entry('veiled', 'Veiled note'), entry('a')] })
    await makeList('closed', { public: false })
    const visibility = { visibility: 'hidden', hidden_reason: 'request' }
    await service().ask('PATCH', '/api/zines/veiled/', { body: visibility })
    for (const format of ['json', 'jsonld', 'turtle', 'ntriples', 'rdfxml', 'atom']) {
      const shown = await service().get(`/api/lists/formats/?format=${format}`, { token: null })
      expect(shown.status, format).to.equal(200)
      expect(shown.text.toLowerCase(), format).to.not.include('veiled')
      const closed = await service().get(`/api/lists/closed/?format=${format}`, { token: null })
      expect(closed.status, format).to.equal(404)
    }
    const editor = browse(service().url)
    await editor.signIn('admin')
    for (const { text } of [
      await look(service(), '/booklet/formats'),
      await editor.get('/booklet/formats'),
    ])
      expect(text).to.include('Zine a').and.not.to.include('Veiled')
    for (const path of ['/booklet/closed', '/id/lists/closed'])
      expect((await look(service(), path)).status, path).to.equal(404)
    expect((await editor.get('/booklet/closed')).status).to.equal(200)
  })

  it('refuse an editor of one kind, who would not see all records', async () => {
    await makeList('refused')
    const token = service().tokens.zinesEditor
    const body = { slug: 'theirs', title: 'Theirs' }
    expect((await service().post('/api/lists/', body, { token })).status).to.equal(403)
    expect((await service().put('/api/lists/refused/', body, { token })).status).to.equal(403)
    expect((await service().delete('/api/lists/refused/', { token })).status).to.equal(403)
  })
})
