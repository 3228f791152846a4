// The description of CSV for programs, and what rdf-parser-csvw makes of a table by it.

import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'

import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import jsonld from 'jsonld'
import { Parser, Store } from 'n3'
import CsvwParser from 'rdf-parser-csvw'

import { type ResourceName, resourceNames } from '../../src/model/iris.js'
import { type Quad, writeNQuads } from '../../src/rdf/terms.js'
import { agent, fullAgent, fullHolding, fullRepository, fullZine } from '../examples.js'
import { BASE_URL, useService } from '../service.js'

type Column = {
  readonly name: string
  readonly separator?: string
  readonly suppressOutput?: true
  readonly required?: true
  readonly propertyUrl?: string
}

/** A record with the first value of each list alone. */
const withOneEach = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, 1) : (value as unknown),
    ]),
  )

// The context is in the tests of the parser. An older one has templates for IRIs, by which a JSON-LD processor
// leaves out those that begin with an expression.
const { '@context': published } = JSON.parse(
  await readFile(new URL('test/support/csvw.json', import.meta.resolve('rdf-parser-csvw')), 'utf8'),
) as { '@context': object }
const csvwContext = { '@context': { ...published, valueUrl: 'http://www.w3.org/ns/csvw#valueUrl' } }

async function toDataset(metadata: object): Promise<Store> {
  const options = {
    documentLoader: (url: string) => {
      expect(url).to.equal('http://www.w3.org/ns/csvw')
      return Promise.resolve({ documentUrl: url, document: csvwContext })
    },
  } as object
  // Quads that have templates for IRIs, which no syntax of RDF can write.
  return new Store((await jsonld.toRDF(metadata, options)) as Quad[])
}

/** The triples about records; not those about the table and its rows. */
async function convert(csv: string, metadata: object): Promise<Quad[]> {
  const parser = new CsvwParser({
    metadata: await toDataset(metadata),
    baseIRI: BASE_URL,
    timezone: 'utc',
  })
  const quads: Quad[] = []
  for await (const quad of parser.import(Readable.from([csv]))) quads.push(quad)
  return quads.filter(({ subject }) => subject.value.startsWith(BASE_URL))
}

/** Times to the millisecond, which the parser writes with all three digits. */
const linesOf = (quads: readonly Quad[]): string[] =>
  writeNQuads(quads)
    .replace(
      /:(\d\d)(?:\.(\d{1,3})\d*)?(?:Z|\+00:00)"\^\^/g,
      (_, seconds: string, fraction = '') => `:${seconds}.${String(fraction).padEnd(3, '0')}Z"^^`,
    )
    .trim()
    .split('\n')

