// Merge and rename over HTTP (docs/reference/history.md, "Merge and rename"): what they write,
// where the paths of the merged record lead, who may merge, and what stays private.

import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { BASE_URL } from '../../service.js'
import { rowsOf } from '../sparql/client.js'
import { recordPath, resourceOf, resources, unique, useCatalogue } from '../../http/catalogue.js'

describe('Merge and rename', () => {
  const { service, given } = useCatalogue()

  const merge = (
    name: (typeof resources)[number]['name'],
    id: string,
    body: object,
    options?: object,
  ) => service().post(`${recordPath(name, id)}merge/`, body, options)

  const rename = (
    name: (typeof resources)[number]['name'],
    id: string,
    body: unknown,
    options?: object,
  ) => service().post(`${recordPath(name, id)}rename/`, body, options)

  const merged = async (name: (typeof resources)[number]['name'], id: string, body: object) => {
    const answer = await merge(name, id, body)
    expect(answer.status, answer.text).to.equal(200)
    return answer.body
  }

  const creatorsOf = async (id: string) => {
    const { body } = await service().get(recordPath('zines', id))
    return body.creator.map((agent: any) => agent.agent_id)
  }

  const pathIn = (answer: { headers: Headers }) =>
    (answer.headers.get('location') ?? '').slice(service().url.length)

  for (const resource of resources) {
    const { name, noun, idField, textField } = resource

    it(`POST merge answers with the record of ${name} that stays and the batch`, async () => {
      const [old, kept] = [await given.record(resource), await given.record(resource)]
      const { record, batch } = await merged(name, old[idField], { into: kept[idField] })
      expect(record).to.deep.equal(kept)
      expect(batch).to.match(/^[\da-f]{8}-[\da-f-]{27}$/)
    })

    it(`POST merge gives the record of ${name} that stays the values in fields`, async () => {
      const [old, kept] = [await given.record(resource), await given.record(resource)]
      const body = { into: kept[idField], fields: { [textField]: 'From the other one' } }
      const { record } = await merged(name, old[idField], body)
      expect(record).to.include({ [textField]: 'From the other one', created_at: kept.created_at })
      expect(record.updated_at > kept.updated_at).to.equal(true)
    })

    it(`GET of a merged record of ${name} answers 301 in every format`, async () => {
      const [old, kept] = [await given.record(resource), await given.record(resource)]
      await merged(name, old[idField], { into: kept[idField] })
      for (const format of ['json', 'turtle', 'jsonld', 'csv', 'html']) {
        const answer = await service().get(`${recordPath(name, old[idField])}?format=${format}`)
        expect(answer.status, format).to.equal(301)
        expect(pathIn(answer)).to.equal(`${recordPath(name, kept[idField])}?format=${format}`)
        expect(answer.headers.get('cache-control')).to.equal('no-cache')
      }
    })

    it(`GET of the IRI of a merged record of ${name} answers 301 with the IRI of the other`, async () => {
      const [old, kept] = [await given.record(resource), await given.record(resource)]
      await merged(name, old[idField], { into: kept[idField] })
      const answer = await service().get(`/id/${name}/${old[idField]}`)
      expect(answer.status).to.equal(301)
      expect(pathIn(answer)).to.equal(`/id/${name}/${kept[idField]}`)
    })

    it(`writes to a merged record of ${name} answer 404`, async () => {
      const [old, kept] = [await given.record(resource), await given.record(resource)]
      const id = old[idField]
      await merged(name, id, { into: kept[idField] })
      const path = recordPath(name, id)
      const answers = [
        await service().put(path, resource.minimal(id)),
        await service().patch(path, {}),
        await service().delete(path),
        await merge(name, id, { into: kept[idField] }),
        await rename(name, id, { id: unique('id') }),
      ]
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404, 404])
    })

    it(`POST of the identifier of a merged record of ${name} answers that it exists`, async () => {
      const [old, kept] = [await given.record(resource), await given.record(resource)]
      await merged(name, old[idField], { into: kept[idField] })
      const answer = await service().post(`/api/${name}/`, resource.minimal(old[idField]))
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal({
        [idField]: [`${noun} with this ${idField} already exists.`],
      })
    })

    it(`lists of ${name} have no merged record`, async () => {
      const [old, kept] = [await given.record(resource), await given.record(resource)]
      const before = (await service().get(`/api/${name}/`)).body.count
      await merged(name, old[idField], { into: kept[idField] })
      const list = (await service().get(`/api/${name}/?page_size=100`)).body
      expect(list.count).to.equal(before - 1)
      expect(list.results.map((one: any) => one[idField])).not.to.include(old[idField])
    })

    it(`POST rename gives a record of ${name} another identifier and leads the old one there`, async () => {
      const old = await given.record(resource)
      const id = unique('renamed')
      const answer = await rename(name, old[idField], { id })
      expect(answer.status, answer.text).to.equal(200)
      const { record } = answer.body
      expect(record).to.deep.equal({ ...old, [idField]: id, updated_at: record.updated_at })
      expect(record.updated_at > old.updated_at).to.equal(true)
      expect(pathIn(await service().get(recordPath(name, old[idField])))).to.equal(
        recordPath(name, id),
      )
    })

    it(`POST rename of ${name} checks the identifier as POST does`, async () => {
      const [one, other] = [await given.record(resource), await given.record(resource)]
      const errorOf = async (body: object) => {
        const answer = await rename(name, one[idField], body)
        expect(answer.status).to.equal(400)
        return answer.body
      }
      expect(await errorOf({})).to.deep.equal({ id: ['This field is required.'] })
      expect(await errorOf({ id: null })).to.deep.equal({ id: ['This field may not be null.'] })
      expect(await errorOf({ id: ' ' })).to.deep.equal({ id: ['This field may not be blank.'] })
      expect(await errorOf({ id: [] })).to.deep.equal({ id: ['Not a valid string.'] })
      expect(await errorOf({ id: '..' })).to.deep.equal({
        id: ['This identifier cannot be used in a URL.'],
      })
      const taken = [`${noun} with this ${idField} already exists.`]
      expect(await errorOf({ id: other[idField] })).to.deep.equal({ id: taken })
      expect(await errorOf({ id: one[idField] })).to.deep.equal({ id: taken })
    })
  }

  it('POST merge rewrites the references of zines, each agent once and in its order', async () => {
    const [old, kept, other] = [await given.agent(), await given.agent(), await given.agent()]
    const zine = await given.zine({
      creator: [other.agent_id, old.agent_id, kept.agent_id],
      contributor: [kept.agent_id, other.agent_id, old.agent_id],
      publisher: [old.agent_id],
    })
    await merged('agents', old.agent_id, { into: kept.agent_id })
    const { body } = await service().get(recordPath('zines', zine.zine_id))
    const idsIn = (field: string) => body[field].map((agent: any) => agent.agent_id)
    expect(idsIn('creator')).to.deep.equal([other.agent_id, kept.agent_id])
    expect(idsIn('contributor')).to.deep.equal([kept.agent_id, other.agent_id])
    expect(idsIn('publisher')).to.deep.equal([kept.agent_id])
    expect(body.updated_at > zine.updated_at).to.equal(true)
    const made = await service().get(`/api/zines/?creator=${kept.agent_id}`)
    expect(made.body.results.map((one: any) => one.zine_id)).to.deep.equal([zine.zine_id])
  })

  it('POST merge takes the holdings of a zine and of a repository along', async () => {
    const [oldZine, zine] = [await given.zine(), await given.zine()]
    const [oldLibrary, library] = [await given.repository(), await given.repository()]
    const copy = await given.holding({
      zine_id: oldZine.zine_id,
      repository_id: oldLibrary.repo_id,
    })
    await merged('zines', oldZine.zine_id, { into: zine.zine_id })
    await merged('repositories', oldLibrary.repo_id, { into: library.repo_id })
    const { body } = await service().get(recordPath('holdings', copy.holding_id))
    expect(body.zine.zine_id).to.equal(zine.zine_id)
    expect(body.repository.repo_id).to.equal(library.repo_id)
  })

  it('POST rename rewrites references', async () => {
    const agent = await given.agent()
    const zine = await given.zine({ creator: [agent.agent_id] })
    const id = unique('renamed')
    await rename('agents', agent.agent_id, { id })
    expect(await creatorsOf(zine.zine_id)).to.deep.equal([id])
  })

  it('the paths of merged records lead to where these went at last', async () => {
    const [first, second, last] = [await given.agent(), await given.agent(), await given.agent()]
    await merged('agents', first.agent_id, { into: second.agent_id })
    await merged('agents', second.agent_id, { into: last.agent_id })
    const id = unique('renamed')
    await rename('agents', last.agent_id, { id })
    for (const { agent_id } of [first, second, last])
      expect(pathIn(await service().get(recordPath('agents', agent_id)))).to.equal(
        recordPath('agents', id),
      )
  })

  it('DELETE of the record that stayed ends what leads to it', async () => {
    const [first, second, last] = [await given.agent(), await given.agent(), await given.agent()]
    await merged('agents', first.agent_id, { into: second.agent_id })
    await merged('agents', second.agent_id, { into: last.agent_id })
    await service().delete(recordPath('agents', last.agent_id))
    for (const { agent_id } of [first, second, last]) {
      expect((await service().get(recordPath('agents', agent_id))).status).to.equal(404)
      expect((await service().get(`/id/agents/${agent_id}`)).status).to.equal(410)
    }
    const again = await service().post('/api/agents/', resourceOf('agents').minimal(first.agent_id))
    expect(again.status, again.text).to.equal(201)
  })

  it('DELETE of a zine ends what leads to its copies', async () => {
    const zine = await given.zine()
    const copies = [
      await given.holding({ zine_id: zine.zine_id }),
      await given.holding({ zine_id: zine.zine_id }),
    ]
    const [old, kept] = copies.map(({ holding_id }) => holding_id as string)
    await merged('holdings', old ?? '', { into: kept })
    await service().delete(recordPath('zines', zine.zine_id))
    expect((await service().get(`/id/holdings/${old}`)).status).to.equal(410)
  })

  it('a write that names a merged record is answered that it does not exist', async () => {
    const [old, kept] = [await given.agent(), await given.agent()]
    await merged('agents', old.agent_id, { into: kept.agent_id })
    const zine = resourceOf('zines').minimal(unique('zine'), { creator: [old.agent_id] })
    const answer = await service().post('/api/zines/', zine)
    expect(answer.status).to.equal(400)
    expect(answer.body).to.deep.equal({ creator: [`Agent '${old.agent_id}' does not exist`] })
  })

  it('POST merge says under into what cannot be merged into', async () => {
    const [old, kept, another] = [await given.agent(), await given.agent(), await given.agent()]
    await merged('agents', another.agent_id, { into: kept.agent_id })
    const errorOf = async (body: object) => {
      const answer = await merge('agents', old.agent_id, body)
      expect(answer.status).to.equal(400)
      return answer.body
    }
    const { agent_id: id } = old
    expect(await errorOf({})).to.deep.equal({ into: ['This field is required.'] })
    expect(await errorOf({ into: null })).to.deep.equal({ into: ['This field may not be null.'] })
    expect(await errorOf({ into: id })).to.deep.equal({
      into: ['A record cannot be merged into itself.'],
    })
    expect(await errorOf({ into: 'nobody' })).to.deep.equal({
      into: ["Agent 'nobody' does not exist"],
    })
    expect(await errorOf({ into: another.agent_id })).to.deep.equal({
      into: [`Agent '${another.agent_id}' was merged into '${kept.agent_id}'.`],
    })
    expect(await errorOf({ into: kept.agent_id, fields: [] })).to.deep.equal({
      fields: ['Expected a dictionary of items but got type "list".'],
    })
    expect((await service().get(recordPath('agents', id))).status).to.equal(200)
  })

  it('POST merge with invalid fields answers as PATCH does and writes nothing', async () => {
    const [old, kept] = [await given.agent(), await given.agent()]
    const zine = await given.zine({ creator: [old.agent_id] })
    const answer = await merge('agents', old.agent_id, {
      into: kept.agent_id,
      fields: { display_name: '' },
    })
    expect(answer.status).to.equal(400)
    expect(answer.body).to.deep.equal({ display_name: ['This field may not be blank.'] })
    expect(await creatorsOf(zine.zine_id)).to.deep.equal([old.agent_id])
  })

  it('POST merge keeps every digit of a number in fields', async () => {
    const [old, kept] = [await given.holding(), await given.holding()]
    const answer = await service().ask('POST', `${recordPath('holdings', old.holding_id)}merge/`, {
      raw: `{"into": "${kept.holding_id}", "fields": {"barcode": 31786102345678901, "copy_count": 2}}`,
    })
    expect(answer.body.record).to.include({ barcode: '31786102345678901', copy_count: 2 })
  })

  it('POST merge with If-Match of an older version answers 412', async () => {
    const [old, kept] = [await given.agent(), await given.agent()]
    const etag = (await service().get(recordPath('agents', old.agent_id))).headers.get('etag') ?? ''
    await service().patch(recordPath('agents', old.agent_id), { biography: 'New' })
    const options = { headers: { 'If-Match': etag } }
    const answer = await merge('agents', old.agent_id, { into: kept.agent_id }, options)
    expect(answer.status).to.equal(412)
  })

  it('an editor of agents merges agents that zines name', async () => {
    const [old, kept] = [await given.agent(), await given.agent()]
    const zine = await given.zine({ creator: [old.agent_id] })
    const { accounts, tokens } = service()
    const name = unique('agents-editor')
    await accounts.add({
      name,
      password: 'a long pass phrase',
      role: 'editor',
      restrictedTo: ['agents'],
    })
    const token = await accounts.login(name, 'a long pass phrase')
    const refused = await merge(
      'agents',
      old.agent_id,
      { into: kept.agent_id },
      { token: tokens.zinesEditor },
    )
    expect(refused.status).to.equal(403)
    const answer = await merge('agents', old.agent_id, { into: kept.agent_id }, { token })
    expect(answer.status, answer.text).to.equal(200)
    expect(await creatorsOf(zine.zine_id)).to.deep.equal([kept.agent_id])
  })

  it('a merge of a private agent publishes nothing, and the agent that stays keeps its own', async () => {
    const secrets = (word: string) => ({
      public: false,
      legal_name: `Legal${word}`,
      email: `${word}@secret.example`,
      phone: `+1 ${word}`,
    })
    const [old, kept] = [await given.agent(secrets('one')), await given.agent(secrets('two'))]
    const answer = await merge('agents', old.agent_id, { into: kept.agent_id })
    expect(answer.text).not.to.match(/Legal|secret/)
    const nobody = await service().get(recordPath('agents', kept.agent_id))
    expect(nobody.text).not.to.match(/Legal|secret/)
    const path = `${recordPath('agents', kept.agent_id)}?private=true`
    const { body } = await service().get(path, { token: service().tokens.admin })
    expect(body).to.include({ legal_name: 'Legaltwo', email: 'two@secret.example', public: false })
  })

  it('a rename of a private agent keeps its private values and publishes none', async () => {
    const old = await given.agent({ public: false, legal_name: 'Legalone' })
    const id = unique('renamed')
    const answer = await rename('agents', old.agent_id, { id })
    expect(answer.text).not.to.include('Legalone')
    const path = recordPath('agents', id)
    expect((await service().get(path)).text).not.to.include('Legalone')
    const { body } = await service().get(`${path}?private=true`, { token: service().tokens.admin })
    expect(body.legal_name).to.equal('Legalone')
  })

  it('the IRI of a deleted record answers 410, and that of one that never was 404', async () => {
    const agent = await given.agent()
    await service().delete(recordPath('agents', agent.agent_id))
    expect((await service().get(`/id/agents/${agent.agent_id}`)).status).to.equal(410)
    expect((await service().get('/id/agents/never-was')).status).to.equal(404)
    expect((await service().get(recordPath('agents', agent.agent_id))).status).to.equal(404)
  })

  it('a browser that asks for a merged record is led to the page of the other', async () => {
    const [old, kept] = [await given.agent(), await given.agent()]
    await merged('agents', old.agent_id, { into: kept.agent_id })
    const answer = await service().get(recordPath('agents', old.agent_id), {
      headers: { accept: 'text/html' },
    })
    expect(answer.status).to.equal(301)
    expect(pathIn(answer)).to.equal(recordPath('agents', kept.agent_id))
  })
})

