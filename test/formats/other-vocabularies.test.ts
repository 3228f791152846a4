// Records in BIBFRAME and schema.org: golden files, and the same graph in every syntax.

import { expect } from 'chai'
import { Parser } from 'n3'

import {
  type RecordSerializer,
  serializeList,
  descriptionVocabularies,
} from '../../src/formats/serializer.js'
import { resourceNames, type ResourceName } from '../../src/model/iris.js'
import type { ResolvedRecord } from '../../src/model/record/views.js'
import { prefixes } from '../../src/rdf/namespaces.js'
import { examples, expectGolden, resolveAll, serializerFor } from './fixtures.js'
import { readByRapper, readJsonld, readText } from './parsers.js'

const first = 'https://zines.example/api/?page_size=2'
const links = { self: first, first, last: first, next: null, previous: null }

/** The examples; zines with their holdings. */
function recordsOf(name: ResourceName): readonly ResolvedRecord[] {
  const records = resolveAll(name, examples)
  if (name !== 'zines') return records
  const holdings = resolveAll('holdings', examples)
  return records.map((record) => ({
    ...record,
    holdings: holdings.filter(({ values }) => values.zine_id === record.values.zine_id),
  }))
}

describe('records in another vocabulary', () => {
  for (const vocabulary of descriptionVocabularies)
    for (const name of resourceNames) {
      const serializer = (format: string): RecordSerializer => {
        const found = serializerFor(name, format).withVocabulary?.(vocabulary)
        if (!found) throw new Error(`${format} has no ${vocabulary}`)
        return found
      }

      it(`of ${name} in ${vocabulary} are the texts of the golden files`, () => {
        for (const [index, record] of recordsOf(name).entries())
          expectGolden(
            `${vocabulary}/${name}-${index + 1}.ttl`,
            serializer('turtle').record(record),
          )
        const list = { count: 3, links }
        expectGolden(
          `${vocabulary}/${name}-list.ttl`,
          serializeList(serializer('turtle'), recordsOf(name), list),
        )
      })

      it(`of ${name} in ${vocabulary} are the same graph in every syntax`, async () => {
        for (const write of [
          (one: RecordSerializer) =>
            recordsOf(name)
              .slice(0, 1)
              .map((record) => one.record(record))
              .join(''),
          (one: RecordSerializer) => serializeList(one, recordsOf(name), { count: 3, links }),
          (one: RecordSerializer) =>
            serializeList(one, recordsOf(name), { count: 3, links: undefined }),
        ]) {
          const graph = readText(write(serializer('ntriples')), 'application/n-triples')
          expect(graph).not.to.be.empty
          expect(readText(write(serializer('turtle')), 'text/turtle')).to.deep.equal(graph)
          expect(await readJsonld(write(serializer('jsonld')))).to.deep.equal(graph)
          const xml = readByRapper(write(serializer('rdfxml')), 'rdfxml')
          if (xml) expect(xml).to.deep.equal(graph)
        }
      })

      it(`of ${name} in ${vocabulary} have the terms of that vocabulary`, () => {
        const own = vocabulary === 'schema' ? [prefixes.schema] : [prefixes.bf]
        const allowed = [...own, prefixes.rdf, prefixes.rdfs]
        for (const record of recordsOf(name))
          for (const { predicate } of new Parser().parse(serializer('turtle').record(record)))
            expect(allowed.some((namespace) => predicate.value.startsWith(namespace))).to.equal(
              true,
              predicate.value,
            )
      })

      it(`of ${name} in ${vocabulary} have nothing private`, () => {
        for (const record of recordsOf(name))
          expect(serializer('ntriples').record(record)).not.to.match(
            /Hidden Name|hidden@example|555 0100/,
          )
      })
    }
})
