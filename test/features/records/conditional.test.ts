// Tests ETag, If-None-Match and If-Match on records and lists (docs/reference/requests.md,
// "Conditional requests").

import { expect } from 'chai'

import { listPath, recordPath, resourceOf, resources, useCatalogue } from '../../http/catalogue.js'
import { types } from '../../http/formats.js'

const STRONG = /^"[^"]+"$/

describe('conditional requests:', () => {
  const { service, given } = useCatalogue()

  const getEtag = async (path: string, headers = {}) =>
    (await service().get(path, { headers })).headers.get('etag') ?? ''

  for (const { name, idField, textField } of resources)
    describe(`${name}:`, () => {
      const createPath = async () => {
        const id = (await given.record(resourceOf(name)))[idField]
        return recordPath(name, id)
      }

      it('GET of a record answers with a strong ETag', async () => {
        expect(await getEtag(await createPath())).to.match(STRONG)
      })

      it('GET of a list answers with a strong ETag', async () => {
        expect(await getEtag(listPath(name))).to.match(STRONG)
      })

      it('the ETag stays the same while nothing is written', async () => {
        const path = await createPath()
        expect(await getEtag(path)).to.equal(await getEtag(path))
        expect(await getEtag(listPath(name))).to.equal(await getEtag(listPath(name)))
      })

      it('the ETag of a record changes when the record changes', async () => {
        const path = await createPath()
        const before = await getEtag(path)
        await service().patch(path, { [textField]: 'Changed.' })
        expect(await getEtag(path)).not.to.equal(before)
      })

      it('the ETag of a list changes when a record is added', async () => {
        const before = await getEtag(listPath(name))
        await createPath()
        expect(await getEtag(listPath(name))).not.to.equal(before)
      })

      it('GET of a record with its ETag in If-None-Match answers 304 without a body', async () => {
        const path = await createPath()
        const tag = await getEtag(path)
        const answer = await service().get(path, { headers: { 'if-none-match': tag } })
        expect([answer.status, answer.text]).to.deep.equal([304, ''])
        expect(answer.headers.get('etag')).to.equal(tag)
      })

      it('GET of a list with its ETag in If-None-Match answers 304', async () => {
        const tag = await getEtag(listPath(name))
        const headers = { 'if-none-match': tag }
        expect((await service().get(listPath(name), { headers })).status).to.equal(304)
      })

      it('GET of a record with an outdated ETag in If-None-Match answers 200', async () => {
        const path = await createPath()
        const headers = { 'if-none-match': await getEtag(path) }
        await service().patch(path, { [textField]: 'Changed.' })
        const answer = await service().get(path, { headers })
        expect([answer.status, answer.body[textField]]).to.deep.equal([200, 'Changed.'])
      })

      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        /** Sends a write to the record with this If-Match header. */
        const write = async (path: string, ifMatch: string) => {
          const { body: record } = await service().get(path)
          const sent = resourceOf(name).minimal(record[idField], { [textField]: 'Overwritten.' })
          const body = method === 'DELETE' ? undefined : sent
          return service().ask(method, path, { body, headers: { 'if-match': ifMatch } })
        }

        it(`${method} with the current ETag in If-Match is accepted`, async () => {
          const path = await createPath()
          const answer = await write(path, await getEtag(path))
          expect(answer.status, answer.text).to.equal(method === 'DELETE' ? 204 : 200)
        })

        it(`${method} with an outdated ETag in If-Match answers 412`, async () => {
          const path = await createPath()
          const tag = await getEtag(path)
          await service().patch(path, { [textField]: 'Changed.' })
          const answer = await write(path, tag)
          expect(answer.status).to.equal(412)
          expect(answer.body).to.have.all.keys('detail')
        })

        it(`${method} that answers 412 writes nothing`, async () => {
          const path = await createPath()
          const before = await service().get(path)
          await write(path, '"another"')
          expect((await service().get(path)).body).to.deep.equal(before.body)
        })
      }
    })

  it('the ETags of two pages of a list differ', async () => {
    const first = await getEtag('/api/zines/?page_size=1')
    expect(await getEtag('/api/zines/?page_size=1&page=2')).not.to.equal(first)
  })

  it('the ETag of a zine changes when an agent that it shows is renamed', async () => {
    const { agent_id } = await given.agent()
    const { zine_id } = await given.zine({ creator: [agent_id] })
    const before = await getEtag(recordPath('zines', zine_id))
    await service().patch(recordPath('agents', agent_id), { display_name: 'After' })
    expect(await getEtag(recordPath('zines', zine_id))).not.to.equal(before)
  })

  it('the ETag of a list of holdings changes when a zine that it shows is renamed', async () => {
    const { zine_id } = await given.zine()
    await given.holding({ zine_id })
    const path = `/api/holdings/?zine_id=${zine_id}`
    const before = await getEtag(path)
    await service().patch(recordPath('zines', zine_id), { title: 'After' })
    expect(await getEtag(path)).not.to.equal(before)
  })

  for (const [description, condition] of [
    ['the ETag among others', (tag: string) => `"a", ${tag}, "b"`],
    ['the ETag in weak form', (tag: string) => `W/${tag}`],
    ['*', () => '*'],
  ] as const)
    it(`GET with ${description} in If-None-Match answers 304`, async () => {
      const headers = { 'if-none-match': condition(await getEtag('/api/zines/zine/')) }
      expect((await service().get('/api/zines/zine/', { headers })).status).to.equal(304)
    })

  for (const condition of ['"other"', 'W/"other"', '""'])
    it(`GET with If-None-Match: ${condition} answers 200`, async () => {
      const headers = { 'if-none-match': condition }
      expect((await service().get('/api/zines/zine/', { headers })).status).to.equal(200)
    })

  it('HEAD with the ETag in If-None-Match answers 304', async () => {
    const headers = { 'if-none-match': await getEtag('/api/zines/zine/') }
    expect((await service().ask('HEAD', '/api/zines/zine/', { headers })).status).to.equal(304)
  })

  for (const [description, condition] of [
    ['the ETag among others', (tag: string) => `"a", ${tag}`],
    ['*', () => '*'],
  ] as const)
    it(`PATCH with ${description} in If-Match is accepted`, async () => {
      const path = recordPath('zines', (await given.zine()).zine_id)
      const headers = { 'if-match': condition(await getEtag(path)) }
      expect((await service().patch(path, { abstract: 'x' }, { headers })).status).to.equal(200)
    })

  for (const name of Object.keys(types))
    it(`PATCH with the ETag of a zine as ${name} in If-Match is accepted once`, async () => {
      const path = recordPath('zines', (await given.zine()).zine_id)
      const headers = { 'if-match': await getEtag(`${path}?format=${name}`) }
      expect(headers['if-match']).to.match(STRONG)
      const statuses = []
      for (const abstract of ['first', 'second'])
        statuses.push((await service().patch(path, { abstract }, { headers })).status)
      expect(statuses).to.deep.equal([200, 412])
    })

  for (const condition of [',,', 'abc', '"', 'W/', ', W/"'])
    it(`PATCH with If-Match: ${condition}, which has no tag, answers 400 and writes nothing`, async () => {
      const path = recordPath('zines', (await given.zine()).zine_id)
      const before = await getEtag(path)
      const headers = { 'if-match': condition }
      const answer = await service().patch(path, { abstract: 'x' }, { headers })
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal({ detail: 'If-Match has no entity tag.' })
      expect(await getEtag(path)).to.equal(before)
    })

  for (const method of ['PUT', 'PATCH', 'DELETE'])
    it(`${method} of a record that exists with If-None-Match: * answers 412 and writes nothing`, async () => {
      const zine = await given.zine()
      const path = recordPath('zines', zine.zine_id)
      const before = await getEtag(path)
      const headers = { 'if-none-match': '*' }
      const body = resourceOf('zines').minimal(zine.zine_id)
      const answer = await service().ask(method, path, { body, headers })
      expect(answer.status, answer.text).to.equal(412)
      expect(answer.body).to.deep.equal({ detail: 'The record exists.' })
      expect(await getEtag(path)).to.equal(before)
    })

  it('DELETE of a record that does not exist with If-None-Match: * answers 404', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await service().delete('/api/zines/no-zine/', { headers })).status).to.equal(404)
  })

  for (const method of ['PUT', 'PATCH', 'DELETE'])
    for (const format of ['json', 'turtle'])
      it(`${method} that answers 412 has the current ETag of the record as ${format}`, async () => {
        const path = `${recordPath('agents', (await given.agent()).agent_id)}?format=${format}`
        const uncompressed = { 'accept-encoding': 'identity' }
        const headers = { ...uncompressed, 'if-match': '"outdated-json-x"' }
        const body = resourceOf('agents').minimal('any')
        const answer = await service().ask(method, path, { body, headers })
        expect(answer.status, answer.text).to.equal(412)
        expect(answer.headers.get('etag')).to.equal(await getEtag(path, uncompressed))
      })

  it('GET of lists and records answers with Cache-Control: no-cache, also 304', async () => {
    const path = recordPath('zines', (await given.zine()).zine_id)
    for (const read of [path, listPath('zines'), `${path}?format=turtle`, '/api/zines/?format=csv'])
      for (const headers of [{}, { 'if-none-match': await getEtag(read) }]) {
        const answer = await service().get(read, { headers })
        expect(answer.headers.get('cache-control'), `${read} ${answer.status}`).to.equal('no-cache')
      }
  })

  it('PATCH with the current ETag in If-Match, made weak by a proxy, is accepted', async () => {
    const path = recordPath('zines', (await given.zine()).zine_id)
    const headers = { 'if-match': `W/${await getEtag(path)}` }
    expect((await service().patch(path, { abstract: 'x' }, { headers })).status).to.equal(200)
  })

  it('PATCH with an outdated weak ETag in If-Match answers 412', async () => {
    const path = recordPath('zines', (await given.zine()).zine_id)
    const headers = { 'if-match': 'W/"outdated-json-x"' }
    expect((await service().patch(path, { abstract: 'x' }, { headers })).status).to.equal(412)
  })

  it('DELETE with If-Match of a record that does not exist answers 404', async () => {
    const headers = { 'if-match': '"x"' }
    expect((await service().delete('/api/zines/none/', { headers })).status).to.equal(404)
  })

  it('of two simultaneous PATCHes with the same ETag in If-Match, one is accepted and one answers 412', async () => {
    const path = recordPath('zines', (await given.zine()).zine_id)
    const headers = { 'if-match': await getEtag(path) }
    const answers = await Promise.all(
      ['a', 'b'].map((abstract) => service().patch(path, { abstract }, { headers })),
    )
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([200, 412])
  })
})