describe('What is redacted at the path of a record that was merged or renamed', () => {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '1' })

  before(function () {
    // Queries about a remote store go to its engine.
    if (process.env.TEST_STORE) this.skip()
  })

  /** What the address of a record shows in each view. */
  async function viewsOf(id: string) {
    const path = recordPath('agents', id)
    const [got, iri] = [await service().get(path), await service().get(`/id/agents/${id}`)]
    const query = `SELECT ?into { <${BASE_URL}/id/agents/${id}> dcterms:isReplacedBy ?into }`
    const response = await fetch(`${service().url}/dumps/catalogue.nt.gz`)
    const dump = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
    const created = await service().post('/api/agents/', resourceOf('agents').minimal(id))
    return {
      status: [got.status, iri.status],
      leads: [got, iri].map(({ headers }) => headers.get('location')),
      taken: created.body.agent_id,
      sparql: await rowsOf(service(), query),
      dump: dump.split('\n').filter((line) => line.startsWith(`<${BASE_URL}/id/agents/${id}>`)),
    }
  }

  const redactions = {
    'a value': { field: 'legal_name', value: 'Redacted' },
    'the past': { past: true },
  }
  for (const how of ['merge', 'rename'])
    for (const [what, redaction] of Object.entries(redactions))
      it(`is gone, and its address leads where it led: ${what}, after a ${how}`, async () => {
        const { agent_id: id } = await given.agent({ legal_name: 'Redacted' })
        const path = recordPath('agents', id)
        const body =
          how === 'merge' ? { into: (await given.agent()).agent_id } : { id: unique('renamed') }
        expect((await service().post(`${path}${how}/`, body)).status).to.equal(200)
        const before = await viewsOf(id)
        expect([before.status, before.dump.length]).to.deep.equal([[301, 301], 1])
        expect((await service().post(`${path}redact/`, redaction)).status).to.equal(204)
        expect(await viewsOf(id)).to.deep.equal(before)
        const { text } = await service().get(`${path}history/`, { token: service().tokens.admin })
        expect(text).not.to.include('Redacted')
      })
})
