// Drawn covers: as an image of their own, on the page of a zine, and in lists that are walls of covers.

import { brotliCompressSync } from 'node:zlib'

import { SaxesParser } from '@rubensworks/saxes'
import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { unique } from '../../http/catalogue.js'
import { PASSWORD, useService } from '../../service.js'
import { type Element, browse, expectInert, look, open, read } from '../../views/browser.js'

const hostile = `<script>alert("1")</script> & ]]> </text></svg> 'x' \u{1f525}`

describe('a drawn cover', () => {
  const service = useService()

  const cover = (id: string) => service().get(`/api/zines/${encodeURIComponent(id)}/cover/`)

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    const records = [
      zine('doris', { title: 'Doris', issue_designation: 'no. 24', language: ['en'] }),
      zine('hostile', { title: hostile, issue_designation: '<b>"1"</b>' }),
      zine('arabic', { title: 'مجلة صغيرة', language: ['ar'] }),
      zine('a/b', { title: 'Slash' }),
    ]
    for (const record of records) {
      const { status, text } = await service().post('/api/zines/', record)
      expect(status, text).to.equal(201)
    }
  })

  it('is an SVG image with the title and the issue of the zine', async () => {
    const { status, headers, text } = await cover('doris')
    expect([status, headers.get('content-type')]).to.deep.equal([
      200,
      'image/svg+xml; charset=utf-8',
    ])
    expect(text).to.include('<title>Doris, no. 24</title>')
    expect(text)
      .to.match(/<text[^>]*>Doris<\/text>/)
      .and.match(/<text[^>]*>no\. 24<\/text>/)
    expect(text).to.include('Courier Prime')
  })

  it('is the same each time, and 304 for who has it', async () => {
    const [first, second] = [await cover('doris'), await cover('doris')]
    expect(second.text).to.equal(first.text)
    const etag = first.headers.get('etag') ?? ''
    const { status } = await service().get('/api/zines/doris/cover/', {
      headers: { 'if-none-match': etag },
    })
    expect(status).to.equal(304)
  })

  it('changes with the title, at the next request', async () => {
    const before = await cover('a/b')
    await service().patch('/api/zines/a%2Fb/', { title: 'Backslash' })
    const after = await cover('a/b')
    expect(before.text).to.include('>Slash<')
    expect(after.text).to.include('>Backslash<').and.not.to.include('>Slash<')
  })

  it('of a title with markup is well-formed XML that has the title as text, and runs nothing', async () => {
    const { text, headers } = await cover('hostile')
    const { title, elements } = readSvg(text)
    expect(title).to.equal(`${hostile}, <b>"1"</b>`)
    expect(['svg', 'title', 'rect', 'g', 'path', 'text']).to.include.members(elements)
    expect(headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
  })

  it('of a title in Arabic is set from right to left', async () => {
    expect((await cover('arabic')).text).to.match(/<text[^>]*direction="rtl"[^>]*>مجلة<\/text>/)
  })

  it('of a zine that does not exist is 404', async () => {
    expect((await cover('none')).status).to.equal(404)
  })

  it('of a zine that was merged is that of the zine that stays', async () => {
    const [goes, stays] = [unique('goes'), unique('stays')]
    for (const id of [goes, stays]) await service().post('/api/zines/', zine(id))
    await service().post(`/api/zines/${goes}/merge/`, { into: stays })
    const { status, headers } = await cover(goes)
    expect([status, headers.get('location')]).to.deep.equal([
      301,
      `${service().url}/api/zines/${stays}/cover/`,
    ])
  })

  it('is on the page of the zine, for eyes alone', async () => {
    const page = await open(service(), '/api/zines/hostile/')
    const [drawn] = page.all('figure', 'drawn-cover')
    expect(drawn?.all('div', 'cover')[0]?.all('svg')[0]?.attributes['aria-hidden']).to.equal('true')
    expect(drawn?.all('figcaption')[0]?.text).to.equal(
      'Drawn from the title. There is no picture of the cover yet.',
    )
    expectInert(page, 'the page of a zine')
  })
})

