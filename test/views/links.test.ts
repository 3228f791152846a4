// No link on a page leads to an error, following links from the home page of the sample.

import { expect } from 'chai'

import { useService } from '../service.js'
import { addressesIn, expectInert, loadSample, look, open, read } from './browser.js'

/** The number of addresses of one form that are visited: of hundreds of subjects, the first few; of pairs of filters, one. */
const maxPerForm = (form: string): number => (form.includes('&') ? 1 : 3)

/** Pages with a session or with scripts have tests of their own. */
const elsewhere = /^\/(?:manage\/|sparql|api\/schema\/swagger-ui\/)/

/** The form of an address, which is the same for addresses that the same code answers. */
function formOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://page.example/')
  const names = [...new Set(searchParams.keys())].sort()
  const form = pathname.replace(
    /^(\/api\/(?:vocabularies\/|geography\/)?[\w-]+\/)[^/]+\/$/,
    '$1:id/',
  )
  return `${form}?${names.join('&')}`
}

/** Links to a page in another language are answered with a redirect to the page. */
const isLanguageLink = (path: string): boolean => /[?&]lang=/.test(path)

/** A zine by chance is at an address that leads to another zine each time. */
const isChance = (path: string): boolean => path.startsWith('/random')

const statusOf = (path: string): number => (isLanguageLink(path) ? 302 : isChance(path) ? 303 : 200)

describe('the links of pages', () => {
  const service = useService()
  before(() => loadSample(service()))

  const inside = (address: string, from: string): string | undefined => {
    const url = new URL(address, service().url + from)
    const path = url.pathname + url.search
    return url.origin === service().url && !elsewhere.test(path) ? path : undefined
  }

  it('on the home page all answer 200', async () => {
    for (const address of addressesIn(await open(service(), '/api/'))) {
      const path = inside(address, '/api/')
      if (path) expect((await look(service(), path)).status, path).to.equal(statusOf(path))
    }
  })

  it('reach every kind of page from the home page, and none answers an error', async () => {
    const seen = new Map<string, string>([['/api/', 'the start']])
    const forms = new Map<string, number>()
    for (const [path, from] of seen) {
      const { status, headers, text } = await look(service(), path)
      expect(status, `${path}, from ${from}`).to.equal(statusOf(path))
      if (!headers.get('content-type')?.startsWith('text/html')) continue
      const page = read(text)
      expectInert(page, path)
      for (const address of addressesIn(page)) {
        const next = inside(address, path)
        if (next === undefined || seen.has(next) || isLanguageLink(next)) continue
        const form = formOf(next)
        const visited = forms.get(form) ?? 0
        // Filters combine without end; links with one of them are enough.
        if (visited >= maxPerForm(form) || form.split('&').length > 2) continue
        forms.set(form, visited + 1)
        seen.set(next, path)
      }
    }
    const paths = [...seen.keys()]
    for (const part of [
      '/api/zines/',
      '/api/geography/places/',
      '/api/vocabularies/subjects/',
      '/vocabularies/subjects',
      '/ns',
      '/dataset',
      '/explore',
      '/dumps/catalogue.nt.gz',
    ])
      expect(paths).to.include(part)
    expect(paths.length).to.be.greaterThan(100)
  })
})
