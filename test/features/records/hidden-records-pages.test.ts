// Tests the pages that hide records and show them again.

import { expect } from 'chai'

import { holding, zine } from '../../examples.js'
import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { type Browser, browse } from '../../views/browser.js'

describe('the pages of hidden records', () => {
  const { service } = useCatalogue()
  let browser: Browser

  before(async () => {
    browser = browse(service().url)
    await browser.signIn('editor')
  })

  async function create(copies = 0): Promise<string> {
    const id = unique('z')
    await service().post('/api/zines/', zine(id))
    for (let copy = 0; copy < copies; copy += 1)
      await service().post('/api/holdings/', holding(unique('h'), { zine_id: id }))
    return id
  }

  const formOf = (id: string) => `/manage/zines/visibility/${id}`

  it('hide a record and show it again, with the reason for those who edit', async () => {
    const id = await create()
    const reason = 'At the request of the maker.'
    await browser.send(formOf(id), { visibility: 'hidden', hidden_reason: reason })
    expect((await service().get(recordPath('zines', id))).status).to.equal(404)
    expect((await browser.get(recordPath('zines', id))).text).to.include(reason)
    expect((await browser.get('/manage/hidden')).text).to.include(reason)
    expect((await browser.get(`/manage/zines/edit/${id}`)).text).to.include(`Zine ${id}`)
    await browser.send(formOf(id), { visibility: 'public', hidden_reason: '' })
    expect((await service().get(recordPath('zines', id))).status).to.equal(200)
    expect((await browser.get('/manage/hidden')).text).not.to.include(id)
  })

  it('ask for the name of a record with which many others are hidden', async () => {
    const id = await create(11)
    const sent = { visibility: 'hidden', hidden_reason: '' }
    expect((await browser.get(formOf(id))).text).to.include('11 copies are hidden with it.')
    expect((await browser.send(formOf(id), { ...sent, '.name': 'Other' })).status).to.equal(400)
    expect((await service().get(recordPath('zines', id))).status).to.equal(200)
    await browser.send(formOf(id), { ...sent, '.name': `Zine ${id}` })
    expect((await service().get(recordPath('zines', id))).status).to.equal(404)
  })

  it('hide and show many records in a batch', async () => {
    const ids = [await create(), await create(), await create()]
    const batch = (edit: object) => service().post('/api/batches/', { kind: 'zines', ids, edit })
    const { status, text } = await batch({ visibility: { set: 'hidden' } })
    expect(status, text).to.be.below(300)
    for (const id of ids)
      expect((await service().get(recordPath('zines', id))).status).to.equal(404)
    await batch({ visibility: { set: 'public' } })
    for (const id of ids)
      expect((await service().get(recordPath('zines', id))).status).to.equal(200)
  })
})
