// The place that a text names, where it names exactly one of the list of places.

import { resolve } from 'node:path'

import { expect } from 'chai'

import { createPlaceFinder, placesNamedIn } from '../../src/model/place-names.js'
import { readPlaces } from '../../src/model/places.js'

const findPlace = createPlaceFinder(await readPlaces(resolve('vocabularies', 'places.tsv')))

const nameOf = (text: string): string | undefined => {
  const place = findPlace(text)
  return place && [place.level, place.name, place.admin1_code, place.country_code].join(' ')
}

// prettier-ignore
const texts: readonly (readonly [text: string, place: string | undefined])[] = [
  ['Portland, Oregon, United States', 'city Portland OR US'],
  ['Portland, OR', 'city Portland OR US'],
  ['Portland, Or., U.S.A.', 'city Portland OR US'],
  ['  portland ,OREGON', 'city Portland OR US'],
  ['Minneapolis', 'city Minneapolis MN US'],
  ['Montreal, Canada', 'city Montréal 10 CA'],
  ['Montréal, Québec', 'city Montréal 10 CA'],
  ['St. Paul, Minnesota, United States', 'city Saint Paul MN US'],
  ['Saint Paul, MN', 'city Saint Paul MN US'],
  ['Washington, D.C., United States', 'city Washington DC US'],
  ['London, UK', 'city London ENG GB'],
  ['London, England', 'city London ENG GB'],
  // A city without the word, but only where no place has the shorter name.
  ['New York, New York, United States', 'city New York City NY US'],
  ['New York', 'admin1 New York NY US'],
  // Of several, the one that contains all others.
  ['Riga, Latvia', 'admin1 Riga 25 LV'],
  ['Singapore', 'country Singapore  SG'],
  ['England', 'admin1 England ENG GB'],
  ['USA', 'country United States  US'],
  // Several, and none.
  ['Portland', undefined],
  ['Paris', undefined],
  ['Georgia', undefined],
  ['Portland, Canada', undefined],
  ['Portland, United States, Oregon', undefined],
  ['OR', undefined],
  ['US', undefined],
  ['Stapleton Parva', undefined],
  ['constructor', undefined],
  ['__proto__, US', undefined],
  [' , ', undefined],
  ['', undefined],
]

describe('the place that a text names', () => {
  for (const [text, place] of texts)
    it(`of ${JSON.stringify(text)} is ${place ?? 'none'}`, () =>
      expect(nameOf(text)).to.equal(place))

  it('is given once for texts that name it in several ways', () => {
    const found = placesNamedIn(['Portland, OR', 'Paris', 'Portland, Oregon'], findPlace)
    expect(found.map(({ geoname_id }) => geoname_id)).to.deep.equal([5746545])
  })
})
