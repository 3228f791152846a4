// Errors that are answered before the application sees a request: a browser gets a page, everybody else JSON.

import { expect } from 'chai'

import { openServer } from '../../src/http/server.js'
import { useService } from '../service.js'
import { sendRaw } from './raw-socket.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const long = 'x'.repeat(20_000)

// prettier-ignore
const cases: readonly (readonly [what: string, status: number, target: string, headers: readonly string[]])[] = [
  ['a long address',            414, `/api/zines/?q=${long}`, ['Host: x']],
  ['a long SPARQL query',       414, `/sparql?query=${long}`, ['Host: x']],
  ['a long cookie',             431, '/api/zines/',           ['Host: x', `Cookie: a=${long}`]],
  ['too many headers',          431, '/api/zines/',           ['Host: x', ...Array<string>(1001).fill('a: b')]],
  ['no host',                   400, '/api/zines/',           []],
  ['a header without a colon',  400, '/api/zines/',           ['Host: x', 'X-A']],
]

describe('an error before the application', () => {
  const service = useService()

  const send = (target: string, ...headers: readonly string[]) =>
    sendRaw(service().url, [`GET ${target} HTTP/1.1`, ...headers])

  for (const [what, status, target, headers] of cases) {
    it(`is JSON for a program with ${what}`, async () => {
      const answer = await send(target, 'Accept: application/json, */*', ...headers)
      expect(answer.status).to.equal(status)
      expect(answer.head).to.match(/^content-type: application\/json$/im)
      expect(JSON.parse(answer.body).detail).to.be.a('string')
    })

    it(`is a page for a browser with ${what}`, async () => {
      const answer = await send(target, `Accept: ${browser}`, ...headers)
      expect(answer.status).to.equal(status)
      expect(answer.head).to.match(/^content-type: text\/html; charset=utf-8$/im)
      expect(answer.body).to.match(/^<!doctype html>.*<h1>That did not work<\/h1>/)
    })
  }

  it('is in the language of the browser', async () => {
    const [target, accept] = [`/api/zines/?q=${long}`, `Accept: ${browser}`]
    for (const [language, text] of [
      ['es', 'La dirección es demasiado larga.'],
      ['fr', 'L’adresse est trop longue.'],
    ]) {
      const answer = await send(target, 'Host: x', accept, `Accept-Language: ${language}`)
      expect(answer.head).to.match(new RegExp(`^content-language: ${language}$`, 'im'))
      expect(answer.body).to.include(text)
    }
  })

  it('is JSON where a browser writes', async () => {
    const head = [`POST /api/zines/?q=${long} HTTP/1.1`, 'Host: x', `Accept: ${browser}`]
    expect(JSON.parse((await sendRaw(service().url, head)).body)).to.deep.equal({
      detail: 'The address is too long.',
    })
  })

  it('is a page for a browser while the service starts', async () => {
    const server = await openServer({ host: '127.0.0.1', port: 0 }, (error) => {
      throw error
    })
    try {
      const answer = await fetch(server.url, { headers: { accept: browser } })
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '1'])
      expect(await answer.text()).to.include('The service is starting. Try again soon.')
      const health = await fetch(`${server.url}/readyz`)
      expect(await health.json()).to.deep.equal({ status: 'starting' })
    } finally {
      await server.close()
    }
  })
})
