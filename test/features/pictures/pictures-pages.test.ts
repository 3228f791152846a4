// Pictures on pages: the cover and the others on the page of a record, covers in lists, and the page on which pictures are
// added, described, ordered and removed, without scripts.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { unique } from '../../http/catalogue.js'
import { image, sendPicture } from './picture-files.js'
import { PASSWORD, useService } from '../../service.js'
import { type Browser, browse, csrfOn, expectInert, open, read } from '../../views/browser.js'

const hostile = '"><script>alert(1)</script>'

describe('pictures on pages', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/repositories/', repository('library'))
  })

  async function newZine(): Promise<string> {
    const id = unique('zine')
    expect((await service().post('/api/zines/', zine(id))).status).to.equal(201)
    return id
  }

  async function add(id: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const file = await image(700, 900).png().toBuffer()
    const { status, body } = await sendPicture(
      service(),
      `/api/zines/${id}/pictures/`,
      file,
      fields,
    )
    expect(status).to.equal(201)
    return body.id
  }

  async function signedIn(name = 'editor'): Promise<Browser> {
    const browser = browse(service().url)
    await browser.signIn(name, PASSWORD)
    return browser
  }

  /** Sends the form with a file of the page of pictures. */
  async function upload(
    browser: Browser,
    path: string,
    file: Buffer | string,
    fields: object = {},
  ) {
    const form = new FormData()
    form.append('csrf_token', csrfOn((await browser.get(path)).text))
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), 'x.png')
    const response = await fetch(service().url + path, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { cookie: browser.cookie(), origin: service().url, accept: 'text/html' },
    })
    return { status: response.status, text: await response.text() }
  }

  it('are on the page of the record in place of the drawn cover, the first one first', async () => {
    const id = await newZine()
    const [first] = [
      await add(id, { alt: hostile, credit: 'Photo: Dot', rights: 'cc-by-4.0', public: 'true' }),
      await add(id, { public: 'true' }),
    ]
    const page = await open(service(), `/api/zines/${id}/`)
    expectInert(page, 'the page of a zine')
    expect(page.all('div', 'drawn')).to.be.empty
    const images = page.all('img', 'picture').map(({ attributes }) => attributes)
    expect(images.map(({ alt }) => alt)).to.deep.equal([hostile, `Picture 2 of Zine ${id}`])
    expect(images[0]?.src).to.equal(`/iiif/images/${first}/full/467,600/0/default.jpg`)
    expect(page.all('figcaption')[0]?.text).to.match(/Photo: Dot.*CC BY 4\.0/)
    for (const { src = '' } of images) expect((await service().get(src)).status).to.equal(200)
  })

  it('are the covers in lists, where they are public', async () => {
    const [shown, hidden] = [await newZine(), await newZine()]
    const cover = await add(shown, { public: 'true' })
    await add(hidden, { public: 'false' })
    const page = await open(service(), '/api/zines/?view=grid')
    const sources = page.all('img', 'picture').map(({ attributes }) => attributes.src)
    expect(sources).to.deep.include(`/iiif/images/${cover}/full/233,300/0/default.jpg`)
    const ofHidden = page.all('li').filter(({ text }) => text.includes(hidden))
    expect(ofHidden.flatMap((one) => one.all('img'))).to.be.empty
    expectInert(page, 'the wall')
  })

  it('are the small covers of lines, but not where the zine has content advice', async () => {
    const [plain, advised] = [await newZine(), await newZine()]
    for (const id of [plain, advised]) await add(id, { public: 'true' })
    await service().patch(`/api/zines/${advised}/`, { content_advice_note: ['Blood'] })
    const lines = (await open(service(), '/api/zines/?view=list')).all('li')
    const coverOf = (id: string) =>
      lines
        .filter(({ text }) => text.includes(`Zine ${id}`))
        .map((line) => [line.all('img', 'picture').length, line.all('div', 'drawn').length])
    expect(coverOf(plain)).to.deep.equal([[1, 0]])
    expect(coverOf(advised)).to.deep.equal([[0, 1]])
    const [daily] = (await open(service(), '/api/')).all('section', 'daily')
    const tiles = daily?.all('a').filter(({ text }) => text.includes(`Zine ${advised}`)) ?? []
    expect(tiles.flatMap((tile) => tile.all('img'))).to.be.empty
  })

  it('that are not public are on the page of editors alone', async () => {
    const id = await newZine()
    const picture = await add(id, { alt: 'A secret', public: 'false' })
    const path = `/api/zines/${id}/`
    const isShown = ({ text }: { text: string }) =>
      text.includes('A secret') || text.includes(picture)
    expect(isShown(await service().get(path, { headers: { accept: 'text/html' } }))).to.equal(false)
    expect(isShown(await (await signedIn('viewer')).get(path))).to.equal(false)
    const editor = await signedIn()
    const { text } = await editor.get(path)
    expect(isShown({ text })).to.equal(true)
    const [shown] = read(text).all('img', 'picture')
    const source = shown?.attributes.src ?? ''
    const { status, headers } = await editor.get(source)
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'image/jpeg'])
    expect(headers.get('cache-control')).to.equal('private, no-store')
    expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin')
    expect((await (await signedIn('viewer')).get(source)).status).to.equal(404)
    expect((await service().get(source)).status).to.equal(404)
  })

  describe('their page', () => {
    const pathOf = (id: string): string => `/manage/zines/pictures/${id}`

    const pictures = async (id: string): Promise<any[]> =>
      (await service().get(`/api/zines/${id}/pictures/`, { token: service().tokens.admin })).body
        .results

    it('adds a picture that is sent as a file', async () => {
      const [id, browser] = [await newZine(), await signedIn()]
      const said = { alt: 'A cat', credit: 'Dot', rights: 'cc-by-4.0', public: 'true' }
      const sent = await upload(browser, pathOf(id), await image().png().toBuffer(), said)
      expect(sent.status).to.equal(303)
      expect(await pictures(id)).to.have.lengthOf(1)
      expect((await pictures(id))[0]).to.include({ ...said, public: true })
      const { text } = await browser.get(pathOf(id))
      expectInert(read(text), 'the page of pictures')
    })

    it('says why a file is not taken, and keeps what was typed', async () => {
      const [id, browser] = [await newZine(), await signedIn()]
      const { status, text } = await upload(browser, pathOf(id), 'hello', { alt: hostile })
      expect(status).to.equal(400)
      const page = read(text)
      expectInert(page, 'the page of pictures')
      expect(page.all('div', 'notice')[0]?.text).to.include('Upload a valid image.')
      expect(page.all('textarea').map(({ text: typed }) => typed)).to.include(hostile)
      expect(await pictures(id)).to.be.empty
    })

    it('adds the address of pictures that are elsewhere, and refuses others', async () => {
      const [id, browser] = [await newZine(), await signedIn()]
      const url = 'https://iiif.example/manifest.json'
      const form = { do: 'elsewhere', iiif: 'manifest', url, public: 'true' }
      expect((await browser.send(pathOf(id), form)).status).to.equal(303)
      const [link] = (await open(service(), `/api/zines/${id}/`))
        .all('a')
        .filter(({ attributes }) => attributes.href === url)
      expect(link?.text).to.equal('Pictures elsewhere (IIIF)')
      const wrong = await browser.send(pathOf(id), { ...form, url: 'javascript:alert(1)' })
      expect([wrong.status, wrong.text.includes('Enter a valid URL.')]).to.deep.equal([400, true])
      expect(await pictures(id)).to.have.lengthOf(1)
    })

    it('describes, hides, orders and removes pictures', async () => {
      const [id, browser] = [await newZine(), await signedIn()]
      const [first, second] = [await add(id, { public: 'true' }), await add(id, { public: 'true' })]
      const ids = async () => (await pictures(id)).map((one) => one.id)
      await browser.send(pathOf(id), {
        do: 'save',
        picture: first,
        alt: 'New',
        rights: '',
        credit: '',
      })
      expect((await pictures(id))[0]).to.include({ alt: 'New', public: false })
      await browser.send(pathOf(id), { do: 'first', picture: second })
      expect(await ids()).to.deep.equal([second, first])
      await browser.send(pathOf(id), { do: 'up', picture: first })
      expect(await ids()).to.deep.equal([first, second])
      await browser.send(pathOf(id), { do: 'remove', picture: first })
      expect(await ids()).to.deep.equal([second])
    })

    it('takes no file from another site or without its token', async () => {
      const [id, browser] = [await newZine(), await signedIn()]
      const file = await image().png().toBuffer()
      for (const [origin, csrf] of [
        ['https://evil.example', csrfOn((await browser.get(pathOf(id))).text)],
        [service().url, 'wrong'],
      ] as const) {
        const form = new FormData()
        form.append('csrf_token', csrf)
        form.append('file', new Blob([new Uint8Array(file)]), 'x.png')
        const response = await fetch(service().url + pathOf(id), {
          method: 'POST',
          body: form,
          headers: { cookie: browser.cookie(), origin, accept: 'text/html' },
        })
        expect(response.status).to.equal(403)
      }
      expect(await pictures(id)).to.be.empty
    })

    it('is there for holdings too, under the title of their zine', async () => {
      const id = await newZine()
      const copy = unique('copy')
      await service().post('/api/holdings/', holding(copy, { zine_id: id }))
      const { status, text } = await (await signedIn()).get(`/manage/holdings/pictures/${copy}`)
      expect(status).to.equal(200)
      expect(read(text).all('h1')[0]?.text).to.include(`Zine ${id}`)
    })
  })
})
