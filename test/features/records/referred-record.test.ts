// A maker or a library that is created from within the form of a zine or a copy, without scripts.

import { expect } from 'chai'

import { agent, repository, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { type Browser, type Fields, browse, formOn, read } from '../../views/browser.js'

describe('a record that the form of another one refers to', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let editor: Browser

  before(async () => {
    editor = browse(service().url)
    await editor.signIn('editor')
  })

  const newZine = '/manage/zines/new'

  /** Presses a button of a form. */
  async function press(path: string, form: Fields, button: Fields) {
    const { status, text } = await editor.ask('POST', path, { ...form, ...button })
    return { status, text, form: formOn(text, 'record-form') }
  }

  const entered = async (path: string, fields: Fields): Promise<Fields> => ({
    ...formOn((await editor.get(path)).text, 'record-form'),
    ...fields,
  })

  it('is created in a small form, and is chosen in the other form, which has all that was entered', async () => {
    const mine = { title: 'A <new> zine', subject: ['punk', 'art'], abstract: 'One\nTwo' }
    const form = await entered(newZine, { ...mine, creator: ['Nell New'] })
    const small = await press(newZine, form, { '.make': 'creator' })
    expect(read(small.text).all('h1')[0]?.text).to.equal('New maker')
    expect(small.form).to.deep.include({
      display_name: ['Nell New'],
      kind: ['Person'],
      sort_name: [''],
    })
    const { text, form: back } = await press(
      newZine,
      { ...small.form, sort_name: 'New, Nell' },
      { '.made': 'yes' },
    )
    expect(read(text).all('h1')[0]?.text).to.equal('New zine')
    expect(read(text).all('div', 'done')[0]?.text.trim()).to.equal(
      'Nell New is chosen. Save the form to keep it.',
    )
    expect(back.creator).to.deep.equal(['nell-new', ''])
    expect(back.title).to.deep.equal([mine.title])
    expect(back.subject).to.deep.equal([...mine.subject, ''])
    expect(String(back.abstract).replaceAll('\r', '')).to.equal(mine.abstract)
    const token = service().tokens.admin
    const { body } = await service().get('/api/agents/nell-new/', { token })
    expect(body).to.deep.include({ sort_name: 'New, Nell', kind: 'Person', public: false })
    const history = (await service().get('/api/agents/nell-new/history/', { token })).body
    expect(history.results[0]).to.include({ change: 'created', account: 'editor', how: 'page' })
  })

  it('comes after the values that the field has already', async () => {
    await service().post('/api/agents/', agent('first'))
    await service().post('/api/zines/', zine('with-first', { creator: ['first'] }))
    const path = '/manage/zines/edit/with-first'
    const small = await press(path, await entered(path, {}), { '.make': 'creator' })
    const { form } = await press(
      path,
      { ...small.form, display_name: 'Sec Ond' },
      { '.made': 'yes' },
    )
    expect(form.creator).to.deep.equal(['first', 'sec-ond', ''])
    expect((await editor.ask('POST', path, form)).status).to.equal(303)
    const { creator } = (await service().get('/api/zines/with-first/')).body
    expect(creator.map((one: { agent_id: string }) => one.agent_id)).to.deep.equal([
      'first',
      'sec-ond',
    ])
  })

  it('is not created with an error, which the small form says', async () => {
    const small = await press(newZine, await entered(newZine, { title: 'T' }), {
      '.make': 'publisher:Press',
    })
    const { status, text, form } = await press(
      newZine,
      { ...small.form, kind: '' },
      { '.made': '1' },
    )
    expect(status).to.equal(400)
    const [alert] = read(text).all('section', 'wrong')
    expect(alert?.text).to.include('Choose a kind.')
    expect(form).to.deep.include({ display_name: ['Press'], kind: [''] })
    expect((await service().get('/api/agents/press/')).status).to.equal(404)
    const back = await press(newZine, form, { '.more': 'publisher' })
    expect(back.form.title).to.deep.equal(['T'])
    expect(back.form.publisher).to.deep.equal([''])
  })

  it('is asked about where another one has the name, which can be chosen instead', async () => {
    await service().post('/api/agents/', agent('known', { display_name: 'Ann Known' }))
    await service().post('/api/agents/', agent('known-2', { display_name: 'Ann Known' }))
    const small = await press(newZine, await entered(newZine, {}), {
      '.make': 'creator:Ann Known',
    })
    const asked = await press(newZine, small.form, { '.made': 'yes' })
    expect(read(asked.text).all('section', 'look')[0]?.text).to.include('Possible duplicates')
    const used = await press(newZine, asked.form, { '.use': 'known-2' })
    expect(used.form.creator).to.deep.equal(['known-2', ''])
    const { form } = await press(newZine, asked.form, { '.made': 'yes' })
    expect(form.creator).to.deep.equal(['ann-known', ''])
  })

  it('can be the library of a copy', async () => {
    await service().post('/api/zines/', zine('copied'))
    await service().post('/api/repositories/', repository('old'))
    const path = '/manage/holdings/new'
    const form = await entered(path, { zine_id: 'copied', repository_id: 'Zine Shed' })
    const small = await press(path, form, { '.make': 'repository_id' })
    const made = { repository_kind: 'archive', country: 'GB' }
    const back = await press(path, { ...small.form, ...made }, { '.made': 'yes' })
    expect(back.form).to.deep.include({ zine_id: ['copied'], repository_id: ['zine-shed'] })
    expect((await service().get('/api/repositories/zine-shed/')).body.country).to.equal('GB')
  })

  it('is neither offered nor created for an account that may not create such records', async () => {
    const other = browse(service().url)
    await other.signIn('zines-editor')
    const { text } = await other.get(newZine)
    expect(text).not.to.include('.make')
    const form = formOn(text, 'record-form')
    for (const button of [{ '.make': 'creator' }, { '.make': 'creator:X Y', '.made': 'yes' }]) {
      const answer = await other.ask('POST', newZine, { ...form, display_name: 'X Y', ...button })
      expect(answer.status).to.equal(403)
    }
    expect((await service().get('/api/agents/x-y/')).status).to.equal(404)
  })
})
