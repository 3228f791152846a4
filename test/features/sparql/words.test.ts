// Words in queries: zc:matches finds what the parameter `q` of lists finds.

import { expect } from 'chai'
import fc from 'fast-check'
import { SparqlEndpointFetcher } from 'fetch-sparql-endpoint'

import { WITH_INDEX, useService } from '../../service.js'
import { listPath, recordPath, resourceOf, resources, useCatalogue } from '../../http/catalogue.js'
import { SECRETS } from '../../http/secrets.js'
import { GRAPHS, PREFIXES, ask, rowsOf } from './client.js'

const thing = (kind: string, id: string) => `https://zines.example/id/${kind}/${id}`

/** Words of the sample below, of none of it, and what is typed beside words. */
// prettier-ignore
const vocabulary = ['soup', 'kitchen', 'raven', 'zora', 'Zora', 'garden', 'gardens', 'the', 'press', 'nothing', 'soop', 'title:soup', 'creator:zora', '-soup', '"soup kitchen"', '"kitchen soup"', 'ra', '"', '\\', "l'été"]

describe('zc:matches', function () {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '1' })

  before(async function () {
    if (!WITH_INDEX) this.skip()
    await given.agent({ agent_id: 'zora', display_name: 'Zora Quist', ...SECRETS, public: false })
    const titles = {
      'soup-1': 'Soup Kitchen',
      'soup-2': 'The Kitchen of Soup',
      'soup-3': 'Soup',
      raven: 'Raven & Garden',
      summer: 'L’été des gardens',
    }
    for (const [zine_id, title] of Object.entries(titles))
      await given.zine({ zine_id, title, creator: ['zora'], abstract: 'From the soup press.' })
    const library = resourceOf('repositories').minimal('soup-library', {
      repository_name: 'Soup Kitchen Library',
    })
    await service().post(listPath('repositories'), library)
    await given.holding({ zine_id: 'raven', repository_id: 'soup-library', call_number: 'SOUP 1' })
  })

  const find = async (pattern: string) =>
    (await rowsOf(service(), `SELECT * { ${pattern} }`)).map(({ r }) => r)
  const refusalOf = async (pattern: string, prologue = '') => {
    const { status, body } = await ask(service(), `${prologue}${PREFIXES} SELECT * { ${pattern} }`)
    expect(status).to.equal(400)
    return body.detail as string
  }

  const searches = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 })
  for (const { name, idField } of resources)
    it(`finds the same ${name} as the parameter q of the list, in the same order`, () =>
      fc.assert(
        fc.asyncProperty(searches, async (words) => {
          const q = words.join(' ')
          const { body } = await service().get(
            `${listPath(name)}?page_size=100&q=${encodeURIComponent(q)}`,
          )
          const rows = await rowsOf(
            service(),
            `SELECT ?r { (?r ?score) zc:matches ${JSON.stringify(q)}
              FILTER(STRSTARTS(STR(?r), "https://zines.example/id/${name}/")) }
             ORDER BY DESC(?score) ?r`,
          )
          expect(rows.map(({ r }) => r)).to.deep.equal(
            body.results.map((record: any) => thing(name, record[idField])),
          )
        }),
        { numRuns: 25 },
      ))

  const classes = {
    zines: 'bf:Instance',
    agents: 'foaf:Agent',
    repositories: 'org:Organization',
    holdings: 'bf:Item',
  }
  for (const [name, type] of Object.entries(classes))
    it(`finds with ${type} beside it the records that have this class`, () =>
      fc.assert(
        fc.asyncProperty(searches, async (words) => {
          const find = (pattern: string) =>
            rowsOf(service(), `SELECT ?r ?score { ${pattern} } ORDER BY DESC(?score) ?r`)
          const matches = `(?r ?score) zc:matches ${JSON.stringify(words.join(' '))}`
          const beside = await find(`?r a ${type} . ${matches}`)
          // Another block: the class is looked up for each record.
          expect(beside).to.deep.equal(await find(`{ ${matches} } { ?r a ${type} }`), name)
        }),
        { numRuns: 10 },
      ))

  it('finds nothing in a graph in which no record has the class', async () => {
    const pattern = '?r a bf:Instance ; zc:matches "soup"'
    const queries = [
      `SELECT * FROM <${GRAPHS.vocabularies}> { ${pattern} }`,
      `SELECT * { GRAPH <${GRAPHS.vocabularies}> { ${pattern} } }`,
    ]
    for (const query of queries) expect(await rowsOf(service(), query), query).to.deep.equal([])
    expect(await rowsOf(service(), `SELECT * { GRAPH ?g { ${pattern} } }`)).to.have.length(5)
  })

  it('loads no triples for the class of what it finds', async function () {
    // A remote store has all triples.
    if (process.env.TEST_STORE) this.skip()
    const { body } = await ask(
      service(),
      `${PREFIXES} SELECT * { ?r a bf:Instance ; zc:matches "raven" ; dcterms:title ?t }`,
      { parameters: '?explain' },
    )
    expect(body.patterns.map(({ pattern }: any) => pattern)).to.deep.equal([
      '?s <http://purl.org/dc/terms/title> ?o',
    ])
  })

  it('finds records of all four kinds', async () => {
    const kinds = (await find('?r zc:matches "soup"')).map((iri) => iri?.split('/').at(-2))
    expect([...new Set(kinds)]).to.have.members(['zines', 'repositories', 'holdings'])
  })

  it('finds the best of each kind, as many as the number says', async () => {
    const [best, ...others] = await find('?r a bf:Instance . ?r zc:matches ("soup kitchen" 1)')
    expect([best, others]).to.deep.equal([thing('zines', 'soup-1'), []])
    const all = await find('?r zc:matches ("soup kitchen" 1)')
    expect(all).to.include.members([
      thing('zines', 'soup-1'),
      thing('repositories', 'soup-library'),
    ])
  })

  it('ignores the language of the words', async () => {
    expect(await find('?r a bf:Instance ; zc:matches "raven"@fr')).to.deep.equal([
      thing('zines', 'raven'),
    ])
  })

  it('asks of a record that is named whether it has the words', async () => {
    const asked = async (id: string) => {
      const pattern = `<${thing('zines', id)}> zc:matches "kitchen"`
      return (await ask(service(), `${PREFIXES} ASK { ${pattern} }`)).body.boolean
    }
    expect([await asked('soup-1'), await asked('raven')]).to.deep.equal([true, false])
  })

  /** Each with how many rows it has. */
  // prettier-ignore
  const places: Readonly<Record<string, readonly [query: string, rows: number]>> = {
    'beside other patterns': ['SELECT ?t { ?r zc:matches "kitchen" ; dcterms:title ?t }', 2],
    'twice, for records with both': ['SELECT ?r { ?r a bf:Instance ; zc:matches "kitchen" . ?r zc:matches "title:the" }', 1],
    'in OPTIONAL': ['SELECT * { ?r dcterms:identifier "raven" OPTIONAL { ?r zc:matches "kitchen" } OPTIONAL { (?r ?score) zc:matches "raven" } FILTER(BOUND(?score)) }', 1],
    'in an OPTIONAL that finds nothing': ['SELECT * { ?r dcterms:identifier "raven" OPTIONAL { ?r zc:matches "xylophone" } }', 1],
    'in UNION': ['SELECT * { { ?r a bf:Instance ; zc:matches "raven" } UNION { ?r a bf:Instance ; zc:matches "kitchen" } }', 3],
    'in MINUS': ['SELECT * { ?r a bf:Instance ; zc:matches "soup" MINUS { ?r zc:matches "kitchen" } FILTER(CONTAINS(STR(?r), "soup")) }', 1],
    'in FILTER EXISTS': ['SELECT * { ?r a bf:Instance ; dcterms:title ?t FILTER EXISTS { ?r zc:matches "kitchen" } }', 2],
    'in FILTER NOT EXISTS': ['SELECT * { ?r a bf:Instance ; zc:matches "soup" FILTER NOT EXISTS { ?r zc:matches "kitchen" } FILTER(CONTAINS(STR(?r), "soup")) }', 1],
    'in GRAPH': [`SELECT * { GRAPH <${GRAPHS.public}> { ?r zc:matches "kitchen" ; dcterms:title ?t } }`, 2],
    'in a subquery': ['SELECT * { { SELECT ?r { (?r ?score) zc:matches "kitchen" . ?r a bf:Instance } ORDER BY DESC(?score) LIMIT 1 } ?r dcterms:title ?t }', 1],
    'with FROM': [`SELECT ?t FROM <${GRAPHS.public}> { ?r zc:matches "kitchen" ; dcterms:title ?t }`, 2],
    'with a LIMIT and VALUES': ['SELECT ?t { ?r zc:matches "soup" ; dcterms:title ?t } LIMIT 5 VALUES ?t { "Soup" }', 1],
    'without any result': ['SELECT * { (?r ?score) zc:matches "xylophone" . ?r dcterms:title ?t }', 0],
  }
  for (const [place, [query, count]] of Object.entries(places))
    it(`is answered ${place}`, async function () {
      // Virtuoso refuses VALUES there.
      if (process.env.TEST_STORE && /MINUS|EXISTS/.test(place)) this.skip()
      expect(await rowsOf(service(), query)).to.have.length(count)
    })

  it('is answered in CONSTRUCT and DESCRIBE', async () => {
    const answers = [
      'CONSTRUCT { ?r dcterms:title ?t } { ?r zc:matches "raven" ; dcterms:title ?t }',
      'DESCRIBE ?r { ?r a bf:Instance ; zc:matches "raven" }',
    ].map((query) => ask(service(), PREFIXES + query, { accept: 'text/turtle' }))
    for (const { text } of await Promise.all(answers)) expect(text).to.include('Raven & Garden')
  })

  it('keeps the order of the columns of SELECT *', async () => {
    const { body } = await ask(
      service(),
      `${PREFIXES} SELECT * { ?r dcterms:title ?t . (?r ?score) zc:matches "raven" . ?r ?p ?o }`,
    )
    expect(body.head.vars).to.deep.equal(['r', 't', 'score', 'p', 'o'])
  })

  /** Each with a part of what is said. */
  // prettier-ignore
  const wrong: Readonly<Record<string, readonly [pattern: string, message: RegExp]>> = {
    'a variable in place of the words': ['BIND("soup" AS ?w) ?r zc:matches ?w', /words in quotes/],
    'a variable that VALUES binds': ['VALUES ?w { "soup" } ?r zc:matches ?w', /words in quotes/],
    'no words': ['?r zc:matches " "', /words in quotes/],
    'more behind the number': ['?r zc:matches ("soup" 5 6)', /words in quotes/],
    'a number that is too large': ['?r zc:matches ("soup" 10001)', /from 1 to 10000/],
    'a number that is none': ['?r zc:matches ("soup" "many")', /from 1 to 10000/],
    'a step of a path': ['?r dcterms:creator/zc:matches "soup"', /step of a path/],
    'a step backwards': ['?w ^zc:matches ?r', /step of a path/],
    'a blank node before it': ['[] zc:matches "soup"', /a variable or an IRI/],
    'a score that is no variable': ['(?r 5) zc:matches "soup"', /a variable or an IRI/],
    'the same variable for record and score': ['(?r ?r) zc:matches "soup"', /a variable or an IRI/],
    'too many words': [`?r zc:matches "${'soup kitchen '.repeat(20)}"`, /no more than 32 words/],
    'too many searches': [Array.from({ length: 5 }, (_, number) => `?r zc:matches "soup ${number}"`).join(' . '), /4 searches/],
  }
  for (const [what, [pattern, message]] of Object.entries(wrong))
    it(`is refused with ${what}`, async () => {
      expect(await refusalOf(pattern)).to.match(message)
    })

  it('is refused beside an IRI that may be read in two ways', async function () {
    // Every query for an engine is written anew.
    if (process.env.TEST_STORE) this.skip()
    expect(await refusalOf('?r zc:matches "soup" ; dcterms:creator <../x>')).to.match(/write IRIs/)
  })

  it('answers the next query of the same worker after one that is refused', async () => {
    await refusalOf(`?r zc:matches "${'soup kitchen '.repeat(20)}"`)
    expect(await find('?r a bf:Instance ; zc:matches "raven"')).to.have.length(1)
  })

  it('takes words for text, whatever they look like', async () => {
    expect(await find('?r zc:matches "} UNION { ?s ?p ?o }"')).to.deep.equal([])
    expect(await find(`?r zc:matches "\\"\\\\ \\u2028 <x>"`)).to.deep.equal([])
  })

  it('finds a record as soon as its write is acknowledged, and not after it is deleted', async () => {
    const query = '?r zc:matches "marmalade" ; dcterms:title ?t'
    for (let round = 0; round < 5; round += 1) {
      await given.zine({ zine_id: 'marmalade', title: 'Marmalade' })
      expect(await find(query)).to.deep.equal([thing('zines', 'marmalade')])
      await service().delete(recordPath('zines', 'marmalade'))
      expect(await find(query)).to.deep.equal([])
    }
  })

  it('finds no record by what it does not show', async () => {
    for (const secret of Object.values(SECRETS).filter((value) => typeof value === 'string'))
      expect(await find(`?r zc:matches ${JSON.stringify(`"${secret}"`)}`), secret).to.deep.equal([])
  })

  it('finds no record that is hidden', async () => {
    await given.zine({ zine_id: 'unseen', title: 'Unseen rhubarb' })
    expect(await find('?r a bf:Instance ; zc:matches "rhubarb"')).to.have.length(1)
    const hiding = { visibility: 'hidden', hidden_reason: 'At the request of the maker.' }
    await service().patch(recordPath('zines', 'unseen'), hiding)
    expect(await find('?r a bf:Instance ; zc:matches "rhubarb"')).to.deep.equal([])
  })

  it('is answered to a client that others wrote', async () => {
    const stream = await new SparqlEndpointFetcher().fetchBindings(
      `${service().url}/sparql`,
      `${PREFIXES} SELECT ?r { ?r a bf:Instance ; zc:matches "raven" }`,
    )
    const rows: any[] = []
    for await (const row of stream as AsyncIterable<any>) rows.push(row.r.value)
    expect(rows).to.deep.equal([thing('zines', 'raven')])
  })

  it('is in the description of the endpoint and in the vocabulary', async () => {
    const { text } = await service().get('/sparql', { headers: { accept: 'text/turtle' } })
    expect(text).to.match(/sd:propertyFeature\s+(?:zc:matches|<[^>]*ns#matches>)/)
    expect((await service().get('/ns?format=turtle')).text).to.include('zc:matches')
  })
})

describe('zc:matches without an index of words', () => {
  const service = useService({ SPARQL_WORKERS: '1', LIST_INDEX: 'off' })

  it('is refused with the reason, and is not in the description', async () => {
    const { status, body } = await ask(service(), `${PREFIXES} SELECT * { ?r zc:matches "soup" }`)
    expect([status, body.detail]).to.deep.equal([
      400,
      'This service has no index of words in memory, so it does not answer zc:matches. FILTER with CONTAINS finds texts too.',
    ])
    const { text } = await service().get('/sparql', { headers: { accept: 'text/turtle' } })
    expect(text).not.to.include('propertyFeature')
  })
})
