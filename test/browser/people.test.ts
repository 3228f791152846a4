// Visitors who look for zines, and administrators who manage accounts, in a browser.

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { PASSWORD } from '../service.js'
import { signIn, useBrowser } from './browser.js'

describe('in a browser, a visitor', () => {
  const site = useBrowser()

  before(async () => {
    const { post } = site().service
    await post('/api/agents/', agent('maker'))
    for (const [id, title, subject] of [
      ['a', 'Cometbus', 'punk'],
      ['b', 'Doris', 'feminism'],
      ['c', 'Comet Tails', 'music'],
    ] as const)
      await post('/api/zines/', zine(id, { title, subject: [subject] }))
  })

  afterEach(() => expect(site().complaints()).to.deep.equal([]))

  it('sees a list update while typing, with an address that can be shared', async () => {
    const page = await site().visit('/api/zines/')
    await page.getByLabel('Search zines').pressSequentially('comet')
    await page.getByRole('link', { name: 'Doris' }).waitFor({ state: 'detached' })
    expect(await page.locator('.results .count').innerText()).to.equal('2 zines')
    const { search } = new URL(page.url())
    expect(new URLSearchParams(search).get('q')).to.equal('comet')
    expect(await page.title()).to.include('Zines matching “comet”')
    expect(await page.locator('h1').innerText()).to.equal('Zines matching “comet”')
    const other = await site().visit(`/api/zines/${search}`)
    expect(await other.locator('.results .count').innerText()).to.equal('2 zines')
  })

  it('filters a list and removes the filter again', async () => {
    const page = await site().visit('/api/zines/?search=comet')
    await page.getByRole('complementary').getByRole('link', { name: /^Punk/ }).click()
    await page.locator('.results .count').getByText('1 zine').waitFor()
    await page.getByRole('link', { name: /Remove Subject: Punk/ }).click()
    await page.locator('.results .count').getByText('2 zines').waitFor()
  })

  it('goes from a zine to its creator and from there to all their zines', async () => {
    const page = await site().visit('/api/zines/a/')
    await page.getByRole('link', { name: 'Maker maker' }).first().click()
    await page.getByRole('heading', { name: 'Zines (3)' }).waitFor()
  })

  it('sees the API request of a page and its JSON', async () => {
    const page = await site().visit('/api/zines/a/')
    await page.getByText('Get this page as data (API)').click()
    expect(await page.locator('pre').first().innerText()).to.include('GET /api/zines/a/')
    const shown = JSON.parse(await page.locator('pre.json').innerText())
    expect(shown).to.deep.equal((await site().service.get('/api/zines/a/')).body)
  })

  it('opens a concept at its IRI and is shown it in its scheme', async () => {
    const page = await site().visit('/vocabularies/subjects#punk')
    const shown = page.locator('.concepts > div:target')
    expect(await shown.locator('dt').innerText()).to.match(/^Punk\b/)
    const { y = -1 } = (await shown.boundingBox()) ?? {}
    expect(y).to.be.within(0, page.viewportSize()?.height ?? 0)
  })

  it('opens the page of a subject from a zine, and from there the zines about it', async () => {
    const page = await site().visit('/api/zines/a/')
    await page.locator('article').getByRole('link', { name: 'Punk', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Punk', level: 1 }).waitFor()
    await page.locator('section.related').getByRole('link', { name: 'Cometbus' }).waitFor()
  })

  it('prints a list without the signs that remove its filters', async () => {
    const page = await site().visit('/api/zines/?subject=punk')
    const sign = page.locator('.chosen [aria-hidden]')
    expect([await sign.innerText(), await sign.isVisible()]).to.deep.equal(['×', true])
    await page.emulateMedia({ media: 'print' })
    expect(await sign.isVisible()).to.equal(false)
    expect(await page.locator('.chosen').innerText()).to.include('Subject: Punk')
    for (const part of ['.masthead nav', '.facets', '.controls'])
      expect(await page.locator(part).first().isVisible(), part).to.equal(false)
  })

  it('prints a record with its permanent address', async () => {
    const page = await site().visit('/api/zines/a/')
    const printed = (): Promise<string> =>
      page
        .getByRole('link', { name: /permanent address/ })
        .evaluate((link) => getComputedStyle(link, '::after').content)
    expect(await printed()).to.equal('none')
    await page.emulateMedia({ media: 'print' })
    expect(await printed()).to.include('http://localhost/id/zines/a')
  })

  it('reaches everything by keyboard, the content first', async () => {
    const page = await site().visit('/api/zines/')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').innerText()).to.equal('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').getAttribute('name')).to.equal('q')
  })
})

describe('in a browser, a maker without an account', () => {
  const site = useBrowser()

  it('asks to hide a name, and an editor marks that as done', async () => {
    await site().service.post('/api/agents/', agent('ann', { display_name: 'Anne Other' }))
    const page = await site().visit('/api/agents/ann/')
    await page.getByRole('link', { name: 'Is this you?' }).click()
    await page.getByLabel('Hide my legal name or contact').check()
    await page.getByLabel('Your request').fill('Please call me Ann.\nNothing else.')
    await page.getByLabel('How can we answer you?').fill('ann@example.org')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByRole('heading', { name: 'Request sent' }).waitFor()
    await page.getByText('Its number is 1.').waitFor()

    const editors = await site().visit('/api/zines/')
    await signIn(editors, 'editor', PASSWORD)
    await editors.getByRole('link', { name: 'Requests (1)' }).click()
    await editors.getByRole('link', { name: 'Hide name or contact: Anne Other' }).click()
    await editors.getByText('ann@example.org').waitFor()
    await editors.getByLabel('Private note').fill('Hidden now')
    await editors.getByRole('button', { name: 'Done' }).click()
    await editors.getByText('The request is marked as done.').waitFor()
    await editors.getByRole('link', { name: 'Requests', exact: true }).waitFor()
    await editors.getByRole('link', { name: 'Hide name or contact: Anne Other' }).click()
    expect(await editors.getByLabel('Private note').inputValue()).to.equal('Hidden now')
    await editors.getByText('by editor').waitFor()
    expect(site().complaints()).to.deep.equal([])
  })
})

describe('in a browser, an administrator', () => {
  const site = useBrowser()

  it('creates an account, limits its rights, resets its password and disables it', async () => {
    const page = await site().visit('/api/zines/')
    await signIn(page, 'admin', PASSWORD)
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByLabel('User name').fill('intern')
    await page.getByLabel('Password').fill('a first password')
    await page.getByLabel('Role').selectOption('editor')
    await page.getByLabel('zines').check()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Account "intern" created.').waitFor()

    const theirs = await site().visit('/api/zines/')
    await signIn(theirs, 'intern', 'a first password')
    await theirs.getByRole('link', { name: 'New zine' }).waitFor()
    await theirs.goto('/api/agents/')
    expect(await theirs.getByRole('link', { name: 'New maker' }).count()).to.equal(0)

    await page.getByRole('link', { name: 'intern' }).click()
    await page.getByText('Editor: may edit only zines.').waitFor()
    await page.getByLabel('New password').fill('a second password')
    await page.getByRole('button', { name: 'Reset password' }).click()
    await page.getByText('Password reset.').waitFor()
    await theirs.goto('/manage/account')
    await theirs.getByLabel('User name').fill('intern')
    await theirs.getByLabel('Password').fill('a second password')
    await theirs.getByRole('button', { name: 'Sign in' }).click()
    await theirs.getByRole('heading', { name: 'Account intern' }).waitFor()

    await page.getByText('Show the token').click()
    const token = await page.locator('.secret code').first().innerText()
    expect(site().service.accounts.authenticate(token).name).to.equal('intern')
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('Token revoked.').waitFor()
    expect(() => site().service.accounts.authenticate(token)).to.throw('Invalid token.')

    await page.getByRole('button', { name: 'Disable account' }).click()
    await page.getByText('Account disabled.').waitFor()
    await theirs.goto('/manage/account')
    await theirs.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(site().complaints()).to.deep.equal([])
  })
})
