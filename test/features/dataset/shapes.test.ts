// What readers get conforms to the shapes that are served, by a validator of SHACL that is not the service's.

import { gunzipSync } from 'node:zlib'

import type { Term } from '@rdfjs/types'
import { expect } from 'chai'
import { Parser, Store } from 'n3'
import SHACLValidator from 'rdf-validate-shacl'

import { recordPath, resources, unique, useCatalogue } from '../../http/catalogue.js'

describe('the shapes', () => {
  const { service } = useCatalogue()

  const parse = (turtle: string): Store => new Store(new Parser().parse(turtle))

  const textAt = async (path: string, query = 'format=turtle'): Promise<string> => {
    const { text, status } = await service().get(`${path}?${query}`)
    expect(status, text).to.equal(200)
    return text
  }

  /** What does not conform: the node, the path and the message. */
  async function faultsOf(data: Store, shapes: Store): Promise<readonly string[]> {
    const { results } = await new SHACLValidator(shapes).validate(data)
    return results.map(({ focusNode, path, message }) => {
      // The shape of a node has no path.
      const where: readonly (Term | null)[] = [focusNode, path]
      return [...where, ...message].map((term) => term?.value).join(' ')
    })
  }

  let ofDocuments: Store
  before(async () => {
    ofDocuments = parse(await textAt('/shapes/documents'))
  })

  for (const { name, full, minimal } of resources) {
    it(`hold for a document of one of the ${name}`, async () => {
      for (const make of [full, minimal]) {
        const id = unique(name)
        await service().post(`/api/${name}/`, make(id))
        const data = parse(await textAt(recordPath(name, id)))
        expect(data.size).to.be.greaterThan(5)
        expect(await faultsOf(data, ofDocuments)).to.deep.equal([])
      }
    })

    it(`hold for an export of ${name}`, async () => {
      for (const format of ['turtle', 'ntriples'])
        expect(
          await faultsOf(
            parse(await textAt(`/api/${name}/export/`, `format=${format}`)),
            ofDocuments,
          ),
        ).to.deep.equal([])
    })
  }

  it('hold for the dump, also those that ask for all that is named', async () => {
    const { url } = service()
    const answer = await fetch(`${url}/dumps/catalogue.ttl.gz`)
    const packed = Buffer.from(await answer.arrayBuffer())
    const data = parse(gunzipSync(packed).toString())
    const ofRecords = parse(await textAt('/shapes'))
    for (const shapes of [ofRecords, ofDocuments])
      expect(await faultsOf(data, shapes)).to.deep.equal([])
  })

  it('do not hold for a document that lacks what a record has to say, or says what it may not', async () => {
    const id = unique('zine')
    await service().post('/api/zines/', resources[0]?.full(id) ?? {})
    const path = recordPath('zines', id)
    const turtle = await textAt(path)
    for (const [from, to, fault] of [
      [/ *dcterms:title "[^"]*" ;/, '', 'dcterms:title'],
      [/dcterms:modified [^;]*;/, '', 'dcterms:modified'],
      ['/vocabularies/genres>', '/vocabularies/subjects>', 'bf:genreForm'],
      [/a foaf:Agent,/, 'a', 'dcterms:creator'],
    ] as const) {
      const changed = turtle.replace(from, to)
      expect(changed, fault).not.to.equal(turtle)
      expect(await faultsOf(parse(changed), ofDocuments), fault).to.have.length(1)
    }
  })
})
