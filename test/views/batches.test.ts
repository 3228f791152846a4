// The pages of batches without scripts: what is edited, what is shown before, and what is refused.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { useService, WITH_SHACL_ENGINE } from '../service.js'
import { type Browser, browse, csrfOn } from './browser.js'

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

  /** What a page has chosen so far, as its form sends it. */
  const hiddenEdits = (text: string): string[] =>
    [...text.matchAll(/name="edit" value="([^"]*)"/g)].map(([, value = '']) =>
      value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    )

  const setTitle = { field: 'title', chosen: 'title', action: 'set', value: 'Same' }

  it('offer no editing on lists to those who are not signed in', async () => {
    const { text } = await browse(service().url).get('/api/zines/')
    expect(text).not.to.include('Edit all')
    expect((await editor.get('/api/zines/')).text).to.include('Edit all 3')
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

  it('show in the preview what would fail and why, and write nothing', async () => {
    const form = { query: '', field: 'subject', chosen: 'subject', action: 'remove', old: 'punk' }
    const { text } = await editor.send(path, { ...form, do: 'preview' })
    expect(text).to.include('What would fail').and.to.include('This list may not be empty.')
    expect(text).not.to.include('value="write"')
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
    expect(another.text).to.include('Chosen so far').and.include('replace “Punk” by “Music”')
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
    const lines = Array.from({ length: WITH_SHACL_ENGINE ? 2500 : 10_000 }, (_, index) => {
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
  }).timeout(240_000)

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
