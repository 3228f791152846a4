// Queries that have a name: their answers at one address, and the values of their parameters.

import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'
import fc from 'fast-check'
import { Parser } from 'n3'

import { agent, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { browse, csrfOn, look, open } from '../../views/browser.js'

const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
await mkdir(join(dataDir, 'queries'))
await writeFile(
  join(dataDir, 'queries', 'titles.ttl'),
  `@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<titles> a sh:SPARQLExecutable ; rdfs:comment "Which title?"@en ;
  sh:parameter [ sh:path <#title> ; sh:name "Title" ; sh:optional true ] ,
    [ sh:path <#zine> ; sh:nodeKind sh:IRI ; sh:name "Zine" ; sh:optional true ] ;
  sh:select """SELECT ?zine ?title WHERE {
    ?zine a <http://id.loc.gov/ontologies/bibframe/Instance> ; <http://purl.org/dc/terms/title> ?title
  } ORDER BY ?title""" .
`,
)

describe('named queries', () => {
  const service = useService({ SPARQL_WORKERS: '1', DATA_DIR: dataDir })
  const titles = ['Doris', 'Cometbus', 'A "quoted" \\ title } #']

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    for (const [index, title] of titles.entries())
      await service().post('/api/zines/', zine(`zine-${index}`, { title }))
  })

  const read = (path: string, accept = 'application/json') =>
    service().get(path, { headers: { accept } })

  const rowsOf = async (parameters: Readonly<Record<string, string>>) => {
    const { status, text, body } = await read(`/queries/titles?${new URLSearchParams(parameters)}`)
    expect(status, text).to.equal(200)
    return body.results.bindings.map((row: any) => row.title.value)
  }

  it('are listed with their questions and parameters', async () => {
    const { body } = await read('/queries/')
    expect(body.count).to.equal(body.results.length)
    const query = body.results.find(({ name }: any) => name === 'titles')
    expect(query).to.deep.include({
      question: 'Which title?',
      url: `${service().url}/queries/titles`,
    })
    expect(query.parameters).to.deep.equal([
      { name: 'title', label: 'Title', type: 'text', optional: true, default: '' },
      { name: 'zine', label: 'Zine', type: 'iri', optional: true, default: '' },
    ])
  })

  it('are described as SHACL does, with their parameters', async () => {
    const { text } = await read('/queries/', 'text/turtle')
    const quads = new Parser().parse(text)
    const ends = quads
      .filter(({ predicate }) => predicate.value === 'http://www.w3.org/ns/shacl#path')
      .map(({ object }) => object.value.replace(/.*\/queries\//, ''))
    expect(ends).to.include.members(['titles#title', 'titles#zine', 'decades-of-subject#subject'])
  })

  it('include each of the published examples', async () => {
    const published = new Parser({ baseIRI: 'https://zines.example/' }).parse(
      await readFile('ontology/sparql-examples.ttl', 'utf8'),
    )
    const names = published
      .filter(({ predicate }) => predicate.value === 'http://www.w3.org/2000/01/rdf-schema#comment')
      .map(({ subject }) => subject.value.replace(/.*#/, ''))
    const { body } = await read('/queries/')
    expect(body.results.map(({ name }: any) => name)).to.include.members(names)
  })

  for (const [format, type, begins] of [
    ['csv', 'text/csv', 'zine,title\r\n'],
    ['tsv', 'text/tab-separated-values', '?zine\t?title\n'],
    ['xml', 'application/sparql-results+xml', '<?xml'],
  ] as const)
    it(`answer ${format} at the same address, by Accept and by name`, async () => {
      for (const answer of [
        await read('/queries/titles', type),
        await service().get(`/queries/titles?format=${format}`),
      ]) {
        expect(answer.headers.get('content-type')).to.match(new RegExp(type.replace('+', '\\+')))
        expect(answer.text.startsWith(begins), answer.text.slice(0, 80)).to.equal(true)
      }
    })

  it('answer a graph where they construct one', async () => {
    const { status, text } = await read('/queries/makers-network', 'text/turtle')
    expect(status).to.equal(200)
    expect(new Parser().parse(text)).not.to.be.empty
  })

  it('find what their parameters say, and all without them', async () => {
    expect(await rowsOf({})).to.have.members(titles)
    expect(await rowsOf({ title: 'Doris' })).to.deep.equal(['Doris'])
    const zineIri = (await read('/queries/titles')).body.results.bindings[0].zine.value
    expect(await rowsOf({ zine: zineIri })).to.have.lengthOf(1)
  })

  it('take a value as a term, whatever it has in it', async () => {
    for (const title of titles) expect(await rowsOf({ title })).to.deep.equal([title])
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', minLength: 1 }),
          fc.constantFrom(
            '" } UNION { ?zine ?p ?title } #',
            "' . ?s ?p ?o . #",
            '"""',
            '\\',
            '\\u0022',
            '> . ?a ?b ?c',
            '?title',
          ),
        ),
        async (title) => {
          const known = titles.filter((each) => each === title.trim())
          if (title.trim() !== '') expect(await rowsOf({ title })).to.deep.equal(known)
        },
      ),
      { numRuns: 60 },
    )
  })

  for (const [path, why] of [
    ['/queries/titles?zine=not%20an%20iri', 'The parameter zine has to be an IRI.'],
    ['/queries/titles?zine=a:b%3E%20%3Fp%20%3Fo%20.%20%23', 'The parameter zine has to be an IRI.'],
    ['/queries/zines-with-words?from=soon', 'The parameter from has to be a whole number.'],
    ['/queries/titles?author=me', 'There is no parameter author.'],
  ] as const)
    it(`refuse ${path}, and say why`, async () => {
      const { status, body } = await read(path)
      expect(status).to.equal(400)
      expect(body.detail).to.include(why)
      const page = await look(service(), path)
      expect(page.status).to.equal(400)
      expect(page.text).to.include(why)
    })

  it('answer 404 for a name that there is not', async () => {
    expect((await read('/queries/nothing')).status).to.equal(404)
  })

  it('say how they were answered', async () => {
    const { body } = await read('/queries/titles?title=Doris&explain')
    expect(body.phases).to.have.property('run')
  })

  it('have a page with a form, the table, and bars where two columns say so', async () => {
    const page = await open(service(), '/queries/decades-of-subject?subject=punk')
    const [input] = page
      .all('form')
      .flatMap((form) => form.all('input'))
      .filter(({ attributes }) => attributes.name === 'subject')
    expect(input?.attributes.value).to.equal('punk')
    expect(page.all('td').map(({ text }) => text)).to.include('1990s')
  })

  describe('of an administrator in a browser', () => {
    const browser = () => browse(service().url)

    const fields = (more: Readonly<Record<string, string>> = {}) => ({
      name: 'by-title',
      '.version': '0',
      'question.en': 'Which zines have this title?',
      query: 'SELECT ?zine WHERE { ?zine <http://purl.org/dc/terms/title> ?title }',
      'variable.0': '?title',
      'label.0': 'Title',
      'type.0': 'text',
      ...more,
    })

    async function submit(path: string, input: Readonly<Record<string, string>>) {
      const admin = browser()
      await admin.signIn('admin')
      const csrf = csrfOn((await admin.get(path)).text)
      return admin.send(path, { ...input, csrf_token: csrf })
    }

    it('are saved, changed and kept in their former versions', async () => {
      const made = await submit('/manage/queries/new', fields())
      expect([made.status, made.headers.get('location')]).to.deep.equal([303, '/queries/by-title'])
      expect((await read('/queries/by-title?title=Doris')).body.results.bindings).to.have.lengthOf(
        1,
      )
      expect((await read('/queries/by-title')).body.detail).to.include('title')

      const path = '/manage/queries/edit/by-title'
      const changed = await submit(path, fields({ '.version': '1', 'default.0': 'Cometbus' }))
      expect(changed.status, changed.text).to.equal(303)
      expect((await read('/queries/by-title')).body.results.bindings).to.have.lengthOf(1)

      const admin = browser()
      await admin.signIn('admin')
      expect((await admin.get(path)).text)
        .to.include('Cometbus')
        .and.to.include('Version 1')
      expect((await admin.get(`${path}?version=1`)).text).not.to.include('Cometbus')
      const file = await readFile(join(service().dataDir, 'queries', 'by-title.ttl'), 'utf8')
      expect(file).to.include('sh:SPARQLSelectExecutable').and.to.include('"admin"')
    })

    it('are not saved over what somebody else saved', async () => {
      const { status, text } = await submit(
        '/manage/queries/edit/by-title',
        fields({ '.version': '1' }),
      )
      expect(status).to.equal(409)
      expect(text).to.include('Somebody else saved this query meanwhile.')
      const again = await submit('/manage/queries/new', fields())
      expect(again.status).to.equal(409)
    })

    for (const [what, more, why] of [
      ['a name that no address can have', { name: 'By Title' }, 'small letters'],
      ['a query that cannot be read', { name: 'x', query: 'SELECT' }, 'Malformed query'],
      ['an update', { name: 'x', query: 'DELETE WHERE { ?s ?p ?o }' }, 'update'],
      ['a parameter that the query does not have', { name: 'x', 'variable.0': 'maker' }, 'maker'],
      [
        'a parameter to which the query gives a value',
        { name: 'x', query: 'SELECT * WHERE { BIND("a" AS ?title) }' },
        'cannot give it a value itself',
      ],
      [
        'a value at first of another type',
        { name: 'x', 'type.0': 'number', 'default.0': 'a' },
        'whole number',
      ],
    ] as const)
      it(`are refused with ${what}`, async () => {
        const { status, text } = await submit('/manage/queries/new', fields(more))
        expect(status).to.equal(400)
        expect(text).to.include(why)
        expect((await read('/queries/x')).status).to.equal(404)
      })
  })
})
