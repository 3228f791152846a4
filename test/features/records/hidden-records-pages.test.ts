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

  it('hide and show the ticked records, once their number is typed', async () => {
    const ids = [await create(1), await create()]
    const path = '/manage/batch/zines'
    const statuses = async () => {
      const answers = await Promise.all(ids.map((id) => service().get(recordPath('zines', id))))
      return answers.map(({ status }) => status)
    }
    const chosen = await browser.send(path, { query: '', id: ids, do: 'choose' })
    expect(chosen.text).to.include('value="visibility"')
    const asked = await browser.send(path, { id: ids, do: 'visibility', visibility: 'hidden' })
    expect(asked.text).to.include('Hide or show 2 zines')
    const hide = { id: ids, do: 'set-visibility', visibility: 'hidden', hidden_reason: 'Withdrawn' }
    for (const count of ['', '1', '3'])
      expect((await browser.send(path, { ...hide, '.count': count })).status).to.equal(400)
    expect(await statuses()).to.deep.equal([200, 200])
    expect((await browser.send(path, { ...hide, '.count': '2' })).status).to.equal(303)
    expect(await statuses()).to.deep.equal([404, 404])
    const worklist = (await browser.get('/manage/hidden')).text
    for (const id of ids) expect(worklist).to.include(`value="${id}" form="hidden-zines"`)
    expect(worklist).to.include('Withdrawn').and.include('id="hidden-zines"')
    const show = { id: ids, do: 'set-visibility', visibility: 'public', '.count': '2' }
    const { headers } = await browser.send(path, show)
    expect(await statuses()).to.deep.equal([200, 200])
    await browser.send(headers.get('location') ?? '', { do: 'undo' })
    expect(await statuses()).to.deep.equal([404, 404])
  })

  it('hide no ticked record where one of them cannot be hidden', async () => {
    const id = await create()
    const { status, text } = await browser.send('/manage/batch/zines', {
      id: [id, 'never-was'],
      do: 'set-visibility',
      visibility: 'hidden',
      '.count': '2',
    })
    expect(status).to.equal(400)
    expect(text).to.include('Not found.')
    expect((await service().get(recordPath('zines', id))).status).to.equal(200)
  })
})
