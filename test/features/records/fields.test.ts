// Choosing the fields of lists and records with `?fields=`, in JSON and CSV.

import { expect } from 'chai'

import { listPath, recordPath, resources, useCatalogue } from '../../http/catalogue.js'

describe('?fields=', () => {
  const { service, given } = useCatalogue()
  before(async () => {
    await given.holding()
  })

  const get = async (path: string, token: string | null = null) => service().get(path, { token })

  it('leaves the other members of a record out', async () => {
    const { body, headers } = await get('/api/zines/zine/?fields=title,zine_id')
    expect(Object.keys(body)).to.deep.equal(['zine_id', 'title'])
    expect(headers.get('etag')).not.to.equal((await get('/api/zines/zine/')).headers.get('etag'))
  })

  it('leaves the other members of the records of a list out, and of an export', async () => {
    for (const path of [
      '/api/zines/?fields=zine_id,title',
      '/api/zines/export/?fields=zine_id,title',
    ]) {
      const { body } = await get(path)
      expect(body.results).not.to.be.empty
      for (const one of body.results) expect(Object.keys(one)).to.deep.equal(['zine_id', 'title'])
      expect(body).to.have.property('count')
    }
    expect((await get('/api/zines/?fields=title&strict=true')).status).to.equal(200)
  })

  for (const { name, idField } of resources)
    it(`leaves the other members out in lists, exports and records of ${name}`, async () => {
      const { body } = await get(`${listPath(name)}?fields=${idField},created_at`)
      const members = [idField, 'created_at']
      expect(body.results).not.to.be.empty
      for (const record of body.results) expect(record).to.have.all.keys(members)
      const path = recordPath(name, body.results[0][idField])
      expect((await get(`${path}?fields=${idField},created_at`)).body).to.have.all.keys(members)
      const exported = await get(`${listPath(name)}export/?fields=${idField}`)
      for (const record of exported.body.results) expect(record).to.have.all.keys([idField])
    })

  it('leaves the other columns of CSV out', async () => {
    for (const path of ['/api/zines/zine/', '/api/zines/', '/api/zines/export/'])
      for (const safe of ['', '&safe=1']) {
        const { text } = await get(
          `${path}?format=csv&fields=creator_names,zine_id,abstract${safe}`,
        )
        expect(text.split('\r\n')[0]).to.equal('zine_id,creator_names,abstract')
      }
  })

  for (const [path, name] of [
    ['/api/zines/zine/?fields=zine_id,', 'nothing'],
    ['/api/zines/?fields=', 'abstract'],
    ['/api/zines/?fields=', '__proto__'],
    ['/api/zines/zine/?format=csv&fields=', 'nothing'],
    ['/api/agents/?fields=', 'email'],
  ] as const)
    it(`answers ${path}${name} with 400`, async () => {
      const { status, body } = await get(path + name)
      expect([status, body]).to.deep.equal([400, { fields: [`"${name}" is not a valid choice.`] }])
    })

  it('is for JSON and CSV', async () => {
    const { status, body } = await get('/api/zines/zine/?format=turtle&fields=title')
    expect(status).to.equal(400)
    expect(body).to.have.all.keys('fields')
  })

  it('shows private fields to those who may see them', async () => {
    const { agent_id } = await given.agent({ public: false, email: 'hidden@example.org' })
    const path = `${recordPath('agents', agent_id)}?fields=agent_id,email`
    const seen = await get(`${path}&private=true`, service().tokens.editor)
    expect(seen.body).to.deep.equal({ agent_id, email: 'hidden@example.org' })
    expect(seen.headers.get('cache-control')).to.include('no-store')
    for (const [search, token] of [
      ['', null],
      ['&private=true', null],
      ['&private=true', service().tokens.viewer],
      ['', service().tokens.editor],
    ] as const) {
      const answer = await get(path + search, token)
      expect([answer.status, answer.text.includes('hidden@')]).to.deep.equal([400, false])
    }
    const csv = await get(`${path}&format=csv&private=true`, service().tokens.editor)
    expect(csv.text).not.to.include('hidden@')
  })

  it('says who sees a record, which is not said where nobody asks for it', async () => {
    const { zine_id } = await given.zine()
    const path = recordPath('zines', zine_id)
    expect((await get(path)).body).not.to.have.any.keys('visibility', 'hidden_reason', 'hidden_at')
    const asked = `${path}?fields=zine_id,visibility`
    expect((await get(asked)).body).to.deep.equal({ zine_id, visibility: 'public' })
    await service().patch(path, { visibility: 'draft' })
    expect((await get(asked)).status).to.equal(404)
    const seen = await get(asked, service().tokens.editor)
    expect(seen.body).to.deep.equal({ zine_id, visibility: 'draft' })
  })

  it('does not change the answer to a write', async () => {
    const { status, body } = await service().patch('/api/zines/zine/?fields=nothing', {})
    expect([status, body.zine_id]).to.deep.equal([200, 'zine'])
  })
})
