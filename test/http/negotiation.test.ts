// Which format an answer is in: ?format=, Accept, and neither. What the formats hold is tested
// with each of them.

import { expect } from 'chai'

import { useCatalogue } from './catalogue.js'
import { isAnswerable, types } from './formats.js'
import { namesIn, sendRaw } from './raw-socket.js'

const NOT_ACCEPTABLE = { detail: 'Could not satisfy the request Accept header.' }

const PAGES: Readonly<Record<string, readonly [list: string, record: string]>> = {
  zines: ['/api/zines/', '/api/zines/zine/'],
  agents: ['/api/agents/', '/api/agents/maker/'],
  repositories: ['/api/repositories/', '/api/repositories/library/'],
  holdings: ['/api/holdings/', '/api/holdings/copy/'],
}

/** The formats that a resource does not have. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  zines: [],
  agents: ['bibtex'],
  repositories: ['bibtex', 'marcxml'],
  holdings: [],
}

// prettier-ignore
const answers: readonly (readonly [accept: string, type: string])[] = [
  ['*/*',                                             'application/json'],
  ['application/json',                                'application/json'],
  ['Application/JSON',                                'application/json'],
  ['application/*',                                   'application/json'],
  ['application/json; charset=utf-8',                 'application/json'],
  ['text/csv;q=0.5, application/json',                'application/json'],
  ['text/csv, application/json;q=0.9',                'text/csv'],
  ['application/json;q=0.5, text/turtle',             'text/turtle'],
  ['application/json;q=0.1, text/turtle;q=0.2',       'text/turtle'],
  ['application/json;q=0, text/turtle;q=0.1',         'text/turtle'],
  ['image/png; q=1, application/json; q=0.1', 'application/json'],
  ['image/png, application/json;q=0.1',               'application/json'],
  ['image/png, */*;q=0.1',                            'application/json'],
  ['text/csv, */*',                                   'text/csv'],
  ['text/turtle;q=0.9, */*;q=0.1',                    'text/turtle'],
  ['application/ld+json, application/json;q=0.9',     'application/ld+json'],
]

describe('negotiation', () => {
  const { service, given } = useCatalogue()

  before(() => given.holding({ holding_id: 'copy' }))

  const typeOf = (headers: Headers) => (headers.get('content-type') ?? '').split(';', 1)[0]

  for (const [name, paths] of Object.entries(PAGES))
    for (const path of paths)
      for (const [format, type] of Object.entries(types)) {
        const missing = MISSING[name]?.includes(format)

        it(`${path} ${missing ? 'has no' : 'comes as'} ${type} when Accept asks for it`, async () => {
          const { status, headers } = await service().get(path, { headers: { accept: type } })
          expect([status, typeOf(headers)]).to.deep.equal(
            missing ? [406, 'application/json'] : [200, type],
          )
        })

        it(`${path} ${missing ? 'has no' : 'comes as'} ?format=${format}`, async () => {
          const { status, headers } = await service().get(`${path}?format=${format}`)
          expect([status, typeOf(headers)]).to.deep.equal(
            missing ? [406, 'application/json'] : [200, type],
          )
        })
      }

  for (const [accept, type] of answers.filter(([accept]) => isAnswerable(accept)))
    it(`Accept: ${accept} is answered with ${type}`, async () => {
      const { status, headers } = await service().get('/api/zines/', { headers: { accept } })
      expect([status, typeOf(headers)]).to.deep.equal([200, type])
    })

  it('a browser is not answered with the XML that it names for the sake of XHTML', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const { status, headers } = await service().get('/api/zines/', { headers: { accept } })
    expect(status).to.equal(200)
    expect(typeOf(headers)).to.be.oneOf(['text/html', 'application/json'])
  })

  it('no Accept at all is answered with JSON', async () => {
    const { head } = await sendRaw(service().url, ['GET /api/zines/ HTTP/1.1', 'Host: x'])
    expect(head).to.match(/^content-type: *application\/json/im)
  })

  for (const accept of [
    'image/png',
    'application/json;q=0',
    'application/json; q=0',
    'application/pdf, image/*',
    'audio/*',
  ])
    it(`Accept: ${accept} cannot be satisfied`, async () => {
      const answer = await service().get('/api/zines/', { headers: { accept } })
      expect(answer.status).to.equal(406)
      expect(typeOf(answer.headers)).to.equal('application/json')
      expect(answer.body).to.deep.equal(NOT_ACCEPTABLE)
    })

  it('?format= wins over Accept', async () => {
    const headers = { accept: 'text/csv, application/json;q=0.1' }
    const answer = await service().get('/api/zines/?format=json', { headers })
    expect(typeOf(answer.headers)).to.equal('application/json')
  })

  it('?format= wins over an Accept that cannot be satisfied', async () => {
    const headers = { accept: 'image/png' }
    expect((await service().get('/api/zines/?format=json', { headers })).status).to.equal(200)
  })

  for (const format of ['none', 'JSON-LD', 'xml ', '__proto__', 'constructor'])
    it(`?format=${format} is not found`, async () => {
      const answer = await service().get(`/api/zines/?format=${encodeURIComponent(format)}`)
      expect(answer.status).to.equal(404)
      expect(answer.body).to.deep.equal({ detail: 'Not found.' })
    })

  for (const [path, status] of [
    ['/api/zines/none/', 404],
    ['/api/zines/?page=99', 404],
  ] as const)
    for (const accept of ['text/csv', 'text/turtle', 'application/xml', 'text/html'].filter(
      isAnswerable,
    ))
      it(`the ${status} of ${path} is JSON for ${accept}`, async () => {
        const answer = await service().get(path, { headers: { accept } })
        expect([answer.status, typeOf(answer.headers)]).to.deep.equal([status, 'application/json'])
        expect(answer.body).to.have.all.keys('detail')
      })

  it('a refused write is told in JSON whatever is accepted', async () => {
    const answer = await service().post('/api/zines/', {}, { headers: { accept: '*/*' } })
    expect([answer.status, typeOf(answer.headers)]).to.deep.equal([400, 'application/json'])
  })

  for (const path of ['/api/zines/', '/api/zines/zine/'])
    for (const accept of ['application/json', 'text/turtle'].filter(isAnswerable))
      it(`${path} as ${accept} says that it varies by Accept`, async () => {
        const { headers } = await service().get(path, { headers: { accept } })
        expect(namesIn(headers.get('vary'))).to.include('accept')
      })
})
