// The filter `list` of records: what it finds for whom, in every format and on pages, and that no
// cache has what is not so any more, or is not for everyone.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { type Ask, WITH_INDEX, useService } from '../../service.js'
import { type Browser, browse, look, open } from '../../views/browser.js'

type Made = {
  readonly public?: boolean
  readonly title?: string
  readonly keys?: readonly string[]
}

const kinds = {
  zines: 'zine_id',
  agents: 'agent_id',
  repositories: 'repo_id',
  holdings: 'holding_id',
}

const formats = ['json', 'jsonl', 'jsonld', 'turtle', 'csv', 'bibtex', 'ris', 'marcxml', 'mods']

describe('the filter by a list of editors', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let editor: Browser

  const asEditor = (): Ask => ({ token: service().tokens.editor })
  const asZinesEditor = (): Ask => ({ token: service().tokens.zinesEditor })

  const bodyOf = ({ title = 'A list', keys = ['zines/a'], ...more }: Made) => ({
    title,
    public: more.public ?? true,
    records: keys.map((key) => {
      const [kind, id] = key.split('/')
      return { kind, id }
    }),
  })

  async function makeList(slug: string, made: Made = {}): Promise<void> {
    const { status, text } = await service().post('/api/lists/', { slug, ...bodyOf(made) })
    expect(status, text).to.equal(201)
  }

  async function change(slug: string, made: Made): Promise<void> {
    const { status, text } = await service().put(`/api/lists/${slug}/`, bodyOf(made))
    expect(status, text).to.equal(200)
  }

  async function find(query: string, ask: Ask = {}, kind: keyof typeof kinds = 'zines') {
    const { status, body, text } = await service().get(`/api/${kind}/?${query}`, ask)
    expect(status, text).to.equal(200)
    expect(body.count).to.equal(body.results.length)
    return body.results
      .map((record: Readonly<Record<string, string>>) => record[kinds[kind]])
      .sort()
  }

  before(async () => {
    for (const id of ['ann', 'bob']) await service().post('/api/agents/', agent(id))
    for (const id of ['lib', 'other']) await service().post('/api/repositories/', repository(id))
    for (const id of ['a', 'b', 'c'])
      await service().post('/api/zines/', zine(id, { title: `Zine ${id}`, creator: ['ann'] }))
    for (const id of ['h', 'i'])
      await service().post('/api/holdings/', holding(id, { zine_id: 'a', repository_id: 'lib' }))
    editor = browse(service().url)
    await editor.signIn('editor')
  })

  it('finds the records of each kind that are in it, with other filters and searches', async () => {
    await makeList('all', {
      keys: ['zines/b', 'agents/ann', 'zines/a', 'repositories/lib', 'holdings/h'],
    })
    expect(await find('list=all')).to.deep.equal(['a', 'b'])
    expect(await find('list=all', {}, 'agents')).to.deep.equal(['ann'])
    expect(await find('list=all', {}, 'repositories')).to.deep.equal(['lib'])
    expect(await find('list=all', {}, 'holdings')).to.deep.equal(['h'])
    expect(await find('list=all&search=Zine+b')).to.deep.equal(['b'])
    expect(await find('list=all&zine_id__in=a,c')).to.deep.equal(['a'])
    expect(await find('list=&search=zine')).to.deep.equal(['a', 'b', 'c'])
  })

  it('finds nothing where there is no such list, also with strict=true', async () => {
    expect(await find('list=none&strict=true')).to.deep.equal([])
  })

  it('gives the records of a list as a file in every format', async () => {
    await makeList('files', { keys: ['zines/b', 'zines/c'] })
    for (const format of formats) {
      const { status, text, headers } = await service().get(
        `/api/export/zines/?list=files&format=${format}`,
      )
      expect(status, format).to.equal(200)
      expect(headers.get('x-total-count'), format).to.equal('2')
      expect(text, format).to.include('Zine b').and.include('Zine c').and.not.include('Zine a')
    }
  })

  it('finds a record that was renamed or merged since', async () => {
    for (const id of ['old', 'goes', 'stays'])
      await service().post('/api/zines/', zine(id, { title: `Other ${id}`, creator: ['ann'] }))
    await makeList('moved', { keys: ['zines/old', 'zines/goes'] })
    await service().post('/api/zines/goes/merge/', { into: 'stays' })
    await service().post('/api/zines/stays/rename/', { id: 'stays-2' })
    await service().post('/api/zines/old/rename/', { id: 'new' })
    expect(await find('list=moved')).to.deep.equal(['new', 'stays-2'])
  })

  it('finds no hidden record', async () => {
    await service().post('/api/zines/', zine('veiled', { title: 'Veiled', creator: ['ann'] }))
    await makeList('veils', { keys: ['zines/veiled', 'zines/a'] })
    await service().patch('/api/zines/veiled/', { visibility: 'hidden', hidden_reason: 'request' })
    expect(await find('list=veils')).to.deep.equal(['a'])
  })

  it('follows every change of the list', async () => {
    await makeList('changes', { keys: ['zines/a'] })
    const both = async (expected: readonly string[]) => {
      // Twice each: the second time an answer may be kept.
      for (const accept of ['*/*', 'application/ld+json', 'text/html'])
        for (let time = 0; time < 2; time += 1) {
          const headers = { accept }
          const { text } = await service().get('/api/zines/?list=changes', { headers })
          for (const id of ['a', 'b', 'c'])
            expect(text.includes(`Zine ${id}`), `${accept} ${id}`).to.equal(expected.includes(id))
        }
    }
    await both(['a'])
    await change('changes', { keys: ['zines/b', 'zines/c'] })
    await both(['b', 'c'])
    await change('changes', { keys: ['zines/b'], public: false })
    await both([])
    await change('changes', { keys: ['zines/b'] })
    await both(['b'])
    await service().delete('/api/lists/changes/')
    await both([])
  })

  it('finds the records of a list that is not public for those alone who edit lists', async () => {
    await makeList('secret', { public: false, keys: ['zines/a', 'zines/b'] })
    expect(await find('list=secret', asEditor())).to.deep.equal(['a', 'b'])
    expect(await find('list=secret')).to.deep.equal([])
    expect(await find('list=secret', asZinesEditor())).to.deep.equal([])
    expect((await editor.get('/api/zines/?list=secret')).text).to.include('Zine b')
  })

  it('gives what is not public to nobody else by a cache', async () => {
    await makeList('kept', { public: false, keys: ['zines/c'] })
    await makeList('open', { keys: ['zines/c'] })
    const addresses = [
      ...formats.flatMap((format) => [
        `/api/zines/?list=kept&format=${format}`,
        `/api/export/zines/?list=kept&format=${format}`,
      ]),
      // A name may be written otherwise.
      '/api/zines/?l%69st=kept',
      '/api/zines/?list=none&list=kept',
      ...(WITH_INDEX ? ['/api/zines/facets/?list=kept', '/explore?list=kept&format=json'] : []),
    ].filter((address) => !address.startsWith('/api/zines/?list=kept&format=jsonl'))
    for (const address of addresses) {
      const without = address.replace('kept', 'never')
      for (let time = 0; time < 2; time += 1) {
        const mine = await service().get(address, asEditor())
        expect(mine.headers.get('cache-control'), address).to.equal('private, no-store')
        const tag = mine.headers.get('etag')
        const headers = tag === null ? {} : { 'if-none-match': tag }
        for (const ask of [{}, { headers }, asZinesEditor()]) {
          const theirs = await service().get(address, ask)
          expect(theirs.status, address).to.equal(200)
          const never = await service().get(without, ask)
          expect(theirs.text.replaceAll('kept', 'never'), address).to.equal(never.text)
          expect(theirs.headers.get('cache-control')).to.equal(never.headers.get('cache-control'))
          expect(mine.text, address).not.to.equal(theirs.text)
        }
      }
    }
    const everyone = await service().get('/api/zines/?list=open')
    expect(everyone.headers.get('cache-control')).to.equal('no-cache')
    const headers = { 'if-none-match': everyone.headers.get('etag') ?? '' }
    expect((await service().get('/api/zines/?list=open', { headers })).status).to.equal(304)
    await change('open', { public: false })
    expect((await service().get('/api/zines/?list=open', { headers })).status).to.equal(200)
  })

  it('is shown with the title of the list, to those who see it', async () => {
    await makeList('titled', { title: 'Summer reading' })
    await makeList('closed', { title: 'Behind the door', public: false })
    const { text } = await look(service(), '/api/zines/?list=titled')
    expect(text).to.include(
      '<h1 dir="auto" data-live="title">Zines on the list “Summer reading”</h1>',
    )
    const page = await open(service(), '/api/zines/?list=titled')
    const [chip] = page.all('ul', 'chosen').flatMap((list) => list.all('a'))
    expect(chip?.text).to.equal('Remove List: Summer reading ×')
    await change('titled', { title: 'Summer reading', public: false })
    const { text: closed } = await look(service(), '/api/zines/?list=titled')
    expect(closed).not.to.include('Summer reading')
    const other = browse(service().url)
    await other.signIn('zines-editor')
    const paths = ['/api/zines/?list=closed', '/explore?list=closed', '/map?list=closed']
    for (const path of WITH_INDEX ? paths : paths.slice(0, 1)) {
      expect((await editor.get(path)).text, path).to.include('Behind the door')
      for (const shown of [await other.get(path), await look(service(), path)])
        expect(shown.text, path).to.include('closed').and.not.include('Behind the door')
    }
  })

  it('is on the page of a list, with the files of each kind where everyone sees the list', async () => {
    await makeList('linked', { keys: ['zines/a', 'agents/ann'] })
    await makeList('unlinked', { public: false })
    const { text } = await look(service(), '/api/lists/linked/')
    expect(text).to.include('href="/api/zines/?list=linked"')
    for (const kind of ['zines', 'agents'])
      expect(text).to.include(`href="/api/export/${kind}/?list=linked&amp;format=csv&amp;safe=1"`)
    expect(text).not.to.include('/api/export/holdings/')
    for (const path of ['/api/lists/unlinked/', '/api/zines/?list=unlinked']) {
      const page = await editor.get(path)
      expect(page.text).to.include('Zine a').and.not.include('/api/export/zines/')
    }
  })

  it('is taken by batches, of a list that is not public too', async () => {
    await makeList('batch', { public: false, keys: ['zines/a', 'zines/b'] })
    const body = { kind: 'zines', query: 'list=batch', edit: { public_notes: { set: ['Noted'] } } }
    const { status, text } = await service().post('/api/batches/', body, asEditor())
    expect(status, text).to.equal(200)
    const noted = await Promise.all(
      ['a', 'b', 'c'].map(
        async (id) => (await service().get(`/api/zines/${id}/`)).body.public_notes,
      ),
    )
    expect(noted).to.deep.equal([['Noted'], ['Noted'], []])
  })
})
