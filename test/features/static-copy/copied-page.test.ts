// What becomes of the links of pages, feeds and style sheets in a copy.

import { expect } from 'chai'

import { CopyAddresses } from '../../../src/features/static-copy/copy-addresses.js'
import { copyFeed, copyPage, copyStyle } from '../../../src/features/static-copy/copied-page.js'

const base = 'https://zines.example/catalogue'

describe('A copied file', () => {
  const asked: string[] = []
  const addresses = new CopyAddresses(base, '', ({ address }) => void asked.push(address))
  const copied = { address: '/api/zines/basement/', file: 'zines/basement.html', addresses }

  it('has relative addresses in src and srcset, of files that are asked for', () => {
    const id = '0123456789abcdef0123'
    const pictures = ['max', '300,400'].map(
      (size) => `/catalogue/iiif/images/${id}/full/${size}/0/default.jpg`,
    )
    const image = `<img src="${pictures[0]}" srcset="${pictures[0]} 1x, ${pictures[1]} 2x">`
    const page = copyPage({ text: `<main>${image}</main>`, ...copied })
    const [largest, small] = [`../pictures/${id}.jpg`, `../pictures/${id}-300x400.jpg`]
    expect(page).to.include(`<img src="${largest}" srcset="${largest} 1x, ${small} 2x">`)
    expect(asked).to.include.members(pictures.map((picture) => picture.slice('/catalogue'.length)))
  })

  it('has the logo under the name of its file', () => {
    const page = copyPage({ text: '<img src="/catalogue/logo.png?v=1">', ...copied })
    expect(page).to.include('<img src="../logo.png">')
  })

  it('has no scripts and no data for crawlers and managers of references', () => {
    const text =
      '<script type="application/ld+json">{}</script><script src="/a.js"></script>' +
      '<main><span class="Z3988" title="ctx_ver=1"></span><p>Kept</p></main>'
    const page = copyPage({ text, ...copied })
    expect(page).to.include('<main><p>Kept</p></main>')
    expect(page).not.to.match(/script|Z3988/)
  })

  it('has relative addresses in a feed, and no link to what the copy does not have', () => {
    const xml =
      `<feed><link rel="alternate" href="${base}/api/agents/doris/"/>` +
      `<link rel="next" href="${base}/api/zines/?format=atom&amp;page=2"/></feed>`
    const feed = copyFeed(xml, { ...copied, file: 'feeds/zines.atom' })
    expect(feed).to.equal('<feed><link rel="alternate" href="../agents/doris.html"/></feed>')
  })

  it('has relative addresses in a style sheet', () => {
    const css = "a { background: url('textures.svg?v=1') }"
    const style = { addresses, address: '/assets/site.css', file: 'assets/site.css' }
    expect(copyStyle(css, style)).to.equal("a { background: url('textures.svg') }")
  })

  it('has no links to places that came up after the places were known', () => {
    const portland = '/catalogue/api/geography/places/5746545/'
    const salem = '/catalogue/api/geography/places/5750162/'
    const linksTo = (text: string) => addresses.targetOf(text, copied.address)
    expect(linksTo(portland)).to.equal('geography/places/5746545.html')
    addresses.closePlaces()
    expect(linksTo(portland)).to.equal('geography/places/5746545.html')
    expect(linksTo(salem)).to.equal(undefined)
    expect(linksTo('/catalogue/api/zines/?place=5750162')).to.equal(undefined)
  })
})
