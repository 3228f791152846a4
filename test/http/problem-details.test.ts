// Tests errors as problem details (RFC 9457), which clients ask for in Accept.

import { expect } from 'chai'

import { minimal } from '../examples.js'
import { useService } from '../service.js'

describe('problem details', () => {
  const service = useService()
  const accept = 'application/json, application/problem+json'
  const headers = { accept }

  it('say status, title and what went wrong', async () => {
    const answer = await service().get('/api/zines/none/', { headers })
    expect(answer.status).to.equal(404)
    expect(answer.headers.get('content-type')).to.equal('application/problem+json')
    expect(answer.headers.get('vary')).to.include('Accept')
    expect(answer.body).to.deep.equal({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Not found.',
    })
  })

  it('have one error for each message of a field, with a pointer to it', async () => {
    const body = { ...minimal.zines('any'), zine_id: undefined, title: '' }
    const answer = await service().post('/api/zines/', body, { headers })
    expect(answer.status).to.equal(400)
    expect(answer.body).to.deep.include({ type: 'about:blank', title: 'Bad Request', status: 400 })
    expect(answer.body.errors).to.deep.include.members([
      { detail: 'This field is required.', pointer: '#/zine_id' },
      { detail: 'This field may not be blank.', pointer: '#/title' },
    ])
  })

  it('point nowhere for what is wrong with the whole body', async () => {
    const answer = await service().ask('POST', '/api/zines/', {
      raw: '[]',
      headers: {
        ...headers,
        'content-type': 'application/json',
      },
    })
    expect(answer.body.errors).to.deep.equal([
      { detail: 'Invalid data. Expected a dictionary, but got list.' },
    ])
  })

  it('keep what an error says besides its text', async () => {
    const since = await service().get('/api/changes/?since=0&log=another', { headers })
    expect(since.body).to.include.keys('type', 'title', 'status', 'detail')
  })

  for (const other of ['application/json', '*/*', 'application/json, application/problem+json;q=0'])
    it(`are not sent to who accepts ${other}`, async () => {
      const answer = await service().get('/api/zines/none/', { headers: { accept: other } })
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8')
      expect(answer.text).to.equal('{"detail":"Not found."}')
    })

  it('change nothing of an answer that is no error', async () => {
    const plain = await service().get('/api/zines/')
    const answer = await service().get('/api/zines/', { headers })
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('content-type')).to.equal(plain.headers.get('content-type'))
    expect(answer.text).to.equal(plain.text)
  })
})
