// Tests the filters ?updated_since= and ?updated_before= of lists and exports: which times they take,
// and which records they find.

import { expect } from 'chai'

import {
  listPath,
  recordPath,
  resourceOf,
  resources,
  unique,
  useCatalogue,
} from '../../http/catalogue.js'

/** The same time with this offset, such as `+02:00`, in place of `Z`. */
function withOffset(time: string, offset: string): string {
  const [, sign = '', hours = '', minutes = ''] = /([-+])(\d\d):(\d\d)/.exec(offset) ?? []
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const local = new Date(Date.parse(time) + ahead * 60_000).toISOString()
  return `${local.slice(0, 19)}${time.slice(19, -1)}${offset}`
}

describe('?updated_since= and ?updated_before=', () => {
  const { service, given } = useCatalogue()

  for (const { name, idField, textField } of resources)
    describe(`on the list of ${name}`, () => {
      const ids: string[] = []
      const times: string[] = []
      let end = ''

      before(async () => {
        for (let count = 0; count < 4; count += 1) {
          const record = await given.record(resourceOf(name))
          ids.push(record[idField])
          times.push(record.updated_at)
        }
        end = times.pop() ?? ''
        ids.pop()
      })

      async function idsFound(query: string): Promise<string[]> {
        const { status, body, text } = await service().get(`${listPath(name)}?${query}`)
        expect(status, text).to.equal(200)
        expect(body.count).to.equal(body.results.length)
        return body.results.map((record: any) => record[idField])
      }

      it('finds what was written at the time of since and later', async () => {
        const found = await idsFound(`updated_since=${times[1]}&updated_before=${end}`)
        expect(found).to.deep.equal([ids[2], ids[1]])
      })

      it('finds what was written earlier than the time of before', async () => {
        const found = await idsFound(`updated_since=${times[0]}&updated_before=${times[1]}`)
        expect(found).to.deep.equal([ids[0]])
      })

      it('finds nothing between a time and the same time', async () => {
        expect(await idsFound(`updated_since=${times[1]}&updated_before=${times[1]}`)).to.be.empty
      })

      it('finds nothing when since is later than before', async () => {
        expect(await idsFound(`updated_since=${times[2]}&updated_before=${times[0]}`)).to.be.empty
      })

      it('finds by a day', async () => {
        const day = (days: number) =>
          new Date(Date.parse(times[0] ?? '') + days * 86_400_000).toISOString().slice(0, 10)
        const recent = `updated_since=${times[0]}&updated_before=${end}`
        expect(await idsFound(recent)).to.have.length(3)
        expect(await idsFound(`updated_since=${day(2)}`)).to.be.empty
        expect(await idsFound(`updated_before=${day(-1)}`)).to.be.empty
        expect(await idsFound(`updated_since=${day(-1)}&updated_before=${day(2)}`)).not.to.be.empty
      })

      for (const offset of ['+02:00', '-11:30', '+00:00'])
        it(`takes the offset ${offset}, also where its sign is not encoded`, async () => {
          const since = withOffset(times[1] ?? '', offset)
          for (const text of [since, encodeURIComponent(since)])
            expect(await idsFound(`updated_since=${text}&updated_before=${end}`)).to.deep.equal([
              ids[2],
              ids[1],
            ])
        })

      it('takes a time without offset as UTC', async () => {
        const [since, before] = [times[1], end].map((time) => time?.replace('Z', ''))
        const found = await idsFound(`updated_since=${since}&updated_before=${before}`)
        expect(found).to.deep.equal([ids[2], ids[1]])
      })

      it('orders the records as without it', async () => {
        const found = await idsFound(
          `updated_since=${times[0]}&updated_before=${end}&ordering=created_at`,
        )
        expect(found).to.deep.equal(ids)
      })

      it('finds a record again when it is changed, and not when it is deleted', async () => {
        const { [idField]: id, updated_at } = await given.record(resourceOf(name))
        const path = recordPath(name, id)
        const { body } = await service().patch(path, { [textField]: 'Changed.' })
        const since = `updated_since=${body.updated_at}`
        expect(await idsFound(`updated_since=${updated_at}&updated_before=${body.updated_at}`)).to
          .be.empty
        expect(await idsFound(since)).to.deep.equal([id])
        await service().delete(path)
        expect(await idsFound(since)).to.be.empty
      })

      it('filters the exports too', async () => {
        const query = `updated_since=${times[1]}&updated_before=${end}&ordering=created_at`
        for (const path of [`/api/${name}/export/`, `/api/export/${name}/`]) {
          const { headers, text } = await service().get(`${path}?format=jsonl&${query}`)
          expect(headers.get('x-total-count')).to.equal('2')
          const lines = text.trim().split('\n')
          expect(lines.map((line) => JSON.parse(line)[idField])).to.deep.equal(ids.slice(1))
        }
      })

      for (const format of ['csv', 'turtle', 'jsonld', 'dc'])
        it(`filters the list as ${format} too`, async () => {
          const query = `updated_since=${times[1]}&updated_before=${end}&format=${format}`
          const { headers, text } = await service().get(`${listPath(name)}?${query}`)
          expect(headers.get('x-total-count')).to.equal('2')
          expect(text).to.include(ids[1]).and.to.include(ids[2]).and.not.to.include(ids[0])
        })

      for (const parameter of ['updated_since', 'updated_before']) {
        it(`has no filter for an empty ${parameter}`, async () => {
          const { body } = await service().get(`${listPath(name)}?${parameter}=`)
          const { body: all } = await service().get(listPath(name))
          expect(body.count).to.equal(all.count)
        })

        for (const value of ['yesterday', '2026-13-01', '2026-02-29', '2026-11-20T25:00'])
          it(`answers 400 for ${parameter}=${value}, also in the exports`, async () => {
            for (const path of [listPath(name), `/api/${name}/export/`, `/api/export/${name}/`]) {
              const { status, body } = await service().get(`${path}?${parameter}=${value}`)
              expect(status).to.equal(400)
              expect(body).to.have.all.keys(parameter)
              expect(body[parameter]).to.have.length(1)
              expect(body[parameter][0]).to.match(/^Enter a date such as 2026-11-20, or /)
            }
          })
      }

      it('answers 400 with both, where both are wrong', async () => {
        const { status, body } = await service().get(
          `${listPath(name)}?updated_since=x&updated_before=y&format=csv`,
        )
        expect(status).to.equal(400)
        expect(body).to.have.all.keys('updated_since', 'updated_before')
      })
    })

  it('go with a search and a filter', async () => {
    const word = unique('changed')
    const before = await given.zine({ title: word, language: ['pl'] })
    const { zine_id, updated_at } = await given.zine({ title: word, language: ['pl'] })
    await given.zine({ title: word, language: ['en'] })
    await given.zine({ language: ['pl'] })
    const query = `search=${word}&language=pl&updated_since=${updated_at}`
    const { body } = await service().get(`/api/zines/?${query}`)
    expect(body.results.map((zine: any) => zine.zine_id)).to.deep.equal([zine_id])
    expect(before.updated_at < updated_at).to.be.true
  })

  it('answer 400 with a page in a browser', async () => {
    const headers = { accept: 'text/html' }
    const { status, text } = await service().get('/api/zines/?updated_since=x', { headers })
    expect(status).to.equal(400)
    expect(text).to.include('<html')
  })
})
