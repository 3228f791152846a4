// Tests the guided page on which editors remove a name: what it finds, what each step does, and who may do it.

import { expect } from 'chai'

import { minimal } from '../../examples.js'
import { PASSWORD, WITH_INDEX } from '../../service.js'
import { type Browser, browse, read, textsOn } from '../../views/browser.js'
import { unique, useCatalogue } from '../../http/catalogue.js'
import { image, sendPicture } from '../pictures/picture-files.js'

const NEW = 'Robin'

describe('the guided page for removing a name', () => {
  const { service, given } = useCatalogue()
  let admin: Browser
  let editor: Browser
  /** Another one for each test, since the others' records stay. */
  let old: string
  let id: string
  let zine: string
  let other: string
  let picture: string

  before(async () => {
    admin = browse(service().url)
    await admin.signIn('admin')
    editor = browse(service().url)
    await editor.signIn('editor')
  })

  beforeEach(async () => {
    old = `Zebulon ${unique('q')}x`
    id = unique('zebulon')
    await given.agent({
      agent_id: id,
      display_name: old,
      alternative_names: ['Zeb', `${old} of Leeds`],
      biography: `${old} made zines. So did others.`,
      legal_name: old,
      public: false,
    })
    zine = String((await given.zine({ creator: [id] })).zine_id)
    other = String((await given.zine({ abstract: `An interview with ${old}.` })).zine_id)
    const file = await image().png().toBuffer()
    const sent = await sendPicture(service(), `/api/zines/${zine}/pictures/`, file, {
      alt: `A photo by ${old}`,
      credit: old,
    })
    picture = String(sent.body.id)
  })

  const path = (of = id): string => `/manage/agents/remove-name/${of}`

  const send = (browser: Browser, form: object = {}, at = path()) =>
    browser.send(at, { name: old, by: NEW, ...form })

  /** The steps of a page, by their heading, and whether something is left in each. */
  const stepsOn = (text: string): readonly (readonly [string, boolean])[] =>
    read(text)
      .all('ol', 'steps-of-removal')
      .flatMap((list) => list.all('section', 'panel'))
      .map((step) => [step.all('h2')[0]?.text ?? '', step.all('p', 'done').length === 0] as const)
      // The last one is the proof, which has nothing to do.
      .slice(0, -1)

  const everythingLeft = [
    ['1. This record', true],
    ['2. Other records', true],
    ['3. Pictures', true],
    ['4. History', true],
    ['5. Web address', true],
  ]

  it('asks for the name, which is in no address', async () => {
    const { status, text } = await admin.get(path())
    expect(status).to.equal(200)
    const forms = read(text)
      .all('main')
      .flatMap((main) => main.all('form'))
    expect(forms.map(({ attributes }) => attributes.method)).to.deep.equal(['post'])
    expect(stepsOn(text)).to.deep.equal([])
    const ignored = await admin.get(`${path()}?name=${encodeURIComponent(old)}`)
    expect(stepsOn(ignored.text)).to.deep.equal([])
  })

  it('shows where it is: fields, also private ones, other records, pictures, history, address', async () => {
    const { status, headers, text } = await send(admin)
    expect(status).to.equal(200)
    expect(headers.get('cache-control')).to.include('no-store')
    expect(stepsOn(text)).to.deep.equal(everythingLeft)
    const shown = textsOn(text)
    expect(shown).to.include.members([
      `${old} of Leeds`,
      `${old} made zines. So did others.`,
      `An interview with ${old}.`,
      `A photo by ${old}`,
    ])
    expect(shown).to.not.include('Zeb')
    expect(text).to.include(`/api/zines/${other}/`).and.include(`/api/zines/${zine}/`)
    const links = read(text).all('a')
    for (const { attributes } of links) expect(attributes.href).to.not.include('Zebulon')
  })

  it('leads from one step to the next until nothing is left', async () => {
    const own = { do: 'replace', kind: 'agents', id }
    for (const field of ['display_name', 'alternative_names', 'biography', 'legal_name'])
      expect((await send(admin, { ...own, field })).status, field).to.equal(200)
    const { body } = await service().get(`/api/agents/${id}/?private=true`, {
      token: service().tokens.admin,
    })
    expect(body).to.include({
      display_name: NEW,
      biography: `${NEW} made zines. So did others.`,
      legal_name: NEW,
      public: false,
    })
    expect(body.alternative_names).to.deep.equal(['Zeb', `${NEW} of Leeds`])
    await send(admin, { do: 'replace', kind: 'zines', id: other, field: 'abstract' })
    expect((await service().get(`/api/zines/${other}/`)).body.abstract).to.equal(
      `An interview with ${NEW}.`,
    )
    await send(admin, { do: 'picture', kind: 'zines', id: zine, picture })
    const { text } = await send(admin)
    expect(stepsOn(text)).to.deep.equal([
      ['1. This record', false],
      ['2. Other records', false],
      ['3. Pictures', false],
      // Administrators remove it from the history with each field.
      ['4. History', false],
      ['5. Web address', true],
    ])
    const renamed = unique('robin')
    const last = await send(admin, { do: 'rename', 'new-id': renamed, forget: 'yes' })
    expect(last.status).to.equal(200)
    expect(stepsOn(last.text).filter(([, isLeft]) => isLeft)).to.deep.equal([])
    expect(last.text).to.include(`action="${path(renamed)}"`)
    for (const [kind, record] of [
      ['agents', renamed],
      ['zines', other],
    ] as const) {
      const history = await service().get(`/api/${kind}/${record}/history/`, {
        token: service().tokens.admin,
      })
      expect(history.text).to.not.include(old)
    }
    expect((await service().get(`/api/agents/${id}/`)).status).to.equal(404)
    expect((await service().get(`/id/agents/${id}`)).status).to.equal(410)
    const proven = await send(admin, { do: 'prove' }, path(renamed))
    expect(read(proven.text).all('div', 'done')[0]?.text).to.equal(
      'Found in 0 files, 0 records, 0 other entries, 0 answers.',
    )
  })

  it('says where the name still is, with a link to each record', async () => {
    const { text } = await send(admin, { do: 'prove' })
    const proof = read(text).all('div', 'look')[0]
    expect(proof?.text).to.match(/^Found in [1-9]\d* files, 2 records, /)
    const links = proof?.all('a').map(({ attributes }) => attributes.href)
    expect(links).to.include.members([`/api/agents/${id}/`, `/api/zines/${other}/`])
    expect((await send(editor, { do: 'prove' })).status).to.equal(403)
  })

  it('forgets a former identifier that still leads to the record', async () => {
    const renamed = unique('robin')
    await service().post(`/api/agents/${id}/rename/`, { id: renamed })
    const { text } = await send(admin, {}, path(renamed))
    expect(read(text).text).to.include(`The former identifier ${id} leads here.`)
    for (const former of [renamed, 'maker'])
      expect((await send(admin, { do: 'forget', former }, path(renamed))).status).to.equal(404)
    const form = { do: 'forget', former: id }
    expect((await send(editor, form, path(renamed))).status).to.equal(403)
    expect((await service().get(`/api/agents/${id}/`)).status).to.equal(301)
    expect((await send(admin, form, path(renamed))).status).to.equal(200)
    expect((await service().get(`/api/agents/${id}/`)).status).to.equal(404)
    const forgetting = { do: 'rename', 'new-id': unique('robin'), forget: 'yes' }
    expect((await send(editor, forgetting, path(renamed))).status).to.equal(403)
  })

  it('has pages of other records, and says how many the search found', async () => {
    const abstract = `A poem for ${old}.`
    const ids = Array.from({ length: 101 }, () => unique('poem'))
    const lines = ids.map((one) =>
      JSON.stringify({
        op: 'create',
        kind: 'zines',
        body: minimal.zines(one, { abstract, creator: [id] }),
      }),
    )
    const batch = await service().ask('POST', '/api/batches/', {
      raw: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(batch.status, batch.text.slice(0, 300)).to.equal(200)
    const pages = []
    for (const page of ['1', '2', '99', '-1', 'x']) {
      const { text } = await send(admin, { page })
      const step = read(text)
        .all('ol', 'steps-of-removal')[0]
        ?.all('section', 'panel')
        .find((one) => one.text.includes('2. Other records'))
      const rows =
        step
          ?.all('tbody')[0]
          ?.all('th')
          .flatMap((row) => row.all('a')) ?? []
      // Whatever page it is, the forms of the other steps come back to it.
      const next = step?.all('button', 'quiet').map((button) => button.text)
      pages.push({ found: rows.map(({ attributes }) => attributes.href), next })
      expect(step?.text).to.match(/The search found 10[3-9] records and looks at 100/)
    }
    const [first, second, ...others] = pages
    expect(new Set([...(first?.found ?? []), ...(second?.found ?? [])])).to.include.all.keys(
      ...ids.map((one) => `/api/zines/${one}/`),
    )
    expect([first?.next, second?.next]).to.deep.equal([['Next'], ['Previous']])
    if (WITH_INDEX) for (const page of others) expect(page.found).to.deep.equal(first?.found)
  })

  it('is there for hidden records too, and finds the name in others', async () => {
    await service().patch(`/api/zines/${other}/`, { visibility: 'hidden' })
    await service().patch(`/api/agents/${id}/`, { visibility: 'hidden' })
    const { status, text } = await send(editor)
    expect(status).to.equal(200)
    expect(textsOn(text)).to.include.members([`An interview with ${old}.`, `${old} of Leeds`])
    for (const form of [
      { kind: 'agents', id, field: 'display_name' },
      { kind: 'zines', id: other, field: 'abstract' },
    ])
      expect((await send(admin, { do: 'replace', ...form })).status).to.equal(200)
    const { admin: token } = service().tokens
    const { body } = await service().get(`/api/zines/${other}/`, { token })
    expect(body).to.include({ abstract: `An interview with ${NEW}.`, visibility: 'hidden' })
    expect((await service().get(`/api/zines/${other}/`)).status).to.equal(404)
    const history = await service().get(`/api/zines/${other}/history/`, { token })
    expect(history.text).not.to.include(old)
    const zinesOnly = browse(service().url)
    await zinesOnly.signIn('zines-editor')
    expect((await send(zinesOnly)).status).to.equal(403)
  })

  it('removes it where nothing comes in its place', async () => {
    const form = { by: '', do: 'replace', kind: 'agents', id, field: 'alternative_names' }
    await send(admin, form)
    const { body } = await service().get(`/api/agents/${id}/`)
    expect(body.alternative_names).to.deep.equal(['Zeb', 'of Leeds'])
    const refused = await send(admin, { ...form, field: 'display_name' })
    expect(refused.status).to.equal(400)
    expect((await service().get(`/api/agents/${id}/`)).body.display_name).to.equal(old)
  })

  it('lets editors change what they may, and leaves the history to administrators', async () => {
    const form = { do: 'replace', kind: 'agents', id, field: 'display_name' }
    expect((await send(editor, form)).status).to.equal(200)
    expect((await service().get(`/api/agents/${id}/`)).body.display_name).to.equal(NEW)
    const { text } = await send(editor)
    expect(text).to.include('Only an administrator can do this.')
    const refused = await send(editor, { do: 'redact', field: 'display_name' })
    expect(refused.status).to.equal(403)
    const done = await send(admin, { do: 'redact', field: 'display_name' })
    expect(done.status).to.equal(200)
    const history = await service().get(`/api/agents/${id}/history/`, {
      token: service().tokens.admin,
    })
    const versions = history.body.results as { changes: { display_name?: unknown } }[]
    expect(JSON.stringify(versions.map(({ changes }) => changes.display_name))).to.not.include(old)
  })

  it('changes no record that the account may not write', async () => {
    const name = unique('agents-only')
    const rights = { role: 'editor', restrictedTo: ['agents'] }
    await service().accounts.add({ name, password: PASSWORD, ...rights })
    const browser = browse(service().url)
    await browser.signIn(name)
    expect((await send(browser)).text).to.include('Your account may not edit this record.')
    for (const form of [
      { do: 'replace', kind: 'zines', id: other, field: 'abstract' },
      { do: 'picture', kind: 'zines', id: zine, picture },
    ])
      expect((await send(browser, form)).status).to.equal(403)
    expect((await service().get(`/api/zines/${other}/`)).body.abstract).to.include(old)
  })

  for (const [what, form] of [
    ['a name of one letter', { name: 'Z' }],
    ['a replacement that has the name', { by: 'Not Zebulon', name: 'Zebulon' }],
  ] as const)
    it(`refuses ${what}`, async () => {
      const { status, text } = await send(admin, form)
      expect(status).to.equal(400)
      expect(stepsOn(text)).to.deep.equal([])
    })

  it('is led to from a request for a change and from the history', async () => {
    const visitor = browse(service().url)
    const { headers } = await visitor.send(`/requests/new?kind=agents&id=${id}`, {
      topic: 'remove',
      text: 'Please remove my old name.',
    })
    const number = new URL(headers.get('location') ?? '', service().url).searchParams.get('sent')
    for (const at of [`/manage/requests/${number}`, `/manage/agents/history/${id}`])
      expect((await admin.get(at)).text, at).to.include(`href="${path()}"`)
  })
})
