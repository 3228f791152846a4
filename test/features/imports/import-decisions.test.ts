// The decisions of an import, on pages without scripts: none is lost, whatever is pressed, and few are needed.

import { expect } from 'chai'

import { agent, repository } from '../../examples.js'
import { useService } from '../../service.js'
import { type Element, expectInert, read } from '../../views/browser.js'
import { importPages } from './import-pages.js'

/** The pages of imports of a service that has a library and a maker. */
function usePages() {
  const service = useService({ BASE_URL: 'http://localhost' })
  const pages = importPages(service)
  before(async () => {
    await service().post('/api/repositories/', repository('library'))
    await service().post('/api/agents/', agent('jon-smith', { display_name: 'Jon Smith' }))
    await pages.open()
  })
  return { service, ...pages }
}

describe('the decisions of an import', () => {
  const { service, see, begin, press } = usePages()

  const importOf = async (path: string): Promise<any> => {
    const id = path.split('/')[3] ?? ''
    return (await service().get(`/api/imports/${id}/`, { token: service().tokens.editor })).body
  }

  const profileOf = async (path: string): Promise<any> => (await importOf(path)).profile

  /** Names with an e-mail address, about which people decide. */
  const addresses = Array.from({ length: 130 }, (_, row) => `maker${1000 + row}@example.org`)

  const withAddresses = () =>
    begin(['Title,Author', ...addresses.map((address, row) => `Zine ${row},${address}`)].join('\n'))

  it('about names are saved by whatever leads on', async () => {
    const path = await withAddresses()
    const steps = ['1. File', '2. Fields', '4. Terms', '5. Preview', '6. Result']
    for (const [row, label] of ['Next →', 'Left out', ...steps].entries()) {
      const { status, path: to } = await press(`${path}/names?show=open`, label, { 'do.0': 'drop' })
      expect(status, label).to.equal(303)
      expect(to, label).not.to.match(/names\?show=open$/)
      expect(Object.keys((await profileOf(path)).names), label).to.have.length(row + 1)
    }
  })

  it('about fields are saved by a step too', async () => {
    const path = await begin('Title,Author,Mood\nOne,Ann,calm\nTwo,Bob,loud')
    const { path: to } = await press(`${path}/fields`, '4. Terms', {
      to: 'zines.public_notes',
      repository: 'library',
    })
    expect(to).to.equal(`${path}/terms`)
    const { rules, defaults } = await profileOf(path)
    expect(rules).to.deep.include({ from: 'Mood', to: 'zines.public_notes' })
    expect(defaults.holdings).to.deep.equal({ repository_id: 'library' })
    await press(`${path}/fields?field=Mood`, '3. Names', { 'prefix.0': 'Mood: ' })
    expect((await profileOf(path)).rules).to.deep.include({
      from: 'Mood',
      to: 'zines.public_notes',
      prefix: 'Mood: ',
    })
  })

  it('about terms are saved by another tab and another list too', async () => {
    const path = await begin('Title,Tags,Genre\nOne,"punk,nowhere heard",strange kind')
    for (const [label, value] of [
      ['Genres', 'note'],
      ['Found exactly', 'drop'],
    ] as const) {
      await press(`${path}/terms?of=subjects&show=none`, label, { 'do.0': value })
      expect((await profileOf(path)).terms.subjects).to.deep.equal({
        'nowhere heard': { [value]: true },
      })
      await press(`${path}/terms?of=subjects&show=decided`, 'Genres', { 'do.0': '' })
    }
  })

  it('that are proposed become decisions when a page is saved, and not when it is left', async () => {
    const path = await begin('Title,Author\nOne,Jon Smyth')
    const left = await press(`${path}/names`, '4. Terms')
    expect(left.path).to.equal(`${path}/terms`)
    expect((await profileOf(path)).names).to.deep.equal({})
    const saved = await press(`${path}/names`, 'Save and continue')
    expect(saved.path).to.equal(`${path}/terms`)
    expect((await profileOf(path)).names).to.have.all.keys('Jon Smyth')
  })

  it('that are left open keep nobody on a page', async () => {
    const path = await withAddresses()
    const dropTen = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`do.${at}`, 'drop']))
    const { path: rest, text } = await press(`${path}/names`, 'Save and continue', dropTen)
    expect(rest).to.equal(`${path}/names?show=open&page=1`)
    expect(read(text).all('tbody')[0]?.all('tr')).to.have.length(100)
    const last = await press(rest, 'Save and continue')
    expect(last.path).to.equal(`${path}/names?show=open&page=2`)
    expect((await press(last.path, 'Save and continue')).path).to.equal(`${path}/terms`)
  })

  it('that are understood are saved, and the others are named', async () => {
    const path = await begin(
      'Title,Author\nOne,a@example.org\nTwo,b@example.org\nThree,c@example.org',
    )
    const { status, text } = await press(`${path}/names`, 'Save and continue', {
      'do.0': 'drop',
      'do.1': 'other',
      'text.1': 'nobody',
      'do.2': 'other',
      'text.2': '',
    })
    expect(status).to.equal(400)
    const [notice] = read(text).all('div', 'notice')
    expect(notice?.text)
      .to.include('There is no maker with the identifier "nobody".')
      .and.to.include('Enter the identifier of a maker.')
    expect((await profileOf(path)).names).to.deep.equal({ 'a@example.org': { drop: true } })
  })

  it('about the rest of the terms keep those of the page, and can be for all lists', async () => {
    const path = await begin(
      'Title,Tags,Genre\nOne,"nowhere heard,never seen,nowhere heard",strange kind',
    )
    const { text } = await press(`${path}/terms?of=subjects`, 'Keep the rest as public notes', {
      'do.0': 'create',
      'all-lists': 'yes',
    })
    expect((await profileOf(path)).terms).to.deep.equal({
      subjects: {
        '*': { note: true },
        'nowhere heard': { create: { code: 'nowhere-heard', label: 'nowhere heard' } },
      },
      genres: { '*': { note: true } },
    })
    const [lists] = read(text).all('ul', 'tabs')
    expect(lists?.all('button').map((tab) => tab.text)).to.deep.equal(['Subjects 0', 'Genres 0'])
    expect((await press(`${path}/terms`, 'Save and continue')).path).to.equal(`${path}/preview`)
    await press(`${path}/terms?of=genres`, 'Ask again', { 'all-lists': 'yes' })
    expect((await profileOf(path)).terms.genres).to.deep.equal({})
  })

  it('lead to this import alone, whatever a form says', async () => {
    const path = await begin('Title,Author\nOne,Ann')
    for (const to of [
      '//elsewhere.example/',
      'https://elsewhere.example/',
      '/manage/imports',
      'x\ny',
    ])
      expect((await press(`${path}/fields`, 'Save and continue', { '.to': to })).path, to).to.equal(
        `${path}/names`,
      )
  })

  it('that are not made leave the preview as it is', async () => {
    const path = await begin('Title,Author\nOne,Ann\nOne,Ann')
    await press(`${path}/preview`, 'Preview')
    const { revision } = await importOf(path)
    for (const page of ['fields', 'names', 'preview?show=duplicates']) {
      const { path: to } = await press(`${path}/${page}`, '5. Preview')
      expect(to, page).to.equal(`${path}/preview`)
      const one = await importOf(path)
      expect([one.revision, one.preview === null], page).to.deep.equal([revision, false])
    }
    await press(`${path}/preview?show=duplicates`, '5. Preview', { 'do.2': 'skip' })
    expect((await profileOf(path)).duplicates.rows).to.deep.equal({ 2: 'skip' })
  })

  it('about shelves count among what is left', async () => {
    const path = await begin(
      'Title,Author,Tags,Collections\nOne,Ann,zines,Ours\nTwo,Ann,zines,Read',
    )
    const left = async (): Promise<string> =>
      read(await see(`${path}/fields`)).all('span', 'step-note')[1]?.text ?? ''
    const before = Number.parseInt(await left())
    await press(`${path}/fields`, 'Save and continue', { owned: ['true', 'false'] })
    expect(Number.parseInt(await left())).to.equal(before - 2)
  })
})

