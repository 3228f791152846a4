// The forms of JSON-LD that `profile` in Accept asks for: the same graph each.

import { expect } from 'chai'

import { readJsonld, readText } from '../../formats/parsers.js'
import { BASE_URL } from '../../service.js'
import { recordPath, resources, unique, useCatalogue } from '../../http/catalogue.js'
import { namesIn } from '../../http/raw-socket.js'

const namespace = 'http://www.w3.org/ns/json-ld#'
const forms = ['expanded', 'compacted', 'flattened', 'framed'] as const
const accept = (form: string) => ({ accept: `application/ld+json;profile="${namespace}${form}"` })

describe('JSON-LD in another form', () => {
  const { service } = useCatalogue()

  for (const { name, full } of resources)
    for (const form of forms)
      it(`is the same graph when ${form}, of ${name}`, async () => {
        const id = unique(name)
        await service().post(`/api/${name}/`, full(id))
        for (const path of [recordPath(name, id), `/api/${name}/?page_size=3`]) {
          const ntriples = await service().get(path, {
            headers: { accept: 'application/n-triples' },
          })
          const answer = await service().get(path, { headers: accept(form) })
          expect(answer.status, answer.text).to.equal(200)
          expect(answer.headers.get('content-type')).to.equal(
            `application/ld+json; profile="${namespace}${form}"; charset=utf-8`,
          )
          expect(namesIn(answer.headers.get('vary'))).to.include('accept')
          expect(await readJsonld(answer.text)).to.deep.equal(
            readText(ntriples.text, 'application/n-triples'),
          )
        }
      })

  it('is an array of nodes without a context when expanded or flattened', async () => {
    for (const form of ['expanded', 'flattened']) {
      const { body } = await service().get('/api/zines/zine/', { headers: accept(form) })
      expect(body).to.be.an('array')
      expect(JSON.stringify(body)).not.to.include('@context')
    }
    const flat = (await service().get('/api/zines/zine/', { headers: accept('flattened') })).body
    expect(flat.map((node: any) => node['@id'])).to.include(`${BASE_URL}/id/agents/maker`)
  })

  it('is the thing with what it refers to inside when framed', async () => {
    const { body } = await service().get('/api/zines/zine/', { headers: accept('framed') })
    // The context calls the IRI of a node so.
    expect(body.uri).to.equal(`${BASE_URL}/id/zines/zine`)
    expect(body['@context']).to.equal(`${BASE_URL}/api/context.jsonld`)
    expect(JSON.stringify(body)).to.include(`"uri":"${BASE_URL}/id/agents/maker","@type"`)
  })

  it('has a tag of its own, which a write accepts', async () => {
    const tagOf = async (headers: Record<string, string>) =>
      (await service().get('/api/zines/zine/', { headers })).headers.get('etag') ?? ''
    const tag = await tagOf(accept('expanded'))
    expect(tag).not.to.equal(await tagOf({ accept: 'application/ld+json' }))
    const again = { ...accept('expanded'), 'if-none-match': tag }
    expect((await service().get('/api/zines/zine/', { headers: again })).status).to.equal(304)
    const changed = await service().patch('/api/zines/zine/', {}, { headers: { 'if-match': tag } })
    expect(changed.status).to.equal(200)
  })

  it('is that of the type that is preferred, and the usual one for an unknown profile', async () => {
    const typeOf = async (value: string) =>
      (await service().get('/api/zines/zine/', { headers: { accept: value } })).headers.get(
        'content-type',
      )
    const usual = 'application/ld+json; charset=utf-8'
    expect(await typeOf('application/ld+json;profile="http://example.org/"')).to.equal(usual)
    expect(await typeOf(`application/ld+json, ${accept('expanded').accept};q=0.5`)).to.equal(usual)
    expect(
      await typeOf(`application/ld+json;q=0.5, ${accept('flattened').accept};q=0.9`),
    ).to.include('#flattened')
    expect(
      await typeOf(`application/ld+json; profile="http://example.org/ ${namespace}expanded"`),
    ).to.include('#expanded')
  })
})