describe('the description of CSV', () => {
  const service = useService()

  const describedBy = async (path: string) => {
    const csv = await service().get(path)
    expect(csv.status, csv.text).to.equal(200)
    const [, target = ''] =
      /<([^>]*)>; rel="describedby"; type="application\/csvm\+json"/.exec(
        csv.headers.get('link') ?? '',
      ) ?? []
    const { pathname, search } = new URL(target)
    const { status, headers, body, text } = await service().get(pathname + search)
    expect(status, text).to.equal(200)
    expect(headers.get('content-type')).to.include('application/csvm+json')
    const columns: readonly Column[] = body.tableSchema.columns
    return { csv: csv.text, metadata: body, columns }
  }

  const full: Readonly<Record<ResourceName, (id: string) => object>> = {
    agents: fullAgent,
    repositories: fullRepository,
    zines: fullZine,
    holdings: (id) => fullHolding(id, { zine_id: 'one/zines', repository_id: 'one/repositories' }),
  }

  const order = ['agents', 'repositories', 'zines', 'holdings'] as const

  before(async () => {
    for (const id of ['maker', 'helper', 'press']) await service().post('/api/agents/', agent(id))
    for (const name of order)
      for (const record of [withOneEach(full[name](`one/${name}`)), full[name](`all ${name}`)]) {
        const { status, text } = await service().post(`/api/${name}/`, record)
        expect(status, text).to.equal(201)
      }
  })

  for (const name of resourceNames) {
    it(`of ${name} turns a record into triples that its Turtle has`, async () => {
      const path = `/api/${name}/one%2F${name}/`
      const { csv, metadata, columns } = await describedBy(`${path}?format=csv`)
      const made = await convert(csv, metadata)
      const turtle = await service().get(`${path}?format=turtle`)
      expect(linesOf(new Parser().parse(turtle.text))).to.include.members(linesOf(made))

      const [row = {}] = parse<Record<string, string>>(csv, { columns: true })
      const filled = columns.filter((column) => !column.suppressOutput && row[column.name] !== '')
      expect(made.map(({ predicate }) => predicate.value)).to.have.members(
        filled.map(({ propertyUrl }) => propertyUrl),
      )
      expect(filled.length).to.be.greaterThan(8)
    })

    it(`of ${name} names all columns, in order, and what separates their values`, async () => {
      const { csv, columns } = await describedBy(`/api/${name}/all%20${name}/?format=csv`)
      const [header = [], cells = []] = parse(csv)
      expect(columns.map((column) => column.name)).to.deep.equal(header)
      const record = (await service().get(`/api/${name}/all%20${name}/?shape=write`)).body
      for (const [index, column] of columns.entries()) {
        const value = record[column.name] as unknown
        expect(column.separator, column.name).to.equal(
          Array.isArray(value) || column.name.endsWith('_names') ? '|' : undefined,
        )
        if (Array.isArray(value))
          expect(cells[index]?.split(column.separator ?? ''), column.name).to.deep.equal(value)
      }
    })
  }

  it('requires a value only where there always is one', async () => {
    const { columns } = await describedBy('/api/zines/?format=csv')
    const required = columns.filter((column) => column.required).map((column) => column.name)
    expect(required).to.include.members(['zine_id', 'title', 'creator', 'subject'])
    expect(required).not.to.include.members(['genre'])
    expect(required).not.to.include.members(['date'])
  })

  it('has the address that was asked for, of a record, a page of a list and an export', async () => {
    for (const path of [
      '/api/agents/?format=csv&page_size=2&page=2',
      '/api/zines/export/?format=csv&ordering=title',
      '/api/export/holdings/?format=csv',
      '/api/zines/one%2Fzines/?format=csv&safe=1',
    ]) {
      const { metadata } = await describedBy(path)
      expect(metadata.url).to.equal(new URL(path, service().url).href)
    }
  })

  it('has the columns that were chosen alone, and without the identifier makes no triples', async () => {
    const chosen = await describedBy('/api/zines/?format=csv&fields=title,zine_id,creator_names')
    expect(chosen.columns.map((column) => column.name)).to.deep.equal([
      'zine_id',
      'title',
      'creator_names',
    ])
    const last = await describedBy('/api/zines/?format=csv&fields=title&fields=zine_id')
    expect(last.columns.map((column) => column.name)).to.deep.equal(['zine_id'])
    const titles = await describedBy('/api/zines/?format=csv&fields=title,date')
    expect(await convert(titles.csv, titles.metadata)).to.deep.equal([])
  })

  it('of anything but a table of the resource is refused', async () => {
    for (const query of [
      '',
      '?url=',
      '?url=https://elsewhere.example/api/zines/',
      '?url=/api/agents/',
      '?url=http://%5B',
      '?url=/api/zines/x/history/',
      '?url=/api/zines/..%2fagents/x/',
    ]) {
      const { status, body } = await service().get(`/csvw/zines${query}`)
      expect(status, query).to.equal(400)
      expect(body).to.have.all.keys('url')
    }
    expect((await service().get('/csvw/nothing')).status).to.equal(404)
  })

  it('is linked for CSV alone', async () => {
    for (const format of ['json', 'xlsx', 'turtle', 'html']) {
      const { headers } = await service().get(`/api/zines/?format=${format}`)
      expect(headers.get('link')).not.to.include('csvm')
    }
  })
})
