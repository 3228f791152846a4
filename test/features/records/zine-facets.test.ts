// Tests the facets of zines, the further filters of their list, and what lists say of parameters that they do not know.

import { expect } from 'chai'

import { WITH_INDEX } from '../../service.js'
import { unique, useCatalogue } from '../../http/catalogue.js'

describe('the filters of zines that want work', () => {
  const { service, given } = useCatalogue()
  const word = unique('wanting')

  before(async () => {
    const agentIds = ['Ada', 'UNKNOWN maker', 'Gone', 'Lost'].map((display_name, index) => ({
      agent_id: `${word}-${index}`,
      display_name,
    }))
    const [known, unknown, gone, lost] = agentIds.map(({ agent_id }) => agent_id)
    for (const agent of agentIds) await given.agent(agent)
    const zines: Readonly<Record<string, object>> = {
      a: { creator: [known], subject: ['punk'] },
      b: { creator: [known, unknown], subject: ['zines', 'punk'] },
      c: { creator: [gone], subject: ['zines'] },
      d: { creator: [known], contributor: [known, lost], subject: ['zines'] },
    }
    for (const [zine_id, fields] of Object.entries(zines))
      await given.zine({ zine_id: `${word}-${zine_id}`, title: word, ...fields })
    for (const id of [gone, lost]) await service().delete(`/api/agents/${id}/`)
  })

  const find = async (query: string): Promise<string> => {
    const path = `/api/zines/?search=${word}&ordering=created_at&${query}`
    const { status, body, text } = await service().get(path)
    expect(status, text).to.equal(200)
    return body.results.map((zine: any) => zine.zine_id.at(-1)).join('')
  }

  for (const [query, found] of [
    ['unknown_maker=true', 'b'],
    ['unknown_maker=false', 'acd'],
    ['only_general_subject=true', 'cd'],
    ['only_general_subject=false', 'ab'],
    ['broken_reference=true', 'cd'],
    ['broken_reference=false', 'ab'],
    ['broken_reference=true&only_general_subject=true&unknown_maker=false', 'cd'],
    ['unknown_maker=', 'abcd'],
  ] as const)
    it(`find ${found} for ?${query}`, async () => expect(await find(query)).to.equal(found))

  for (const name of ['unknown_maker', 'only_general_subject', 'broken_reference'])
    it(`are answered 400 for ?${name}=1`, async () => {
      const { status, body } = await service().get(`/api/zines/?${name}=1`)
      expect(status).to.equal(400)
      expect(body).to.have.key(name)
    })

  it('follow what is written to makers', async () => {
    await service().patch(`/api/agents/${word}-0/`, { display_name: 'Anonymous' })
    expect(await find('unknown_maker=true')).to.equal('abd')
    await service().patch(`/api/agents/${word}-0/`, { display_name: 'Ada' })
    expect(await find('unknown_maker=true')).to.equal('b')
    await given.agent({ agent_id: `${word}-2` })
    expect(await find('broken_reference=true')).to.equal('d')
    await service().delete(`/api/agents/${word}-2/`)
    expect(await find('broken_reference=true')).to.equal('cd')
  })
})

