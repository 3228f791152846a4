// Tests the filters by many identifiers at once, `?zine_id__in=` and the like, of each list.

import { expect } from 'chai'

import { listPath, resources, unique, useCatalogue } from '../../http/catalogue.js'

describe('lists of records by their identifiers:', () => {
  const { service, given } = useCatalogue()

  for (const resource of resources)
    describe(`${resource.idField}__in`, () => {
      const { name, idField } = resource
      const ids = ['a', 'b', 'é', 'd'].map((letter) => unique(`${name} ${letter}`))

      before(async () => {
        for (const id of ids) await given.record(resource, { [idField]: id })
      })

      async function find(value: string, more = ''): Promise<readonly string[]> {
        const query = `${idField}__in=${encodeURIComponent(value)}${more}`
        const { status, body, text } = await service().get(`${listPath(name)}?${query}`)
        expect(status, text).to.equal(200)
        expect(body.count).to.equal(body.results.length)
        return body.results.map((record: any) => record[idField])
      }

      it('finds those that there are, in the order of the list', async () => {
        const [first = '', second = '', third = ''] = ids
        expect(
          await find([second, 'no-such-record', third, first].join(), '&ordering=created_at'),
        ).to.deep.equal([first, second, third])
      })

      it('takes an identifier in another Unicode form', async () => {
        const [, , third = ''] = ids
        expect(await find(third.normalize('NFD'))).to.deep.equal([third])
      })

      it('finds nothing for none that there is', async () => {
        expect(await find('no-such-record')).to.deep.equal([])
      })

      it('does not take more than 100', async () => {
        const named = Array.from({ length: 101 }, (_, index) => `nothing-${index}`)
        expect(await find(named.slice(1).join())).to.deep.equal([])
        const path = `${listPath(name)}?${idField}__in=${named.join()}`
        const { status, body } = await service().get(path)
        expect(status).to.equal(400)
        expect(body).to.deep.equal({
          [`${idField}__in`]: ['A filter takes no more than 100 values.'],
        })
      })

      it('follows a record that is deleted', async () => {
        const last = ids.at(-1) ?? ''
        expect(await find(last)).to.deep.equal([last])
        await service().delete(`${listPath(name)}${encodeURIComponent(last)}/`)
        expect(await find(last)).to.deep.equal([])
      })

      it('applies to exports', async () => {
        const [first = '', second = ''] = ids
        const query = `${idField}__in=${encodeURIComponent(`${first},${second}`)}`
        const { text } = await service().get(`${listPath(name)}export/?format=jsonl&${query}`)
        expect(
          text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)[idField])
            .sort(),
        ).to.deep.equal([first, second].sort())
      })

      it('is shown by name on the page of the list', async () => {
        const [first = ''] = ids
        const headers = { accept: 'text/html' }
        const path = `${listPath(name)}?${idField}__in=${encodeURIComponent(first)}`
        const { status, text } = await service().get(path, { headers })
        expect(status).to.equal(200)
        expect(text).to.include('Identifiers')
      })
    })

  it('holdings are found by the zines that they are of', async () => {
    const zines = ['x', 'y', 'z'].map((letter) => unique(`zine-${letter}`))
    for (const zine_id of zines) {
      await given.zine({ zine_id })
      await given.holding({ holding_id: `${zine_id}-copy`, zine_id })
    }
    const [x, , z] = zines
    const { body } = await service().get(`/api/holdings/?zine_id__in=${x},${z}`)
    expect(body.results.map((holding: any) => holding.holding_id).sort()).to.deep.equal([
      `${x}-copy`,
      `${z}-copy`,
    ])
  })
})
