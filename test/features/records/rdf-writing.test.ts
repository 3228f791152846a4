// Writing records in JSON-LD, Turtle and N-Triples over HTTP: what a GET answers is sent back, changed, and
// sent as a new record.

import { expect } from 'chai'

import { agent, zine } from '../../examples.js'
import { BASE_URL } from '../../service.js'
import { recordPath, resources, unique, useCatalogue } from '../../http/catalogue.js'

const types = ['application/ld+json', 'text/turtle', 'application/n-triples'] as const
const prefixes = `
  PREFIX dcterms: <http://purl.org/dc/terms/>
  PREFIX foaf: <http://xmlns.com/foaf/0.1/>
  PREFIX bf: <http://id.loc.gov/ontologies/bibframe/>
  PREFIX schema: <http://schema.org/>
  PREFIX zc: <${BASE_URL}/ns#>`

describe('records in RDF', () => {
  const { service, given } = useCatalogue()

  /** Sends a document, with the type that is answered if no other is asked for. */
  const send = (method: 'POST' | 'PUT' | 'PATCH', path: string, type: string, raw: string) =>
    service().ask(method, path, { raw, headers: { 'content-type': type } })
  const putTurtle = (path: string, raw: string) => send('PUT', path, 'text/turtle', raw)
  const postTurtle = (path: string, raw: string) =>
    send('POST', path, 'text/turtle', `${prefixes}\n${raw}`)
  const read = async (path: string) =>
    (await service().get(`${path}?private=true`, { token: service().tokens.admin })).body
  const turtleOf = async (path: string) => (await service().get(`${path}?format=turtle`)).text

  /** The record without what every write changes. */
  const valuesAt = async (path: string) => ({ ...(await read(path)), updated_at: '' })

  for (const type of types) {
    for (const { name, full, minimal, idField } of resources)
      it(`of ${name} stay as they are when what GET answers as ${type} is sent back`, async () => {
        for (const make of [full, minimal]) {
          const id = unique(name)
          await service().post(`/api/${name}/`, make(id))
          const path = recordPath(name, id)
          const before = await valuesAt(path)
          const { text } = await service().get(path, { headers: { accept: type } })
          const answer = await send('PUT', path, type, text)
          expect(answer.status, answer.text).to.equal(200)
          expect(answer.headers.get('content-type')).to.equal(`${type}; charset=utf-8`)
          expect(await valuesAt(path), idField).to.deep.equal(before)
        }
      })

    it(`answer a PATCH of ${type} with 415`, async () => {
      const { zine_id } = await given.zine()
      expect((await send('PATCH', recordPath('zines', zine_id), type, ' ')).status).to.equal(415)
    })

    it(`answer an empty POST of ${type} with the fields that are required`, async () => {
      const { status, body } = await send(
        'POST',
        '/api/agents/',
        type,
        type === types[0] ? '{}' : ' ',
      )
      expect(status).to.equal(400)
      expect(body).to.have.all.keys('agent_id', 'kind', 'display_name', 'public')
    })
  }

  it('are answered in the type that Accept or ?format= asks for', async () => {
    const { zine_id } = await given.zine()
    const path = recordPath('zines', zine_id)
    const turtle = await turtleOf(path)
    const typeOf = async (search: string, accept?: string) => {
      const headers = { 'content-type': 'text/turtle', ...(accept ? { accept } : {}) }
      const answer = await service().ask('PUT', path + search, { raw: turtle, headers })
      return answer.headers.get('content-type')?.split(';')[0]
    }
    expect(await typeOf('', 'application/json')).to.equal('application/json')
    expect(await typeOf('', '*/*')).to.equal('text/turtle')
    expect(await typeOf('?format=csv')).to.equal('text/csv')
  })

  it('need the tag of the present state like all writes', async () => {
    const { zine_id } = await given.zine()
    const path = recordPath('zines', zine_id)
    const { text, headers } = await service().get(path, { headers: { accept: 'text/turtle' } })
    const ask = { raw: text.replace(/dcterms:title ".*?"/, 'dcterms:title "Once"') }
    const put = () =>
      service().ask('PUT', path, {
        ...ask,
        headers: { 'content-type': 'text/turtle', 'if-match': headers.get('etag') ?? '' },
      })
    expect((await put()).status).to.equal(200)
    expect((await read(path)).title).to.equal('Once')
    expect((await put()).status).to.equal(412)
  })

  it('need an account that may write them', async () => {
    const { zine_id } = await given.zine()
    const path = recordPath('zines', zine_id)
    const raw = await turtleOf(path)
    const headers = { 'content-type': 'text/turtle' }
    for (const [token, status] of [
      [null, 401],
      [service().tokens.viewer, 403],
      [service().tokens.zinesEditor, 200],
    ] as const)
      expect((await service().ask('PUT', path, { raw, headers, token })).status).to.equal(status)
  })

  describe('that are new', () => {
    const zineAbout = (subject: string, id: string, more = '') => `${subject}
      dcterms:identifier "${id}" ; dcterms:title "Paper" ; dcterms:creator <${BASE_URL}/id/agents/maker> ;
      dcterms:subject <${BASE_URL}/vocabularies/subjects#punk> ${more} .`

    for (const [title, subject] of [
      ['<>', () => '<>'],
      ['a blank node', () => '[]'],
      ['their IRI', (id: string) => `<${BASE_URL}/id/zines/${id}>`],
    ] as const)
      it(`are about ${title}`, async () => {
        const id = unique('zine')
        const answer = await postTurtle('/api/zines/', zineAbout(subject(id), id))
        expect(answer.status, answer.text).to.equal(201)
        expect(answer.headers.get('location')).to.equal(
          `${service().url}${recordPath('zines', id)}`,
        )
        expect((await read(recordPath('zines', id))).subject[0].code).to.equal('punk')
      })

    it('have the identifier that their IRI ends with', async () => {
      const answer = await postTurtle('/api/zines/', zineAbout(`<${BASE_URL}/id/zines/a>`, 'b'))
      expect(answer.status).to.equal(400)
      expect(answer.body).to.have.all.keys('zine_id')
    })

    it('are validated like JSON', async () => {
      const raw = zineAbout(
        '<>',
        unique('zine'),
        `; bf:genreForm <${BASE_URL}/vocabularies/genres#no>`,
      )
      const { status, body } = await postTurtle('/api/zines/', raw)
      expect([status, body]).to.deep.equal([400, { genre: ['Invalid genre codes: no'] }])
    })

    it('keep the order and the repeats of a list', async () => {
      const id = unique('zine')
      const people = ['maker', 'helper', 'press'].map((one) => `<${BASE_URL}/id/agents/${one}>`)
      for (const agent_id of ['helper', 'press'])
        await service().post('/api/agents/', agent(agent_id))
      const raw = zineAbout(
        '<>',
        id,
        `; dcterms:date ( "1996" "1994" "1996" ) ; dcterms:contributor ( ${people.join(' ')} )`,
      )
      expect((await postTurtle('/api/zines/', raw)).status).to.equal(201)
      const { date, contributor } = await read(recordPath('zines', id))
      expect(date).to.deep.equal(['1996', '1994', '1996'])
      expect(contributor.map((one: any) => one.agent_id)).to.deep.equal([
        'maker',
        'helper',
        'press',
      ])
    })

    it('have an address in a blank node', async () => {
      const id = unique('repository')
      const answer = await postTurtle(
        '/api/repositories/',
        `<> dcterms:identifier "${id}" ; foaf:name "Shelf" ;
           <http://www.w3.org/ns/org#classification> <${BASE_URL}/vocabularies/repository-kinds#archive> ;
           schema:address [ schema:addressCountry "US" ; schema:addressLocality "Austin" ] .`,
      )
      expect(answer.status, answer.text).to.equal(201)
      const { country, city, status } = await read(recordPath('repositories', id))
      expect([country, city, status]).to.deep.equal(['US', 'Austin', 'active'])
    })

    it('are read with any context that means the same, in the order of its arrays', async () => {
      const id = unique('zine')
      const document = {
        '@context': {
          dc: 'http://purl.org/dc/terms/',
          called: 'dc:title',
          by: { '@id': 'dc:creator', '@type': '@id' },
          about: { '@id': 'dc:subject', '@type': '@id' },
          key: 'dc:identifier',
        },
        key: id,
        called: 'By another name',
        by: `${BASE_URL}/id/agents/maker`,
        about: ['punk', 'feminism', 'art'].map(
          (code) => `${BASE_URL}/vocabularies/subjects#${code}`,
        ),
        'dc:date': ['1996', '1994'],
      }
      const answer = await send('POST', '/api/zines/', types[0], JSON.stringify(document))
      expect(answer.status, answer.text).to.equal(201)
      const { title, date, subject } = await read(recordPath('zines', id))
      expect([title, date]).to.deep.equal(['By another name', ['1996', '1994']])
      expect(subject.map((one: any) => one.code)).to.deep.equal(['punk', 'feminism', 'art'])
    })
  })

  describe('that are replaced', () => {
    it('pass over what is there for readers, changed or not', async () => {
      const { zine_id } = await given.zine({
        creator: ['maker'],
        issue_designation: '5',
        date: ['1994'],
      })
      const path = recordPath('zines', zine_id)
      const before = await valuesAt(path)
      const thing = `<${BASE_URL}/id/zines/${zine_id}>`
      const changed = (await turtleOf(path))
        .replace(/foaf:name ".*?"/, 'foaf:name "Somebody else"')
        .replace(/rdfs:label ".*?"/, 'rdfs:label "Another"')
        .replace(/dcterms:issued ".*?"/, 'dcterms:issued "1812"')
        .replace(/dcterms:modified ".*?"/, 'dcterms:modified "1812-01-01T00:00:00Z"')
        .replace(/skos:prefLabel ".*?"/, 'skos:prefLabel "Nothing"')
      const answer = await putTurtle(path, `${changed}\n${thing} a <http://example.org/Thing> .`)
      expect(answer.status, answer.text).to.equal(200)
      expect(await valuesAt(path)).to.deep.equal(before)
      expect((await read(recordPath('agents', 'maker'))).display_name).not.to.equal('Somebody else')
    })

    for (const [title, more] of [
      ['a statement about something else', '<http://example.org/x> <http://example.org/p> "o" .'],
      ['a second zine', `<${BASE_URL}/id/zines/zine> <http://purl.org/dc/terms/title> "Two" .`],
      [
        'an agent that the zine does not name',
        `<${BASE_URL}/id/agents/nobody> <http://xmlns.com/foaf/0.1/name> "N" .`,
      ],
      ['a property that no field has', '<> <http://purl.org/dc/terms/audience> "all" .'],
      ['a text with a language', '<> <http://purl.org/dc/terms/abstract> "kurz"@de .'],
      ['an IRI for a text', '<> <http://purl.org/dc/terms/abstract> <http://example.org/> .'],
      ['the order of values as it is stored', '<> <https://zines.example/ns#order> "{}" .'],
    ] as const)
      it(`are not written with ${title}, which the answer names`, async () => {
        const { zine_id } = await given.zine()
        const path = recordPath('zines', zine_id)
        const before = await read(path)
        const { status, body } = await putTurtle(path, `${await turtleOf(path)}\n${more}`)
        expect(status).to.equal(400)
        expect(body.non_field_errors).to.have.length(1)
        const [, property = ''] = /<(?:[^<>]*)>.*?<([^<>]*)>/.exec(more) ?? []
        expect(body.non_field_errors[0]).to.include(property)
        expect(await read(path)).to.deep.equal(before)
      })

    it('are not written with a list that leads back into itself', async () => {
      const { zine_id } = await given.zine()
      const path = recordPath('zines', zine_id)
      const before = await read(path)
      const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
      for (const nodes of [
        `_:a <${rdf}first> "A" ; <${rdf}rest> _:a .`,
        `_:a <${rdf}first> "A" ; <${rdf}rest> _:b . _:b <${rdf}first> "B" ; <${rdf}rest> _:a .`,
      ]) {
        const list = `<> <http://purl.org/dc/terms/alternative> _:a . ${nodes}`
        const { status, body } = await putTurtle(path, `${await turtleOf(path)}\n${list}`)
        expect(status).to.equal(400)
        expect(body.non_field_errors).to.have.length(1)
        expect(body.non_field_errors[0]).to.include(`${rdf}rest`)
        expect(await read(path)).to.deep.equal(before)
      }
    })

    it('are not written with a number that JSON has not, though JSON takes numbers for texts', async () => {
      const { zine_id } = await given.zine()
      const path = recordPath('zines', zine_id)
      const titled = async (title: string): Promise<string> =>
        (await turtleOf(path)).replace(/dcterms:title [^;]*;/, `dcterms:title ${title} ;`)
      for (const title of ['05', '+5', '-05']) {
        const { status, text } = await putTurtle(path, await titled(title))
        expect([status, text.includes(title)], title).to.deep.equal([400, true])
      }
      expect((await putTurtle(path, await titled('5'))).status).to.equal(200)
      expect((await read(path)).title).to.equal('5')
    })

    it('are named in the answer with their language or datatype where they are not read', async () => {
      const { zine_id } = await given.zine()
      const path = recordPath('zines', zine_id)
      const { body } = await putTurtle(
        path,
        `${await turtleOf(path)}
        <> <http://purl.org/dc/terms/abstract> "kurz"@de , 1.5 ; <http://purl.org/dc/terms/audience> "all" .`,
      )
      const decimal = '"1.5"^^<http://www.w3.org/2001/XMLSchema#decimal>'
      const named = body.non_field_errors.map((message: string) =>
        message.replace(/^.*> (?=")/, ''),
      )
      expect(named).to.have.members(['"kurz"@de', decimal, '"all"'])
    })

    it('are named so in JSON-LD too', async () => {
      const { zine_id } = await given.zine()
      const raw = JSON.stringify({
        'http://purl.org/dc/terms/abstract': { '@value': 'kurz', '@language': 'de' },
        '@id': '',
      })
      const { status, text } = await send('PUT', recordPath('zines', zine_id), types[0], raw)
      expect([status, text.includes('\\"kurz\\"@de')], text).to.deep.equal([400, true])
    })

    it('are not written with two values where there is one', async () => {
      const { zine_id } = await given.zine()
      const path = recordPath('zines', zine_id)
      const two = `${await turtleOf(path)}\n<> <http://purl.org/dc/terms/title> "A second title" .`
      const { status, body } = await putTurtle(path, two)
      expect([status, body]).to.deep.equal([400, { title: ['This field has one value, not 2.'] }])
    })

    it('have the IRIs of an agent elsewhere passed over, but for one of Wikidata', async () => {
      const id = unique('agent')
      const identifiers = {
        orcid: 'https://orcid.org/0000-0002-1825-0097',
        other_identifiers: ['viaf: 1'],
      }
      await service().post('/api/agents/', agent(id, { ...identifiers, wikidata: 'Q42' }))
      const path = recordPath('agents', id)
      const before = await valuesAt(path)
      const turtle = await turtleOf(path)
      const links = /schema:sameAs [^;]*/.exec(turtle)?.[0] ?? ''
      expect(links.match(/<[^>]*>/g)).to.have.members([
        '<http://viaf.org/viaf/1>',
        '<http://www.wikidata.org/entity/Q42>',
        '<https://orcid.org/0000-0002-1825-0097>',
      ])
      const say = (iris: string) => putTurtle(path, turtle.replace(links, `schema:sameAs ${iris} `))
      const changed = '<http://viaf.org/viaf/2>, <http://www.wikidata.org/entity/Q42>'
      expect((await say(changed)).status).to.equal(200)
      expect(await valuesAt(path)).to.deep.equal(before)
      expect((await say('<http://viaf.org/viaf/1>')).status).to.equal(200)
      expect(await valuesAt(path)).to.deep.equal({ ...before, wikidata: '' })
      expect((await say('<https://example.org/Q42>')).body).to.deep.equal({
        wikidata: ['Enter a valid Wikidata identifier.'],
      })
      const two = '<http://www.wikidata.org/entity/Q1>, <http://www.wikidata.org/entity/Q2>'
      expect((await say(two)).body).to.have.all.keys('wikidata')
    })

    it('are cleared of what the document does not say', async () => {
      const { zine_id } = await given.zine({ abstract: 'Short.', date: ['1994'] })
      const path = recordPath('zines', zine_id)
      const turtle = await turtleOf(path)
      await putTurtle(
        path,
        turtle.replace(/ *dcterms:abstract .*\n/, '').replace(/ *dcterms:date .*\n/, ''),
      )
      const { abstract, date } = await read(path)
      expect([abstract, date]).to.deep.equal(['', []])
    })

    it('keep their order while the values are the same, and are sorted in Turtle where they are not', async () => {
      const { zine_id } = await given.zine({ date: ['1996', '1994', '1996'] })
      const path = recordPath('zines', zine_id)
      const turtle = await turtleOf(path)
      await putTurtle(path, turtle.replace('"1994", "1996"', '"1996", "1994"'))
      expect((await read(path)).date).to.deep.equal(['1996', '1994', '1996'])
      await putTurtle(path, turtle.replace('"1994", "1996"', '"1996", "1994", "1990"'))
      expect((await read(path)).date).to.deep.equal(['1990', '1994', '1996'])
    })

    it('are not written where a key that means nothing says something else', async () => {
      const { zine_id } = await given.zine({ abstract: '' })
      const path = recordPath('zines', zine_id)
      const { body } = await service().get(`${path}?format=jsonld`)
      const answer = await send(
        'PUT',
        path,
        types[0],
        JSON.stringify({ ...body, abstract: 'New.' }),
      )
      expect(answer.status).to.equal(400)
      expect(answer.body).to.have.all.keys('abstract')
    })

    it('answer 404 where there is none', async () => {
      expect((await putTurtle('/api/zines/none/', 'no Turtle')).status).to.equal(404)
    })
  })

  // A document of so many makers had more statements than were read, and its list of them more levels.
  describe('of a thousand makers', () => {
    const id = unique('crowded')
    const path = recordPath('zines', id)

    before(async () => {
      const makers = Array.from({ length: 1000 }, (_, index) => unique(`maker-${index}`))
      const lines = makers.map((one) =>
        JSON.stringify({ op: 'create', kind: 'agents', body: agent(one) }),
      )
      const headers = { 'content-type': 'application/x-ndjson' }
      const batch = await service().ask('POST', '/api/batches/', { raw: lines.join('\n'), headers })
      expect(batch.status, batch.text.slice(0, 500)).to.equal(200)
      const { status } = await service().post(
        '/api/zines/',
        zine(id, { creator: makers.reverse() }),
      )
      expect(status).to.equal(201)
    })

    for (const type of types)
      it(`can be put as they were read in ${type}`, async () => {
        const before = await valuesAt(path)
        const { text } = await service().get(path, { headers: { accept: type } })
        const answer = await send('PUT', path, type, text)
        expect(answer.status, answer.text.slice(0, 500)).to.equal(200)
        expect(await valuesAt(path)).to.deep.equal(before)
      })
  })

  describe('with a deleted agent', () => {
    async function zineOfDeleted() {
      const { agent_id } = await given.agent()
      const { zine_id } = await given.zine({ creator: [agent_id, 'maker'] })
      await service().delete(recordPath('agents', agent_id))
      return { agent_id, path: recordPath('zines', zine_id) }
    }

    for (const type of types)
      it(`can be replaced in ${type}`, async () => {
        const { path } = await zineOfDeleted()
        const before = await valuesAt(path)
        const { text } = await service().get(path, { headers: { accept: type } })
        const answer = await send('PUT', path, type, text)
        expect(answer.status, answer.text).to.equal(200)
        expect(await valuesAt(path)).to.deep.equal(before)
      })

    it('can be replaced in JSON', async () => {
      const { path } = await zineOfDeleted()
      const before = await valuesAt(path)
      const written = (await service().get(`${path}?shape=write`)).body
      expect((await service().put(path, written)).status).to.equal(200)
      expect(await valuesAt(path)).to.deep.equal(before)
    })

    it('cannot name the agent in another field', async () => {
      const { agent_id, path } = await zineOfDeleted()
      const written = (await service().get(`${path}?shape=write`)).body
      const { status, body } = await service().put(path, { ...written, contributor: [agent_id] })
      expect(status).to.equal(400)
      expect(body.contributor).to.deep.equal([`Agent '${agent_id}' does not exist`])
    })
  })

  describe('of a private agent', () => {
    const hidden = { legal_name: 'Hidden Name', email: 'hidden@example.org', phone: '555 0100' }
    const privateAgent = async () => {
      const { agent_id } = await given.agent({ public: false, ...hidden })
      return recordPath('agents', agent_id)
    }

    for (const type of types)
      it(`keep the private fields in ${type}`, async () => {
        const path = await privateAgent()
        const { text } = await service().get(path, { headers: { accept: type } })
        expect(text).not.to.match(/Hidden Name|hidden@|555 0100/)
        const answer = await send('PUT', path, type, text)
        expect(answer.status, answer.text).to.equal(200)
        expect(answer.text).not.to.match(/Hidden Name|hidden@|555 0100/)
        expect(await read(path)).to.include(hidden)
      })

    it('cannot say them', async () => {
      const path = await privateAgent()
      for (const email of ['hidden@example.org', 'other@example.org']) {
        const more = `<> <http://schema.org/email> "${email}" .`
        const { status, body } = await putTurtle(path, `${await turtleOf(path)}\n${more}`)
        expect(status).to.equal(400)
        expect(body.non_field_errors[0]).to.include('http://schema.org/email')
      }
      expect(await read(path)).to.include(hidden)
    })

    it('are not published when the agent becomes public', async () => {
      const path = await privateAgent()
      const turtle = (await turtleOf(path)).replace('zc:public false', 'zc:public true')
      expect((await putTurtle(path, turtle)).status).to.equal(200)
      expect(await read(path)).to.include({ public: true, legal_name: '', email: '', phone: '' })
    })

    it('stay when a public agent becomes private', async () => {
      const { agent_id } = await given.agent({ public: true, ...hidden })
      const path = recordPath('agents', agent_id)
      const turtle = (await turtleOf(path)).replace('zc:public true', 'zc:public false')
      const answer = await putTurtle(path, turtle)
      expect(answer.status, answer.text).to.equal(200)
      expect(answer.text).not.to.match(/Hidden Name|hidden@|555 0100/)
      expect(await read(path)).to.include({ public: false, ...hidden })
    })

    it('of a public one are said and cleared like all others', async () => {
      const { agent_id } = await given.agent({ public: true, ...hidden })
      const path = recordPath('agents', agent_id)
      const turtle = (await turtleOf(path))
        .replace(hidden.email, 'new@example.org')
        .replace(/ *schema:telephone .*\n/, '')
      expect((await putTurtle(path, turtle)).status).to.equal(200)
      expect(await read(path)).to.include({ ...hidden, email: 'new@example.org', phone: '' })
    })
  })

  describe('that cannot be read', () => {
    const context = (value: unknown) => JSON.stringify({ '@context': value, title: 'x' })
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const manyTerms = Object.fromEntries(
      Array.from({ length: 5001 }, (_, index) => [`t${index}`, `http://example.org/${index}`]),
    )
    for (const [title, type, raw, status, message] of [
      ['broken Turtle', 'text/turtle', '<a> <b>', 400, /^Turtle error - /],
      [
        'Turtle as N-Triples',
        'application/n-triples',
        '@prefix a: <http://a.org/> .',
        400,
        /^N-Triples error/,
      ],
      ['broken JSON', types[0], '{', 400, /^JSON-LD error - The document is not JSON/],
      ['a scalar', types[0], '1', 400, /is an object or an array/],
      [
        'a context elsewhere',
        types[0],
        context('https://schema.org/'),
        400,
        /refers to <https:\/\/schema.org\/>/,
      ],
      [
        'an imported context',
        types[0],
        context({ '@version': 1.1, '@import': 'http://127.0.0.1:1/x' }),
        400,
        /refers to <http:\/\/127/,
      ],
      ['__proto__', types[0], '{"@context":{"__proto__":"http://example.org/"}}', 400, /__proto__/],
      [
        'a graph with a name',
        types[0],
        '{"@id":"x:g","@graph":[{"@id":"x:a","x:p":"o"}]}',
        400,
        /a graph with a name/,
      ],
      [
        'a number of too many digits',
        types[0],
        '{"dcterms:x":31786102345678901}',
        400,
        /has more digits/,
      ],
      ['too many levels', types[0], nested(1101), 413, /too many levels/],
      [
        'a very deep document',
        types[0],
        '['.repeat(400_000) + ']'.repeat(400_000),
        413,
        /too many levels/,
      ],
      [
        'too many nodes',
        types[0],
        JSON.stringify(Array.from({ length: 64_001 }, () => ({}))),
        413,
        /too many nodes/,
      ],
      ['too many terms', types[0], context(manyTerms), 413, /too many terms/],
      [
        'too many prefixes',
        'text/turtle',
        Array.from({ length: 5001 }, (_, i) => `@prefix p${i}: <x:> .`).join('\n'),
        413,
        /too many prefixes/,
      ],
      [
        'too many statements',
        'application/n-triples',
        Array.from({ length: 64_001 }, (_, i) => `<x:s> <x:p> <x:${i}> .`).join('\n'),
        413,
        /too many statements/,
      ],
      ['more than 16 MiB', 'text/turtle', ' '.repeat(16 * 1024 * 1024 + 1), 413, /too large/],
      ['another charset', 'text/turtle; charset=latin1', ' ', 415, /latin1/],
      ['another media type', 'application/rdf+xml', ' ', 415, /rdf\+xml/],
    ] as const)
      it(`because of ${title} are answered ${status}`, async () => {
        const answer = await send('POST', '/api/zines/', type, raw)
        expect(answer.status, answer.text.slice(0, 500)).to.equal(status)
        expect(answer.body.detail).to.match(message)
        expect(answer.text.length).to.be.below(1000)
      })

    it('do not change what is read after them', async () => {
      const id = unique('zine')
      const polluting = '{"constructor":{"prototype":{"polluted":"yes"}},"toString":"x"}'
      await send('POST', '/api/zines/', types[0], polluting)
      const answer = await postTurtle(
        '/api/zines/',
        `<> dcterms:identifier "${id}" ; dcterms:title "T" ; dcterms:creator <${BASE_URL}/id/agents/maker> ;
           dcterms:subject <${BASE_URL}/vocabularies/subjects#punk> .`,
      )
      expect(answer.status, answer.text).to.equal(201)
      expect(({} as any).polluted).to.equal(undefined)
    })
  })

  describe('as the body of their own PUT', () => {
    for (const { name, full } of resources)
      it(`are answered with ?shape=write, for ${name}`, async () => {
        const id = unique(name)
        await service().post(`/api/${name}/`, full(id))
        const path = recordPath(name, id)
        const before = await valuesAt(path)
        const { body, headers } = await service().get(`${path}?shape=write`)
        expect(body).not.to.have.any.keys('created_at', 'updated_at')
        const tag = { 'if-match': headers.get('etag') ?? '' }
        expect((await service().put(path, body, { headers: tag })).status).to.equal(200)
        expect(await valuesAt(path)).to.deep.equal(before)
      })

    it('leave private fields out, but for an account that asks for them', async () => {
      const { agent_id } = await given.agent({ public: false, email: 'hidden@example.org' })
      const path = `${recordPath('agents', agent_id)}?shape=write`
      expect((await service().get(path)).text).not.to.include('hidden@')
      const seen = await service().get(`${path}&private=true`, { token: service().tokens.editor })
      expect(seen.body.email).to.equal('hidden@example.org')
      expect(seen.headers.get('cache-control')).to.include('no-store')
    })

    it('are in no other shape: 400', async () => {
      const { status, body } = await service().get('/api/zines/zine/?shape=flat')
      expect([status, body]).to.deep.equal([400, { shape: ['"flat" is not a valid choice.'] }])
    })
  })

  it('name the media types that they are written in, in OPTIONS', async () => {
    const { body } = await service().ask('OPTIONS', '/api/zines/', { token: null })
    expect(body.parses).to.deep.equal(['application/json', ...types])
  })
})
