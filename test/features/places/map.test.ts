// Tests what the map has: cities, countries and libraries with positions, and numbers that are those of their lists.

import { expect } from 'chai'

import { read } from '../../views/browser.js'
import { unique, useCatalogue } from '../../http/catalogue.js'

const portland = '5746545'
const unitedStates = '6252001'

describe('the map', () => {
  const { service, given } = useCatalogue()
  const word = unique('mapped')

  before(async () => {
    const places = [
      'Portland, Oregon',
      'Portland, Oregon, United States',
      'United States',
      'Paris, France',
    ]
    for (const [index, place] of [...places, 'Nowhere', undefined].entries())
      await given.zine({
        zine_id: `${word}-${index}`,
        title: word,
        subject: [index === 0 ? 'food' : 'punk'],
        place_of_publication: place === undefined ? [] : [place],
      })
    const cellar = await given.repository({
      repo_id: `${word}-cellar`,
      repository_name: 'The Cellar',
      country: 'DE',
      city: 'Berlin',
    })
    const attic = await given.repository({
      repo_id: `${word}-attic`,
      repository_name: 'The Attic',
      country: 'PL',
      city: 'Not a city',
    })
    for (const [zine, { repo_id }] of [
      [0, cellar],
      [1, cellar],
      [3, attic],
    ] as const)
      await given.holding({ zine_id: `${word}-${zine}`, repository_id: repo_id })
  })

  const map = async (query = '') => {
    const { status, body, text } = await service().get(`/map?search=${word}&${query}`)
    expect(status, text).to.equal(200)
    return body
  }

  const named = (found: readonly any[]): readonly string[] =>
    found.map(({ name, zines }) => `${name} ${zines}`)

  it('has the cities and countries that zines come from', async () => {
    const { count, placed, cities, countries } = await map()
    expect(named(cities)).to.deep.equal(['Portland 2', 'Paris 1'])
    expect(named(countries)).to.deep.equal(['United States 3', 'France 1'])
    expect([count, placed]).to.deep.equal([6, 4])
    expect(cities[0]).to.deep.include({ id: portland, latitude: 45.52345, longitude: -122.67621 })
  })

  it('has libraries in their city, or else at the capital of their country', async () => {
    const { repositories } = await map()
    expect(named(repositories)).to.deep.equal(['The Cellar 2', 'The Attic 1'])
    const [cellar, attic] = repositories
    expect(cellar).to.deep.include({ latitude: 52.52437, longitude: 13.41053 })
    // Warsaw.
    expect(Math.round(attic.latitude)).to.equal(52)
    expect(Math.round(attic.longitude)).to.equal(21)
  })

  it('leads from each number to the list that it counts', async () => {
    const { cities, countries, repositories } = await map()
    for (const { url, zines } of [...cities, ...countries, ...repositories]) {
      const { body } = await service().get(url.slice(service().url.length))
      expect(body.count, url).to.equal(zines)
    }
    expect(countries[0].url).to.include(`place=${unitedStates}`)
  })

  it('takes the filters of the list', async () => {
    const { count, cities, repositories } = await map('subject=food')
    expect([count, named(cities)]).to.deep.equal([1, ['Portland 1']])
    expect(named(repositories)).to.deep.equal(['The Cellar 1'])
    expect(cities[0].url).to.include('subject=food')
    expect((await service().get('/map?year__gte=soon')).status).to.equal(400)
    expect((await service().get('/map?view=moon&format=html')).status).to.equal(400)
  })

  it('is a page whose circles are in its tables too', async () => {
    const { text } = await service().get(`/map?search=${word}&format=html&view=europe`)
    const page = read(text)
    const [drawing] = page.all('svg', 'map')
    const linksIn = (one: typeof page | undefined) =>
      one?.all('a').map(({ attributes }) => attributes.href)
    expect(drawing?.all('circle')).to.have.lengthOf(4)
    expect(linksIn(page.all('div', 'map-tables')[0])).to.include.members(linksIn(drawing) ?? [])
    expect(
      page
        .all('a')
        .find(
          ({ attributes }) =>
            attributes['aria-current'] === 'page' && attributes.href?.startsWith('/map'),
        )?.text,
    ).to.equal('Europe')
  })

  it('has a legend with the sizes of its circles', async () => {
    const page = read((await service().get(`/map?search=${word}&format=html`)).text)
    const [legend] = page.all('figcaption', 'map-legend')
    expect(legend?.all('span').map(({ text }) => text.trim())).to.deep.equal([
      'City that zines come from',
      'Library',
      '1 zine',
      '2 zines',
    ])
  })

  it('leads from the name of a city or country to its page', async () => {
    const page = read((await service().get(`/map?search=${word}&format=html`)).text)
    const links = page.all('div', 'map-tables').flatMap((tables) => tables.all('a'))
    const pageOf = (name: string) => links.find(({ text }) => text === name)?.attributes.href
    expect(pageOf('Portland')).to.equal(`/api/geography/places/${portland}/`)
    expect(pageOf('United States')).to.equal(`/api/geography/places/${unitedStates}/`)
  })

  it('shows at first what nearly all zines come from, and the world where that is chosen', async () => {
    const boxOf = async (query: string): Promise<readonly number[]> => {
      const { text } = await service().get(`/map?search=${word}&format=html&${query}`)
      const [drawing] = read(text).all('svg', 'map')
      return (drawing?.attributes.viewBox ?? '').split(' ').map(Number)
    }
    const [, , food = 0] = await boxOf('subject=food')
    const [, , all = 0] = await boxOf('')
    const [, , world = 0] = await boxOf('view=world')
    expect(food).to.be.below(all / 2)
    expect(all).to.be.below(world)
    expect(await boxOf('year=1066')).to.deep.equal(await boxOf('view=world'))
  })

  it('is on the page of a place, with a feed of its zines', async () => {
    const path = `/api/geography/places/${portland}/`
    const page = read((await service().get(`${path}?format=html`)).text)
    const [drawing] = page.all('svg', 'map')
    expect(drawing?.all('circle')).to.have.lengthOf(1)
    const [feed] = page
      .all('link')
      .filter(({ attributes }) => attributes.type === 'application/atom+xml')
    const address = feed?.attributes.href ?? ''
    expect(page.all('a').map(({ attributes }) => attributes.href)).to.include(address)
    const { status, text } = await service().get(address)
    expect(status).to.equal(200)
    expect(text).to.include(`/api/zines/${word}-0`).and.not.to.include(`/api/zines/${word}-3`)
  })

  it('has its places first in the list of places, with the numbers of their lists', async () => {
    const places = '/api/geography/places/?country_code=US'
    const page = read((await service().get(`${places}&format=html`)).text)
    const lines = page.all('ol', 'records').flatMap((list) => list.all('li'))
    const squeezed = lines.map(({ text }) => text.replace(/\s+/g, ' ').trim())
    expect(
      squeezed.slice(0, 3).map((line) => /^(\D+?)(?:Country|Region|City)/.exec(line)?.[1]),
    ).to.deep.equal(['United States', 'Oregon', 'Portland'])
    for (const line of lines.slice(0, 3)) {
      const link = line.all('a').find(({ text }) => / zines?$/.test(text))
      const { body } = await service().get(link?.attributes.href ?? '')
      expect(link?.text).to.equal(`${body.count} zines`)
    }
    // The API lists them as ever.
    const { body } = await service().get(`${places}&page_size=3&level=city`)
    expect(body.results.map((one: any) => one.name)).not.to.include('Portland')
  })

  it('follows what is written', async () => {
    await given.zine({ zine_id: `${word}-new`, title: word, place_of_publication: ['Lima, Peru'] })
    expect(named((await map()).cities)).to.include('Lima 1')
    await service().delete(`/api/zines/${word}-new/`)
    expect(named((await map()).cities)).not.to.include('Lima 1')
  })
})
