// Addresses that change a few parameters of another one.

import { expect } from 'chai'

import { createAddresses, exportPath, listPath, withParameters } from '../../src/views/links.js'

const queries = ['', 'genre=zine&q=', 'b=2&a=1&b=3&subject=a+b%26', 'subject=&page=3&a=%C3%A9']

const changes: readonly Readonly<Record<string, string | undefined>>[] = [
  {},
  { subject: 'cats' },
  { subject: "o'clock (& more)~*é?", a: undefined },
  { subject: '', b: undefined },
  { decade: '1990', year: undefined, subject: undefined },
  { genre: undefined, page: undefined },
  { year: 'a.b-c_d', decade: ' ' },
]

describe('addresses made from one address', () => {
  for (const query of queries)
    it(`are those of withParameters, for the query "${query}"`, () => {
      const addressOf = createAddresses('/api/zines/', query)
      // Twice, since the second time they are made of what was kept.
      for (const change of [...changes, ...changes])
        expect(addressOf(change)).to.equal(withParameters('/api/zines/', query, change))
    })

  it('of lists have their parameters written as URLSearchParams does', () => {
    const parameters = { subject: "o'clock (& more)~*é?", title: '', format: 'zine-a_b.c' }
    const query = new URLSearchParams(parameters)
    query.delete('title')
    expect(listPath('zines', parameters)).to.equal(`/api/zines/?${query.toString()}`)
    expect(listPath('zines', { title: '' })).to.equal('/api/zines/')
  })

  it('of exports have all of a list, on whichever page of it they are', () => {
    const query = 'page=2&subject=a&page_size=10&view=grid'
    expect(exportPath('zines', query, 'xlsx')).to.equal('/api/export/zines/?subject=a&format=xlsx')
    expect(exportPath('zines', query, 'csv')).to.equal(
      '/api/export/zines/?subject=a&format=csv&safe=1',
    )
    expect(exportPath('zines', 'format=html', 'marc', '952')).to.equal(
      '/api/export/zines/?format=marc&items=952',
    )
  })
})
