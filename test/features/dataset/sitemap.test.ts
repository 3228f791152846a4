// Tests the sitemap and robots.txt: what they list is there, in valid XML, and they name nobody who is private.

import { expect } from 'chai'

import { complaintsOf } from '../../formats/xmllint.js'
import { BASE_URL, useService } from '../../service.js'
import { useCatalogue } from '../../http/catalogue.js'

const pathsIn = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) =>
    url.replaceAll('&amp;', '&').slice(BASE_URL.length),
  )

describe('/sitemap.xml', () => {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '1' })

  const read = async (path: string): Promise<string> => {
    const { status, headers, text } = await service().get(path)
    expect(status, path).to.equal(200)
    expect(headers.get('content-type')).to.equal('application/xml; charset=utf-8')
    return text
  }

  it('leads to sitemaps that are valid XML and whose addresses all answer', async function () {
    const index = await read('/sitemap.xml')
    expect(complaintsOf(this, index)).to.equal('')
    const files = pathsIn(index)
    expect(files).to.include.members(['/sitemaps/pages.xml', '/sitemaps/zines-1.xml'])
    for (const file of files) {
      const part = await read(file)
      expect(complaintsOf(this, part)).to.equal('')
      // Of the many pages of vocabularies some are enough.
      for (const path of pathsIn(part).filter((_, index) => index < 20 || index % 50 === 0)) {
        const { status } = await service().get(path, { headers: { accept: 'text/html' } })
        expect(status, path).to.equal(200)
      }
    }
  })

  it('has every record with the time of its last change, also after a write', async () => {
    const before = await read('/sitemaps/zines-1.xml')
    const zine = await given.zine({ zine_id: 'new & fresh' })
    const after = await read('/sitemaps/zines-1.xml')
    expect(before).not.to.include('fresh')
    expect(after).to.include(
      `<url><loc>${BASE_URL}/api/zines/new%20%26%20fresh/</loc>` +
        `<lastmod>${String(zine.updated_at)}</lastmod></url>`,
    )
    const index = await read('/sitemap.xml')
    expect(index).to.include(
      `<loc>${BASE_URL}/sitemaps/zines-1.xml</loc><lastmod>${String(zine.updated_at)}</lastmod>`,
    )
  })

  it('leaves out agents who are not public, and those who were deleted', async () => {
    await given.agent({ agent_id: 'known', public: true })
    await given.agent({ agent_id: 'hidden-name', public: false })
    await given.agent({ agent_id: 'hidden-later', public: true })
    await given.agent({ agent_id: 'gone-name', public: true })
    await read('/sitemaps/agents-1.xml')
    await service().patch('/api/agents/hidden-later/', { public: false })
    await service().delete('/api/agents/gone-name/')
    const files = pathsIn(await read('/sitemap.xml'))
    const all = (await Promise.all(files.map(read))).join('')
    expect(all).to.include('/api/agents/known/')
    expect(all).not.to.match(/hidden-name|hidden-later|gone-name/)
  })

  it('has no page that is switched off, and no part beyond the last', async () => {
    expect(pathsIn(await read('/sitemaps/pages.xml'))).to.include('/sparql')
    for (const path of ['/sitemaps/zines-2.xml', '/sitemaps/zines-0.xml', '/sitemaps/other.xml'])
      expect((await service().get(path)).status, path).to.equal(404)
  })
})

describe('/sitemap.xml without SPARQL and without an index of lists', () => {
  const service = useService({ LIST_INDEX: 'off' })

  it('has the same records, and no page of SPARQL', async () => {
    const agent = { kind: 'Person', display_name: 'Ann', public: true }
    for (const agent_id of ['ann', 'bea', 'eve'])
      await service().post('/api/agents/', { agent_id, ...agent, public: agent_id !== 'eve' })
    expect(pathsIn((await service().get('/sitemaps/agents-1.xml')).text)).to.deep.equal([
      '/api/agents/ann/',
      '/api/agents/bea/',
    ])
    const { updated_at } = (await service().get('/api/agents/ann/')).body
    expect((await service().get('/sitemaps/agents-1.xml')).text).to.include(
      `<lastmod>${updated_at}</lastmod>`,
    )
    expect(pathsIn((await service().get('/sitemaps/pages.xml')).text)).not.to.include('/sparql')
  })
})

describe('/robots.txt', () => {
  const service = useService({ BASE_URL: 'https://example.org/zines' })

  it('names the sitemap and keeps crawlers from forms, exports and queries', async () => {
    const { status, headers, text } = await service().get('/robots.txt')
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8')
    expect(text.split('\n')).to.include.members([
      'User-agent: *',
      'Disallow: /zines/manage/',
      'Disallow: /zines/api/export/',
      'Disallow: /zines/*?',
      'Allow: /zines/assets/',
      'Sitemap: https://example.org/zines/sitemap.xml',
    ])
  })
})
