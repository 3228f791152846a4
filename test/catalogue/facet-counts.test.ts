// Facet counts: how many records of a list have each value of a filter.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { type Backend, openBackend } from '../../src/app/backend.js'
import { readConfig } from '../../src/config.js'
import type { ResourceName } from '../../src/model/iris.js'
import { agent, holding, repository, zine } from '../examples.js'

type Sent = Readonly<Record<string, unknown>>

describe('the facet counts of a list', () => {
  let collection: Backend
  let dataDir: string

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    collection = await openBackend(readConfig({ DATA_DIR: dataDir }))
    const records: readonly (readonly [ResourceName, Sent])[] = [
      ['agents', agent('maker')],
      ['agents', agent('hidden', { public: false })],
      ['repositories', repository('library', { country: 'PL' })],
      ['zines', zine('a', { title: 'Soup', subject: ['punk', 'food'], date: ['1998', 'c. 1998'] })],
      ['zines', zine('b', { title: 'Soup', subject: ['food'], date: ['1/2/1998', '1999'] })],
      ['zines', zine('c', { title: 'Salt', subject: ['art', 'food'], date: ['undated'] })],
      ['zines', zine('d', { title: 'Salt', subject: ['art', 'punk'], date: ['1990s'] })],
      ['holdings', holding('copy', { zine_id: 'a', digital_available: true })],
      ['holdings', holding('second', { zine_id: 'a' })],
      ['holdings', holding('third', { zine_id: 'b' })],
    ]
    for (const [name, record] of records)
      await collection.catalogue.create(name, new Map(Object.entries(record)))
  })

  after(async () => {
    await collection.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** The tally, as `value count`. */
  async function tally(name: ResourceName, filter: string, query: Record<string, string> = {}) {
    const { search = '', ...filters } = query
    const sought = { filters: new Map(Object.entries(filters)), search, ordering: [] }
    const counts = await collection.catalogue.facetCounts(name, filter, sought)
    return counts.map(({ value, count }) => `${value} ${count}`)
  }

  it('have the most frequent value first, and equal counts by value', async () => {
    expect(await tally('zines', 'subject')).to.deep.equal(['food 3', 'art 2', 'punk 2'])
  })

  it('can be limited to the most frequent values and some others, whose counts stay', async () => {
    const mostFrequent = { limit: 1, including: ['punk'] }
    const query = { filters: new Map(), search: '', ordering: [] }
    const counts = await collection.catalogue.facetCounts('zines', 'subject', query, {
      mostFrequent,
    })
    const found = counts.map(({ value, count }) => `${value} ${count}`)
    expect(found).to.deep.equal(['food 3', 'punk 2'])
  })

  for (const [name, filter, counts] of [
    ['zines', 'creator', ['maker 4']],
    ['zines', 'year', ['199X 3', '1998 2', '1999 1']],
    ['agents', 'public', ['false 1', 'true 1']],
    ['repositories', 'country', ['PL 1']],
    ['repositories', 'status', ['active 1']],
    ['holdings', 'digital_available', ['false 2', 'true 1']],
    ['holdings', 'zine_id', ['a 2', 'b 1']],
    ['holdings', 'access_status', []],
  ] as const)
    it(`of ${name} by ${filter} have values that the filter takes`, async () => {
      expect(await tally(name, filter)).to.deep.equal(counts)
    })

  it('count only the records that other filters and the search leave', async () => {
    expect(await tally('zines', 'subject', { year: '1998' })).to.deep.equal(['food 2', 'punk 1'])
    expect(await tally('zines', 'year', { subject: 'punk' })).to.deep.equal(['199X 2', '1998 1'])
    expect(await tally('zines', 'subject', { search: 'salt' })).to.deep.equal([
      'art 2',
      'food 1',
      'punk 1',
    ])
  })

  it('ignore the filter that they are for', async () => {
    const all = await tally('zines', 'year')
    expect(await tally('zines', 'year', { year: '1998' })).to.deep.equal(all)
  })

  it('are the lengths of the lists that the filter gives', async () => {
    const ordering: string[] = []
    for (const { value, count } of await collection.catalogue.facetCounts('zines', 'year')) {
      const filters = new Map([['year', value]])
      const request = { filters, search: '', ordering, page: 1, pageSize: 25 }
      expect((await collection.catalogue.list('zines', request)).count).to.equal(count)
    }
  })
})
