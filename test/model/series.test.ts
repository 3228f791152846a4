// The series that a zine is an issue of, by what its record says.

import { expect } from 'chai'

import { seriesOf } from '../../src/model/series.js'

const slugOf = (title: string, creator = 'dot', more: object = {}) =>
  seriesOf({ title, creator: [creator], ...more }).map(({ slug }) => slug)[0] ?? ''

describe('the series of a zine', () => {
  it('is that of its title and first creator where it states none', () => {
    const [series, ...others] = seriesOf({ title: 'Toner', creator: ['dot', 'other'] })
    expect(series).to.include({ title: 'Toner', isStated: false })
    expect(series?.slug).to.match(/^toner-[0-9a-f]{10}$/)
    expect(others).to.deep.equal([])
    expect(seriesOf({ title: 'Toner', creator: ['dot'] })[0]?.slug).to.equal(series?.slug)
    expect(slugOf('Toner', 'other')).not.to.equal(series?.slug)
  })

  it('is each of those that it states, whoever made it', () => {
    const stated = { title: 'Toner', series_title: ['Ink', 'Soot'] }
    const one = seriesOf({ ...stated, creator: ['dot'] })
    expect(one.map(({ title, isStated }) => [title, isStated])).to.deep.equal([
      ['Ink', true],
      ['Soot', true],
    ])
    expect(seriesOf({ ...stated, creator: ['other'] })).to.deep.equal(one)
    expect(slugOf('Ink')).not.to.equal(one[0]?.slug)
  })

  it('is stated once where its title is written in several ways', () => {
    const found = seriesOf({ title: 'Toner', series_title: ['Ink', 'Soot', 'INK!'] })
    expect(found.map(({ title }) => title).sort()).to.deep.equal(['Ink', 'Soot'])
  })

  it('is the same whatever the case, accents, punctuation and article of the title', () => {
    const [slug, ...others] = [
      'The Café: Raven',
      'cafe raven',
      'Café  Raven!',
      'CAFE RAVEN, The',
    ].map((title) => slugOf(title))
    for (const other of others) expect(other).to.equal(slug)
    expect(slugOf('Café Ravens')).not.to.equal(slug)
    expect(slugOf('The')).to.match(/^the-/)
  })

  it('has a name of its own for titles without letters, in any script and of any length', () => {
    const titles = ['!!!', '???', '半角日記', 'x'.repeat(500), `${'x'.repeat(499)}y`]
    const slugs = titles.map((title) => slugOf(title))
    expect(new Set(slugs).size).to.equal(titles.length)
    for (const slug of slugs) expect(slug.length).to.be.below(80)
    expect(slugs[2]).to.match(/^半角日記-/)
  })

  it('has neither the identifier nor the name of its maker in its own', () => {
    expect(slugOf('Toner', 'jane-doe')).not.to.include('jane')
  })

  it('is none of a record without title or creator', () => {
    expect(seriesOf({})).to.deep.equal([])
  })
})
