// Every address that has a page answers browsers with HTML, and programs with data as before.

import { createHash } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'

import { expect } from 'chai'
import { Parser } from 'n3'

import { agent, holding, repository, zine } from '../examples.js'
import { unique } from '../http/catalogue.js'
import { expectNoMark, SECRETS } from '../http/secrets.js'
import { BASE_URL, WITH_INDEX, useService } from '../service.js'
import { ACCEPT, addressesIn, expectInert, look, open } from './browser.js'

const PAGES = [
  '/api/',
  '/api/zines/',
  '/api/zines/zine/',
  '/api/agents/',
  '/api/agents/maker/',
  '/api/repositories/',
  '/api/repositories/library/',
  '/api/holdings/',
  '/api/holdings/copy/',
  '/api/search/',
  '/api/search/?q=zine',
  '/api/search/?q=nothing-is-so-called',
  '/api/zines/?q=zine&subject__in=punk,art&decade=1990',
  '/api/vocabularies/',
  '/api/vocabularies/subjects/',
  '/api/vocabularies/subjects/?search=punk',
  '/api/vocabularies/subjects/?search=nothing-is-so-called',
  '/api/vocabularies/subjects/punk/',
  '/api/vocabularies/rights-status/cc-by-4.0/',
  '/api/geography/',
  '/api/geography/countries/',
  '/api/geography/countries/PL/',
  '/api/geography/languages/',
  '/api/geography/languages/en/',
  '/api/geography/places/',
  '/api/geography/places/?search=leeds&country_code=GB&level=city',
  '/api/geography/places/2644688/',
  '/api/schema/',
  '/vocabularies/subjects',
  '/vocabularies/repository-status',
  '/geography/countries',
  '/geography/languages',
  '/ns',
  '/dataset',
  '/explore',
  '/makers?letter=M',
  '/map',
]

/** Pages for readers leave out whether an agent is public (docs/reference/accounts.md, "Privacy"). */
const leaveOutEditorial = (name: string, value: unknown): unknown =>
  name === 'public' ? undefined : value

