// Tests hidden records and drafts: who finds them, what everybody else is told, and how they come
// back. That no answer of any address tells of them is tested in test/security/hidden.test.ts.

import { expect } from 'chai'

import { agent, holding, minimal, repository, zine } from '../../examples.js'
import type { TestService } from '../../service.js'
import { recordPath, resources, unique, useCatalogue } from '../../http/catalogue.js'

const hide = { visibility: 'hidden', hidden_reason: 'At the request of the maker.' }
const show = { visibility: 'public' }

const NOT_FOUND = { detail: 'Not found.' }

describe('hidden records', () => {
  const { service } = useCatalogue()
  const send = sendTo(service)

  for (const { name, idField, minimal: body } of resources) {
    const path = (id: string) => recordPath(name, id)

    it(`a hidden record of ${name} is not there for anybody without the right to edit ${name}`, async () => {
      const id = unique('hidden')
      await send('POST', `/api/${name}/`, body(id))
      const before = await service().get(path(id))
      await send('PATCH', path(id), hide)
      const never = await service().get(path('never-was'))
      for (const token of [null, service().tokens.viewer]) {
        const { status, text, headers } = await service().get(path(id), { token })
        expect(status).to.equal(404)
        expect(text).to.equal(never.text)
        const others = (all: Headers) =>
          [...all].filter(([header]) => !['date', 'x-request-id'].includes(header))
        expect(others(headers)).to.deep.equal(others(never.headers))
      }
      // Neither the tag of before nor that of editors tells that it is there.
      const { headers } = await service().get(path(id), { token: service().tokens.editor })
      for (const tag of ['*', before.headers.get('etag') ?? '', headers.get('etag') ?? '*']) {
        const conditional = await service().get(path(id), { headers: { 'if-none-match': tag } })
        expect(conditional.status).to.equal(404)
        expect(conditional.text).to.equal(never.text)
      }
    })

    it(`a hidden record of ${name} is there for its editors, with the reason and the time`, async () => {
      const id = unique('hidden')
      await send('POST', `/api/${name}/`, { ...body(id), ...hide })
      const {
        status,
        body: found,
        headers,
      } = await service().get(path(id), { token: service().tokens.editor })
      expect(status).to.equal(200)
      expect(found).to.include({ [idField]: id, ...hide })
      expect(found.hidden_at).to.match(/^\d{4}-\d\d-\d\dT/)
      expect(headers.get('cache-control')).to.equal('private, no-store')
    })

    it(`a list of ${name} neither has nor counts what is hidden, for anybody`, async () => {
      const id = unique('hidden')
      await send('POST', `/api/${name}/`, body(id))
      const before = (await service().get(`/api/${name}/`)).body.count
      await send('PATCH', path(id), hide)
      for (const token of [null, service().tokens.admin]) {
        const list = await service().get(`/api/${name}/?page_size=100`, { token })
        expect(list.body.count).to.equal(before - 1)
        expect(list.text).not.to.include(id)
      }
    })

    it(`a record of ${name} is as it was once it is shown again`, async () => {
      const id = unique('hidden')
      await send('POST', `/api/${name}/`, body(id))
      const before = (await service().get(path(id))).body
      await send('PATCH', path(id), hide)
      await send('PATCH', path(id), show)
      const after = (await service().get(path(id))).body
      expect({ ...after, updated_at: '' }).to.deep.equal({ ...before, updated_at: '' })
      expect((await service().get(`/api/${name}/`)).text).to.include(id)
    })

    it(`an identifier of a hidden record of ${name} is taken`, async () => {
      const id = unique('hidden')
      await send('POST', `/api/${name}/`, { ...body(id), visibility: 'draft' })
      const { status, body: errors } = await service().post(`/api/${name}/`, body(id))
      expect(status).to.equal(400)
      expect(errors[idField][0]).to.include('already exists')
    })

    it(`a hidden record of ${name} can be changed, replaced and deleted`, async () => {
      const id = unique('hidden')
      await send('POST', `/api/${name}/`, { ...body(id), ...hide })
      await send('PATCH', path(id), body(id))
      await send('PUT', path(id), body(id))
      expect((await service().get(path(id))).status).to.equal(404)
      expect((await service().delete(path(id))).status).to.equal(204)
      expect((await service().get(path(id), { token: service().tokens.admin })).status).to.equal(
        404,
      )
      await send('POST', `/api/${name}/`, body(id))
    })
  }

  it('a visibility that there is not is refused with all other errors', async () => {
    const sent = { ...minimal.zines(unique('z')), title: '', visibility: 'secret' }
    const { status, body } = await service().post('/api/zines/', sent)
    expect(status).to.equal(400)
    expect(body).to.have.all.keys('title', 'visibility')
    expect(body.visibility).to.deep.equal(['"secret" is not a valid choice.'])
  })

  it('a precondition holds for a hidden record', async () => {
    const id = unique('hidden')
    await send('POST', '/api/zines/', { ...zine(id), ...hide })
    const path = recordPath('zines', id)
    const { headers } = await service().get(path, { token: service().tokens.admin })
    const tag = headers.get('etag') ?? ''
    const write = (match: string) =>
      service().patch(path, { title: 'Other' }, { headers: { 'if-match': match } })
    expect((await write(tag)).status).to.equal(200)
    expect((await write(tag)).status).to.equal(412)
  })

  describe('what belongs together', () => {
    it('the holdings of a hidden zine are hidden with it, and come back unchanged', async () => {
      const [id, copy] = [unique('z'), unique('h')]
      await send('POST', '/api/zines/', zine(id))
      await send('POST', '/api/holdings/', holding(copy, { zine_id: id }))
      const before = (await service().get(recordPath('holdings', copy))).body
      await send('PATCH', recordPath('zines', id), hide)
      expect((await service().get(recordPath('holdings', copy))).status).to.equal(404)
      expect((await service().get(`/api/holdings/?zine_id=${id}`)).body.count).to.equal(0)
      await send('PATCH', recordPath('zines', id), show)
      expect((await service().get(recordPath('holdings', copy))).body).to.deep.equal(before)
    })

    it('a holding stays hidden while its library is, or if it is hidden itself', async () => {
      const [id, library, one, other] = [unique('z'), unique('r'), unique('h'), unique('h')]
      await send('POST', '/api/zines/', zine(id))
      await send('POST', '/api/repositories/', repository(library))
      const references = { zine_id: id, repository_id: library }
      await send('POST', '/api/holdings/', holding(one, references))
      await send('POST', '/api/holdings/', { ...holding(other, references), ...hide })
      await send('PATCH', recordPath('zines', id), hide)
      await send('PATCH', recordPath('repositories', library), hide)
      await send('PATCH', recordPath('zines', id), show)
      expect((await service().get(recordPath('holdings', one))).status).to.equal(404)
      await send('PATCH', recordPath('repositories', library), show)
      expect((await service().get(recordPath('holdings', one))).status).to.equal(200)
      expect((await service().get(recordPath('holdings', other))).status).to.equal(404)
    })

    it('a new holding of a hidden zine is hidden with it', async () => {
      const [id, copy] = [unique('z'), unique('h')]
      await send('POST', '/api/zines/', { ...zine(id), visibility: 'draft' })
      await send('POST', '/api/holdings/', holding(copy, { zine_id: id }))
      expect((await service().get(recordPath('holdings', copy))).status).to.equal(404)
      await send('PATCH', recordPath('zines', id), show)
      expect((await service().get(recordPath('holdings', copy))).status).to.equal(200)
    })
  })

  describe('a maker who is hidden', () => {
    async function given() {
      const [maker, other, id] = [unique('maker'), unique('other'), unique('z')]
      await send('POST', '/api/agents/', agent(maker, { display_name: `Name of ${maker}` }))
      await send('POST', '/api/agents/', agent(other))
      await send('POST', '/api/zines/', zine(id, { creator: [maker, other], publisher: [maker] }))
      return { maker, other, id, path: recordPath('zines', id) }
    }

    it('is withheld where zines name them, in the same place, without the identifier', async () => {
      const { maker, other, path } = await given()
      const before = (await service().get(path)).body
      await send('PATCH', recordPath('agents', maker), hide)
      const { body, text } = await service().get(path)
      expect(text).not.to.include(maker)
      expect(body.creator[0]).to.deep.equal({ agent_id: '', display_name: '', kind: '' })
      expect(body.creator[1].agent_id).to.equal(other)
      expect(body.publisher).to.have.length(1)
      await send('PATCH', recordPath('agents', maker), show)
      expect((await service().get(path)).body).to.deep.equal(before)
    })

    for (const accept of [
      'text/turtle',
      'application/ld+json',
      'text/csv',
      'application/xml',
      'application/x-bibtex',
      'application/marcxml+xml',
      'text/html',
    ])
      it(`is named by nothing in ${accept}`, async () => {
        const { maker, other, path } = await given()
        await send('PATCH', recordPath('agents', maker), hide)
        const { status, text } = await service().get(path, { headers: { accept } })
        expect(status).to.equal(200)
        expect(text).not.to.include(maker)
        expect(text).not.to.match(/\/id\/agents\/+[>"'/]/)
        expect(text).to.include(accept === 'text/csv' ? other : '')
      })

    it('is found by no filter and no facet', async () => {
      const { maker, id } = await given()
      await send('PATCH', recordPath('agents', maker), hide)
      const { body } = await service().get(`/api/zines/?creator=${maker}`)
      expect(body.count).to.equal(0)
      expect((await service().get(`/api/zines/?search=${id}`)).text).not.to.include(maker)
    })

    it('stays the creator when somebody changes the zine who is not told of them', async () => {
      const { maker, other, id, path } = await given()
      const third = unique('third')
      await send('POST', '/api/agents/', agent(third))
      await send('PATCH', recordPath('agents', maker), hide)
      const token = service().tokens.zinesEditor
      const patched = await service().patch(path, { creator: [other, third] }, { token })
      expect(patched.status).to.equal(200)
      expect(patched.text).not.to.include(maker)
      const put = await service().put(path, zine(id, { creator: ['', third] }), { token })
      expect(put.status).to.equal(200)
      expect(put.text).not.to.include(maker)
      await send('PATCH', recordPath('agents', maker), show)
      const { creator } = (await service().get(path)).body
      const ids = creator.map(({ agent_id }: { agent_id: string }) => agent_id)
      expect(ids).to.deep.equal([maker, third])
    })

    it('cannot be guessed by an editor of zines alone', async () => {
      const { maker, path } = await given()
      await send('PATCH', recordPath('agents', maker), hide)
      const token = service().tokens.zinesEditor
      for (const id of [maker, 'never-was']) {
        const { status, body } = await service().patch(path, { creator: [id] }, { token })
        expect(status).to.equal(400)
        expect(body).to.deep.equal({ creator: [`Agent '${id}' does not exist`] })
        const created = await service().post('/api/zines/', zine(unique('z'), { creator: [id] }), {
          token,
        })
        expect(created.body).to.deep.equal({ creator: [`Agent '${id}' does not exist`] })
      }
    })

    it('can be named in a new zine by those who may edit agents, and is withheld there', async () => {
      const { maker } = await given()
      await send('PATCH', recordPath('agents', maker), hide)
      const id = unique('z')
      await send('POST', '/api/zines/', zine(id, { creator: [maker] }))
      const { body, text } = await service().get(recordPath('zines', id))
      expect(body.creator).to.deep.equal([{ agent_id: '', display_name: '', kind: '' }])
      expect(text).not.to.include(maker)
      const same = (
        await service().get(recordPath('zines', id), { headers: { accept: 'text/turtle' } })
      ).text
      expect(same).not.to.include(maker)
    })

    it('follows a renaming in zines that were hidden after them', async () => {
      const [maker, zineId] = [unique('maker'), unique('z')]
      await send('POST', '/api/agents/', agent(maker, hide))
      await send('POST', '/api/zines/', zine(zineId, { creator: [maker] }))
      await send('PATCH', recordPath('zines', zineId), hide)
      const id = unique('renamed')
      await send('POST', `${recordPath('agents', maker)}rename/`, { id })
      const { body } = await service().get(recordPath('zines', zineId), {
        token: service().tokens.editor,
      })
      expect(body.creator[0].agent_id).to.equal(id)
    })

    it('stays withheld after they were deleted', async () => {
      const { maker, path } = await given()
      await send('PATCH', recordPath('agents', maker), hide)
      await service().delete(recordPath('agents', maker))
      await send('PATCH', path, { title: 'Another title' })
      expect((await service().get(path)).text).not.to.include(maker)
    })
  })

  describe('former identifiers', () => {
    it('lead nowhere while the record is hidden, and again once it is shown', async () => {
      const [former, id] = [unique('former'), unique('z')]
      await send('POST', '/api/zines/', zine(former))
      await send('POST', `/api/zines/${former}/rename/`, { id })
      expect((await service().get(recordPath('zines', former))).status).to.equal(301)
      await send('PATCH', recordPath('zines', id), hide)
      const { status, body } = await service().get(recordPath('zines', former))
      expect(status).to.equal(404)
      expect(body).to.deep.equal(NOT_FOUND)
      expect((await service().get(`/id/zines/${former}`)).status).to.equal(404)
      await send('PATCH', recordPath('zines', id), show)
      expect((await service().get(recordPath('zines', former))).status).to.equal(301)
    })

    it('of a record that was renamed while it was hidden never lead to it', async () => {
      const [former, id] = [unique('former'), unique('z')]
      await send('POST', '/api/zines/', { ...zine(former), ...hide })
      await send('POST', `/api/zines/${former}/rename/`, { id })
      await send('PATCH', recordPath('zines', id), show)
      expect((await service().get(recordPath('zines', id))).status).to.equal(200)
      expect((await service().get(recordPath('zines', former))).status).to.equal(404)
    })
  })

  describe('the IRI', () => {
    const iri = async (id: string) => {
      const { status, body } = await service().get(`/id/agents/${id}`)
      return { status, body: body as unknown }
    }
    const remove = async (id: string) =>
      expect((await service().delete(recordPath('agents', id))).status).to.equal(204)
    const forget = (id: string) => send('POST', `/api/agents/${id}/forget/`, {})
    const neverThere = { status: 404, body: NOT_FOUND }

    it('of a hidden record that was renamed, deleted and forgotten is as if there was none', async () => {
      const [former, id] = [unique('former'), unique('a')]
      await send('POST', '/api/agents/', { ...agent(former), ...hide })
      await send('POST', `/api/agents/${former}/rename/`, { id })
      for (const step of [() => Promise.resolve(), () => remove(id), () => forget(id)]) {
        await step()
        for (const each of [former, id]) expect(await iri(each)).to.deep.equal(neverThere)
      }
      for (const each of [former, id])
        expect((await service().post('/api/agents/', agent(each))).status).to.equal(400)
    })

    it('of a hidden record that was renamed stays so once it is shown and deleted', async () => {
      const [former, id] = [unique('former'), unique('a')]
      await send('POST', '/api/agents/', { ...agent(former), ...hide })
      await send('POST', `/api/agents/${former}/rename/`, { id })
      await send('PATCH', recordPath('agents', id), show)
      await remove(id)
      expect(await iri(former)).to.deep.equal(neverThere)
      expect((await iri(id)).status).to.equal(410)
      await forget(id)
      expect(await iri(former)).to.deep.equal(neverThere)
      expect((await iri(id)).status).to.equal(410)
    })

    it('of a hidden record whose identifier is forgotten when it is renamed is as if there was none', async () => {
      const [former, id] = [unique('former'), unique('a')]
      await send('POST', '/api/agents/', { ...agent(former), ...hide })
      await send('POST', `/api/agents/${former}/rename/`, { id, forget: true })
      await send('PATCH', recordPath('agents', id), show)
      expect(await iri(former)).to.deep.equal(neverThere)
    })

    it('of a former identifier leads to a hidden record that was deleted, restored and shown', async () => {
      const [former, id] = [unique('former'), unique('a')]
      await send('POST', '/api/agents/', agent(former))
      await send('POST', `/api/agents/${former}/rename/`, { id })
      await send('PATCH', recordPath('agents', id), hide)
      await remove(id)
      expect(await iri(former)).to.deep.equal(neverThere)
      const history = `${recordPath('agents', id)}history/`
      const { results } = (await service().get(history, { token: service().tokens.admin })).body
      const deletion = results.find(({ change }: { change: string }) => change === 'deleted')
      await send('POST', `${history}${deletion.version}/undo/`, {})
      await send('PATCH', recordPath('agents', id), show)
      expect((await iri(former)).status).to.equal(301)
    })
  })

  describe('changes', () => {
    const changesSince = async (since: number) =>
      (await service().get(`/api/changes/?since=${since}&limit=1000`)).body.results as {
        sequence: number
        id: string
        change: string
      }[]
    const last = async (): Promise<number> =>
      Number((await service().get('/api/changes/?limit=1')).headers.get('x-log-position'))

    it('tell of a deletion when a record is hidden, of nothing while it is, and of a creation', async () => {
      const id = unique('z')
      await send('POST', '/api/zines/', zine(id))
      const since = await last()
      await send('PATCH', recordPath('zines', id), hide)
      await send('PATCH', recordPath('zines', id), { title: 'Changed while hidden' })
      await send('PATCH', recordPath('zines', id), show)
      const changes = await changesSince(since)
      expect(changes.map(({ change }) => change)).to.deep.equal(['deleted', 'created'])
      expect(changes.map(({ sequence }) => sequence)).to.deep.equal([since + 1, since + 2])
    })

    it('tell that something was forgotten, also while other records are hidden, and then alone', async () => {
      const [id, hidden] = [unique('a'), unique('a')]
      await send('POST', '/api/agents/', agent(id))
      await send('POST', '/api/agents/', { ...agent(hidden), ...hide })
      for (const each of [id, hidden]) await service().delete(recordPath('agents', each))
      const since = await last()
      for (const each of [id, hidden]) await send('POST', `/api/agents/${each}/forget/`, {})
      const changes = await changesSince(since)
      expect(changes.map(({ change }) => change)).to.deep.equal(['forgotten'])
    })

    it('tell nothing of a record that is hidden from the beginning', async () => {
      const id = unique('z')
      const since = await last()
      await send('POST', '/api/zines/', { ...zine(id), ...hide })
      await send('PATCH', recordPath('zines', id), { title: 'Other' })
      await service().delete(recordPath('zines', id))
      expect(await last()).to.equal(since)
    })
  })

  describe('the history', () => {
    const versions = async (path: string) =>
      (await service().get(`${path}history/`, { token: service().tokens.editor })).body.results as {
        version: number
        change: string
        changes: Readonly<Record<string, unknown>>
      }[]

    it('has what happened while the record was hidden, and can take it back', async () => {
      const id = unique('z')
      const path = recordPath('zines', id)
      await send('POST', '/api/zines/', zine(id, { title: 'First' }))
      await send('PATCH', path, hide)
      await send('PATCH', path, { title: 'Second' })
      await send('PATCH', path, show)
      const all = await versions(path)
      expect(all.map(({ change }) => change)).to.deep.equal([
        'created',
        'hidden',
        'updated',
        'shown',
      ])
      expect(Object.keys(all[2]?.changes ?? {})).to.deep.equal(['title'])
      await send('POST', `${path}history/3/undo/`, {})
      expect((await service().get(path)).body.title).to.equal('First')
    })

    it('undoes hiding, with what was hidden too', async () => {
      const [id, copy] = [unique('z'), unique('h')]
      const path = recordPath('zines', id)
      await send('POST', '/api/zines/', zine(id))
      await send('POST', '/api/holdings/', holding(copy, { zine_id: id }))
      await send('PATCH', path, hide)
      await send('POST', `${path}history/2/undo/`, {})
      expect((await service().get(path)).status).to.equal(200)
      expect((await service().get(recordPath('holdings', copy))).status).to.equal(200)
    })

    it('is not there for the public, neither before nor after hiding', async () => {
      const id = unique('z')
      await send('POST', '/api/zines/', { ...zine(id), ...hide })
      const never = await service().get('/api/zines/never-was/history/')
      expect((await service().get(`/api/zines/${id}/history/`)).text).to.equal(never.text)
    })

    it('brings a deleted hidden record back as a hidden one', async () => {
      const id = unique('z')
      const path = recordPath('zines', id)
      await send('POST', '/api/zines/', { ...zine(id), ...hide })
      await service().delete(path)
      const deleted = await service().get('/api/deleted/', { token: service().tokens.admin })
      expect(deleted.text).to.include(id)
      await send('POST', `${path}history/1/restore/`, {})
      expect((await service().get(path)).status).to.equal(404)
      const { body } = await service().get(path, { token: service().tokens.admin })
      expect(body).to.include(hide)
    })
  })
})

function sendTo(service: () => TestService) {
  return async (method: string, path: string, body: object): Promise<void> => {
    const answer = await service().ask(method, path, { body })
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.below(300)
  }
}