describe('right after a write, lists and facets', () => {
  const { service, given } = useCatalogue()
  const word = unique('current')
  const [maker, library, first, second] = ['maker', 'library', 'a', 'b'].map(
    (end) => `${word}-${end}`,
  )
  const ofMaker = { creator: [maker], contributor: [maker], subject: ['punk'], date: [] }

  before(async () => {
    await given.agent({ agent_id: maker, display_name: 'Dot' })
    await given.repository({ repo_id: library, repository_name: 'Attic', country: 'CA' })
    await given.zine({ zine_id: first, title: 'One', ...ofMaker })
  })

  const get = async (path: string) => {
    const { status, body, text } = await service().get(path)
    expect(status, text).to.equal(200)
    return body
  }

  /** What is said of the zines of the maker, as one line. It is asked for twice, since the second answer may be kept. */
  async function state(): Promise<string> {
    const list = `contributor=${maker}&ordering=title`
    for (let time = 0; ; time += 1) {
      const { results } = await get(`/api/zines/?${list}`)
      const facets = await get(
        `/api/zines/facets/?${list}&facet=subject,decade,creator,repository,country`,
      )
      const held = await get(`/api/zines/?contributor=${maker}&has_holding=true`)
      const counts = Object.values<any>(facets).flatMap((choices) =>
        choices.map(({ label, count }: any) => `${label} ${count}`),
      )
      const shown = results.map(
        ({ title, creator }: any) => `${title} by ${creator[0].display_name}`,
      )
      if (time === 1) return [...shown, `held ${held.count}`, ...counts].join(', ')
    }
  }

  const found = async (words: string): Promise<string> => {
    const parameter = WITH_INDEX ? 'q' : 'search'
    const { results } = await get(`/api/zines/?${parameter}=${words}&contributor=${maker}`)
    return results.map(({ title }: any) => title).join()
  }

  it('are as it left the catalogue, whichever record it wrote', async () => {
    expect(await state()).to.equal('One by Dot, held 0, Punk 1, Dot 1')
    expect(await found(`about${word}`)).to.equal('')
    await service().patch(`/api/zines/${first}/`, { abstract: `about${word}` })
    expect(await state()).to.equal('One by Dot, held 0, Punk 1, Dot 1')
    expect(await found(`about${word}`)).to.equal('One')
    await service().patch(`/api/agents/${maker}/`, { display_name: 'Zebulon' })
    expect(await state()).to.equal('One by Zebulon, held 0, Punk 1, Zebulon 1')
    if (WITH_INDEX) expect(await found('"zebulon"')).to.equal('One')
    await service().patch(`/api/agents/${maker}/`, { display_name: 'Dash' })
    if (WITH_INDEX) expect(await found('"zebulon"')).to.equal('')
    await given.zine({ zine_id: second, title: 'Two', ...ofMaker })
    expect(await state()).to.equal('One by Dash, Two by Dash, held 0, Punk 2, Dash 2')
    await service().patch(`/api/zines/${second}/`, { date: ['1994'] })
    expect(await state()).to.equal('One by Dash, Two by Dash, held 0, Punk 2, 1990s 1, Dash 2')
    const { holding_id } = await given.holding({ zine_id: first, repository_id: library })
    const held = 'One by Dash, Two by Dash, held 1, Punk 2, 1990s 1, Dash 2'
    expect(await state()).to.equal(`${held}, Attic 1, Canada 1`)
    await service().patch(`/api/repositories/${library}/`, { country: 'US' })
    expect(await state()).to.match(/Attic 1, United States.* 1$/)
    await service().delete(`/api/holdings/${holding_id}/`)
    await service().delete(`/api/zines/${first}/`)
    expect(await state()).to.equal('Two by Dash, held 0, Punk 1, 1990s 1, Dash 1')
  })
})

