// The history of records over HTTP: its versions, restoring and undoing them, deleted records that come
// back, and who may see it.

import { expect } from 'chai'

import { placesOf } from '../../data-directory.js'
import { expectNoMark, SECRETS } from '../../http/secrets.js'
import {
  recordPath,
  resourceOf,
  resources,
  toBody,
  unique,
  useCatalogue,
} from '../../http/catalogue.js'

describe('the history of a record', () => {
  const { service, given } = useCatalogue()

  const get = async (path: string, token: string | null = service().tokens.admin) =>
    service().get(path, { token })

  const historyOf = async (record: string) => (await get(`${record}history/`)).body

  const post = (path: string, body: object = {}) => service().post(path, body)

  async function changedZine() {
    const { zine_id } = await given.zine({ title: 'First', issue_designation: '20' })
    const path = recordPath('zines', zine_id)
    await service().patch(path, { title: 'Second' })
    await service().patch(path, { issue_designation: '22', abstract: 'Long' })
    return path
  }

  it('has a version for each write, with the account, and the fields before and after', async () => {
    const path = await changedZine()
    const { count, next, previous, results } = await historyOf(path)
    expect([count, next, previous]).to.deep.equal([3, null, null])
    expect(
      results.map(({ version, account, how, change }: any) => [version, account, how, change]),
    ).to.deep.equal([
      [1, 'admin', 'api', 'created'],
      [2, 'admin', 'api', 'updated'],
      [3, 'admin', 'api', 'updated'],
    ])
    expect(results[0].changes.title).to.deep.equal({ before: null, after: 'First' })
    expect(results[1].changes).to.deep.equal({ title: { before: 'First', after: 'Second' } })
    expect(results[2].changes).to.deep.equal({
      issue_designation: { before: '20', after: '22' },
      abstract: { before: '', after: 'Long' },
    })
    expect(results[2].at).to.equal((await get(path)).body.updated_at)
  })

  it('is divided into pages', async () => {
    const path = await changedZine()
    const { body } = await get(`${path}history/?page_size=2&page=2`)
    expect([body.count, body.results.length, body.next]).to.deep.equal([3, 1, null])
    expect(body.previous).to.include('page_size=2')
    expect((await get(`${path}history/?page=9`)).status).to.equal(404)
  })

  it('shows a version as GET showed the record then', async () => {
    const { zine_id } = await given.zine({ title: 'First' })
    const path = recordPath('zines', zine_id)
    const then = (await get(path)).body
    await service().patch(path, { title: 'Second' })
    expect((await get(`${path}history/1/`)).body).to.deep.equal(then)
  })

  for (const version of ['0', '9', 'x', '1.5', '1e3'])
    it(`has no version ${version}`, async () => {
      const path = await changedZine()
      expect((await get(`${path}history/${version}/`)).status).to.equal(404)
    })

  it('of a record that never was is answered 404', async () => {
    expect((await get(`${recordPath('zines', 'never')}history/`)).status).to.equal(404)
  })

  it('is answered 401 to nobody and 403 to those who may not write the kind of record', async () => {
    const { agent_id } = await given.agent({ public: false, ...SECRETS })
    const { viewer, zinesEditor } = service().tokens
    for (const path of ['', '1/'].map((end) => `${recordPath('agents', agent_id)}history/${end}`)) {
      const answers = await Promise.all(
        [null, viewer, zinesEditor].map((token) => get(path, token)),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 403, 403])
      for (const { text } of answers) expectNoMark(text)
    }
  })

  it('goes on after the record was deleted and created again', async () => {
    const path = await changedZine()
    const zine = (await get(path)).body
    await service().delete(path)
    await service().post('/api/zines/', toBody(resourceOf('zines'), zine))
    const { results } = await historyOf(path)
    expect(results.map(({ version, change }: any) => [version, change])).to.deep.equal([
      [1, 'created'],
      [2, 'updated'],
      [3, 'updated'],
      [4, 'deleted'],
      [5, 'created'],
    ])
    expect(results[3].changes.title).to.deep.equal({ before: 'Second', after: null })
  })

  describe('restores', () => {
    it('an earlier version, as a new version', async () => {
      const path = await changedZine()
      const first = (await get(`${path}history/1/`)).body
      const { status, body } = await post(`${path}history/1/restore/`)
      expect(status).to.equal(200)
      expect({ ...body, updated_at: '' }).to.deep.equal({ ...first, updated_at: '' })
      const { results } = await historyOf(path)
      expect([results[3].how, results[3].change]).to.deep.equal(['restore', 'updated'])
    })

    it('a deleted record with its creation time and its identifier', async () => {
      const path = await changedZine()
      const before = (await get(path)).body
      await service().delete(path)
      expect((await post(`${path}history/3/restore/`)).status).to.equal(200)
      const after = (await get(path)).body
      expect({ ...after, updated_at: '' }).to.deep.equal({ ...before, updated_at: '' })
      expect(after.updated_at > before.updated_at).to.equal(true)
    })

    it('a deleted library with all copies that went with it, in one step', async () => {
      const { repo_id } = await given.repository()
      const copies = []
      for (let count = 0; count < 60; count += 1)
        copies.push((await given.holding({ repository_id: repo_id })).holding_id)
      const before = await Promise.all(copies.map((id) => get(recordPath('holdings', id))))
      await service().delete(recordPath('repositories', repo_id))
      expect((await get(recordPath('holdings', copies[0] ?? ''))).status).to.equal(404)
      await post(`${recordPath('repositories', repo_id)}history/1/restore/`)
      const after = await Promise.all(copies.map((id) => get(recordPath('holdings', id))))
      const withoutTime = ({ body }: { body: any }) => ({ ...body, updated_at: '' })
      expect(after.map(withoutTime)).to.deep.equal(before.map(withoutTime))
    })

    it('nothing of a deleted copy whose zine does not exist any more', async () => {
      const { zine_id } = await given.zine()
      const { holding_id } = await given.holding({ zine_id })
      const path = recordPath('holdings', holding_id)
      await service().delete(path)
      await service().delete(recordPath('zines', zine_id))
      const { status, body } = await post(`${path}history/1/restore/`)
      expect(status).to.equal(400)
      expect(body).to.have.key('zine_id')
    })

    it('nothing of a deleted zine whose copy is of a deleted library, and names the copy', async () => {
      const { zine_id } = await given.zine()
      const { repo_id } = await given.repository()
      const { holding_id } = await given.holding({ zine_id, repository_id: repo_id })
      const path = recordPath('zines', zine_id)
      await service().delete(path)
      await service().delete(recordPath('repositories', repo_id))
      for (const action of ['history/1/restore/', 'history/2/undo/']) {
        const { status, body } = await post(path + action)
        expect(status, action).to.equal(409)
        expect(body).to.deep.include({
          kind: 'holdings',
          id: holding_id,
          fields: ['repository_id'],
        })
      }
      expect((await get(path)).status).to.equal(404)
    })

    it('no private field, and publishes nothing, unless that is asked for', async () => {
      const { agent_id } = await given.agent({ ...SECRETS, public: true, biography: 'First' })
      const path = recordPath('agents', agent_id)
      const hidden = { public: false, legal_name: '', email: '', phone: '', biography: 'Second' }
      await service().patch(path, hidden)
      const { body } = await post(`${path}history/1/restore/`)
      expect([body.public, body.biography]).to.deep.equal([false, 'First'])
      expectNoMark(JSON.stringify(body))
      const kept = (await get(`${path}?private=true`)).body
      expect([kept.legal_name, kept.email, kept.phone]).to.deep.equal(['', '', ''])

      await post(`${path}history/1/restore/`, { private: true })
      const shown = (await get(path, null)).body
      expect(shown).to.include({ ...SECRETS, public: true })
    })

    it('nothing where `private` is not a boolean', async () => {
      const path = await changedZine()
      const { status, body } = await post(`${path}history/1/restore/`, { private: 'yes' })
      expect([status, body]).to.deep.equal([400, { private: ['Must be a valid boolean.'] }])
    })
  })

  describe('undoes', () => {
    it('a change, and keeps what was changed since', async () => {
      const path = await changedZine()
      const { status, body } = await post(`${path}history/2/undo/`)
      expect(status).to.equal(200)
      expect([body.title, body.issue_designation, body.abstract]).to.deep.equal([
        'First',
        '22',
        'Long',
      ])
    })

    it('nothing where a field was changed again since, and names the field', async () => {
      const path = await changedZine()
      await service().patch(path, { title: 'Third' })
      const { status, body } = await post(`${path}history/2/undo/`)
      expect(status).to.equal(409)
      expect(body.fields).to.deep.equal(['title'])
      expect((await get(path)).body.title).to.equal('Third')
    })

    it('the creation of a record that nothing refers to', async () => {
      const { zine_id } = await given.zine()
      const path = recordPath('zines', zine_id)
      const { holding_id } = await given.holding({ zine_id })
      const refused = await post(`${path}history/1/undo/`)
      expect(refused.status).to.equal(409)
      expect(refused.body.dependents).to.deep.equal([{ kind: 'holdings', id: holding_id }])
      await service().delete(recordPath('holdings', holding_id))
      expect((await post(`${path}history/1/undo/`)).status).to.equal(204)
      expect((await get(path)).status).to.equal(404)
    })

    it('a deletion, and an undoing', async () => {
      const path = await changedZine()
      await service().delete(path)
      expect((await post(`${path}history/4/undo/`)).status).to.equal(200)
      expect((await get(path)).body.title).to.equal('Second')
      expect((await post(`${path}history/5/undo/`)).status).to.equal(204)
      expect((await get(path)).status).to.equal(404)
    })

    it('nothing of a deletion after which the same record was created again', async () => {
      const created = await given.zine()
      const path = recordPath('zines', created.zine_id)
      const body = (await get(`${path}?shape=write`)).body
      await service().delete(path)
      await service().post('/api/zines/', body)
      const { status } = await post(`${path}history/2/undo/`)
      expect(status).to.equal(200)
      expect((await historyOf(path)).results).to.have.length(3)
    })

    it('a merge once', async () => {
      const [{ agent_id: goes }, { agent_id: stays }] = [await given.agent(), await given.agent()]
      const { zine_id } = await given.zine({ creator: [goes] })
      const path = recordPath('agents', goes)
      await post(`${path}merge/`, { into: stays })
      for (const times of [1, 2])
        expect((await post(`${path}history/2/undo/`)).status, String(times)).to.equal(200)
      const { creator } = (await get(recordPath('zines', zine_id))).body
      expect(creator[0].agent_id).to.equal(goes)
    })

    it('nothing that leads to a deleted record, and names that one', async () => {
      const [{ agent_id: goes }, { agent_id: stays }] = [await given.agent(), await given.agent()]
      const path = recordPath('agents', goes)
      await post(`${path}merge/`, { into: stays })
      await service().delete(recordPath('agents', stays))
      const { results } = await historyOf(path)
      const { status, body } = await post(`${path}history/${results.length}/undo/`)
      expect(status).to.equal(409)
      expect(body).to.deep.include({ kind: 'agents', id: stays, fields: [] })
    })
  })

  it('lists the deleted records that may be written, the last one first', async () => {
    const { zine_id } = await given.zine({ title: unique('Lost') })
    const { holding_id } = await given.holding({ zine_id })
    await service().delete(recordPath('zines', zine_id))
    const { body } = await get('/api/deleted/?page_size=2')
    expect(body.results.map(({ id }: any) => id)).to.have.members([zine_id, holding_id])
    const zines = (await get('/api/deleted/?kind=zines')).body
    expect(zines.results[0]).to.include({
      kind: 'zines',
      id: zine_id,
      account: 'admin',
      version: 2,
    })
    const own = (await get('/api/deleted/', service().tokens.zinesEditor)).body
    expect(new Set(own.results.map(({ kind }: any) => kind))).to.deep.equal(new Set(['zines']))
    expect((await get('/api/deleted/?kind=agents', service().tokens.zinesEditor)).status).to.equal(
      403,
    )
    expect((await get('/api/deleted/?kind=pets')).status).to.equal(400)
    expect((await get('/api/deleted/', null)).status).to.equal(401)
  })

  for (const resource of resources)
    it(`gives ${resource.name} with every field back as they were`, async () => {
      const path = recordPath(resource.name, unique(resource.idField))
      const id = decodeURIComponent(path.split('/')[3] ?? '')
      const created = await service().post(`/api/${resource.name}/`, resource.full(id))
      expect(created.status, created.text).to.equal(201)
      const before = (await get(`${path}?private=true`)).body
      const emptied = await service().put(path, resource.minimal(id))
      expect(emptied.status, emptied.text).to.equal(200)
      await service().delete(path)
      await post(`${path}history/1/restore/`, { private: true })
      const after = (await get(`${path}?private=true`)).body
      expect({ ...after, updated_at: '' }).to.deep.equal({ ...before, updated_at: '' })
    })

  describe('loses for good', () => {
    const redact = (path: string, body: object, token?: string) =>
      service().post(`${path}redact/`, body, token === undefined ? {} : { token })

    it('a value of the record and of its versions, so that no file has a byte of it', async () => {
      const value = `Ada ${unique('Lovelace')}`
      const { agent_id } = await given.agent({ legal_name: value, biography: 'First' })
      const path = recordPath('agents', agent_id)
      await service().patch(path, { biography: 'Second' })
      await service().patch(path, { legal_name: `${value} the Second`, biography: 'Third' })
      expect(await placesOf(service().dataDir, value)).not.to.deep.equal([])
      expect((await redact(path, { field: 'legal_name', value })).status).to.equal(204)

      expect(await placesOf(service().dataDir, value)).to.deep.equal([])
      expect((await get(`${path}?private=true`)).body.legal_name).to.equal('the Second')
      const { text, body } = await get(`${path}history/`)
      expect(text).not.to.include(value)
      expect(body.results.map(({ redacted, how }: any) => [redacted, how])).to.deep.equal([
        [['legal_name'], 'api'],
        [['legal_name'], 'api'],
        [['legal_name'], 'api'],
        [[], 'redaction'],
      ])
      // What is left can be restored and undone; what was removed is not brought back.
      const restored = await post(`${path}history/1/restore/`, { private: true })
      expect([restored.body.biography, restored.body.legal_name]).to.deep.equal([
        'First',
        'the Second',
      ])
      expect((await post(`${path}history/3/undo/`, { private: true })).status).to.equal(409)
    })

    it('a value of a deleted record', async () => {
      const value = `Ada ${unique('Lovelace')}`
      const { agent_id } = await given.agent({ email: 'ada@example.org', legal_name: value })
      const path = recordPath('agents', agent_id)
      await service().delete(path)
      expect((await redact(path, { field: 'legal_name', value })).status).to.equal(204)
      expect(await placesOf(service().dataDir, value)).to.deep.equal([])
      const deleted = (await get('/api/deleted/?kind=agents')).body.results[0]
      expect([deleted.id, deleted.version]).to.deep.equal([agent_id, 2])
    })

    it('the whole past of a record', async () => {
      const { zine_id } = await given.zine({ title: unique('First') })
      const path = recordPath('zines', zine_id)
      const { title } = (await get(path)).body
      await service().patch(path, { title: 'Second' })
      expect((await redact(path, { past: true })).status).to.equal(204)
      expect(await placesOf(service().dataDir, title)).to.deep.equal([])
      expect((await get(path)).body.title).to.equal('Second')
    })

    it('nothing at the wish of an editor', async () => {
      const { agent_id } = await given.agent({ legal_name: 'Ada' })
      const path = recordPath('agents', agent_id)
      const body = { field: 'legal_name', value: 'Ada' }
      expect((await redact(path, body, service().tokens.editor)).status).to.equal(403)
    })

    it('nothing where a field is missing, or the value is nowhere, or is needed', async () => {
      const { zine_id, title } = await given.zine()
      const path = recordPath('zines', zine_id)
      expect((await redact(path, { value: 'x' })).body).to.have.key('field')
      expect((await redact(path, { field: 'title' })).body).to.have.key('value')
      expect((await redact(path, { field: 'shoe', value: 'x' })).body).to.have.key('field')
      expect((await redact(path, { field: 'title', value: 'nowhere' })).body).to.have.key('value')
      expect((await redact(path, { field: 'title', value: title })).body).to.have.key('title')
      expect((await get(path)).body.title).to.equal(title)
    })
  })
})
