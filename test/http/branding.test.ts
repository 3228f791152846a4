// Tests the name, the logo and the About page of an institution over HTTP.

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { agent } from '../examples.js'
import { type TestService, startService, useService } from '../service.js'

const html = { headers: { accept: 'text/html' } }

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'

describe('a catalogue with a name, a logo and an About page', () => {
  let service: TestService

  before(async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    await mkdir(join(DATA_DIR, 'site'))
    await writeFile(join(DATA_DIR, 'site', 'logo.svg'), svg)
    await writeFile(
      join(DATA_DIR, 'site', 'about.md'),
      '# The <Zinothek>\n\nOpen *daily*. <b>Come in</b>\n',
    )
    service = await startService({ DATA_DIR, SITE_NAME: 'Zinothek & Friends' })
    await service.post('/api/agents/', agent('ann'))
  })
  after(() => service.stop())

  it('has its name on pages, and in feeds and descriptions', async () => {
    const { text } = await service.get('/api/', html)
    expect(text).to.include('<title>Zinothek &amp; Friends</title>')
    expect(text).not.to.include('Zine Catalogue')
    for (const path of [
      '/api/agents/?format=atom',
      '/oai?verb=Identify',
      '/opensearch.xml',
      '/reconcile',
      '/dataset',
      '/ldes',
    ]) {
      const answer = await service.get(path)
      expect(answer.text, path).to.match(/Zinothek &(?:amp;)? Friends/)
      expect(answer.text, path).not.to.include('Zine Catalogue')
    }
  })

  it('shows its logo on every page, at an address that changes with it', async () => {
    const [, address = ''] = /<img src="(\/logo\.svg\?v=[\w-]+)" alt/.exec(
      (await service.get('/api/agents/ann/', html)).text,
    ) ?? ['']
    const { status, headers, text } = await service.get(address)
    expect([status, text]).to.deep.equal([200, svg])
    expect(headers.get('content-type')).to.equal('image/svg+xml')
    expect(headers.get('cache-control')).to.include('immutable')
    const other = await service.get('/logo.svg?v=other')
    expect(other.headers.get('cache-control')).to.equal('no-cache')
    const tag = other.headers.get('etag') ?? ''
    expect((await service.get('/logo.svg', { headers: { 'if-none-match': tag } })).status).to.equal(
      304,
    )
  })

  it('serves its logo so that nothing in it runs', async () => {
    const { headers } = await service.get('/logo.svg')
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    expect(policy).to.include.members(["default-src 'none'", 'sandbox'])
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
  })

  it('has an About page in HTML and as Markdown, linked from the footer and the sitemap', async () => {
    const page = await service.get('/about', html)
    expect(page.status).to.equal(200)
    expect(page.text).to.include('<h1>The &lt;Zinothek></h1>')
    expect(page.text).to.include('<p>Open <em>daily</em>. &lt;b&gt;Come in&lt;/b&gt;</p>')
    const source = await service.get('/about')
    expect(source.headers.get('content-type')).to.equal('text/markdown; charset=utf-8')
    expect(source.text).to.match(/^# The/)
    expect((await service.get('/api/zines/', html)).text).to.include('<a href="/about">About</a>')
    expect((await service.get('/sitemaps/pages.xml')).text).to.include('/about</loc>')
  })

  it('lets nobody write what it shows', async () => {
    for (const path of ['/about', '/logo.svg'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect((await service.ask(method, path, { body: {} })).status, path).to.equal(405)
        expect((await service.ask(method, path, { body: {}, token: null })).status).to.equal(401)
      }
  })
})

describe('a catalogue without a logo and an About page', () => {
  const service = useService()

  it('links to neither, and has neither', async () => {
    const { text } = await service().get('/api/', html)
    expect(text).not.to.match(/href="\/about"|<img/)
    for (const path of ['/about', '/logo.svg', '/logo.png'])
      expect((await service().get(path)).status, path).to.equal(404)
  })
})
