// Tests what a program that may lose an answer can send with a write: `Idempotency-Key`, with which
// a repeated POST creates nothing again, and `Prefer: return=minimal`.

import { expect } from 'chai'

import { agent, minimal } from '../../examples.js'
import { adminSettings, serve, tokenAt, withDirectory } from '../../process.js'
import { listPath, recordPath, resources, unique, useCatalogue } from '../../http/catalogue.js'

const day = 24 * 60 * 60 * 1000

describe('a POST with an Idempotency-Key', () => {
  let now = Date.now()
  const { service } = useCatalogue({}, { now: () => now })

  const post = (path: string, body: unknown, key: string, token?: string) =>
    service().post(path, body, {
      headers: { 'idempotency-key': key },
      ...(token === undefined ? {} : { token }),
    })

  const countChanges = async (): Promise<number> =>
    Number((await service().get('/api/changes/')).headers.get('x-log-position'))

  for (const resource of resources)
    it(`creates one record of ${resource.name}, however often it is sent`, async () => {
      const id = unique(`once-${resource.name}`)
      const body = resource.minimal(id)
      const path = listPath(resource.name)
      const first = await post(path, body, `"${id}"`)
      expect(first.status, first.text).to.equal(201)
      const changes = await countChanges()
      const second = await post(path, body, `"${id}"`)
      expect(second.status, second.text).to.equal(201)
      expect(second.text).to.equal(first.text)
      for (const header of ['location', 'etag', 'content-type'])
        expect(second.headers.get(header), header).to.equal(first.headers.get(header))
      expect(await countChanges()).to.equal(changes)
    })

  it('is answered 422 when the key was used for another body, or for another list', async () => {
    const body = minimal.agents(unique('other'))
    const key = unique('key')
    await post('/api/agents/', body, key)
    for (const [path, other] of [
      ['/api/agents/', { ...body, display_name: 'Another name' }],
      ['/api/agents/', { ...body, agent_id: unique('another') }],
      ['/api/repositories/', minimal.repositories(unique('other'))],
    ] as const) {
      const { status, body: error } = await post(path, other, key)
      expect(status).to.equal(422)
      expect(error.detail).to.include('another request')
    }
  })

  it('may be sent again with other values after it was refused', async () => {
    const body = minimal.agents(unique('corrected'))
    const key = unique('key')
    expect((await post('/api/agents/', { ...body, display_name: '' }, key)).status).to.equal(400)
    expect((await post('/api/agents/', body, key)).status).to.equal(201)
  })

  it('has the keys of its account alone', async () => {
    const key = unique('key')
    const [mine, theirs] = ['mine', 'theirs'].map((name) => minimal.agents(unique(name)))
    expect((await post('/api/agents/', mine, key)).status).to.equal(201)
    const { status } = await post('/api/agents/', theirs, key, service().tokens.editor)
    expect(status).to.equal(201)
  })

  it('is answered with the record as it is now, and 410 once it is deleted', async () => {
    const id = unique('changed')
    const body = minimal.agents(id)
    await post('/api/agents/', body, id)
    await service().patch(recordPath('agents', id), { display_name: 'Later name' })
    const { body: repeated, headers } = await post('/api/agents/', body, id)
    expect(repeated.display_name).to.equal('Later name')
    const current = await service().get(recordPath('agents', id))
    expect(headers.get('etag')).to.equal(current.headers.get('etag'))
    await service().delete(recordPath('agents', id))
    const { status, body: error } = await post('/api/agents/', body, id)
    expect([status, error]).to.deep.equal([410, { detail: 'This was deleted.' }])
  })

  it('is known for 24 hours, and then like any other', async () => {
    const id = unique('day')
    const body = minimal.agents(id)
    await post('/api/agents/', body, id)
    now += day - 1
    expect((await post('/api/agents/', body, id)).status).to.equal(201)
    now += 1
    const { status, body: errors } = await post('/api/agents/', body, id)
    expect(status).to.equal(400)
    expect(errors).to.have.key('agent_id')
  })

  it('is the same in Turtle', async () => {
    const id = unique('turtle')
    await service().post('/api/agents/', minimal.agents(id))
    const { text } = await service().get(`${recordPath('agents', id)}?format=turtle`)
    await service().delete(recordPath('agents', id))
    const send = () =>
      service().ask('POST', '/api/agents/', {
        raw: text,
        headers: { 'content-type': 'text/turtle', 'idempotency-key': id },
      })
    const answers = [await send(), await send()]
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201])
    expect(answers[0]?.text).to.equal(answers[1]?.text)
  })

  it('is answered 400 when the key is too long', async () => {
    const { status } = await post('/api/agents/', agent, 'k'.repeat(256))
    expect(status).to.equal(400)
  })

  it('is known after the process was killed right behind the answer', async () => {
    await withDirectory(async (directory) => {
      const env = { DATA_DIR: directory, SPARQL_WORKERS: '0', ...adminSettings }
      const send = async (url: string) => {
        const response = await fetch(`${url}/api/agents/`, {
          method: 'POST',
          headers: {
            authorization: `Token ${await tokenAt(url)}`,
            'content-type': 'application/json',
            'idempotency-key': '"before-the-kill"',
          },
          body: JSON.stringify(minimal.agents('survivor')),
        })
        return [response.status, await response.text()]
      }
      const killed = await serve(env)
      const first = await send(killed.url)
      await killed.end('SIGKILL')
      const next = await serve(env)
      expect(first[0]).to.equal(201)
      expect(await send(next.url)).to.deep.equal(first)
      await next.end('SIGTERM')
    })
  })
})

describe('a write with Prefer: return=minimal', () => {
  const { service } = useCatalogue()
  const headers = { prefer: 'respond-async, return=minimal; foo="bar"' }

  it('is answered without the record, with its ETag', async () => {
    const id = unique('minimal')
    const path = recordPath('agents', id)
    const body = minimal.agents(id)
    for (const [send, status] of [
      [() => service().post('/api/agents/', body, { headers }), 201],
      [() => service().put(path, { ...body, display_name: 'Put' }, { headers }), 204],
      [() => service().patch(path, { display_name: 'Patched' }, { headers }), 204],
    ] as const) {
      const answer = await send()
      expect(answer.status).to.equal(status)
      expect(answer.text).to.equal('')
      expect(answer.headers.get('preference-applied')).to.equal('return=minimal')
      const current = await service().get(path)
      expect(answer.headers.get('etag')).to.equal(current.headers.get('etag'))
    }
    expect((await service().get(path)).body.display_name).to.equal('Patched')
  })

  it('says what is wrong as any other', async () => {
    const {
      status,
      body,
      headers: answered,
    } = await service().post('/api/agents/', {}, { headers })
    expect(status).to.equal(400)
    expect(body).to.include.keys('agent_id')
    expect(answered.has('preference-applied')).to.equal(false)
  })

  for (const prefer of ['return=representation', 'return=representation, return=minimal', 'other'])
    it(`is answered as ever where it says ${prefer}`, async () => {
      const body = minimal.agents(unique('whole'))
      const answer = await service().post('/api/agents/', body, { headers: { prefer } })
      expect(answer.body.agent_id).to.equal(body.agent_id)
      expect(answer.headers.has('preference-applied')).to.equal(false)
    })
})
