// The pages that merge and rename records, undo a merge, and list likely duplicates, without scripts.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { unique } from '../../http/catalogue.js'
import { type Browser, browse, read } from '../../views/browser.js'

describe('the pages for merging', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let editor: Browser

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/zines/', zine('zine'))
    await service().post('/api/repositories/', repository('library'))
    editor = browse(service().url)
    await editor.signIn('editor')
  })

  const given = async (more: object = {}) => {
    const id = unique('agent')
    const { status, text } = await service().post('/api/agents/', agent(id, more))
    expect(status, text).to.equal(201)
    return id
  }

  const versionOn = (text: string) => /name="\.version" value="([^"]*)"/.exec(text)?.[1] ?? ''

  /** Merges by the page that compares both, with these choices. */
  async function merge(goes: string, stays: string, choices: Record<string, string> = {}) {
    const path = `/manage/agents/merge/${goes}?into=${stays}`
    const version = versionOn((await editor.get(path)).text)
    return editor.send(path, { into: stays, '.version': version, ...choices })
  }

  it('are linked from the page of a record for editors only', async () => {
    const id = await given()
    const link = `href="/manage/agents/merge/${id}"`
    expect((await editor.get(`/api/agents/${id}/`)).text).to.include(link)
    expect((await browse(service().url).get(`/api/agents/${id}/`)).text).not.to.include(link)
  })

  it('suggest records with the same name but for case, accents and punctuation', async () => {
    const [id, same] = [
      await given({ display_name: 'Zoë O’Quux' }),
      await given({ display_name: 'zoe o’quux' }),
    ]
    const other = await given({ display_name: 'Zoë O’Quux II' })
    const { text } = await editor.get(`/manage/agents/merge/${id}`)
    expect(text).to.include(`?into=${same}"`)
    expect(text).not.to.include(`?into=${other}"`)
  })

  for (const [field, value] of [
    ['orcid', 'https://orcid.org/0000-0002-1825-0097'],
    ['wikidata', 'Q42'],
    ['other_identifiers', ['viaf:42']],
  ] as const)
    it(`suggest agents with the same ${field}, and list them as likely duplicates`, async () => {
      const [id, same] = [await given({ [field]: value }), await given({ [field]: value })]
      expect((await editor.get(`/manage/agents/merge/${id}`)).text).to.include(`?into=${same}"`)
      const { text } = await editor.get('/manage/duplicates?kind=agents')
      expect(text).to.match(
        new RegExp(`/manage/agents/merge/(?:${id}|${same})\\?into=(?:${id}|${same})"`),
      )
    })

  it('list issues of one title as likely duplicates only with the same number', async () => {
    const [title, once] = [unique('Title'), unique('Once')]
    const ids: string[] = []
    for (const issue_designation of ['1', '2', '2']) {
      ids.push(unique('zine'))
      await service().post('/api/zines/', zine(ids.at(-1) ?? '', { title, issue_designation }))
    }
    await service().post('/api/zines/', zine(unique('zine'), { title: once }))
    const { text } = await editor.get('/manage/duplicates?kind=zines')
    expect(text).to.include(title)
    expect(text).not.to.include(once)
    expect(text).not.to.include(`/api/zines/${ids[0]}/`)
    for (const id of ids.slice(1)) expect(text).to.include(`/api/zines/${id}/`)
  })

  it('list copies with the same barcode as likely duplicates', async () => {
    const ids = [unique('copy'), unique('copy')]
    for (const id of ids) await service().post('/api/holdings/', holding(id, { barcode: '42' }))
    const { text } = await editor.get('/manage/duplicates?kind=holdings')
    for (const id of ids) expect(text).to.include(`/api/holdings/${id}/`)
  })

  it('let the ticked ones of likely duplicates be edited together, each once', async () => {
    const same = { display_name: unique('Twice'), wikidata: 'Q4242' }
    const ids = [await given(same), await given(same)]
    const boxes = (text: string, id: string) =>
      text.match(new RegExp(`name="id" value="${id}"`, 'g'))?.length
    const { text } = await editor.get('/manage/duplicates?kind=agents')
    expect(ids.map((id) => boxes(text, id))).to.deep.equal([2, 2])
    const ticked = { do: 'choose', id: [...ids, ...ids] }
    const chosen = await editor.send('/manage/batch/agents', ticked)
    expect(chosen.status).to.equal(200)
    expect(ids.map((id) => boxes(chosen.text, id))).to.deep.equal([1, 1])
  })

  it('list no likely duplicates after these were merged', async () => {
    const name = unique('Duplicate')
    const [goes, stays] = [await given({ display_name: name }), await given({ display_name: name })]
    expect((await editor.get('/manage/duplicates')).text).to.include(name)
    await merge(goes, stays)
    expect((await editor.get('/manage/duplicates')).text).not.to.include(name)
  })

  it('compare the fields that differ, and say how many records of each kind will name the other one', async () => {
    const [goes, stays] = [await given({ biography: 'Theirs' }), await given({ biography: 'Own' })]
    await service().post('/api/zines/', zine(unique('zine'), { creator: [goes] }))
    const { text } = await editor.get(`/manage/agents/merge/${goes}?into=${stays}`)
    expect(text).to.include('name="keep.biography"').and.include('Theirs').and.include('Own')
    expect(text).not.to.include('name="keep.kind"')
    const sentence = `These link to ${goes}, and will link to the record you keep: 1 zine.`
    const first = (await editor.get(`/manage/agents/merge/${goes}`)).text
    for (const page of [text, first])
      expect(
        read(page)
          .all('p')
          .map((one) => one.text.trim()),
      ).to.include(sentence)
    expect((await editor.get(`/manage/agents/merge/${stays}`)).text).to.include(
      'No other record links to',
    )
  })

  it('merge with the chosen values, and undo that with the notice of the next page', async () => {
    const [goes, stays] = [
      await given({
        biography: 'Theirs',
        location: ['Leeds', 'Berlin'],
        website: 'https://a.example',
      }),
      await given({ biography: 'Own', location: ['Berlin'], pronouns: ['she/her'] }),
    ]
    const before = (await service().get(`/api/agents/${stays}/`)).body
    const answer = await merge(goes, stays, {
      'keep.biography': 'goes',
      'keep.location': 'both',
      'keep.website': 'stays',
    })
    expect(answer.status).to.equal(303)
    expect(answer.headers.get('location')).to.equal(`/api/agents/${stays}/`)
    const { body } = await service().get(`/api/agents/${stays}/`)
    expect(body).to.deep.include({
      biography: 'Theirs',
      location: ['Berlin', 'Leeds'],
      website: '',
      pronouns: ['she/her'],
    })
    const { text } = await editor.get(`/api/agents/${stays}/`)
    const [, undo = ''] = /action="(\/manage\/agents\/unmerge\/[^"]+)"/.exec(text) ?? []
    expect((await editor.send(undo, {})).headers.get('location')).to.equal(`/api/agents/${goes}/`)
    expect((await service().get(`/api/agents/${goes}/`)).body.biography).to.equal('Theirs')
    const after = (await service().get(`/api/agents/${stays}/`)).body
    expect({ ...after, updated_at: '' }).to.deep.equal({ ...before, updated_at: '' })
  })

  it('take over nothing private unless it is chosen', async () => {
    const goes = await given({
      public: false,
      legal_name: 'Legal Theirs',
      email: 'a@secret.example',
    })
    const stays = await given({ public: false })
    const path = `/manage/agents/merge/${goes}?into=${stays}`
    expect((await editor.get(path)).text).to.include('Legal Theirs')
    await merge(goes, stays, { 'keep.email': 'goes' })
    const { body } = await service().get(`/api/agents/${stays}/?private=true`, {
      token: service().tokens.admin,
    })
    expect(body).to.include({ legal_name: '', email: 'a@secret.example', public: false })
  })

  it('ask again when one of the two was changed meanwhile, and say by whom and when', async () => {
    const [goes, stays] = [await given(), await given()]
    const path = `/manage/agents/merge/${goes}?into=${stays}`
    const version = versionOn((await editor.get(path)).text)
    await service().patch(`/api/agents/${stays}/`, { biography: 'New' })
    const answer = await editor.send(path, { into: stays, '.version': version })
    expect(answer.status).to.equal(409)
    const [notice] = read(answer.text).all('div', 'look')
    const { display_name } = (await service().get(`/api/agents/${stays}/`)).body
    expect(notice?.text).to.include(`${display_name}: Changed by admin, `)
    expect(notice?.all('time')[0]?.attributes.datetime).to.match(/^2/)
    expect(notice?.all('p')).to.have.length(2)
    expect((await service().get(`/api/agents/${goes}/`)).status).to.equal(200)
  })

  it('take the record to merge into by its name, if no other one has it', async () => {
    const display_name = unique('Name')
    const [goes, stays] = [await given({ display_name }), await given({ display_name })]
    const path = `/manage/agents/merge/${goes}?into=${display_name.toUpperCase()}`
    expect(versionOn((await editor.get(path)).text)).not.to.equal('')
    expect((await editor.get(path)).text).to.include(`name="into" value="${stays}"`)
    await given({ display_name })
    expect((await editor.get(path)).text).to.include('There is no other maker')
  })

  it('say that there is no record to merge into', async () => {
    const id = await given()
    for (const into of ['nobody', id]) {
      const { text } = await editor.get(`/manage/agents/merge/${id}?into=${into}`)
      expect(text).to.include(`There is no other maker “${into}”.`)
    }
  })

  it('refuse to undo a merge where something was changed since, and name it', async () => {
    const [goes, stays, other] = [await given(), await given(), await given()]
    const id = unique('zine')
    await service().post('/api/zines/', zine(id, { creator: [goes] }))
    await merge(goes, stays)
    await service().patch(`/api/zines/${id}/`, { creator: [other] })
    const { status, text } = await editor.send(`/manage/agents/unmerge/${goes}`, {})
    expect(status).to.equal(409)
    const [alert] = read(text).all('div', 'notice')
    expect(alert?.text).to.equal(
      `Not undone. Zine ${id}: fields that were changed since, or cannot be what they were: Maker`,
    )
  })

  it('rename a record, and undo that', async () => {
    const [id, renamed] = [await given(), unique('renamed')]
    expect((await editor.get(`/manage/agents/edit/${id}`)).text).to.include(
      `href="/manage/agents/rename/${id}"`,
    )
    const { status, headers } = await editor.send(`/manage/agents/rename/${id}`, { id: renamed })
    expect(status).to.equal(303)
    expect(headers.get('location')).to.equal(`/api/agents/${renamed}/`)
    await editor.send(`/manage/agents/unmerge/${id}`, {})
    expect((await service().get(`/api/agents/${id}/`)).status).to.equal(200)
    expect((await service().get(`/api/agents/${renamed}/`)).status).to.equal(404)
  })

  it('rename a record so that its identifier is forgotten, for administrators', async () => {
    const admin = browse(service().url)
    await admin.signIn('admin')
    const [id, renamed] = [await given(), unique('renamed')]
    const path = `/manage/agents/rename/${id}`
    expect((await admin.get(path)).text).to.include('name="forget"')
    const { status, headers } = await admin.send(path, { id: renamed, forget: 'yes' })
    expect(status).to.equal(303)
    expect((await service().get(`/api/agents/${id}/`)).status).to.equal(404)
    const next = await admin.get(headers.get('location') ?? '')
    expect(next.text).not.to.include(`/manage/agents/unmerge/${id}`)
    expect((await service().get(`/id/agents/${id}`)).status).to.equal(410)
  })

  it('tell editors that an administrator can have an identifier forgotten', async () => {
    const id = await given()
    const path = `/manage/agents/rename/${id}`
    const { text } = await editor.get(path)
    expect(text).to.include('An administrator can have the old address forgotten')
    expect(text).not.to.include('name="forget"')
    const sent = await editor.send(path, { id: unique('renamed'), forget: 'yes' })
    expect(sent.status).to.equal(403)
    expect((await service().get(`/api/agents/${id}/`)).status).to.equal(200)
  })

  it('say in words what is wrong with a new identifier', async () => {
    const [id, other] = [await given(), await given()]
    const { status, text } = await editor.send(`/manage/agents/rename/${id}`, { id: other })
    expect(status).to.equal(400)
    expect(text).to.include('Another maker already uses this identifier')
  })

  it('lead the notice of no other form to an undoing', async () => {
    editor.cookies.set('zine_done', 'merged/manage/logout')
    const { text } = await editor.get('/api/agents/')
    expect(text).not.to.include('Undo')
  })
})
