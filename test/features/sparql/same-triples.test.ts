// A record's document, the dumps and SPARQL state the same triples, term by term. What only a document
// states: docs/reference/rdf-formats.md, "JSON-LD and Turtle".

import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import { Parser, type Quad } from 'n3'

import { createIris, resourceNames } from '../../../src/model/iris.js'
import { writeNQuads } from '../../../src/rdf/terms.js'
import { agent, fullAgent, fullHolding, fullRepository, fullZine, zine } from '../../examples.js'
import { BASE_URL, useService } from '../../service.js'
import { loadSample } from '../../views/browser.js'
import { GRAPHS, ask } from './client.js'

const iris = createIris(BASE_URL)
const wdrs = 'http://www.w3.org/2007/05/powder-s#'
const foafDocument = 'http://xmlns.com/foaf/0.1/Document'
const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'

describe('the triples of a record', () => {
  const service = useService({ SPARQL_WORKERS: '1' })

  before(async () => {
    await loadSample(service())
    const { post, patch, delete: remove } = service()
    for (const id of ['helper', 'press', 'gone', 'maker']) await post('/api/agents/', agent(id))
    await post('/api/agents/', { ...fullAgent('hidden'), public: false })
    await post('/api/agents/', fullAgent('open'))
    await post('/api/zines/', fullZine('doris/24 ü'))
    await post('/api/repositories/', fullRepository('full'))
    const copy = { zine_id: 'doris/24 ü', repository_id: 'full' }
    await post('/api/holdings/', fullHolding('copy', copy))
    await post('/api/zines/', zine('unsorted', { creator: ['press', 'helper', 'gone'] }))
    await patch('/api/zines/unsorted/', { abstract: 'Changed.' })
    await remove('/api/agents/gone/')
  })

  /** The records of all kinds, with their identifiers. */
  async function allRecords() {
    const records = await Promise.all(
      resourceNames.map(async (name) => {
        const key = { zines: 'zine_id', agents: 'agent_id', repositories: 'repo_id' }
        const idName = { ...key, holdings: 'holding_id' }[name]
        const { body } = await service().get(`/api/${name}/?page_size=100`)
        expect(body.next).to.equal(null)
        return (body.results as Record<string, string>[]).map((record) => ({
          name,
          id: record[idName] ?? '',
        }))
      }),
    )
    return records.flat()
  }

  async function document(path: string, format: string): Promise<Quad[]> {
    const { status, text } = await service().get(`${path}?format=${format}`)
    expect(status, text).to.equal(200)
    return new Parser().parse(text)
  }

  async function dump(name: string): Promise<Quad[]> {
    const response = await fetch(`${service().url}/dumps/${name}`)
    return new Parser().parse(gunzipSync(Buffer.from(await response.arrayBuffer())).toString())
  }

  async function construct(query: string): Promise<Quad[]> {
    const { status, text } = await ask(service(), query, { accept: 'application/n-triples' })
    expect(status, text).to.equal(200)
    return new Parser().parse(text)
  }

  it('are the same in its Turtle, in both dumps and by SPARQL, apart from two that say what its document is', async () => {
    const everything = `CONSTRUCT { ?s ?p ?o } { GRAPH <${GRAPHS.public}> { ?s ?p ?o } }`
    const sources = {
      'N-Triples dump': byOwner(await dump('catalogue.nt.gz')),
      'Turtle dump': byOwner(await dump('catalogue.ttl.gz')),
      SPARQL: byOwner(await construct(everything)),
    }
    const records = await allRecords()
    expect(records).to.have.length.above(100)
    for (const { name, id } of records) {
      const thing = iris.thing(name, id).value
      const record = iris.record(name, id).value
      const turtle = await document(record.slice(BASE_URL.length), 'turtle')
      const own = linesAbout(turtle, thing, record)
      const ofDocument = [
        `<${thing}> <${wdrs}describedby> <${record}> .\n`,
        `<${record}> <${rdfType}> <${foafDocument}> .\n`,
      ]
      expect(own, record).to.include.members(ofDocument)
      const stated = own.filter((line) => !ofDocument.includes(line))
      for (const [source, triples] of Object.entries(sources))
        expect(stated, `${record}, ${source}`).to.deep.equal(
          [...(triples.get(thing) ?? []), ...(triples.get(record) ?? [])].sort(),
        )
    }
  })

  it('are those that DESCRIBE answers for the thing and its record', async () => {
    const { value: thing } = iris.thing('zines', 'unsorted')
    const { value: record } = iris.record('zines', 'unsorted')
    const described = await construct(`DESCRIBE <${thing}> <${record}>`)
    const turtle = await document('/api/zines/unsorted/', 'turtle')
    const missing = linesAbout(turtle, thing, record).filter(
      (line) =>
        !line.startsWith(`<${thing}#`) && !linesAbout(described, thing, record).includes(line),
    )
    expect(missing).to.have.length(2)
  })

  it('about what it refers to are among those of SPARQL, apart from the identifier of a deleted record', async () => {
    const known = new Set(writeLines(await construct('CONSTRUCT WHERE { ?s ?p ?o }')))
    const deleted: string[] = []
    for (const { name, id } of await allRecords()) {
      const [thing, record] = [iris.thing(name, id).value, iris.record(name, id).value]
      const turtle = await document(record.slice(BASE_URL.length), 'turtle')
      const own = new Set(linesAbout(turtle, thing, record))
      for (const line of writeLines(turtle))
        if (!own.has(line) && !known.has(line)) deleted.push(line)
    }
    const gone = iris.thing('agents', 'gone').value
    expect(deleted).to.deep.equal([`<${gone}> <http://purl.org/dc/terms/identifier> "gone" .\n`])
  })

  it('have no order of values anywhere', async () => {
    const isOrder = ({ predicate }: Quad): boolean => predicate.equals(iris.term('order'))
    const { creator } = (await service().get('/api/zines/unsorted/')).body
    const identifiers = (creator as Record<string, string>[]).map(({ agent_id }) => agent_id)
    expect(identifiers).to.deep.equal(['press', 'helper', 'gone'])
    expect((await construct('CONSTRUCT WHERE { ?s ?p ?o }')).filter(isOrder)).to.deep.equal([])
    expect((await document('/api/zines/unsorted/', 'turtle')).filter(isOrder)).to.deep.equal([])
  })
})

const writeLines = (quads: readonly Quad[]): string[] => quads.map((quad) => writeNQuads([quad]))

/** The lines of a thing, of its parts and of its record, sorted. */
const linesAbout = (quads: readonly Quad[], thing: string, record: string): string[] =>
  writeLines(quads.filter(({ subject }) => [thing, record].includes(ownerOf(subject)))).sort()

/** The lines of each thing, with those of its parts, and of each record. */
function byOwner(quads: readonly Quad[]): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>()
  for (const quad of quads) {
    const owner = ownerOf(quad.subject)
    const own = lines.get(owner)
    if (own) own.push(writeNQuads([quad]))
    else lines.set(owner, [writeNQuads([quad])])
  }
  return lines
}

const ownerOf = ({ value }: Quad['subject']): string => value.replace(/#.*$/, '')
