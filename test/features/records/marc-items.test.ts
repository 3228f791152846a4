// Tests the parameters with which MARC records of zines have their holdings, `items`, `branch` and `item_type`, and
// formats that are files to download. What the fields contain is tested in test/formats/marc.test.ts.

import { expect } from 'chai'

import { zine } from '../../examples.js'
import { readTable } from '../../formats/workbook-reader.js'
import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'

describe('items in MARC:', () => {
  const { service, given } = useCatalogue()
  const zine_id = unique('held')
  const record = recordPath('zines', zine_id)
  const list = `/api/zines/?search=${zine_id}`
  const file = `/api/export/zines/?search=${zine_id}`

  before(async () => {
    await given.zine({ zine_id, title: zine_id })
    for (const call_number of ['Z 1', 'Z 2'])
      await given.holding({ holding_id: unique(call_number), zine_id, call_number })
  })

  const ask = async (path: string, parameters: string) => {
    const answer = await service().get(`${path}${path.includes('?') ? '&' : '?'}${parameters}`)
    expect(answer.status, answer.text).to.equal(200)
    return answer
  }

  for (const [what, path] of Object.entries({ record, list, file })) {
    it(`a ${what} in ISO 2709 has the holdings with items`, async () => {
      const { text } = await ask(path, 'format=marc&items=852')
      expect(text).to.include('\u001fhZ 1').and.to.include('\u001fhZ 2')
      expect((await ask(path, 'format=marc')).text).not.to.include('Z 1')
    })

    it(`a ${what} in MARCXML has the items of Koha, with the codes that are given`, async () => {
      const { text } = await ask(path, 'format=marcxml&items=952&branch=MAIN&item_type=ZN')
      expect(text.match(/<datafield tag="952"/g)).to.have.length(2)
      expect(text.match(/<subfield code="a">MAIN</g)).to.have.length(2)
      expect(text.match(/<subfield code="y">ZN</g)).to.have.length(2)
    })

    for (const [parameters, detail] of [
      ['items=853', 'items has to be 852 or 952.'],
      ['items=952&branch=a%20b', 'branch has to be a code'],
      ['items=952&item_type=12345678901', 'item_type has to be a code'],
    ] as const)
      it(`GET of a ${what} with ${parameters} answers 400`, async () => {
        const address = `${path}${path.includes('?') ? '&' : '?'}format=marc&${parameters}`
        const { status, body } = await service().get(address)
        expect(status).to.equal(400)
        expect(body.detail).to.include(detail)
      })
  }

  it('other formats and other resources ignore items', async () => {
    expect((await ask(record, 'format=json&items=853')).body.zine_id).to.equal(zine_id)
    expect((await ask('/api/holdings/', 'format=marc&items=853')).text).not.to.be.empty
  })

  it('the answer to a write has no items, whatever is asked for', async () => {
    const body = zine(unique('written'))
    const { status } = await service().post('/api/zines/?format=marc&items=853', body)
    expect(status).to.equal(201)
  })

  it('the pages of a list lead to each other with items', async () => {
    const { headers } = await service().get('/api/zines/?page_size=1&format=marc&items=952')
    expect(headers.get('link')).to.match(/<[^>]*items=952[^>]*>; rel="next"/)
  })

  it('a new holding is in the next answer, which has another ETag', async () => {
    const parameters = 'format=marc&items=852'
    const before = await ask(record, parameters)
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' }
    const address = `${record}?${parameters}`
    expect((await service().get(address, { headers })).status).to.equal(304)
    await given.holding({ zine_id, call_number: 'Z 3' })
    const after = await service().get(address, { headers })
    expect(after.status).to.equal(200)
    expect(after.text).to.include('\u001fhZ 3')
  })

  for (const [format, name] of [
    ['marc', 'zines.mrc'],
    ['xlsx', 'zines.xlsx'],
  ])
    it(`a record and a page of a list as ${format} are downloaded as ${name}`, async () => {
      for (const path of [record, list])
        for (const method of ['GET', 'HEAD']) {
          const separator = path.includes('?') ? '&' : '?'
          const { headers } = await service().ask(method, `${path}${separator}format=${format}`)
          expect(headers.get('content-disposition')).to.equal(`attachment; filename="${name}"`)
        }
    })

  it('a record, a page of a list and an export as XLSX are workbooks', async () => {
    for (const path of [record, list, file]) {
      const separator = path.includes('?') ? '&' : '?'
      const answer = await fetch(`${service().url}${path}${separator}format=xlsx`)
      const [row, ...more] = readTable(Buffer.from(await answer.arrayBuffer()))
      expect(more).to.be.empty
      expect(row).to.include({ zine_id, title: zine_id, creator: 'maker' })
    }
  })

  it('a workbook has an ETag by its content', async () => {
    const path = `${record}?format=xlsx`
    const { headers } = await service().get(path)
    const tag = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await service().get(path, { headers: tag })).status).to.equal(304)
    await service().patch(record, { public_notes: ['New.'] })
    expect((await service().get(path, { headers: tag })).status).to.equal(200)
  })
})
