// Tests the reference lists of countries, languages and places. The vocabularies are tested in
// vocabularies.test.ts.

import { expect } from 'chai'

import { useService } from '../../service.js'
import { links } from '../../http/raw-socket.js'

const PLACE_FIELDS = [
  'geoname_id',
  'name',
  'country_code',
  'admin1_code',
  'latitude',
  'longitude',
  'population',
  'level',
  'parent',
]

describe('geography:', () => {
  const service = useService()
  const getJson = async (path: string) => (await service().get(`/api/geography/${path}`)).body

  for (const [name, codePattern, someCodes] of [
    ['countries', /^[A-Z]{2}$/, ['US', 'GB', 'PL', 'TW', 'AQ', 'AX', 'SS', 'EH']],
    ['languages', /^[a-z]{2}$/, ['en', 'es', 'pl', 'zh', 'yi', 'eo', 'la', 'za']],
  ] as const)
    describe(name, () => {
      it('are a plain array of code, label and uri', async () => {
        const entries = await getJson(`${name}/`)
        expect(entries).to.be.an('array')
        for (const entry of entries) {
          expect(entry).to.have.all.keys('code', 'label', 'uri')
          for (const text of Object.values(entry)) expect(text).to.be.a('string').and.not.be.empty
        }
      })

      it('have codes of two letters in the right case', async () => {
        for (const { code } of await getJson(`${name}/`)) expect(code).to.match(codePattern)
      })

      it(`include ${someCodes.join(', ')}`, async () => {
        const codes = (await getJson(`${name}/`)).map((entry: any) => entry.code)
        expect(codes).to.include.members(someCodes)
      })

      it('have no duplicate codes', async () => {
        const codes = (await getJson(`${name}/`)).map((entry: any) => entry.code)
        expect(new Set(codes).size).to.equal(codes.length)
      })
    })

  it('there are the 249 countries of ISO 3166-1', async () => {
    expect(await getJson('countries/')).to.have.length(249)
  })

  it('there are the 183 or 184 languages of ISO 639-1', async () => {
    expect((await getJson('languages/')).length).to.be.within(183, 184)
  })

  describe('places', () => {
    it('are listed in pages of 25', async () => {
      const body = await getJson('places/')
      expect(body).to.have.all.keys('count', 'next', 'previous', 'results')
      expect(body.results).to.have.length(25)
    })

    it('have exactly the documented fields', async () => {
      const { results } = await getJson('places/')
      for (const place of results) expect(place).to.have.all.keys(PLACE_FIELDS)
    })

    for (const level of ['country', 'admin1', 'city'])
      it(`can be filtered by the level ${level}`, async () => {
        const { count, results } = await getJson(`places/?level=${level}`)
        expect(count).to.be.above(0)
        for (const place of results) expect(place.level).to.equal(level)
      })

    it('can be filtered by country', async () => {
      const { count, results } = await getJson('places/?country_code=PL&page_size=100')
      expect(count).to.be.above(1)
      for (const place of results) expect(place.country_code).to.equal('PL')
    })

    it('can be searched by name', async () => {
      const { count, results } = await getJson('places/?search=PORTLAND&country_code=US&level=city')
      expect(count).to.be.above(0)
      for (const place of results) expect(place.name).to.match(/portland/i)
    })

    it('can be filtered by country and level together', async () => {
      const { count: us } = await getJson('places/?country_code=US&level=city')
      const { count: every } = await getJson('places/?level=city')
      expect(us).to.be.above(0).and.below(every)
    })

    for (const query of ['level=town', 'country_code=XX', 'country_code=pl', 'search=xyzzyx'])
      it(`are an empty page for ?${query}`, async () => {
        expect(await getJson(`places/?${query}`)).to.deep.equal({
          count: 0,
          next: null,
          previous: null,
          results: [],
        })
      })

    it('can each be read at /api/geography/places/:id/', async () => {
      const { results } = await getJson('places/?level=city&page_size=5')
      for (const place of results)
        expect(await getJson(`places/${place.geoname_id}/`)).to.deep.equal(place)
    })

    it('name their parents, from city to admin1 to country', async () => {
      const { results } = await getJson('places/?level=city&country_code=US&page_size=1')
      const levels = []
      for (let place = results[0]; place;) {
        levels.push(place.level)
        place = place.parent === null ? null : await getJson(`places/${place.parent}/`)
      }
      expect(levels).to.deep.equal(['city', 'admin1', 'country'])
    })

    for (const id of ['0', 'x', '-1', '1.5', '__proto__'])
      it(`answer 404 for the identifier ${id}`, async () => {
        const { status, body } = await service().get(`/api/geography/places/${id}/`)
        expect(status).to.equal(404)
        expect(body).to.deep.equal({ detail: 'Not found.' })
      })

    it('have pages of the requested page_size, linked in the body and the Link header', async () => {
      const { body, headers } = await service().get('/api/geography/places/?page_size=3&page=2')
      expect(body.results).to.have.length(3)
      expect(links(headers).get('next')).to.equal(body.next)
      expect(new URL(body.next).origin).to.equal(service().url)
    })

    for (const page of ['0', 'x', '99999999'])
      it(`answer 404 for ?page=${page}`, async () => {
        const { status, body } = await service().get(`/api/geography/places/?page=${page}`)
        expect(status).to.equal(404)
        expect(body).to.deep.equal({ detail: 'Invalid page.' })
      })
  })
})
