// Searches for leaks of hidden records: one of each kind has a mark in its identifier and in its texts, and every
// answer of every address is searched for the marks, in every format, for everybody who may not write its kind. The
// answer at its own address is that of an identifier that never was.

import { expect } from 'chai'

import { formatsOf } from '../../src/http/endpoint.js'
import { seriesOf } from '../../src/model/series.js'
import { agent, holding, repository, zine } from '../examples.js'
import { image, sendPicture } from '../features/pictures/picture-files.js'
import { recordPath, resources, useCatalogue, type Resource } from '../http/catalogue.js'
import { ACCEPT, type Browser, browse } from '../views/browser.js'
import { routes } from './routes.js'

type Name = Resource['name']

const common = 'qzxwvkjqx'

/** The identifiers of the hidden records. Each is a mark, and is in the texts too. */
const marks = {
  zines: `${common}zn`,
  agents: `${common}gn`,
  repositories: `${common}rp`,
  holdings: `${common}hd`,
} as const

/** As long as the marks, so that answers are as long. */
const never = {
  zines: 'nvrwvkjqxzn',
  agents: 'nvrwvkjqxgn',
  repositories: 'nvrwvkjqxrp',
  holdings: 'nvrwvkjqxhd',
} as const satisfies Readonly<Record<Name, string>>

/** Records that everybody saw before they were hidden, with marks in their texts alone. */
const turned = { zines: 'turned-zine', agents: 'turned-agent' } as const

const hidden = { visibility: 'hidden', hidden_reason: `${common}why` }

type Reader = {
  readonly headers: Readonly<Record<string, string>>
  readonly writes?: readonly Name[]
}

