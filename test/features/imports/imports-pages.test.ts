// The pages of imports without scripts: from a file to the catalogue and back, and what is refused.

import { expect } from 'chai'

import { agent, repository, zine } from '../../examples.js'
import { useService } from '../../service.js'
import { type Browser, browse, expectInert, read } from '../../views/browser.js'
import { importPages } from './import-pages.js'

const table = [
  'Title,Author,Date,Tags,Mood',
  'Doris #15,"Crabb, Cindy",1999,"punk,bikes",A1',
  'Cometbus,Aaron,,"punk,unheard of",A2',
  'Nameless,Jackie Wang and Ramsey Beyer,2003,unheard of,A3',
].join('\n')

describe('the pages of imports', () => {
  const service = useService({ BASE_URL: 'http://localhost', IMPORT_HOSTS: '127.0.0.1' })
  const { upload, see, begin: beginWith, send, open, press } = importPages(service)
  const begin = (content = table): Promise<string> => beginWith(content)
  let editor: Browser

  before(async () => {
    await service().post('/api/agents/', agent('cindy-crabb', { display_name: 'Cindy Crabb' }))
    await service().post('/api/repositories/', repository('library'))
    editor = await open()
  })

  const decideFields = (path: string) =>
    send(`${path}/fields`, {
      do: 'save',
      repository: 'library',
      empty: ['zines.genre', 'zines.language', 'zines.rights', 'zines.date'],
      from: 'Mood',
      to: 'holdings.notes',
    })

  const decideAll = async (path: string): Promise<void> => {
    await decideFields(path)
    await send(`${path}/names`, { do: 'accept-all' })
    await send(`${path}/terms`, {
      do: 'save',
      vocabulary: 'subjects',
      value: ['unheard of'],
      'do.0': 'create',
    })
    await send(`${path}/terms`, { do: 'rest-note', vocabulary: 'subjects' })
  }

  it('lead from a file to the catalogue and back', async () => {
    const path = await begin()
    expect(await see(`${path}/file`))
      .to.include('CSV')
      .and.to.include('3 rows')
    await decideAll(path)
    await send(`${path}/preview`, { do: 'preview' })
    const preview = await see(`${path}/preview`)
    expect(preview).to.include('3 rows')
    const hash = /name="hash" value="(\w+)"/.exec(preview)?.[1] ?? ''
    expect((await service().get('/api/zines/')).body.count).to.equal(0)

    await send(`${path}/preview`, { do: 'write', hash })
    const result = await see(`${path}/result`)
    expect(result).to.include('No row was refused')
    expect((await service().get('/api/zines/')).body.count).to.equal(3)
    expect((await service().get('/api/holdings/')).body.count).to.equal(3)
    expect((await service().get('/api/zines/?creator=cindy-crabb')).body.count).to.equal(1)

    const { results: zines } = (await service().get('/api/zines/')).body
    const covered = [...result.matchAll(/href="\/api\/zines\/([^/"]+)\/"><div class="cover/g)]
    expect(covered.map(([, id]) => id)).to.have.members(
      zines.map(({ zine_id: id }: { zine_id: string }) => id),
    )

    const [{ zine_id }] = (await service().get('/api/zines/?creator=cindy-crabb')).body.results
    const history = await see(`/manage/zines/history/${zine_id}`)
    expect(history).to.include('Row 1 of zines.csv').and.to.include('Crabb, Cindy')

    const { text: report } = await editor.get(`${path}/report`)
    expect(report).to.include('Cometbus')

    await send(`${path}/result`, { do: 'undo' })
    expect(await see(`${path}/result`))
      .to.include('The import was undone')
      .and.not.to.include('class="cover')
    expect((await service().get('/api/zines/')).body.count).to.equal(0)
    expect((await service().get('/api/agents/')).body.count).to.equal(1)
  })

  it('lead from the result to the records of this import, kind by kind', async () => {
    const { status } = await service().post(
      '/api/zines/',
      zine('other', { title: 'Not of it', creator: ['cindy-crabb'] }),
    )
    expect(status).to.equal(201)
    const rows = Array.from({ length: 30 }, (_, row) => `Page ${String(row).padStart(2, '0')},Ann`)
    const path = await begin(['Title,Author', ...rows].join('\n'))
    await send(`${path}/fields`, {
      'constant.zines.subject': 'zines',
      'all-empty': 'yes',
      'may-be-empty': ['zines.genre', 'zines.language', 'zines.rights', 'zines.date'],
    })
    const preview = await press(`${path}/preview`, 'Preview')
    expect(preview.text).to.include('Import 30 rows')
    const { text } = await press(preview.path, 'Import 30 rows')
    const linkTo = (page: string, label: string): string =>
      read(page)
        .all('a')
        .find((link) => link.text.trim() === label)?.attributes.href ?? label
    const titles = (page: string): readonly string[] =>
      read(page)
        .all('li')
        .map((item) => item.text)
        .filter((item) => item.endsWith(': created'))
    const zines = await see(linkTo(text, 'Look at the zines'))
    const others = await see(linkTo(zines, 'Next →'))
    expect([...titles(zines), ...titles(others)]).to.deep.equal(
      rows.map((row) => `${row.split(',')[0] ?? ''}: created`),
    )
    expect(titles(await see(linkTo(text, 'Look at the makers')))).to.deep.equal(['Ann: created'])
    await send(`${path}/result`, { do: 'undo' })
    await see(`${path}/result`)
    await service().delete('/api/zines/other/')
  })

  it('take the same words for all, but of near spellings only one that is alone', async () => {
    const path = await begin('Title,Tags\nOne,"How To / DIY;Race / Cultures;bicyling;bees"')
    await decideFields(path)
    await send(`${path}/terms`, { do: 'accept', vocabulary: 'subjects' })
    const { body } = await service().get(`/api/imports/${path.split('/').at(-1) ?? ''}/`, {
      token: service().tokens.editor,
    })
    expect(body.profile.terms.subjects).to.deep.equal({
      'How To / DIY': { codes: ['how-to', 'diy'] },
      'Race / Cultures': { codes: ['race', 'culture'] },
      bicyling: { code: 'bicycles' },
    })
    expect(await see(`${path}/terms?show=decided`)).to.include('All of them: How-to · DIY')
  })

  it('ask which collections are owned, and make copies of these alone', async () => {
    const path = await begin(
      'Title,Author,Tags,Collections\nOne,Ann,zines,Mine\nTwo,Ann,zines,Wishlist\nThree,Ann,zines,Read',
    )
    const fields = read(await see(`${path}/fields`))
    expect(fields.text).to.include('Which of these do you own?')
    await decideFields(path)
    await send(`${path}/fields`, {
      do: 'save',
      shelf: ['Mine', 'Wishlist', 'Read'],
      owned: ['true', 'false', ''],
    })
    const id = path.split('/').at(-1) ?? ''
    const asEditor = { token: service().tokens.editor }
    const shelves = (await service().get(`/api/imports/${id}/shelves/`, asEditor)).body.results
    expect(shelves).to.have.deep.members([
      { value: 'Mine', count: 1, owned: true },
      { value: 'Wishlist', count: 1, owned: false },
      { value: 'Read', count: 1, owned: null },
    ])
    await send(`${path}/names`, { do: 'accept-all' })
    await send(`${path}/preview`, { do: 'preview' })
    await see(`${path}/preview`)
    const { body } = await service().get(`/api/imports/${id}/`, asEditor)
    expect(body.preview.counts).to.deep.include({ holdings: { created: 1 } })
  })

  it('list fields that go nowhere first, and say where the others go', async () => {
    const path = await begin()
    const page = read(await see(`${path}/fields`))
    const [first] = page.all('h2')
    expect(first?.text).to.equal('1 field goes nowhere')
    expect(page.all('select').map(({ attributes }) => attributes['aria-label'])).to.include(
      'Where Mood goes',
    )
  })

  it('list fields that identifiers are made of among those with a place', async () => {
    const path = await begin('Zkey,Title,Tags\nz1,One,punk\n')
    expect(await see(`${path}/fields`)).to.include('1 field goes nowhere')
    await send(`${path}/fields`, { do: 'save', zines: '{Zkey}', holdings: '{zine}-{item}' })
    const text = await see(`${path}/fields`)
    expect(text).not.to.include('goes nowhere')
    expect(text).to.include('Identifiers are made of it')
  })

  it('say on each page what all steps have left to decide', async () => {
    const path = await begin(table.replaceAll('unheard of', 'never heard of'))
    const notes = async (step: string): Promise<readonly string[]> =>
      read(await see(`${path}/${step}`))
        .all('span', 'step-note')
        .map(({ text }) => text.trim())
    const [, fields, ...others] = await notes('fields')
    // Mood goes nowhere, and genres, languages and a date are missing.
    expect([fields, others[1]]).to.deep.equal(['4 to decide', '1 to decide'])
    for (const step of ['file', 'names', 'terms', 'preview'])
      expect(await notes(step), step).to.deep.equal(['done', fields, ...others])
    await decideFields(path)
    for (const step of ['fields', 'file', 'names', 'terms', 'preview'])
      expect((await notes(step))[1], step).to.equal('done')
  })

  it('change where a field goes, and how it is read', async () => {
    const path = await begin()
    await send(`${path}/fields?field=Tags`, {
      do: 'field',
      field: 'Tags',
      position: [''],
      'to.0': 'zines.public_notes',
      'prefix.0': 'Tags: ',
    })
    expect(await see(`${path}/fields`)).to.include('with “Tags:” before it')
  })

  it('show a value for all rows as it was typed, and say yes for one that is true', async () => {
    const path = await begin()
    for (const [typed, shown] of [
      ['yes', 'yes'],
      ['true', 'Yes'],
      ['false', 'No'],
    ] as const) {
      await send(`${path}/fields`, {
        do: 'save',
        'constant-field': 'holdings.digital_available',
        'constant-value': typed,
      })
      const [list] = read(await see(`${path}/fields`)).all('ul', 'constants')
      expect(list?.text, typed).to.include(`: ${shown}`)
    }
  })

  it('say which mistake a form has, and save nothing', async () => {
    const path = await begin()
    const { status, text } = await send(`${path}/fields`, { do: 'save', zines: 'the same' })
    expect(status).to.equal(400)
    expect(text).to.include('The pattern needs {row} or a field')
  })

  it('offer makers who are here, guess kinds, and part several names', async () => {
    const path = await begin()
    expect(await see(`${path}/names?show=found`)).to.include('Cindy Crabb')
    expect(await see(`${path}/names?show=new`)).to.include('Aaron')
    expect(await see(`${path}/names?show=split`)).to.include('Jackie Wang | Ramsey Beyer')
  })

  it('keep a decision about a name for all its spellings', async () => {
    const path = await begin('Title,Author,Tags\nOne,"Wang, Jackie",punk\nTwo,Jackie Wang,punk\n')
    const spelling =
      /name="name" value="([^"]+)"/.exec(await see(`${path}/names?show=new`))?.[1] ?? ''
    await send(`${path}/names?show=new`, {
      do: 'save',
      name: spelling,
      'do.0': 'create',
      'text.0': 'Jackie W.',
      'kind.0': 'Person',
    })
    const profile = JSON.parse((await editor.get(`${path}/profile`)).text) as {
      names: Record<string, { create: { display_name: string } }>
    }
    expect(Object.keys(profile.names)).to.have.members(['Wang, Jackie', 'Jackie Wang'])
    expect(profile.names['Wang, Jackie']?.create.display_name).to.equal('Jackie W.')
  })

  it('refuse a form of a page that another window made outdated', async () => {
    const path = await begin()
    const old = { '.revision': '1', do: 'rest-drop', vocabulary: 'subjects' }
    await send(`${path}/terms`, old)
    const { status, text } = await send(`${path}/terms`, old)
    expect(status).to.equal(409)
    expect(text).to.include('Nothing was saved').and.to.include('in another window')
  })

  it('show duplicates of the catalogue, and decide about each', async () => {
    await service().post(
      '/api/zines/',
      zine('nameless', { title: 'Nameless', date: ['2003'], creator: ['cindy-crabb'] }),
    )
    const path = await begin()
    await decideAll(path)
    await send(`${path}/preview`, { do: 'preview' })
    const text = await see(`${path}/preview?show=duplicates`)
    expect(text).to.include('the same title, issue and date')
    await send(`${path}/preview?show=duplicates`, {
      do: 'duplicates',
      catalogue: 'new',
      source: 'new',
      row: ['3'],
      'do.3': 'skip',
    })
    expect(await see(`${path}/preview`))
      .to.include('2 rows')
      .and.to.include('1 skipped')
  })

  it('save a profile under a name, and offer it', async () => {
    const path = await begin()
    await send(`${path}/fields`, { do: 'save-profile', name: 'Our table' })
    const text = await see(`${path}/fields`)
    expect(text).to.include('<option value="Our table"')
    await send(`${path}/fields`, { do: 'remove-profile', profile: 'Our table' })
    expect(await see(`${path}/fields`)).not.to.include('<option value="Our table"')
  })

  it('say what a file is that cannot be read, and keep nothing of it', async () => {
    const count = async (): Promise<number> => (await service().get('/api/imports/')).body.count
    const before = await count()
    const { status, text } = await upload('%PDF-1.7 no table')
    expect([status, await count()]).to.deep.equal([400, before])
    expect(text).to.include('class="notice wrong"')
  })

  it('take no file without the token of the form, or from another site', async () => {
    const count = async (): Promise<number> => (await service().get('/api/imports/')).body.count
    const before = await count()
    expect((await upload(table, { csrf: 'x' })).status).to.equal(403)
    expect((await upload(table, { origin: 'https://elsewhere.example' })).status).to.equal(403)
    expect(await count()).to.equal(before)
  })

  it('ask for a file where none was chosen', async () => {
    const { status, text } = await upload('')
    expect(status).to.equal(400)
    expect(text).to.include('Choose a file')
  })

  it('show nothing of a file as markup', async () => {
    const path = await begin(
      'Title,Author,Tags\n<script>alert(1)</script>,"<b onclick=x>","<i>,javascript:alert(1)"\n',
    )
    await decideAll(path)
    await send(`${path}/preview`, { do: 'preview' })
    for (const step of ['file', 'fields', 'names?show=new', 'terms', 'preview?show=samples'])
      expectInert(read(await see(`${path}/${step}`)), step)
  })

  it('show an import to nobody who may not see private fields, but its owner', async () => {
    const path = await begin()
    const other = browse(service().url)
    await other.signIn('zines-editor')
    for (const part of ['', '/file', '/names', '/report', '/profile'])
      expect((await other.get(`${path}${part}`)).status, part).to.equal(404)
    expect((await other.get('/manage/imports')).text).not.to.include(path)
    expect((await editor.get('/manage/imports')).text).to.include(path)
  })

  it('remove an import with its rows', async () => {
    const path = await begin()
    await send(`${path}/result`, { do: 'remove' })
    expect((await editor.get(`${path}/file`)).status).to.equal(404)
  })

  it('fetch from another catalogue what changed since, with the same decisions', async () => {
    await service().post('/api/zines/', zine('harvested', { title: 'Fetched once' }))
    const { body } = await service().post('/api/imports/', {
      url: `${service().url}/oai`,
      metadata_prefix: 'oai_dc',
      set: 'zines',
    })
    const path = `/manage/imports/${body.id}`
    await see(`${path}/file`)
    const decided = await service().patch(`/api/imports/${body.id}/`, {
      identifiers: { zines: 'copied-{row}' },
      defaults: { zines: { genre: [], rights: [], language: [], subject: ['zines'], date: null } },
    })
    expect(decided.status, decided.text).to.equal(200)
    await service().post(`/api/imports/${body.id}/preview/`, {})
    await see(`${path}/preview`)
    await service().post(`/api/imports/${body.id}/commit/`, {})
    expect(await see(`${path}/result`)).to.contain('Fetch what changed since')
    const { revision } = (await service().get(`/api/imports/${body.id}/`, admin())).body
    const answer = await editor.send(`${path}/result`, {
      '.revision': String(revision),
      do: 'again',
    })
    expect(answer.status, answer.text).to.equal(303)
    const next = /imports\/(\w+)\//.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
    await see(`/manage/imports/${next}/file`)
    const again = (await service().get(`/api/imports/${next}/`, admin())).body
    expect(again.harvest.from).to.match(/^\d{4}-/)
    expect(again.profile.identifiers.zines).to.equal('copied-{row}')
  })

  const admin = () => ({ token: service().tokens.admin })
})
