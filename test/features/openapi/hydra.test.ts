// Tests the documentation of the API for Hydra: its operations are those of the service, its properties are the
// fields, and the templates of its entry point find what they say.

import { expect } from 'chai'
import { Parser, Store } from 'n3'

import { loadResources } from '../../../src/app/load-model.js'
import { BASE_URL, WITH_INDEX } from '../../service.js'
import { operationsOf } from './openapi-schemas.js'
import { useCatalogue } from '../../http/catalogue.js'

const hydra = (name: string): string => `http://www.w3.org/ns/hydra/core#${name}`
const documentation = `${BASE_URL}/api/documentation/`

const resources = Object.values(await loadResources())

describe('the Hydra documentation', () => {
  const { service, given } = useCatalogue()

  const read = async (path: string): Promise<Store> => {
    const { status, text } = await service().get(path, { headers: { accept: 'text/turtle' } })
    expect(status).to.equal(200)
    return new Store(new Parser().parse(text))
  }

  /** The values of a property of some nodes. */
  const valuesOf = (graph: Store, nodes: readonly string[], property: string): readonly string[] =>
    nodes.flatMap((node) => graph.getObjects(node, hydra(property), null).map(({ value }) => value))

  it('is linked from the entry point, on its page and in its data', async () => {
    for (const accept of ['application/json', 'text/turtle', 'text/html']) {
      const { headers } = await service().get('/api/', { headers: { accept } })
      expect(headers.get('link')).to.include(
        `<${documentation}>; rel="${hydra('apiDocumentation')}"`,
      )
    }
    const { body } = await service().get('/api/')
    expect(body).to.include({ zines: `${service().url}/api/zines/` })
  })

  it('has the operations of each record and list that the service has, and no others', async () => {
    const graph = await read('/api/documentation/')
    const document = (await service().get('/api/schema/?format=json')).body
    for (const { name, noun, id, class: type } of resources)
      for (const [node, path] of [
        [type.value, `/api/${name}/{${id.name}}/`],
        [`${documentation}#${noun}Collection`, `/api/${name}/`],
      ] as const) {
        const operations = valuesOf(graph, [node], 'supportedOperation')
        const described = operationsOf(document)
          .filter(([, at]) => at === path)
          .map(([method]) => method)
        expect([...valuesOf(graph, operations, 'method')].sort()).to.deep.equal(described.sort())
        const options = await service().ask('OPTIONS', path.replace(/\{.*\}/, 'none'))
        const allowed = options.headers.get('allow')?.split(', ') ?? []
        expect(allowed).to.include.members(described)
      }
  })

  it('has a property for each field, required and writeable as the model says', async () => {
    const graph = await read('/api/documentation/')
    for (const { class: type, fields, inputFields } of resources) {
      const supported = valuesOf(graph, [type.value], 'supportedProperty')
      const described = supported.map((node) => [
        valuesOf(graph, [node], 'title')[0],
        valuesOf(graph, [node], 'property')[0],
        valuesOf(graph, [node], 'required')[0] === 'true',
        valuesOf(graph, [node], 'writeable')[0] === 'true',
      ])
      expect(described).to.deep.equal(
        fields.map((field) => [
          field.name,
          field.path.at(-1)?.value.replace('http://localhost', BASE_URL),
          field.required,
          inputFields.includes(field),
        ]),
      )
    }
  })

  it('describes every node that it refers to', async () => {
    const graph = await read('/api/documentation/')
    const own = [...graph.getObjects(null, null, null)]
      .map(({ value }) => value)
      .filter((value) => value.startsWith(`${documentation}#`))
    for (const node of own)
      expect(graph.countQuads(node, null, null, null), node).to.be.greaterThan(0)
  })

  it('has an entry point whose templates find records', async function () {
    if (!WITH_INDEX) this.skip()
    const zine = await given.zine({ title: 'Quokkas', genre: ['art-zine'] })
    const entryPoint = await read('/api/')
    const [search = ''] = valuesOf(entryPoint, [`${BASE_URL}/api/zines/`], 'search')
    const [template = ''] = valuesOf(entryPoint, [search], 'template')
    const mappings = valuesOf(entryPoint, [search], 'mapping')
    const variables = valuesOf(entryPoint, mappings, 'variable')
    expect(template).to.equal(`${BASE_URL}/api/zines/{?${variables.join(',')}}`)
    expect(variables).to.include.members(['q', 'genre', 'creator', 'page', 'page_size'])
    const path = `${template.replace(/\{.*/, '').slice(BASE_URL.length)}?q=quokkas&genre=art-zine`
    const { body, headers } = await service().get(path)
    expect(body.results.map(({ zine_id }: { zine_id: string }) => zine_id)).to.deep.equal([
      zine.zine_id,
    ])
    expect(headers.get('x-ignored-parameters')).to.equal(null)
  })
})
