// The form of a new record: its groups, the identifier that is proposed, what a similar record begins with, and what an
// account chose last.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { PASSWORD, startService, useService } from '../../service.js'
import { type Browser, type Fields, browse, formOn, read } from '../../views/browser.js'

describe('the form of a new record', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let editor: Browser

  before(async () => {
    const { post } = service()
    await post('/api/agents/', agent('maker'))
    await post('/api/repositories/', repository('library'))
    editor = browse(service().url)
    await editor.signIn('editor')
  })

  const open = async (path: string) => formOn((await editor.get(path)).text, 'record-form')

  const typed = { creator: 'maker', subject: 'punk' }

  describe('says that the address contains the name of the maker', () => {
    const warningOn = async (path: string): Promise<string | undefined> =>
      read((await editor.get(path)).text)
        .all('p', 'hint')
        .find(({ attributes }) => 'data-name-warning' in attributes)?.text

    const warning = 'This address contains the name. It cannot be changed silently later.'

    it('where the identifier of an agent has a word of the name, however it is written', async () => {
      expect(await warningOn('/manage/agents/new?display_name=Zo%C3%AB+Quill')).to.equal(warning)
      const legal = '/manage/agents/new?display_name=Moss&agent_id=zoe&legal_name=Zo%C3%AB+Quill'
      expect(await warningOn(legal)).to.equal(warning)
    })

    it('where the identifier of a zine has a word of the name of a creator', async () => {
      await service().post('/api/agents/', agent('moss', { display_name: 'Rowan Quill' }))
      const zineOf = (id: string) => `/manage/zines/new?title=Gutter&creator=moss&zine_id=${id}`
      expect(await warningOn(zineOf('gutter-quill-1'))).to.equal(warning)
      expect(await warningOn(zineOf('gutter-1'))).to.equal('')
    })

    it('and not where it has none', async () => {
      const path = '/manage/agents/new?display_name=Rowan+Quill&agent_id=maker-17'
      expect(await warningOn(path)).to.equal('')
    })
  })

  describe('has groups, of which', () => {
    const groupsOn = async (path: string) =>
      read((await editor.get(path)).text)
        .all('details', 'field-group')
        .map((group) => [group.all('h2')[0]?.text, 'open' in group.attributes])

    it('all but the essentials are closed as long as they are empty', async () => {
      expect(await groupsOn('/manage/zines/new')).to.deep.equal([
        ['Titles and publication', false],
        ['Physical', false],
        ['Contents', false],
        ['Links and rights', false],
        ['For staff', false],
        ['Visibility', false],
      ])
    })

    it('those that have a value are open', async () => {
      const groups = await groupsOn('/manage/zines/new?number_of_pages=20')
      expect(groups.filter(([, isOpen]) => isOpen)).to.deep.equal([['Physical', true]])
    })

    it('a default is no use', async () => {
      const groups = await groupsOn('/manage/holdings/new')
      expect(groups.filter(([, isOpen]) => isOpen)).to.deep.equal([])
    })

    it('those that have an error are open', async () => {
      const { text } = await editor.send('/manage/zines/new', {
        ...typed,
        title: 'Wrong',
        number_of_pages: 'x'.repeat(51),
      })
      const [wrong] = read(text)
        .all('details', 'field-group')
        .filter((group) => 'open' in group.attributes)
      expect(wrong?.all('h2')[0]?.text).to.equal('Physical')
    })

    it('every field that can be written is in exactly one', async () => {
      for (const name of ['zines', 'agents', 'repositories', 'holdings'] as const) {
        const { body } = await service().get('/api/schema/?format=json')
        const schema = body.components.schemas
        const page = read((await editor.get(`/manage/${name}/new`)).text)
        const names = ['input', 'select', 'textarea']
          .flatMap((tag) => page.all('form', 'record-form')[0]?.all(tag) ?? [])
          .map(({ attributes }) => attributes.name ?? '')
          .filter((field) => /^\w+$/.test(field) && field !== 'csrf_token')
        const noun = {
          zines: 'Zine',
          agents: 'Agent',
          repositories: 'Repository',
          holdings: 'Holding',
        }
        const written = Object.keys(schema[`${noun[name]}Write`]?.properties ?? {})
        expect(written, name).not.to.deep.equal([])
        expect([...new Set(names)].sort()).to.deep.equal(written.sort())
      }
    })
  })

  describe('proposes an identifier', () => {
    const proposedFor = async (query: string) =>
      (await open(`/manage/zines/new?${query}`)).zine_id?.[0]

    it('of the title and the numbers of the issue', async () => {
      expect(await proposedFor('title=Doris')).to.equal('doris')
      expect(
        await proposedFor('title=L%27%C3%89toile+noire&issue_designation=vol.+1+no.+3'),
      ).to.equal('letoile-noire-1-3')
      expect(await proposedFor('title=Doris&issue_designation=Winter')).to.equal('doris-winter')
    })

    it('only when there is a title', async () => {
      expect(await proposedFor('')).to.equal('')
    })

    it('that no record has, nor one that was renamed', async () => {
      await service().post('/api/zines/', zine('cometbus-1'))
      await service().post('/api/zines/cometbus-1/rename/', { zine_id: 'aarons-first' })
      await service().post('/api/zines/', zine('cometbus-1-2'))
      expect(await proposedFor('title=Cometbus&issue_designation=1')).to.equal('cometbus-1-3')
    })

    it('of the zine and the library of a copy', async () => {
      const form = await open('/manage/holdings/new?zine_id=Doris-15&repository_id=library')
      expect(form.holding_id).to.deep.equal(['doris-15-library'])
    })

    it('anew when it is saved, if nobody chose another', async () => {
      const form = await open('/manage/zines/new?title=Snarla')
      expect(form.zine_id).to.deep.equal(['snarla'])
      const { status, headers } = await editor.ask('POST', '/manage/zines/new', {
        ...form,
        ...typed,
        title: 'Snarla Again',
      })
      expect([status, headers.get('location')]).to.deep.equal([303, '/api/zines/snarla-again/'])
    })

    it('but keeps one that somebody chose', async () => {
      const form = await open('/manage/zines/new?title=Chosen')
      const { headers } = await editor.ask('POST', '/manage/zines/new', {
        ...form,
        ...typed,
        zine_id: 'my-own',
      })
      expect(headers.get('location')).to.equal('/api/zines/my-own/')
    })

    it('where it is left empty', async () => {
      const { headers } = await editor.send('/manage/zines/new', {
        ...typed,
        title: 'Left Empty',
        zine_id: '',
      })
      expect(headers.get('location')).to.equal('/api/zines/left-empty/')
    })
  })

  describe('like another one', () => {
    const original = {
      ...zine('like-09'),
      title: 'Likeness',
      issue_designation: 'No. 09',
      date: ['1998'],
      identifier: ['ISSN 1234'],
      public_notes: ['Torn.'],
      abstract: 'Of lists.',
      subject: ['queer', 'punk'],
      number_of_pages: '20',
    }
    before(async () => {
      const { status, text } = await service().post('/api/zines/', original)
      expect(status, text).to.equal(201)
    })

    it('has all of its values but identifiers, date and notes, and the next number', async () => {
      const form = await open('/manage/zines/new?like=like-09')
      expect(form).to.deep.include({
        zine_id: ['likeness-10'],
        issue_designation: ['No. 10'],
        date: [''],
        public_notes: [''],
        identifier: [''],
        abstract: ['Of lists.'],
        subject: ['queer', 'punk', ''],
        creator: ['maker', ''],
        number_of_pages: ['20'],
      })
    })

    it('begins with the first field that is still to be filled', async () => {
      const { text } = await editor.get('/manage/zines/new?like=like-09')
      const focused = read(text)
        .all('*')
        .filter(({ attributes }) => 'data-focus' in attributes)
      expect(focused.map(({ attributes }) => attributes.name)).to.deep.equal(['date'])
    })

    it('is no possible duplicate, being another issue', async () => {
      const form = await open('/manage/zines/new?like=like-09')
      const { status, headers } = await editor.ask('POST', '/manage/zines/new', form)
      expect([status, headers.get('location')]).to.deep.equal([303, '/api/zines/likeness-10/'])
    })

    it('is a possible duplicate with the same issue', async () => {
      const form = await open('/manage/zines/new?like=like-09')
      const { text } = await editor.ask('POST', '/manage/zines/new', {
        ...form,
        issue_designation: 'no 09',
      })
      expect(text).to.include('Possible duplicates')
    })

    it('is opened again after each that is saved with “Save and add next”', async () => {
      const form = await open('/manage/zines/new?like=like-09')
      const { status, headers } = await editor.ask('POST', '/manage/zines/new', {
        ...form,
        issue_designation: 'No. 20',
        '.next': 'yes',
      })
      const next = headers.get('location') ?? ''
      expect([status, next]).to.deep.equal([303, '/manage/zines/new?like=likeness-20'])
      const { text } = await editor.get(next)
      expect(read(text).all('p', 'done')[0]?.text).to.equal('Created.')
      expect(formOn(text, 'record-form').issue_designation).to.deep.equal(['No. 21'])
    })

    it('leads to it from its page, for those who may write', async () => {
      const path = '/manage/zines/new?like=like-09'
      expect((await editor.get('/api/zines/like-09/')).text).to.include(`href="${path}"`)
      const visitor = browse(service().url)
      expect((await visitor.get('/api/zines/like-09/')).text).not.to.include('like=like-09')
    })

    it('copies neither the barcode nor the notes of a copy', async () => {
      await service().post(
        '/api/holdings/',
        holding('copied', {
          zine_id: 'like-09',
          barcode: '31234',
          notes: ['Mine.'],
          call_number: 'Z 1',
        }),
      )
      const form = await open('/manage/holdings/new?like=copied')
      expect(form).to.deep.include({
        zine_id: ['like-09'],
        call_number: ['Z 1'],
        barcode: [''],
        notes: [''],
      })
    })

    it('never copies the legal name of an agent, whether it is public or not', async () => {
      for (const isPublic of [true, false]) {
        const id = `legal-${isPublic}`
        await service().post(
          '/api/agents/',
          agent(id, { legal_name: 'Zebulon Quux', email: 'z@quux.example', public: isPublic }),
        )
        const { text } = await editor.get(`/manage/agents/new?like=${id}`)
        expect(text).not.to.match(/zebulon|quux/i)
      }
    })

    it('of no record is answered 404', async () => {
      expect((await editor.get('/manage/zines/new?like=none')).status).to.equal(404)
    })
  })

  describe('remembers for the account', () => {
    it('language, rights and genre of the last zine, and the library of the last copy', async () => {
      await editor.send('/manage/zines/new', {
        ...typed,
        title: 'Remembered',
        language: ['es', 'ca'],
        rights: 'copyleft',
        genre: 'perzine',
      })
      await editor.send('/manage/holdings/new', {
        zine_id: 'remembered',
        repository_id: 'library',
        copy_count: '1',
        '.confirm': 'yes',
      })
      expect(await open('/manage/zines/new')).to.deep.include({
        language: ['es', 'ca', ''],
        rights: ['copyleft', ''],
        genre: ['perzine', ''],
        subject: [''],
      })
      expect((await open('/manage/holdings/new?zine_id=remembered')).repository_id).to.deep.equal([
        'library',
      ])
    })

    it('what nobody else is shown', async () => {
      const other = browse(service().url)
      await other.signIn('admin')
      const form = formOn((await other.get('/manage/zines/new')).text, 'record-form')
      expect(form.language).to.deep.equal([''])
    })

    it('nothing that is gone meanwhile', async () => {
      await service().post('/api/repositories/', repository('closing'))
      await editor.send('/manage/holdings/new', {
        zine_id: 'remembered',
        repository_id: 'closing',
        copy_count: '1',
        '.confirm': 'yes',
      })
      await service().ask('DELETE', '/api/repositories/closing/')
      expect((await open('/manage/holdings/new')).repository_id).to.deep.equal([''])
    })

    it('it over a restart, and keeps it out of the log of changes', async () => {
      const first = await startService({ BASE_URL: 'http://localhost' })
      const { dataDir } = first
      await first.post('/api/agents/', agent('maker'))
      const one = browse(first.url)
      await one.signIn('editor', PASSWORD)
      await one.send('/manage/zines/new', { ...typed, title: 'Kept', language: 'eo' })
      expect((await first.get('/api/changes/')).body.results).to.have.length(2)
      await first.close()
      const second = await startService({ BASE_URL: 'http://localhost', DATA_DIR: dataDir })
      try {
        const again = browse(second.url)
        await again.signIn('editor', PASSWORD)
        const { text } = await again.get('/manage/zines/new')
        expect(formOn(text, 'record-form').language).to.deep.equal(['eo', ''])
      } finally {
        await second.stop()
      }
    })
  })

  describe('without an identifier', () => {
    const wrongIn = async (kind: string, values: Fields) => {
      const { status, text } = await editor.send(`/manage/${kind}/new`, values)
      const links = read(text).all('section', 'wrong')[0]?.all('a') ?? []
      return [status, ...links.map(({ attributes }) => attributes.href)]
    }

    it('says nothing of it where it is made of a title that is missing too', async () => {
      expect(await wrongIn('zines', { ...typed, title: '' })).to.deep.equal([400, '#field-title'])
    })

    it('says nothing of it where it is made of records that are not chosen', async () => {
      const wrong = await wrongIn('holdings', { copy_count: '1' })
      expect(wrong).to.deep.equal([400, '#field-zine_id', '#field-repository_id'])
    })

    it('says what is wrong with one that was typed', async () => {
      const wrong = await wrongIn('zines', { ...typed, title: '', zine_id: '.' })
      expect(wrong).to.include('#field-zine_id')
    })
  })

  it('of a copy begins from its zine, for those who may write copies', async () => {
    await service().post('/api/zines/', zine('held'))
    const link = '/manage/holdings/new?zine_id=held'
    expect((await editor.get('/api/zines/held/')).text).to.include(`href="${link}"`)
    expect((await open(link)).zine_id).to.deep.equal(['held'])
    const zinesOnly = browse(service().url)
    await zinesOnly.signIn('zines-editor')
    const { text } = await zinesOnly.get('/api/zines/held/')
    expect(text).to.include('/manage/zines/edit/held').and.not.to.include('/manage/holdings/new')
  })
})
