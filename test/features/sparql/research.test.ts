// docs/how-to/research.md. Its scripts are run as a researcher runs them; what they print is compared with what the API
// lists. Its queries over several endpoints are joined with data in the shape of Wikidata.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect } from 'chai'
import { Store as Oxigraph } from 'oxigraph'

import { agent, zine } from '../../examples.js'
import { withDirectory } from '../../process.js'
import { useService } from '../../service.js'
import { ask } from './client.js'
import { hasJena, runArq } from './jena.js'

type Rows = readonly (readonly string[])[]

const runs = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

/** Debian's Python has Debian's packages, which another one before it does not see. */
const python = ['python3', '/usr/bin/python3'].find((command) =>
  runs(command, '-c', 'import rdflib, requests'),
)

/** The tables that a script prints, by the first words of their titles. */
async function tablesOf(command: string, args: readonly string[]): Promise<Map<string, Rows>> {
  // Else both write letters beyond ASCII as the system has them.
  const child = spawn(command, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  const [output, errors, [status]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<[number | null]>((resolve) => child.on('close', (code) => resolve([code]))),
  ])
  expect([status, errors]).to.deep.equal([0, ''])
  return new Map(
    output.split('# ').flatMap((section) => {
      const [title = '', ...lines] = section.split('\n')
      const rows = lines.filter((line) => line.includes('\t')).map((line) => line.split('\t'))
      return title === '' ? [] : [[title, rows] as const]
    }),
  )
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += String(chunk)
  return text
}

/** How often each value occurs, most first, equal ones by name; the first 20. */
function count(values: readonly string[]): Rows {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, 20)
    .map(([value, number]) => [...value.split('\t'), String(number)])
}

const pairsOf = (values: readonly string[]): string[] => {
  const sorted = values.toSorted()
  return sorted.flatMap((one, index) => sorted.slice(index + 1).map((other) => `${one}\t${other}`))
}

const swapped = (pair: string): string => pair.split('\t').toReversed().join('\t')

describe('the scripts of examples/', () => {
  const service = useService({ SPARQL_WORKERS: '1' })
  let zines: any[]

  before(async () => {
    for (const resource of ['agents', 'repositories', 'zines'])
      for (const line of (await readFile(`sample/${resource}.jsonl`, 'utf8')).trim().split('\n')) {
        // The places of the sample are invented.
        const places = line.includes('stapler')
          ? { place_of_publication: ['Portland, Oregon'] }
          : {}
        const record = { ...JSON.parse(line), ...(resource === 'zines' && places) }
        expect((await service().post(`/api/${resource}/`, record)).status).to.equal(201)
      }
    const { text } = await service().get('/api/export/zines/?format=jsonl')
    zines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(zines).to.have.length(36)
  })

  const pairs = (): string[] => zines.flatMap(({ subject = [] }) => pairsOf(subject))

  it('in Python print what the API lists', async function () {
    if (!python) {
      console.log('      skipped: rdflib and requests of Python are not installed')
      this.skip()
    }
    const tables = await tablesOf(python, ['examples/figures.py', `${service().url}/`])
    expect(tables.get('Zines of each decade')).to.deep.equal(await decadesOfFacet())
    expect(tables.get('Zines of each place, the first 20')?.map(([place]) => place)).to.deep.equal([
      'Portland',
    ])
    const shown = tables.get('Subjects that occur together, the first 20') ?? []
    // These are named, the others are codes.
    expect(shown.map(([, , number]) => number)).to.deep.equal(
      count(pairs()).map(([, , number]) => number),
    )
    const together = new Set<string>(
      zines
        .flatMap(({ creator = [] }) => pairsOf(creator))
        .flatMap((pair) => [pair, swapped(pair)]),
    )
    const { results } = (await service().get('/api/agents/?page_size=100')).body
    const names = new Map<string, string>(
      results.map(({ agent_id, display_name }: any) => [agent_id, display_name]),
    )
    const makers = Array.from(together, (pair) => names.get(pair.split('\t')[0] ?? '') ?? '')
    expect(
      tables.get('Makers by the number of those they worked with, the first 20'),
    ).to.deep.equal(count(makers))
  })

  it('in R print what the API lists', async function () {
    if (!runs('Rscript', '--version')) {
      console.log('      skipped: Rscript is not installed')
      this.skip()
    }
    const tables = await tablesOf('Rscript', ['examples/figures.R', service().url])
    const of = (field: string): string[] => zines.flatMap((zine) => zine[field] ?? [])
    expect(tables.get('Zines of each place, the first 20')).to.deep.equal(
      count(of('place_of_publication')),
    )
    expect(tables.get('Zines in each language')).to.deep.equal(count(of('language')))
    expect(tables.get('Subjects that occur together, the first 20')).to.deep.equal(count(pairs()))
    const years = zines.flatMap(({ date = [] }) => /[12]\d{2}[\dX]/.exec(date.join(' '))?.[0] ?? [])
    const decades = count(years.map((year) => `${year.slice(0, 3)}0s`)).toSorted()
    expect(tables.get('Zines of each decade')).to.deep.equal(decades)
    const withoutDate = zines.filter(({ date = [] }) => date.length === 0).length
    expect(tables.get('Zines without a field')).to.deep.include(['date', String(withoutDate)])
  })

  async function decadesOfFacet(): Promise<Rows> {
    const { body } = await service().get('/api/zines/facets/?facet=decade')
    const rows = body.decade.map(({ value, count: zinesOfIt }: any) => [
      `${value}s`,
      String(zinesOfIt),
    ])
    return rows.toSorted()
  }
})

