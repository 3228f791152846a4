// Tests the reconciliation service over HTTP: its manifest, how names are found and told apart, suggestions, previews
// and data extension (docs/reference/reconciliation.md). How many garbled names of a real
// collection are found is measured in test/reconciliation.

import { expect } from 'chai'

import { agent, repository, zine } from '../../examples.js'
import { expectForm } from './group-schemas.js'
import { type TestService, startService } from '../../service.js'
import { unique, useCatalogue } from '../../http/catalogue.js'

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

const post = (service: TestService, form: Readonly<Record<string, string>>) =>
  service.ask('POST', '/reconcile', {
    raw: new URLSearchParams(form).toString(),
    headers: formHeaders,
    token: null,
  })

describe('reconciliation after a start', () => {
  it('finds what was there before', async () => {
    const before = await startService()
    await before.post('/api/agents/', agent('stays', { display_name: 'Permanentia Stayhere' }))
    await before.close()
    const service = await startService({ ...before.env })
    try {
      const { body } = await service.get('/reconcile?query=Stayhere,%20Permanentia')
      expect(body.result[0]).to.include({ id: 'agents/stays', match: true })
    } finally {
      await service.stop()
    }
  })
})

describe('reconciliation:', () => {
  const { service } = useCatalogue()

  /** The candidates of one query. */
  async function reconcile(query: object): Promise<any[]> {
    const { status, text, body } = await post(service(), {
      queries: JSON.stringify({ q0: query }),
    })
    expect(status, text).to.equal(200)
    expectForm('results', body)
    return body.q0.result
  }

  const ids = (candidates: readonly any[]): string[] => candidates.map(({ id }) => id)

  before(async () => {
    const people = [
      agent('jackie', { display_name: 'Jackie Quillfeather', location: ['Leeds, England'] }),
      agent('zoe', { display_name: 'Zoë Brañski', orcid: 'https://orcid.org/0000-0002-1825-0097' }),
      agent('cometbus', { display_name: 'Aaron (Elliott) Cometbusch' }),
      agent('same-1', { display_name: 'Robin Sameword' }),
      agent('same-2', { display_name: 'Robin Sameword', kind: 'Collective' }),
      agent('bird', { display_name: 'Birdie' }),
      agent('crew', { display_name: 'Paper Tiger Collective', kind: 'Collective' }),
    ]
    for (const one of people)
      expect((await service().post('/api/agents/', one)).status).to.equal(201)
    const zines = [
      zine('early', { title: 'Morning Marmalade', creator: ['same-1'], date: ['1991'] }),
      zine('late', { title: 'Evening Marmalade', creator: ['same-2'], date: ['2004'] }),
      zine('pump-1', { title: 'Pumpkinhead', issue_designation: 'no. 1', creator: ['jackie'] }),
      zine('pump-2', { title: 'Pumpkinhead', issue_designation: 'no. 2', creator: ['zoe'] }),
    ]
    for (const one of zines) expect((await service().post('/api/zines/', one)).status).to.equal(201)
    const libraries = [
      repository('leeds', { repository_name: 'Zine Library', country: 'GB', city: 'Leeds' }),
      repository('bonn', { repository_name: 'Zine Library', country: 'DE', city: 'Bonn' }),
    ]
    for (const one of libraries)
      expect((await service().post('/api/repositories/', one)).status).to.equal(201)
  })

  describe('the manifest', () => {
    it('has the form that the community group gives it, and addresses on the client’s origin', async () => {
      const { status, body, headers } = await service().get('/reconcile', {
        headers: { origin: 'https://refine.example' },
      })
      expect(status).to.equal(200)
      expectForm('manifest', body)
      expect(headers.get('access-control-allow-origin')).to.equal('*')
      expect(body.view.url).to.equal(`${service().url}/reconcile/view?id={{id}}`)
      expect(body.defaultTypes.map(({ id }: any) => id)).to.deep.equal([
        'agents',
        'zines',
        'repositories',
        'subjects',
        'genres',
        'places',
      ])
    })

    it('names addresses that answer', async () => {
      const { body } = await service().get('/reconcile')
      const services = [...Object.values<any>(body.suggest), body.extend.propose_properties]
      for (const { service_url: url, service_path: path } of services)
        expect((await fetch(`${url}${path}?prefix=a&type=agents`)).status, path).to.equal(200)
      for (const template of [body.view.url, body.preview.url]) {
        const id = encodeURIComponent('agents/jackie')
        const answer = await fetch(template.replace('{{id}}', id), { redirect: 'manual' })
        expect(answer.status, template).to.be.oneOf([200, 303])
      }
    })
  })

  describe('a name', () => {
    const forms: Readonly<Record<string, string>> = {
      'the name itself': 'Jackie Quillfeather',
      'in the order of a catalogue': 'Quillfeather, Jackie',
      'in capitals': 'JACKIE QUILLFEATHER',
      'with a nickname': 'Jackie (Quill) Quillfeather',
      'with other accents': 'Jäckie Quíllfeather',
    }
    for (const [form, query] of Object.entries(forms))
      it(`${form} is a match`, async () => {
        const [first] = await reconcile({ query, type: 'agents' })
        expect(first).to.include({ id: 'agents/jackie', match: true })
        expect(first.score).to.be.at.least(90)
      })

    for (const [form, query] of Object.entries({
      'with initials': 'J. Quillfeather',
      'with a wrong letter': 'Jackie Quilfeather',
      'of which a part is missing': 'Quillfeather',
    }))
      it(`${form} is found first, and is no match by itself`, async () => {
        const [first] = await reconcile({ query, type: 'agents' })
        expect(first).to.include({ id: 'agents/jackie', match: false })
        expect(first.score).to.be.within(50, 99)
      })

    it('that is only alike is a match where a zine agrees', async () => {
      const [first] = await reconcile({
        query: 'J. Quilfeather',
        type: 'agents',
        properties: [{ pid: 'zine', v: 'Pumpkinhead no. 1' }],
      })
      expect(first).to.include({ id: 'agents/jackie', match: true })
    })

    it('without accents, or by the name in parentheses, is found', async () => {
      expect(ids(await reconcile({ query: 'Zoe Branski', type: 'agents' }))[0]).to.equal(
        'agents/zoe',
      )
      expect(ids(await reconcile({ query: 'Elliott Cometbusch', type: 'agents' }))[0]).to.equal(
        'agents/cometbus',
      )
    })

    it('of one word is no match for a person', async () => {
      const [first] = await reconcile({ query: 'Birdie', type: 'agents' })
      expect(first).to.include({ id: 'agents/bird', score: 100, match: false })
    })

    it('that nobody has has no candidate that is like it', async () => {
      expect(await reconcile({ query: 'Xyzzy Plughovic' })).to.deep.equal([])
    })

    it('that means nobody is never a match', async () => {
      await service().post('/api/agents/', agent('unknown', { display_name: 'Unknown' }))
      const [first] = await reconcile({ query: 'Unknown', type: 'agents' })
      expect(first).to.include({ id: 'agents/unknown', match: false })
    })

    it('that is an identifier of an entity finds it', async () => {
      const [first] = await reconcile({ query: 'agents/zoe' })
      expect(first).to.include({ id: 'agents/zoe', score: 100, match: true })
    })

    it('has features that tell where its score comes from', async () => {
      const [first] = await reconcile({
        query: 'Robin Sameword',
        type: 'agents',
        properties: [{ pid: 'year', v: 1991 }],
      })
      expect(first.features).to.deep.equal([
        { id: 'name_similarity', value: 100 },
        { id: 'same_name', value: true },
        { id: 'property_year', value: 1 },
      ])
    })
  })

  describe('namesakes', () => {
    const query = 'Robin Sameword'

    it('are both found, and none is a match', async () => {
      const found = await reconcile({ query, type: 'agents' })
      expect(ids(found).slice(0, 2)).to.have.members(['agents/same-1', 'agents/same-2'])
      expect(found.map(({ match }) => match)).not.to.include(true)
    })

    for (const [pid, one, other] of [
      ['zine', 'Morning Marmalade', 'Evening Marmalade'],
      ['zine', { id: 'zines/early', name: 'x' }, { id: 'zines/late' }],
      ['year', '1991', 2004],
      ['kind', 'Person', 'collective'],
    ] as const)
      it(`are told apart by ${pid} ${JSON.stringify(one)}`, async () => {
        for (const [v, id] of [
          [one, 'agents/same-1'],
          [other, 'agents/same-2'],
        ]) {
          const [first, second] = await reconcile({
            query,
            type: 'agents',
            properties: [{ pid, v }],
          })
          expect(first).to.include({ id, match: true })
          expect(second).to.include({ match: false })
        }
      })

    it('are not told apart by what is wrong', async () => {
      const found = await reconcile({
        query,
        type: 'agents',
        properties: [{ pid: 'year', v: '1850' }],
      })
      expect(found.map(({ match }) => match)).not.to.include(true)
    })

    it('among zines are told apart by creator and number', async () => {
      const properties = [{ pid: 'creator', v: 'Branski, Zoe' }]
      const [first] = await reconcile({ query: 'Pumpkinhead', type: 'zines', properties })
      expect(first).to.include({ id: 'zines/pump-2', name: 'Pumpkinhead, no. 2', match: true })
      const [numbered] = await reconcile({ query: 'PUMPKINHEAD #1', type: 'zines' })
      expect(numbered.id).to.equal('zines/pump-1')
    })

    it('among repositories are told apart by country and city', async () => {
      for (const [pid, v, id] of [
        ['country', 'Germany', 'bonn'],
        ['country', 'GB', 'leeds'],
        ['city', 'Leeds', 'leeds'],
      ] as const) {
        const properties = [{ pid, v }]
        const [first] = await reconcile({ query: 'Zine Library', type: 'repositories', properties })
        expect(first).to.include({ id: `repositories/${id}`, match: true })
      }
    })

    it('among places are in the order of their size, and a country tells them apart', async () => {
      const [largest] = await reconcile({ query: 'Birmingham', type: 'places' })
      expect(largest.description).to.include('United Kingdom')
      const properties = [{ pid: 'country', v: 'US' }]
      const [american] = await reconcile({ query: 'Birmingham', type: 'places', properties })
      expect(american.description).to.include('United States')
    })
  })

  describe('properties alone', () => {
    it('find an agent by an identifier of another authority', async () => {
      for (const v of ['0000-0002-1825-0097', 'https://orcid.org/0000-0002-1825-0097']) {
        const [first] = await reconcile({ type: 'agents', properties: [{ pid: 'id', v }] })
        expect(first).to.include({ id: 'agents/zoe', score: 100, match: true })
      }
    })

    it('find the makers of a zine and the zines of a maker', async () => {
      const makers = await reconcile({
        type: 'agents',
        properties: [{ pid: 'zine', v: { id: 'zines/early' } }],
      })
      expect(ids(makers)).to.deep.equal(['agents/same-1'])
      const zines = await reconcile({
        type: 'zines',
        properties: [{ pid: 'creator', v: 'Jackie Quillfeather' }],
      })
      expect(ids(zines)).to.deep.equal(['zines/pump-1'])
    })
  })

  it('subjects, genres and places are found by their labels', async () => {
    for (const [query, type, id] of [
      ['Punk', 'subjects', 'subjects/punk'],
      ['perzines', 'genres', 'genres/perzine'],
      ['Berlin', 'places', 'places/2950159'],
    ] as const) {
      const [first] = await reconcile({ query, type })
      expect(first.id, query).to.equal(id)
    }
  })

  it('types limit what is found; one that is not known has no candidates', async () => {
    const all = await reconcile({ query: 'Punk', limit: 50 })
    expect(ids(all)).to.include('subjects/punk')
    expect(ids(await reconcile({ query: 'Punk', type: ['genres', 'zines'] }))).not.to.include(
      'subjects/punk',
    )
    expect(await reconcile({ query: 'Punk', type: 'Q5' })).to.deep.equal([])
    expect(await reconcile({ query: 'Punk', type: 'Q5', type_strict: 'should' })).not.to.be.empty
  })

  it('limit is the number of candidates', async () => {
    expect(await reconcile({ query: 'Robin Sameword', limit: 1 })).to.have.length(1)
  })

  it('answers each query of a batch under its own key, also by GET', async () => {
    const queries = JSON.stringify({
      a: { query: 'Birdie' },
      ['__proto__']: { query: 'Zoë Brañski' },
    })
    const batch = queries.replace('{"a"', '{"__proto__":{"query":"Birdie"},"a"')
    const { body } = await service().get(`/reconcile?queries=${encodeURIComponent(batch)}`)
    expectForm('results', body)
    expect(Object.keys(body)).to.have.members(['a', '__proto__'])
    const posted = await post(service(), { queries: batch })
    expect(posted.text).to.equal(JSON.stringify(body))
  })

  it('answers the single query of the first version as text and as JSON', async () => {
    for (const query of ['Zoë Brañski', JSON.stringify({ query: 'Zoë Brañski', type: 'agents' })]) {
      const { body } = await service().get(`/reconcile?query=${encodeURIComponent(query)}`)
      expect(body.result[0].id).to.equal('agents/zoe')
      expect((await post(service(), { query })).body).to.deep.equal(body)
    }
  })

  it('finds what was written, changed, merged and deleted with the next request', async () => {
    const id = unique('agent')
    const find = async (query: string) => ids(await reconcile({ query, type: 'agents' }))
    await service().post('/api/agents/', agent(id, { display_name: 'Wilhelmina Freshink' }))
    expect(await find('Freshink, Wilhelmina')).to.deep.equal([`agents/${id}`])
    await service().patch(`/api/agents/${id}/`, { display_name: 'Wilhelmina Dryquill' })
    const before = await reconcile({ query: 'Wilhelmina Freshink', type: 'agents' })
    expect(before[0].features).to.deep.include({ id: 'same_name', value: false })
    const [first] = await reconcile({ query: 'Wilhelmina Dryquill', type: 'agents' })
    expect(first).to.include({ id: `agents/${id}`, match: true })
    await service().post(`/api/agents/${id}/merge/`, { into: 'bird' })
    expect(await find('Wilhelmina Dryquill')).not.to.include(`agents/${id}`)
    const rows = await extend([`agents/${id}`], ['display_name'])
    expect(rows[`agents/${id}`].display_name).to.deep.equal([{ str: 'Birdie' }])
  })

  describe('suggestions', () => {
    const suggest = async (path: string): Promise<any[]> => {
      const { status, text, body } = await service().get(`/reconcile/suggest/${path}`)
      expect(status, text).to.equal(200)
      expectForm(path.startsWith('entity') ? 'entities' : 'properties', body)
      return body.result
    }

    it('of entities begin as the text does, or are like it', async () => {
      expect(ids(await suggest('entity?prefix=quillf&type=agents'))).to.deep.equal([
        'agents/jackie',
      ])
      expect(ids(await suggest('entity?prefix=Jackie%20Qu'))[0]).to.equal('agents/jackie')
      expect(ids(await suggest('entity?prefix=agents/zoe'))[0]).to.equal('agents/zoe')
      expect(ids(await suggest('entity?prefix=Jackie%20Quilfeather'))[0]).to.equal('agents/jackie')
    })

    it('skip as many as cursor says', async () => {
      const all = await suggest('entity?prefix=marmalade&type=zines')
      expect(ids(all)).to.have.members(['zines/early', 'zines/late'])
      expect(await suggest('entity?prefix=marmalade&type=zines&cursor=1')).to.deep.equal([all[1]])
    })

    it('of properties have those that tell namesakes apart first', async () => {
      const known = ['kind', 'year', 'zine', 'creator', 'country', 'city', 'id']
      const found = ids(await suggest('property?prefix='))
      expect(found.slice(0, known.length)).to.have.members(known)
      expect(ids(await suggest('property?prefix=ye'))).to.deep.equal(['year'])
    })

    it('of types are those of the manifest', async () => {
      expect(ids(await suggest('type?prefix=zin'))).to.deep.equal(['zines'])
    })
  })

  async function extend(keys: readonly string[], names: readonly string[]): Promise<any> {
    const query = { ids: keys, properties: names.map((id) => ({ id })) }
    const { status, text, body } = await post(service(), { extend: JSON.stringify(query) })
    expect(status, text).to.equal(200)
    expectForm('extension', body)
    expect(body.meta.map(({ id }: any) => id)).to.deep.equal(names)
    return body.rows
  }

  describe('data extension', () => {
    it('proposes the public fields of a type', async () => {
      const { body } = await service().get('/reconcile/properties?type=agents&limit=5')
      expectForm('proposals', body)
      expect(body).to.deep.include({ type: 'agents', limit: 5 })
      const all = (await service().get('/reconcile/properties?type=agents')).body
      expect(ids(all.properties)).to.include.members(['display_name', 'orcid', 'zine'])
      expect(ids(all.properties)).not.to.include.members(['legal_name'])
    })

    it('has texts, entities, numbers and times', async () => {
      const rows = await extend(
        ['zines/early', 'places/2950159', 'subjects/punk', 'agents/same-1', 'agents/none', 'x'],
        ['title', 'creator', 'subject', 'created_at', 'population', 'latitude', 'label', 'zine'],
      )
      expect(rows['zines/early']).to.deep.include({
        title: [{ str: 'Morning Marmalade' }],
        creator: [{ id: 'agents/same-1', name: 'Robin Sameword' }],
        subject: [{ id: 'subjects/punk', name: 'Punk' }],
      })
      expect(rows['zines/early'].created_at[0].date).to.match(/^\d{4}-/)
      expect(rows['places/2950159'].population[0].int).to.be.above(1_000_000)
      expect(rows['places/2950159'].latitude[0].float).to.be.within(52, 53)
      expect(rows['subjects/punk'].label).to.deep.equal([{ str: 'Punk' }])
      expect(rows['agents/same-1'].zine).to.deep.equal([
        { id: 'zines/early', name: 'Morning Marmalade' },
      ])
      expect(rows['agents/none'].title).to.deep.equal([])
      expect(rows.x.title).to.deep.equal([])
    })

    it('has no private field, also not of a public agent', async () => {
      const fields = { legal_name: 'Secret Legalname', email: 'legal@secret.example' }
      await service().post(
        '/api/agents/',
        agent('open', { display_name: 'Open Agentius', ...fields }),
      )
      const rows = await extend(['agents/open'], ['legal_name', 'email', 'phone', '__proto__'])
      expect(rows['agents/open'].legal_name).to.deep.equal([])
      expect(rows['agents/open'].email).to.deep.equal([])
      expect(await reconcile({ query: 'Secret Legalname', type: 'agents' })).to.deep.equal([])
    })
  })

  describe('view and preview', () => {
    it('lead to the page of an entity whose identifier needs encoding', async () => {
      const id = `${unique('odd')} a/b&c+d%?#é`
      await service().post('/api/agents/', agent(id, { display_name: 'Odd <b>Agent</b>' }))
      const encoded = encodeURIComponent(`agents/${id}`)
      const { status, headers } = await service().get(`/reconcile/view?id=${encoded}`)
      expect(status).to.equal(303)
      const page = await fetch(headers.get('location') ?? '')
      expect((await page.json()).agent_id).to.equal(id)
      const preview = await service().get(`/reconcile/preview?id=${encoded}`)
      expect(preview.status).to.equal(200)
      expect(preview.text).to.include('Odd &lt;b>Agent&lt;/b>').and.not.include('<script')
    })

    it('are there for terms and places too', async () => {
      for (const id of ['subjects/punk', 'genres/perzine', 'places/2950159', 'zines/early']) {
        const { headers } = await service().get(`/reconcile/view?id=${encodeURIComponent(id)}`)
        expect((await fetch(headers.get('location') ?? '')).status, id).to.equal(200)
        expect((await service().get(`/reconcile/preview?id=${id}`)).status, id).to.equal(200)
      }
    })

    it('the preview alone may be shown in the frame of another site', async () => {
      const policyOf = async (path: string) =>
        (await service().get(path, { headers: { accept: 'text/html' } })).headers.get(
          'content-security-policy',
        ) ?? ''
      const preview = await policyOf('/reconcile/preview?id=agents/jackie')
      expect(preview).to.include('frame-ancestors *').and.include("default-src 'none'")
      expect(preview).not.to.include('script-src')
      for (const path of ['/api/agents/jackie/', '/api/', '/reconcile/preview?id=agents/none'])
        expect(await policyOf(path), path).to.include("frame-ancestors 'none'")
    })

    it('answer 404 for what does not exist, and 400 without an identifier', async () => {
      expect((await service().get('/reconcile/preview?id=agents/none')).status).to.equal(404)
      expect((await service().get('/reconcile/preview?id=nothing')).status).to.equal(404)
      expect((await service().get('/reconcile/view?id=holdings/x')).status).to.equal(404)
      expect((await service().get('/reconcile/view')).status).to.equal(400)
    })
  })

  describe('what is wrong', () => {
    const many = Object.fromEntries(
      Array.from({ length: 101 }, (_, n) => [`q${n}`, { query: 'x' }]),
    )
    const wrong: Readonly<Record<string, readonly [form: Record<string, string>, detail: RegExp]>> =
      {
        'no JSON': [{ queries: '{"q0":' }, /`queries` is not JSON/],
        'an array': [{ queries: '[]' }, /`queries` has to be an object/],
        'too many queries': [{ queries: JSON.stringify(many) }, /100 queries at most/],
        'a single query that is wrong': [{ query: '{"query":"x","limit":0}' }, /`limit`/],
        'an extension without ids': [{ extend: '{"properties":[]}' }, /`ids`/],
        'an empty form': [{}, /neither `queries` nor `extend`/],
      }
    for (const [what, [form, detail]] of Object.entries(wrong))
      it(`${what} is answered 400 with the reason`, async () => {
        const { status, body } = await post(service(), form)
        expect(status).to.equal(400)
        expect(body.detail).to.match(detail)
      })

    const property = (one: unknown): object => ({ query: 'Birdie', properties: [one] })
    const wrongQueries: Readonly<Record<string, unknown>> = {
      'is a text': 'Birdie',
      'is a number': 3,
      'is null': null,
      'has nothing': {},
      'has a blank name': { query: ' ' },
      'has null in place of a name': { query: null },
      'has a number in place of a name': { query: 3 },
      'has a name that is too long': { query: 'x'.repeat(1001) },
      'has a type that is a number': { query: 'Birdie', type: 3 },
      'has too many types': { query: 'Birdie', type: Array.from({ length: 21 }, () => 'agents') },
      'has another strictness': { query: 'Birdie', type_strict: 'some' },
      'has a limit of 0': { query: 'Birdie', limit: 0 },
      'has properties that are none': { query: 'Birdie', properties: {} },
      'has too many properties': {
        query: 'Birdie',
        properties: Array.from({ length: 21 }, () => ({ pid: 'year', v: 1 })),
      },
      'has a property without v': property({ pid: 'year' }),
      'has a property that is null': property(null),
      'has too many values': property({ pid: 'year', v: Array.from({ length: 21 }, () => 1) }),
      'has a value without an identifier': property({ pid: 'zine', v: { name: 'x' } }),
    }
    for (const [what, query] of Object.entries(wrongQueries))
      it(`a query of a batch that ${what} has no candidates, and the others have theirs`, async () => {
        const queries = JSON.stringify({
          q0: { query: 'Birdie' },
          q1: query,
          q2: { query: 'Birdie' },
        })
        const { status, text, body } = await post(service(), { queries })
        expect(status, text).to.equal(200)
        expectForm('results', body)
        expect(body.q1).to.deep.equal({ result: [] })
        for (const key of ['q0', 'q2']) expect(ids(body[key].result)).to.include('agents/bird')
      })

    it('a query without a name may have null in its place, where a property says what is meant', async () => {
      expect(
        ids(await reconcile({ query: null, properties: [{ pid: 'id', v: 'bird' }] })),
      ).to.include('agents/bird')
    })

    it('a body that is no form is answered 415, and a method that is not allowed 405', async () => {
      const { status } = await service().post('/reconcile', { queries: {} })
      expect(status).to.equal(415)
      expect((await service().put('/reconcile', {})).status).to.equal(405)
    })

    it('JSON that is nested very deep is answered 400', async () => {
      const { status } = await post(service(), { queries: '['.repeat(100_000) })
      expect(status).to.equal(400)
    })
  })
})