describe('the further filters of zines', () => {
  const { service, given } = useCatalogue()
  const word = unique('faceted')

  before(async () => {
    const title = `Title ${word}`
    const zines: Readonly<Record<string, object>> = {
      a: {
        subject: ['punk', 'travel'],
        date: ['1989'],
        format: ['mini'],
        content_advice: ['nudity'],
      },
      b: { subject: ['punk'], genre: ['fanzine'], date: ['1994-05'], language: ['es', 'en'] },
      c: {
        subject: ['food'],
        date: ['199X'],
        place_of_publication: ['Portland, Oregon'],
        content_advice: ['nudity', 'violence'],
      },
      d: { subject: ['travel'], date: ['undated'], format: ['digital'] },
    }
    for (const [zine_id, fields] of Object.entries(zines))
      await given.zine({ zine_id: `${word}-${zine_id}`, title, ...fields })
    const { repo_id } = await given.repository({ repo_id: `${word}-attic`, country: 'CA' })
    await given.holding({ zine_id: `${word}-a`, repository_id: repo_id, digital_available: true })
    await given.holding({
      zine_id: `${word}-b`,
      repository_id: repo_id,
      access_status: 'restricted',
    })
    await given.holding({ zine_id: `${word}-b`, repository_id: 'library' })
  })

  /** The last letters of the identifiers. */
  const find = async (query: string): Promise<string> => {
    const path = `/api/zines/?search=${word}&ordering=created_at&${query}`
    const { status, body, text } = await service().get(path)
    expect(status, text).to.equal(200)
    return body.results.map((zine: any) => zine.zine_id.at(-1)).join('')
  }

  // prettier-ignore
  const filters: readonly (readonly [query: string, found: string])[] = [
    ['subject__in=travel,food', 'acd'],
    ['subject__all=punk,travel', 'a'],
    ['subject__in=punk&subject__all=travel', 'a'],
    ['subject__in=', 'abcd'],
    ['genre__in=fanzine', 'b'],
    ['language__all=es,en', 'b'],
    ['format__in=mini,digital', 'ad'],
    ['content_advice=nudity', 'ac'],
    ['content_advice__not_in=violence', 'abd'],
    ['content_advice__not_in=violence,nudity', 'bd'],
    ['content_advice__not_in=war', 'abcd'],
    ['content_advice=nudity&content_advice__not_in=violence', 'a'],
    ['year__gte=1990', 'bc'],
    ['year__gte=1991', 'b'],
    ['year__lte=1990', 'a'],
    ['year__gte=1989&year__lte=1994', 'ab'],
    ['decade=1990', 'bc'],
    ['undated=true', 'd'],
    ['undated=false', 'abc'],
    ['place=portland', 'c'],
    ['place=oregon+portland', 'c'],
    ['place=paris', ''],
    ['place=5746545', 'c'],
    ['place=5744337', 'c'],
    ['place=6252001', 'c'],
    ['place=6251999', ''],
    ['place=1', ''],
    ['has_holding=true', 'ab'],
    ['has_holding=false', 'cd'],
    [`repository=${word}-attic`, 'ab'],
    ['repository=library', 'b'],
    ['digital=true', 'a'],
    ['digital=false', 'bcd'],
    [`repository=${word}-attic&digital=true`, 'a'],
    ['country=CA', 'ab'],
    ['country=US', 'b'],
    ['country=PL', ''],
    ['access=restricted', 'b'],
    [`only_in=${word}-attic`, 'a'],
    ['only_in=library', ''],
    [`repository=${word}-attic&digital=false`, 'b'],
    ['subject=punk&subject=travel', 'ad'],
  ]
  for (const [query, found] of filters)
    it(`of ?${query.replace(word, '…')} find ${found || 'none'}`, async () =>
      expect(await find(query)).to.equal(found))

  for (const query of ['year__gte=soon', 'decade=90s', 'undated=maybe', 'has_holding=1'])
    it(`are answered 400 for ?${query}`, async () => {
      const { status, body } = await service().get(`/api/zines/?${query}`)
      expect(status).to.equal(400)
      expect(body).to.have.key(query.split('=')[0] ?? '')
    })

  it('follow what is written to holdings', async () => {
    const { zine_id } = await given.zine({ title: word, zine_id: `${word}-e` })
    expect(await find('has_holding=true')).to.equal('ab')
    const { holding_id } = await given.holding({ zine_id })
    expect(await find('has_holding=true')).to.equal('abe')
    await service().delete(`/api/holdings/${holding_id}/`)
    expect(await find('has_holding=true')).to.equal('ab')
    await service().delete(`/api/zines/${zine_id}/`)
  })

  describe('and their facets', () => {
    const facets = async (query: string) => {
      const { status, body, text } = await service().get(
        `/api/zines/facets/?search=${word}&${query}`,
      )
      expect(status, text).to.equal(200)
      return body
    }

    it('are eight, unless some are named', async () =>
      expect(await facets('')).to.have.keys(
        ...['subject', 'genre', 'language', 'decade'],
        ...['repository', 'country', 'format', 'access'],
      ))

    it('count the values with their labels, the most frequent first', async () => {
      expect(await facets('facet=subject,decade')).to.deep.equal({
        subject: [
          { value: 'punk', label: 'Punk', count: 2 },
          { value: 'travel', label: 'Travel', count: 2 },
          { value: 'food', label: 'Food', count: 1 },
        ],
        decade: [
          { value: '1990', label: '1990s', count: 2 },
          { value: '1980', label: '1980s', count: 1 },
        ],
      })
    })

    it('count each zine once for each repository and country', async () => {
      const { repository, country } = await facets('facet=repository,country')
      expect(repository.map(({ value, count }: any) => [value, count])).to.deep.equal([
        [`${word}-attic`, 2],
        ['library', 1],
      ])
      expect(country.map(({ value, count }: any) => [value, count])).to.deep.equal([
        ['CA', 2],
        ['US', 1],
      ])
    })

    it('are under all filters', async () =>
      expect(await facets('facet=genre&subject__in=punk&year__gte=1990')).to.deep.equal({
        genre: [{ value: 'fanzine', label: 'Fanzine', count: 1 }],
      }))

    it('have as many values as asked', async () =>
      expect((await facets('facet=subject&limit=1')).subject).to.have.length(1))

    it('are answered 400 for a name of which there is none', async () => {
      const { status, body } = await service().get('/api/zines/facets/?facet=colour')
      expect(status).to.equal(400)
      expect(body).to.have.key('facet')
    })

    it('give way to a record with their name', async () => {
      await given.zine({ zine_id: 'facets', title: 'Facets' })
      const { body } = await service().get('/api/zines/facets/')
      expect(body.title).to.equal('Facets')
      await service().delete('/api/zines/facets/')
    })
  })
})

