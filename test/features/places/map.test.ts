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

  it('follows what is written', async () => {
    await given.zine({ zine_id: `${word}-new`, title: word, place_of_publication: ['Lima, Peru'] })
    expect(named((await map()).cities)).to.include('Lima 1')
    await service().delete(`/api/zines/${word}-new/`)
    expect(named((await map()).cities)).not.to.include('Lima 1')
  })
})
