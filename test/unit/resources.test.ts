import { expect } from 'chai'
import { Parser } from 'n3'

import { createIris } from '../../src/model/iris.js'
import { ModelError, buildResources } from '../../src/model/resources.js'
import { openModel } from './model.js'

const iris = createIris('https://zines.example')
const { declared, resources } = await openModel(iris)

const title = 'http://purl.org/dc/terms/title'

describe('a resource', () => {
  it('is joined from its row, its shape and the ontology', () => {
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

  it('has defaults, minimums and vocabularies from its shape', () => {
    expect(resources.repositories.byName.get('status')).to.include({ defaultValue: 'active' })
    expect(resources.holdings.byName.get('copy_count')).to.include({ defaultValue: 1, minimum: 0 })
    expect(resources.zines.byName.get('subject')?.vocabulary?.name).to.equal('subjects')
    expect(resources.agents.byName.get('wikidata')?.kind).to.equal('link')
  })

  it('does not start without a property shape for a row', () => {
    const shapes = declared.shapes.filter(({ object }) => object.value !== title)
    expect(() => buildResources(iris, { ...declared, shapes })).to.throw(
      ModelError,
      `zine.title: <${title}> has no property shape in shapes/zine.ttl`,
    )
  })

  it('does not start without a description of a property', () => {
    const ontology = declared.ontology.filter(({ subject }) => subject.value !== title)
    expect(() => buildResources(iris, { ...declared, ontology })).to.throw(
      ModelError,
      `zine.title: <${title}> has no rdfs:label in ontology/zine-catalogue.ttl`,
    )
  })

  it('does not start with a property shape that no row speaks of', () => {
    const stray = new Parser({ baseIRI: iris.shapes }).parse(`
      PREFIX sh: <http://www.w3.org/ns/shacl#>
      <#zine> sh:property [ sh:path <http://example.org/unknown> ; sh:minCount 1 ] .`)
    expect(() =>
      buildResources(iris, { ...declared, shapes: [...declared.shapes, ...stray] }),
    ).to.throw(
      ModelError,
      'zine: http://example.org/unknown has no row for its shape in shapes/zine.ttl',
    )
  })
})
