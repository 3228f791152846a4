// Tests the filters of lists: each parameter alone, and together with others and with search.

import { expect } from 'chai'

import {
  listPath,
  resourceOf,
  resources,
  unique,
  useCatalogue,
  type Resource,
} from '../../http/catalogue.js'

type Filter = {
  readonly name: Resource['name']
  readonly parameter: string
  /** Fields of a record that matches, and of one that does not. */
  readonly match: object
  readonly other: object
  readonly value: string
  /** Similar values that must not match: in another case, or only the beginning. */
  readonly similar: readonly string[]
}

// prettier-ignore
const FILTERS: readonly Filter[] = [
  { name: 'zines', parameter: 'subject',  value: 'art', match: { subject: ['punk', 'art'] }, other: { subject: ['punk'] }, similar: ['Art', 'ar'] },
  { name: 'zines', parameter: 'genre',    value: 'art-zine', match: { genre: ['perzine', 'art-zine'] }, other: { genre: ['perzine'] }, similar: ['Art-Zine', 'art'] },
  { name: 'zines', parameter: 'creator',  value: 'helper', match: { creator: ['maker', 'helper'] }, other: { creator: ['maker'], contributor: ['helper'] }, similar: ['Helper', 'help'] },
  { name: 'zines', parameter: 'language', value: 'es', match: { language: ['en', 'es'] }, other: { language: ['en'] }, similar: ['ES', 'e'] },
  { name: 'zines', parameter: 'year',     value: '1998', match: { date: ['undated', '11/23/1998', 'c. 1998'] }, other: { date: ['1997', '1898', '1990s'] }, similar: ['199', '1998-', '98'] },
  { name: 'zines', parameter: 'year',     value: '199X', match: { date: ['May 1994'] }, other: { date: ['1989'] }, similar: ['199x', '1990s', '199'] },
  { name: 'agents', parameter: 'kind',    value: 'Collective', match: { kind: 'Collective' }, other: { kind: 'Person' }, similar: ['collective', 'Coll'] },
  { name: 'agents', parameter: 'public',  value: 'true', match: { public: true }, other: { public: false }, similar: ['1', 'yes', 'TRUE', 'x'] },
  { name: 'agents', parameter: 'public',  value: 'false', match: { public: false }, other: { public: true }, similar: ['0', 'no', 'FALSE', 'null'] },
  { name: 'repositories', parameter: 'repository_kind', value: 'distro', match: { repository_kind: 'distro' }, other: { repository_kind: 'archive' }, similar: ['Distro', 'dist'] },
  { name: 'repositories', parameter: 'country', value: 'PL', match: { country: 'PL' }, other: { country: 'US' }, similar: ['pl', 'P'] },
  { name: 'repositories', parameter: 'status', value: 'defunct', match: { status: 'defunct' }, other: { status: 'inactive' }, similar: ['Defunct', 'def'] },
  { name: 'repositories', parameter: 'status', value: 'active', match: {}, other: { status: 'inactive' }, similar: ['ACTIVE', 'act'] },
  { name: 'holdings', parameter: 'access_status', value: 'restricted', match: { access_status: 'restricted' }, other: { access_status: 'circulating' }, similar: ['Restricted', 'rest'] },
  { name: 'holdings', parameter: 'digital_available', value: 'true', match: { digital_available: true }, other: {}, similar: ['1', 'on', 'True'] },
  { name: 'holdings', parameter: 'digital_available', value: 'false', match: {}, other: { digital_available: true }, similar: ['0', 'off', 'False'] },
]

/** Values that match nothing, among them attempts at injection. */
const HOSTILE = [
  'no-such-value',
  '"',
  "'",
  '\\',
  '> } <',
  '" } UNION { ?s ?p ?o } #',
  '?s',
  '%25',
  '*',
  '.*',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
]

