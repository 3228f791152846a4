// The form of a record over HTTP: changes by two editors, possible duplicates, and the words of errors.

import { expect } from 'chai'

import { agent, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { type Browser, browse, formOn, read } from '../../views/browser.js'

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
      number_of_pages: '248',
      issue_designation: '#5',
    })
    const { status, text } = await editor.ask('POST', path, {
      ...form,
      issue_designation: 'no. 5',
      abstract: 'Mine.',
    })
    expect(status).to.equal(409)
    const [alert] = read(text).all('section', 'look')
    expect(alert?.text).to.include('#5').and.not.to.include('248')
    const again = formOn(text, 'record-form')
    expect(again.issue_designation).to.deep.equal(['no. 5'])
    expect(again.number_of_pages).to.deep.equal(['248'])
    expect((await editor.ask('POST', path, again)).status).to.equal(303)
    expect(await readZine(id)).to.include({
      number_of_pages: '248',
      issue_designation: 'no. 5',
      abstract: 'Mine.',
    })
  })

  it('says who changed the same field and when, and saves theirs where that is chosen', async () => {
    const id = await createZine()
    const path = `/manage/zines/edit/${id}`
    const form = await open(path)
    const theirs = { number_of_pages: '22', issue_designation: '#5' }
    await service().patch(`/api/zines/${id}/`, theirs)
    // A later change of another field is not that of these.
    await service().patch(
      `/api/zines/${id}/`,
      { abstract: 'Later' },
      { token: service().tokens.editor },
    )
    const mine = { number_of_pages: '24', issue_designation: 'no. 5' }
    const { status, text } = await editor.ask('POST', path, { ...form, ...mine })
    expect(status).to.equal(409)
    const fields = read(text).all('fieldset')
    expect(fields.map((one) => one.all('legend')[0]?.text)).to.have.members([
      'Issue',
      'Number of pages',
    ])
    for (const field of fields) {
      expect(field.text).to.include('Changed by admin, ')
      expect(field.text).to.match(/Changed by admin, 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\./)
      const choices = field.all('input').map(({ attributes }) => attributes)
      expect(choices.map(({ value, form }) => [value, form])).to.deep.equal([
        ['theirs', 'record-form'],
        ['mine', 'record-form'],
      ])
    }
    expect(read(text).all('section', 'look')[0]?.text).to.include('no. 5').and.include('#5')
    const chosen = { ...formOn(text, 'record-form'), '.take.issue_designation': 'theirs' }
    expect((await editor.ask('POST', path, chosen)).status).to.equal(303)
    expect(await readZine(id)).to.include({ number_of_pages: '24', issue_designation: '#5' })
  })

  it('keeps a reference to a deleted agent, also where another one has its identifier as its name', async () => {
    await service().post('/api/agents/', agent('gone'))
    const id = await createZine({ contributor: ['gone'] })
    await service().ask('DELETE', '/api/agents/gone/')
    await service().post('/api/agents/', agent('other', { display_name: 'Gone' }))
    const path = `/manage/zines/edit/${id}`
    await editor.ask('POST', path, { ...(await open(path)), issue_designation: 'no. 5' })
    const { contributor } = await readZine(id)
    expect(contributor.map((one: { agent_id: string }) => one.agent_id)).to.deep.equal(['gone'])
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

    const withTyped = async (id: string, values: object, headers = {}) => {
      await editor.send(path, { ...typed, zine_id: id, title: id, ...values }, headers)
      return readZine(id)
    }
    const codesOf = (values: readonly { code: string }[]) => values.map(({ code }) => code)

    it('takes codes by their labels, whatever their case and accents', async () => {
      const values = {
        subject: ['Zine Making', 'FEMINISM'],
        language: 'polish',
        rights: 'Copyleft',
      }
      const { subject, language, rights } = await withTyped('by-label', values)
      expect(codesOf(subject)).to.deep.equal(['zine-making', 'feminism'])
      expect([language, rights]).to.deep.equal([['pl'], ['copyleft']])
    })

    it('takes codes by their labels in the language of the page', async () => {
      const values = { language: 'espagnol', subject: 'punk' }
      const { language } = await withTyped('by-label-fr', values, { 'accept-language': 'fr' })
      expect(language).to.deep.equal(['es'])
    })

    it('takes no maker by a name where not all that have its words are looked at', async () => {
      const named = (id: string, display_name: string) =>
        service().post('/api/agents/', { agent_id: id, kind: 'Person', display_name, public: true })
      await named('sam-old', 'Sam')
      for (let number = 1; number <= 50; number += 1) await named(`sam-${number}`, `Sam N${number}`)
      await named('sam-new', 'Sam')
      const form = { ...typed, zine_id: 'by-name', title: 'By name', creator: 'Sam' }
      expect((await editor.send(path, form)).status).to.equal(400)
      const other = { ...form, creator: 'Sam N7' }
      await editor.send(path, other)
      expect((await readZine('by-name')).creator[0].agent_id).to.equal('sam-7')
    })

    it('takes codes by other labels that only one has', async () => {
      const { subject } = await withTyped('by-other-label', { subject: 'making zines' })
      expect(codesOf(subject)).to.deep.equal(['zine-making'])
    })

    it('takes a record by its title, if there is only one of it', async () => {
      await service().post('/api/agents/', agent('ann', { display_name: 'Ann Example' }))
      const { creator } = await withTyped('by-title', { creator: 'ann example' })
      expect(creator.map((one: { agent_id: string }) => one.agent_id)).to.deep.equal(['ann'])
      await service().post('/api/agents/', agent('ann-2', { display_name: 'Ann Example' }))
      const form = { ...typed, zine_id: 'by-titles', title: 'By titles', creator: 'Ann Example' }
      const { status, text } = await editor.send(path, form)
      expect(status).to.equal(400)
      expect(text).to.include('There is no maker “Ann Example”.')
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