describe('a small cover', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/repositories/', repository('library'))
    for (const number of [1, 2])
      await service().post(
        '/api/zines/',
        zine(`doris-${number}`, {
          title: 'Doris',
          issue_designation: `no. ${number}`,
          place_of_publication: ['Portland'],
        }),
      )
    await service().post('/api/holdings/', holding('copy', { zine_id: 'doris-1' }))
  })

  for (const [where, path, count] of [
    ['zines in a search', '/api/search/?q=doris', 3],
    ['copies', '/api/holdings/', 1],
    ['zines on the page of a maker', '/api/agents/maker/', 2],
    ['copies on the page of a library', '/api/repositories/library/', 1],
    ['series', '/series', 1],
  ] as const)
    it(`is in the lines of ${where}`, async () => {
      const page = await open(service(), path)
      expect(page.all('div', 'thumbnail')).to.have.lengthOf(count)
      expectInert(page, where)
    })

  it('is in the rows of the issues of a series', async () => {
    const { body } = await service().get('/series')
    const page = await open(service(), new URL(body.results[0].url).pathname)
    expect(page.all('tr').flatMap((row) => row.all('div', 'thumbnail'))).to.have.lengthOf(2)
  })
})

describe('a list of zines', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    for (let number = 0; number < 30; number += 1)
      await service().post('/api/zines/', zine(`zine-${number}`, { title: `Zine ${number}` }))
  })

  const coversOn = (text: string) => read(text).all('div', 'cover')
  const isSmall = ({ attributes }: Element) => attributes.class?.split(' ').includes('thumbnail')

  it('is a wall of covers unless lines are asked for', async () => {
    const page = await open(service(), '/api/zines/')
    expect(page.all('ol', 'wall')).to.have.lengthOf(1)
    const covers = page.all('div', 'cover')
    expect(covers).to.have.lengthOf(25)
    expect(covers.filter(isSmall)).to.be.empty
    const [view] = page.all('nav', 'view')
    const chosen = view?.all('a').filter(({ attributes }) => 'aria-current' in attributes)
    expect(chosen?.map(({ text }) => text)).to.deep.equal(['Covers'])
    expectInert(page, 'the wall')
  })

  for (const [who, account] of [
    ['a visitor', undefined],
    ['an editor', 'editor'],
  ] as const)
    it(`is shown to ${who} as the last time, without a script`, async () => {
      const browser = browse(service().url)
      if (account) await browser.signIn(account, PASSWORD)
      await browser.get('/api/zines/?view=list')
      const lines = coversOn((await browser.get('/api/zines/')).text)
      expect([lines.length, lines.every(isSmall)]).to.deep.equal([25, true])
      const rest = coversOn((await browser.get('/api/zines/?page=2')).text)
      expect([rest.length, rest.every(isSmall)]).to.deep.equal([5, true])
      await browser.get('/api/zines/?view=grid')
      expect(coversOn((await browser.get('/api/zines/')).text).some(isSmall)).to.equal(false)
    })

  it('takes no other view from the parameter or the cookie', async () => {
    for (const [path, cookie] of [
      ['/api/zines/?view=x', ''],
      ['/api/zines/', 'zine_view=list%00'],
    ] as const) {
      const { headers, text } = await service().get(path, {
        headers: { accept: 'text/html', cookie },
      })
      expect(headers.get('set-cookie')).to.equal(null)
      expect(coversOn(text).some(isSmall)).to.equal(false)
    }
  })

  it('keeps the view in its own links, and leaves it out of links to data', async () => {
    const page = await open(service(), '/api/zines/?view=grid&ordering=title')
    const [next] = page.all('a').filter(({ attributes }) => attributes.rel === 'next')
    expect(next?.attributes.href).to.include('view=grid')
    const data = page.all('nav', 'formats').flatMap((nav) => nav.all('a'))
    expect(data).not.to.be.empty
    for (const { attributes } of data) expect(attributes.href).not.to.include('view=')
    expect(page.all('pre', 'code')[0]?.text).not.to.include('view=')
  })

  it('is under 60 KB compressed with a hundred covers', async () => {
    const { text } = await look(service(), '/api/zines/?view=grid&page_size=100')
    expect(brotliCompressSync(text).length).to.be.below(60_000)
  })

  it('of another kind has no choice of views', async () => {
    const page = await open(service(), '/api/agents/?view=grid')
    expect(page.all('nav', 'view')).to.be.empty
  })
})

/** The title and the names of the elements of an XML document. @throws Error if it is not well-formed */
function readSvg(text: string): { readonly title: string; readonly elements: readonly string[] } {
  const parser = new SaxesParser({ xmlns: true })
  const names: string[] = []
  let title = ''
  parser.on('opentag', ({ name }) => names.push(name))
  parser.on('text', (found) => {
    if (names.at(-1) === 'title') title += found
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
  return { title, elements: [...new Set(names)] }
}
