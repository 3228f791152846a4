// Tests editors who are bound to the holdings of one library: what they may write, by whatever way, and what
// their pages offer. The rule itself has unit tests.

import { expect } from 'chai'

import { PASSWORD } from '../../service.js'
import { type Browser, type Element, browse, fieldsOf, read } from '../../views/browser.js'
import { minimal } from '../../examples.js'
import { unique, useCatalogue } from '../../http/catalogue.js'
import { image, sendPicture } from '../pictures/picture-files.js'

const FORBIDDEN = { detail: 'You do not have permission to perform this action.' }

/** The form of a page that has a button with this value. */
function formWith(text: string, button: string): Element {
  const form = read(text)
    .all('form')
    .find((one) => one.all('button').some(({ attributes }) => attributes.value === button))
  if (!form) throw new Error(`no form to ${button}`)
  return form
}

describe('an editor who is bound to one library', () => {
  const { service } = useCatalogue()
  let token: string
  let name: string
  let own: string
  let other: string
  let browser: Browser

  before(async () => {
    own = await repository()
    other = await repository()
    name = unique('bound')
    await service().accounts.add({
      name,
      password: PASSWORD,
      role: 'editor',
      restrictedTo: [],
      repository: own,
    })
    token = await service().accounts.login(name, PASSWORD)
    browser = browse(service().url)
    await browser.signIn(name)
  })

  async function repository(repository_name = 'The Library'): Promise<string> {
    const id = unique('library')
    const sent = minimal.repositories(id, { repository_name })
    const { status } = await service().post('/api/repositories/', sent)
    expect(status).to.equal(201)
    return id
  }

  /** A holding that an administrator has made. */
  async function holding(repository_id: string): Promise<string> {
    const id = unique('copy')
    const sent = minimal.holdings(id, { repository_id })
    expect((await service().post('/api/holdings/', sent)).status).to.equal(201)
    return id
  }

  const path = (id: string): string => `/api/holdings/${id}/`

  it('is told so by /api/auth/me/', async () => {
    const { body } = await service().get('/api/auth/me/', { token })
    expect(body).to.include({ username: name, role: 'editor', repository: own })
    expect(body.only).to.deep.equal(['holdings'])
  })

  it('creates, replaces, changes and deletes holdings of it', async () => {
    const id = unique('copy')
    const sent = minimal.holdings(id, { repository_id: own })
    expect((await service().post('/api/holdings/', sent, { token })).status).to.equal(201)
    expect((await service().put(path(id), sent, { token })).status).to.equal(200)
    const changed = await service().patch(path(id), { condition: 'Signed.' }, { token })
    expect(changed.status).to.equal(200)
    expect((await service().delete(path(id), { token })).status).to.equal(204)
  })

  it('may not create a holding of another library', async () => {
    const id = unique('copy')
    const sent = minimal.holdings(id, { repository_id: other })
    const { status, body } = await service().post('/api/holdings/', sent, { token })
    expect(status).to.equal(403)
    expect(body).to.deep.equal(FORBIDDEN)
    expect((await service().get(path(id))).status).to.equal(404)
  })

  it('may not replace, change, move or delete a holding of another library', async () => {
    const id = await holding(other)
    const before = (await service().get(path(id))).text
    for (const [method, body] of [
      ['PUT', minimal.holdings(id, { repository_id: other })],
      ['PUT', minimal.holdings(id, { repository_id: own })],
      ['PATCH', { condition: 'x' }],
      ['PATCH', { condition: {} }],
      ['PATCH', { repository_id: own }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await service().ask(method, path(id), { body, token })
      expect(answer.status, method).to.equal(403)
      expect(answer.body).to.deep.equal(FORBIDDEN)
    }
    expect((await service().get(path(id))).text).to.equal(before)
  })

  it('may not move a holding to another library', async () => {
    const id = await holding(own)
    expect((await service().patch(path(id), { repository_id: other }, { token })).status).to.equal(
      403,
    )
    expect((await service().get(path(id))).text).to.include(`"${own}"`)
  })

  it('may write nothing else', async () => {
    const sent = minimal.agents(unique('agent'))
    expect((await service().post('/api/agents/', sent, { token })).status).to.equal(403)
    expect((await service().delete(`/api/repositories/${own}/`, { token })).status).to.equal(403)
    expect((await service().patch('/api/zines/zine/', {}, { token })).status).to.equal(403)
  })

  it('gets 404 for a holding that does not exist', async () => {
    expect((await service().patch(path('none'), {}, { token })).status).to.equal(404)
  })

  it('is refused the lines of a batch that are about other libraries, also in a dry run', async () => {
    const [mine, theirs] = [await holding(own), await holding(other)]
    const change = (id: string, body: object) => ({ op: 'change', kind: 'holdings', id, body })
    const lines = [
      change(mine, { condition: 'Mine.' }),
      change(theirs, { condition: 'Theirs.' }),
      change(mine, { repository_id: other }),
      { op: 'remove', kind: 'holdings', id: theirs },
    ]
    const send = (query: string) =>
      service().ask('POST', `/api/batches/?${query}`, {
        raw: lines.map((line) => JSON.stringify(line)).join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
        token,
      })
    for (const query of ['mode=each&dry_run=true', 'mode=each']) {
      const { body } = await send(query)
      expect(body.results.map(({ status }: { status: number }) => status)).to.deep.equal([
        200, 403, 403, 403,
      ])
    }
    expect((await service().get(path(mine))).body.condition).to.equal('Mine.')
    expect((await service().get(path(theirs))).body.condition).to.not.equal('Theirs.')
    expect((await send('mode=all')).status).to.equal(400)
  })

  /** A holding with a picture that is not public. */
  async function pictured(library: string) {
    const id = await holding(library)
    const file = await image().png().toBuffer()
    const sent = await sendPicture(service(), `${path(id)}pictures/`, file, { alt: 'Not shown' })
    expect(sent.status).to.equal(201)
    return { id, picture: sent.body.id as string }
  }

  it('sees pictures that are not public of its holdings only, in every view', async () => {
    for (const [library, status] of [
      [own, 200],
      [other, 404],
    ] as const) {
      const { id, picture } = await pictured(library)
      const iiif = `/iiif/images/${picture}`
      const list = await service().get(`${path(id)}pictures/`, { token })
      expect(list.body.count, library).to.equal(status === 200 ? 1 : 0)
      for (const at of [
        `${path(id)}pictures/${picture}/`,
        `${iiif}/info.json`,
        `${iiif}/full/max/0/default.jpg`,
      ])
        expect((await service().get(at, { token })).status, at).to.equal(status)
      const base = await service().get(iiif, { token })
      expect(base.status).to.equal(status === 200 ? 303 : 404)
      const page = await browser.get(path(id))
      expect(page.text.includes('Not shown'), library).to.equal(status === 200)
      const shown = await browser.get(`/manage/pictures/${picture}/max`)
      expect(shown.status, library).to.equal(status)
    }
  })

  it('is told nothing of a picture of another library by what it sends', async () => {
    const { id, picture } = await pictured(other)
    for (const one of [picture, 'none'])
      for (const [method, body] of [
        ['PATCH', { position: 'x' }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await service().ask(method, `${path(id)}pictures/${one}/`, { body, token })
        expect(answer.status, method).to.equal(403)
      }
    const sent = await service().post(`${path(id)}pictures/`, { url: 'none' }, { token })
    expect(sent.status).to.equal(403)
  })

  it('reads the history of its holdings only, also of those that were deleted', async () => {
    for (const [library, status] of [
      [own, 200],
      [other, 403],
    ] as const) {
      const id = await holding(library)
      const read = async (at: string) =>
        (await service().get(`${path(id)}history/${at}`, { token })).status
      expect([await read(''), await read('1/')]).to.deep.equal([status, status])
      await service().delete(path(id))
      expect([await read(''), await read('1/')], 'deleted').to.deep.equal([status, status])
      expect((await browser.get(`/manage/holdings/history/${id}`)).status).to.equal(status)
    }
  })

  it('finds its deleted holdings only, and brings them back', async () => {
    const [mine, theirs] = [await holding(own), await holding(other)]
    for (const id of [mine, theirs]) await service().delete(path(id))
    const { body } = await service().get('/api/deleted/?page_size=100', { token })
    const ids = body.results.map(({ id }: { id: string }) => id)
    expect(ids).to.include(mine).and.not.include(theirs)
    const { text } = await browser.get('/manage/deleted')
    expect(text).to.include(mine).and.not.include(theirs)
    const restored = await service().post(`${path(mine)}history/1/restore/`, {}, { token })
    expect(restored.status, restored.text).to.equal(200)
  })

  it('adds pictures to holdings of it only', async () => {
    const elsewhere = { url: 'https://images.example/copy', iiif: 'image', alt: 'The cover' }
    for (const [library, status] of [
      [own, 201],
      [other, 403],
    ] as const) {
      const to = `${path(await holding(library))}pictures/`
      expect((await service().post(to, elsewhere, { token })).status).to.equal(status)
    }
  })

  it('may not edit many holdings of other libraries at once', async () => {
    const ids = [await holding(own), await holding(other)]
    const edit = { kind: 'holdings', ids, edit: { condition: { set: 'All.' } } }
    await service().post('/api/batches/?mode=each', edit, { token })
    expect((await service().get(path(ids[0] ?? ''))).body.condition).to.equal('All.')
    expect((await service().get(path(ids[1] ?? ''))).body.condition).to.not.equal('All.')
  })

  it('may not undo a batch with holdings of other libraries', async () => {
    const ids = [await holding(own), await holding(other)]
    const edit = { kind: 'holdings', ids, edit: { condition: { set: 'By an administrator.' } } }
    const { body: batch } = await service().post('/api/batches/', edit)
    const undone = await service().post(`/api/batches/${batch.id}/undo/`, {}, { token })
    expect(undone.status).to.equal(403)
    for (const id of ids)
      expect((await service().get(path(id))).body.condition).to.equal('By an administrator.')
  })

  it('may not restore, undo, merge or rename holdings of other libraries', async () => {
    const [mine, theirs] = [await holding(own), await holding(other)]
    await service().patch(path(theirs), { condition: 'Later.' })
    for (const [at, body] of [
      [`${path(theirs)}history/1/restore/`, {}],
      [`${path(theirs)}history/2/undo/`, {}],
      [`${path(theirs)}merge/`, { into: mine }],
      [`${path(mine)}merge/`, { into: theirs }],
      [`${path(theirs)}rename/`, { id: unique('renamed') }],
    ] as const) {
      const answer = await service().post(at, body, { token })
      expect(answer.status, at).to.equal(403)
      expect(answer.body).to.deep.equal(FORBIDDEN)
    }
    expect((await service().get(path(theirs))).body.condition).to.equal('Later.')
    expect((await service().get(path(mine))).status).to.equal(200)
  })

  it('may not bring back a holding that belonged to another library', async () => {
    const id = await holding(other)
    await service().delete(path(id))
    const answer = await service().post(`${path(id)}history/1/restore/`, {}, { token })
    expect(answer.status).to.equal(403)
    expect((await service().get(path(id))).status).to.equal(404)
  })

  it('gets no more by a token', async () => {
    const id = await holding(other)
    const added = await service().accounts.addToken(name, { label: 'x', restrictedTo: [] })
    const answer = await service().patch(path(id), { condition: 'x' }, { token: added.token })
    expect(answer.status).to.equal(403)
  })

  it('goes on with its library after that was renamed', async () => {
    const [before, after] = [await repository(), unique('renamed')]
    const renamed = unique('bound')
    const rights = { role: 'editor', restrictedTo: [], repository: before }
    await service().accounts.add({ name: renamed, password: PASSWORD, ...rights })
    const id = await holding(before)
    const answer = await service().post(`/api/repositories/${before}/rename/`, { id: after })
    expect(answer.status).to.equal(200)
    const theirs = await service().accounts.login(renamed, PASSWORD)
    expect(
      (await service().patch(path(id), { condition: 'x' }, { token: theirs })).status,
    ).to.equal(200)
  })

  describe('in the browser', () => {
    it('is offered to edit the holdings of it, and no others', async () => {
      const [mine, theirs] = [await holding(own), await holding(other)]
      expect((await browser.get(path(mine))).text).to.include(`/manage/holdings/edit/${mine}`)
      expect((await browser.get(path(theirs))).text).to.not.include('/manage/holdings/')
    })

    for (const action of ['edit', 'remove', 'history', 'merge', 'rename', 'pictures'])
      it(`gets 403 for the form to ${action} a holding of another library`, async () => {
        const at = `/manage/holdings/${action}/${await holding(other)}`
        expect((await browser.get(at)).status).to.equal(403)
        const mine = `/manage/holdings/${action}/${await holding(own)}`
        expect((await browser.get(mine)).status).to.equal(200)
      })

    it('gets 403 when the form is sent', async () => {
      const id = await holding(other)
      const { text } = await browser.get('/manage/holdings/new')
      const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
      const { updated_at } = (await service().get(path(id))).body
      const fields = { csrf_token, '.version': updated_at as string }
      const answer = await browser.ask('POST', `/manage/holdings/remove/${id}`, fields)
      expect(answer.status).to.equal(403)
      expect((await service().get(path(id))).status).to.equal(200)
    })

    it('finds its library in the form for a new holding', async () => {
      expect((await browser.get('/manage/holdings/new')).text).to.include(`value="${own}"`)
    })

    it('is bound to a library that is chosen from all libraries by name', async () => {
      const [first, second] = [await repository('Aa, The Attic'), await repository('Ab, Cellar')]
      const admin = browse(service().url)
      await admin.signIn('admin')
      const made = unique('chosen')
      await service().accounts.add({
        name: made,
        password: PASSWORD,
        role: 'editor',
        restrictedTo: [],
        repository: first,
      })
      const page = read((await admin.get(`/manage/accounts/${made}`)).text)
      const select = page.all('select').find(({ attributes }) => attributes.name === 'repository')
      const options = select?.all('option') ?? []
      expect(options.map((option) => option.text).slice(0, 3)).to.deep.equal([
        'All libraries',
        'Aa, The Attic',
        'Ab, Cellar',
      ])
      const chosen = options.filter((option) => 'selected' in option.attributes)
      expect(chosen.map((option) => option.attributes.value)).to.deep.equal([first])
      expect(page.text).to.include('Editor: may edit only copies of Aa, The Attic.')
      // Under its new identifier it stays the library of the account.
      const renamed = unique('renamed')
      await service().post(`/api/repositories/${first}/rename/`, { id: renamed })
      const after = (await admin.get(`/manage/accounts/${made}`)).text
      expect(fieldsOf(formWith(after, 'rights')).repository).to.deep.equal([renamed])
      const form = { do: 'rights', role: 'editor', repository: second }
      await admin.send(`/manage/accounts/${made}`, form)
      expect(service().accounts.find(made)?.repository).to.equal(second)
    })

    it('keeps a library that was deleted until another one is chosen', async () => {
      const gone = await repository()
      const made = unique('left')
      const rights = { role: 'editor', restrictedTo: [], repository: gone }
      await service().accounts.add({ name: made, password: PASSWORD, ...rights })
      await service().delete(`/api/repositories/${gone}/`)
      const admin = browse(service().url)
      await admin.signIn('admin')
      const { text } = await admin.get(`/manage/accounts/${made}`)
      expect(fieldsOf(formWith(text, 'rights')).repository).to.deep.equal([gone])
    })

    it('stays bound to a library whose identifier is forgotten', async () => {
      const gone = await repository()
      const made = unique('left')
      const rights = { role: 'editor', restrictedTo: [], repository: gone }
      await service().accounts.add({ name: made, password: PASSWORD, ...rights })
      await service().delete(`/api/repositories/${gone}/`)
      const forgotten = await service().post(`/api/repositories/${gone}/forget/`, {})
      expect(forgotten.status).to.equal(204)
      const admin = browse(service().url)
      await admin.signIn('admin')
      const at = `/manage/accounts/${made}`
      const { text } = await admin.get(at)
      expect(text).to.include('copies of A library that was removed').and.not.include(gone)
      const form = fieldsOf(formWith(text, 'rights'))
      const sent = await admin.ask('POST', at, { ...form, do: 'rights' })
      expect(sent.text).to.include('There is no library with the identifier')
      expect(service().accounts.find(made)?.repository).to.equal('')
    })

    it('is bound and let go on the page of accounts, to libraries that exist', async () => {
      const admin = browse(service().url)
      await admin.signIn('admin')
      const made = unique('made')
      const fields = { name: made, password: PASSWORD, role: 'editor' }
      const refused = await admin.send('/manage/accounts', { ...fields, repository: 'no-library' })
      expect(refused.text).to.include('There is no library with the identifier')
      await admin.send('/manage/accounts', { ...fields, repository: own })
      expect(service().accounts.find(made)).to.include({ role: 'editor', repository: own })
      const { text } = await admin.get(`/manage/accounts/${made}`)
      expect(text).to.include(`Editor: may edit only copies of The Library.`)
      await admin.send(`/manage/accounts/${made}`, { do: 'rights', role: 'editor' })
      expect(service().accounts.find(made)?.repository).to.equal(undefined)
    })
  })
})
