import { expect } from 'chai'
import { Parser } from 'n3'

import { ExpectedError } from '../../src/errors.js'
import { createIris } from '../../src/model/iris.js'
import { buildResources } from '../../src/model/resources.js'
import { openModel } from './model.js'

const iris = createIris('https://zines.example')
const { declared, resources } = await openModel(iris)

const title = 'http://purl.org/dc/terms/title'

describe('a resource', () => {
  it('is built from its declaration, its shape and the ontology', () => {
    const field = resources.zines.byName.get('title')
    expect(field).to.include({
      kind: 'text',
      repeatable: false,
      required: true,
      maxLength: 500,
      inLists: true,
    })
    expect(field?.label).to.be.a('string').that.is.not.empty
  })

  it('has its defaults, minimums and vocabularies from its shape', () => {
    expect(resources.repositories.byName.get('status')).to.include({ defaultValue: 'active' })
    expect(resources.holdings.byName.get('copy_count')).to.include({ defaultValue: 1, minimum: 0 })
    expect(resources.zines.byName.get('subject')?.vocabulary?.name).to.equal('subjects')
    expect(resources.agents.byName.get('wikidata')?.kind).to.equal('link')
  })

  it('has the facets of its list page in the order of the page', () => {
    const facets = Object.values(resources).map((resource) =>
      resource.facets.map(({ name }) => name),
    )
    expect(facets).to.deep.equal([
      ['subject', 'genre', 'year', 'language', 'creator'],
      ['kind', 'public'],
      ['repository_kind', 'country', 'status'],
      ['repository_id', 'access_status', 'digital_available'],
    ])
  })

  it('has the fields of its summary, with those of an address as one part', () => {
    const { title, line } = resources.repositories.summary
    expect(title?.name).to.equal('repository_name')
    expect(line.map((part) => part.map(({ name }) => name))).to.deep.equal([
      ['repository_kind'],
      ['city', 'region', 'country'],
      ['status'],
    ])
  })

  it('is not built when a field has no property shape', () => {
    const shapes = declared.shapes.filter(({ object }) => object.value !== title)
    expect(() => buildResources(iris, { ...declared, shapes })).to.throw(
      ExpectedError,
      `shapes/zine.ttl: title (<${title}>) has no property shape`,
    )
  })

  it('is not built when a property has no description', () => {
    const ontology = declared.ontology.filter(({ subject }) => subject.value !== title)
    expect(() => buildResources(iris, { ...declared, ontology })).to.throw(
      ExpectedError,
      `ontology/zine-catalogue.ttl: title (<${title}>) has no rdfs:label`,
    )
  })

  it('is not built when a property shape has no declared field', () => {
    const stray = new Parser({ baseIRI: iris.shapes }).parse(`
      PREFIX sh: <http://www.w3.org/ns/shacl#>
      <#zine> sh:property [ sh:path <http://example.org/unknown> ; sh:minCount 1 ] .`)
    expect(() =>
      buildResources(iris, { ...declared, shapes: [...declared.shapes, ...stray] }),
    ).to.throw(
      ExpectedError,
      'src/model/declarations/zines.ts: no field has the property <http://example.org/unknown>, which shapes/zine.ttl has a shape for',
    )
  })
})
