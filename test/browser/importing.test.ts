// An import in a browser: a person goes from a file to the catalogue, and takes it back by one press. The files of
// libraries that were kept as examples are not part of the project; they are tried where they are.

import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'
import type { Page } from 'playwright-core'

import { agent, repository, zine } from '../examples.js'
import { importClient } from '../features/imports/import-client.js'
import { PASSWORD } from '../service.js'
import { isWiderThanWindow, violationsInAllLooks, violationsOn } from './axe.js'
import { keepPicture, signIn, useBrowser } from './browser.js'

const table = [
  'Title,Author,Date,Tags,Mood',
  'Doris #15,"Crabb, Cindy",1999,"punk,bikes",calm',
  'Cometbus #1,Aaron,,"punk,unheard of",loud',
  'CafÃ© Zine,Jackie Wang and Ramsey Beyer,2003,unheard of,calm',
].join('\n')

/** A MARC record with a maker, a subject and two items. */
const marcRecord = (number: string, title: string, maker: string): string => {
  const fields: readonly (readonly [tag: string, text: string])[] = [
    ['001', number],
    ['008', '990101s1999    xx            000 0 eng d'],
    ['100', `1 \u001fa${maker}.`],
    ['245', `10\u001fa${title} /\u001fc${maker}.`],
    ['650', ' 0\u001faPunk culture.'],
    ['952', `  \u001fo${number}\u001fpB${number}`],
  ]
  const data = fields.map(([, text]) => `${text}\u001e`)
  let start = 0
  const directory = fields.map(([tag], index) => {
    const length = Buffer.byteLength(data[index] ?? '')
    const entry = tag + String(length).padStart(4, '0') + String(start).padStart(5, '0')
    start += length
    return entry
  })
  const base = 24 + directory.join('').length + 1
  const length = base + start + 1
  const leader = `${String(length).padStart(5, '0')}nam a22${String(base).padStart(5, '0')} i 4500`
  return `${leader}${directory.join('')}\u001e${data.join('')}\u001d`
}

const marc = [
  marcRecord('1001', 'Doris', 'Crabb, Cindy'),
  marcRecord('1002', 'Cometbus', 'Cometbus, Aaron'),
].join('')

/** A LibraryThing export of a library, which is not part of the project. */
const carnegie = process.env.CARNEGIE ?? 'carnegie.csv'

const devices = [
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1280, height: 900, colorScheme: 'light' },
] as const

