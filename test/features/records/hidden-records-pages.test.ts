// Tests the pages that hide records and show them again.

import { expect } from 'chai'

import { agent, holding, zine } from '../../examples.js'
import { recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { PASSWORD } from '../../service.js'
import { type Browser, type Fields, browse, formOn, read } from '../../views/browser.js'

/** A record as a form sends it. */
const toFields = (record: object): Fields =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  )

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

  describe('of the form of a record', () => {
    const newForm = '/manage/zines/new'
    const editForm = (id: string) => `/manage/zines/edit/${id}`

    /** The form of a record as a browser would send it. */
    const fieldsOn = async (path: string) => formOn((await browser.get(path)).text, 'record-form')

    const getHidden = (id: string) =>
      service().get(recordPath('zines', id), { token: service().tokens.editor })

    it('save a new record as a draft, which nobody else sees', async () => {
      const id = unique('draft')
      const fields = { ...(await fieldsOn(newForm)), ...zine(id) }
      const { status, headers } = await browser.send(newForm, {
        ...toFields(fields),
        visibility: 'public',
        hidden_reason: '',
        '.draft': 'yes',
      })
      expect(status).to.equal(303)
      expect(headers.get('location')).to.equal(recordPath('zines', id))
      expect((await service().get(recordPath('zines', id))).status).to.equal(404)
      expect((await getHidden(id)).body.visibility).to.equal('draft')
      expect((await browser.get('/manage/hidden')).text).to.include(id)
    })

    it('keep what was chosen where something is wrong', async () => {
      const wrong = await browser.send(newForm, { title: '', zine_id: 'x', '.draft': 'yes' })
      expect(wrong.status).to.equal(400)
      expect(formOn(wrong.text, 'record-form').visibility).to.deep.equal(['draft'])
      const long = { visibility: 'hidden', hidden_reason: 'x'.repeat(1001) }
      const { text } = await browser.send(newForm, { ...toFields(zine(unique('long'))), ...long })
      const named = read(text)
        .all('section', 'wrong')
        .flatMap((section) => section.all('a').map((link) => link.attributes.href))
      expect(named).to.deep.equal(['#field-hidden_reason'])
      expect(text).to.include('id="field-hidden_reason"')
    })

    it('hide a record, change it while it is hidden, and show it', async () => {
      const id = await create()
      const opened = await fieldsOn(editForm(id))
      expect(opened.visibility).to.deep.equal(['public'])
      const hide = { ...opened, visibility: 'hidden', hidden_reason: 'Withdrawn.' }
      expect((await browser.send(editForm(id), hide)).status).to.equal(303)
      expect((await service().get(recordPath('zines', id))).status).to.equal(404)
      const again = await fieldsOn(editForm(id))
      expect(again).to.deep.include({ visibility: ['hidden'], hidden_reason: ['Withdrawn.'] })
      await browser.send(editForm(id), { ...again, abstract: 'Now known.' })
      expect((await getHidden(id)).body).to.include({
        abstract: 'Now known.',
        visibility: 'hidden',
        hidden_reason: 'Withdrawn.',
      })
      await browser.send(editForm(id), { ...(await fieldsOn(editForm(id))), visibility: 'public' })
      expect((await service().get(recordPath('zines', id))).body.abstract).to.equal('Now known.')
    })

    it('leave it as somebody else chose meanwhile, where the sender did not', async () => {
      const id = await create()
      const opened = await fieldsOn(editForm(id))
      await service().patch(recordPath('zines', id), { visibility: 'hidden' })
      const changed = { ...opened, abstract: 'Meanwhile.' }
      expect((await browser.send(editForm(id), changed)).status).to.equal(303)
      const withoutChoice: Record<string, readonly string[]> = await fieldsOn(editForm(id))
      delete withoutChoice.visibility
      await browser.send(editForm(id), { ...withoutChoice, abstract: 'Again.' })
      expect((await getHidden(id)).body).to.include({ abstract: 'Again.', visibility: 'hidden' })
    })

    it('hide nothing with which many others are hidden, and say where that is done', async () => {
      const id = await create(11)
      const opened = await fieldsOn(editForm(id))
      const { status, text } = await browser.send(editForm(id), {
        ...opened,
        visibility: 'hidden',
      })
      expect(status).to.equal(400)
      expect(text).to.include('11 records are hidden with it.')
      expect((await service().get(recordPath('zines', id))).status).to.equal(200)
    })

    it('name hidden makers of hidden zines by their names', async () => {
      const maker = unique('maker')
      await service().post('/api/agents/', agent(maker, { display_name: `Drafty ${maker}` }))
      const id = unique('z')
      await service().post('/api/zines/', zine(id, { creator: [maker] }))
      await service().patch(recordPath('agents', maker), { visibility: 'draft' })
      await service().patch(recordPath('zines', id), { visibility: 'draft' })
      const { text } = await browser.get(editForm(id))
      expect(read(text).all('form', 'record-form')[0]?.text).to.include(`Drafty ${maker}`)
    })
  })

  it('name records by title on the page of a batch for those who may edit the kind', async () => {
    const id = unique('titled')
    const title = `Moss ${id}`
    const raw = JSON.stringify({ op: 'create', kind: 'zines', body: zine(id, { title }) })
    const headers = { 'content-type': 'application/x-ndjson' }
    const { body } = await service().ask('POST', '/api/batches/', { raw, headers })
    await service().patch(recordPath('zines', id), { visibility: 'hidden' })
    const path = `/manage/batches/${body.id}`
    expect((await browser.get(path)).text).to.include(title)
    await service().accounts.add({
      name: 'agents-only',
      password: PASSWORD,
      role: 'editor',
      restrictedTo: ['agents'],
    })
    const other = browse(service().url)
    await other.signIn('agents-only')
    expect((await other.get(path)).text).not.to.include(title)
    const bulk = { field: 'title', chosen: 'title', action: 'set', value: 'Same', id: [id] }
    const preview = await browser.send('/manage/batch/zines', { ...bulk, do: 'preview' })
    expect(preview.text).to.include(title)
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
