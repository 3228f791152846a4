// The pages of batches without scripts: what is edited, what is shown before, and what is refused.

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { useService } from '../service.js'
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

  it('show how far a batch is that takes longer, and load themselves again until it is written', async () => {
    const lines = Array.from({ length: 1500 }, (_, index) => {
      const id = `many-${index}`
      return JSON.stringify({ op: 'create', kind: 'zines', id, body: zine(id, { title: 'Many' }) })
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    await service().ask('POST', '/api/batches/', { raw: lines.join('\n'), headers })
    const { status, headers: answered } = await editor.send(path, {
      ...setTitle,
      query: 'search=many',
      do: 'write',
      expected: '1500',
    })
    expect(status).to.equal(303)
    const batch = answered.get('location') ?? ''
    let page = await editor.get(batch)
    expect(page.text).to.include('Being written').and.include('<progress')
    expect(page.headers.get('refresh')).to.equal('2')
    while (page.headers.get('refresh') !== null) page = await editor.get(batch)
    expect(page.text).to.include('1,500 zines changed, by editor')
    expect(await titleOf('many-7')).to.equal('Same')
  }).timeout(60_000)

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
