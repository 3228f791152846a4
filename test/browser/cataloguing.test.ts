// An editor at work in a browser: signs in, creates an agent and a zine, corrects an error, meets
// the change of somebody else, and deletes a record with its dependents.

import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'

import { agent, holding, repository, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { signIn, useBrowser } from './browser.js'
import { until } from '../waiting.js'

describe('in a browser, an editor', () => {
  const site = useBrowser()
  let page: Page

  before(async function () {
    page = await site().visit('/api/zines/')
    await signIn(page, 'editor', PASSWORD)
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  const json = async (path: string) => (await site().service.get(path)).body

  it('returns after signing in to the page where they were', () => {
    expect(new URL(page.url()).pathname).to.equal('/api/zines/')
  })

  it('creates an agent, which is not public by default', async () => {
    await page.goto('/api/agents/')
    await page.getByRole('link', { name: 'New maker' }).click()
    await page.getByLabel('Identifier').first().fill('doris')
    await page.getByLabel('Kind').selectOption('Person')
    await page.getByLabel('Name', { exact: true }).fill('Cindy Crabb')
    await page.getByLabel('Legal name', { exact: true }).fill('Cynthia Secret')
    await page.getByRole('button', { name: 'Create maker' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cindy Crabb' }).waitFor()
    expect(await json('/api/agents/doris/')).to.include({ kind: 'Person', public: false })
    expect(await page.getByText('Cynthia Secret').isVisible()).to.equal(true)
  })

  it('creates a zine, picking its creator and its subjects by name', async () => {
    await page.goto('/manage/zines/new')
    await page.getByLabel('Identifier').first().fill('doris-15')
    await page.getByLabel('Title', { exact: true }).fill('Doris')
    await pick(page, 'Maker 1', 'crabb', 'Cindy Crabb')
    await pick(page, 'Subject 1', 'feminis', 'Feminism')
    await page.getByRole('button', { name: '+ Add subject' }).click()
    await pick(page, 'Subject 2', 'punk', 'Punk')
    await pick(page, 'Genre 1', 'perz', 'Perzine')
    await page.getByLabel('Date 1', { exact: true }).fill('1998')
    await pick(page, 'Language 1', 'engl', 'English')
    await page.getByRole('heading', { name: 'Links and rights' }).click()
    await pick(page, 'Rights 1', 'copyl', 'Copyleft')
    await page.getByRole('button', { name: 'Move subject 2 up' }).click()
    await page.getByRole('button', { name: 'Create zine' }).click()
    await page.getByRole('heading', { level: 1, name: 'Doris' }).waitFor()
    const made = await json('/api/zines/doris-15/')
    expect(made.creator[0].agent_id).to.equal('doris')
    expect(made.subject.map(({ code }: { code: string }) => code)).to.deep.equal([
      'punk',
      'feminism',
    ])
    expect(made.language).to.deep.equal(['en'])
  })

  it('goes on typing where the script of the form arrives late', async () => {
    const other = await page.context().newPage()
    let deliver: (() => void) | undefined
    const isLate = new Promise<void>((resolve) => (deliver = resolve))
    await other.route(/\/form[^/]*\.js/, async (route) => {
      await isLate
      await route.continue()
    })
    await other.goto('/manage/zines/new', { waitUntil: 'commit' })
    const identifier = other.getByLabel('Identifier', { exact: true })
    const creator = other.getByLabel('Maker 1', { exact: true })
    await creator.fill('crabb')
    await identifier.pressSequentially('dor')
    deliver?.()
    await other.getByRole('combobox', { name: 'Maker 1' }).waitFor()
    await other.keyboard.type('is')
    expect(await identifier.inputValue()).to.equal('doris')
    expect(await creator.inputValue()).to.equal('crabb')
    await other.close()
  })

  it('sees the issue, date and creator of zines of one title while picking one', async () => {
    const { post } = site().service
    await post('/api/agents/', agent('maker', { display_name: 'Aaron Cometbus' }))
    for (const issue of ['54', '55'])
      await post(
        '/api/zines/',
        zine(`cometbus-${issue}`, { title: 'Cometbus', issue_designation: `no. ${issue}` }),
      )
    await page.goto('/manage/holdings/new')
    await page.getByLabel('Zine', { exact: true }).fill('cometb')
    const choice = page.getByRole('option').filter({ hasText: 'no. 54' })
    await choice.waitFor()
    expect(await choice.innerText())
      .to.include('Aaron Cometbus')
      .and.to.include('1994')
  })

  it('picks by identifier, and by an exact name that is typed and left with Tab', async () => {
    await page.goto('/manage/zines/new')
    const creator = page.getByLabel('Maker 1', { exact: true })
    await creator.fill('maker')
    await page.getByRole('option').filter({ hasText: 'Aaron Cometbus' }).waitFor()
    await creator.fill('aaron COMETBUS')
    await creator.press('Tab')
    const sent = page.locator('input[type=hidden][name=creator]').first()
    await expectValue(sent, 'maker')
    const language = page.getByLabel('Language 1', { exact: true })
    await language.fill('Polish')
    await language.press('Tab')
    await expectValue(page.locator('input[type=hidden][name=language]').first(), 'pl')
  })

  it('picks by identifier without asking for addresses that lead nowhere', async () => {
    const missing: string[] = []
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url())
    })
    await page.goto('/manage/zines/new')
    const creator = page.getByLabel('Maker 1', { exact: true })
    for (const typed of ['mak', 'nobody at all', 'make', 'maker']) {
      const answer = page.waitForResponse(/[?&]search=/)
      await creator.fill(typed)
      await answer
    }
    await page.getByRole('option').filter({ hasText: 'Aaron Cometbus' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(missing).to.deep.equal([])
  })

  it('picks a code by its label in the language of the page', async () => {
    await page.goto('/manage/zines/new?lang=fr')
    const language = page.getByRole('combobox', { name: 'Langue 1' })
    await language.fill('polon')
    await page.getByRole('option', { name: 'Polonais pl' }).click()
    expect(await language.inputValue()).to.equal('Polonais')
    await expectValue(page.locator('input[type=hidden][name=language]').first(), 'pl')
    await page.goto('/manage/zines/new?lang=en')
  })

  it('sends an exact name as its identifier when the form is saved at once', async () => {
    await page.goto('/manage/zines/edit/cometbus-54')
    await page.getByLabel('Language 1', { exact: true }).fill('Polish')
    await page.getByLabel('Language 1', { exact: true }).press('Escape')
    await page.getByLabel('Language 1', { exact: true }).press('Enter')
    await page.waitForURL('**/api/zines/cometbus-54/')
    expect((await json('/api/zines/cometbus-54/')).language).to.deep.equal(['pl'])
  })

  it('creates a maker in a dialog by keyboard, without leaving the form, and has it chosen', async () => {
    await page.goto('/manage/zines/new')
    await page.getByLabel('Title', { exact: true }).fill('Unsaved')
    const creator = page.getByLabel('Maker 1', { exact: true })
    await creator.fill('Nobody Yet')
    await page.getByRole('option', { name: 'Create maker “Nobody Yet”' }).waitFor()
    await creator.press('ArrowUp')
    await creator.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New maker' })
    const name = dialog.getByLabel('Name', { exact: true })
    await expectFocus(name)
    expect(await name.inputValue()).to.equal('Nobody Yet')
    expect(await dialog.getByLabel('Kind').inputValue()).to.equal('Person')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Yet, Nobody')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expectFocus(creator)
    await expectValue(page.locator('input[type=hidden][name=creator]').first(), 'nobody-yet')
    expect(await creator.inputValue()).to.equal('Nobody Yet')
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('Unsaved')
    expect(await json('/api/agents/nobody-yet/')).to.include({ sort_name: 'Yet, Nobody' })
    await page.getByLabel('Maker 2', { exact: true }).waitFor()
  })

  it('leaves the dialog of a new maker by Escape, after an error too, with nothing created', async () => {
    await page.goto('/manage/zines/new')
    await page.getByRole('button', { name: 'New maker' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New maker' })
    await dialog.getByLabel('Name', { exact: true }).fill('Never')
    await dialog.getByLabel('Kind').selectOption('')
    // The service checks what the browser would.
    await dialog.locator('form').evaluate((form: any) => (form.noValidate = true))
    await dialog.getByRole('button', { name: 'Create maker' }).click()
    await expectFocus(dialog.locator('.notices'))
    expect(await dialog.locator('.notices').innerText()).to.include('Choose a kind.')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect((await site().service.get('/api/agents/never/')).status).to.equal(404)
  })

  it('goes from field to field with one Tab each, and by arrows to the values of a field', async () => {
    await page.goto('/manage/zines/edit/doris-15')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    const subject = (number: number) => page.getByLabel(`Subject ${number}`, { exact: true })
    await page.getByLabel('Issue').focus()
    for (const name of ['Date 1', 'Maker 1', 'Subject 1', 'Genre 1', 'Language 1']) {
      await page.keyboard.press('Tab')
      expect(await focused()).to.equal(name)
    }
    await subject(1).focus()
    for (const [key, name] of [
      ['ArrowDown', 'Subject 2'],
      ['ArrowDown', 'Subject 3'],
      ['ArrowUp', 'Subject 2'],
      ['Tab', 'Genre 1'],
      ['Shift+Tab', 'Subject 2'],
    ] as const) {
      await page.keyboard.press(key)
      expect(await focused(), key).to.equal(name)
    }
    await page.keyboard.press('Alt+Shift+ArrowUp')
    expect(await subject(1).inputValue()).to.equal('Feminism')
    expect(await subject(1).getAttribute('aria-describedby')).to.include('arrow-keys')
    await page.getByText('lead to the other values of a field').waitFor()
  })

  it('sees the error beside a wrong field, loses no input, and corrects it', async () => {
    await page.goto('/manage/zines/edit/doris-15')
    await page.getByRole('heading', { name: 'Contents' }).click()
    await page.getByLabel('Abstract').fill('On <b>growing up</b> & "speaking".')
    await page.getByLabel('Maker 1', { exact: true }).fill('nobody-of-that-name')
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.getByText('There is no maker “nobody-of-that-name”').first().waitFor()
    expect(await page.getByLabel('Abstract').inputValue()).to.equal(
      'On <b>growing up</b> & "speaking".',
    )
    expect((await json('/api/zines/doris-15/')).abstract).to.equal('')
    await pick(page, 'Maker 1', 'crabb', 'Cindy Crabb')
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.getByRole('heading', { level: 1, name: 'Doris' }).waitFor()
    expect((await json('/api/zines/doris-15/')).abstract).to.equal(
      'On <b>growing up</b> & "speaking".',
    )
  })

  it('sees possible duplicates before creating a record', async () => {
    await page.goto('/manage/agents/new')
    await page.getByLabel('Identifier').first().fill('crabb')
    await page.getByLabel('Kind').selectOption('Person')
    await page.getByLabel('Name', { exact: true }).fill('cindy  CRABB')
    await page.getByRole('button', { name: 'Create maker' }).click()
    const same = page.getByRole('alert', { name: 'Possible duplicates' })
    await same.getByRole('link', { name: 'Cindy Crabb' }).waitFor()
    expect((await site().service.get('/api/agents/crabb/')).status).to.equal(404)
    await page.getByRole('button', { name: 'Create anyway' }).click()
    await page.getByRole('heading', { level: 1, name: 'cindy CRABB' }).waitFor()
  })

  it('sees what somebody else changed meanwhile before overwriting it', async () => {
    await page.goto('/manage/zines/edit/doris-15')
    await page.getByLabel('Issue').fill('no. 15')
    await site().service.patch('/api/zines/doris-15/', { issue_designation: '#15' })
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    const others = page
      .getByRole('alert')
      .filter({ hasText: 'Somebody else changed the same fields' })
    await others.getByText('#15').waitFor()
    expect((await json('/api/zines/doris-15/')).issue_designation).to.equal('#15')
    expect(await page.getByLabel('Issue').inputValue()).to.equal('no. 15')
    await page.getByRole('button', { name: 'Save these choices' }).click()
    await page.getByRole('heading', { level: 1, name: 'Doris, no. 15' }).waitFor()
    expect((await json('/api/zines/doris-15/')).issue_designation).to.equal('no. 15')
  })

  it('sees what is deleted with a zine before deleting it', async () => {
    const { post } = site().service
    await post('/api/repositories/', repository('library'))
    for (const holding_id of ['one', 'two', 'three'])
      await post('/api/holdings/', holding(holding_id, { zine_id: 'doris-15' }))
    await page.goto('/api/zines/doris-15/')
    await page.getByRole('link', { name: 'Delete', exact: true }).click()
    await page.getByText('3 copies will be deleted with it.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/api/zines/')
    expect((await site().service.get('/api/holdings/two/')).status).to.equal(404)
  })

  it('loses no input when signed out meanwhile', async () => {
    await page.goto('/manage/repositories/new')
    await page.getByLabel('Identifier').first().fill('barnard')
    await page.getByLabel('Name', { exact: true }).fill('Barnard Zine Library')
    await page.getByLabel('Kind of library').selectOption('academic-library')
    await page.getByLabel('Country').selectOption('US')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create library' }).click()
    await page.getByText('You were signed out meanwhile').waitFor()
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'sign in in another tab' }).click(),
    ])
    await tab.getByLabel('User name').fill('editor')
    await tab.getByLabel('Password').fill(PASSWORD)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.getByRole('button', { name: 'Create library' }).click()
    await page.getByRole('button', { name: 'Create library' }).click()
    await page.getByRole('heading', { level: 1, name: 'Barnard Zine Library' }).waitFor()
  })
})

describe('in a browser without scripts, an editor', () => {
  const site = useBrowser()

  it('signs in, creates a zine by codes, adds rows and moves them', async () => {
    const { service } = site()
    await service.post('/api/agents/', agent('maker'))
    const page = await site().visit('/api/zines/', { javaScriptEnabled: false })
    await signIn(page, 'zines-editor', PASSWORD)
    await page.goto('/manage/zines/new')
    const given = zine('plain')
    await page.getByLabel('Identifier').first().fill('plain')
    await page.getByLabel('Title', { exact: true }).fill('Plain')
    await page.getByLabel('Maker 1', { exact: true }).fill('maker')
    await page.getByLabel('Genre 1', { exact: true }).fill(given.genre[0] ?? '')
    await page.getByLabel('Date 1', { exact: true }).fill('1994')
    await page.getByLabel('Language 1', { exact: true }).fill('en')
    await page.getByRole('heading', { name: 'Links and rights' }).click()
    await page.getByLabel('Rights 1', { exact: true }).fill('unknown')
    await page.getByLabel('Subject 1', { exact: true }).fill('punk')
    await page.getByRole('button', { name: '+ Add subject' }).click()
    await page.getByLabel('Subject 2', { exact: true }).fill('queer')
    await page.getByRole('button', { name: 'Move subject 2 up' }).click()
    expect(await page.getByLabel('Subject 1', { exact: true }).inputValue()).to.equal('queer')
    await page.getByRole('button', { name: 'Create zine' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plain' }).waitFor()
    const { body } = await service.get('/api/zines/plain/')
    expect(body.subject.map(({ code }: { code: string }) => code)).to.deep.equal(['queer', 'punk'])
  })

  it('creates a maker on a page of its own, and comes back to the form as it was', async () => {
    const page = await site().visit('/api/zines/', { javaScriptEnabled: false })
    await signIn(page, 'editor', PASSWORD)
    await page.goto('/manage/zines/new')
    await page.getByLabel('Title', { exact: true }).fill('Unsaved')
    await page.getByLabel('Maker 1', { exact: true }).fill('Pat Paper')
    await page.getByRole('button', { name: 'New maker' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'New maker' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Pat Paper')
    await page.getByRole('button', { name: 'Create maker' }).click()
    await page.getByText('Pat Paper is chosen.').waitFor()
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('Unsaved')
    expect(await page.getByLabel('Maker 1', { exact: true }).inputValue()).to.equal('pat-paper')
  })

  it('has no buttons of an empty row in the way of Tab', async () => {
    const page = await site().visit('/api/zines/', { javaScriptEnabled: false })
    await signIn(page, 'editor', PASSWORD)
    await page.goto('/manage/zines/new')
    await page.getByLabel('Subject 1', { exact: true }).focus()
    await page.keyboard.press('Tab')
    await expectFocus(page.getByRole('button', { name: '+ Add subject' }))
    await page.getByLabel('Subject 1', { exact: true }).fill('punk')
    await page.keyboard.press('Tab')
    await expectFocus(page.getByRole('button', { name: 'Remove subject 1' }))
  })

  it('gets 403 for the form of a resource that they may not edit', async () => {
    const page = await site().visit('/api/zines/', { javaScriptEnabled: false })
    await signIn(page, 'zines-editor', PASSWORD)
    const answer = await page.goto('/manage/agents/new')
    expect(answer?.status()).to.equal(403)
    await page.getByText('Your account is not allowed to do this').waitFor()
  })
})

describe('in a browser, an editor where lists have no index of words', () => {
  const site = useBrowser({ LIST_INDEX: 'off' })

  it('picks a maker by identifier', async () => {
    await site().service.post('/api/agents/', agent('zxq-7', { display_name: 'Aaron Cometbus' }))
    const page = await site().visit('/api/zines/')
    await signIn(page, 'editor', PASSWORD)
    await page.goto('/manage/zines/new')
    await pick(page, 'Maker 1', 'zxq-7', 'Aaron Cometbus')
    await expectValue(page.locator('input[type=hidden][name=creator]').first(), 'zxq-7')
  })
})

/** Types into a picker and takes the first choice of that name. */
async function pick(page: Page, label: string, typed: string, name: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label, exact: true })
  await box.fill('')
  await box.pressSequentially(typed)
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
  expect(await box.inputValue()).to.equal(name)
}

async function expectFocus(target: Locator): Promise<void> {
  await until(() => target.evaluate((one) => one === document.activeElement))
}

/** Waits until an input has this value. */
async function expectValue(input: Locator, value: string): Promise<void> {
  await until(async () => (await input.inputValue()) === value)
}
