// The example queries, each asked of the sample collection.

import { readFile } from 'node:fs/promises'

import { expect } from 'chai'
import { Parser, type Quad } from 'n3'

import { zine } from '../../examples.js'
import { useService } from '../../service.js'
import { ask } from './client.js'

const rdfs = 'http://www.w3.org/2000/01/rdf-schema#'
const sh = 'http://www.w3.org/ns/shacl#'
const schema = 'http://schema.org/'
const base = 'https://zines.example/.well-known/sparql-examples'

const quads = new Parser({ baseIRI: base }).parse(
  await readFile('ontology/sparql-examples.ttl', 'utf8'),
)

const names = quads
  .filter(({ predicate }) => predicate.value === `${rdfs}comment`)
  .map(({ subject }) => subject.value)
  .filter((name, index, all) => all.indexOf(name) === index)
const said = (name: string, property: string): string[] =>
  quads
    .filter(({ subject, predicate }) => subject.value === name && predicate.value === property)
    .map(({ object }) => object.value)

describe('the SPARQL examples', () => {
  const service = useService({ SPARQL_WORKERS: '1' })
  before(async () => {
    for (const resource of ['agents', 'repositories', 'zines', 'holdings'])
      for (const line of (await readFile(`sample/${resource}.jsonl`, 'utf8')).trim().split('\n')) {
        const { status, text } = await service().post(`/api/${resource}/`, JSON.parse(line))
        expect(status, text).to.equal(201)
      }
  })

  // The places of the sample are invented.
  before(async () => {
    const made = zine('found', { creator: ['nan'], place_of_publication: ['Portland, Oregon'] })
    expect((await service().post('/api/zines/', made)).status).to.equal(201)
  })

  it('are at least twelve', () => {
    expect(names.length).to.be.at.least(12)
  })

  for (const name of names)
    describe(`in ${name.slice(base.length)}`, () => {
      it('have a question, keywords and the address of the endpoint', () => {
        const languages = quads
          .filter(
            ({ subject, predicate }) =>
              subject.value === name && predicate.value === `${rdfs}comment`,
          )
          .map(({ object }) => (object.termType === 'Literal' ? object.language : ''))
        expect(languages).to.deep.equal(['en', 'es', 'fr'])
        expect(said(name, `${schema}keywords`)).not.to.be.empty
        expect(said(name, `${schema}target`)).to.deep.equal(['https://zines.example/sparql'])
      })

      const [select] = said(name, `${sh}select`)
      const [construct] = said(name, `${sh}construct`)

      it('return results', async () => {
        if (select !== undefined) {
          const hasParameters = said(name, `${sh}parameter`).length > 0
          const { status, text, body } = hasParameters
            ? await service().get(`/queries/${name.slice(base.length + 1)}`)
            : await ask(service(), select)
          expect(status, text).to.equal(200)
          expect(body.results.bindings).not.to.be.empty
          for (const variable of body.head.vars)
            expect(body.results.bindings.some((row: any) => row[variable])).to.equal(true)
        } else {
          const { status, text } = await ask(service(), construct ?? '', { accept: 'text/turtle' })
          expect(status, text).to.equal(200)
          expect(new Parser().parse(text)).not.to.be.empty
        }
      })
    })

  it('are served with the triples of the file in the repository', async () => {
    const { status, headers, text } = await service().get('/.well-known/sparql-examples')
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.match(/^text\/turtle/)
    // A blank node has another name in each document.
    const nameOf = ({ termType, value }: Quad['subject'] | Quad['object']) =>
      termType === 'BlankNode' ? '' : value
    const key = ({ subject, predicate, object }: Quad) =>
      `${nameOf(subject)} ${predicate.value} ${nameOf(object)}`
    expect(new Parser().parse(text).map(key)).to.have.members(quads.map(key))
  })

  for (const [accept, type] of [
    ['application/ld+json', 'application/ld+json'],
    ['application/rdf+xml', 'application/rdf+xml'],
    ['application/n-triples', 'application/n-triples'],
  ] as const)
    it(`are served as ${type}`, async () => {
      const { status, headers } = await service().get('/.well-known/sparql-examples', {
        headers: { accept },
      })
      expect(status).to.equal(200)
      expect(headers.get('content-type')).to.match(new RegExp(type.replace('+', '\\+')))
    })
})
