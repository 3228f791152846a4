// Every RDF format of the examples, word for word.

import { expect } from 'chai'

import { serializeList } from '../../src/formats/serializer.js'
import { resourceNames } from '../../src/model/iris.js'
import { examples, expectGolden, serializers, sheetsOf } from './fixtures.js'

const endings: Readonly<Record<string, string>> = {
  jsonld: 'jsonld',
  turtle: 'ttl',
  ntriples: 'nt',
  rdfxml: 'rdf',
}

const at = (page: number) => `https://zines.example/api/?page_size=2&page=${page}`
const first = 'https://zines.example/api/?page_size=2'
const links = { self: at(2), first, last: at(3), next: at(3), previous: first }

describe('printed records', () => {
  for (const name of resourceNames)
    for (const serializer of serializers[name].filter((one) => one.name in endings)) {
      const records = sheetsOf(name, examples)

      it(`of ${name} in ${serializer.name} are as they were`, () => {
        for (const [index, sheet] of records.entries())
          expectGolden(
            `${name}-${index + 1}.${endings[serializer.name]}`,
            laidOut(serializer.record(sheet)),
          )
      })

      it(`of ${name} in ${serializer.name} are as they were in a list`, () => {
        const list = serializeList(serializer, records, { count: 5, links })
        expectGolden(`${name}-list.${endings[serializer.name]}`, laidOut(list))
      })
    }

  it('never hold what a private agent keeps to itself', () => {
    for (const name of resourceNames)
      for (const serializer of serializers[name])
        for (const sheet of sheetsOf(name, examples))
          expect(serializer.record(sheet)).not.to.match(/Hidden Name|hidden@example|555 0100/)
  })
})

/** JSON as a person can read it; anything else as it is. */
const laidOut = (text: string): string =>
  text.startsWith('{') ? `${JSON.stringify(JSON.parse(text), undefined, 2)}\n` : text
