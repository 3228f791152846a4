// Records and lists in another vocabulary, by `?vocabulary=`.

import { expect } from 'chai'

import { readText } from '../../formats/parsers.js'
import { BASE_URL } from '../../service.js'
import { useCatalogue } from '../../http/catalogue.js'

describe('?vocabulary=', () => {
  const { service, given } = useCatalogue()
  before(() => given.holding({ holding_id: 'copy', zine_id: 'zine' }))

  it('describes a zine as a work, its instance and its items in BIBFRAME', async () => {
    const { text } = await service().get('/api/zines/zine/?format=ntriples&vocabulary=bibframe')
    const graph = readText(text, 'application/n-triples')
    const bf = 'http://id.loc.gov/ontologies/bibframe/'
    const thing = `${BASE_URL}/id/zines/zine`
    expect(graph).to.include(`<${thing}> <${bf}instanceOf> <${thing}#work> .`)
    expect(graph).to.include(`<${thing}> <${bf}hasItem> <${BASE_URL}/id/holdings/copy> .`)
  })

  it('describes the records of a list and of an export', async () => {
    for (const path of ['/api/zines/', '/api/zines/export/']) {
      const { text } = await service().get(`${path}?format=ntriples&vocabulary=schema&strict=true`)
      expect(text).to.include(`<${BASE_URL}/id/zines/zine> <http://schema.org/name>`)
      expect(text).to.include('<http://schema.org/workExample>')
    }
  })

  it('is none but those that there are, and for RDF', async () => {
    const unknown = await service().get('/api/zines/zine/?format=turtle&vocabulary=marc')
    expect([unknown.status, unknown.body]).to.deep.equal([
      400,
      { vocabulary: ['"marc" is not a valid choice.'] },
    ])
    for (const path of ['/api/zines/zine/', '/api/zines/']) {
      const json = await service().get(`${path}?vocabulary=schema`)
      expect(json.status, path).to.equal(400)
      expect(json.body).to.have.all.keys('vocabulary')
    }
  })

  it('goes together with the forms of JSON-LD', async () => {
    const { body } = await service().get('/api/zines/zine/?vocabulary=bibframe', {
      headers: { accept: 'application/ld+json;profile="http://www.w3.org/ns/json-ld#framed"' },
    })
    expect(body.uri).to.equal(`${BASE_URL}/id/zines/zine`)
    expect(JSON.stringify(body)).to.include('bf:Work')
  })

  it('does not change the answer to a write', async () => {
    const { status } = await service().patch('/api/zines/zine/?vocabulary=none&format=turtle', {})
    expect(status).to.equal(200)
  })
})