describe('a parameter that a list does not know', () => {
  const { service } = useCatalogue()

  for (const path of ['/api/zines/', '/api/agents/', '/api/zines/export/']) {
    it(`is named in a header of ${path}`, async () => {
      const { status, headers } = await service().get(`${path}?colour=red&page_size=1&size=2`)
      expect(status).to.equal(200)
      expect(headers.get('X-Ignored-Parameters')).to.equal('colour, size')
    })

    it(`is an error of ${path} with strict=true`, async () => {
      const { status, body } = await service().get(`${path}?colour=red&strict=true`)
      expect(status).to.equal(400)
      expect(body).to.deep.equal({ colour: ['This list has no such parameter.'] })
    })
  }

  it('is not told where there is none', async () => {
    const { status, headers } = await service().get('/api/zines/?subject=punk&strict=true')
    expect(status).to.equal(200)
    expect(headers.has('X-Ignored-Parameters')).to.equal(false)
  })
})

describe('the search of all kinds', function () {
  const { service, given } = useCatalogue()
  const word = unique('kinds')

  before(async function () {
    if (!WITH_INDEX) this.skip()
    await given.agent({ agent_id: `${word}-a`, display_name: `Ada ${word}` })
    await given.zine({ zine_id: `${word}-z`, title: word, creator: [`${word}-a`], date: ['1994'] })
    await given.holding({ holding_id: `${word}-h`, zine_id: `${word}-z` })
  })

  it('answers one ranked list of records', async () => {
    const { body } = await service().get(`/api/search/?q=${word}`)
    expect(body.count).to.equal(3)
    expect(body.results.map(({ kind }: any) => kind).at(-1)).to.equal('holdings')
    const [first] = body.results.filter(({ kind }: any) => kind === 'zines')
    const { body: listed } = await service().get(`/api/zines/?search=${word}`)
    expect(first).to.deep.equal({
      kind: 'zines',
      id: `${word}-z`,
      label: word,
      url: `${service().url}/api/zines/${word}-z/`,
      record: listed.results[0],
    })
  })

  it('is paged, and empty without words', async () => {
    const { body } = await service().get(`/api/search/?q=${word}&page_size=2&page=2`)
    expect(body.results).to.have.length(1)
    expect(body.previous).to.be.a('string')
    expect((await service().get('/api/search/')).body).to.deep.include({ count: 0, results: [] })
    expect((await service().get(`/api/search/?q=${word}&page=9`)).status).to.equal(404)
  })

  it('suggests what is typed', async () => {
    const { body } = await service().get(`/api/suggest/?q=${word.slice(0, -1)}&kind=zines`)
    expect(body).to.deep.equal([
      {
        kind: 'zines',
        id: `${word}-z`,
        label: word,
        note: `Ada ${word}, 1994`,
        url: `${service().url}/api/zines/${word}-z/`,
      },
    ])
  })

  it('suggests subjects by other labels, and places without accents', async () => {
    const subjects = await service().get('/api/suggest/?q=punk&kind=subjects')
    expect(subjects.body[0]).to.deep.include({ kind: 'subjects', id: 'punk' })
    const places = await service().get('/api/suggest/?q=sao+paulo&kind=places')
    expect(places.body[0].label).to.equal('São Paulo')
  })

  it('suggests ten at most, and nothing for nothing', async () => {
    expect((await service().get('/api/suggest/?q=an')).body.length).to.be.at.most(10)
    expect((await service().get('/api/suggest/?q=')).body).to.deep.equal([])
    expect((await service().get('/api/suggest/?q=x&kind=colours')).status).to.equal(400)
  })

  it('answers browsers in their format, and tells them where', async () => {
    const path = `/api/suggest/?q=${word}&kind=zines&format=opensearch`
    const { headers, text } = await service().get(path)
    expect(headers.get('Content-Type')).to.include('application/x-suggestions+json')
    expect(JSON.parse(text)).to.deep.equal([
      word,
      [word],
      [`Ada ${word}, 1994`],
      [`${service().url}/api/zines/${word}-z/`],
    ])
    const description = await service().get('/opensearch.xml')
    expect(description.text).to.include(`${service().url}/api/suggest/?format=opensearch&amp;q=`)
  })
})

