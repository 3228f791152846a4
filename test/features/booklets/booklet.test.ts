// Tests the page with a list of zines as a zine to print: what is on its pages, in their places, and
// where its code leads.

import { expect } from 'chai'
import decodeQR from 'qr/decode.js'

import { type Element, look, read } from '../../views/browser.js'
import { unique, useCatalogue } from '../../http/catalogue.js'

describe('a list as a zine to print', () => {
  const { service, given } = useCatalogue()
  const word = unique('printed')

  const titleOf = (number: number): string => `${word} number ${String(number).padStart(2, '0')}`

  before(async () => {
    for (let number = 1; number <= 30; number += 1)
      await given.zine({ zine_id: `${word}-${number}`, title: titleOf(number) })
    await given.holding({ zine_id: `${word}-1`, repository_id: 'library', call_number: 'Z 42' })
    await given.zine({ zine_id: `${word}-hidden`, title: `${word} hidden`, visibility: 'hidden' })
  })

  const query = (more = '') => `search=${word}&ordering=title${more}`

  async function open(more = '', accept = 'en') {
    const headers = { accept: 'text/html', 'accept-language': accept }
    const answer = await service().get(`/booklet?${query(more)}`, { headers })
    expect(answer.status, answer.text).to.equal(200)
    return { text: answer.text, page: read(answer.text), headers: answer.headers }
  }

  /** The pages by their number, from 1. */
  const pagesOf = (page: Element): ReadonlyMap<number, Element> =>
    new Map(
      page
        .all('section', 'sheet-page')
        .map((section) => [
          Number(/\d+/.exec(section.attributes['aria-label'] ?? '')?.[0]),
          section,
        ]),
    )

  const headings = (page: Element | undefined): readonly string[] =>
    page?.all('h2').map(({ text }) => text.trim()) ?? []

  it('is one sheet of eight pages, in the places from which it is folded', async () => {
    const { page } = await open()
    expect(page.all('section', 'sheet')).to.have.length(1)
    expect([...pagesOf(page).keys()]).to.deep.equal([5, 4, 3, 2, 6, 7, 8, 1])
  })

  it('has the records in their order from page 2 on, as many as there is room for', async () => {
    const pages = pagesOf((await open()).page)
    const shown = [2, 3, 4, 5, 6, 7].flatMap((number) => headings(pages.get(number)))
    expect(shown).to.deep.equal(Array.from({ length: 24 }, (_, index) => titleOf(index + 1)))
  })

  it('says how many of how many it has', async () => {
    expect((await open()).text).to.include('It has the first 24 of 30 zines.')
    expect((await open('&sheet=booklet')).text).not.to.include('It has the first')
  })

  it('is a booklet of as many sheets as it needs', async () => {
    const { page } = await open('&sheet=booklet')
    const pages = pagesOf(page)
    // 30 records on 8 pages, and two covers: three sheets, with two sides each.
    expect(page.all('section', 'sheet')).to.have.length(6)
    expect(pages.size).to.equal(12)
    const inner = Array.from({ length: 10 }, (_, index) => headings(pages.get(index + 2)))
    expect(inner.flat()).to.deep.equal(Array.from({ length: 30 }, (_, index) => titleOf(index + 1)))
  })

  it('says where to read each, with its call number', async () => {
    const { page } = await open()
    const [first, second] = page
      .all('li')
      .filter(({ text }) => [1, 2].some((number) => text.includes(titleOf(number))))
      .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    expect(first?.text).to.include('(Z 42)')
    expect(second?.text).to.include('No library copy')
  })

  it('leads back to the list by a code and its address', async () => {
    const { page } = await open('&sheet=booklet&paper=letter')
    const back = pagesOf(page).get(12)
    const [code] = back?.all('svg', 'qr-code') ?? []
    const address = decodeQR(drawn(code))
    expect(back?.text).to.include(address)
    const url = new URL(address)
    expect(url.origin).to.equal(service().url)
    const list = await service().get(url.pathname + url.search)
    expect(list.body.count).to.equal(30)
    expect(list.headers.has('x-ignored-parameters')).to.equal(false)
  })

  it('has nothing that is hidden', async () => {
    for (const more of ['', '&sheet=booklet'])
      expect((await open(more)).text).not.to.include(`${word} hidden`)
  })

  it('is in three languages', async () => {
    expect((await open('', 'es')).text).to.include('Imprime la hoja por una cara')
    expect((await open('', 'fr')).text).to.include('Imprimez la feuille sur un côté')
  })

  it('says so where nothing is found', async () => {
    const { text, page } = await open('&genre=no-such-genre')
    expect(text).to.include('No zines match these filters.')
    expect(page.all('section', 'sheet')).to.have.length(0)
  })

  it('is linked from the list, with its filters and its order', async () => {
    const { text } = await look(service(), `/api/zines/?${query('&page_size=10')}`)
    const links = read(text)
      .all('a')
      .map(({ attributes }) => attributes.href ?? '')
    expect(links).to.include(`/booklet?search=${word}&ordering=title`)
  })
})

/** A code as the pixels of an image, four for each side of a module. */
function drawn(svg: Element | undefined) {
  const scale = 4
  const size = Number(svg?.attributes.viewBox?.split(' ').at(-1)) * scale
  const data = new Uint8Array(size * size * 4).fill(255)
  const [path] = svg?.all('path') ?? []
  for (const [, x, y] of path?.attributes.d?.matchAll(/M(\d+) (\d+)h1v1h-1z/g) ?? [])
    for (let row = 0; row < scale; row += 1)
      for (let column = 0; column < scale; column += 1) {
        const at = ((Number(y) * scale + row) * size + Number(x) * scale + column) * 4
        data.fill(0, at, at + 3)
      }
  return { width: size, height: size, data }
}