/** What a spreadsheet of a library has: thirty columns, of which seven say nothing to the catalogue. */
const columns: Readonly<Record<string, (row: number) => string>> = {
  'Accession No.': (row) => `A-${row}`,
  Title: (row) => (row % 9 === 0 ? `Zine of things ${row}, The` : `Zine of things ${row}`),
  'Alternate Title': (row) => (row % 40 === 0 ? `Things ${row}` : ''),
  Issue: (row) => (row % 2 === 0 ? `no. ${1 + (row % 20)}` : ''),
  Volume: (row) => (row % 25 === 0 ? String(1 + (row % 7)) : ''),
  'Creator(s)': (row) => pick(makersOf(row), row),
  Contributors: (row) => (row % 30 === 0 ? 'Moss, Kit' : ''),
  Publisher: (row) => (row % 12 === 0 ? `Press ${row % 5}` : ''),
  'Place of Publication': (row) => pick(['Portland, Oregon', 'Toronto', '[S.l.]', ''], row),
  Date: (row) => pick(['1999', 'n.d.', 'Winter', 'c. 1994', '4/5/1998', '2003-05'], row),
  'Subject 1': (row) => pick(['Punk', 'Bicycles', 'Feminism', 'Poetry', 'Bicyling'], row),
  'Subject 2': (row) => pick(['Art', '', 'Music', `Thing ${row % 90}`], row),
  'Subject 3': (row) => pick(['', 'Punk culture', 'Race / Cultures'], row),
  Keywords: (row) => pick(['travel, food', 'how to / diy', '', 'heard of nowhere'], row),
  Genre: (row) => pick(['Perzine', 'Fanzine', 'Comics', `Kind ${row % 8}`], row),
  Language: (row) => pick(['English', 'English', 'Spanish', 'ENG/ESP', 'Zinish'], row),
  Description: (row) => (row % 3 === 0 ? `About things, ${row}.` : ''),
  Contents: (row) => (row % 5 === 0 ? 'One; two; three' : ''),
  Pages: (row) => `${8 + (row % 40)} p.`,
  'H x W': (row) => pick(['22 cm', '5.5 x 8.5 in.', ''], row),
  'How it is bound': (row) => pick(['stapled', 'sewn'], row),
  Series: (row) => (row % 60 === 0 ? 'Things' : ''),
  Location: (row) => `Shelf ${row % 9}`,
  'Call Number': (row) => `ZINE ${row}`,
  Copies: (row) => String(1 + (row % 2)),
  Condition: (row) => pick(['Good', 'Poor', ''], row),
  Donor: (row) => (row % 9 === 0 ? 'J. Donor' : ''),
  'Seen by': () => 'mk',
  'To scan?': (row) => pick(['yes', ''], row),
  Notes: (row) => (row % 4 === 0 ? `Note ${row}` : ''),
}

