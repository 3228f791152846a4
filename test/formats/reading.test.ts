// What a GET answers in RDF is read back as the record that it is, in every syntax: the examples, the sample,
// and a part of the real collection where it is beside the repository. `COLLECTION=all` reads all of it.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { expect } from 'chai'

import { createJsonLdContext } from '../../src/formats/jsonld/context.js'
import { parseFull } from '../../src/model/record/input.js'
import { createStatementGraph } from '../../src/model/record/statement-graph.js'
import { StatementReader } from '../../src/model/record/statement-input.js'
import { type ResolvedRecord, toInputValues } from '../../src/model/record/views.js'
import { type ResourceName, resourceNames } from '../../src/model/iris.js'
import { createJsonLdTools } from '../../src/rdf/documents/json-ld.js'
import { documentTypes, type DocumentType } from '../../src/rdf/documents/protocol.js'
import { readTurtleDocument } from '../../src/rdf/documents/turtle.js'
import { rdf } from '../../src/rdf/namespaces.js'
import {
  type Records,
  examples,
  iris,
  mapper,
  oddities,
  readSample,
  resolveAll,
  resources,
  serializers,
} from './fixtures.js'

const dependencies = { iris, resources, mapper }
const context = createJsonLdContext(dependencies)
const tools = createJsonLdTools({ iri: context.iri, document: context.document })
const reader = new StatementReader(dependencies)

const idOf = ({ resource, values }: ResolvedRecord): string => String(values[resource.id.name])

const readDocument = (text: string, type: DocumentType, base: string) =>
  type === 'application/ld+json'
    ? tools.read(text, base)
    : Promise.resolve(readTurtleDocument(text, type, base))

/** The values that a document says of a record, as they would be stored. */
async function readBack(record: ResolvedRecord, text: string, type: DocumentType) {
  const { resource, values: before } = record
  const id = idOf(record)
  const document = await readDocument(text, type, iris.thing(resource.name, id).value)
  const graph = await createStatementGraph(document.statements, new Set())
  const isOrdered = type === 'application/ld+json'
  const body = reader.read({ ...document, graph, isOrdered }, { resource, id, before })
  const { values, errors } = parseFull(resource, body)
  expect([...errors.keys()], text).to.deep.equal([])
  return toInputValues({ resource, values }, 'private')
}

function serialize(record: ResolvedRecord, type: DocumentType): string {
  const serializer = serializers[record.resource.name].find((one) => one.type === type)
  return serializer?.record(record) ?? ''
}

/** Lists that are in another order than that in which RDF has them, and values that come twice. */
const unsorted: Records = {
  ...examples,
  zines: examples.zines.map((zine) => ({
    ...zine,
    creator: ['press', 'helper', 'maker', 'gone'],
    date: ['1996', '1994', '1996'],
    subject: ['punk', 'feminism', 'art'],
  })),
}

describe('a record in RDF is read back as it is:', () => {
  for (const [title, records] of [
    ['the examples', examples],
    ['values that are hard to write', oddities],
    ['values in another order, and twice', unsorted],
    ['the sample', readSample()],
  ] as const)
    for (const type of documentTypes)
      it(`${title} as ${type}`, async () => {
        for (const name of resourceNames)
          for (const record of resolveAll(name, records))
            expect(await readBack(record, serialize(record, type), type)).to.deep.equal(
              toInputValues(record, 'private'),
            )
      })

  it('the real collection', async function () {
    const directory = resolve('..', 'shared', 'data', 'mctc')
    if (!existsSync(directory)) {
      console.log('skipped: the real collection is not beside the repository')
      this.skip()
    }
    this.timeout(1_800_000)
    const every = process.env.COLLECTION === 'all' ? 1 : 100
    const recordsOf = (name: ResourceName) => readLines(join(directory, `${name}.jsonl`))
    const records: Records = {
      zines: recordsOf('zines'),
      agents: recordsOf('agents'),
      repositories: recordsOf('repositories'),
      holdings: recordsOf('holdings'),
    }
    let read = 0
    for (const name of resourceNames)
      for (const [index, record] of resolveAll(name, records).entries())
        if (index % every === 0)
          for (const type of documentTypes) {
            read += 1
            expect(await readBack(record, serialize(record, type), type)).to.deep.equal(
              toInputValues(record, 'private'),
            )
          }
    expect(read).to.be.greaterThan(400)
  })
})

const readLines = (file: string): object[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)

describe('the derived triples of a record', () => {
  it('have the properties that its resource declares', () => {
    for (const records of [examples, unsorted, readSample()])
      for (const name of resourceNames)
        for (const record of resolveAll(name, records)) {
          const { resource, values } = record
          const thing = iris.thing(name, idOf(record))
          const shared = resource.fields.filter(({ derivedPrefixes }) => derivedPrefixes)
          const known = [
            ...resource.derivedProperties,
            ...shared.flatMap(({ path }) => path),
            rdf('type'),
          ].map(({ value }) => value)
          for (const { subject, predicate } of resource.derive(values, thing, iris))
            if (!subject) expect(known).to.include(predicate.value)
        }
  })
})
