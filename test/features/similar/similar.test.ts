// Tests the zines that are most like a zine, as JSON and on its page, and the zine by chance.

import { expect } from 'chai'

import { useCatalogue } from '../../http/catalogue.js'

describe('the zines similar to a zine', () => {
  const { service, given } = useCatalogue()

  const portland = 'Portland, Oregon, United States'
  const zines: Readonly<Record<string, object>> = {
    toner: {
      creator: ['dot'],
      subject: ['bicycles', 'gardening'],
      genre: ['art-zine'],
      place_of_publication: [portland],
      date: ['2011'],
    },
    'two-shared': { creator: ['dot'], subject: ['gardening'], date: ['1975'] },
    'one-shared': { creator: ['a'], subject: ['bicycles'], date: ['1975'] },
    'of-place': {
      creator: ['b'],
      subject: ['dreams'],
      place_of_publication: [portland],
      date: ['1975'],
    },
    'of-genre': { creator: ['c'], subject: ['dance'], genre: ['art-zine'], date: ['2014'] },
    hidden: { creator: ['dot'], subject: ['bicycles', 'gardening'], visibility: 'hidden' },
  }

  before(async () => {
    await given.agent({ agent_id: 'dot', display_name: 'Dot Matrix' })
    for (const agent_id of ['a', 'b', 'c', 'cat', 'd']) await given.agent({ agent_id })
    for (const [zine_id, fields] of Object.entries(zines)) await given.zine({ zine_id, ...fields })
    for (const number of ['1', '2', '3'])
      await given.zine({
        zine_id: `hive-${number}`,
        title: 'Hive',
        issue_designation: number,
        creator: ['cat'],
        subject: ['cats'],
      })
    await given.zine({ zine_id: 'about-cats', creator: ['d'], subject: ['cats'] })
  })

  const similarTo = async (id: string): Promise<readonly any[]> => {
    const { status, body, text } = await service().get(`/api/zines/${id}/similar/`)
    expect(status, text).to.equal(200)
    return body.results
  }

  const idsSimilarTo = async (id: string) =>
    (await similarTo(id)).map(({ zine }: any) => zine.zine_id)

  it('are those that share most of what few zines have', async () =>
    expect(await idsSimilarTo('toner')).to.deep.equal(['two-shared', 'one-shared', 'of-place']))

  it('say what both have, the most telling first, as filters take it and people call it', async () => {
    const [first, second, third] = await similarTo('toner')
    expect(first.zine.title).to.match(/^Zine /)
    expect(first.shared).to.have.deep.members([
      { facet: 'creator', value: 'dot', label: 'Dot Matrix' },
      { facet: 'subject', value: 'gardening', label: 'Gardening' },
    ])
    expect(second.shared).to.deep.equal([
      { facet: 'subject', value: 'bicycles', label: 'Bicycles and cycling' },
    ])
    expect(third.shared).to.deep.equal([{ facet: 'place', value: '5746545', label: 'Portland' }])
    for (const { shared } of [first, second, third])
      for (const { facet, value } of shared) {
        const { body } = await service().get(`/api/zines/?${facet}=${encodeURIComponent(value)}`)
        expect(body.results.map((zine: any) => zine.zine_id)).to.include('toner')
      }
  })

  it('are of one series at most twice, and never the zine itself', async () => {
    expect(await idsSimilarTo('about-cats')).to.deep.equal(['hive-1', 'hive-2'])
    expect(await idsSimilarTo('hive-1')).to.deep.equal(['hive-2', 'hive-3', 'about-cats'])
  })

  it('are none where nothing is shared but the genre and the decade', async () =>
    expect(await idsSimilarTo('of-genre')).to.deep.equal([]))

  it('follow a zine that was renamed, and are not those of an unknown one or of a hidden one', async () => {
    const { zine_id: id } = await given.zine({ subject: ['drugs'] })
    await service().post(`/api/zines/${id}/rename/`, { id: 'cat-zine' })
    const moved = await service().get(`/api/zines/${id}/similar/`)
    expect(moved.status).to.equal(301)
    expect(moved.headers.get('location')).to.match(/\/api\/zines\/cat-zine\/similar\/$/)
    for (const missing of ['none', 'hidden']) {
      const { status } = await service().get(`/api/zines/${missing}/similar/`, { token: null })
      expect(status).to.equal(404)
    }
  })

  it('are on the page of the zine, with what is shared in words', async () => {
    const page = await service().get('/api/zines/toner/', { headers: { accept: 'text/html' } })
    const [, box = ''] = page.text.split('id="similar"')
    expect(box).to.include('/api/zines/two-shared/')
    expect(box).to.include('also by <bdi>Dot Matrix</bdi>')
    expect(box).to.include('also from <bdi>Portland</bdi>')
    const without = await service().get('/api/zines/of-genre/', {
      headers: { accept: 'text/html' },
    })
    expect(without.text).not.to.include('id="similar"')
  })
})

describe('a zine by chance', () => {
  const { service, given } = useCatalogue()

  const leadsTo = async (query: string): Promise<string> => {
    const { status, headers } = await service().get(`/random${query}`)
    expect(status).to.equal(303)
    expect(headers.get('cache-control')).to.equal('no-store')
    return new URL(headers.get('location') ?? '', service().url).pathname
  }

  it('is each of those that the filters and searches find', async () => {
    const ids = ['cat-a', 'cat-b', 'cat-c']
    for (const zine_id of ids)
      await given.zine({ zine_id, subject: ['cats'], title: `Whiskers ${zine_id}` })
    for (const query of ['?subject=cats', '?search=whiskers']) {
      const found = new Set<string>()
      while (found.size < ids.length) found.add(await leadsTo(query))
      expect([...found].sort()).to.deep.equal(ids.map((id) => `/api/zines/${id}/`))
    }
  })

  it('is none where no zine is found', async () => {
    expect((await service().get('/random?subject=dogs')).status).to.equal(404)
    expect((await service().get('/random?year__gte=soon')).status).to.equal(400)
  })
})
