// Every RDF format of the example records, compared with golden files.

import { expect } from 'chai'

import { serializeList } from '../../src/formats/serializer.js'
import { resourceNames } from '../../src/model/iris.js'
import { examples, expectGolden, serializers, resolveAll } from './fixtures.js'

const endings: Readonly<Record<string, string>> = {
  jsonld: 'jsonld',
  turtle: 'ttl',
  ntriples: 'nt',
  rdfxml: 'rdf',
}

const at = (page: number) => `https://zines.example/api/?page_size=2&page=${page}`
const first = 'https://zines.example/api/?page_size=2'
const links = { self: at(2), first, last: at(3), next: at(3), previous: first }

describe('serialized records', () => {
  for (const name of resourceNames)
    for (const serializer of serializers[name].filter((one) => one.name in endings)) {
      const records = resolveAll(name, examples)

      it(`of ${name} in ${serializer.name} are the texts of the golden files`, () => {
        for (const [index, record] of records.entries())
          expectGolden(
            `${name}-${index + 1}.${endings[serializer.name]}`,
            laidOut(serializer.record(record)),
          )
      })

      it(`of ${name} in ${serializer.name}, as a list, are the text of the golden file`, () => {
        const list = serializeList(serializer, records, { count: 5, links })
        expectGolden(`${name}-list.${endings[serializer.name]}`, laidOut(list))
      })
    }

  it('have no private fields of an agent that is not public', () => {
    for (const name of resourceNames)
      for (const serializer of serializers[name])
        for (const record of resolveAll(name, examples))
          expect(serializer.record(record)).not.to.match(/Hidden Name|hidden@example|555 0100/)
  })
})

/** JSON with line breaks and indentation; any other text unchanged. */
const laidOut = (text: string): string =>
  text.startsWith('{') ? `${JSON.stringify(JSON.parse(text), undefined, 2)}\n` : text
