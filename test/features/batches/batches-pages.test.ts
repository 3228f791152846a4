// The pages of batches without scripts: what is edited, what is shown before, and what is refused.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { type ResourceName, resourceNames } from '../../../src/model/iris.js'
import { agent, holding, repository, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { type Browser, type Fields, browse, csrfOn, read } from '../../views/browser.js'

describe('the pages of batches', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  const path = '/manage/batch/zines'
  let editor: Browser

  before(async () => {
    await service().post('/api/agents/', agent('maker', { display_name: 'Maker' }))
    for (const id of ['a', 'b', 'c'])
      await service().post('/api/zines/', zine(id, { title: `Zine ${id}`, subject: ['punk'] }))
    editor = browse(service().url)
    await editor.signIn('editor')
  })

  const titleOf = async (id: string): Promise<string> =>
    (await service().get(`/api/zines/${id}/`)).body.title

  const creation = (kind: ResourceName, id: string, body: object) => ({
    op: 'create',
    kind,
    id,
    body,
  })

  /** Writes a batch. @returns the path of its page */
  async function write(lines: readonly object[]): Promise<string> {
    const raw = lines.map((one) => JSON.stringify(one)).join('\n')
    const headers = { 'content-type': 'application/x-ndjson' }
    const { body } = await service().ask('POST', '/api/batches/', { raw, headers })
    return `/manage/batches/${body.id}`
  }

  /** What a page has chosen so far, as its form sends it. */
  const hiddenEdits = (text: string): string[] =>
    [...text.matchAll(/name="edit" value="([^"]*)"/g)].map(([, value = '']) =>
      value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    )

  const setTitle = { field: 'title', chosen: 'title', action: 'set', value: 'Same' }

  it('offer no editing on lists to those who are not signed in', async () => {
    const { text } = await browse(service().url).get('/api/zines/')
    expect(text).not.to.include('Tick all')
    expect((await editor.get('/api/zines/')).text).to.include('Tick all 3')
  })

  it('edit all that a list finds, on its other pages too, where all are ticked', async () => {
    const path = '/api/zines/?page_size=1&page=2'
    const csrf_token = csrfOn((await editor.get(path)).text)
    const press = async (fields: Fields) =>
      (await editor.ask('POST', '/manage/batch/zines', { csrf_token, do: 'choose', ...fields }))
        .text
    expect((await editor.get(path)).text).to.include('name="list" value')
    expect(await press({ all: 'yes', list: '', id: 'a' })).to.include('Edit 3 zines')
    expect(await press({ list: '', id: 'a' })).to.include('Edit 1 zine')
    for (const nothing of [{ list: '' }, { all: 'yes' }])
      expect(await press(nothing)).to.include('Nothing is ticked')
  })

  it('write nothing where nothing is ticked', async () => {
    const csrf_token = csrfOn((await editor.get('/api/zines/')).text)
    const fields = { csrf_token, do: 'choose', ...setTitle }
    const { text } = await editor.ask('POST', path, fields)
    expect(text).to.include('Nothing is ticked')
  })

  it('say what is missing where a value is', async () => {
    const form = { query: '', field: 'subject', chosen: 'subject', action: 'replace', old: 'punk' }
    const { text } = await editor.send(path, { ...form, do: 'preview' })
    expect(text).to.include('A value is missing')
  })

  it('say that a value is missing where nothing is given at all', async () => {
    const form = { query: '', field: 'title', chosen: 'title', action: 'set', value: '' }
    for (const button of ['preview', 'another']) {
      const { text } = await editor.send(path, { ...form, do: button })
      expect(text, button).to.include('A value is missing')
    }
    // The field is only chosen yet.
    const { text } = await editor.send(path, { ...form, do: 'choose' })
    expect(text).not.to.include('A value is missing')
  })

  it('show in the preview what would fail and why, and write nothing', async () => {
    const form = { query: '', field: 'subject', chosen: 'subject', action: 'remove', old: 'punk' }
    const { text } = await editor.send(path, { ...form, do: 'preview' })
    expect(text).to.include('What will fail').and.to.include('Add at least one subject.')
    expect(text).not.to.include('value="write"')
  })

  it('say in the words of forms, in the language of the page, what would fail', async () => {
    const form = { query: '', id: 'a', field: 'subject', chosen: 'subject', action: 'add' }
    const failuresIn = async (language: string): Promise<string> => {
      const sent = { ...form, value: 'nosuchsubject', do: 'preview' }
      const { text } = await editor.send(path, sent, { 'accept-language': language })
      const [item] = read(text).all('section', 'panel')[0]?.all('li') ?? []
      return item?.text.replaceAll('\u00a0', ' ').trim() ?? ''
    }
    expect(await failuresIn('en')).to.equal(
      'Zine a: Subject: “nosuchsubject” is not in the list of subjects.',
    )
    expect(await failuresIn('es')).to.equal(
      'Zine a: Tema: «nosuchsubject» no está en la lista: temas.',
    )
    expect(await failuresIn('fr')).to.equal(
      'Zine a : Sujet : « nosuchsubject » n’est pas dans la liste : sujets.',
    )
  })

  it('leave the identifier of a deleted maker that is the name of another', async () => {
    await service().post('/api/agents/', agent('toner'))
    await service().post('/api/zines/', zine('toned', { creator: ['toner'] }))
    await service().delete('/api/agents/toner/')
    await service().post('/api/agents/', agent('toner-collective', { display_name: 'Toner' }))
    const form = { query: '', id: 'toned', field: 'creator', chosen: 'creator', action: 'replace' }
    const sent = { ...form, old: 'toner', value: 'Toner', do: 'preview' }
    const { text } = await editor.send(path, sent)
    expect(text).to.include('value="write"')
    const values = read(text)
      .all('input')
      .map(({ attributes }) => attributes.value)
    expect(values.join()).to.match(/"old":"toner".*toner-collective|toner,toner-collective/)
    await service().delete('/api/zines/toned/')
  })

  it('take the label of a code, and the code itself on a page in another language', async () => {
    const form = { query: '', id: 'a', field: 'subject', chosen: 'subject', action: 'add' }
    for (const [value, language] of [
      ['Zine Making', 'en'],
      ['zine-making', 'es'],
    ] as const) {
      const sent = { ...form, value, do: 'preview' }
      const { text } = await editor.send(path, sent, { 'accept-language': language })
      expect(text, value).to.include('value="write"').and.to.include('zine-making')
    }
  })

  it('say yes and no, and not true and false, of a field that is either', async () => {
    await service().post('/api/agents/', agent('open', { public: true }))
    const form = { query: '', id: 'open', field: 'public', chosen: 'public', action: 'set' }
    const pageOf = async (button: string) => {
      const sent = { ...form, value: 'false', do: button }
      return read((await editor.send('/manage/batch/agents', sent)).text)
    }
    const preview = await pageOf('preview')
    expect(preview.all('li').map(({ text }) => text)).to.include.members(['Yes', 'No'])
    expect((await pageOf('another')).text).to.include(': set to “No”')
    await service().delete('/api/agents/open/')
  })

  it('count in the preview in the words for one and for several', async () => {
    const subject = { query: '', field: 'subject', chosen: 'subject', do: 'preview' }
    const leadOf = async (fields: Fields, language = 'en'): Promise<readonly string[]> => {
      const { text } = await editor.send(
        path,
        { ...subject, ...fields },
        { 'accept-language': language },
      )
      return read(text)
        .all('ul', 'lead')
        .flatMap((list) => list.all('li').map((item) => item.text))
    }
    const add = (value: string, id: readonly string[]) => ({ action: 'add', value, id })
    expect(await leadOf(add('food', ['a']))).to.deep.equal(['1 record will change.'])
    expect(await leadOf(add('food', ['a']), 'es')).to.deep.equal(['Cambiará 1 registro.'])
    expect(await leadOf(add('food', ['a']), 'fr')).to.deep.equal(['1 notice changera.'])
    expect((await leadOf(add('punk', ['a'])))[1]).to.equal('1 needs no change.')
    expect((await leadOf(add('punk', ['a', 'b'])))[1]).to.equal('2 need no change.')
    const failing = { action: 'remove', old: 'punk', id: ['a'] }
    expect((await leadOf(failing))[1]).to.equal('1 cannot be changed and will stay as it is.')
    expect((await leadOf(failing, 'fr'))[1]).to.equal('1 ne peut pas changer et restera en l’état.')
  })

  it('show the preview again when another number of records would change by now', async () => {
    const { text } = await editor.send(path, {
      ...setTitle,
      query: '',
      do: 'write',
      expected: '7',
    })
    expect(text).to.include('Somebody else changed records meanwhile')
    expect(await titleOf('a')).to.equal('Zine a')
  })

  it('write the ticked records only, and lead to the batch', async () => {
    const { status, headers } = await editor.send(path, {
      ...setTitle,
      id: ['a', 'b'],
      query: '',
      do: 'write',
      expected: '2',
    })
    expect(status).to.equal(303)
    expect([await titleOf('a'), await titleOf('b'), await titleOf('c')]).to.deep.equal([
      'Same',
      'Same',
      'Zine c',
    ])
    const batch = headers.get('location') ?? ''
    expect((await editor.get(batch)).text).to.include('2 zines changed, by editor')
    expect((await editor.send(batch, { do: 'undo' })).status).to.equal(303)
    expect(await titleOf('a')).to.equal('Zine a')
    expect((await editor.get(batch)).text).to.include('It was undone by')
  })

  it('take several fields, one after the other, and change all of them at once', async () => {
    const subject = { field: 'subject', chosen: 'subject', action: 'replace' }
    const first = { ...subject, old: 'punk', value: 'music' }
    const another = await editor.send(path, { query: '', ...first, do: 'another' })
    expect(another.text).to.include('Chosen so far').and.include('replace “Punk” with “Music”')
    const [edit = ''] = hiddenEdits(another.text)
    const preview = await editor.send(path, { query: '', edit, ...setTitle, do: 'preview' })
    for (const head of ['Subject before', 'Subject after', 'Title before', 'Title after'])
      expect(preview.text).to.include(`>${head}<`)
    const { status, headers } = await editor.send(path, {
      query: 'search=zine',
      edit,
      ...setTitle,
      do: 'write',
      expected: '3',
    })
    expect(status).to.equal(303)
    const { body } = await service().get('/api/zines/a/')
    expect([body.title, body.subject.map((one: any) => one.code ?? one)]).to.deep.equal([
      'Same',
      ['music'],
    ])
    await editor.send(headers.get('location') ?? '', { do: 'undo' })
    expect(await titleOf('a')).to.equal('Zine a')
  })

  it('make several edits of one list together, and take back what was chosen', async () => {
    const add = (value: string) => JSON.stringify({ field: 'subject', action: 'add', value })
    const edits = ['music', 'food', 'comics'].map(add)
    const shown = await editor.send(path, { query: '', edit: edits, drop: '2' })
    expect(hiddenEdits(shown.text)).to.have.length(2)
    const preview = await editor.send(path, { query: '', edit: edits.slice(0, 2), do: 'preview' })
    expect(preview.text).to.include('<ins>Music</ins>').and.include('<ins>Food')
  })

  it('do not take an edit that no page made', async () => {
    for (const edit of ['', '{', '[]', 'null', '{"field":"zine_id","action":"set","value":"x"}'])
      expect(
        (await editor.send(path, { query: '', edit, do: 'preview' })).text,
        edit,
      ).not.to.include('value="write"')
  })

  it('show how far a batch is that takes longer, and load themselves again until it is written', async () => {
    // While many records are written, the batch has to wait.
    const lines = Array.from({ length: 4000 }, (_, index) => {
      const id = `many-${index}`
      return JSON.stringify({ op: 'create', kind: 'zines', id, body: zine(id, { title: 'Many' }) })
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const [id, token] = [randomUUID(), service().tokens.editor]
    const raw = lines.join('\n')
    const many = service().ask('POST', `/api/batches/?id=${id}`, { raw, headers })
    const first = () => service().ask('GET', `/api/batches/${id}/`, { token })
    while (!(await first()).body.progress?.total) await sleep(5)
    const { status, headers: answered } = await editor.send(path, {
      ...setTitle,
      id: ['a', 'b'],
      query: '',
      do: 'write',
      expected: '2',
    })
    expect(status).to.equal(303)
    const batch = answered.get('location') ?? ''
    let page = await editor.get(batch)
    expect(page.text).to.include('Being written').and.include('<progress')
    expect(page.headers.get('refresh')).to.equal('2')
    while (page.headers.get('refresh') !== null) page = await editor.get(batch)
    expect(page.text).to.include('2 zines changed, by editor')
    expect(await titleOf('b')).to.equal('Same')
    expect((await many).status).to.equal(200)
  })

  it('say in the list of batches what each did, in words that agree', async () => {
    await write([
      creation('zines', 'one', zine('one', { title: 'One' })),
      creation('agents', 'one-maker', agent('one-maker', { display_name: 'One' })),
    ])
    const listIn = async (language: string): Promise<string> => {
      const { text } = await editor.get('/manage/batches', { 'accept-language': language })
      return read(text).all('tbody')[0]?.all('td')[1]?.text ?? ''
    }
    expect(await listIn('en')).to.equal('1 zine created, 1 maker created')
    expect(await listIn('es')).to.equal('1 fanzine creado, 1 persona o colectivo creado')
    expect(await listIn('fr')).to.equal('1 fanzine créé, 1 personne ou collectif créé')
  })

  it('say what keeps a batch from being undone', async () => {
    await service().post('/api/repositories/', repository('library'))
    const batch = await write([
      creation('zines', 'changed', zine('changed', { title: 'Changed' })),
      creation('zines', 'kept', zine('kept', { title: 'Kept' })),
    ])
    await service().patch('/api/zines/changed/', { title: 'Changed again' })
    await service().post('/api/holdings/', holding('copy', { zine_id: 'kept' }))
    const reasonsIn = async (language: string): Promise<readonly string[]> => {
      const sent = { 'accept-language': language }
      const { status, text } = await editor.send(batch, { do: 'undo' }, sent)
      expect(status).to.equal(409)
      const [notice] = read(text).all('section', 'notice')
      return (
        notice
          ?.all('li')
          .map((item) => item.text.replaceAll('\u00a0', ' '))
          .sort() ?? []
      )
    }
    expect(await reasonsIn('en')).to.deep.equal([
      'Changed again: fields that were changed since, or cannot be what they were: Title',
      'Kept: 1 record links to it',
    ])
    expect(await reasonsIn('es')).to.deep.equal([
      'Changed again: campos que se han cambiado después, o que no pueden volver a ser como eran: Título',
      'Kept: 1 registro enlaza con él',
    ])
    expect(await reasonsIn('fr')).to.deep.equal([
      'Changed again : champs modifiés depuis, ou qui ne peuvent plus redevenir ce qu’ils étaient : Titre',
      'Kept : 1 notice y renvoie',
    ])
  })

  it('are named after the kind of record', async () => {
    const names = resourceNames.map(async (name) => {
      const { body } = await service().ask('OPTIONS', `/manage/batch/${name}`)
      return body.name as string
    })
    expect(await Promise.all(names)).to.have.members([
      'Batch Edit of Zines',
      'Batch Edit of Agents',
      'Batch Edit of Repositories',
      'Batch Edit of Holdings',
    ])
  })

  it('refuse a query with a parameter that is no filter', async () => {
    const { status, text } = await editor.get(`${path}?subjekt=punk`)
    expect(status).to.equal(400)
    expect(text).to.include('Unknown parameters in the query: subjekt.')
  })

  it('are for those only who may write the kind', async () => {
    const other = browse(service().url)
    await other.signIn('zines-editor')
    expect((await other.get('/manage/batch/agents')).status).to.equal(403)
    expect((await other.get(path)).status).to.equal(200)
  })
})
