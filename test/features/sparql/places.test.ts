// Zines lead to the places that they name, and queries join these: over the embedded and a remote store, at once
// and after a restart.

import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import { Parser } from 'n3'

import { writeNQuads } from '../../../src/rdf/terms.js'
import { agent, zine } from '../../examples.js'
import { type TestService, startReaderProcess, startService } from '../../service.js'
import { startEndpoint } from '../../sparql-engine.js'
import { ask, rowsOf } from './client.js'

const portland = 'https://sws.geonames.org/5746545/'

const joined = `SELECT ?id ?name ?region ?country {
  ?zine dcterms:identifier ?id ; schema:locationCreated ?place .
  ?place gn:name ?name ; gn:countryCode ?code ; gn:parentFeature/gn:name ?region .
  ?concept skos:notation ?code ; skos:exactMatch/gn:countryCode ?code ; skos:prefLabel ?country .
} ORDER BY ?id`

const zineIn = (id: string, ...places: readonly string[]) =>
  zine(id, { place_of_publication: places })

const prefixes = 'PREFIX gn: <http://www.geonames.org/ontology#>\n'

const rows = (service: TestService) => rowsOf(service, prefixes + joined)

const inPortland = { name: 'Portland', region: 'Oregon', country: 'United States' }
const inMontreal = { name: 'Montréal', region: 'Quebec', country: 'Canada' }

async function expectJoined(service: TestService): Promise<void> {
  await service.post('/api/agents/', agent('maker'))
  await service.post('/api/zines/', zineIn('one', 'Portland, OR', 'Portland'))
  expect(await rows(service)).to.deep.equal([{ id: 'one', ...inPortland }])
  await service.post('/api/zines/', zineIn('two', 'Montréal, Québec'))
  const both = [
    { id: 'one', ...inPortland },
    { id: 'two', ...inMontreal },
  ]
  expect(await rows(service)).to.deep.equal(both)
}

async function dumpOf({ url }: Pick<TestService, 'url'>): Promise<readonly string[]> {
  const response = await fetch(`${url}/dumps/catalogue.nt.gz`)
  return gunzipSync(Buffer.from(await response.arrayBuffer()))
    .toString()
    .split('\n')
}

const linesIn = (text: string): readonly string[] =>
  new Parser().parse(text).map((quad) => writeNQuads([quad]).trim())

const aboutPortland = (lines: readonly string[]) =>
  lines
    .filter((line) => line.startsWith(`<${portland}>`))
    .map(withPlainNumbers)
    .sort()

// Engines write the same number with other digits.
const withPlainNumbers = (line: string): string =>
  line.replace(/"([^"]*)"(?=\^\^\S*#double)/, (_, number: string) => String(Number(number)))

describe('the places of zines', () => {
  it('are joined by SPARQL at once and after a restart, and stated as in their documents and dumps', async () => {
    const first = await startService({ SPARQL_WORKERS: '1' })
    await expectJoined(first)
    await first.close()
    const second = await startService({ SPARQL_WORKERS: '1', DATA_DIR: first.dataDir })
    expect(await rows(second)).to.have.length(2)
    const { text } = await second.get('/api/geography/places/5746545/?format=ntriples')
    const stated = aboutPortland(linesIn(text))
    expect(stated).to.have.length(8)
    expect(aboutPortland(await dumpOf(second))).to.deep.equal(stated)
    const construct = `CONSTRUCT { <${portland}> ?p ?o } { <${portland}> ?p ?o }`
    const answer = await ask(second, construct, { accept: 'application/n-triples' })
    expect(aboutPortland(linesIn(answer.text))).to.deep.equal(stated)
    const counted = await rowsOf(second, 'SELECT (COUNT(*) AS ?triples) { ?s ?p ?o }')
    expect(Number(counted[0]?.triples)).to.equal((await dumpOf(second)).length - 1)
    const { text: described } = await second.get('/dataset?format=ntriples')
    expect(described).to.include(`"${counted[0]?.triples}"`)
    await second.stop()
  })

  it('are not in the graphs where no zine names them', async () => {
    const service = await startService({ SPARQL_WORKERS: '1' })
    const counted = await rowsOf(service, `${prefixes}SELECT (COUNT(*) AS ?n) { ?p a gn:Feature }`)
    expect(counted[0]?.n).to.equal('0')
    await service.stop()
  })

  it('are joined over a remote store, and in the dumps of a process that reads', async function () {
    if (process.env.TEST_STORE) this.skip()
    const endpoint = await startEndpoint()
    const writer = await startService({ SPARQL_WORKERS: '1', STORE: endpoint.url })
    const reader = await startReaderProcess(writer)
    await expectJoined(writer)
    // A refused write has the reader learn of all commits.
    await reader.put('/api/nothing/', {})
    const { body } = await reader.get('/api/zines/?place=6252001')
    expect(body.results.map(({ zine_id }: { zine_id: string }) => zine_id)).to.deep.equal(['one'])
    const ofWriter = aboutPortland(await dumpOf(writer))
    expect(ofWriter).to.have.length(8)
    expect(aboutPortland(await dumpOf(reader))).to.deep.equal(ofWriter)
    await reader.stop()
    await writer.stop()
    await endpoint.stop()
  })
})