describe('in a browser, a librarian with a file', () => {
  const site = useBrowser()
  let page: Page

  before(async function () {
    await site().service.post('/api/repositories/', repository('library'))
    page = await site().visit('/api/zines/')
    await signIn(page, 'editor', PASSWORD)
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const countOf = async (kind: string): Promise<number> =>
    (await site().service.get(`/api/${kind}/`)).body.count

  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text })

  const press = (name: string | RegExp) => page.getByRole('button', { name }).click()

  /** Checks a page with axe on a desktop, and on a phone in the dark. */
  async function check(where: string): Promise<void> {
    for (const { width, height, colorScheme } of devices) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await keepPicture(page, `import-${where}-${width}`)
      // At the end of a page, the buttons of a form cover nothing.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      expect(await violationsOn(page), `${where}, ${width} px`).to.deep.equal([])
      expect(await isWiderThanWindow(page), `${where} is wider than ${width} px`).to.equal(false)
    }
  }

  async function choose(name: string, content: string | undefined, path?: string): Promise<void> {
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    const file = path ?? join(site().service.dataDir, name)
    if (content !== undefined) await writeFile(file, content)
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await press('Upload and check')
    await heading(`File: ${name}`).waitFor({ timeout: 60_000 })
  }

  /** Goes on from the fields to the preview, with what is proposed. */
  async function decide(where?: string): Promise<void> {
    await page.getByRole('link', { name: 'Next: fields' }).click()
    await heading('Fields:').waitFor({ timeout: 60_000 })
    await page
      .getByRole('combobox', { name: 'The library that keeps the copies' })
      .selectOption({ index: 1 })
    for (const box of await page.getByLabel('Leave it empty').all()) await box.check()
    if (where !== undefined) await check(`${where}-fields`)
    await press('Save and continue')
    await heading('Names:').waitFor({ timeout: 60_000 })
    if (where !== undefined) await check(`${where}-names`)
    await press('4. Terms')
    await heading('Terms:').waitFor({ timeout: 60_000 })
    if (where !== undefined) await check(`${where}-terms`)
    if (await page.getByRole('button', { name: 'Keep the rest as public notes' }).isVisible()) {
      await press('Keep the rest as public notes')
      await page.getByText('become public notes').waitFor()
    }
    await press('Save and continue')
    await heading('Preview:').waitFor()
    await press(/^Preview$/)
    await page.getByRole('button', { name: /^Import \d/ }).waitFor({ timeout: 90_000 })
    if (where !== undefined) await check(`${where}-preview`)
  }

  async function write(): Promise<void> {
    await press(/^Import \d/)
    await page.getByText('Undo this import').waitFor({ timeout: 120_000 })
  }

  async function undo(): Promise<void> {
    await page.getByText('Undo this import').click()
    await press('Undo the whole import')
    await page.getByText('The import was undone').waitFor({ timeout: 120_000 })
  }

  it('goes from a table to the catalogue and back by one press', async () => {
    await choose('zines.csv', table)
    await page.getByText('had garbled letters').waitFor()
    await check('file')
    await decide('table')
    expect(await countOf('zines')).to.equal(0)
    await write()
    await check('result')
    expect([await countOf('zines'), await countOf('holdings')]).to.deep.equal([2, 2])
    expect(await page.getByText('1 row was refused').isVisible()).to.equal(true)
    await undo()
    await check('undone')
    expect([await countOf('zines'), await countOf('agents')]).to.deep.equal([0, 0])
  })

  it('goes from MARC to the catalogue and back', async () => {
    await choose('zines.mrc', marc)
    await decide()
    await write()
    expect([await countOf('zines'), await countOf('holdings')]).to.deep.equal([2, 2])
    await undo()
    expect(await countOf('zines')).to.equal(0)
  })

  it('meets no fault of accessibility on any page, in any language', async () => {
    const { service } = site()
    const { begin, decide, post, get } = importClient(() => service)
    await service.post('/api/agents/', agent('jon-smith', { display_name: 'Jon Smith' }))
    const changed = zine('changed', { creator: ['jon-smith'] })
    expect((await service.post('/api/zines/', changed)).status).to.equal(201)
    const rows = [
      'Title,Author,Tags,Mood,Feeling,Collections',
      'One,Jon Smyth,"punk,bicyling,heard of nowhere",calm,x,Ours',
      'One,me@example.org,How To / DIY,loud,y,Read',
    ].join('\n')
    const open = await begin(rows, 'filename=open.csv')
    const decided = await begin(rows, 'filename=decided.csv', {
      defaults: { zines: { genre: [], language: ['en'], rights: null, date: null }, holdings: {} },
    })
    const update = await begin('zine_id,title,abstract\nchanged,Other,New', 'filename=update.csv')
    for (const { id } of [decided, update]) await post(id, 'preview/')
    await post(update.id, 'commit/')
    const { batch } = await get(update.id)
    expect((await decide(update.id, { emptyCells: 'clear' })).status).to.equal(200)
    await service.patch('/api/zines/changed/', { title: 'Again' })
    await post(update.id, 'preview/')
    const pages = [
      '/manage/imports',
      `/manage/batches/${batch}?kind=zines`,
      ...['fields', 'fields?field=Tags', 'names', 'names?show=new', 'terms', 'preview'].map(
        (step) => `/manage/imports/${open.id}/${step}`,
      ),
      ...['refused', 'duplicates', 'samples', 'notes'].map(
        (tab) => `/manage/imports/${decided.id}/preview?show=${tab}`,
      ),
      `/manage/imports/${update.id}/preview?show=changes`,
    ]
    for (const [at, path] of pages.entries())
      for (const language of at % 2 === 0 ? ['en', 'es'] : ['en', 'fr']) {
        await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
        await page.locator('progress').waitFor({ state: 'detached' })
        expect(await violationsInAllLooks(page), `${path}, ${language}`).to.deep.equal([])
      }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto('/manage/imports?lang=en')
    for (const { id } of [open, decided, update]) await service.delete(`/api/imports/${id}/`)
    for (const path of ['zines/changed', 'agents/jon-smith']) await service.delete(`/api/${path}/`)
  })

  it('decides about a term by keyboard', async () => {
    await choose('keys.csv', table)
    await page.goto(page.url().replace('/file', '/terms'))
    const select = page.getByRole('combobox', { name: 'What unheard of becomes' })
    await select.focus()
    await page.keyboard.press('N')
    await page.keyboard.press('e')
    await page.keyboard.press('w')
    expect(await select.inputValue()).to.equal('create')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Rumours')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await press('Decided 1')
    expect(await page.getByRole('textbox', { name: 'Term for unheard of' }).inputValue()).to.equal(
      'Rumours',
    )
  })

  it('goes from a LibraryThing export of 1,691 rows to the catalogue and back', async function () {
    if (!(await isThere(carnegie))) this.skip()
    const begun = performance.now()
    await choose('carnegie.csv', undefined, carnegie)
    await page.getByText('205 rows').waitFor()
    await decide()
    await write()
    // The others have no subject that the vocabularies know.
    expect(await countOf('zines')).to.be.greaterThan(1500)
    await undo()
    expect([await countOf('zines'), await countOf('agents')]).to.deep.equal([0, 0])
    console.log(`      ${Math.round((performance.now() - begun) / 1000)} s`)
  })
})

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