describe('pages', () => {
  const service = useService()

  before(async () => {
    const secretive = agent('maker', { public: false, ...SECRETS })
    await service().post('/api/agents/', secretive)
    await service().post('/api/zines/', zine('zine'))
    await service().post('/api/repositories/', repository('library'))
    const { status } = await service().post('/api/holdings/', holding('copy'))
    expect(status).to.equal(201)
  })

  for (const path of PAGES.filter((one) => WITH_INDEX || !one.includes('q=')))
    describe(path, () => {
      it('answers a browser with a page that has a title, one h1 and one main', async () => {
        const page = await open(service(), path)
        expect(page.all('title')[0]?.text).to.match(/Zine Catalogue$/)
        expect(page.all('h1')).to.have.lengthOf(1)
        expect(page.all('main')).to.have.lengthOf(1)
        expectInert(page, path)
      })

      it('answers with a content security policy, Vary and an ETag', async () => {
        const { headers } = await look(service(), path)
        const policy = headers.get('content-security-policy') ?? ''
        expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'")
        expect(policy).not.to.include('unsafe')
        expect(headers.get('x-content-type-options')).to.equal('nosniff')
        expect(headers.get('referrer-policy')).to.equal('same-origin')
        expect(headers.get('vary')?.toLowerCase()).to.include('accept').and.include('cookie')
        expect(headers.get('etag')).to.match(/^"(?:[\w-]+-)?html-/)
      })

      it('answers ?format=html with the page', async () => {
        const address = `${path}${path.includes('?') ? '&' : '?'}format=html`
        const { status, headers } = await service().get(address)
        expect([status, headers.get('content-type')]).to.deep.equal([
          200,
          'text/html; charset=utf-8',
        ])
      })

      it('answers Accept: */* with data, which the page shows as an API request', async () => {
        const { headers, text } = await service().get(path, { headers: { accept: '*/*' } })
        const type = headers.get('content-type') ?? ''
        expect(type).to.match(/json|turtle|yaml/)
        const page = await open(service(), path)
        const request = page.all('details', 'request')[0]
        expect(request?.text).to.include(`Accept: ${type.split(';')[0]}`)
        const shown = request?.all('pre', 'json')[0]?.text ?? ''
        // Of a long response, the page shows the beginning: see list-page.test.ts.
        const isList = /records? more/.test(shown)
        if (type.includes('json') && !isList && !shown.includes('characters more'))
          expect(JSON.parse(shown)).to.deep.equal(JSON.parse(text, leaveOutEditorial))
        else if (isList) expect(JSON.parse(text)).to.include.keys('count', 'results')
        else expect(text).to.include(text.startsWith('[') ? '"code"' : shown.slice(0, 40))
      })

      it('links to the other formats, which all answer 200', async () => {
        const page = await open(service(), path)
        const links = page.all('nav', 'formats').flatMap((nav) => nav.all('a'))
        expect(links).not.to.be.empty
        for (const { attributes } of links) {
          const { status, headers } = await service().get(attributes.href ?? '')
          expect(status).to.equal(200)
          expect(headers.get('content-type')).to.include(attributes.type)
        }
      })

      it('has every anchor that it links to, and no id twice', async () => {
        const page = await open(service(), path)
        const ids = page.all('*').flatMap(({ attributes }) => attributes.id ?? [])
        expect(new Set(ids).size).to.equal(ids.length)
        for (const address of addressesIn(page).filter((one) => one.startsWith('#')))
          expect(ids).to.include(decodeURIComponent(address.slice(1)))
      })

      it('shows no private fields', async () => {
        expectNoMark((await look(service(), path)).text)
      })
    })

  it('have their style sheet in them for a browser that comes from elsewhere, which the policy allows', async () => {
    const sheetsOf = async (headers: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${service().url}/api/`, {
        headers: { accept: ACCEPT, ...headers },
      })
      const text = await answer.text()
      const policy = answer.headers.get('content-security-policy') ?? ''
      return {
        inline: [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css),
        linked: [...text.matchAll(/<link rel="stylesheet" href="\/assets\/([\w-]+)[^>]*>/g)].map(
          ([link, name]) => `${name}${link.includes('media="print"') ? ' for printing' : ''}`,
        ),
        allowed: [...policy.matchAll(/'(sha256-[^']*)'/g)].map(([, source]) => source),
        vary: answer.headers.get('vary'),
      }
    }
    for (const site of ['none', 'cross-site']) {
      const { inline, linked, allowed, vary } = await sheetsOf({ 'sec-fetch-site': site })
      expect(linked).to.deep.equal(['site for printing', 'covers for printing'])
      expect(inline).to.have.length(3)
      expect(inline[0]).to.include('--font-heading').and.not.include('/*')
      const hashes = inline.map(
        (css) => `sha256-${createHash('sha256').update(css).digest('base64')}`,
      )
      expect(allowed).to.deep.equal(hashes)
      expect(vary).to.include('Sec-Fetch-Site')
    }
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, {}])
      expect(await sheetsOf(headers)).to.deep.include({
        inline: [],
        linked: ['site', 'covers', 'reference'],
        allowed: [],
      })
  })

  it('weigh less than 60 KB with all that they load', async () => {
    const weigh = async (path: string): Promise<{ text: string; size: number }> => {
      const headers = { accept: ACCEPT, 'accept-encoding': 'identity', 'sec-fetch-site': 'none' }
      const bytes = Buffer.from(
        await (await fetch(service().url + path, { headers })).arrayBuffer(),
      )
      const isFont = path.includes('.woff2')
      return {
        text: bytes.toString(),
        size: isFont ? bytes.length : brotliCompressSync(bytes).length,
      }
    }
    for (const path of ['/api/', '/api/zines/?view=grid']) {
      const { text, size } = await weigh(path)
      const assets = new Set(
        [...text.matchAll(/\/assets\/[\w.-]+(?:\?v=[\w-]+)?/g)].map(([one]) => one),
      )
      let total = size
      // Fonts for other scripts are loaded where these are shown.
      for (const one of assets) if (!one.includes('-ext-')) total += (await weigh(one)).size
      expect(total, path).to.be.within(20_000, 60_000)
    }
  })

  it('of unknown entries and pages answer 404', async () => {
    for (const path of [
      '/api/vocabularies/nothing/',
      '/api/vocabularies/subjects/nothing/',
      '/api/geography/countries/XX/',
      '/api/geography/places/0/',
      '/api/geography/places/?page=99999',
      '/vocabularies/nothing',
    ])
      expect((await look(service(), path)).status, path).to.equal(404)
  })

  for (const method of ['GET', 'HEAD'])
    it(`at / redirect to the home page for ${method}`, async () => {
      for (const accept of ['text/html,*/*;q=0.8', '*/*', 'application/json']) {
        const { status, headers } = await service().ask(method, '/', { headers: { accept } })
        expect([status, headers.get('location')]).to.deep.equal([302, `${service().url}/api/`])
      }
    })

  it('of vocabularies and geography are objects of links in JSON', async () => {
    for (const path of ['/api/vocabularies/', '/api/geography/']) {
      const { body } = await service().get(path)
      const root = (await service().get('/api/')).body
      const entries = Object.entries<string>(body)
      expect(entries).not.to.be.empty
      for (const [name, address] of entries) {
        expect(address).to.equal(`${service().url}${path}${name}/`).and.equal(root[name])
        expect((await service().get(address.slice(service().url.length))).status).to.equal(200)
      }
    }
  })

  describe('that IRIs lead to:', () => {
    const anchorsOn = async (path: string) =>
      (await open(service(), path)).all('*').flatMap(({ attributes }) => attributes.id ?? [])

    for (const path of ['/vocabularies/subjects', '/vocabularies/rights-status', '/ns'])
      it(`${path} has an anchor for each of its own terms`, async () => {
        const { text } = await service().get(path, { headers: { accept: 'application/n-triples' } })
        const subjects = new Set(new Parser().parse(text).map(({ subject }) => subject.value))
        const own = [...subjects].filter((one) => one.startsWith(`${BASE_URL}${path}#`))
        expect(own).not.to.be.empty
        const anchors = await anchorsOn(path)
        expect(anchors).to.include.members(
          own.map((one) => decodeURIComponent(new URL(one).hash.slice(1))),
        )
      })
  })

  it('of subjects link to broader, narrower and related subjects', async () => {
    const page = await open(service(), '/api/vocabularies/subjects/ableism/')
    const links = addressesIn(page)
    expect(links).to.include('/api/vocabularies/subjects/discrimination/')
    expect(links).to.include('/api/vocabularies/subjects/disability/')
    const broader = await open(service(), '/api/vocabularies/subjects/discrimination/')
    expect(addressesIn(broader)).to.include('/api/vocabularies/subjects/ableism/')
  })

  it('of entries link to the records that use them', async () => {
    for (const [path, record] of [
      ['/api/vocabularies/subjects/punk/', '/api/zines/zine/'],
      ['/api/geography/languages/en/', '/api/zines/zine/'],
      ['/api/geography/countries/US/', '/api/repositories/library/'],
      ['/api/vocabularies/agent-kinds/Person/', '/api/agents/maker/'],
    ] as const)
      expect(addressesIn(await open(service(), path)), path).to.include(record)
  })

  it('of places link to the places above and below and to a map', async () => {
    const [england, uk, leeds] = ['6269131', '2635167', '2644688']
    const links = addressesIn(await open(service(), `/api/geography/places/${england}/`))
    expect(links).to.include(`/api/geography/places/${uk}/`)
    expect(links).to.include(`/api/geography/places/${leeds}/`)
    expect(links).to.include('/api/geography/countries/GB/')
    expect(links.some((one) => one.startsWith('https://www.openstreetmap.org/?mlat='))).to.equal(
      true,
    )
  })

  it('of the API reference have every operation', async () => {
    const { body } = await service().get('/api/schema/?format=json')
    const page = await open(service(), '/api/schema/')
    const shown = page.all('article', 'operation').map((one) => one.all('h3')[0]?.text)
    const described = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(shown).to.have.members(described)
  })

  it('of the dataset have the number of records of each resource', async () => {
    const { text } = await open(service(), '/dataset')
    for (const name of ['Zines', 'Makers', 'Libraries', 'Copies'])
      expect(text).to.include(`${name} 1`)
  })

  it('of the dataset link to the feeds of changes, and so does its description', async () => {
    const feeds = ['/api/changes/', '/activity/', '/ldes']
    const links = (await open(service(), '/dataset')).all('a').map((one) => one.attributes.href)
    expect(links).to.include.members(feeds)
    const { text } = await service().get('/dataset', {
      headers: { accept: 'application/n-triples' },
    })
    for (const feed of feeds)
      for (const property of ['accessURL', 'endpointURL'])
        expect(text).to.match(new RegExp(`dcat#${property}> <[^>]*${feed}>`))
  })

  it('of a list link to files with the whole list, filtered alike, and to this page as data', async () => {
    const many = unique('many')
    for (let index = 0; index < 3; index++)
      await service().post('/api/zines/', zine(`${many}-${index}`, { title: many }))
    const query = `search=${many}&ordering=title`
    const page = await open(service(), `/api/zines/?${query}&page_size=2&page=2`)
    const [files, data] = page.all('nav', 'formats')
    expect(files?.all('h2')[0]?.text).to.equal('Download all 3')
    const links = files?.all('a') ?? []
    expect(links.slice(0, 2).map(({ text }) => text)).to.include('CSV')
    expect(links.map(({ text }) => text)).to.include.members(['JSON lines', 'MARCXML', 'BibTeX'])
    const lines = links.find(({ text }) => text === 'JSON lines')?.attributes.href ?? ''
    expect((await service().get(lines)).text.trim().split('\n')).to.have.length(3)
    expect(data?.all('h2')[0]?.text).to.equal('This page')
    const json = data?.all('a').find(({ text }) => text === 'JSON')?.attributes.href ?? ''
    expect((await service().get(json)).body.results).to.have.length(1)
  })

  it('of a list of zines and of the dataset link to MARC with the copies of the zines', async () => {
    await service().post('/api/repositories/', repository('koha'))
    const copy = holding(unique('copy'), { zine_id: 'zine', repository_id: 'koha' })
    expect((await service().post('/api/holdings/', copy)).status).to.equal(201)
    for (const path of ['/api/zines/?ordering=title', '/dataset']) {
      const links = (await open(service(), path)).all('a')
      const linkTo = (title: string) => links.find(({ text }) => text === title)?.attributes.href
      const koha = await service().get(linkTo('MARC with copies for Koha') ?? '')
      expect(koha.text).to.include('\u001fakoha\u001fbkoha')
      const { status, text } = await service().get(linkTo('MARC with copies') ?? '')
      expect(status).to.equal(200)
      expect(text).to.include('\u001faLibrary koha')
    }
    const { text } = await open(service(), '/api/agents/').then(
      (page) => page.all('nav', 'formats')[0] ?? { text: '' },
    )
    expect(text).to.include('MARC').and.not.to.include('copies')
  })

  it('of an empty list link to no files', async () => {
    const page = await open(service(), '/api/zines/?search=nothing-is-so-called')
    expect(page.all('nav', 'formats').map((nav) => nav.attributes['aria-label'])).to.deep.equal([
      'This page',
    ])
  })
})
