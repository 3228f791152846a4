// Tests the order in which a request is checked (docs/reference/requests.md, "Order of checks"):
// each request has two errors, and the test says which one is answered. Throttling is tested in
// throttle.test.ts.

import { expect } from 'chai'

import { recordPath, unique, useCatalogue } from './catalogue.js'
import type { Ask } from '../service.js'

const NOT_JSON = '{"title": '
const IMAGE = { accept: 'image/png' }
const BAD_TOKEN = '0'.repeat(40)

type Case = readonly [
  order: string,
  status: number,
  method: string,
  path: string,
  ask?: Ask | (() => Ask),
]

describe('the service checks', () => {
  const { service, given } = useCatalogue()
  const viewer = () => service().tokens.viewer
  const limited = () => service().tokens.zinesEditor

  // prettier-ignore
  const cases: readonly Case[] = [
    ['an unknown path before the format',           404, 'GET',    '/api/nothing/', { headers: IMAGE }],
    ['an unknown path before an unknown ?format=',  404, 'GET',    '/api/nothing/?format=none'],
    ['an unknown path before missing credentials',  404, 'POST',   '/api/nothing/', { token: null, body: {} }],
    ['an unknown path before a bad token',          404, 'GET',    '/api/nothing/', { token: BAD_TOKEN }],
    ['an unknown path before the body',             404, 'POST',   '/api/nothing/', { raw: NOT_JSON }],
    ['the format before a bad token',               406, 'GET',    '/api/zines/', { headers: IMAGE, token: BAD_TOKEN }],
    ['the format before missing credentials',       406, 'POST',   '/api/zines/', { headers: IMAGE, token: null, body: {} }],
    ['the format before permission',                406, 'POST',   '/api/zines/', () => ({ headers: IMAGE, token: viewer(), body: {} })],
    ['the format before the method',                406, 'DELETE', '/api/zines/', { headers: IMAGE }],
    ['the format before the record',                406, 'GET',    '/api/zines/none/', { headers: IMAGE }],
    ['the format before the body',                  406, 'POST',   '/api/zines/', { headers: IMAGE, raw: NOT_JSON }],
    ['an unknown ?format= before a bad token',      404, 'GET',    '/api/zines/?format=none', { token: BAD_TOKEN }],
    ['missing credentials before the method',       401, 'DELETE', '/api/zines/', { token: null }],
    ['missing credentials before the method of a vocabulary', 401, 'POST', '/api/vocabularies/subjects/', { token: null, body: {} }],
    ['missing credentials before the record',       401, 'PATCH',  '/api/zines/none/', { token: null, body: {} }],
    ['missing credentials before the body',         401, 'POST',   '/api/zines/', { token: null, raw: NOT_JSON }],
    ['missing credentials before the content type', 401, 'POST',   '/api/zines/', { token: null, raw: 'x', headers: { 'content-type': 'text/plain' } }],
    ['missing credentials before validation',       401, 'POST',   '/api/zines/', { token: null, body: {} }],
    ['a bad token before the method',               401, 'DELETE', '/api/zines/', { token: BAD_TOKEN }],
    ['a bad token before the record',               401, 'GET',    '/api/zines/none/', { token: BAD_TOKEN }],
    ['a bad token before the page',                 401, 'GET',    '/api/zines/?page=99', { token: BAD_TOKEN }],
    ['permission before the method',                403, 'DELETE', '/api/zines/', () => ({ token: viewer() })],
    ['permission before the record',                403, 'DELETE', '/api/zines/none/', () => ({ token: viewer() })],
    ['permission before the body',                  403, 'POST',   '/api/zines/', () => ({ token: viewer(), raw: NOT_JSON })],
    ['permission before validation',                403, 'POST',   '/api/zines/', () => ({ token: viewer(), body: {} })],
    ['a limited permission before the method',      403, 'DELETE', '/api/agents/', () => ({ token: limited() })],
    ['a limited permission before the record',      403, 'PATCH',  '/api/agents/none/', () => ({ token: limited(), body: {} })],
    ['a limited permission before the body',        403, 'POST',   '/api/agents/', () => ({ token: limited(), raw: NOT_JSON })],
    ['the method before the record',                405, 'POST',   '/api/zines/none/', { body: {} }],
    ['the method before the body',                  405, 'PUT',    '/api/zines/', { raw: NOT_JSON }],
    ['the method before the content type',          405, 'PUT',    '/api/zines/', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
    ['the record before the body',                  404, 'PUT',    '/api/zines/none/', { raw: NOT_JSON }],
    ['the record before the content type',          404, 'PATCH',  '/api/zines/none/', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
    ['the record before validation',                404, 'PUT',    '/api/zines/none/', { body: {} }],
    ['the record before its identifier',            404, 'PATCH',  '/api/zines/none/', { body: { zine_id: 'other' } }],
  ]

  for (const [order, status, method, path, ask] of cases)
    it(`${order}: ${method} ${path} answers ${status}`, async () => {
      const answer = await service().ask(method, path, typeof ask === 'function' ? ask() : ask)
      expect(answer.status, answer.text).to.equal(status)
      expect(answer.body).to.be.an('object')
    })

  it('the content type before validation: PUT of a zine answers 415', async () => {
    const { zine_id } = await given.zine()
    const answer = await service().ask('PUT', recordPath('zines', zine_id), {
      raw: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status).to.equal(415)
  })

  it('the token before permission: POST with an unknown token answers “Invalid token.”', async () => {
    const answer = await service().post('/api/agents/', {}, { token: BAD_TOKEN })
    expect(answer.body).to.deep.equal({ detail: 'Invalid token.' })
  })

  it('the format before writing: POST that answers 406 creates no record', async () => {
    const id = unique('agent')
    const body = { agent_id: id, kind: 'Person', display_name: 'x', public: true }
    await service().post('/api/agents/', body, { headers: IMAGE })
    expect((await service().get(recordPath('agents', id))).status).to.equal(404)
  })
})