describe('hidden records', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })
  const browsers = new Map<string, Browser>()

  before(async () => {
    const send = async (method: string, path: string, body: object) => {
      const { status, text } = await service().ask(method, path, { body })
      expect(status, `${method} ${path} ${text}`).to.be.below(300)
    }
    const { zines, agents, repositories, holdings } = marks
    await send(
      'POST',
      '/api/agents/',
      agent(agents, { display_name: agents, biography: agents, ...hidden }),
    )
    await send(
      'POST',
      '/api/repositories/',
      repository(repositories, { repository_name: repositories, city: repositories, ...hidden }),
    )
    const texts = {
      title: zines,
      abstract: zines,
      series_title: [zines],
      place_of_publication: [zines],
    }
    await send('POST', '/api/zines/', zine(zines, { ...texts, creator: [agents], ...hidden }))
    await send(
      'POST',
      '/api/holdings/',
      holding(holdings, { call_number: holdings, barcode: holdings, ...hidden }),
    )
    await send('POST', '/api/holdings/', holding(`${holdings}2`, { repository_id: repositories }))
    await send('POST', '/api/holdings/', holding(`${holdings}3`, { zine_id: zines }))
    await sendPicture(
      service(),
      `${recordPath('zines', zines)}pictures/`,
      await image().png().toBuffer(),
      { alt: zines, public: 'true', rights: 'unknown' },
    )
    // Names the hidden agent, so that it has to withhold that.
    const makers = { creator: [agents, 'maker'], contributor: [agents], publisher: [agents] }
    await send('PUT', '/api/zines/zine/', zine('zine', makers))
    await send('POST', '/api/agents/', agent(turned.agents, { display_name: `${common}turned` }))
    await send(
      'POST',
      '/api/zines/',
      zine(turned.zines, { title: `${common}turned`, creator: [turned.agents] }),
    )
    // Caches are filled.
    for (const path of ['/api/zines/', '/api/agents/', recordPath('zines', turned.zines)])
      for (const accept of ['application/json', ACCEPT, 'text/turtle'])
        await service().get(path, { headers: { accept } })
    await send('POST', `/api/zines/${turned.zines}/rename/`, { id: `${turned.zines}-2` })
    await send('PATCH', recordPath('zines', `${turned.zines}-2`), hidden)
    await send('PATCH', recordPath('agents', turned.agents), hidden)
    for (const { name } of resources)
      await service().accounts.add({
        name: `only-${name}`,
        password: 'correct horse battery staple',
        role: 'editor',
        restrictedTo: [name],
      })
    for (const name of ['viewer', ...resources.map((one) => `only-${one.name}`)]) {
      const browser = browse(service().url)
      await browser.signIn(name)
      browsers.set(name, browser)
    }
  })

  function readers(): Readonly<Record<string, Reader>> {
    const { viewer } = service().tokens
    const ofKinds = resources.flatMap(
      ({ name }) =>
        [
          [
            `the editor of ${name}`,
            {
              headers: { authorization: `Token ${service().accounts.tokenOf(`only-${name}`)}` },
              writes: [name],
            },
          ],
          [
            `the editor of ${name} in a browser`,
            { headers: { cookie: browsers.get(`only-${name}`)?.cookie() ?? '' }, writes: [name] },
          ],
        ] as const,
    )
    return {
      nobody: { headers: {} },
      viewer: { headers: { authorization: `Token ${viewer}` } },
      'a viewer in a browser': { headers: { cookie: browsers.get('viewer')?.cookie() ?? '' } },
      ...Object.fromEntries(ofKinds),
    }
  }

  async function everything(path: string, headers: Readonly<Record<string, string>>) {
    // How well an identifier that is repeated is compressed depends on its letters.
    const sent = { 'accept-encoding': 'identity', ...headers }
    const answer = await fetch(service().url + path, { redirect: 'manual', headers: sent })
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    const shown = [...answer.headers].filter(([name]) => !ofOneRequest.has(name))
    return { status: answer.status, text: `${answer.status} ${JSON.stringify(shown)}\n${text}` }
  }

  const ofOneRequest = new Set(['date', 'x-request-id', 'set-cookie', 'server-timing'])

  const formatsAt = (path: string): readonly string[] => {
    const endpoint = service().endpoints.find((one) => one.path === path)
    return [...new Set((endpoint ? formatsOf(endpoint) : []).map(({ name }) => name))]
  }

  /** What an account finds of the records that it may write, in the lists for those who edit. */
  const isForEditors = (path: string): boolean =>
    /^\/(?:manage\/(?:worklists|hidden|deleted|batches|requests)|api\/(?:batches|deleted))/.test(
      path,
    )

  const readable = routes.filter(({ uses }) => 'GET' in uses)

  for (const { path, at } of readable.filter((one) => !isForEditors(one.path)))
    it(`are in no answer of ${path}`, async () => {
      const formats = formatsAt(path).flatMap((format) => [`?format=${format}`])
      for (const [who, { headers }] of Object.entries(readers()))
        for (const parameters of ['', ...formats]) {
          const accept = parameters === '' ? ACCEPT : '*/*'
          const { text } = await everything(at + parameters, { accept, ...headers })
          expect(text.toLowerCase(), `${at}${parameters} by ${who}`).not.to.include(common)
        }
    })

  for (const { path } of readable.filter((one) =>
    /^\/(?:api|id|manage|iiif)\/.*:id/.test(one.path),
  )) {
    const [, name] = /^\/(?:api|id|manage)\/(zines|agents|repositories|holdings)\//.exec(path) ?? []
    if (!name) continue
    // The cast: the expression has the names.
    const kind = name as Name

    it(`leave the answer of ${path} as that of an identifier that never was`, async () => {
      for (const [who, { headers, writes = [] }] of Object.entries(readers())) {
        if (writes.includes(kind)) continue
        for (const format of ['', ...formatsAt(path).map((one) => `?format=${one}`)]) {
          const [one, other] = [marks[kind], never[kind]]
          const ask = async (id: string) =>
            (
              await everything(path.replace(':id', id).replaceAll(/:\w+/g, '1') + format, {
                accept: ACCEPT,
                ...headers,
              })
            ).text.replaceAll(id, 'ID')
          expect(await ask(one), `${path}${format} by ${who}`).to.equal(await ask(other))
        }
      }
    })
  }

  /** What asks for a word. */
  const askingFor: readonly ((word: string) => string)[] = [
    ...resources.flatMap(({ name }) =>
      ['json', 'html', 'csv'].flatMap((format) => [
        (word: string) => `/api/${name}/?q=${word}&format=${format}`,
        (word: string) => `/api/${name}/?search=${word}&format=${format}`,
      ]),
    ),
    (word) => `/api/search/?q=${word}`,
    (word) => `/api/suggest/?q=${word}`,
    (word) => `/api/suggest/?q=${word.slice(0, 5)}`,
    ...['creator', 'contributor', 'publisher', 'repository', 'only_in', 'series'].map(
      (filter) => (word: string) => `/api/zines/?${filter}=${word}`,
    ),
    ...['zine_id', 'repository_id'].map(
      (filter) => (word: string) => `/api/holdings/?${filter}=${word}`,
    ),
    (word) => `/reconcile?queries=${encodeURIComponent(JSON.stringify({ q0: { query: word } }))}`,
    (word) => `/map?creator=${word}&format=json`,
    (word) => `/series?search=${word}&format=json`,
    (word) =>
      `/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:zines.example:zines/${word}`,
    (word) =>
      `/sparql?query=${encodeURIComponent(`SELECT * WHERE { GRAPH ?g { ?s ?p ?o } FILTER(CONTAINS(STR(?s), "${word}") || CONTAINS(STR(?o), "${word}")) }`)}`,
  ]

  for (const ask of askingFor)
    it(`are found no more than what never was by ${decodeURIComponent(ask('WORD'))}`, async () => {
      for (const { name } of resources)
        for (const accept of ['application/json', ACCEPT]) {
          const answerFor = async (word: string) =>
            (await everything(ask(word), { accept })).text
              .replaceAll(word, 'ID')
              .replaceAll(word.slice(0, 5), 'ID')
              // The word is in what the tag is made of.
              .replaceAll(/\["etag",.*?\]/g, '')
              .replaceAll(/<responseDate>.*?<.responseDate>/g, '')
          expect(await answerFor(marks[name])).to.equal(await answerFor(never[name]))
        }
    })

  const listing: readonly string[] = [
    '/series?format=json',
    '/api/zines/?page_size=100',
    '/api/zines/facets/?facet=creator,place,series,repository',
    '/makers?letter=Q&format=json',
    '/explore?rows=creator&columns=repository&format=json',
    ...['/sitemaps/zines-1.xml', '/sitemaps/agents-1.xml', '/sitemaps/pages.xml'],
    '/oai?verb=ListRecords&metadataPrefix=oai_dc',
    '/oai?verb=ListIdentifiers&metadataPrefix=oai_dc',
    '/api/changes/?limit=1000',
    '/activity/page/1',
    '/ldes/1',
  ]

  for (const address of listing)
    it(`are not listed by ${address}`, async () => {
      for (const accept of ['application/json', ACCEPT, 'text/turtle'])
        expect((await everything(address, { accept })).text.toLowerCase()).not.to.include(common)
    })

  it('leave no series behind', async () => {
    const [series] = seriesOf(zine(marks.zines, { series_title: [marks.zines] }))
    expect((await service().get(`/series/${series?.slug ?? ''}`)).status).to.equal(404)
  })

  it('are counted by nothing', async () => {
    for (const { name } of resources) {
      const { body } = await service().get(`/api/${name}/?page_size=100`, {
        token: service().tokens.admin,
      })
      expect(body.count, name).to.equal(body.results.length)
    }
    const asked = `SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o FILTER(CONTAINS(STR(?s), "${common}") || CONTAINS(STR(?o), "${common}")) }`
    const { text } = await service().get(`/sparql?query=${encodeURIComponent(asked)}`, {
      headers: { accept: 'text/csv' },
    })
    expect(text.replaceAll('\r', '')).to.equal('n\n0\n')
  })

  it('leave the tags of lists as they are while only hidden records change', async () => {
    const tags = async () =>
      Promise.all(
        ['/api/zines/', '/api/zines/zine/', '/api/agents/', '/', '/dataset'].map(async (path) => {
          const { headers } = await service().get(path)
          return [
            path,
            headers.get('etag'),
            headers.get('last-modified'),
            headers.get('x-log-position'),
          ]
        }),
      )
    const before = await tags()
    await service().patch(recordPath('zines', marks.zines), { abstract: 'Other' })
    await service().patch(recordPath('agents', marks.agents), { biography: 'Other' })
    expect(await tags()).to.deep.equal(before)
  })

  it('are found by this test where they may be seen', async () => {
    for (const { name } of resources) {
      const token = service().accounts.tokenOf(`only-${name}`)
      const { status, text } = await service().get(recordPath(name, marks[name]), { token })
      expect(status).to.equal(200)
      expect(text).to.include(marks[name])
    }
  })
})
