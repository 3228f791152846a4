// URLs that are written without `URL` and `URLSearchParams`, where these would change nothing, are the same as with them.

import { expect } from 'chai'
import fc from 'fast-check'

import { hrefOf, withoutParams } from '../../src/http/address.js'

const sign = fc.constantFrom(...Array.from('aZ09_-.~%2+,:*=&/? "\'<>#é|\\^`{}[]@!$();'))
const words = (max: number): fc.Arbitrary<string> =>
  fc.array(sign, { maxLength: max }).map((signs) => signs.join(''))

const addresses = fc.record({
  origin: fc.constantFrom('http://localhost', 'http://LOCALHOST:80', 'https://zines.example:8443'),
  path: words(8).map((path) => `/${path.replace(/[?#]/g, '')}`),
  querystring: words(12).map((query) => query.replaceAll('#', '')),
})

describe('the address of a request', () => {
  it('is the URL that URL makes of it', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        const { origin, path, querystring } = address
        const query = querystring === '' ? '' : `?${querystring}`
        expect(hrefOf(address)).to.equal(new URL(`${origin}${path}${query}`).href)
      }),
      { numRuns: 2000 },
    )
  })

  it('loses the parameters that are left out, however their names are written, and no other', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'page=2',
        'page',
        'p%61ge=2',
        '?page=1',
        'Page=2',
        'pages=1',
        'x=page',
        '=page',
      ),
      words(6).map((text) => text.replaceAll('&', '')),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const kept = parts.filter((one) => one !== '' && !new URLSearchParams(one).has('page'))
        expect(withoutParams(parts.join('&'), (name) => name === 'page')).to.equal(kept.join('&'))
      }),
      { numRuns: 2000 },
    )
  })
})