const makersOf = (row: number): readonly string[] => [
  `Heron, Ann${row % 70}`,
  '',
  `Bo${row % 30} Egret; Cy Gull`,
  'Jon Smyth',
  'Unknown',
  `Ada Crane and Ed${row % 10} Rail`,
]

const pick = (values: readonly string[], row: number): string => values[row % values.length] ?? ''

function spreadsheet(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) =>
    Object.values(columns).map((textOf) => `"${textOf(row)}"`),
  )
  return [Object.keys(columns), ...lines].map((cells) => cells.join(',')).join('\n')
}

describe('a spreadsheet of thirty columns', () => {
  const { service, see, begin, press } = usePages()

  it('of 900 rows is in the catalogue after at most ten decisions', async () => {
    expect(Object.keys(columns)).to.have.length(30)
    const path = await begin(spreadsheet(900))
    let decisions = 0

    /** Presses a button that decides something, with what was chosen before. */
    const decide = (
      where: string,
      label: string,
      chosen: Readonly<Record<string, string>> = {},
    ) => {
      decisions += Math.max(Object.keys(chosen).length, label === 'Save and continue' ? 0 : 1)
      return press(where, label, chosen)
    }
    const has = (page: Element, label: string): boolean =>
      page.all('button').some(({ text }) => text.trim().startsWith(label))

    await decide(`${path}/fields`, 'Save and continue', {
      repository: 'library',
      rest: 'private',
      'all-empty': 'yes',
    })
    let at = await decide(`${path}/names`, 'Accept what is proposed')
    expect(at.path).to.equal(`${path}/terms`)
    for (const label of ['Take the same words', 'Keep the rest'])
      if (has(read(at.text), label))
        at = await (label === 'Keep the rest'
          ? decide(at.path, label, { 'all-lists': 'yes' })
          : decide(at.path, label))
    at = await press(at.path, 'Save and continue')
    expect(at.path).to.equal(`${path}/preview`)
    for (const note of read(at.text).all('span', 'step-note').slice(0, 4))
      expect(note.text).to.equal('done')
    const preview = await press(at.path, 'Preview')
    expectInert(read(preview.text), 'preview')
    expect(has(read(preview.text), 'Import 900 rows'), preview.text).to.equal(true)
    expect(decisions).to.be.at.most(10)

    await press(`${path}/preview`, 'Import 900 rows')
    await see(`${path}/result`)
    expect((await service().get('/api/zines/')).body.count).to.equal(900)
    expect((await service().get('/api/holdings/')).body.count).to.equal(900)
    console.log(`      ${decisions} decisions`)
  })
})