describe('filtered lists:', () => {
  const { service, given } = useCatalogue()

  for (const { name, parameter, match, other, value, similar } of FILTERS)
    describe(`the filter ?${parameter}=${value} of ${name}`, () => {
      const { idField } = resourceOf(name)
      const suffix = `${name}-${parameter}-${value}`
      const ids = { match: unique(`match-${suffix}`), other: unique(`other-${suffix}`) }

      before(async () => {
        await given.record(resourceOf(name), { ...match, [idField]: ids.match })
        await given.record(resourceOf(name), { ...other, [idField]: ids.other })
      })

      /** Which of the two records of this block are in the list. */
      async function found(query: string): Promise<string[]> {
        const { status, body } = await service().get(`${listPath(name)}?page_size=100&${query}`)
        expect(status).to.equal(200)
        const listed = body.results.map((record: any) => record[idField])
        return Object.values(ids).filter((id) => listed.includes(id))
      }

      it('finds the record with the value and not the other', async () => {
        expect(await found(`${parameter}=${value}`)).to.deep.equal([ids.match])
      })

      for (const wrong of similar)
        it(`does not match ${parameter}=${wrong}`, async () => {
          expect(await found(`${parameter}=${wrong}`)).to.deep.equal([])
        })

      it('finds all records when its value is empty', async () => {
        expect(await found(`${parameter}=`)).to.deep.equal([ids.match, ids.other])
      })

      it('uses the last value when it is repeated', async () => {
        expect(await found(`${parameter}=nothing&${parameter}=${value}`)).to.deep.equal([ids.match])
        expect(await found(`${parameter}=${value}&${parameter}=nothing`)).to.deep.equal([])
      })

      it('gives the number of matches as count', async () => {
        const { body } = await service().get(
          `${listPath(name)}?page_size=100&${parameter}=${value}`,
        )
        expect(body.count).to.equal(body.results.length)
      })

      it('ignores unknown parameters beside it', async () => {
        expect(await found(`${parameter}=${value}&unknown=x&title=no`)).to.deep.equal([ids.match])
      })
    })

  for (const [name, parameters] of [
    ['zines', ['subject', 'genre', 'creator', 'language', 'year']],
    ['agents', ['kind', 'public']],
    ['repositories', ['repository_kind', 'country', 'status']],
    ['holdings', ['zine_id', 'repository_id', 'access_status', 'digital_available']],
  ] as const)
    for (const parameter of parameters)
      for (const value of HOSTILE)
        it(`the filter ?${parameter}=${value.slice(0, 30)} of ${name} finds nothing`, async () => {
          const query = `${parameter}=${encodeURIComponent(value)}`
          const { status, body } = await service().get(`${listPath(name)}?${query}`)
          expect(status).to.equal(200)
          expect(body).to.deep.equal({ count: 0, next: null, previous: null, results: [] })
        })

  for (const [parameter, make] of [
    ['zine_id', async () => (await given.zine()).zine_id],
    ['repository_id', async () => (await given.repository()).repo_id],
  ] as const)
    it(`the filter ?${parameter}= finds the holdings of that record only`, async () => {
      const [mine, other] = [await make(), await make()]
      const { holding_id } = await given.holding({ [parameter]: mine })
      await given.holding({ [parameter]: other })
      const { body } = await service().get(`/api/holdings/?${parameter}=${mine}`)
      expect(body.results.map((copy: any) => copy.holding_id)).to.deep.equal([holding_id])
    })

  it('two filters find the records that match both', async () => {
    const { zine_id } = await given.zine()
    const { repo_id: repository_id } = await given.repository()
    await given.holding({ zine_id })
    await given.holding({ repository_id })
    const { holding_id } = await given.holding({ zine_id, repository_id })
    const query = `zine_id=${zine_id}&repository_id=${repository_id}`
    const { body } = await service().get(`/api/holdings/?${query}`)
    expect(body.results.map((copy: any) => copy.holding_id)).to.deep.equal([holding_id])
  })

  it('a filter and a search find the records that match both', async () => {
    const word = unique('both')
    await given.zine({ title: word, language: ['en'] })
    const { zine_id } = await given.zine({ title: word, language: ['pl'] })
    await given.zine({ language: ['pl'] })
    const { body } = await service().get(`/api/zines/?search=${word}&language=pl`)
    expect(body.results.map((one: any) => one.zine_id)).to.deep.equal([zine_id])
  })

  it('a zine that was sent with a value twice is found once', async () => {
    const { agent_id } = await given.agent()
    await given.zine({ creator: [agent_id, 'maker', agent_id] })
    expect((await service().get(`/api/zines/?creator=${agent_id}`)).body.count).to.equal(1)
  })

  it('the filter ?creator= finds zines of a deleted agent', async () => {
    const { agent_id } = await given.agent()
    await given.zine({ creator: [agent_id] })
    await service().delete(`/api/agents/${agent_id}/`)
    expect((await service().get(`/api/zines/?creator=${agent_id}`)).body.count).to.equal(1)
  })

  it('the filter ?creator= finds a zine by its new creator after a PATCH', async () => {
    const [from, to] = [await given.agent(), await given.agent()].map((one) => one.agent_id)
    const { zine_id } = await given.zine({ creator: [from] })
    const counts = async () =>
      Promise.all(
        [from, to].map(async (id) => (await service().get(`/api/zines/?creator=${id}`)).body.count),
      )
    const before = await counts()
    await service().patch(`/api/zines/${zine_id}/`, { creator: [to] })
    expect([before, await counts()]).to.deep.equal([
      [1, 0],
      [0, 1],
    ])
  })

  for (const { name, idField, textField } of resources)
    for (const parameter of [
      idField,
      textField,
      'created_at',
      'unknown',
      '__proto__',
      'constructor',
    ])
      it(`the parameter ?${parameter}= is no filter of ${name}`, async () => {
        const { body: unfiltered } = await service().get(listPath(name))
        const { body } = await service().get(`${listPath(name)}?${parameter}=none-such`)
        expect(body.count).to.equal(unfiltered.count)
      })
})
