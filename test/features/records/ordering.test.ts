// Tests ?ordering= of lists: by each sortable field in both directions, by several fields, and for
// records with equal values or without a value.

import { expect } from 'chai'

import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'

/** Texts by code point: upper before lower case, and U+FF5E before U+1F984, which UTF-16 swaps. */
const IN_ORDER = ['1', '10', '2', 'A', 'Z', 'a', 'z', 'É', 'é', 'Ł', 'я', '雑', '～', '🦄']
const SHUFFLED = ['é', '🦄', 'a', '10', '～', 'Z', '雑', '1', 'Ł', 'z', 'A', 'я', '2', 'É']

describe('?ordering=', () => {
  const { service, given } = useCatalogue()

  /** The values of a field in a list with this ordering, one per record. */
  async function listValues(path: string, field: string, ordering: string): Promise<unknown[]> {
    const { status, body } = await service().get(`${path}&page_size=100&ordering=${ordering}`)
    expect(status).to.equal(200)
    return body.results.map((record: any) => record[field])
  }

  describe('on texts', () => {
    const word = unique('text')
    const { repo_id, zine_id } = { repo_id: unique('repo'), zine_id: unique('zine') }

    before(async () => {
      await given.zine({ zine_id })
      for (const text of SHUFFLED) {
        await given.zine({ title: `${text} ${word}` })
        await given.agent({ display_name: `${text} ${word}` })
        await given.repository({ repository_name: `${text} ${word}`, established: text })
        await given.holding({ zine_id, call_number: text, location: text })
      }
      await given.repository({ repo_id, repository_name: `Of no year ${word}` })
    })

    for (const [name, field] of [
      ['zines', 'title'],
      ['agents', 'display_name'],
    ] as const) {
      const path = `/api/${name}/?search=${word}`
      const texts = IN_ORDER.map((text) => `${text} ${word}`)

      it(`sorts ${name} by ${field} in code point order`, async () => {
        expect(await listValues(path, field, field)).to.deep.equal(texts)
      })

      it(`sorts ${name} by -${field} in descending order`, async () => {
        expect(await listValues(path, field, `-${field}`)).to.deep.equal(texts.toReversed())
      })
    }

    it('sorts repositories by repository_name in both directions', async () => {
      const path = `/api/repositories/?search=${word}`
      const names = [...IN_ORDER, 'Of no year'].map((text) => `${text} ${word}`)
      const sorted = [...names.slice(0, 4), ...names.slice(-1), ...names.slice(4, -1)]
      expect(await listValues(path, 'repository_name', 'repository_name')).to.deep.equal(sorted)
      expect(await listValues(path, 'repository_name', '-repository_name')).to.deep.equal(
        sorted.toReversed(),
      )
    })

    for (const [ordering, texts] of [
      ['established', IN_ORDER],
      ['-established', IN_ORDER.toReversed()],
    ] as const)
      it(`sorts repositories by ${ordering}, with those without a value last`, async () => {
        const path = `/api/repositories/?search=${word}`
        const expected = [...texts, 'Of no year'].map((text) => `${text} ${word}`)
        expect(await listValues(path, 'repository_name', ordering)).to.deep.equal(expected)
      })

    for (const [ordering, texts] of [
      ['call_number', IN_ORDER],
      ['-call_number', IN_ORDER.toReversed()],
    ] as const)
      it(`sorts holdings by ${ordering}, with those without a value last`, async () => {
        const { holding_id } = await given.holding({ zine_id, location: 'nowhere' })
        const found = await listValues(`/api/holdings/?zine_id=${zine_id}`, 'location', ordering)
        await service().delete(recordPath('holdings', holding_id))
        expect(found).to.deep.equal([...texts, 'nowhere'])
      })
  })

  describe('on times', () => {
    const word = unique('time')
    const zine_id = unique('zine')
    const titles = ['c', 'a', 'b'].map((text) => `${text} ${word}`)

    before(async () => {
      await given.zine({ zine_id })
      for (const title of titles) {
        await given.zine({ title })
        await given.agent({ display_name: title })
        await given.repository({ repository_name: title })
        await given.holding({ zine_id, location: title })
      }
    })

    for (const [name, field, query] of [
      ['zines', 'title', `search=${word}`],
      ['agents', 'display_name', `search=${word}`],
      ['repositories', 'repository_name', `search=${word}`],
      ['holdings', 'location', `zine_id=${zine_id}`],
    ] as const) {
      const path = `/api/${name}/?${query}`

      it(`sorts ${name} by created_at, the oldest first`, async () => {
        expect(await listValues(path, field, 'created_at')).to.deep.equal(titles)
      })

      for (const ordering of ['-created_at', '', 'nonsense', '-nonsense', ',', '-', '__proto__'])
        it(`sorts ${name} by created_at, the newest first, for “${ordering}”`, async () => {
          expect(await listValues(path, field, ordering)).to.deep.equal(titles.toReversed())
        })

      it(`ignores unknown fields between known ones for ${name}`, async () => {
        expect(await listValues(path, field, 'nonsense,created_at,-more')).to.deep.equal(titles)
      })

      it(`uses the last of several ordering parameters for ${name}`, async () => {
        const found = await listValues(`${path}&ordering=-created_at`, field, 'created_at')
        expect(found).to.deep.equal(titles)
      })
    }

    for (const [name, field] of [
      ['zines', 'abstract'],
      ['zines', 'zine_id'],
      ['agents', 'updated_at'],
      ['agents', 'legal_name'],
      ['agents', 'email'],
      ['repositories', 'city'],
    ] as const)
      it(`ignores ${field} of ${name}, which is not sortable`, async () => {
        const { body } = await service().get(`/api/${name}/?search=${word}&ordering=${field}`)
        const { body: plain } = await service().get(`/api/${name}/?search=${word}`)
        expect(body.results).to.deep.equal(plain.results)
      })

    it('sorts zines by updated_at in both directions', async () => {
      const own = unique('own')
      const made = []
      for (const title of ['a', 'b', 'c']) made.push(await given.zine({ title: `${title} ${own}` }))
      await service().patch(recordPath('zines', made[0].zine_id), { abstract: 'Changed.' })
      const path = `/api/zines/?search=${own}`
      const moved = ['b', 'c', 'a'].map((title) => `${title} ${own}`)
      expect(await listValues(path, 'title', 'updated_at')).to.deep.equal(moved)
      expect(await listValues(path, 'title', '-updated_at')).to.deep.equal(moved.toReversed())
    })
  })

  describe('on years', () => {
    const word = unique('years')
    const dates: Readonly<Record<string, readonly string[]>> = {
      // Of several dates the earliest year counts, and of a span its first.
      a: ['2001', 'c. 1994'],
      b: ['1998/2003'],
      c: [],
      d: ['Winter 1994'],
      e: ['199X'],
      f: ['no date'],
      g: ['-0500'],
      h: ['0000'],
      i: ['2003-05-01'],
      // Nobody knows when it began.
      j: ['../1985'],
    }

    before(async () => {
      // Not in the order of their identifiers, which decide between the zines of one year.
      for (const [letter, date] of Object.entries(dates).reverse())
        await given.zine({ zine_id: `${word}-${letter}`, title: word, date })
    })

    const letters = async (query: string): Promise<string> => {
      const { status, body, text } = await service().get(`/api/zines/?search=${word}&${query}`)
      expect(status, text).to.equal(200)
      return body.results.map((zine: any) => zine.zine_id.at(-1)).join('')
    }

    for (const [ordering, found] of [
      ['year', 'geadbi' + 'cfhj'],
      ['-year', 'ibadeg' + 'cfhj'],
      ['-year,created_at', 'ibdaeg' + 'jhfc'],
      ['title,-year', 'ibadeg' + 'cfhj'],
    ] as const)
      it(`sorts zines by ${ordering}, with those without a year last`, async () => {
        expect(await letters(`page_size=100&ordering=${ordering}`)).to.equal(found)
        const pages = [1, 2, 3, 4].map((page) =>
          letters(`page_size=3&ordering=${ordering}&page=${page}`),
        )
        expect((await Promise.all(pages)).join('')).to.equal(found)
      })

    it('is also the order of exports', async () => {
      const path = `/api/zines/export/?format=jsonl&search=${word}&ordering=-year`
      const { text } = await service().get(path)
      const ids = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).zine_id.at(-1))
      expect(ids.join('')).to.equal('ibadegcfhj')
    })

    it('follows what is written to dates', async () => {
      await service().patch(`/api/zines/${word}-b/`, { date: [] })
      expect(await letters('ordering=-year')).to.equal('iadegbcfhj')
      await service().patch(`/api/zines/${word}-b/`, { date: ['1998/2003'] })
      expect(await letters('ordering=-year')).to.equal('ibadegcfhj')
    })

    it('is no order of other resources', async () => {
      const { body } = await service().get('/api/agents/?ordering=year')
      const { body: plain } = await service().get('/api/agents/')
      expect(body.results).to.deep.equal(plain.results)
    })
  })

  describe('on equal values', () => {
    const word = unique('alike')
    const ids = [5, 3, 1, 4, 2].map((number) => `alike-${number}`)

    before(async () => {
      for (const zine_id of ids) await given.zine({ zine_id, title: `Same ${word}` })
    })

    it('sorts records by identifier', async () => {
      const found = await listValues(`/api/zines/?search=${word}`, 'zine_id', 'title')
      expect(found).to.deep.equal(ids.toSorted())
    })

    for (const ordering of ['title', '-title'])
      it(`repeats and misses no record from page to page, by ${ordering}`, async () => {
        const path = `/api/zines/?search=${word}&page_size=1&ordering=${ordering}`
        const pages = await Promise.all(
          ids.map((_, index) => service().get(`${path}&page=${index + 1}`)),
        )
        const found = pages.map((answer) => answer.body.results[0].zine_id)
        expect(found.toSorted()).to.deep.equal(ids.toSorted())
      })
  })

  describe('with several fields', () => {
    const word = unique('several')

    before(async () => {
      for (const [established, name] of [
        ['1990', 'b'],
        ['1980', 'b'],
        ['1990', 'a'],
        ['1980', 'a'],
      ] as const)
        await given.repository({
          repository_name: `${name} ${word}`,
          city: established + name,
          established,
        })
    })

    // prettier-ignore
    for (const [ordering, cities] of [
      ['established,repository_name',   ['1980a', '1980b', '1990a', '1990b']],
      ['established,-repository_name',  ['1980b', '1980a', '1990b', '1990a']],
      ['-established,repository_name',  ['1990a', '1990b', '1980a', '1980b']],
      ['-repository_name,-established', ['1990b', '1980b', '1990a', '1980a']],
      ['repository_name,created_at',    ['1990a', '1980a', '1990b', '1980b']],
      ['nonsense,established,no,created_at', ['1980b', '1980a', '1990b', '1990a']],
    ] as const)
      it(`sorts by the first field and then by the next: ${ordering}`, async () => {
        const found = await listValues(`/api/repositories/?search=${word}`, 'city', ordering)
        expect(found).to.deep.equal(cities)
      })
  })
})