/** Answers a query in the address or in a form, as an endpoint does. */
async function answerSparql(
  endpoint: Oxigraph,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
  const query = searchParams.get('query') ?? new URLSearchParams(await textOf(request)).get('query')
  try {
    const results = endpoint.query(query ?? '', { results_format: 'json' })
    response.writeHead(200, { 'content-type': 'application/sparql-results+json' }).end(results)
  } catch (error) {
    response.writeHead(400).end(String(error))
  }
}

const wikidata = `
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
  @prefix wd: <http://www.wikidata.org/entity/> .
  @prefix wdt: <http://www.wikidata.org/prop/direct/> .
  @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
  wd:Q1 wdt:P569 "1970-01-02T00:00:00Z"^^xsd:dateTime ; wdt:P106 wd:Q11, wd:Q12 .
  wd:Q2 wdt:P569 "1960-03-04T00:00:00Z"^^xsd:dateTime ; wdt:P106 wd:Q11 .
  wd:Q3 wdt:P569 "1950-05-06T00:00:00Z"^^xsd:dateTime .
  wd:Q11 rdfs:label "writer"@en, "escritora"@es .
  wd:Q12 rdfs:label "comics artist"@en .
  wd:Q13 wdt:P1566 "5746545" ; wdt:P1082 652503 .
  wd:Q14 wdt:P1566 "5746546" ; wdt:P1082 1 .`

describe('the queries over several endpoints', () => {
  const service = useService({ SPARQL_WORKERS: '1' })
  let queries: string[]
  const endpoint = new Oxigraph()

  before(async () => {
    const page = await readFile('docs/how-to/research.md', 'utf8')
    queries = Array.from(page.matchAll(/```sparql\n([^]*?)```/g), ([, query = '']) => query)
    endpoint.load(wikidata, { format: 'text/turtle' })
    const made = { place_of_publication: ['Portland, Oregon'] }
    const records = {
      agents: [
        agent('ana', { display_name: 'Ana', wikidata: 'Q1' }),
        agent('bo', { display_name: 'Bo', wikidata: 'Q2' }),
        agent('no', { display_name: 'Nobody' }),
      ],
      zines: [
        zine('one', { creator: ['ana'], ...made }),
        zine('two', { creator: ['ana', 'bo'], ...made }),
        zine('three', { creator: ['no'] }),
      ],
    }
    for (const [kind, all] of Object.entries(records))
      for (const record of all)
        expect((await service().post(`/api/${kind}/`, record)).status).to.equal(201)
  })

  /** Does what an engine does that joins: asks the catalogue, and hands what it found to the other endpoint. */
  async function joinOf(query: string): Promise<string[]> {
    const [, prologue = '', select = '', ours = '', rest = ''] =
      /^([^]*?)(SELECT [^]*?WHERE \{\n) {2}SERVICE <https:\/\/catalogue\.example\/sparql> \{\n([^]*?)\n {2}\}\n([^]*)$/.exec(
        query,
      ) ?? []
    const found = await ask(service(), `${prologue}SELECT * { ${ours} }`)
    expect(found.status, found.text).to.equal(200)
    const { vars } = found.body.head
    const rows = found.body.results.bindings.map(
      (row: any) => `(${vars.map((name: string) => termOf(row[name])).join(' ')})`,
    )
    expect(rows).not.to.be.empty
    const values = `VALUES (${vars.map((name: string) => `?${name}`).join(' ')}) { ${rows.join(' ')} }`
    const theirs = rest.replace('SERVICE <https://query.wikidata.org/sparql>', '')
    const table = endpoint.query(prologue + select + values + theirs, {
      results_format: 'text/csv',
    })
    return (table as string).trim().split(/\r?\n/)
  }

  const termOf = ({ type, value, datatype }: any): string => {
    if (type === 'uri') return `<${value}>`
    return JSON.stringify(value) + (datatype === undefined ? '' : `^^<${datatype}>`)
  }

  /** The rows that Jena finds for a query whose endpoints are those of this test. */
  const askJena = (query: string, port: number): Promise<readonly string[]> =>
    withDirectory(async (directory) => {
      const local = query
        .replace('https://catalogue.example', service().url)
        .replace('https://query.wikidata.org/sparql', `http://127.0.0.1:${port}/sparql`)
      await writeFile(join(directory, 'query.rq'), local)
      await writeFile(join(directory, 'wikidata.ttl'), wikidata)
      // A query without the address of Wikidata is for an endpoint that has its data.
      const data = query.includes('query.wikidata.org') ? [] : ['--data', 'wikidata.ttl']
      return runArq(directory, '--results', 'CSV', '--query', 'query.rq', ...data)
    })

  const expected = [
    ['name,born', 'Bo,1960-03-04T00:00:00Z', 'Ana,1970-01-02T00:00:00Z'],
    ['label,zines', 'comics artist,2', 'writer,2'],
    ['place,zines,people', 'https://sws.geonames.org/5746545/,2,652503'],
  ]
  it('find what both have', async () => {
    expect(await Promise.all(queries.map(joinOf))).to.deep.equal(expected)
  })

  it('find it with Jena, which asks both', async function () {
    if (!hasJena()) {
      console.log('      skipped: libapache-jena-java or Java is not installed')
      this.skip()
    }
    const server = createServer(
      (request, response) => void answerSparql(endpoint, request, response),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const found: (readonly string[])[] = []
      for (const query of queries) found.push(await askJena(query, port))
      expect(found).to.deep.equal(expected)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('are not sent from the catalogue', async () => {
    for (const query of queries) {
      const { status, body } = await ask(service(), query)
      expect([status, body.detail]).to.deep.equal([400, 'SERVICE is not answered here.'])
    }
  })
})
