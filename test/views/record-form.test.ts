// The form of a record over HTTP: changes by two editors, possible duplicates, and the words of errors.

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { useService } from '../service.js'
import { type Browser, browse, formOn, read } from './browser.js'

describe('the form of a record', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let editor: Browser

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    editor = browse(service().url)
    await editor.signIn('editor')
  })

  let count = 0
  async function createZine(values: object = {}): Promise<string> {
    const id = `shared-${(count += 1)}`
    await service().post('/api/zines/', zine(id, { number_of_pages: '20', ...values }))
    return id
  }

  const open = async (path: string) => formOn((await editor.get(path)).text, 'record-form')
  const readZine = async (id: string) => (await service().get(`/api/zines/${id}/`)).body

  for (const [name, labels] of [
    ['agents', ['Biography', 'Wikidata', 'Show legal name, e-mail and phone to everyone']],
    ['repositories', ['ROR']],
  ] as const)
    it(`of ${name} has labels that cataloguers know`, async () => {
      const page = read((await editor.get(`/manage/${name}/new`)).text)
      const texts = ['label', 'legend', 'span']
        .flatMap((tag) => page.all(tag))
        .map(({ text }) => text.replace('(optional)', '').trim())
      expect(texts).to.include.members([...labels])
    })

  it('keeps what somebody else changed in another field since it was opened', async () => {
    const id = await createZine()
    const path = `/manage/zines/edit/${id}`
    const form = await open(path)
    await service().patch(`/api/zines/${id}/`, { number_of_pages: '22' })
    const { status } = await editor.ask('POST', path, { ...form, issue_designation: 'no. 5' })
    expect(status).to.equal(303)
    expect(await readZine(id)).to.include({ number_of_pages: '22', issue_designation: 'no. 5' })
  })

  it('asks about a field that both changed, and keeps all other values', async () => {
    const id = await createZine()
    const path = `/manage/zines/edit/${id}`
    const form = await open(path)
    await service().patch(`/api/zines/${id}/`, {
      number_of_pages: '22',
      issue_designation: '#5',
    })
    const { status, text } = await editor.ask('POST', path, {
      ...form,
      issue_designation: 'no. 5',
      abstract: 'Mine.',
    })
    expect(status).to.equal(409)
    const [alert] = read(text).all('section', 'look')
    expect(alert?.text).to.include('#5').and.not.to.include('22')
    const again = formOn(text, 'record-form')
    expect(again.issue_designation).to.deep.equal(['no. 5'])
    expect(again.number_of_pages).to.deep.equal(['22'])
    expect((await editor.ask('POST', path, again)).status).to.equal(303)
    expect(await readZine(id)).to.include({
      number_of_pages: '22',
      issue_designation: 'no. 5',
      abstract: 'Mine.',
    })
  })

  it('asks nothing where both made the same change', async () => {
    const id = await createZine()
    const path = `/manage/zines/edit/${id}`
    const form = await open(path)
    await service().patch(`/api/zines/${id}/`, { issue_designation: 'no. 5' })
    const { status } = await editor.ask('POST', path, { ...form, issue_designation: 'no. 5' })
    expect(status).to.equal(303)
  })

  it('is followed by a page that says what was done, once', async () => {
    const id = await createZine()
    const path = `/manage/zines/edit/${id}`
    await editor.ask('POST', path, { ...(await open(path)), issue_designation: 'no. 5' })
    const [first, second] = [
      (await editor.get(`/api/zines/${id}/`)).text,
      (await editor.get(`/api/zines/${id}/`)).text,
    ]
    expect(read(first).all('p', 'done')[0]?.text.trim()).to.equal('Saved.')
    expect(read(second).all('p', 'done')).to.deep.equal([])
    const { headers } = await editor.send(`/manage/zines/remove/${id}`, {
      '.version': (await readZine(id)).updated_at,
    })
    expect(read((await editor.get(headers.get('location') ?? '')).text).text).to.include('Deleted.')
  })

  it('overwrites nothing when it does not say what it was opened with', async () => {
    const id = await createZine()
    const path = `/manage/zines/edit/${id}`
    const form = await open(path)
    const { status } = await editor.ask('POST', path, {
      ...form,
      '.opened': '',
      number_of_pages: '99',
    })
    expect(status).to.equal(409)
    expect(await readZine(id)).to.include({ number_of_pages: '20' })
  })

  describe('for a new record', () => {
    const path = '/manage/zines/new'
    const typed = {
      zine_id: 'another',
      title: 'The Same Title',
      creator: 'maker',
      subject: 'punk',
      genre: 'perzine',
      date: '1994',
      language: 'en',
      rights: 'unknown',
    }

    before(() => service().post('/api/zines/', zine('first', { title: 'The same title' })))

    it('shows possible duplicates above the fields, with the focus', async () => {
      const { text } = await editor.send(path, typed)
      const page = read(text)
      const [notices] = page.all('div', 'notices')
      expect(notices?.attributes).to.have.property('data-focus')
      expect(notices?.text).to.include('Possible duplicates').and.include('The same title')
      expect(text.indexOf('Possible duplicates')).to.be.below(text.indexOf('class="record-form"'))
    })

    it('shows errors together with possible duplicates, and creates nothing', async () => {
      const { status, text } = await editor.send(path, { ...typed, subject: 'punc' })
      const [notices] = read(text).all('div', 'notices')
      expect(status).to.equal(400)
      expect(notices?.text)
        .to.include('Possible duplicates')
        .and.include('“punc” is not in the list of subjects. Did you mean “Punk')
      expect((await service().get('/api/zines/another/')).status).to.equal(404)
    })

    it('does not ask again about duplicates after an error', async () => {
      const { text } = await editor.send(path, {
        ...typed,
        '.confirm': 'yes',
        date: '',
        subject: [],
      })
      expect(read(text).all('section', 'look')).to.deep.equal([])
      const again = formOn(text, 'record-form')
      expect(text).to.include('Add at least one subject.')
      const { status } = await editor.ask('POST', path, { ...again, subject: ['punk'] })
      expect(status).to.equal(303)
    })

    it('links to the record that has the identifier already', async () => {
      const { text } = await editor.send(path, { ...typed, zine_id: 'first', title: 'Other' })
      expect(read(text).all('div', 'notices')[0]?.text).to.include(
        'Another zine already uses this identifier: open it.',
      )
      expect(text).to.include('<a href="/api/zines/first/">open it</a>')
    })
  })
})
