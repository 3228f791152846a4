// The inventory over HTTP: its order, what it finds, its lists and its labels.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { PASSWORD, startService, useService } from '../../service.js'
import { type Browser, type Element, browse, read } from '../../views/browser.js'

describe('the inventory', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  let editor: Browser

  before(async () => {
    const { post } = service()
    await post('/api/agents/', agent('maker'))
    for (const id of ['here', 'there'])
      await post('/api/repositories/', repository(id, { repository_name: `Library ${id}` }))
    await post('/api/zines/', zine('doris', { title: 'Doris', issue_designation: 'no. 15' }))
    await post('/api/zines/', zine('formula', { title: '=1+1' }))
    for (const [id, repository_id, values] of [
      ['none', 'here', {}],
      ['ten', 'here', { call_number: 'Z 10', barcode: '31234001234567' }],
      ['nine', 'here', { call_number: 'Z 9', location: 'Basement, cage 4' }],
      ['other', 'there', { call_number: 'Z 1', zine_id: 'formula' }],
    ] as const) {
      const { status, text } = await post(
        '/api/holdings/',
        holding(id, { zine_id: 'doris', repository_id, ...values }),
      )
      expect(status, text).to.equal(201)
    }
    editor = browse(service().url)
    await editor.signIn('editor')
  })

  const idsOn = async (query: string) =>
    read((await editor.get(`/manage/inventory?${query}`)).text)
      .all('input')
      .filter(({ attributes }) => attributes.name === 'id')
      .map(({ attributes }) => attributes.value)

  it('is in the natural order of call numbers, those without one last', async () => {
    expect(await idsOn('library=here')).to.deep.equal(['nine', 'ten', 'none'])
  })

  it('names each copy by its call number and the issue where it is ticked', async () => {
    const ticks = read((await editor.get('/manage/inventory?library=here')).text)
      .all('input')
      .filter(({ attributes }) => attributes.name === 'id')
    expect(ticks.map(({ attributes }) => attributes['aria-label'])).to.deep.equal([
      'Tick Z 9 – Doris, no. 15',
      'Tick Z 10 – Doris, no. 15',
      'Tick Doris, no. 15',
    ])
  })

  it('has the copies of all libraries unless one is chosen', async () => {
    expect(await idsOn('')).to.deep.equal(['other', 'nine', 'ten', 'none'])
    expect(await idsOn('library=there')).to.deep.equal(['other'])
  })

  it('has a new call number at once', async () => {
    await service().patch('/api/holdings/nine/', { call_number: 'Z 11' })
    expect(await idsOn('library=here')).to.deep.equal(['ten', 'nine', 'none'])
    await service().patch('/api/holdings/nine/', { call_number: 'Z 9' })
    expect(await idsOn('library=here')).to.deep.equal(['nine', 'ten', 'none'])
  })

  it('begins with the library that the account chose last', async () => {
    const admin = browse(service().url)
    await admin.signIn('admin')
    await admin.send('/manage/holdings/new', {
      zine_id: 'formula',
      repository_id: 'there',
      copy_count: '1',
      '.confirm': 'yes',
    })
    const page = read((await admin.get('/manage/inventory')).text)
    const chosen = page.all('option').filter(({ attributes }) => 'selected' in attributes)
    expect(chosen[0]?.attributes.value).to.equal('there')
    await service().ask('DELETE', '/api/holdings/formula-there/')
  })

  for (const [what, q, ids] of [
    ['barcode', '31234001234567', ['ten']],
    ['call number', 'Z 9', ['nine']],
    ['place', 'basement cage', ['nine']],
    ['title', 'doris', ['nine', 'ten', 'none']],
  ] as const)
    it(`finds copies by ${what}`, async function () {
      if (process.env.TEST_LIST_INDEX === 'off') this.skip()
      expect(await idsOn(new URLSearchParams({ q }).toString())).to.deep.equal(ids)
    })

  it('says that it searches nothing where there is no index, and lists all the same', async () => {
    const other = await startService({ BASE_URL: 'http://localhost', LIST_INDEX: 'off' })
    try {
      const one = browse(other.url)
      await one.signIn('editor')
      expect((await one.get('/manage/inventory')).status).to.equal(200)
      const { status, text } = await one.get('/manage/inventory?q=x')
      expect(status).to.equal(501)
      expect(text).to.include('has no index of words')
    } finally {
      await other.stop()
    }
  })

  it('has no past page: a number that is too high leads to the last', async () => {
    expect(await idsOn('library=here&page=99')).to.have.length(3)
  })

  const send = (form: Readonly<Record<string, string | readonly string[]>>) =>
    editor.send('/manage/inventory', form)

  it('is a file of the ticked copies, safe to open in a spreadsheet', async () => {
    const { status, headers, text } = await send({
      do: 'csv',
      id: ['other', 'ten'],
      shown: ['nine', 'ten', 'other'],
    })
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.match(/^text\/csv/)
    expect(headers.get('content-disposition')).to.include('inventory.csv')
    const [, other, ten] = text.split('\r\n')
    expect(other).to.match(/^Z 1,'=1\+1,/)
    expect(ten).to.include('"Doris, no. 15",,31234001234567,')
  })

  it('is a list to print, of all on the page where none is ticked', async () => {
    const { text } = await send({ do: 'print', shown: ['nine', 'ten'] })
    const rows = read(text).all('tbody')[0]?.all('tr') ?? []
    expect(rows.map((row) => row.all('td')[1]?.text)).to.deep.equal(['Z 9', 'Z 10'])
    expect(read(text).all('input', 'id')).to.deep.equal([])
  })

  describe('prints labels', () => {
    const labels = async (form: Readonly<Record<string, string | readonly string[]>>) =>
      read((await send({ do: 'labels', ...form })).text)

    it('with call number, title, bars and the text of the barcode', async () => {
      const page = await labels({ id: ['ten', 'none'] })
      const [label, bare] = page.all('li', 'sheet-label')
      expect(label?.all('strong')[0]?.text).to.equal('Z 10')
      expect(label?.text).to.include('Doris, no. 15').and.include('31234001234567')
      expect(label?.all('svg', 'barcode')[0]?.attributes['aria-label']).to.equal(
        'Barcode 31234001234567',
      )
      expect(bare?.all('svg')).to.deep.equal([])
    })

    it('with bars of the call number, or without bars', async () => {
      const page = await labels({ id: 'nine', code: 'call-number' })
      expect(page.all('svg', 'barcode')[0]?.attributes['aria-label']).to.equal('Barcode Z 9')
      expect((await labels({ id: 'ten', code: 'none' })).all('svg', 'barcode')).to.deep.equal([])
    })

    it('from the first free place of a sheet on, on as many sheets as they need', async () => {
      const page = await labels({ id: ['nine', 'ten'], sheet: 'letter-3x10', first: '30' })
      const sheets = page.all('ol', 'letter-3x10').map((sheet) => sheet.all('li', 'sheet-label'))
      expect(sheets.map(({ length }) => length)).to.deep.equal([30, 1])
      expect(sheets[0]?.slice(0, 29).map(({ text }) => text)).to.deep.equal(Array(29).fill(''))
      expect(sheets[0]?.at(29)?.text).to.include('Z 9')
    })

    for (const first of ['0', '-3', '31', 'x', '1e99'])
      it(`from the first place on for “${first}”`, async () => {
        const page = await labels({ id: 'nine', sheet: 'letter-3x10', first })
        expect(page.all('li', 'sheet-label')).to.have.length(1)
      })

    it('of no more copies than the longest page has', async () => {
      const page = await labels({ id: Array(600).fill('nine') })
      expect(page.all('li', 'sheet-label')).to.have.length(500)
    })

    it('of copies that are still there', async () => {
      expect((await labels({ id: ['gone', 'nine'] })).all('li', 'sheet-label')).to.have.length(1)
      expect((await labels({ id: 'gone' })).text).to.include('deleted meanwhile')
    })
  })

  describe('has the fields for the staff', () => {
    const staff = { accession_number: '2026/17', donor: 'Dora Donor', price: '-5 USD' }
    const libraryEditor = 'of-there'
    const texts = Object.values(staff)

    before(async () => {
      const { accounts, patch } = service()
      for (const id of ['nine', 'other']) await patch(`/api/holdings/${id}/`, staff)
      const rights = { role: 'editor', restrictedTo: [], repository: 'there' } as const
      await accounts.add({ name: libraryEditor, password: PASSWORD, ...rights })
    })

    const signedIn = async (name: string): Promise<Browser> => {
      const browser = browse(service().url)
      await browser.signIn(name)
      return browser
    }

    /** The rows of the page, and of the list to print, by their call number. */
    const rowsFor = async (browser: Browser) => {
      const shown = ['nine', 'other']
      const answers = [
        await browser.get('/manage/inventory?library=all'),
        await browser.send('/manage/inventory', { do: 'print', shown }),
      ]
      return answers.map(({ text }) => {
        const rows = read(text).all('tbody')[0]?.all('tr') ?? []
        return new Map(rows.map((row) => [row.all('td')[1]?.text, row.text]))
      })
    }

    const csvFor = async (browser: Browser) =>
      (await browser.send('/manage/inventory', { do: 'csv', id: ['nine', 'other'] })).text

    it('in rows and in the file, for who may edit the holdings', async () => {
      for (const rows of await rowsFor(editor))
        for (const callNumber of ['Z 9', 'Z 1'])
          expect(rows.get(callNumber)).to.include('Donor: Dora Donor').and.include('2026/17')
      const [header, nine] = (await csvFor(editor)).split('\r\n')
      expect(header).to.match(/,source,acquired,accession_number,price,donor,last_seen,staff_note$/)
      expect(nine).to.match(/,,,2026\/17,'-5 USD,Dora Donor,,$/)
    })

    it('of the holdings of the library that an editor is bound to, and of no other one', async () => {
      const browser = await signedIn(libraryEditor)
      for (const rows of await rowsFor(browser)) {
        expect(rows.get('Z 1')).to.include('Dora Donor')
        expect(rows.get('Z 9')).not.to.include('Dora Donor')
      }
      const [, nine, other] = (await csvFor(browser)).split('\r\n')
      expect(nine).to.match(/,,,,,,,$/)
      expect(other).to.include('Dora Donor')
    })

    it('not for those who may edit other kinds alone', async () => {
      const browser = await signedIn('zines-editor')
      const pages = (await rowsFor(browser)).flatMap((rows) => [...rows.values()])
      const said = [...pages, await csvFor(browser)].join()
      expect(said)
        .to.include('Z 9')
        .and.not.match(/For staff|accession_number/)
      for (const text of texts) expect(said).not.to.include(text)
    })

    it('on labels where the accession number is chosen, and nothing else of them', async () => {
      const labels = async (browser: Browser, code: string) => {
        const form = { do: 'labels', id: 'nine', code }
        return read((await browser.send('/manage/inventory', form)).text)
      }
      const chosen = await labels(editor, 'accession-number')
      expect(chosen.all('svg', 'barcode')[0]?.attributes['aria-label']).to.equal('Barcode 2026/17')
      expect(chosen.all('li', 'sheet-label')[0]?.text).to.include('2026/17').and.not.include('Dora')
      for (const page of [
        await labels(editor, 'call-number'),
        await labels(await signedIn('zines-editor'), 'accession-number'),
      ])
        for (const text of texts)
          expect(page.all('li', 'sheet-label')[0]?.text).to.include('Z 9').and.not.include(text)
    })
  })

  describe('keeps when copies were seen', () => {
    const path = '/manage/inventory?library=here'
    const lastSeen = async (id: string) =>
      (
        await service().get(`/api/holdings/${id}/?private=true`, {
          token: service().tokens.editor,
        })
      ).body.last_seen
    const versionsOn = async () =>
      read((await editor.get(path)).text)
        .all('input')
        .filter(({ attributes }) => attributes.name === 'version')
        .map(({ attributes }) => attributes.value ?? '')
    const mark = async (fields: Readonly<Record<string, string | readonly string[]>>) => {
      const version = await versionsOn()
      const { status, text } = await editor.send(path, { do: 'seen', version, ...fields })
      expect(status, text).to.equal(200)
      return read(text)
    }
    const noticeOn = (page: Element) => page.all('div', 'notice')[0]?.text

    afterEach(async () => {
      for (const id of ['nine', 'ten', 'none'])
        await service().patch(`/api/holdings/${id}/`, { last_seen: '' })
    })

    it('today for the ticked ones, in one batch, and lists the others as not seen since', async () => {
      const today = new Date().toISOString().slice(0, 10)
      const page = await mark({ id: ['nine', 'none'] })
      expect(noticeOn(page)).to.include('2 copies are marked as seen.')
      expect((await lastSeen('nine')) >= today).to.equal(true)
      expect(await lastSeen('ten')).to.equal(undefined)
      expect(await idsOn(`library=here&unseen=${today}`)).to.deep.equal(['ten'])
      expect(await idsOn('library=here&unseen=9999-12-31')).to.deep.equal(['nine', 'ten', 'none'])
      const [batch] = (await service().get('/api/batches/', { token: service().tokens.editor }))
        .body.results
      expect(batch.count).to.equal(2)
    })

    it('on the day that a device says, which may send the same again, and late', async () => {
      const version = await versionsOn()
      for (const day of ['2026-01-31', '2026-01-31', '2025-12-31'])
        expect(noticeOn(await mark({ id: 'ten', version, day }))).to.include('1 copy is marked')
      expect(await lastSeen('ten')).to.equal('2026-01-31')
    })

    it('but not of a copy that was changed since the page was made', async () => {
      const version = await versionsOn()
      await service().patch('/api/holdings/nine/', { condition: 'Torn.' })
      const page = await mark({ id: ['nine', 'ten'], version, day: '2026-01-31' })
      expect(noticeOn(page))
        .to.include('1 copy is marked as seen.')
        .and.include('nine: The record has been changed since it was read.')
      expect(await lastSeen('nine')).to.equal(undefined)
      expect(await lastSeen('ten')).to.equal('2026-01-31')
    })

    it('of none where none is ticked, nor for a day that is none', async () => {
      expect(noticeOn(await mark({ shown: 'nine' }))).to.include('Nothing is ticked.')
      expect(noticeOn(await mark({ id: 'nine', day: 'yesterday' }))).to.include('0 copies')
      expect(await lastSeen('nine')).to.equal(undefined)
    })

    it('for those alone who may edit the copy', async () => {
      const other = browse(service().url)
      await other.signIn('zines-editor')
      expect((await other.get(path)).text).not.to.include('Seen today')
      const version = await versionsOn()
      const { text } = await other.send(path, { do: 'seen', id: 'nine', version })
      expect(noticeOn(read(text))).to.include('0 copies are marked as seen.')
      expect(await lastSeen('nine')).to.equal(undefined)
    })
  })

  it('is not shown to those who may write nothing', async () => {
    const viewer = browse(service().url)
    await viewer.signIn('viewer')
    expect((await viewer.get('/manage/inventory')).status).to.equal(403)
    expect((await viewer.get('/api/zines/')).text).not.to.include('/manage/inventory')
  })
})