describe('the years of zines', () => {
  const { service, given } = useCatalogue()
  const word = unique('dated')

  const dates: Readonly<Record<string, readonly string[]>> = {
    a: ['1985-1987'],
    b: ['1985/..'],
    c: ['../1985'],
    d: ['1980s-1990s'],
    e: ['19XX'],
    f: ['1989 or 1990'],
    g: ['{1960,1961-12}'],
    h: ['1980', '1995'],
    i: ['0000'],
    j: ['Y2006', '20067890%'],
    k: ['1985-XX-XX'],
    l: ['1980s'],
  }

  before(async () => {
    for (const [letter, date] of Object.entries(dates))
      await given.zine({ zine_id: `${word}-${letter}`, title: word, date })
  })

  const list = async (query: string): Promise<any> =>
    (await service().get(`/api/zines/?search=${word}&ordering=created_at&page_size=100&${query}`))
      .body

  // prettier-ignore
  const filters: readonly (readonly [query: string, found: string])[] = [
    // What has the year between its ends has it too; what is open is of the year that it names.
    ['year=1985', 'abck'],
    ['year=1986', 'a'],
    ['year=1988', ''],
    ['year=1990', 'f'],
    ['year=1960', 'g'],
    ['year=2006', ''],
    ['year=0000', ''],
    ['year=198X', 'abcdfhkl'],
    ['year=199X', 'dfh'],
    ['year=19XX', ''],
    ['decade=1980', 'abcdfhkl'],
    ['decade=1990', 'dfh'],
    // All years of one date have to be in the range.
    ['year__lte=1986', 'cghk'],
    ['year__lte=1989', 'acghkl'],
    ['year__lte=1999', 'acdefghkl'],
    ['year__gte=1985', 'abfhk'],
    ['year__gte=1986', 'fh'],
    ['year__gte=1900&year__lte=1999', 'adefghkl'],
    ['year__gte=1985&year__lte=1990', 'afk'],
    ['undated=true', 'ij'],
  ]
  for (const [query, found] of filters)
    it(`are of ?${query} in ${found || 'none'}`, async () => {
      const { results } = await list(query)
      expect(results.map((zine: any) => zine.zine_id.at(-1)).join('')).to.equal(found)
    })

  it('are counted as the filters find them', async () => {
    for (const facet of ['year', 'decade']) {
      const { body } = await service().get(`/api/zines/facets/?search=${word}&facet=${facet}`)
      const values: readonly any[] = body[facet]
      expect(values).to.have.length.greaterThan(2)
      for (const { value, count } of values)
        expect((await list(`${facet}=${value}`)).count, value).to.equal(count)
    }
  })

  it('are numbers in RDF, where a span without an end has no last one', async () => {
    const found: string[] = []
    for (const letter of Object.keys(dates)) {
      const { text } = await service().get(`/api/zines/${word}-${letter}/?format=ntriples`)
      const [first = '', last = ''] = ['earliest', 'latest'].map(
        (which) => new RegExp(`ns#${which}Year> "([^"]*)"`).exec(text)?.[1],
      )
      found.push([letter, first, last].join(' ').trim())
    }
    expect(found).to.deep.equal([
      ...['a 1985 1987', 'b 1985', 'c  1985', 'd 1980 1999', 'e 1900 1999', 'f 1989 1990'],
      ...['g 1960 1961', 'h 1980 1995', 'i', 'j', 'k 1985 1985', 'l 1980 1989'],
    ])
  })
})
